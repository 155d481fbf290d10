"""An explanation of what would run, for a terminal."""

from collections.abc import Iterator

from fixloop_bot.core.as_typed import command_line
from fixloop_bot.core.explain import KEYS, passed_over
from fixloop_bot.core.render.escape import plain
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.explanation import Explanation
from fixloop_bot.model.layer import Layer

WIDTH = 400
"""Characters of one text."""


def to_text(told: Explanation) -> str:
    """Return the explanation as lines."""
    parts = (
        _head(told),
        *(_layer(told, layer) for layer in told.layers),
        _left(told),
        _ci(told),
        _setup(told),
        _keys(),
    )
    return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part))) + "\n"


def _head(told: Explanation) -> Iterator[str]:
    kind = told.plan.project_type
    yield f"Project type: {plain(kind, WIDTH)}." if kind != "unknown" else "No project that fixloop knows was found."
    if told.plan.runner:
        yield f"{plain(told.plan.runner, WIDTH)} validates in the place of everything below (`runner`)."
    for number, line in enumerate(told.plan.setup, 1):
        yield f"Before the first check, setup {number}: {plain(line, WIDTH)}"


def _layer(told: Explanation, layer: Layer) -> Iterator[str]:
    plan = told.plan
    checks = [check for check in plan.checks if check.layer is layer]
    if plan.runner:
        return
    yield f"{layer}:" if checks else f"{layer}: skipped: {plain(plan.skipped.get(layer, 'it is off'), WIDTH)}"
    for number, check in enumerate(checks, 1):
        yield from _check(number, check)
    for fixer in (fixer for fixer in plan.fixers if fixer.layer is layer):
        yield _fixer(fixer)


def _check(number: int, check: Check) -> Iterator[str]:
    where = "" if check.project == "." else f"in {plain(check.project, WIDTH)}: "
    yield f"  {number}. {where}{plain(command_line(check.command), WIDTH)}"
    after = ", if the one before it passed" if check.after_success else ""
    yield f"     because: {plain(check.source, WIDTH) or 'it is configured'}; at most {check.timeout_s:.0f} s{after}"


def _fixer(fixer: Fixer) -> str:
    where = "" if fixer.project == "." else f"in {plain(fixer.project, WIDTH)}: "
    return f"  mends for free: {where}{plain(command_line(fixer.command), WIDTH)}"


def _left(told: Explanation) -> Iterator[str]:
    left = passed_over(told)
    if left:
        yield "Passed over:"
    for one in left:
        where = "" if one.project == "." else f"{plain(one.project, WIDTH)}: "
        yield f"  {where}{plain(one.what, WIDTH)}: {plain(one.why, WIDTH)}"


def _ci(told: Explanation) -> Iterator[str]:
    steps = [step for step in told.ci if step.layer in told.layers]
    if steps:
        yield "Your CI runs this, which fixloop only reads:"
    for step in steps:
        where = "" if step.folder == "." else f" in {plain(step.folder, WIDTH)}"
        place = f"{plain(step.file, WIDTH)}, job {plain(step.job, WIDTH)}"
        yield f"  {step.layer}: {plain(step.run, WIDTH)}{where} ({place})"


def _setup(told: Explanation) -> Iterator[str]:
    suggested = list(dict.fromkeys(root.setup for root in told.plan.projects if root.setup))
    if suggested and not told.plan.setup and not told.plan.runner:
        yield "Nothing is installed before the checks. These commands would do it; name them under `setup`:"
        yield from (f"  {plain(line, WIDTH)}" for line in suggested)


def _keys() -> Iterator[str]:
    yield "Keys of .fixloop.yml that change this (LAYER is compile, lint or test):"
    width = max(len(key) for key, _ in KEYS)
    yield from (f"  {key:<{width}}  {about}" for key, about in KEYS)
