"""Tests that stand in product files: Rust's test modules and documentation tests, doctests, self-tests of a module.

They count like test files: more may come, none that was there may go or become another one.
"""

import re
from collections import Counter
from collections.abc import Iterator

from fixloop_bot.core.guard.functions import functions
from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.review import Review, finding
from fixloop_bot.core.guard.source import LINE_LIMIT, Source, source_of
from fixloop_bot.model.guard import Author, Finding, Severity

_TEST_MODULE = re.compile(
    r"#\[\s{0,9}cfg\s{0,9}\([^)\n]{0,80}\btest\b[^\n]{0,40}\)\s{0,9}\]\s{0,200}(?:#\[[^\n]{0,200}\]\s{0,200}){0,5}(?:pub\s{1,9})?mod\s{1,9}\w{1,80}\s{0,9}\{"
)
_BRACE = re.compile(r"[{};]")
_MAIN = re.compile(r"^if\s{1,9}__name__\s{0,9}==", re.MULTILINE)
_SELF_TEST = re.compile(r"^\s{1,80}(?:assert\b|(?:unittest|doctest|pytest)\.|self_?test\b|_?test\w{0,60}\()")
_VITEST = re.compile(r"\bif\s{0,9}\(\s{0,9}import\.meta\.vitest\s{0,9}\)\s{0,9}\{")


def changed_test(path: str, before: str, after: str) -> str:
    """Return the test inside a product file that the edit changes or removes, its first line; empty for none."""
    lost = _lost(source_of(path, before), source_of(path, after))
    return lost[0] if lost else ""


def changed_regions(review: Review) -> Iterator[Finding]:
    """Yield the tests inside product files that changed; the agent's tools refuse it, so it was done in another way."""
    by_fixer = review.change.author is Author.FIXER
    for pair in (each for each in review.pairs if not each.test):
        for first_line in _lost(pair.before, pair.after)[:5]:
            severity = Severity.MEDIUM if by_fixer else Severity.CRITICAL
            message = f"a test inside product code was changed or removed: `{first_line[:80].replace('`', '')}`"
            yield finding("test-region-changed", severity, pair.path, None, message)


def _lost(before: Source, after: Source) -> list[str]:
    if not before.text or before.text == after.text:
        return []
    left = Counter(_folded(item) for item in _items(after))
    lost = []
    for item in _items(before):
        left[_folded(item)] -= 1
        if left[_folded(item)] < 0:
            lost.append(item.strip().split("\n", 1)[0])
    return lost


def _folded(item: str) -> str:
    """Return what a formatter leaves of an item: everything but blanks and the comma before a closing bracket."""
    return re.sub(r",(?=[)\]}])", "", "".join(item.split()))


def _items(source: Source) -> Iterator[str]:
    """Yield the parts of the file that test, each as its text."""
    if source.language is Language.RUST:
        yield from _modules(source, _TEST_MODULE)
        yield from _fenced(source)
    elif source.language is Language.PYTHON:
        yield from _doctests(source.text)
        yield from _self_test(source)
        yield from (
            f"def {f.name} {f.body}" for f in functions(source) if f.name.startswith("test_") and _asserts(f.body)
        )
    elif source.language is Language.JAVASCRIPT:
        yield from _modules(source, _VITEST)


def _asserts(body: str) -> bool:
    return (
        re.search(r"^\s{0,80}(?:assert\b|self\.assert|with\s{1,9}(?:pytest\.|self\.assert))", body, re.MULTILINE)
        is not None
    )


def _modules(source: Source, head: re.Pattern[str]) -> Iterator[str]:
    """Yield the items of the blocks that the pattern opens: each ends in a brace or semicolon at the block's level."""
    for match in head.finditer(source.code):
        depth, start = 1, match.end()
        for brace in _BRACE.finditer(source.code, match.end()):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if depth == 1:
                yield source.bare[start : brace.end()]
                start = brace.end()
            elif depth == 0:
                break


def _fenced(source: Source) -> Iterator[str]:
    """Yield the code blocks of Rust's documentation comments, which `cargo test` runs."""
    block: list[str] | None = None
    for line in source.text.split("\n"):
        text = line.strip()
        comment = text[3:].strip() if text.startswith(("///", "//!")) else None
        if comment is None:
            block = None
        elif comment.startswith("```"):
            if block is not None:
                yield "\n".join(block)
            block = [comment] if block is None else None
        elif block is not None:
            block.append(comment)


def _doctests(text: str) -> Iterator[str]:
    """Yield each example of a docstring with what it expects: the lines up to a blank one or the next example."""
    example: list[str] = []
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith(">>>"):
            if example:
                yield "\n".join(example)
            example = [stripped]
        elif example and stripped and not stripped.startswith(('"""', "'''")):
            example.append(stripped)
        elif example:
            yield "\n".join(example)
            example = []
    if example:
        yield "\n".join(example)


def _self_test(source: Source) -> Iterator[str]:
    """Yield the testing lines under `if __name__ == "__main__":`."""
    for match in _MAIN.finditer(source.code):
        number = source.code.count("\n", 0, match.start()) + 1
        for line in source.lines[number:]:
            if line.code.strip() and not line.code[0].isspace():
                break
            if _SELF_TEST.match(line.bare[:LINE_LIMIT]):
                yield line.bare
