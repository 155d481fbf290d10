"""What a check-up looks at, and what it finds."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from fixloop_bot.model.config import ConfigError, RepoConfig
from fixloop_bot.model.sandbox import Reach
from fixloop_bot.model.workflow import BadWorkflow, WorkflowFile


class Level(StrEnum):
    """How bad a finding is, in rising order."""

    OK = "ok"
    WARNING = "warning"
    """Something works less well, or cannot be seen."""
    ERROR = "error"
    """Work stops there."""

    @property
    def rank(self) -> int:
        """Return the place in the order."""
        return tuple(Level).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    id: str
    level: Level
    title: str
    """A sentence without a full stop."""
    detail: str = ""
    mend: str = ""
    """What to do about it; never empty for an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """A place that fixloop writes to."""

    purpose: str
    path: str
    free_bytes: int | None
    """None: it cannot be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineFacts:
    """The machine."""

    python: tuple[int, int]
    git: str
    """What `git --version` prints; empty: there is no git."""
    disks: tuple[Disk, ...]
    reach: Reach
    """How commands of the pull request can be held here."""


class Key(StrEnum):
    """What is known of the model provider's key."""

    ABSENT = "absent"
    GIVEN = "given"
    """And not tried."""
    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNREACHED = "unreached"
    """The provider gave no usable answer."""
    CLOUD = "cloud"
    """None is needed: the model comes from a cloud with credentials of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """The model provider."""

    key: Key
    key_shaped: bool = True
    """It looks like a key of Anthropic's own API."""
    own_address: bool = False
    """Another address than the provider's own is set."""
    said: str = ""
    """What the provider answered, where it did not accept the key; what a cloud lacks."""
    mend: str = ""
    """What to do about what a cloud lacks."""
    priced: Mapping[str, bool]
    """By model id in use: whether its price is known."""


class Writer(StrEnum):
    """As whom fixloop writes on GitHub."""

    ACTIONS = "GITHUB_TOKEN"
    APP = "a GitHub App"
    PERSON = "a person's token"


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFacts:
    """The repository on GitHub, as the token sees it."""

    repository: str
    writer: Writer
    access: Mapping[str, bool | None]
    """By permission as a workflow writes it, `checks: write`; None: it cannot be told."""
    default_branch: str
    protected: bool | None
    may_change_workflows: bool | None
    workflow: WorkflowFile | BadWorkflow | None
    """None: the default branch has none at that path."""
    workflow_path: str
    workflow_is_local: bool = False
    """It is in the worktree, whatever the default branch has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubUnseen:
    """Why GitHub was not looked at."""

    reason: str
    mend: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckUp:
    """Everything that was looked at."""

    machine: MachineFacts
    model: ModelFacts
    hub: HubFacts | HubUnseen
    config: RepoConfig | ConfigError | None
    """None: there is no `.fixloop.yml`."""
