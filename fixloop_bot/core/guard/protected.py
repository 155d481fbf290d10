"""Protected files that were changed, renamed, deleted or replaced by a link, and files that cannot be judged.

The agent's tools refuse a protected path and tell it so. What is found changed all the same came another way.
"""

from collections.abc import Iterator

from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.manifests import changed_sections, only_dependencies
from fixloop_bot.core.guard.review import LINK, SUBMODULE, Review, finding
from fixloop_bot.core.guard.source import LINE_LIMIT, Pair
from fixloop_bot.model.guard import FileChange, Finding, Severity


def changed_protected_files(review: Review) -> Iterator[Finding]:
    """Yield the protected files that the change touches; a new test is allowed."""
    for file in review.change.files:
        rule = review.protection.rule_for_change(file.path, is_new=file.before is None)
        if rule:
            yield _protected(file, rule)


def _protected(file: FileChange, rule: str) -> Finding:
    how = _how(file)
    before, after = (side.text or "" if side else "" for side in (file.before, file.after))
    sections = changed_sections(file.path, before, after) if file.before and file.after else ()
    if only_dependencies(sections):
        message = f"{', '.join(sections)} {how}; a new dependency needs a person's approval"
        return finding("dependencies-changed", Severity.HIGH, file.path, None, message)
    where = f" in {', '.join(sections)[:120]}" if sections else ""
    message = f"{how}{where}, which is protected ({rule})"
    return finding("protected-file-changed", Severity.CRITICAL, file.path, None, message)


def _how(file: FileChange) -> str:
    if file.before is None:
        return "was made"
    if file.after is None:
        return "was deleted or renamed"
    if file.after.mode != file.before.mode:
        return "was replaced by a link" if file.after.mode == LINK else "had its mode changed"
    return "was changed"


def changed_modes(review: Review) -> Iterator[Finding]:
    """Yield files that became a link, a submodule or (no longer) executable: the agent's tools do none of that."""
    for file in review.change.files:
        old, new = (side.mode if side else "" for side in (file.before, file.after))
        if new in (LINK, SUBMODULE) and new != old:
            what = "a link" if new == LINK else "a submodule"
            yield finding("file-kind-changed", Severity.HIGH, file.path, None, f"is {what} now")
        elif old and new and old != new:
            yield finding("file-kind-changed", Severity.MEDIUM, file.path, None, f"mode {old} became {new}")


def unjudged_files(review: Review) -> Iterator[Finding]:
    """Yield what the guard could not read: not looked at is not clean."""
    for file in review.change.files:
        why = next((side.unread for side in (file.after, file.before) if side and side.unread), "")
        if why:
            yield finding("unjudged", Severity.HIGH, file.path, None, f"cannot be judged: {why}")
    for pair in review.pairs:
        if pair.language is not Language.OTHER:
            yield from _overlong_lines(pair)
    if review.change.left_out:
        message = f"{review.change.left_out:,} more changed files were not judged"
        yield finding("unjudged", Severity.HIGH, "", None, message)


def _overlong_lines(pair: Pair) -> Iterator[Finding]:
    for line in pair.added:
        if max(len(line.bare), len(line.comment)) > LINE_LIMIT:
            message = f"cannot be judged: a line of more than {LINE_LIMIT:,} characters"
            yield finding("unjudged", Severity.HIGH, pair.path, line.number, message)
