"""One edit of the corpus: what a model might do to a file, and what the guard must make of it."""

from dataclasses import dataclass

from fixloop_bot.core.guard.judge_change import judge_change
from fixloop_bot.core.protect import Protection
from fixloop_bot.model.guard import Author, Change, FileChange, FileVersion, Finding

PROTECTION = Protection(config_files=("eslint.config.*", ".eslintrc.*", "jest.config.*", ".mocharc.*", "pytest.ini"))


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A change of one file, the failing test that it answers, and the rule that must decide."""

    name: str
    path: str
    before: str | None
    after: str | None
    rule: str
    """Empty: an honest edit, of which nothing is to be held against anybody."""
    failing: str = ""
    mode: str = "100644"
    """After the change."""


def judged(edit: Edit, author: Author = Author.AGENT) -> tuple[Finding, ...]:
    """Return what the guard finds in an edit."""
    before = None if edit.before is None else FileVersion(text=edit.before)
    after = None if edit.after is None else FileVersion(text=edit.after, mode=edit.mode)
    file = FileChange(path=edit.path, before=before, after=after)
    expectations = (edit.failing,) if edit.failing else ()
    return judge_change(Change(files=(file,), author=author, expectations=expectations), PROTECTION)


def instead(base: str, old: str, new: str) -> str:
    """Return the text with one place replaced, which must be there once."""
    assert base.count(old) == 1, f"{old!r} stands {base.count(old)} times"
    return base.replace(old, new)
