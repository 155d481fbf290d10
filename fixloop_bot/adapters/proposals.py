"""What the fix agent would change in protected files: kept in memory, to be put to a person as one exact diff."""

from collections.abc import Callable
from dataclasses import dataclass, field

from fixloop_bot.core.edit import NoSuchPlace, replace_once
from fixloop_bot.model.agent import Proposal

MOST = 20
"""Files of one question: a person has to read them."""


@dataclass(slots=True)
class Proposals:
    """Edits of one attempt, in order. `read` gives a file's present text, None where there is none."""

    read: Callable[[str], str | None]
    _edits: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    _created: dict[str, str] = field(default_factory=dict)
    _tests: set[str] = field(default_factory=set)

    def edit(self, path: str, old: str, new: str, *, is_test: bool) -> NoSuchPlace | None:
        """Keep an edit; return why it cannot be made."""
        text = self._text(path)
        edited = NoSuchPlace("there is no such file") if text is None else replace_once(text, old, new)
        if isinstance(edited, NoSuchPlace):
            return edited
        if full := self._full(path):
            return full
        self._edits.setdefault(path, []).append((old, new))
        self._note(path, is_test=is_test)
        return None

    def create(self, path: str, content: str, *, is_test: bool) -> NoSuchPlace | None:
        """Keep a new file; return why it cannot be made."""
        if self._text(path) is not None:
            return NoSuchPlace("it exists already")
        if full := self._full(path):
            return full
        self._created[path] = content
        self._note(path, is_test=is_test)
        return None

    def all(self) -> tuple[Proposal, ...]:
        """Return what is proposed, by path, against the files as they are now; what no longer fits is left out."""
        found = []
        for path in sorted({*self._edits, *self._created}):
            before, after = self.read(path), self._text(path)
            if after is not None and after != before:
                found.append(Proposal(path=path, before=before, after=after, is_test=path in self._tests))
        return tuple(found)

    def _text(self, path: str) -> str | None:
        text = self._created.get(path, self.read(path))
        for old, new in self._edits.get(path, ()):
            edited = replace_once(text, old, new) if text is not None else None
            if edited is None or isinstance(edited, NoSuchPlace):
                return None
            text = edited
        return text

    def _full(self, path: str) -> NoSuchPlace | None:
        known = {*self._edits, *self._created}
        full = path not in known and len(known) >= MOST
        return NoSuchPlace(f"{MOST} protected files are the most that one question may change") if full else None

    def _note(self, path: str, *, is_test: bool) -> None:
        if is_test:
            self._tests.add(path)
