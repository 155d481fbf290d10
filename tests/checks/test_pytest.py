"""pytest, run for real and read."""

import shlex
from pathlib import Path

import pytest

from fixloop_bot.checks.pytest import TOOL, parse, report_env
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport
from tests.checks.running import PYTHON, run

TESTS = """\
import pytest

class TestSum:
    @pytest.mark.parametrize("n", [1, 2], ids=["one - a", "two"])
    def test_parts(self, n):
        assert n == 2

@pytest.fixture
def broken():
    raise OSError("no port")

def test_uses(broken): pass
def test_ok(): pass

@pytest.mark.skip
def test_later(): pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project" / "tests"
    folder.mkdir(parents=True)
    (folder / "test_sum.py").write_text(TESTS)
    (folder.parent / "pytest.ini").write_text("[pytest]\n")
    return folder.parent


def read(project: Path, *arguments: str) -> tuple[Parsed, Parsed, str]:
    """Run with a report in a folder whose name has a blank; return what report and text say, and the text."""
    report = project.parent / "the report.xml"
    output = run(project, PYTHON, "-m", "pytest", *arguments, env=report_env(str(report)), report=report)
    assert output.report is not None, output.text
    alone = ToolOutput(
        text=output.text, exit_code=output.exit_code, cwd=output.cwd, root=output.root, exists=output.exists
    )
    return parse(output), parse(alone), output.text


def test_report_and_text_name_the_same_failures(project: Path) -> None:
    structured, parsed, _ = read(project)
    named = {(item.path, item.test_id, item.line) for item in structured.diagnostics}
    assert named == {
        ("tests/test_sum.py", "tests/test_sum.py::TestSum::test_parts[one - a]", 6),
        ("tests/test_sum.py", "tests/test_sum.py::test_uses", 10),
    }
    assert {(item.path, item.test_id, item.line) for item in parsed.diagnostics} == named
    assert (structured.tier, parsed.tier) == (Tier.STRUCTURED, Tier.PARSED)
    messages = {item.test_id: item.message for item in structured.diagnostics}
    assert messages == {item.test_id: item.message for item in parsed.diagnostics}
    assert messages["tests/test_sum.py::test_uses"] == "OSError: no port"


def test_the_report_tells_which_tests_ran(project: Path) -> None:
    structured, parsed, _ = read(project)
    assert structured.tests == TestReport(
        4,
        ("tests/test_sum.py::TestSum::test_parts[two]", "tests/test_sum.py::test_ok"),
        ("tests/test_sum.py::TestSum::test_parts[one - a]", "tests/test_sum.py::test_uses"),
        ("tests/test_sum.py::test_later",),
    )
    assert parsed.tests is not None
    assert parsed.tests.failed == structured.tests.failed


def test_asking_for_the_report_leaves_the_persons_output_as_it_is(project: Path) -> None:
    _, _, text = read(project, "-q", "--tb=short")
    plain = run(project, PYTHON, "-m", "pytest", "-q", "--tb=short").text
    assert [line for line in text.split("\n") if "generated xml file" not in line and " in " not in line] == [
        line for line in plain.split("\n") if " in " not in line
    ]


def test_modules_that_cannot_be_collected_are_told_apart_by_their_errors(project: Path) -> None:
    (project / "tests" / "test_broken.py").write_text("def f(:\n")
    (project / "tests" / "test_lost.py").write_text("import nowhere\n")
    structured, parsed, _ = read(project)
    told = {item.test_id: item.message.split("\n")[-1] for item in structured.diagnostics}
    assert told == {
        "tests/test_broken.py": "SyntaxError: invalid syntax",
        "tests/test_lost.py": "ModuleNotFoundError: No module named 'nowhere'",
    }
    assert {item.test_id: item.message.split("\n")[-1] for item in parsed.diagnostics} == told
    assert structured.tests == TestReport(0)


@pytest.mark.parametrize("arguments", [["-k", "nothing"], ["-q", "-k", "nothing"], ["-qq", "-k", "nothing"]])
def test_a_run_without_tests_is_known_as_such(project: Path, arguments: list[str]) -> None:
    structured, parsed, _ = read(project, *arguments)
    assert structured.tests is not None
    assert structured.tests.executed == 0
    assert parsed.tests is not None
    assert parsed.tests.executed == 0


def test_passing_tests_are_counted_and_named_with_v(project: Path) -> None:
    _, parsed, _ = read(project, "-v", "-k", "test_ok")
    assert parsed.tests == TestReport(1, ("tests/test_sum.py::test_ok",))
    assert parsed.diagnostics == ()


def test_the_environment_value_is_one_that_a_person_could_have_typed() -> None:
    assert shlex.split(report_env("/a b/'r.xml")["PYTEST_ADDOPTS"]) == [
        "--junitxml=/a b/'r.xml",
        "-o",
        "junit_family=xunit1",
    ]


@pytest.mark.parametrize(
    "report",
    ["", "<testsuite", "<!DOCTYPE x><testsuites/>", "not xml", "<testsuites/>"],
    ids=["empty", "cut off", "with a DTD", "no XML", "without a case"],
)
def test_a_report_that_cannot_be_used_leaves_the_text(report: str) -> None:
    text = "FAILED test_a.py::test_x - boom\n=== 1 failed in 0.1s ===\n"
    (failure,) = parse(ToolOutput(text=text, report=report, exit_code=1)).diagnostics
    assert (failure.test_id, failure.message) == ("test_a.py::test_x", "boom")


def test_it_offers_its_report_through_the_environment() -> None:
    assert (TOOL.report_suffix, TOOL.runs_tests) == (".xml", True)
