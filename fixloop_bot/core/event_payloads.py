"""Reading GitHub's webhook payloads: the fields in use, checked; everything else is not looked at."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from fixloop_bot.model.event import Actor, Origin, PullRequest, RepositoryRef

MAX_TEXT: Final = 1000
MAX_MESSAGE: Final = 65_536
MAX_ITEMS: Final = 100
MAX_ID: Final = 2**63

_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)
_FULL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}", re.ASCII)
_UNSAFE = re.compile(r"[\x00-\x1f\x7f]")


class MalformedError(Exception):
    """A field that must be there is missing or is of the wrong kind; the text names it."""


TITLE_LIMIT = 300
"""Characters of a pull request's title; nothing depends on it."""


@dataclass(frozen=True, slots=True)
class Field:
    """A value somewhere in a payload, with the way to it for messages."""

    value: object
    path: str = ""

    def at(self, *names: str) -> "Field":
        """Return the field below; absent where a name, or a table to look it up in, is missing."""
        here = self
        for name in names:
            below = here.value.get(name) if isinstance(here.value, Mapping) else None
            here = Field(below, f"{here.path}.{name}" if here.path else name)
        return here

    def __bool__(self) -> bool:
        """Return whether there is a value: `null` counts as none."""
        return self.value is not None

    def items(self) -> "Iterator[Field]":
        """Yield the items of a list, at most 100; none of anything else."""
        values = self.value if isinstance(self.value, list) else []
        return (Field(value, f"{self.path}[{index}]") for index, value in enumerate(values[:MAX_ITEMS]))

    def text(self, *, limit: int = MAX_TEXT) -> str:
        """Return a text that must be there, without lone surrogates. Raises MalformedError."""
        if not isinstance(self.value, str) or len(self.value) > limit:
            raise self.malformed(f"a text of at most {limit:,} characters")
        return self.value.encode("utf-8", "replace").decode("utf-8")

    def text_or(self, default: str = "", *, limit: int = MAX_TEXT) -> str:
        """Return a text, or the default where there is none."""
        return self.text(limit=limit) if self else default

    def words(self, *, limit: int) -> str:
        """Return the beginning of a text that nothing depends on, empty for whatever is none."""
        return self.value[:limit].encode("utf-8", "replace").decode("utf-8") if isinstance(self.value, str) else ""

    def name(self) -> str:
        """Return a login, branch or path: not empty, no control characters, no leading dash. Raises MalformedError."""
        text = self.text()
        if not text or text[0] == "-" or _UNSAFE.search(text):
            raise self.malformed("a name")
        return text

    def name_or(self, default: str = "") -> str:
        """Return a name, or the default where there is none."""
        return self.name() if self else default

    def number(self) -> int:
        """Return an id or number above 0. Raises MalformedError."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not 0 < self.value < MAX_ID:
            raise self.malformed("a number above 0")
        return self.value

    def number_or_none(self) -> int | None:
        """Return a number, None where there is none."""
        return self.number() if self else None

    def flag(self) -> bool:
        """Return whether it is `true`; what old payloads lack is false."""
        return self.value is True

    def sha(self) -> str:
        """Return a commit id, SHA-1 or SHA-256. Raises MalformedError."""
        text = self.text()
        if not _SHA.fullmatch(text):
            raise self.malformed("a commit id")
        return text

    def time(self) -> float:
        """Return an ISO 8601 time as seconds since the epoch. Raises MalformedError."""
        try:
            moment = datetime.fromisoformat(self.text())
        except ValueError:
            raise self.malformed("a time") from None
        if moment.tzinfo is None:
            raise self.malformed("a time with its zone")
        return moment.timestamp()

    def malformed(self, wanted: str) -> MalformedError:
        """Return the error to raise; it never quotes the value."""
        return MalformedError(f"`{self.path or 'the payload'}` is not {wanted}")


def to_time(field: Field) -> float:
    """Return a time as seconds since the epoch; some events write it so, others as ISO 8601. Raises MalformedError."""
    return float(field.number()) if isinstance(field.value, int) else field.time()


def to_actor(field: Field) -> Actor:
    """Return an account. Raises MalformedError."""
    return Actor(login=field.at("login").name(), id=field.at("id").number(), type=field.at("type").name_or("User"))


def to_repository(field: Field) -> RepositoryRef:
    """Return a repository; its name is safe in an address. Raises MalformedError."""
    full_name = field.at("full_name").text()
    if not _FULL_NAME.fullmatch(full_name) or {".", ".."} & set(full_name.split("/")):
        raise field.at("full_name").malformed("owner/name")
    return RepositoryRef(
        full_name=full_name, id=field.at("id").number(), default_branch=field.at("default_branch").name_or()
    )


def to_repository_or_none(field: Field) -> RepositoryRef | None:
    """Return a repository, None where there is none, as for a deleted fork. Raises MalformedError."""
    return to_repository(field) if field else None


def to_origin(payload: Field, fallback: RepositoryRef | None) -> Origin:
    """Return where the event comes from; `fallback` serves payloads without a repository. Raises MalformedError."""
    repository = fallback if fallback and not payload.at("repository") else to_repository(payload.at("repository"))
    sender = payload.at("sender")
    return Origin(
        repository=repository,
        sender=to_actor(sender) if sender else None,
        installation_id=payload.at("installation", "id").number_or_none(),
    )


def to_pull_request(field: Field) -> PullRequest:
    """Return a pull request as webhooks and `GET /repos/{owner}/{repo}/pulls/{number}` show it.

    Raises MalformedError.
    """
    head, base = field.at("head"), field.at("base")
    return PullRequest(
        number=field.at("number").number(),
        head_sha=head.at("sha").sha(),
        head_branch=head.at("ref").name(),
        head_repository=to_repository_or_none(head.at("repo")),
        base_branch=base.at("ref").name(),
        base_repository_id=base.at("repo", "id").number(),
        author=to_actor(field.at("user")),
        is_open=field.at("state").text_or("open") == "open",
        draft=field.at("draft").flag(),
        title=field.at("title").words(limit=TITLE_LIMIT),
    )


def to_pull_request_numbers(field: Field, repository: RepositoryRef) -> tuple[int, ...]:
    """Return the numbers in a `pull_requests` list that belong to this repository; GitHub lists others' too."""
    ours = (item for item in field.items() if item.at("base", "repo", "id").value == repository.id)
    return tuple(dict.fromkeys(item.at("number").number() for item in ours))
