"""Which level of the sandbox is reached, and which cannot be had."""

from dataclasses import dataclass

from fixloop_bot.model.sandbox import Demand, Reach, RunsAs

ALWAYS = "no keys and tokens, closed standard input, limits of time and output, an end of all descendants"


@dataclass(frozen=True, slots=True)
class NotGranted:
    """What was demanded cannot be had, so nothing is run; both texts are for a person."""

    reason: str
    advice: str


def granted(demand: Demand, reach: Reach) -> str | NotGranted:
    """Return in words what is reached, or what is demanded and cannot be had."""
    if demand.level == "off":
        return f"off; commands run as fixloop's own user, with {ALWAYS}" if demand.network else _OFF_WITHOUT_NETWORK
    if not demand.network and not reach.seccomp:
        why = "`sandbox.network: false` is demanded, and this machine has no filter of system calls (seccomp)"
        return NotGranted(why, "remove `sandbox.network` from .fixloop.yml, or cut the job's network off yourself")
    if demand.level == "strict":
        return _strict(demand, reach)
    return in_words(demand, reach)


def in_words(demand: Demand, reach: Reach) -> str:
    """Return the level reached: its name, what holds commands, and what does not."""
    network = "" if demand.network else ", no network"
    lacks = "; ".join(_lacks(reach))
    return f"{level_name(reach)}{network}: commands run as {reach.runs_as}" + (f" ({lacks})" if lacks else "")


def all_is_had(reach: Reach) -> bool:
    """Return whether nothing of the sandbox is lacking."""
    return not _lacks(reach)


def level_name(reach: Reach) -> str:
    """Return the level's short name, such as `uid+landlock+seccomp`."""
    parts = {
        "uid": reach.runs_as is RunsAs.OTHER,
        "uid-that-reads": reach.runs_as is RunsAs.READER,
        "landlock": reach.landlock > 0,
        "seccomp": reach.seccomp,
    }
    return "+".join(name for name, there in parts.items() if there) or "environment only"


def _strict(demand: Demand, reach: Reach) -> str | NotGranted:
    lacks = _lacks(reach)
    if not lacks:
        return in_words(demand, reach)
    advice = reach.advice or "use a machine with Linux 6.12 or newer and Landlock switched on"
    return NotGranted(
        f"the sandbox level `strict` is demanded and cannot be had here: {'; '.join(lacks)}",
        f"{advice}; or set `sandbox` to `best`, and let fixloop run only on code whose authors you trust",
    )


def _lacks(reach: Reach) -> list[str]:
    lacks = [reach.shortfall or "they share fixloop's user"] if reach.runs_as is not RunsAs.OTHER else []
    if not reach.landlock:
        lacks.append("no Landlock: files are held by their permissions alone")
    if not reach.seccomp:
        lacks.append("no filter of system calls")
    return lacks


_OFF_WITHOUT_NETWORK = NotGranted(
    "`sandbox.network: false` is demanded, and `sandbox.level: off` switches off what would hold it",
    "set `sandbox.level` to `best`, or remove `sandbox.network` from .fixloop.yml",
)
