"""The check run on the head commit: verdict, short report, buttons, annotations."""

from collections.abc import Callable

from fixloop_bot.core.render.annotations import to_annotations
from fixloop_bot.core.render.comment import detail_sections, summary_sections
from fixloop_bot.core.render.escape import plain
from fixloop_bot.core.render.going_on import can_be_shown, frozen_patch
from fixloop_bot.core.render.headline import title
from fixloop_bot.core.render.limits import CHECK_OUTPUT, fit
from fixloop_bot.model.check_run import CheckAction, CheckRun, Conclusion
from fixloop_bot.model.outcome import TerminalState
from fixloop_bot.model.report import PatchOffered, PullRequestOpened, Report, ReportStatus, Suggested

DESCRIPTION_LIMIT = 40
TITLE_LIMIT = 200
STOP = CheckAction(label="Stop", description="End this run; verified commits stay", identifier="stop")
AGAIN = CheckAction(label="Run again", description="Start fixloop again on this head", identifier="run")
APPROVE = CheckAction(label="Approve", description="Do exactly what is shown", identifier="approve")
DENY = CheckAction(label="Deny", description="Refuse what is shown", identifier="deny")


def to_check_run(report: Report, *, in_repository: Callable[[str], bool]) -> CheckRun:
    """Return what the check run shows; `in_repository` tells whether a path can be annotated."""
    failing = report.failing
    batches = to_annotations(failing.diagnostics, in_repository=in_repository) if failing else ()
    return CheckRun(
        external_id=plain(report.run_id, 100),
        head_sha=report.head_sha,
        conclusion=conclusion(report),
        title=plain(title(report), TITLE_LIMIT),
        summary=fit(summary_sections(report), CHECK_OUTPUT),
        text=fit(detail_sections(report), CHECK_OUTPUT),
        actions=actions(report),
        annotations=batches,
    )


def conclusion(report: Report) -> Conclusion | None:
    """Return GitHub's conclusion, None for a run that goes on; a fault of fixloop's own fails nobody's commit."""
    match report.status:
        case ReportStatus.RUNNING:
            return None
        case ReportStatus.DONE if isinstance(
            report.surroundings.delivery, PatchOffered | PullRequestOpened | Suggested
        ):
            return Conclusion.ACTION_REQUIRED  # this commit itself still fails, until a person takes the repair
        case ReportStatus.DONE:
            return Conclusion.SUCCESS
        case ReportStatus.NEED_DECISION:
            return Conclusion.ACTION_REQUIRED
        case ReportStatus.BLOCKED:
            return _of_a_block(report)
        case ReportStatus.FAULT:
            return Conclusion.NEUTRAL
        case ReportStatus.CANCELLED:
            return Conclusion.CANCELLED


def _of_a_block(report: Report) -> Conclusion:
    """Return what a run that gave up says of the commit: nothing, where it had no money to begin with."""
    if report.terminal is TerminalState.ABORTED_BY_HUMAN:
        return Conclusion.CANCELLED
    unseen = report.terminal is TerminalState.FAILED_BUDGET and not report.layers and report.failing is None
    return Conclusion.NEUTRAL if unseen else Conclusion.FAILURE


def actions(report: Report) -> tuple[CheckAction, ...]:
    """Return the buttons, at most three; what is not shown cannot be approved."""
    match report.status:
        case ReportStatus.RUNNING:
            return (STOP,)
        case ReportStatus.DONE:
            return ()
        case ReportStatus.NEED_DECISION if report.approval:
            return (APPROVE, DENY, STOP) if can_be_shown(report) else (DENY, STOP)
        case ReportStatus.NEED_DECISION if frozen_patch(report) and not can_be_shown(report):
            return (STOP,)
        case ReportStatus.NEED_DECISION:
            return (_option("A", report), _option("B", report), STOP)
        case ReportStatus.BLOCKED | ReportStatus.FAULT | ReportStatus.CANCELLED:
            return (AGAIN,)


def _option(letter: str, report: Report) -> CheckAction:
    asked = report.question
    text = (asked.option_a if letter == "A" else asked.option_b) if asked else ""
    return CheckAction(
        label=f"Option {letter}",
        description=plain(text, DESCRIPTION_LIMIT) or f"Decide for option {letter}",
        identifier=f"decide-{letter.lower()}",
    )
