"""What a repository says in its `.fixloop.yml`, and a run's bounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.layer import Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerConfig:
    """Commands of one layer as the repository declares them: shell lines, run in order until one fails."""

    run: tuple[str, ...] = ()
    fix: tuple[str, ...] = ()
    timeout: float | None = None
    """Seconds."""
    idle_timeout: float | None = None
    """Seconds."""
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectConfig:
    """One project of a monorepo; `path` is POSIX, relative to the worktree."""

    path: str
    layers: Mapping[Layer, LayerConfig] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrice:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float = 0.0
    cache_write: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsConfig:
    """Which model plays which role, under which id and at what price."""

    triage: ModelAlias = ModelAlias.HAIKU
    repair: ModelAlias = ModelAlias.SONNET
    escalated: ModelAlias = ModelAlias.OPUS
    ids: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, ModelPrice] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairConfig:
    """Bounds of the loop."""

    max_retries: int | None = None
    max_attempts: int = 2
    attempt_turns: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetConfig:
    """Money and time; None: the product's default."""

    run_usd: float | None = None
    pr_usd: float | None = None
    author_usd_per_day: float | None = None
    repo_usd_per_day: float | None = None
    minutes: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxConfig:
    """How hard commands are locked in."""

    level: Literal["best", "strict", "off"] = "best"
    network: bool = True
    memory_mb: int | None = None
    """Of each process; None: no limit."""
    processes: int | None = None
    """Processes and threads at one time; None: the product's default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggersConfig:
    """What starts a run on GitHub."""

    pull_request: bool = True
    ci_failure: bool = True
    commands: bool = True
    min_permission: Literal["write", "maintain", "admin"] = "write"
    forks: Literal["command", "never", "always"] = "command"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepConfig:
    """What a sweep selects."""

    branches: tuple[str, ...] = ()
    pull_requests: bool = True
    stale_days: int = 7
    max_runs: int = 5
    max_usd: float = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricDimension:
    """One named dimension of the rubric layer."""

    threshold: float
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricConfig:
    """The optional rubric layer."""

    dimensions: Mapping[str, RubricDimension] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualConfig:
    """The optional visual layer."""

    pages: tuple[str, ...] = ()
    threshold: float = 0.1
    mask: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TestsConfig:
    """What may happen to tests."""

    __test__ = False

    allow_stale_updates: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RepoConfig:
    """`.fixloop.yml`, whole; keys are spelled with hyphens there."""

    version: Literal[1] = 1
    runner: str | None = None
    setup: tuple[str, ...] = ()
    layers: Mapping[Layer, LayerConfig] = field(default_factory=dict)
    projects: tuple[ProjectConfig, ...] = ()
    parallel: int | None = None
    """Checks of separate projects at the same time at most; None: as many as there are processors."""
    require: tuple[Layer, ...] = ()
    protect: tuple[str, ...] = ()
    problem_matchers: tuple[str, ...] = ()
    tests: TestsConfig = field(default_factory=TestsConfig)
    repair: RepairConfig = field(default_factory=RepairConfig)
    models: ModelsConfig = field(default_factory=ModelsConfig)
    budget: BudgetConfig = field(default_factory=BudgetConfig)
    sandbox: SandboxConfig = field(default_factory=SandboxConfig)
    push: Literal["layers", "done", "propose"] = "layers"
    triggers: TriggersConfig = field(default_factory=TriggersConfig)
    sweep: SweepConfig = field(default_factory=SweepConfig)
    rubric: RubricConfig = field(default_factory=RubricConfig)
    visual: VisualConfig = field(default_factory=VisualConfig)


@dataclass(frozen=True, slots=True)
class ConfigError:
    """Why a `.fixloop.yml` cannot be used; `line` is 1-based."""

    path: str
    line: int | None
    message: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.message}"


class ConfigProblem(Exception):  # noqa: N818 - the ports speak of a problem, ConfigError is its value
    """A `.fixloop.yml` that cannot be used."""

    def __init__(self, error: ConfigError) -> None:
        super().__init__(str(error))
        self.error = error
