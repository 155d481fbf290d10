"""Of much code, the first call shows what the pull request has changed; after an attempt in vain, more."""

import json

from tests.e2e.github_stage import Hub
from tests.fakes.model_server import ModelServer, RecordedRequest, edit, finish, turn

PARTS = 16
RIGHT, WRONG = "    return last + number", "    return last - number"


def part(number: int, end: str = RIGHT) -> str:
    steps = "".join(f"    step_{number}_{step} = number * {step}\n" for step in range(30))
    return f"def part_{number}(number):\n{steps}    last = step_{number}_0\n{end}\n\n\n"


def shop(end: str) -> dict[str, str]:
    """Return a sum of many long functions, the last of which ends so."""
    parts = [*map(part, range(PARTS - 1)), part(PARTS - 1, end)]
    total = f"def total(number):\n    return {' + '.join(f'part_{number}(number)' for number in range(PARTS))}\n"
    test = "from app.parts import total\n\n\ndef test_total():\n    assert total(1) == 16\n"
    return {"app/__init__.py": "", "app/parts.py": "".join(parts) + total, "tests/test_total.py": test}


def shown(request: RecordedRequest) -> set[int]:
    """Return which of the functions a request shows."""
    text = json.dumps(request.body["messages"][0])
    return {number for number in range(PARTS) if f"def part_{number}(" in text}


def test_what_the_pull_request_changed_is_shown_first_and_more_after_an_attempt_in_vain(hub: Hub) -> None:
    hub.shop.commit("main", shop(RIGHT), author="pat")
    pull = hub.break_it(files=shop(WRONG))
    in_vain = turn(edit("app/parts.py", "step_3_9 = number * 9", "step_3_9 = 9 * number"), finish("done"))
    repair = turn(edit("app/parts.py", WRONG, RIGHT), finish("done", hypothesis="it takes away"))
    with ModelServer([in_vain, repair]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    first, second = map(shown, model.requests)
    assert PARTS - 1 in first
    assert len(first) <= 3
    assert first < second
