"""`fixloop validate --explain`: what would run, without running it."""

import sys
from collections.abc import Callable, Sequence

from fixloop_bot.adapters.ci_steps import ci_steps
from fixloop_bot.adapters.project import CONFIG_FILE, GitProject
from fixloop_bot.checks.ci_lines import layer_of
from fixloop_bot.core.defuse import json_text
from fixloop_bot.core.explain import explain_json
from fixloop_bot.core.redact import redact_json
from fixloop_bot.core.render.explanation import to_text
from fixloop_bot.entrypoints.exit_code import OF_VALIDATION
from fixloop_bot.model.explanation import Explanation
from fixloop_bot.model.layer import Layer, LayerStatus


def explain(
    project: GitProject,
    files: Sequence[str],
    layers: tuple[Layer, ...],
    *,
    as_json: bool,
    redact: Callable[[str], str],
) -> int:
    """Print the explanation of these layers; return 0, or 3 where none of them would run anything.

    Raises `ConfigProblem` for a `.fixloop.yml` that cannot be used.
    """
    plan = project.plan()
    told = Explanation(
        plan=plan,
        layers=layers,
        ci=ci_steps(files, project.read, layer_of),
        configured=project.exists(CONFIG_FILE),
    )
    if as_json:
        sys.stdout.write(json_text(redact_json(explain_json(told), redact)) + "\n")
    else:
        sys.stdout.write(redact(to_text(told)))
    return OF_VALIDATION[LayerStatus.PASS if set(plan.layers) & set(layers) else LayerStatus.SKIP]
