"""A target, which is a branch and its failing layer, as earlier runs left it."""

from dataclasses import dataclass

from fixloop_bot.model.layer import Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedBefore:
    """An unproductive attempt of an earlier run; its texts are a model's words."""

    iteration_id: str
    layer: Layer
    hypothesis: str
    repair_action: str
    verdict: str
    failing_after: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Paths that it changed."""
    change_id: str = ""
