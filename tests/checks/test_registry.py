"""Every recorded output is read as the truth says, and every command finds its tool."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixloop_bot.checks.registry import TOOLS, config_files, parse, recognise
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Level
from fixloop_bot.model.fingerprint import Tier
from tests.samples import SAMPLES, Sample

PLACED = frozenset({"gcc-make", "go-build", "javac", "php-lint", "mypy"})
"""Tools whose lines the generic parser understands as well."""


def truth(sample: Sample, *, with_report: bool, tool: str) -> tuple[int, frozenset[str | None], tuple[str, ...]]:
    parsed = parse(tool, sample.output(with_report=with_report))
    errors = [item for item in parsed.diagnostics if item.level is Level.ERROR]
    ids = tuple(sorted(item.test_id or item.rule_id or "" for item in errors))
    return len(errors), frozenset(item.path for item in errors), ids


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_text_alone_tells_every_error_its_file_and_its_id(sample: Sample) -> None:
    tool = recognise(sample.command)
    assert truth(sample, with_report=False, tool=tool) == (sample.errors, sample.files, sample.ids)


@pytest.mark.parametrize("sample", [one for one in SAMPLES if one.report], ids=lambda sample: sample.name)
def test_a_report_tells_the_same(sample: Sample) -> None:
    tool = recognise(sample.command)
    assert truth(sample, with_report=True, tool=tool) == (sample.errors, sample.files, sample.ids)
    assert parse(tool, sample.output(with_report=True)).tier is Tier.STRUCTURED


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_command_that_hides_its_tool_is_read_by_the_outputs_own_signature(sample: Sample) -> None:
    assert truth(sample, with_report=False, tool="generic") == (sample.errors, sample.files, sample.ids)


@pytest.mark.parametrize("sample", [one for one in SAMPLES if one.tool in PLACED], ids=lambda sample: sample.name)
def test_what_no_parser_knows_is_read_by_place_and_message(sample: Sample) -> None:
    found = TOOLS["generic"].parse(sample.output(with_report=False)).diagnostics
    errors = [item for item in found if item.level is Level.ERROR]
    assert (len(errors), frozenset(item.path for item in errors)) == (sample.errors, sample.files)


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("pytest -q", "pytest"),
        ("python3 -m pytest", "pytest"),
        ("PYTHONPATH=src python -X dev -m pytest tests", "pytest"),
        ("uv run pytest", "pytest"),
        ("coverage run -m pytest", "pytest"),
        ("sh -c 'cd api && pytest'", "pytest"),
        (".venv/bin/py.test", "pytest"),
        ("npx tsc --noEmit", "tsc"),
        ("./node_modules/.bin/tsc -p .", "tsc"),
        ("pnpm exec eslint .", "eslint"),
        ("yarn jest --ci", "jest"),
        ("tsc && jest", "jest"),
        ("cross-env CI=1 vitest run", "vitest"),
        ("node --test test/", "node-test"),
        ("node --import tsx --test", "node-test"),
        ("node --check src/a.js", "node-check"),
        ('for f in src/*.js; do node --check "$f" || rc=1; done; exit ${rc:-0}', "node-check"),
        ("python -m compileall -q .", "compileall"),
        ("python manage.py test", "unittest"),
        ("ruff format --check .", "ruff"),
        ("make test", "generic"),
        ("pip install pytest", "generic"),
        ("echo pytest", "generic"),
        ("npm test", "generic"),
        ("node --test-only-in-name.js", "generic"),
        ("", "generic"),
        ("'unbalanced", "generic"),
    ],
)
def test_a_command_line_names_its_tool(command: str, tool: str) -> None:
    assert recognise(command) == tool


def test_a_junit_report_of_an_unknown_tool_is_not_taken_for_pytests() -> None:
    report = (
        '<testsuites><testsuite name="AppTest"><testcase classname="AppTest" name="testAdd" file="/p/tests/AppTest.php"'
        ' line="7"><failure>tests/AppTest.php:9: -1 is not 5</failure></testcase></testsuite></testsuites>'
    )
    output = ToolOutput(text="", report=report, exit_code=1, cwd="/p", exists=lambda path: path == "tests/AppTest.php")
    (failure,) = parse("generic", output).diagnostics
    assert (failure.path, failure.line, failure.test_id) == ("tests/AppTest.php", 7, "AppTest testAdd")


def test_files_that_configure_a_check_are_known() -> None:
    assert {"conftest.py", "eslint.config.*", "tsconfig*.json", "jest.config.*", "ruff.toml"} <= set(config_files())


RECORDED = [sample.text for sample in SAMPLES] + [sample.report for sample in SAMPLES if sample.report]


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """Real output cut, joined and sprinkled with anything."""
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        whole = draw(st.sampled_from(RECORDED))
        start = draw(st.integers(0, len(whole)))
        parts.append(whole[start : start + draw(st.integers(0, 1500))])
        parts.append(draw(st.text(max_size=20)))
    return "".join(parts)


@settings(max_examples=60, deadline=None)
@given(text=mangled(), report=st.none() | mangled(), tool=st.sampled_from(sorted(TOOLS)))
def test_no_output_makes_a_parser_raise(text: str, report: str | None, tool: str) -> None:
    parsed = parse(tool, ToolOutput(text=text, report=report, exit_code=1, cwd="/srv", root="/srv"))
    assert all(item.path is None or not item.path.startswith(("/", "../")) for item in parsed.diagnostics)


HOSTILE = {
    "one long line": "a" * 2_000_000,
    "blanks": " " * 300_000,
    "blank lines": (" " * 4_000 + "x\n") * 60,
    "blanks within": ("  \u2713 a" + " " * 3_000 + "b\n") * 60,
    "paths of tests": ("a" + "::" * 1_900 + " x\n") * 60,
    "dotted names": ("    at f (a.js:1:2)\n" + "a." * 1_900 + "\n") * 60,
    "slashes": "/a.b" * 100_000,
    "colons": "a.py:1:" * 100_000,
    "quotes": "'\"`" * 100_000,
    "digits": "1 a1" * 100_000,
    "frames": "  at f (a.js:1:2)\n" * 50_000,
    "underscores": "____ a ____\n" * 50_000,
    "brackets": "[" * 300_000,
    "equals": "=====\nERROR: t (m.T)\n" * 20_000,
    "tap": "not ok 1 - a\n  ---\n" * 30_000,
    "subtests": "".join(f"{' ' * (4 * n)}# Subtest: {n}\n" for n in range(400)),
    "titles": "  1 failing\n" + "  1) a\n" * 30_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    """A parser whose work grows faster than the text comes to no end here."""
    assert len(parse("generic", ToolOutput(text=text, exit_code=1)).diagnostics) <= 20_000
