"""What fails in a layer, by name."""

from collections.abc import Collection

from fixloop_bot.model.layer import LayerResult, LayerStatus


def failing_names(result: LayerResult) -> tuple[str, ...]:
    """Return the names of what fails: the runner's own of its tests, else those of the fingerprint."""
    if result.status is LayerStatus.PASS:
        return ()
    if result.tests and result.tests.failed:
        return result.tests.failed
    return result.fingerprint.items if result.fingerprint else ()


def fails_only_in(result: LayerResult, names: Collection[str]) -> bool:
    """Return whether the layer fails, and in nothing but these."""
    failed = failing_names(result)
    return result.status is LayerStatus.FAIL and bool(failed) and set(failed) <= set(names)
