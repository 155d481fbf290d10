"""What a person can do now: the question, its options, the commands."""

from collections.abc import Mapping

from fixloop_bot.core.render.escape import code, fence, prose, visible
from fixloop_bot.core.render.limits import FROZEN_PATCH, Section, size
from fixloop_bot.core.render.words import sentence
from fixloop_bot.model.outcome import Breaker, Question
from fixloop_bot.model.report import Pushed, Report, ReportStatus

TOOLCHAIN = """\
- take the image flavour that has it (`slim`, the default, `full`),
- or install it with a `setup:` command in `.fixloop.yml`,
- or use `host/action.yml`, which runs on the runner beside the tools that the job has set up."""

OWN_COMMIT = "What was tried is listed here. Push a commit of your own; then `/fixloop` tries again."

ADVICE: Mapping[Breaker, str] = {
    Breaker.SAFETY: "Look at the findings, and change protected files by hand if they have to change.",
    Breaker.BUDGET: "Raise `budget.run-usd` in `.fixloop.yml` or the input `max-cost-usd`; then `/fixloop` again.",
    Breaker.SAME_ERROR_RECURRENCE: OWN_COMMIT,
    Breaker.NO_PROGRESS: OWN_COMMIT,
    Breaker.MAX_RETRIES: "`/fixloop --max-retries N` tries again with more attempts (10 at most).",
    Breaker.ENVIRONMENT: f"Three ways to provide a missing tool:\n{TOOLCHAIN}\n\nThen `/fixloop` tries again.",
    Breaker.PROVIDER: "`/fixloop` tries again. If no key is set: put it into the input `anthropic-api-key`.",
    Breaker.AGENT: OWN_COMMIT,
    Breaker.NOTHING_VERIFIED: "Declare the commands under `layers:` in `.fixloop.yml`; then `/fixloop` tries again.",
    Breaker.FLAKY: "Make the check give the same answer each time; then `/fixloop` tries again.",
    Breaker.DECISION: "`/fixloop` starts again.",
    Breaker.STOPPED: "`/fixloop` starts again when you are ready.",
}


def question_section(report: Report) -> Section:
    """Return the question and its options; short ones are never left out."""
    asked = report.question
    if asked is None:
        return Section("")
    text = _question(report, 1_500)
    return Section(text, ((95, _question(report, 300)),))


def how_to_go_on(report: Report) -> str:
    """Return the commands that make sense now."""
    match report.status:
        case ReportStatus.RUNNING:
            return "`/fixloop stop` ends the run."
        case ReportStatus.DONE:
            return _revert(report)
        case ReportStatus.NEED_DECISION:
            return _answer(report)
        case ReportStatus.BLOCKED:
            return _after_block(report)
        case ReportStatus.FAULT | ReportStatus.CANCELLED:
            return "`/fixloop` tries again from the last verified commit."


def _question(report: Report, limit: int) -> str:
    asked = report.question
    if asked is None:
        return ""
    lines = [f"**Question:** {prose(asked.question, limit)}"]
    if not report.approval:
        lines += [f"- **A:** {prose(asked.option_a, limit)}{_price_a(asked)}"]
        lines += [f"- **B:** {prose(asked.option_b, limit)}{_price_b(asked)}"]
    return "\n".join(lines)


def _price_a(asked: Question) -> str:
    return " (exactly the diff below; no model call, $0.00)" if asked.patch else ""


def _price_b(asked: Question) -> str:
    return "" if asked.price_b_usd is None else f" (about ${asked.price_b_usd:.2f} an attempt)"


def verdicts_section(report: Report) -> Section:
    """Return what is thought of each failing test that the question is about."""
    verdicts = report.question.verdicts if report.question else ()
    lines = [f"- {code(line, 160)}" for line in verdicts[:10]]
    more = [f"- and {len(verdicts) - 10} more"] if len(verdicts) > 10 else []
    return Section("\n".join((*lines, *more)), ((70, ""),))


def approval_section(report: Report) -> Section:
    """Return the exact diff that waits for approval, or that option A does."""
    patch = frozen_patch(report)
    if not patch:
        return Section("")
    if size(patch) > FROZEN_PATCH:
        return Section(
            f"**The diff is too long for this page** ({len(patch):,} characters), so nobody can say yes here."
        )
    title = "Exactly this would be done:" if report.approval else "Option A, exactly:"
    hidden = (
        "" if visible(patch) == patch else "\n\n**It holds characters that cannot be seen.** Look at it in an editor."
    )
    return Section(f"{title}\n\n{fence(visible(patch), 'diff')}{hidden}")


def can_be_shown(report: Report) -> bool:
    """Return whether the whole diff stands on the page: what is not shown cannot be let be done."""
    return 0 < size(frozen_patch(report)) <= FROZEN_PATCH


def frozen_patch(report: Report) -> str:
    """Return the diff that waits for an approval, or that option A does; empty for none."""
    if report.approval:
        return report.surroundings.approval_patch
    return report.question.patch if report.question else ""


def _answer(report: Report) -> str:
    if report.approval and not can_be_shown(report):
        return (
            "`/fixloop deny` refuses it; `/fixloop stop` ends the run. It cannot be approved: there is no diff to show."
        )
    if frozen_patch(report) and not can_be_shown(report):
        return "Make the change that you decide for, and comment `/fixloop`; `/fixloop stop` ends the run."
    if report.approval:
        return "`/fixloop approve` does exactly this; `/fixloop deny` refuses it; `/fixloop stop` ends the run."
    return (
        "`/fixloop decide A` or `/fixloop decide B`, with a remark behind it if you like; `/fixloop stop` ends the run."
    )


def _revert(report: Report) -> str:
    if not isinstance(report.surroundings.delivery, Pushed):
        return ""
    layers = dict.fromkeys(item.layer for item in report.commits if item.layer.isalpha())
    commands = ", ".join(f"`/fixloop revert {layer}`" for layer in layers)
    return f"Each commit can be taken back alone: {commands}." if commands else ""


def _advice(report: Report, *, told: bool) -> str:
    """Return what helps in general; where no tool is missing and a suggestion is told, that is what helps.

    A budget's suggestion says which budget it is: to raise another would not help.
    """
    if report.breaker in (Breaker.ENVIRONMENT, Breaker.BUDGET) and told:
        return "Then `/fixloop` tries again."
    return ADVICE[report.breaker] if report.breaker else ""


def _after_block(report: Report) -> str:
    missing = report.failing.missing if report.failing else ()
    lines = [f"- missing: {prose(item, 120)}" for item in missing[:10]]
    own = f"Suggestion: {sentence(report.suggestion)}" if report.suggestion and not missing else ""
    parts = ("\n".join(lines), own, _advice(report, told=bool(own)), _revert(report))
    return "\n\n".join(part for part in parts if part)
