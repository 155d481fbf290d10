"""ruff, run for real and read."""

from pathlib import Path

import pytest

from fixloop_bot.checks.ruff import parse
from fixloop_bot.model.diagnostic import DiagnosticKind
from tests.checks.reading import place
from tests.checks.running import PYTHON, run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("import os\nx=1\n")
    (tmp_path / "b.py").write_text("def f(:\n")
    (tmp_path / "ruff.toml").write_text("[lint]\nselect = ['F']\n")
    return tmp_path


@pytest.mark.parametrize("form", ["full", "concise", "json"])
def test_every_form_tells_the_same(project: Path, form: str) -> None:
    found = parse(run(project, PYTHON, "-m", "ruff", "check", "--no-cache", "--output-format", form, "a.py"))
    assert [place(item) for item in found.diagnostics] == [("a.py", 1, 8, "F401")]


def test_a_syntax_error_is_known_as_one(project: Path) -> None:
    found = parse(run(project, PYTHON, "-m", "ruff", "check", "--no-cache", "b.py"))
    assert {item.kind for item in found.diagnostics} == {DiagnosticKind.SYNTAX_ERROR}
    assert found.diagnostics[0].path == "b.py"


def test_format_check_names_what_it_would_change_and_what_it_cannot_parse(project: Path) -> None:
    found = parse(run(project, PYTHON, "-m", "ruff", "format", "--no-cache", "--check", "."))
    assert {(item.path, item.rule_id) for item in found.diagnostics} == {("a.py", "format"), ("b.py", "invalid-syntax")}
