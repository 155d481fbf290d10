"""Functions that did something and now do nothing, and failures that are caught and forgotten."""

from collections import Counter
from collections.abc import Iterator

from fixloop_bot.core.guard.functions import Function, functions
from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.marks import spaced
from fixloop_bot.core.guard.review import Review, finding
from fixloop_bot.core.guard.source import LINE_LIMIT, Line, Pair
from fixloop_bot.model.guard import Finding, Severity

_NOTHING = spaced(r"(?:pass|\.\.\.|return(?: +(?:None|nil|null|undefined))? ;?|None|nil|null)? ")
_LEAST_WORK = 12
"""Characters of a body that did something worth to be missed."""

_CATCH_ALL = {
    Language.PYTHON: r"\bexcept(?: +\(?(?:Base)?Exception\b[^:\n]{0,80})? :|\bsuppress \( (?:Base)?Exception\b",
    Language.JAVASCRIPT: r"\bcatch (?:\([^()\n]{0,80}\))? \{|\.catch \( (?:\( \w{0,40} \)|\w{1,40}|"
    r"function \(\w{0,40}\))",
    Language.GO: r"\brecover \( \)|^\s{0,80}_ = err\b",
    Language.RUST: r"\bcatch_unwind\b",
    Language.JAVA: r"\bcatch \( (?:final +)?(?:\w{1,20} : )?(?:Exception|Throwable|RuntimeException|Error|"
    r"AssertionError)\b[^)\n]{0,80}\) \{",
    Language.RUBY: r"\brescue\b(?: +(?:StandardError|Exception))?(?: => \w{1,40})? (?:$|nil\b|false\b|\[\]|"
    r"\{\}|0\b|then\b)",
    Language.PHP: r"\bcatch \( \\?(?:Exception|Throwable|Error)\b[^)\n]{0,80}\) \{",
    Language.CSHARP: r"\bcatch (?:\( (?:System\.)?Exception\b[^)\n]{0,80}\))? \{? $",
    Language.C: r"\bcatch \( \.\.\. \)",
    Language.SWIFT: r"\bcatch \{",
}
_CATCHES = {language: spaced(regex) for language, regex in _CATCH_ALL.items()}
_SPEAKS = spaced(
    r"\b(?:raise|throw|panic|reject|exit|abort|log\w{0,20}|warn\w{0,10}|error\w{0,10}|"
    r"print\w{0,10}|console|resume_unwind|"
    r"report\w{0,10}|next|errors?\.(?:push|append)|re_?throw)\b"
)


def emptied_functions(review: Review) -> Iterator[Finding]:
    """Yield the functions of product code whose body is gone."""
    for pair in review.product:
        worked = Counter(f.name for f in functions(pair.before) if len(f.body) > _LEAST_WORK and not _empty(f))
        for function in functions(pair.after):
            if _empty(function) and worked[function.name] > 0:
                message = f"`{function.name[:60]}` did something and does nothing now"
                yield finding("function-emptied", Severity.HIGH, pair.path, function.line, message)


def swallowed_failures(review: Review) -> Iterator[Finding]:
    """Yield catch-alls that the change adds and in which nothing is raised, logged or returned as a failure."""
    for pair in review.product:
        pattern = _CATCHES.get(pair.language)
        added = {line.number for line in pair.added} if pattern else set()
        for at, line in enumerate(pair.after.lines if added else ()):
            if pattern and line.number in added and pattern.search(line.code[:LINE_LIMIT]) and not _speaks(pair, at):
                message = "every failure is caught here and nothing is made of it"
                yield finding("failure-swallowed", Severity.MEDIUM, pair.path, line.number, message)


def _empty(function: Function) -> bool:
    return _NOTHING.fullmatch(function.body[:200]) is not None


def _speaks(pair: Pair, at: int) -> bool:
    """Return whether the lines under a catch say something of what was caught."""
    below: list[Line] = pair.after.lines[at : at + 4]
    return any(_SPEAKS.search(line.code[:LINE_LIMIT]) for line in below[1:])
