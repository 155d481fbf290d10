"""Protected files that were allowed to change: exactly that content, and no other."""

import hashlib
from collections.abc import Iterable, Sequence

from fixloop_bot.model.answer import ApprovedFile
from fixloop_bot.model.guard import FileChange


def content_sha256(text: str | None) -> str:
    """Return the hash that an approval names; empty for a file that is gone."""
    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def approved_files(files: Iterable[FileChange], *, by: str) -> tuple[ApprovedFile, ...]:
    """Return what a change that was allowed leaves; a file whose content is not known is not among it."""
    return tuple(
        ApprovedFile(path=file.path, sha256=content_sha256(file.after.text if file.after else None), by=by)
        for file in files
        if file.after is None or (file.after.text is not None and _same_mode(file))
    )


def not_approved(files: Iterable[FileChange], approved: Sequence[ApprovedFile]) -> tuple[FileChange, ...]:
    """Return the changed files that nobody allowed to be as they are now."""
    known = {(one.path, one.sha256) for one in approved}
    return tuple(file for file in files if not _is_known(file, known))


def _is_known(file: FileChange, known: set[tuple[str, str]]) -> bool:
    if file.after is None:
        return (file.path, "") in known
    return file.after.text is not None and _same_mode(file) and (file.path, content_sha256(file.after.text)) in known


def _same_mode(file: FileChange) -> bool:
    if file.after is None:
        return False
    return file.after.mode in ("100644", "100755") and (file.before is None or file.before.mode == file.after.mode)
