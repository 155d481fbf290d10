"""Recorded failures: the environment's are told apart from the code's, and a person is told what is missing."""

import json

import pytest

from fixloop_bot.app.read_output import Reading, read_output
from fixloop_bot.checks.ecosystems.dependencies import declared_dependencies
from fixloop_bot.checks.ecosystems.snapshot import Snapshot
from fixloop_bot.checks.registry import recognise
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.core.normalise import strip_ansi
from fixloop_bot.model.layer import Layer
from tests.record.environment import FOLDER
from tests.record.environment_cases import CASES, ENVIRONMENT, Case


def reading(case: Case) -> Reading:
    meta = json.loads((FOLDER / case.name / "meta.json").read_text())
    text = (FOLDER / case.name / "output.txt").read_bytes().decode()
    return read_output(
        layer=Layer(case.layer),
        tool=recognise(case.command),
        output=ToolOutput(
            text=strip_ansi(text),
            exit_code=meta["exit_code"],
            cwd=meta["cwd"],
            root=meta["cwd"],
            exists=case.files.__contains__,
        ),
        limit=None,
        missing_program=None,
        scratch=meta["tmpdir"],
        source_line=lambda _path, _number: None,
        declared=lambda: declared_dependencies(Snapshot(tuple(case.files), case.files.get)),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_environment_is_told_from_the_code(case: Case) -> None:
    found = reading(case)
    assert found.environmental is (case.mode == ENVIRONMENT), found.missing
    assert bool(found.missing) is found.environmental
    assert case.said.lower() in " ".join(found.missing).lower()


def test_every_case_is_recorded_and_every_recording_is_a_case() -> None:
    assert {folder.name for folder in FOLDER.iterdir()} == {case.name for case in CASES}
