"""A run full of secrets: nothing that leaves it has one of them, in any spelling.

What fixloop cannot do: unmake what the person's own commits hold. A secret in a source file is in the repository
already; it is masked in the prompt (so that the model cannot quote that line in an edit), in every report and record,
and in patches. A secret in a branch's name stays in the addresses that name the branch. A value without a known shape
or name that is no secret of fixloop's own cannot be told from other text.
"""

import base64
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.e2e.github_stage import Hub, Step
from tests.e2e.workspace import FAULTY_LINE, KEY, RIGHT_LINE, finished, person_environment
from tests.fakes.github import PullRequest
from tests.fakes.model_server import Fault, ModelServer, edit, finish, turn

BODY = [base64.b64encode(bytes((7 * row + 31 * column) % 251 for column in range(48))).decode() for row in range(6)]
PEM = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *BODY, "-----END RSA PRIVATE KEY-----"])
RUNNER_TOKEN = "a-runtime-token+with/signs=and&more"
CLOUD_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
PART = base64.urlsafe_b64encode(b'{"sub":"1234567890","name":"Pat Doe"}').decode().rstrip("=")
SHAPED = {
    "AWS key id": "AKIAIOSFODNN7EXAMPLE",
    "private key": PEM,
    "JSON web token": f"eyJhbGciOiJIUzI1NiJ9.{PART}.c2lnbmF0dXJlLW9mLXRoaXM",
    "password in an address": "hunter2-correct-horse",
    "another's GitHub token": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "value of .env": "tr0ub4dor-and-3-battery",
    "quoted value of .env": "staple_horse_91_battery",
}
"""Nobody tells fixloop of them; they are known by their shape, or by the name that stands before them."""
PRINTED = "\n".join([
    SHAPED["AWS key id"], PEM, PEM.replace("\n", "\\n"), SHAPED["JSON web token"],
    f"postgres://shop:{SHAPED['password in an address']}@db.example.org/shop", SHAPED["another's GitHub token"],
    f"DB_PASSWORD={SHAPED['value of .env']}", f"export SESSION_SECRET='{SHAPED['quoted value of .env']}'",
])  # fmt: skip
QUOTED = PRINTED.replace("\n", " | ").replace("\\n", " ")


def spellings(secret: str) -> Iterator[str]:
    """Yield a secret, its lines, and what encodings make of it."""
    yield from (line for line in secret.splitlines() if len(line) >= 8 and not line.startswith("-----"))
    yield from (secret, quote(secret, safe=""), json.dumps(secret)[1:-1])
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + secret.encode()).decode()
        yield encoded[4 : len(encoded) - 4]


def encoded_forms(secret: str) -> str:
    """Return how a careless test might print a secret of fixloop's own."""
    basic = base64.b64encode(f"x-access-token:{secret}".encode()).decode()
    return f"{secret}\n{quote(secret, safe='')}\nAuthorization: Basic {basic}\n{json.dumps(secret)}"


def strings(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value."""
    match value:
        case str():
            yield value
        case Mapping():
            for key, item in value.items():
                yield from (key, *strings(item))
        case list():
            for item in value:
                yield from strings(item)
        case _:
            return


def all_that_left(hub: Hub, step: Step, pull: PullRequest, model: ModelServer, start: str) -> Iterator[tuple[str, str]]:
    """Yield where it went, and what."""
    for request in hub.github.writes:
        texts = "\n".join(strings(request.body)) if request.body is not None else request.raw.decode("latin-1")
        pushed = request.path.endswith("/git-receive-pack")
        yield f"{request.method} {request.path}", texts.replace(pull.head_ref, "BRANCH") if pushed else texts
    for number, asked in enumerate(model.requests):
        yield f"model request {number}", "\n".join(strings(asked.body))
    yield "standard output", step.done.stdout
    yield "standard error", step.done.stderr
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_STATE", "GITHUB_PATH"):
        yield name, Path(step.environment[name]).read_text(encoding="utf-8")
    for path in sorted((Path(step.environment["GITHUB_WORKSPACE"]) / step.outputs["state-dir"]).rglob("*")):
        if path.is_file():
            yield f"state: {path.name}", path.read_bytes().decode("utf-8", "replace")
    yield "commit messages", "\n".join(hub.shop.messages(pull.head_ref, start))
    pushed_lines = hub.shop.git.run("diff", "--unified=0", start, hub.shop.head(pull.head_ref)).splitlines()
    yield "pushed changes", "\n".join(line for line in pushed_lines if line.startswith("+"))


def leaks(found: Iterator[tuple[str, str]], secrets: Mapping[str, str]) -> list[str]:
    forms = [(name, form) for name, secret in secrets.items() for form in spellings(secret)]
    told = []
    for place, text in found:
        # JSON in JSON hides a line's end once more; without its backslashes a text is searched the same.
        flat = text.replace("\\", "")
        for name, form in forms:
            if form in text or form in flat:
                at = max(text.find(form), flat.find(form))
                told.append(f"{place}: {name}: …{(text if form in text else flat)[max(at - 60, 0) : at + 30]!r}")
    return told


def open_pull(hub: Hub, own: str) -> PullRequest:
    """Return a pull request with a secret wherever its author can put one."""
    branch = f"feature/{SHAPED['AWS key id']}"
    source = '"""Pages."""\n\nKEYS = """\n' + PRINTED + f'\n"""\n\n\ndef last(pages: list[int]) -> int:\n{FAULTY_LINE}'
    test = (
        "import logging\n\nfrom app.pages import KEYS, last\n\n"
        f"OWN = {own!r}\n\n\n"
        "def test_last() -> None:\n    print(KEYS)\n    print(OWN)\n    logging.warning(KEYS)\n"
        f"    assert last([1, 2, 3]) == 3, {QUOTED!r} + OWN\n"
    )
    hub.shop.branch(branch)
    hub.shop.commit(
        branch, {"app/pages.py": source, "tests/test_pages.py": test}, message=f"Add keys\n\n{PRINTED}", author="pat"
    )
    return hub.shop.open_pull(branch, title=f"Keys {QUOTED}", author="pat")


@pytest.mark.parametrize("ending", ["DONE", "BLOCKED"])
def test_no_secret_leaves_a_run(hub: Hub, ending: str) -> None:
    token = hub.github.actions_token(hub.shop)
    own = {"key": KEY, "token": str(token), "runner's token": RUNNER_TOKEN, "cloud key": CLOUD_KEY}
    printed = "\n".join(encoded_forms(secret) for secret in own.values())
    pull = open_pull(hub, printed)
    start = pull.head_sha
    said = f"The key is {PRINTED} and {printed}"
    wrong = turn(
        edit("app/pages.py", FAULTY_LINE, "    return pages[-2]\n"),
        finish("done", hypothesis=said, repair_action=said),
        text=said,
    )
    right = turn(
        edit("app/pages.py", FAULTY_LINE, RIGHT_LINE),
        finish("done", hypothesis=said, repair_action=said),
    )
    asked = Fault(status=400, error_type="invalid_request_error", message=f"bad header {said}")
    hub.github.conditions.fail(status=500, message=said, method="write", path="*/check-runs*", skip=1)
    with ModelServer([wrong, right if ending == "DONE" else asked]) as model:
        environment = hub.environment(
            "pull_request", hub.github.payloads.pull_request(pull), model=model, token=str(token)
        )
        environment |= {"ACTIONS_RUNTIME_TOKEN": RUNNER_TOKEN, "AWS_SECRET_ACCESS_KEY": CLOUD_KEY}
        step = Step(finished([sys.executable, "-m", "fixloop_bot.entrypoints.action"], env=environment), environment)
    assert step.outputs["status"] == ending, step.done.stdout + step.done.stderr
    assert len(model.requests) == 2
    left = list(all_that_left(hub, step, pull, model, start))
    assert any("***" in text for place, text in left if place.startswith("PATCH"))
    assert len([place for place, _ in left if place.startswith("state: ")]) > 5
    assert leaks(iter(left), {**SHAPED, **own}) == []


def test_what_cuts_a_line_leaves_no_half_of_a_secret(hub: Hub) -> None:
    """A long line is cut to 400 characters: so many stand before the end of the key."""
    lines = [f"{'x' * (400 - shown)}{KEY}" for shown in range(8, len(KEY))] + ["more"] * 100
    text = "\n".join([*lines, PEM, *["more"] * 200, "E   AssertionError: x"])
    environment = person_environment() | {"ANTHROPIC_API_KEY": KEY}
    command = [sys.executable, "-m", "fixloop_bot", "diagnose", "--layer", "test", "--project-root", str(hub.folder)]
    done = finished(command, env=environment, stdin=text)
    assert done.code == 0, done.stderr
    assert KEY[:8] not in done.stdout
    assert not any(line in done.stdout for line in BODY)
