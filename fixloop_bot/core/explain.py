"""What would run where, in which order and why, as one JSON value."""

from collections.abc import Mapping
from typing import Any

from fixloop_bot.core.as_typed import command_line
from fixloop_bot.model.command import Check, Fixer, PassedOver
from fixloop_bot.model.explanation import Explanation
from fixloop_bot.model.layer import Layer

KEYS: tuple[tuple[str, str], ...] = (
    ("layers.LAYER.run", "commands in the place of all that is found for a layer; an empty list turns it off"),
    ("layers.LAYER.fix", "commands that mend a layer for free"),
    ("layers.LAYER.timeout", "seconds that each of its commands may take; `idle-timeout` and `env` stand beside it"),
    ("projects", "the same `layers` for one folder: `[{path: web, layers: {test: npm test}}]`"),
    ("parallel", "checks of separate projects at the same time, at most; 1: one after the other"),
    ("setup", "commands that install what the checks need, before the first of them"),
    ("require", "layers that must have run for DONE"),
    ("visual", "pages to compare with committed pictures, above the tests: `{pages: [index.html]}`"),
    ("rubric", "dimensions in which a model scores the change, above everything else"),
    ("runner", "a program of your own that validates in the place of all of this"),
)
"""Keys of `.fixloop.yml` that change what is run."""


def explain_json(told: Explanation) -> dict[str, Any]:
    """Return the explanation as a JSON value; commands are as a person would type them in the project."""
    plan = told.plan
    return {
        "project_type": plan.project_type,
        "configured": told.configured,
        "runner": plan.runner,
        "setup": list(plan.setup),
        "projects": [
            {"ecosystem": root.ecosystem, "path": root.path, "suggested_setup": root.setup} for root in plan.projects
        ],
        "layers": [_layer(told, layer) for layer in told.layers],
        "passed_over": [_passed_over(one) for one in passed_over(told)],
        "ci_suggestions": [
            {"layer": str(step.layer), "run": step.run, "file": step.file, "job": step.job, "folder": step.folder}
            for step in told.ci
            if step.layer in told.layers
        ],
        "keys": [{"key": key, "about": about} for key, about in KEYS],
    }


def passed_over(told: Explanation) -> list[PassedOver]:
    """Return what is passed over in the layers that were asked for."""
    return [one for one in told.plan.passed_over if one.layer is None or one.layer in told.layers]


def _layer(told: Explanation, layer: Layer) -> Mapping[str, Any]:
    plan = told.plan
    return {
        "name": str(layer),
        "skipped": plan.skipped.get(layer, ""),
        "checks": [_check(check) for check in plan.checks if check.layer is layer and not plan.runner],
        "fixers": [_fixer(fixer) for fixer in plan.fixers if fixer.layer is layer],
    }


def _check(check: Check) -> Mapping[str, Any]:
    return {
        "project": check.project,
        "command": command_line(check.command),
        "source": check.source,
        "tool": check.tool,
        "timeout_s": check.timeout_s,
        "after_success": check.after_success,
    }


def _fixer(fixer: Fixer) -> Mapping[str, Any]:
    return {"project": fixer.project, "command": command_line(fixer.command), "source": fixer.source}


def _passed_over(one: PassedOver) -> Mapping[str, Any]:
    layer = None if one.layer is None else str(one.layer)
    return {"project": one.project, "what": one.what, "why": one.why, "layer": layer}
