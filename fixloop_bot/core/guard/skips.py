"""Tests that are skipped, expected to fail, or left out because others are run alone."""

from collections.abc import Iterator

from fixloop_bot.core.guard.marks import Where, added, table
from fixloop_bot.core.guard.review import Review
from fixloop_bot.core.guard.source import Pair
from fixloop_bot.model.guard import Finding, Severity

ANYWHERE = table(
    "skip-added",
    Severity.HIGH,
    "a test is skipped or not counted",
    (
        ("python", Where.CODE, r"@(?:pytest\.)?mark\.(?:skip|skipif|xfail)\b|\bpytest\.mark\.(?:skip|skipif|xfail)\b"),
        ("python", Where.CODE, r"\bpytest\.(?:skip|xfail|exit|importorskip) \("),
        (
            "python",
            Where.CODE,
            r"@unittest\.(?:skip|skipIf|skipUnless|expectedFailure)\b|@(?:skipIf|skipUnless|" r"expectedFailure)\b",
        ),
        (
            "python",
            Where.CODE,
            r"\bSkipTest\b|\.skipTest \(|\b_pytest\b|\b__test__ = False|\bcollect_ignore",
        ),
        ("python", Where.CODE, r"\bfrom +pytest +import\b[^\n]{0,200}\b(?:skip|xfail|exit|importorskip)\b"),
        ("java", Where.CODE, r"\b(?:SkipException|TestAbortedException|AssumptionViolatedException)\b"),
        ("ruby", Where.CODE, r"\bMinitest::Skip\b|\bRSpec::Core::Pending\b|\bTest::Unit::(?:Omitted|Pended)"),
        ("php", Where.CODE, r"\bmarkTest(?:Skipped|Incomplete)\b|\b(?:Skipped|Incomplete)(?:Test|WithMessage)\w{0,40}"),
        (
            "csharp",
            Where.CODE,
            r"\bAssert\.(?:Ignore|Inconclusive|Pass) \(|\b(?:Ignore|Inconclusive|Skip)Exception\b",
        ),
        ("c", Where.CODE, r"\bGTEST_SKIP\b|\bDISABLED_\w{1,80}|\bboost::unit_test::disabled\b|\bXCTSkip"),
        ("swift", Where.CODE, r"\bXCTSkip"),
        ("rust", Where.CODE, r"#\[ (?:ignore\b|cfg \( (?:any \( \)|FALSE|false))"),
        ("go", Where.COMMENT, r"//go:build +(?:ignore|never|!test)\b|// \+build +(?:ignore|never)\b"),
    ),
)
IN_TESTS = table(
    "skip-added",
    Severity.HIGH,
    "a test is skipped or not counted",
    (
        (
            "javascript",
            Where.CODE,
            r"\b(?:describe|it|test|suite|context|specify|bench)(?:\.\w{1,20}){0,2} \. "
            r"(?:skip|only|todo|fails|failing|skipIf|runIf)\b",
        ),
        ("javascript", Where.CODE, r"(?<![\w.$])(?:x(?:it|describe|test|context|specify)|f(?:it|describe)) [(.]"),
        ("javascript", Where.CODE, r"\b(?:this|t|ctx|context)\.(?:skip|todo) \(|(?<![\w.$])pending \("),
        ("javascript", Where.CODE, r"\b(?:skip|only|todo) : (?:true\b|[\"'])"),
        ("go", Where.CODE, r"\b[tbf]\.(?:Skip|Skipf|SkipNow) \("),
        (
            "java",
            Where.CODE,
            r"@(?:org\.\w{1,20}\.){0,1}(?:Disabled\w{0,40}|Ignore|IgnoreIf|PendingFeature|"
            r"Enabled(?:If|On)\w{0,40})\b",
        ),
        (
            "java",
            Where.CODE,
            r"\bassum(?:e|ing)\w{0,30} \(|\bAssum(?:e|ptions)\.\w{1,30}|\benabled = false",
        ),
        (
            "ruby",
            Where.CODE,
            r"(?<![\w.:@])(?:x(?:it|describe|context|specify|example)|f(?:it|describe|context|" r"specify))\b(?! =)",
        ),
        (
            "ruby",
            Where.CODE,
            r"(?<![\w.:@])(?:skip|pending|omit|pend)\b(?! [=.:])|\b(?:skip|pending|focus): |"
            r", :(?:skip|pending|focus)\b",
        ),
        ("php", Where.CODE, r"-> (?:skip|todo|only|skipOn\w{1,20}) \("),
        ("csharp", Where.BARE, r"\[ (?:Ignore|Explicit)\b|\bSkip = \""),
        ("shell", Where.CODE, r"^\s{0,40}skip\b"),
        ("rust", Where.CODE, r"#\[ should_panic\b"),
    ),
)
_GO_HELPER = '"testing"'
_IN_SOURCE = "import.meta.vitest"


def added_skips(review: Review) -> Iterator[Finding]:
    """Yield the marks that keep a test from counting; words like `skip` mean that only where tests are."""
    yield from added(review.pairs, ANYWHERE)
    yield from added((pair for pair in review.pairs if _has_tests(pair)), IN_TESTS)


def _has_tests(pair: Pair) -> bool:
    return pair.test or _GO_HELPER in pair.after.bare or _IN_SOURCE in pair.after.code
