"""From what a check-up saw to what it finds, and what to do about each finding."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from fixloop_bot.core.doctor_github import hub_findings
from fixloop_bot.core.sandbox_level import NotGranted, all_is_had, granted
from fixloop_bot.model.config import ConfigError, RepoConfig
from fixloop_bot.model.doctor import CheckUp, Disk, Finding, Key, Level, MachineFacts, ModelFacts
from fixloop_bot.model.sandbox import Demand, Reach

PYTHON: Final = (3, 11)
GIT: Final = (2, 38)
"""The first whose `git merge-tree` has `--write-tree` (git's release notes 2.38)."""
LEAST_BYTES: Final = 200_000_000
GOOD_BYTES: Final = 2_000_000_000

_GIT_VERSION: Final = re.compile(r"git version (\d{1,4})\.(\d{1,4})")
_KEY_MEND: Final = (
    "In a workflow: the secret ANTHROPIC_API_KEY, given to the input `anthropic-api-key`. In a shell: the variable "
    "ANTHROPIC_API_KEY. Keys are made in the Anthropic Console."
)


def find(facts: CheckUp) -> tuple[Finding, ...]:
    """Return one finding for everything that was looked at, good ones too, in the order of work."""
    return (
        *machine_findings(facts.machine),
        *_sandbox(facts.machine, facts.config),
        *model_findings(facts.model),
        config_finding(facts.config),
        *hub_findings(facts.hub),
    )


def worst(findings: Iterable[Finding]) -> Level:
    """Return the worst level of all."""
    return max((finding.level for finding in findings), key=lambda level: level.rank, default=Level.OK)


def machine_findings(machine: MachineFacts) -> Iterator[Finding]:
    """Yield what the machine lacks."""
    has = ".".join(map(str, machine.python))
    if machine.python >= PYTHON:
        yield _ok("python", f"Python {has}")
    else:
        yield _error("python", f"Python {has} is too old", mend="Install Python 3.11 or newer.")
    yield _git(machine.git)
    yield from map(_disk, machine.disks)


def _git(said: str) -> Finding:
    match = _GIT_VERSION.match(said)
    mend = "Install git 2.38 or newer."
    if match is None:
        return _error("git", "git is not there" if not said else "git does not tell its version", mend=mend)
    version = (int(match[1]), int(match[2]))
    if version < GIT:
        detail = "Revert and rebase need `git merge-tree --write-tree`."
        return _error("git", f"git {match[1]}.{match[2]} is too old", detail=detail, mend=mend)
    return _ok("git", f"git {match[1]}.{match[2]}")


def _disk(disk: Disk) -> Finding:
    name = f"disk-{disk.purpose}"
    if disk.free_bytes is None:
        mend = "See that the folder exists and can be written."
        return _warning(name, f"Free space for {disk.purpose} cannot be told", detail=disk.path, mend=mend)
    title = f"{disk.free_bytes / 1e9:,.1f} GB free for {disk.purpose}"
    mend = "Free some space, or name another folder (--state-dir, TMPDIR)."
    if disk.free_bytes < LEAST_BYTES:
        return _error(name, title, detail=f"{disk.path}: a run needs about {LEAST_BYTES / 1e9:.1f} GB.", mend=mend)
    if disk.free_bytes < GOOD_BYTES:
        detail = f"{disk.path}: enough for a small repository; its own dependencies may need more."
        return _warning(name, title, detail=detail, mend=mend)
    return _ok(name, title)


def _sandbox(machine: MachineFacts, config: RepoConfig | ConfigError | None) -> Iterator[Finding]:
    """Yield what holds the commands of a pull request, told as it is."""
    rules = config.sandbox if isinstance(config, RepoConfig) else RepoConfig().sandbox
    demand, reach = Demand(level=rules.level, network=rules.network), machine.reach
    told = granted(demand, reach)
    if isinstance(told, NotGranted):
        yield _error("sandbox", _capital(told.reason), mend=_capital(f"{told.advice}."))
    elif demand.level == "off":
        mend = "Set `sandbox.level` to `best` in .fixloop.yml."
        yield _warning("sandbox", "Commands of a pull request are in no sandbox", detail=told, mend=mend)
    elif all_is_had(reach):
        yield _ok("sandbox", f"Commands of a pull request are held by {told}")
    else:
        yield _warning("sandbox", f"Commands of a pull request are held by {told}", mend=_to_hold_better(reach))


def _to_hold_better(reach: Reach) -> str:
    advice = f"{_capital(reach.advice)}. " if reach.advice else ""
    return f"{advice}Best is a fresh hosted runner, or a machine that holds nothing else of value."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def model_findings(model: ModelFacts) -> Iterator[Finding]:
    """Yield what stands between fixloop and its model."""
    yield _key(model)
    for model_id, known in model.priced.items():
        if known:
            yield _ok(f"price-{model_id}", f"The price of {model_id} is known")
        else:
            detail = "Without a price the cap in dollars refuses every call."
            mend = "Set `models.prices` in .fixloop.yml, or FIXLOOP_MODEL_PRICES."
            yield _error(f"price-{model_id}", f"The price of {model_id} is not known", detail=detail, mend=mend)


def _key(model: ModelFacts) -> Finding:
    match model.key:
        case Key.ABSENT:
            detail = "Only formatters and the project's own fixers can repair."
            return _error("model-key", "No key of the model provider is set", detail=detail, mend=_KEY_MEND)
        case Key.REFUSED:
            return _error("model-key", "The provider refuses the key", detail=model.said, mend=_KEY_MEND)
        case Key.UNREACHED:
            mend = "See the network, the proxy and ANTHROPIC_BASE_URL, or ask again later."
            return _warning("model-key", "The provider could not be asked about the key", detail=model.said, mend=mend)
        case Key.CLOUD:
            return _cloud(model)
        case Key.ACCEPTED:
            return _ok("model-key", "The provider accepts the key")
        case Key.GIVEN if not model.key_shaped and not model.own_address:
            detail = "Keys of Anthropic's own API begin with `sk-ant-`; another address is not set."
            return _warning("model-key", "The key does not look like one", detail=detail, mend=_KEY_MEND)
        case Key.GIVEN:
            return _ok("model-key", "A key is set; `fixloop doctor --online` asks whether it is accepted, for free")


def _cloud(model: ModelFacts) -> Finding:
    if model.said:
        return _error("model-key", "The model's cloud cannot be used yet", detail=model.said, mend=model.mend)
    return _ok("model-key", "The model comes from a cloud, by that cloud's own credentials")


def config_finding(config: RepoConfig | ConfigError | None) -> Finding:
    """Return whether `.fixloop.yml` can be used."""
    if config is None:
        return _ok("config", "No .fixloop.yml: commands are found out, defaults hold")
    if isinstance(config, ConfigError):
        mend = "Mend that line; docs/fixloop-yml.schema.json describes every key."
        return _error("config", ".fixloop.yml cannot be used", detail=str(config), mend=mend)
    return _ok("config", ".fixloop.yml is valid")


def _ok(name: str, title: str) -> Finding:
    return Finding(id=name, level=Level.OK, title=title)


def _warning(name: str, title: str, *, detail: str = "", mend: str) -> Finding:
    return Finding(id=name, level=Level.WARNING, title=title, detail=detail, mend=mend)


def _error(name: str, title: str, *, detail: str = "", mend: str) -> Finding:
    return Finding(id=name, level=Level.ERROR, title=title, detail=detail, mend=mend)
