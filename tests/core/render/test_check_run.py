"""The check run: its verdict, its buttons, its text, whole."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import jsonschema
import pytest

from fixloop_bot.core.render.check_run import actions, conclusion, to_check_run
from fixloop_bot.model.check_run import Annotation, CheckRun, Conclusion
from fixloop_bot.model.outcome import Breaker, Question, Status, TerminalState
from fixloop_bot.model.report import Report
from fixloop_bot.model.state import End, Phase
from tests.core.recorded import assert_recorded
from tests.core.render.hostile import AROUND, EVERYWHERE
from tests.core.render.states import (
    DONE,
    ENVIRONMENT,
    HERE,
    MANY,
    MAX_RETRIES,
    NEED_DECISION,
    NEVER_BEGUN,
    NOTHING_TO_FIX,
    OUT_OF_MONEY,
    RUNNING,
    told,
)

STOPPED = replace(
    RUNNING,
    end=End(status=Status.BLOCKED, terminal=TerminalState.ABORTED_BY_HUMAN, breaker=Breaker.STOPPED, reason="stop"),
)
APPROVAL = replace(NEED_DECISION, phase=Phase.APPROVAL_WAIT)
CASES: dict[str, tuple[Report, Conclusion | None, list[str]]] = {
    "running": (told(RUNNING), None, ["stop"]),
    "done": (told(DONE), Conclusion.SUCCESS, []),
    "nothing_to_fix": (told(NOTHING_TO_FIX), Conclusion.SUCCESS, []),
    "need_decision": (told(NEED_DECISION), Conclusion.ACTION_REQUIRED, ["decide-a", "decide-b", "stop"]),
    "need_approval": (
        told(APPROVAL, replace(HERE, approval_patch="a diff")),
        Conclusion.ACTION_REQUIRED,
        ["approve", "deny", "stop"],
    ),
    "nothing_to_approve": (told(APPROVAL), Conclusion.ACTION_REQUIRED, ["deny", "stop"]),
    "max_retries": (told(MAX_RETRIES), Conclusion.FAILURE, ["run"]),
    "environment": (told(ENVIRONMENT), Conclusion.FAILURE, ["run"]),
    "out_of_money": (told(OUT_OF_MONEY), Conclusion.FAILURE, ["run"]),
    "never_begun": (told(NEVER_BEGUN), Conclusion.NEUTRAL, ["run"]),
    "stopped": (told(STOPPED), Conclusion.CANCELLED, ["run"]),
    "fault": (told(DONE, replace(HERE, fault="OSError")), Conclusion.NEUTRAL, ["run"]),
    "cancelled": (told(RUNNING, replace(HERE, cancelled=True)), Conclusion.CANCELLED, ["run"]),
    "hostile": (told(EVERYWHERE, AROUND), Conclusion.ACTION_REQUIRED, ["decide-a", "decide-b", "stop"]),
}


API = Path(__file__).parents[2] / "fixtures" / "github" / "openapi-slim.json"


@pytest.mark.parametrize("name", CASES)
def test_github_takes_every_field_as_it_is(name: str) -> None:
    post = json.loads(API.read_text(encoding="utf-8"))["paths"]["/repos/{owner}/{repo}/check-runs"]["post"]
    run = to_check_run(CASES[name][0], in_repository=lambda _path: True)
    for batch in run.annotations or ((),):
        output = {"title": run.title, "summary": run.summary, "text": run.text, "annotations": [_set(a) for a in batch]}
        body: dict[str, object] = {
            "name": "fixloop",
            "head_sha": run.head_sha,
            "external_id": run.external_id,
            "output": output,
        }
        body |= {"actions": [asdict(action) for action in run.actions]}
        body |= {"conclusion": str(run.conclusion)} if run.conclusion else {"status": "in_progress"}
        jsonschema.validate(body, post["requestBody"]["content"]["application/json"]["schema"])


def _set(annotation: Annotation) -> dict[str, object]:
    """Return the fields that are sent: GitHub wants no null."""
    return {name: value for name, value in asdict(annotation).items() if value is not None}


def whole(run: CheckRun) -> str:
    """Return the check run as one text: its fields, then its two Markdown texts as they are."""
    fields = {name: value for name, value in asdict(run).items() if name not in ("summary", "text")}
    return f"{json.dumps(fields, indent=1)}\n----- summary\n{run.summary}----- text\n{run.text}"


@pytest.mark.parametrize("name", CASES)
def test_the_conclusion_and_the_buttons_follow_from_the_status(name: str) -> None:
    report, concluded, buttons = CASES[name]
    assert conclusion(report) is concluded
    assert [action.identifier for action in actions(report)] == buttons


@pytest.mark.parametrize("name", CASES)
def test_every_button_is_within_githubs_limits(name: str) -> None:
    for action in actions(CASES[name][0]):
        assert 0 < len(action.label) <= 20
        assert 0 < len(action.description.encode("utf-16-le")) / 2 <= 40
        assert 0 < len(action.identifier) <= 20


@pytest.mark.parametrize("name", ["running", "done", "need_decision", "hostile"])
def test_the_whole_check_run_is_as_recorded(name: str) -> None:
    assert_recorded(f"check_run_{name}.txt", whole(to_check_run(CASES[name][0], in_repository=lambda _path: True)))


def test_a_button_says_what_its_option_is() -> None:
    asked = Question(layer="test", question="?", option_a="keep it", option_b="\U0001f600" * 50)
    labels = {a.label: a.description for a in actions(replace(told(NEED_DECISION), question=asked))}
    assert labels["Option A"] == "keep it"
    assert labels["Option B"] == "\U0001f600" * 19 + "\u2026"


def test_annotations_come_in_batches_of_fifty() -> None:
    run = to_check_run(told(MANY), in_repository=lambda path: path == "tests/test_prices.py")
    assert [len(batch) for batch in run.annotations] == [50, 50, 30]
