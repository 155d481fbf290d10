"""What validates a worktree: `.fixloop.yml` over what was detected."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from fixloop_bot.core.visual import LEFT_OUT, visual_check
from fixloop_bot.model.command import Check, Fixer, PassedOver, Plan
from fixloop_bot.model.config import LayerConfig, RepoConfig
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.visual import VisualMode

DEFAULT_TIMEOUT_S: Mapping[Layer, float] = {Layer.TEST: 1800.0}
OTHER_TIMEOUT_S = 600.0
IDLE_TIMEOUT_S = 300.0
ALWAYS_EXPLAINED = (Layer.COMPILE, Layer.LINT, Layer.TEST)

Settings = Mapping[tuple[str, Layer], LayerConfig]
"""What `.fixloop.yml` says by project (`.` for the whole worktree) and layer."""


def combine(
    detected: Plan,
    config: RepoConfig,
    recognise: Callable[[str], str],
    *,
    visual: VisualMode = VisualMode.COMPARE,
) -> Plan:
    """Return the plan; `visual` says what becomes of the visual layer, if there is one.

    A layer's commands in `.fixloop.yml` replace all detected ones of that layer; under `projects` they replace those
    of that project. `recognise` names the tool of a command line.
    """
    settings = _settings(config)
    checks = [*_kept(detected.checks, settings), *_declared(settings, recognise)]
    checks = [check for check in checks if check.layer is not Layer.VISUAL or visual is not VisualMode.OFF]
    pages = visual_check(config.visual, visual)
    plan = Plan(
        project_type=detected.project_type,
        checks=tuple(sorted([*checks, *([pages] if pages else [])], key=lambda check: check.layer.rank)),
        fixers=(*_kept_fixers(detected.fixers, settings), *_declared_fixers(settings)),
        runner=config.runner,
        setup=config.setup,
        rubric=config.rubric.dimensions,
        projects=detected.projects,
        passed_over=(*detected.passed_over, *_replaced(detected.checks, settings)),
    )
    left_out = visual is VisualMode.OFF and (config.visual.pages or any(key[1] is Layer.VISUAL for key in settings))
    return replace(plan, skipped=_skipped(plan, settings) | ({Layer.VISUAL: LEFT_OUT} if left_out else {}))


def _settings(config: RepoConfig) -> Settings:
    found = {(".", layer): said for layer, said in config.layers.items()}
    for project in config.projects:
        path = project.path.strip("/").removeprefix("./") or "."
        found |= {(path, layer): said for layer, said in project.layers.items()}
    return found


def _kept(checks: tuple[Check, ...], settings: Settings) -> Iterator[Check]:
    """Yield the detected checks that nothing replaces, with the limits and variables that are set for them."""
    for check in checks:
        said = _said(settings, check.project, check.layer)
        if said is None:
            yield check
        elif not said.run and said != LayerConfig():
            yield replace(
                check,
                env={**check.env, **said.env},
                timeout_s=said.timeout or check.timeout_s,
                idle_timeout_s=said.idle_timeout or check.idle_timeout_s,
            )


def _replaced(checks: tuple[Check, ...], settings: Settings) -> Iterator[PassedOver]:
    """Yield the detected checks in whose place `.fixloop.yml` names commands, or none at all."""
    for check in checks:
        said = _said(settings, check.project, check.layer)
        if said is not None and (said.run or said == LayerConfig()):
            key = (check.project, check.layer) if settings.get((check.project, check.layer)) else (".", check.layer)
            verb = "replaces it" if said.run else "turns the layer off"
            yield PassedOver(project=check.project, what=check.source, why=f"{_source(*key)} {verb}", layer=check.layer)


def _kept_fixers(fixers: tuple[Fixer, ...], settings: Settings) -> Iterator[Fixer]:
    """Yield the detected fixers of layers that are not off and for which `.fixloop.yml` names no fixer."""
    for fixer in fixers:
        said = _said(settings, fixer.project, fixer.layer)
        if said is None or not (said.fix or said == LayerConfig()):
            yield fixer


def _said(settings: Settings, project: str, layer: Layer) -> LayerConfig | None:
    """Return what holds for a project's layer: its own settings, else the whole worktree's."""
    return settings.get((project, layer)) or settings.get((".", layer))


def _declared(settings: Settings, recognise: Callable[[str], str]) -> Iterator[Check]:
    for (project, layer), said in settings.items():
        for index, line in enumerate(said.run):
            yield Check(
                layer=layer,
                command=("sh", "-c", line),
                tool=recognise(line),
                project=project,
                source=_source(project, layer),
                env=said.env,
                timeout_s=said.timeout or DEFAULT_TIMEOUT_S.get(layer, OTHER_TIMEOUT_S),
                idle_timeout_s=said.idle_timeout or IDLE_TIMEOUT_S,
                after_success=index > 0,
            )


def _declared_fixers(settings: Settings) -> Iterator[Fixer]:
    for (project, layer), said in settings.items():
        for line in said.fix:
            yield Fixer(
                layer=layer,
                command=("sh", "-c", line),
                project=project,
                source=f"{_source(project, layer)}.fix",
                env=said.env,
                timeout_s=said.timeout or DEFAULT_TIMEOUT_S.get(layer, OTHER_TIMEOUT_S),
                idle_timeout_s=said.idle_timeout or IDLE_TIMEOUT_S,
            )


def _source(project: str, layer: Layer) -> str:
    where = "" if project == "." else f" projects {project}"
    return f".fixloop.yml{where} layers.{layer}"


def _skipped(plan: Plan, settings: Settings) -> dict[Layer, str]:
    """Say for each layer without a check why, and what would change it."""
    if plan.runner:
        return {}
    return {layer: _reason(layer, settings) for layer in ALWAYS_EXPLAINED if layer not in plan.layers}


def _reason(layer: Layer, settings: Settings) -> str:
    if settings.get((".", layer)) == LayerConfig():
        return f"`layers.{layer}` in .fixloop.yml is empty, which turns the layer off"
    return f"no command for this layer was found; name one under `layers.{layer}` in .fixloop.yml"
