"""What an update of a stale test may do when nobody is asked: other expected values, nothing else."""

import re
from collections.abc import Sequence

from fixloop_bot.core.changed_lines import Block, changed_blocks
from fixloop_bot.core.guard.literals import LITERAL
from fixloop_bot.model.agent import Proposal

_LITERAL = re.compile(rf"(?<![\w.]){LITERAL}")
_EQUALITY = re.compile(
    r"(?<![=!<>])==(?!=)|===|\b(?:assertEquals?|assert_equals?|assert_eq!?|assertSame|assert\.(?:equal|strictEqual|"
    r"deepEqual|deepStrictEqual)|toBe|toEqual|toStrictEqual|toMatchObject|EXPECT_EQ|ASSERT_EQ|should eq|to eq|eql|"
    r"is_equal|AreEqual|Equal|isEqualTo)\b"
)
_OTHER_PURPOSE = re.compile(
    r"skip|xfail|ignore|only|todo|mark\.|@|#\[|if\b|while\b|\bnot\b|\bor\b|\|\||~|approx|places|tolerance|delta|timeout",
    re.IGNORECASE,
)
"""Words of a line that does, or may do, more than to say what is expected."""
_BRACKET = re.compile(r"(?:([\w.!]{0,80})[(\[{])|([)\]}])")
_ASSERTS = re.compile(r"(?i:assert|expect|equal|should|eql?$|^to$|tobe|tomatch|contain)")
_ROW = re.compile(r"[\s()\[\]{},:\0]{1,400}")
"""A row of a table once its values are masked."""


def more_than_expectations(proposals: Sequence[Proposal]) -> str:
    """Return why the proposals do more than give tests other expected values, empty where they do just that."""
    for proposal in proposals:
        if not proposal.is_test:
            return f"{proposal.path} is no test"
        if proposal.before is None:
            return f"{proposal.path} would be new"
        if why := _more(changed_blocks(proposal.before, proposal.after)):
            return f"{proposal.path}: {why}"
    return "" if proposals else "no change of a test was proposed"


def _more(blocks: Sequence[Block]) -> str:
    for block in blocks:
        if len(block.removed) != len(block.added):
            return "lines would come or go"
        for old, new in zip(block.removed, block.added, strict=True):
            if why := _more_in_line(old, new):
                return why
    return ""


def _more_in_line(old: str, new: str) -> str:
    masked = _LITERAL.sub("\0", old[:2_000])
    if len(old) > 2_000 or masked != _LITERAL.sub("\0", new[:2_000]):
        return "more than a value would change in a line"
    if _OTHER_PURPOSE.search(masked):
        return "the line does more than to expect a value"
    if not (_EQUALITY.search(masked) or _ROW.fullmatch(masked)):
        return "the line does not say what is expected to be equal"
    pairs = zip(_LITERAL.finditer(old), _LITERAL.finditer(new), strict=True)
    given = any(before[0] != after[0] and _is_argument(old[: before.start()]) for before, after in pairs)
    return "what is given to the code would change, not what is expected of it" if given else ""


def _is_argument(before: str) -> bool:
    """Return whether what follows is inside the brackets of a call other than the assertion's own."""
    open_calls: list[bool] = []
    for bracket in _BRACKET.finditer(before):
        if bracket[2]:
            open_calls = open_calls[:-1]
        else:
            open_calls.append(bool(bracket[1]) and not _ASSERTS.search(bracket[1]))
    return any(open_calls)
