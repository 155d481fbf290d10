"""A patch as suggested changes, where its lines are part of the pull request's diff."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet

from fixloop_bot.core.render.escape import fence, visible
from fixloop_bot.core.render.limits import COMMENT, size
from fixloop_bot.core.render.patch import Block, Hunk, parse_patch
from fixloop_bot.model.suggestion import Suggestion, Suggestions

MOST = 30
"""Suggestions in one review; the rest stays a patch."""


def to_suggestions(
    patch: str, commentable: Mapping[str, AbstractSet[int]], *, redact: Callable[[str], str]
) -> Suggestions:
    """Return the hunks that can be suggested, and a patch of the others.

    `patch` is a `git diff` against the pull request's head; `commentable` has, for each path, the line numbers of the
    head's side that its diff shows. A hunk is suggested whole or not at all, and never where a suggestion would not
    give exactly its bytes: a secret, a carriage return, something invisible, a missing newline at the end.
    """
    files = parse_patch(patch)
    if files is None:
        return Suggestions((), patch)
    items: list[Suggestion] = []
    rest: list[str] = []
    for file in files:
        left: list[str] = []
        for hunk in file.hunks:
            made = _suggested(file.path, hunk, commentable.get(file.path, frozenset()), redact) if file.path else ()
            if made and len(items) + len(made) <= MOST:
                items.extend(made)
            else:
                left.append(hunk.text)
        if left or not file.hunks:
            rest += [file.header, *left]
    return Suggestions(tuple(items), "".join(rest))


def _suggested(path: str, hunk: Hunk, lines: AbstractSet[int], redact: Callable[[str], str]) -> tuple[Suggestion, ...]:
    """Return a suggestion for each change of the hunk, none if any of them cannot be one."""
    shown = "\n".join(hunk.lines)
    if any(line[:1] == "\\" for line in hunk.lines) or visible(shown) != shown or redact(shown) != shown:
        return ()
    placed = [_placed(block, lines) for block in hunk.blocks()]
    made = [_suggestion(path, *place) for place in placed if place is not None]
    fits = len(made) == len(placed) and all(size(item.body) <= COMMENT for item in made)
    return tuple(made) if fits else ()


def _placed(block: Block, lines: AbstractSet[int]) -> tuple[int, int, tuple[str, ...]] | None:
    """Return first and last line to be replaced and by what; an insertion takes an unchanged neighbour along."""
    if block.removed:
        last = block.start + len(block.removed) - 1
        return (block.start, last, block.added) if set(range(block.start, last + 1)) <= lines else None
    if block.before is not None and block.start - 1 in lines:
        return block.start - 1, block.start - 1, (block.before, *block.added)
    if block.after is not None and block.start in lines:
        return block.start, block.start, (*block.added, block.after)
    return None


def _suggestion(path: str, first: int, last: int, lines: tuple[str, ...]) -> Suggestion:
    return Suggestion(path=path, start_line=first if first != last else None, line=last, body=_body(lines))


def _body(lines: tuple[str, ...]) -> str:
    """Return the block; no line at all deletes what it stands on, one empty line leaves an empty line."""
    if not lines:
        return "```suggestion\n```"
    bar = fence("\n".join(lines)).split("\n", 1)[0]
    return "\n".join((f"{bar}suggestion", *lines, bar))
