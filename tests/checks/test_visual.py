"""What `fixloop visual` says: from its report, from its text alone, and from garbage in their place."""

import json

import pytest

from fixloop_bot.checks.environment import lacks
from fixloop_bot.checks.registry import parse, recognise
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.checks.visual import TOOL
from fixloop_bot.core.visual import report_lines
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from fixloop_bot.model.environment import Weight
from fixloop_bot.model.visual import Page, PageReport, PageStatus

FILES = ("index.html", "about.html", "new.html", "style.css")
PAGES = [
    {
        "name": "index.html?dark", "path": "index.html", "status": "differs", "message": "1.00 % of pixels differ",
        "loaded": ["index.html", "style.css", "../../etc/passwd", 7],
    },
    {"name": "about.html", "path": "about.html", "status": "same"},
    {"name": "new.html", "path": "new.html", "status": "no-baseline", "message": "no baseline .fixloop/visual/new.png"},
]  # fmt: skip


def output(report: object = None, text: str = "") -> ToolOutput:
    written = None if report is None else json.dumps(report)
    return ToolOutput(text=text, report=written, exit_code=1, exists=lambda path: path in FILES)


def test_a_report_gives_a_diagnostic_for_each_page_that_differs_and_its_parts_beside() -> None:
    parsed = TOOL.parse(output({"schema": "fixloop.visual/1", "pages": PAGES}))
    errors = [item for item in parsed.diagnostics if item.level is Level.ERROR]
    assert [(item.path, item.rule_id, item.test_id, item.kind) for item in errors] == [
        ("index.html", "index.html?dark", "index.html?dark", DiagnosticKind.TEST_FAILURE),
        ("new.html", "new.html", None, DiagnosticKind.ENVIRONMENT),
    ]
    assert [item.path for item in parsed.diagnostics if item.level is Level.NOTE] == ["style.css"]
    assert parsed.tests
    assert (parsed.tests.executed, parsed.tests.passed, parsed.tests.failed) == (
        2,
        ("about.html",),
        ("index.html?dark",),
    )


def test_the_text_alone_says_the_same_of_what_fails() -> None:
    page = Page(name="index.html?dark", path="index.html")
    reports = [
        PageReport(page=page, status=PageStatus.DIFFERS, message="1.00 % of pixels differ", loaded=("a", "b")),
        PageReport(page=Page(name="about.html", path="about.html"), status=PageStatus.SAME),
    ]
    parsed = TOOL.parse(output(text="\n".join(report_lines(reports, 0.1))))
    assert [(item.path, item.test_id, item.message) for item in parsed.diagnostics] == [
        ("index.html", "index.html?dark", "1.00 % of pixels differ")
    ]


@pytest.mark.parametrize(
    "report",
    [
        [],
        {"schema": "another"},
        {"schema": "fixloop.visual/1", "pages": 7},
        {"schema": "fixloop.visual/1", "pages": [7, {"name": [], "status": {}}, {"status": "differs", "loaded": 1}]},
    ],
)
def test_a_report_that_is_none_raises_nothing(report: object) -> None:
    TOOL.parse(output(report, "FAIL index.html: no header above it"))


def test_no_other_tools_output_is_claimed() -> None:
    assert TOOL.parse(output(text="PASS a.test.js\nFAIL b.test.js: it broke\n")).diagnostics == ()
    assert recognise("fixloop visual -- a.html") == TOOL.name
    assert recognise("fixloop validate") != TOOL.name
    assert parse(TOOL.name, output(text="nothing")).diagnostics == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param("fixloop visual: playwright is not installed: pip install 'x'", "playwright", id="no package"),
        pytest.param("fixloop visual: no Chromium was found: `playwright install chromium`", "Chromium", id="none"),
        pytest.param("fixloop visual: Chromium could not be started (Error (1)): x", "Chromium", id="none that starts"),
        pytest.param(
            "NONE a.html: no baseline .fixloop/visual/a.png: record it",
            "a baseline .fixloop/visual/a.png",
            id="baseline",
        ),
    ],
)
def test_what_only_a_person_can_provide_is_named(line: str, words: str) -> None:
    (lack,) = lacks(output(text=line))
    assert lack.words.startswith(words)
    assert lack.weight is Weight.DECISIVE
