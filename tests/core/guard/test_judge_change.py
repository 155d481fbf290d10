"""What does not show in one file's text: modes, sizes, files that cannot be read, moved marks, whole runs."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.guard.effect import lost_tests
from fixloop_bot.core.guard.expectations import expectations
from fixloop_bot.core.guard.judge_change import MOST, described, judge_change, worst
from fixloop_bot.core.protect import Protection
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.guard import Author, Change, FileChange, FileVersion, Finding, Severity
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, TestReport

PROTECTION = Protection()
PROTECTED = ("protected-file-changed", "critical")
MODE = ("file-kind-changed", "medium")
SILENCED = ("suppression-added", "high")
UNJUDGED = ("unjudged", "high")
LARGE = ("diff-too-large", "medium")


def change(files: Mapping[str, tuple[str | None, str | None]], **more: object) -> Change:
    """Return a change of files from one text to another."""
    return replace(Change(files=tuple(file(path, *texts) for path, texts in files.items())), **more)  # type: ignore[arg-type]


def file(path: str, before: str | None, after: str | None) -> FileChange:
    sides = [None if text is None else FileVersion(text=text) for text in (before, after)]
    return FileChange(path=path, before=sides[0], after=sides[1])


def rules(judged: Change) -> list[tuple[str, str]]:
    """Return rule and severity of what is found."""
    return [(found.rule_id, str(found.severity)) for found in judge_change(judged, PROTECTION)]


def version(mode: str = "100644", text: str | None = "x\n", unread: str = "") -> FileVersion:
    return FileVersion(mode=mode, text=text, unread=unread)


@pytest.mark.parametrize(
    ("path", "before", "after", "found"),
    [
        pytest.param("a.py", version(), version("100755"), [MODE], id="made executable"),
        pytest.param("a.py", version(), version("120000"), [("file-kind-changed", "high")], id="made a link"),
        pytest.param("lib", None, version("160000", ""), [("file-kind-changed", "high")], id="a new submodule"),
        pytest.param("a.py", version(), version(text=None, unread="binary"), [("unjudged", "high")], id="made binary"),
        pytest.param("a.py", version(text=None, unread="too large"), version(), [("unjudged", "high")], id="was large"),
        pytest.param("a.py", None, version(text=None, unread="binary"), [("unjudged", "high")], id="a new binary file"),
        pytest.param("tests/test_a.py", version(), version("100755"), [PROTECTED, MODE], id="a test made executable"),
        pytest.param("tests/a.txt", None, version(), [PROTECTED], id="a new file among the tests"),
        pytest.param("a.py", version(), None, [], id="a product file deleted"),
    ],
)  # fmt: skip
def test_what_a_file_is_counts_like_what_is_in_it(
    path: str, before: FileVersion | None, after: FileVersion | None, found: list[tuple[str, str]]
) -> None:
    assert rules(Change(files=(FileChange(path=path, before=before, after=after),))) == found


def test_files_beyond_the_bound_are_not_clean() -> None:
    assert rules(Change(files=(), left_out=3)) == [("unjudged", "high")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("x = 1" + " " * 15_000 + "# noqa\n", [SILENCED], id="a mark far to the right"),
        pytest.param("x = 1" + " " * 25_000 + "# noqa\n", [SILENCED, UNJUDGED], id="too far"),
        pytest.param("x = '" + "a" * 25_000 + "'\n", [UNJUDGED], id="a very long string"),
        pytest.param("x = '" + "a" * 15_000 + "'\n", [], id="a long string"),
    ],
)
def test_nothing_hides_at_the_end_of_a_long_line(text: str, found: list[tuple[str, str]]) -> None:
    assert rules(change({"a.py": ("", text)})) == found


def test_a_suppression_that_moves_to_another_file_is_none_that_was_added() -> None:
    silenced = "import yaml  # type: ignore[import-untyped]\n"
    assert rules(change({"a.py": (silenced, ""), "b.py": (None, silenced)})) == []
    assert rules(change({"a.py": (silenced, silenced * 2)})) == [("suppression-added", "high")]


def test_a_renamed_test_is_a_test_that_went() -> None:
    text = "def test_a():\n    assert 1 + 1 == 2\n"
    assert rules(change({"tests/test_a.py": (text, None), "tests/test_b.py": (None, text)})) == [PROTECTED]


MANY = "".join(f"value_{n} = {n}\n" for n in range(500))
ELSEWHERE = {f"other/m{n}.py": ("", MANY) for n in range(4)}


@pytest.mark.parametrize(
    ("files", "more", "found"),
    [
        pytest.param({"app/a.py": ("", MANY[:2_000])}, {}, [], id="a change of a hundred lines"),
        pytest.param({"app/a.py": ("", MANY)}, {"affected": ("app/a.py",)}, [LARGE], id="large, in place"),
        pytest.param(ELSEWHERE, {"affected": ("app/a.py",)}, [("diff-too-large", "high")], id="large, elsewhere"),
        pytest.param(ELSEWHERE, {"affected": ("other/x.py",)}, [LARGE], id="large, nearby"),
        pytest.param(ELSEWHERE, {"error_count": 200}, [], id="large, for as many errors"),
        pytest.param(ELSEWHERE, {"author": Author.FIXER}, [], id="a formatter's work over all files"),
        pytest.param(ELSEWHERE, {"author": Author.RUN}, [], id="a whole run"),
    ],
)  # fmt: skip
def test_a_change_may_be_as_large_as_its_failure(
    files: Mapping[str, tuple[str, str]], more: dict[str, object], found: list[tuple[str, str]]
) -> None:
    assert rules(change(files, **more)) == found


def test_the_worst_comes_first_and_a_flood_is_bounded() -> None:
    flood = "".join(f"x{n} = {n}  # noqa: E{n}\n" for n in range(MOST + 50))
    found = judge_change(change({"a.py": ("", flood), "tests/test_a.py": ("1\n", "2\n")}), PROTECTION)
    assert len(found) == MOST
    assert worst(found) is found[0].severity is Severity.CRITICAL
    told = described(found)
    assert told.startswith("protected-file-changed at tests/test_a.py: was changed")
    assert told.endswith(f"and {MOST - 3} more")


@pytest.mark.parametrize(
    "path", ["a.py", "a.ts", "a.go", "a.rs", "A.java", "a.rb", "a.php", "a.c", "a.cs", "a.sh", "a.txt"]
)
@given(
    text=st.text(alphabet="if x==3:return'\"`#/*{}()[]=> \n\\$!&|\x00\ud800e9", max_size=300),
    other=st.text(max_size=60),
)
def test_no_text_is_too_odd_to_be_judged(path: str, text: str, other: str) -> None:
    judged = change({path: (other, text)}, expectations=("assert f(3) == 'if'",))
    assert all(isinstance(found, Finding) for found in judge_change(judged, PROTECTION))


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.go", "a.rs", "A.java", "a.rb", "a.php", "a.cs", "a.sh"])
@pytest.mark.parametrize(
    "unit", ["a(", "def f(", "if x == 3:\n", "{", "#[cfg(test)] mod t {", "    ", "/", '"', "x,", "assert x\n"]
)
def test_a_large_hostile_text_is_judged_to_the_end(path: str, unit: str) -> None:
    judged = change({path: ("", unit * (30_000 // len(unit)))}, expectations=("3 == 4",))
    assert len(judge_change(judged, PROTECTION)) <= MOST


def report(*, passed: tuple[str, ...] = (), failed: tuple[str, ...] = (), skipped: tuple[str, ...] = ()) -> TestReport:
    return TestReport(executed=len(passed) + len(failed), passed=passed, failed=failed, skipped=skipped)


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        pytest.param(report(passed=("a", "b")), report(passed=("a", "b")), None, id="the same tests"),
        pytest.param(report(passed=("a", "b")), report(passed=("a", "b", "c")), None, id="one more"),
        pytest.param(report(failed=("a",)), report(passed=("a",)), None, id="the failing one passes"),
        pytest.param(report(failed=("a",)), report(skipped=("a",)), "tests-skipped", id="the failing one is skipped"),
        pytest.param(report(passed=("a", "b")), report(passed=("a",)), "tests-vanished", id="one is gone"),
        pytest.param(report(passed=("a", "b")), report(passed=("a", "c")), "tests-vanished", id="one is another"),
        pytest.param(report(passed=("a",)), None, "tests-uncounted", id="nobody counts any more"),
        pytest.param(None, report(), None, id="nothing was known"),
        pytest.param(report(), report(), None, id="none ran before"),
    ],
)
def test_a_pass_never_comes_from_fewer_tests(
    before: TestReport | None, after: TestReport | None, rule: str | None
) -> None:
    lost = lost_tests(before, after)
    assert (lost.rule_id if lost else None) == rule


def test_the_failing_test_alone_says_what_is_expected() -> None:
    text = "def test_other():\n    assert f(7) == 'seven'\n\n\ndef test_it():\n    assert f(3) == 'three'\n"
    failure = Diagnostic(
        path="tests/test_a.py", line=6, message="AssertionError: 4", kind=DiagnosticKind.TEST_FAILURE,
        test_id="tests/test_a.py::test_it[1]",
    )  # fmt: skip
    result = LayerResult(name=Layer.TEST, status=LayerStatus.FAIL, diagnostics=(failure,))
    told = expectations(result, lambda path: text if path == "tests/test_a.py" else None)
    assert told == ("AssertionError: 4", "def test_it():\n    assert f(3) == 'three'")
    assert expectations(result, lambda _path: None) == ("AssertionError: 4",)
