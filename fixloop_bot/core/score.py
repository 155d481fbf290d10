"""How good a verified state is: one number from 0 to 1."""

from collections.abc import Mapping, Sequence

from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, Validation


def score(validation: Validation, first_error_counts: Mapping[Layer, int]) -> float:
    """Return (layers passed + the gone part of the failing layer's first error count) / number of layers.

    Layers below the run's first layer and layers with nothing to run do not count. 1.0 means that all pass;
    a validation with no layer scores 0.
    """
    layers = counted(validation)
    if not layers:
        return 0.0
    failing = validation.failing
    passed = sum(1 for layer in layers if layer in validation.passed)
    gone = gone_part(failing, first_error_counts) if failing else 0.0
    return round((passed + gone) / len(layers), 6)


def gone_part(failing: LayerResult, first_error_counts: Mapping[Layer, int]) -> float:
    """Return the part (0..1, never 1) of the layer's first error count that is gone."""
    first = first_error_counts.get(failing.name, failing.error_count)
    if failing.status is not LayerStatus.FAIL or first <= 0:
        return 0.0
    return min(max(first - failing.error_count, 0), first - 0.5) / first


def counted(validation: Validation) -> Sequence[Layer]:
    """Return the layers that the score is over."""
    return [layer for layer in validation.planned if layer.rank >= validation.started_from.rank]
