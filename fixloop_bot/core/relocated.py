"""What was seen in one folder, told of another: a person and the agent know the worktree, not a copy that is gone."""

import re
from collections.abc import Mapping
from dataclasses import replace

from fixloop_bot.model.layer import LayerResult, Validation


def relocated(validation: Validation, folders: Mapping[str, str]) -> Validation:
    """Return the validation with each folder of its texts, by absolute path, under its other name.

    Fingerprints stay: they know no folder.
    """
    return replace(validation, layers=tuple(_relocated(result, folders) for result in validation.layers))


def inside(text: str, root: str) -> str:
    """Return a text with absolute paths below `root` relative to it, as the agent's tools take them, and shorter."""
    return re.sub(rf"(?<![\w./-]){re.escape(root)}/(?=[\w.])", "", text)


def _relocated(result: LayerResult, folders: Mapping[str, str]) -> LayerResult:
    def told(text: str) -> str:
        for there, here in folders.items():
            text = text.replace(there, here)
        return text

    return replace(
        result,
        output=told(result.output),
        reason=told(result.reason),
        missing=tuple(map(told, result.missing)),
        diagnostics=tuple(replace(item, message=told(item.message)) for item in result.diagnostics),
    )
