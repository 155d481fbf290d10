"""A change laid out for the rules: its files as sources, and what is known of the failure."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fixloop_bot.core.guard.source import Pair, source_of
from fixloop_bot.core.protect import TEST, TEST_DATA, TEST_FOLDER, Protection
from fixloop_bot.model.guard import Change, FileChange, FileVersion, Finding, Severity

LINK = "120000"
SUBMODULE = "160000"
_TESTS = frozenset((TEST, TEST_FOLDER, TEST_DATA))


@dataclass(frozen=True)
class Review:
    """What every rule gets."""

    change: Change
    protection: Protection

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Return the files whose text is known at every end that they have."""
        return tuple(self._pair(file) for file in self.change.files if _readable(file.before) and _readable(file.after))

    @property
    def product(self) -> Iterator[Pair]:
        """Yield the files that are no tests and still there."""
        return (pair for pair in self.pairs if not pair.test and pair.after.text)

    @property
    def tests(self) -> Iterator[Pair]:
        """Yield the test files that are still there."""
        return (pair for pair in self.pairs if pair.test and pair.after.text)

    def _pair(self, file: FileChange) -> Pair:
        before, after = (source_of(file.path, side.text or "" if side else "") for side in (file.before, file.after))
        test = self.protection.rule(file.path) in _TESTS
        return Pair(file.path, before, after, new=file.before is None, test=test)


def finding(rule_id: str, severity: Severity, path: str, line: int | None, message: str) -> Finding:
    """Return a finding; parts of the message that the repository wrote must be short already."""
    return Finding(rule_id=rule_id, severity=severity, path=path, line=line, message=message)


def _readable(version: FileVersion | None) -> bool:
    return version is None or (version.text is not None and version.mode not in (LINK, SUBMODULE))
