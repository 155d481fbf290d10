"""Whose failure it is, looked at before any money is spent on it."""

from dataclasses import dataclass

from fixloop_bot.model.layer import Layer


@dataclass(frozen=True, slots=True)
class Flaky:
    """A test, or a `path rule`, that fails and passes on one tree."""

    name: str
    failed: int
    """Of the runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """What more runs of a failing layer's failing checks said."""

    layer: Layer
    commit: str
    """The head that was looked at."""
    runs: int
    """On that head, the first detection included."""
    flaky: tuple[Flaky, ...] = ()
    """Sorted by name. Set aside: never counted as fixed, and no green proves anything about them."""
    base: str = ""
    """Commit of the merge base that was looked at; empty: none."""
    pre_existing: tuple[str, ...] = ()
    """What fails there too, sorted."""
    own: bool = True
    """Something is left that failed each time: the loop's work."""
