"""The first lines of every report: how the run stands, in one look."""

from fixloop_bot.core.render.escape import prose
from fixloop_bot.core.render.words import WHY, cost, count, name, sentence
from fixloop_bot.model.report import Report, ReportStatus

SIGN = {
    ReportStatus.RUNNING: "\u23f3",
    ReportStatus.DONE: "\u2705",
    ReportStatus.NEED_DECISION: "\u2753",
    ReportStatus.BLOCKED: "\u26d4",
    ReportStatus.FAULT: "\u26a0\ufe0f",
    ReportStatus.CANCELLED: "\u23f9\ufe0f",
}


def headline(report: Report) -> str:
    """Return the status as a heading, and a line or two below it."""
    lines = [f"### {SIGN[report.status]} {title(report)}", _below(report)]
    return "\n\n".join(line for line in lines if line)


def title(report: Report) -> str:
    """Return the status and the one thing to know of it, plain text of fixloop's own words."""
    return f"{report.status}: {_news(report)}"


def tally(report: Report) -> str:
    """Return attempts, commits and cost in one line."""
    counted = ((report.iteration, "attempt"), (len(report.commits), "commit"))
    return ", ".join((*(count(number, noun) for number, noun in counted if number), cost(report)))


def _news(report: Report) -> str:
    match report.status:
        case ReportStatus.RUNNING:
            return _progress(report)
        case ReportStatus.DONE:
            return "all validation layers passed"
        case ReportStatus.NEED_DECISION:
            asked = "needs your approval" if report.approval else "needs your decision"
            return f"{name(report.layer) or 'validation'} {asked}"
        case ReportStatus.BLOCKED:
            return _blocked(report)
        case ReportStatus.FAULT:
            return "fixloop itself failed; this says nothing about your code"
        case ReportStatus.CANCELLED:
            return "the run was ended from outside"


def _progress(report: Report) -> str:
    if not report.iteration:
        return f"{name(report.layer) or 'first look'}, {cost(report)} so far"
    layer = f"{name(report.layer)}, " if report.layer else ""
    return f"attempt {report.iteration} of {report.max_retries}, {layer}{cost(report)} so far"


def _blocked(report: Report) -> str:
    breaker = report.breaker or "stopped"
    return f"{breaker}, {name(report.layer)} still fails" if report.layer else str(breaker)


def _below(report: Report) -> str:
    match report.status:
        case ReportStatus.RUNNING:
            return prose(report.activity)
        case ReportStatus.DONE:
            return f"{tally(report)}." if report.attempts or report.commits else "There was nothing to fix. $0.00."
        case ReportStatus.NEED_DECISION:
            return f"{tally(report)} so far. Waiting costs nothing."
        case ReportStatus.BLOCKED:
            return _stopped(report)
        case ReportStatus.FAULT | ReportStatus.CANCELLED:
            why = f" {sentence(report.reason, 600)}" if report.reason else ""
            return f"{tally(report)}. Nothing unverified was pushed.{why}"


def _stopped(report: Report) -> str:
    why = WHY[report.breaker] if report.breaker else "the run ended"
    shown = f" ({report.circle})" if report.circle else ""
    again = f" A failure that was gone came back: the attempts went in a circle{shown}." if report.cycle else ""
    reason = f" Reason: {sentence(report.reason, 600)}" if _tells_more(report) else ""
    return f"{tally(report)}. It stopped because {why}.{again}{reason}"


def _tells_more(report: Report) -> bool:
    """Return whether the reason says more than the breaker's own sentence, and is not listed as missing below."""
    listed = report.failing.missing if report.failing else ()
    return bool(report.reason) and report.reason not in (*WHY.values(), "; ".join(listed))
