"""What fixloop takes on the disk, with the SDK and without it."""

from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import fixloop_bot
from bench.table import Section

PRODUCT = "fixloop-bot"
SDK = "anthropic"
LARGE_MB = 2.0
ABOUT = (
    "The files of fixloop and of every library that it needs, as their packages bring them, without extras; compiled"
    " Python files, which an installation makes of them, are counted apart. Without the SDK means without it and what"
    " it alone needs (goal: at most 60 MB). What takes more than {large:.0f} MB has a row of its own."
)
Size = tuple[float, float]
"""Megabytes of what a package brings, and of that once Python has compiled it."""


def closure(*, without: str = "") -> dict[str, Distribution]:
    """Return fixloop and all that it needs, by name, `without` one library and what that alone needs."""
    found: dict[str, Distribution] = {}
    waiting = [(PRODUCT, frozenset[str]())]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, extras = waiting.pop()
        if name == without or (name, extras) in seen:
            continue
        seen.add((name, extras))
        found[name] = distribution(name)
        waiting += _needs(found[name], extras)
    return found


def _needs(of: Distribution, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    for line in of.requires or []:
        needed = Requirement(line)
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(needed.name), frozenset(needed.extras)


def size(of: Distribution) -> Size:
    """Return what a distribution takes; fixloop's own is that of the package which runs."""
    own = Path(fixloop_bot.__file__).parent.rglob("*") if of.metadata["Name"] == PRODUCT else None
    paths = own or (Path(str(file.locate())) for file in of.files or [])
    files = {path: path.stat().st_size / 1e6 for path in paths if path.is_file()}
    return sum(mb for path, mb in files.items() if path.suffix != ".pyc"), sum(files.values())


def total(distributions: dict[str, Distribution]) -> Size:
    """Return what they take together."""
    sizes = [size(one) for one in distributions.values()]
    return sum(brought for brought, _ in sizes), sum(compiled for _, compiled in sizes)


def run(*, small: bool = False) -> Section:  # noqa: ARG001 - it takes no time
    """Weigh them."""
    whole, lean = closure(), closure(without=SDK)
    sums = {"with the SDK": total(whole), "without it": total(lean)}
    each = sorted(((name, size(one)) for name, one in whole.items()), key=lambda pair: -pair[1][0])
    large = {f"{name}{'' if name in lean else ' (the SDK)'}": mb for name, mb in each if mb[0] > LARGE_MB}
    rows = [(name, f"{brought:.1f} MB", f"{compiled:.1f} MB") for name, (brought, compiled) in (sums | large).items()]
    about = ABOUT.format(large=LARGE_MB)
    return Section(name="installed", about=about, head=("what", "as brought", "compiled too"), rows=rows)
