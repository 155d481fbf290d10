"""The folded parts of a report: for those who want to know more."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fixloop_bot.core.render.escape import code, fence, log_fence, prose
from fixloop_bot.core.render.limits import Section
from fixloop_bot.core.render.tables import cost_table
from fixloop_bot.core.render.words import count
from fixloop_bot.model.diagnostic import Diagnostic, Level
from fixloop_bot.model.report import Failing, GuardFinding, Report

MOST_FINDINGS = 20
RECORDS_TITLE = "Repair record ("
"""By which `core.render.told` finds the records again."""
_SHOWN_FAILURES = 3


def folded(summary: str, body: str) -> str:
    """Return a part that opens at a touch; `summary` is plain text of fixloop's own."""
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>" if body else ""


def failures_list(failing: Failing) -> str:
    """Return the first few diagnostics, so that a phone shows what is wrong without opening anything."""
    errors = [item for item in failing.diagnostics if item.level is Level.ERROR]
    lines = [_failure(item) for item in errors[:_SHOWN_FAILURES]]
    more = failing.error_count - len(lines)
    return "\n".join((*lines, f"- and {more:,} more") if lines and more > 0 else lines)


def excerpt_section(failing: Failing) -> Section:
    """Return the failing output, folded; its end stays longest."""
    title = f"What {prose(failing.layer, 40)} says ({count(failing.error_count, 'error')})"
    lines = failing.excerpt.rstrip("\n").split("\n")

    def last(most: int, characters: int) -> str:
        kept = "\n".join(line[:characters] for line in lines[-most:])
        return folded(title, log_fence(kept)) if kept.strip() else ""

    return Section(last(100, 1_000), ((40, last(40, 300)), (65, last(10, 200)), (75, "")))


def cost_section(report: Report) -> Section:
    """Return the cost table, folded."""
    return Section(folded("Cost", cost_table(report)) if report.costs else "", ((78, ""),))


def attribution_section(found: Sequence[str]) -> Section:
    """Return what was seen when the failing checks ran again before any money was spent."""
    lines = [f"- {prose(words, 300)}" for words in found]
    few = [*lines[:5], *([f"- and {len(lines) - 5:,} more"] if len(lines) > 5 else [])]
    return Section("\n".join(("**Looked at again first:**", *few)) if lines else "", ((73, ""),))


def budgets_section(budgets: Sequence[str]) -> Section:
    """Return the budgets that come to their end, so that people hear of it before one is used up."""
    told = "; ".join(prose(words, 300) for words in budgets)
    return Section(f"**Money:** {told}." if told else "", ((74, ""),))


def guard_section(findings: Sequence[GuardFinding]) -> Section:
    """Return what the guard found, most severe first."""
    if not findings:
        return Section("")
    order = ("critical", "high", "medium")
    ranked = sorted(findings, key=lambda f: order.index(f.severity) if f.severity in order else len(order))
    lines = [_finding(finding) for finding in ranked]
    few = [*lines[:5], *([f"- and {len(lines) - 5:,} more"] if len(lines) > 5 else [])]
    more = [f"- and {len(lines) - MOST_FINDINGS:,} more"] if len(lines) > MOST_FINDINGS else []
    head = "**Findings of the guard:**"
    return Section("\n".join((head, *lines[:MOST_FINDINGS], *more)), ((72, "\n".join((head, *few))),))


def evidence_section(report: Report) -> Section:
    """Return what was run and how it ended, so that anybody can run it again."""
    title = "Evidence: commands, exit codes, output hashes"
    listed = report.evidence[:60]
    sandbox = f"Sandbox: {prose(report.surroundings.sandbox)}.\n\n" if report.surroundings.sandbox else ""
    body = sandbox + (log_fence("\n".join(line[:500] for line in listed)) if listed else "")
    return Section(folded(title, body), ((30, ""),))


def records_section(records: Sequence[Mapping[str, Any]]) -> Section:
    """Return the repair records as JSON, folded; all of them, else the last, else none."""
    if not records:
        return Section("")
    whole = folded(f"{RECORDS_TITLE}{count(len(records), 'attempt')}, JSON)", _json(records))
    last = folded(f"{RECORDS_TITLE}last attempt, JSON)", _json(records[-1:]))
    none = "<sub>The repair records are too long for this page; they are in the state folder.</sub>"
    return Section(whole, ((10, last), (20, none)))


def _json(records: Sequence[Mapping[str, Any]]) -> str:
    return fence(json.dumps(list(records), indent=1, ensure_ascii=True, default=str), "json")


def _failure(item: Diagnostic) -> str:
    place = f"{item.path}:{item.line}" if item.path and item.line else item.path or item.test_id or ""
    rule = f" ({prose(item.rule_id, 60)})" if item.rule_id else ""
    message = prose(item.message.strip().split("\n", 1)[0], 200)
    return f"- {code(place, 200)}{rule} {message}" if place else f"- error{rule}: {message}"


def _finding(finding: GuardFinding) -> str:
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path or "the change"
    return f"- {prose(finding.severity, 20)} {code(finding.rule_id, 60)} {code(place, 200)}: {prose(finding.message)}"
