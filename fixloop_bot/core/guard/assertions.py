"""Assertions that cannot fail, objects that equal everything, and assertions that went away."""

from collections import Counter
from collections.abc import Iterator

from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.marks import Where, added, spaced, table
from fixloop_bot.core.guard.review import Review, finding
from fixloop_bot.core.guard.source import LINE_LIMIT, Pair, Source
from fixloop_bot.model.guard import Finding, Severity

_ALL = tuple(language for language in Language if language is not Language.OTHER)
_SAME = r"\( (?:\w{1,20}, )?([^,()\n\s][^,()\n]{0,80}?) , \1 [,)]"

TAUTOLOGIES = table(
    "tautological-assertion",
    Severity.HIGH,
    "an assertion that cannot fail",
    (
        ("python", Where.BARE, r"^\s{0,80}assert \(? (?:True|1|not +(?:False|None|0)) \)? (?:,|$)"),
        ("python", Where.BARE, r"^\s{0,80}assert +([\w.\"']{1,80}) (?:==|is|>=|<=) \1 $"),
        ("python", Where.CODE, r"^\s{0,80}assert\b.{1,200}\bor +(?:True|1)\b"),
        (
            _ALL,
            Where.BARE,
            r"\b(?:assert|Assert|self)\w{0,20}(?:[.:]{1,2}|->)?(?:assert)?(?:_?(?:Is)?[tT]rue|ok|"
            r"That) \( (?:t, )?[tT]rue [,)]",
        ),
        (_ALL, Where.BARE, r"\b(?:debug_)?assert!? \( (?:true|1 == 1) [,)]|\bassert +true\b"),
        (
            _ALL,
            Where.BARE,
            r"\b\$?(?:assert|Assert|self|this|t|require)\w{0,20}(?:\.|::|->|"
            r"!)?\w{0,30}(?:[eE]q(?:ual)?s?|Same|Is)\w{0,10}!? " + _SAME,
        ),
        (_ALL, Where.BARE, r"\bassert_eq! " + _SAME),
        (
            "javascript ruby",
            Where.BARE,
            r"\bexpect\( ([^()\n]{1,80}?) \) \.(?:toBe|toEqual|toStrictEqual|to\.equal|to\.eql|"
            r"to[ ]eq|to[ ]eql)\s{0,3}\(? \1 (?:\)|$)",
        ),
        ("javascript", Where.BARE, r"\bexpect\( true \) \.(?:toBeTruthy|toBeDefined|to\.be\.(?:true|ok))"),
        ("ruby", Where.BARE, r"\bassert_equal +([^,()\n]{1,80}?) , \1 $|\bassert +true\b"),
    ),
)
TRUE_CONDITIONS = table(
    "condition-always-true",
    Severity.MEDIUM,
    "a condition that is always met",
    (
        ("python", Where.CODE, r"\bor +True\b|^\s{0,80}if +(?:True|1) :"),
        ("javascript go java rust php csharp c swift ruby", Where.CODE, r"\|\| true\b|\bif \(? true \)? \{"),
    ),
)

_EQUALS_ALL = spaced(
    r"\bdef +(?:__eq__|__ne__|"
    r"==) \([^()\n]{0,120}\)[^:\n{}]{0,40}:?\s{1,200}(?:return +)?(?:True|true) (?:\n|$)"
    r"|\b(?:equals|Equals|eq|Equal|"
    r"__eq__) \([^()\n]{0,120}\)[^{}\n]{0,60}\{\s{0,200}(?:return +)?true ;?\s{0,200}\}"
)
_ASSERTION = {
    Language.PYTHON: r"^\s{0,80}assert\b",
    Language.RUST: r"\b(?:debug_)?assert(?:_eq|_ne)?!",
    Language.JAVASCRIPT: r"\b(?:console\.assert|assert(?:\.\w{1,30})?|invariant) \(",
    Language.JAVA: r"^\s{0,80}assert\b|\b(?:require|check|checkArgument|checkState|requireNonNull) \(",
    Language.C: r"\b(?:static_)?assert \(",
    Language.CSHARP: r"\bDebug\.Assert \(",
    Language.PHP: r"(?<![\w>:])assert \(",
    Language.SWIFT: r"\b(?:assert|precondition) \(",
}
_ASSERTIONS = {language: spaced(regex) for language, regex in _ASSERTION.items()}


def weak_assertions(review: Review) -> Iterator[Finding]:
    """Yield assertions without meaning, wherever tests stand: in new test files, in test regions of product code."""
    yield from added(review.pairs, TAUTOLOGIES)
    yield from added(review.product, TRUE_CONDITIONS)
    for pair in review.pairs:
        yield from _equals_everything(pair)
    for pair in review.product:
        yield from _lost_assertions(pair)


def _equals_everything(pair: Pair) -> Iterator[Finding]:
    known = Counter(match[0] for match in _EQUALS_ALL.finditer(pair.before.code))
    for match in _EQUALS_ALL.finditer(pair.after.code):
        known[match[0]] -= 1
        if known[match[0]] < 0:
            line = line_of(pair.after, match.start())
            yield finding("always-equal", Severity.HIGH, pair.path, line, "an object that equals everything")


def _lost_assertions(pair: Pair) -> Iterator[Finding]:
    pattern = _ASSERTIONS.get(pair.language)
    if pattern is None:
        return
    gone, come = (
        sum(bool(pattern.search(line.code[:LINE_LIMIT])) for line in lines) for lines in (pair.removed, pair.added)
    )
    if gone > come:
        message = f"{gone - come} assertion(s) of the code itself removed"
        yield finding("assertion-removed", Severity.MEDIUM, pair.path, None, message)


def line_of(source: Source, offset: int) -> int:
    """Return the line of an offset, 1-based."""
    return source.text.count("\n", 0, offset) + 1
