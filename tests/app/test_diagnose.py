"""The same failure is known again anywhere; another one never passes for it."""

import json
from collections import Counter

import pytest

from fixloop_bot.app.diagnose import diagnose
from fixloop_bot.app.read_output import read_output
from fixloop_bot.checks.registry import recognise
from fixloop_bot.core.normalise import strip_ansi
from fixloop_bot.model.layer import Layer
from tests.samples import CASES, ENVIRONMENT, FOLDER, Sample, sample

PROJECT_OF_ENVIRONMENT = frozenset(
    {"a.js", "app/__init__.py", "test_a.py", "a.c", "t.py", "a.py", "a.ts", "a.test.js", "a.rb", "a.php", "a.go"}
)
DECLARED = frozenset({"lodash", "railz"})
"""What the recorded projects' manifests declare."""


def diagnosis(one: Sample, *, text: str | None = None, with_report: bool = True) -> dict[str, object]:
    return diagnose(
        layer=one.layer,
        text=one.text if text is None else text,
        command=one.command,
        cwd=one.cwd,
        tmpdir=one.tmpdir,
        exit_code=one.exit_code,
        reports=(one.report,) if one.report and with_report else (),
        exists=one.exists,
    )


def items(one: Sample, *, with_report: bool) -> tuple[str, ...]:
    reading = read_output(
        layer=one.layer,
        tool=recognise(one.command),
        output=one.output(with_report=with_report),
        limit=None,
        missing_program=None,
        scratch=one.tmpdir,
        source_line=lambda _path, _line: None,
        declared=frozenset,
    )
    return reading.fingerprint.items


@pytest.mark.parametrize("with_report", [True, False], ids=["with its report", "from text alone"])
@pytest.mark.parametrize(("tool", "case"), CASES)
def test_a_failure_is_known_again_elsewhere_and_a_partial_fix_is_seen(tool: str, case: str, with_report: bool) -> None:
    first, second, partial = (sample(tool, case, variant) for variant in ("run1", "run2", "partial"))
    assert first is not None
    assert second is not None
    known = diagnosis(first, with_report=with_report)
    again = diagnosis(second, with_report=with_report)
    assert (known["error_hash"], known["coarse_hash"]) == (again["error_hash"], again["coarse_hash"])
    if partial is not None:
        assert diagnosis(partial, with_report=with_report)["error_hash"] != known["error_hash"]


PARTLY_MENDED = [pair for pair in CASES if sample(*pair, "partial") and pair[0] not in {"gcc-link", "asan"}]


@pytest.mark.parametrize(("tool", "case"), PARTLY_MENDED)
def test_a_partial_fix_is_a_strict_part_of_the_failure(tool: str, case: str) -> None:
    first, partial = sample(tool, case, "run1"), sample(tool, case, "partial")
    assert first is not None
    assert partial is not None
    before, after = (Counter(items(one, with_report=False)) for one in (first, partial))
    assert after < before


@pytest.mark.parametrize("row", [row for row in ENVIRONMENT if row["label"] != "ambig"], ids=lambda row: row["name"])
def test_the_environment_is_told_from_the_code(row: dict[str, str]) -> None:
    found = diagnose(
        layer=Layer.TEST,
        text=(FOLDER / "env" / f"{row['name']}.txt").read_text(encoding="utf-8", errors="replace"),
        command=row["command"],
        cwd=f"/srv/ci/e/{row['name']}",
        exit_code=int(row["exit"]),
        exists=PROJECT_OF_ENVIRONMENT.__contains__,
        declared=lambda: DECLARED,
    )
    assert found["failure_mode"] == {"env": "environmental", "code": "deterministic-fail"}[row["label"]]


@pytest.mark.parametrize(("tool", "case"), CASES)
def test_no_code_failure_is_called_environmental(tool: str, case: str) -> None:
    first = sample(tool, case, "run1")
    assert first is not None
    assert diagnosis(first)["failure_mode"] == "deterministic-fail"


PYTEST = """\
=================================== FAILURES ===================================
___________________________________ test_add ___________________________________

    def test_add():
>       assert add(2, 3) == 5
E       assert {detail} == 5
E        +  where {detail} = add(2, 3)

test_app.py:{line}: AssertionError
=========================== short test summary info ============================
FAILED test_app.py::test_add - assert {detail} == 5
============================== 1 failed in 0.07s ===============================
"""


def of_pytest(text: str) -> dict[str, object]:
    return diagnose(layer=Layer.TEST, text=text, command="pytest", exit_code=1)


def test_lines_inserted_above_keep_the_hash_and_another_detail_does_not() -> None:
    known = of_pytest(PYTEST.format(detail=-1, line=4))
    assert of_pytest(PYTEST.format(detail=-1, line=40))["error_hash"] == known["error_hash"]
    assert of_pytest(PYTEST.format(detail=1, line=4))["error_hash"] != known["error_hash"]


def test_20000_lines_printed_after_the_assertion_change_neither_hash_nor_excerpt() -> None:
    known = of_pytest(PYTEST.format(detail=-1, line=4))
    head, mark, tail = PYTEST.format(detail=-1, line=4).partition("=========================== short")
    captured = "----- Captured stdout call -----\n" + "".join(f"noise {number}\n" for number in range(20_000))
    flooded = of_pytest(head + captured + mark + tail)
    assert flooded["error_hash"] == known["error_hash"]
    assert "E       assert -1 == 5" in str(flooded["excerpt"])


def test_the_printed_object_has_just_the_promised_keys_and_is_json() -> None:
    found = json.loads(json.dumps(of_pytest(PYTEST.format(detail=-1, line=4))))
    assert list(found) == [
        *("error_hash", "coarse_hash", "tier", "error_count", "failure_mode"),
        *("diagnostics", "affected_files", "excerpt"),
    ]
    assert (found["tier"], found["error_count"], found["affected_files"]) == ("parsed", 1, ["test_app.py"])
    assert found["diagnostics"][0] == {
        "path": "test_app.py",
        "line": 4,
        "column": None,
        "level": "error",
        "rule_id": None,
        "message": "assert -1 == 5\n +  where -1 = add(2, 3)",
        "kind": "test-failure",
        "test_id": "test_app.py::test_add",
    }


def test_a_declared_package_that_is_not_installed_is_the_environments() -> None:
    text = "E   ModuleNotFoundError: No module named 'yaml'\n"
    known = diagnose(
        layer=Layer.TEST, text=text, exit_code=2, declared=lambda: frozenset({"PyYAML"}), exists=lambda _path: False
    )
    assert known["failure_mode"] == "environmental"
    unknown = diagnose(layer=Layer.TEST, text=text, exit_code=2, exists=lambda _path: False)
    assert unknown["failure_mode"] == "deterministic-fail"


def test_garbage_is_one_error_and_no_exception() -> None:
    garbage = bytes(range(256)).decode("utf-8", errors="replace") * 2_000
    found = diagnose(layer=Layer.COMPILE, text=garbage, reports=(garbage, garbage), exit_code=-11)
    assert (found["tier"], found["error_count"], found["failure_mode"]) == ("text", 1, "deterministic-fail")


def test_an_empty_output_of_a_missing_program_is_the_environments() -> None:
    assert diagnose(layer=Layer.LINT, text="", exit_code=127)["failure_mode"] == "environmental"


@pytest.mark.parametrize(
    ("tool", "case", "detail", "other"),
    [
        ("py_compile", "syntax", "expected ':'", "expected ')'"),
        ("mypy", "types", 'expected "int"', 'expected "float"'),
        ("pyright", "types", 'parameter "a" of', 'parameter "z" of'),
        ("pytest", "assert", "assert -1 == 5", "assert -7 == 5"),
        ("pytest", "collect", "name 'addd'", "name 'adddd'"),
        ("pytest", "noisy", "helo", "hexo"),
        ("unittest", "assert", "-1 != 5", "-1 != 6"),
        ("tsc", "types", "'lenght'", "'lenht'"),
        ("jest", "assert", "Received: -1", "Received: -7"),
        ("vitest", "assert", "+ -1", "+ -7"),
        ("mocha", "assert", "-1 !== 5", "-7 !== 5"),
        ("node-test", "assert", "-1 !== 5", "-7 !== 5"),
        ("node-check", "syntax", "Identifier 'y'", "Identifier 'z'"),
        ("eslint", "lint", "'foo'", "'fooo'"),
        ("ruff", "lint", "undefined_name", "undefined_nam"),
        ("gcc-make", "compile", "undeclared_a", "undeclared_b"),
        ("gcc-link", "link", "missing_one", "missing_two"),
        ("go-build", "compile", "cannot use s", "cannot use t"),
        ("javac", "compile", "cannot find symbol", "cannot find simbol"),
    ],
)
def test_another_detail_in_the_text_is_another_failure(tool: str, case: str, detail: str, other: str) -> None:
    first = sample(tool, case, "run1")
    assert first is not None
    plain = strip_ansi(first.text)
    assert detail in plain
    known = diagnosis(first, text=plain, with_report=False)
    assert diagnosis(first, text=plain.replace(detail, other), with_report=False)["error_hash"] != known["error_hash"]


def test_without_a_project_at_hand_the_hash_is_still_the_same_elsewhere() -> None:
    for tool, case in CASES:
        hashes = set()
        for variant in ("run1", "run2"):
            one = sample(tool, case, variant)
            assert one is not None
            found = diagnose(layer=one.layer, text=one.text, cwd=one.cwd, tmpdir=one.tmpdir, exists=lambda _path: False)
            hashes.add(found["error_hash"])
        assert len(hashes) == 1, (tool, case)
