"""From a judge's opinions to the result of the rubric layer. It can only add a failure, never take one away."""

from collections.abc import Callable, Mapping, Sequence

from fixloop_bot.core.fingerprint import fingerprint
from fixloop_bot.core.noise import Noise
from fixloop_bot.core.normalise import Masker
from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.config import RubricDimension
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus
from fixloop_bot.model.rubric import Opinion

AFFECTED = 20
"""Changed files that the agent is shown with a failing dimension."""


def judged_result(
    opinions: Sequence[Opinion],
    dimensions: Mapping[str, RubricDimension],
    *,
    judge: ModelAlias,
    changed: Sequence[str],
    exists: Callable[[str], bool],
) -> LayerResult:
    """Return what the opinions mean: a failure for each dimension below its threshold, the one furthest below first.

    `changed` are the paths of the judged diff; `exists` says whether a path is a file of the worktree.
    """
    output = "\n".join(_line(opinion, dimensions[opinion.dimension], judge) for opinion in opinions)
    below = [opinion for opinion in opinions if opinion.score < dimensions[opinion.dimension].threshold]
    if not below:
        return LayerResult(name=Layer.RUBRIC, status=LayerStatus.PASS, output=output)
    below.sort(key=lambda opinion: opinion.score - dimensions[opinion.dimension].threshold)
    found = tuple(_diagnostic(opinion, dimensions[opinion.dimension], exists) for opinion in below)
    named = (item.path for item in found if item.path)
    return LayerResult(
        name=Layer.RUBRIC,
        status=LayerStatus.FAIL,
        output=output,
        error_count=len(found),
        diagnostics=found,
        fingerprint=_identity([opinion.dimension for opinion in below]),
        affected_files=tuple(dict.fromkeys((*named, *filter(exists, changed))))[:AFFECTED],
    )


def not_judged(why: str, *, lacks: str = "") -> LayerResult:
    """Return the result of a rubric that could not be judged, which is no pass; `lacks` is what a person can mend."""
    reason = f"the rubric could not be judged: {why}"
    return LayerResult(
        name=Layer.RUBRIC,
        status=LayerStatus.ERROR,
        output=reason,
        error_count=1,
        reason=reason,
        fingerprint=_identity([]),
        missing=(lacks,) if lacks else (),
        environmental=bool(lacks),
    )


def nothing_to_judge(base: str) -> LayerResult:
    """Return the result where no change is there to be judged."""
    return LayerResult(
        name=Layer.RUBRIC, status=LayerStatus.SKIP, reason=f"nothing differs from {base[:12]}, so nothing is judged"
    )


def _line(opinion: Opinion, said: RubricDimension, judge: ModelAlias) -> str:
    verdict = "below" if opinion.score < said.threshold else "at least"
    return f"{opinion.dimension}: {opinion.score:.2f}, {verdict} {said.threshold:.2f} ({judge}): {opinion.reason}"


def _diagnostic(opinion: Opinion, said: RubricDimension, exists: Callable[[str], bool]) -> Diagnostic:
    return Diagnostic(
        path=opinion.path if opinion.path and exists(opinion.path) else None,
        rule_id=opinion.dimension,
        message=f"{opinion.dimension} scores {opinion.score:.2f}, below {said.threshold:.2f}: {opinion.reason}",
        kind=DiagnosticKind.LINT_ERROR,
    )


def _identity(dimensions: Sequence[str]) -> Fingerprint:
    """Return the identity of the failure: which dimensions fail. Score, reason and file differ each time."""
    return fingerprint(
        Layer.RUBRIC,
        tier=Tier.STRUCTURED,
        diagnostics=[Diagnostic(rule_id=name, kind=DiagnosticKind.LINT_ERROR) for name in dimensions],
        text="",
        masks=(Masker(), Noise()),
        source_line=lambda _path, _line: None,
    )
