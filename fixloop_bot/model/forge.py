"""What is read from GitHub and written to it, where no event and no report has a noun for it."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum

from fixloop_bot.model.event import PullRequest
from fixloop_bot.model.sweep import Checks

_AUTOMATIC = "auto:"
_ASKED = "run:"

CommentableLines = Mapping[str, AbstractSet[int]]
"""Path → line numbers of the head's side that the pull request's diff shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment on a pull request or issue."""

    id: int
    body: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class TooLarge:
    """GitHub refused a text for its length: shed something and write again."""


class Reaction(StrEnum):
    """GitHub's words for the reactions that fixloop gives."""

    EYES = "eyes"
    ROCKET = "rocket"
    CONFUSED = "confused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """An issue."""

    number: int
    title: str
    body: str
    url: str = ""
    is_open: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A branch as it stood when it was looked at."""

    name: str
    head_sha: str
    protected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPullRequest:
    """An open pull request in a list."""

    pull_request: PullRequest
    title: str
    updated_at: float
    """Seconds since the epoch; any change counts, a comment too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the checks say about a commit. fixloop's own check runs are told apart from everybody else's."""

    checks: Checks
    """Of others: check runs of all apps, and statuses of the older kind."""
    active_at: float | None
    """When GitHub first heard of the commit, in seconds since the epoch; None: nothing tells."""
    running: bool = False
    """A run of fixloop's own goes on, or waits for a decision."""
    tried: bool = False
    """One has ended."""


@dataclass(frozen=True, slots=True)
class PushAllowed:
    """Nothing that can be seen beforehand stands against a push."""


@dataclass(frozen=True, slots=True)
class PushRefused:
    """A push would fail; the reason is a clause for people."""

    reason: str


PushAccess = PushAllowed | PushRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLog:
    """The log of a failed job: its end, as text that may hold anything."""

    name: str
    conclusion: str
    text: str
    cut: bool = False
    """The beginning is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCheck:
    """The output of somebody's failed check run."""

    name: str
    conclusion: str
    title: str = ""
    summary: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalId:
    """The `external_id` of fixloop's own check runs: whose run it is, and whether anybody asked for it."""

    run_id: str
    automatic: bool = False
    """No person asked; it counts in the ledger."""

    def to_text(self) -> str:
        """Return what GitHub keeps, and gives back when a button is pressed."""
        return f"{_AUTOMATIC if self.automatic else _ASKED}{self.run_id}"


def parse_external_id(text: str) -> ExternalId | None:
    """Return what `ExternalId.to_text` wrote, None for anything else: a job may have fixloop's name too."""
    for prefix in (_AUTOMATIC, _ASKED):
        if text.startswith(prefix):
            return ExternalId(run_id=text.removeprefix(prefix), automatic=prefix == _AUTOMATIC)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRunRef:
    """A check run of fixloop's that exists on GitHub."""

    id: int
    url: str = ""
    annotated: int = 0
    """Batches of annotations sent so far: GitHub adds each to those before, so none may be sent twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A pull request of fixloop's own."""

    number: int
    url: str
    created: bool
    """False: it was there and is updated."""


@dataclass(frozen=True, slots=True)
class NothingToPropose:
    """The branch has no commit that its base has not."""


class ForgeErrorKind(StrEnum):
    """Why GitHub did not do as asked."""

    NOT_PERMITTED = "not-permitted"
    BAD_CREDENTIALS = "bad-credentials"
    NOT_FOUND = "not-found"
    """The repository or the object; GitHub says the same of what the token may not see."""
    RATE_LIMITED = "rate-limited"
    UNAVAILABLE = "unavailable"
    """GitHub is not reached, or says 5xx, after all retries."""
    REFUSED = "refused"
    """The request itself was not accepted."""
