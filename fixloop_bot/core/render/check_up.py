"""A check-up, for a terminal and for a page."""

from collections.abc import Mapping, Sequence

from fixloop_bot.core.render.escape import plain, prose
from fixloop_bot.model.doctor import Finding, Level

WIDTH = 600
"""Characters of one text of a finding."""
_WORD: Mapping[Level, str] = {Level.OK: "ok", Level.WARNING: "warn", Level.ERROR: "FAIL"}
_MARK: Mapping[Level, str] = {Level.OK: "\u2705", Level.WARNING: "\u26a0\ufe0f", Level.ERROR: "\u274c"}


def to_text(findings: Sequence[Finding]) -> str:
    """Return the findings as lines, each with its mend below, and a count."""
    return "\n".join([*(_lines(finding) for finding in findings), "", headline(findings)]) + "\n"


def to_markdown(findings: Sequence[Finding]) -> str:
    """Return the findings as a table, the worst first."""
    ordered = sorted(findings, key=lambda finding: -finding.level.rank)
    head = "| | Found | What to do |\n|---|---|---|"
    rows = (f"| {_MARK[one.level]} | {_found(one)} | {prose(one.mend, WIDTH)} |" for one in ordered)
    return "\n".join((f"### fixloop doctor: {headline(findings)}", "", head, *rows)) + "\n"


def to_json(findings: Sequence[Finding], level: Level) -> dict[str, object]:
    """Return the findings as a JSON value."""
    return {
        "status": str(level),
        "findings": [
            {"id": one.id, "level": str(one.level), "title": one.title, "detail": one.detail, "mend": one.mend}
            for one in findings
        ],
    }


def headline(findings: Sequence[Finding]) -> str:
    """Return how many of each level there are."""
    count = {level: sum(one.level is level for one in findings) for level in Level}
    stops = f"{count[Level.ERROR]} that stop{'s' if count[Level.ERROR] == 1 else ''} work"
    return f"{count[Level.OK]} good, {count[Level.WARNING]} to know, {stops}"


def _lines(finding: Finding) -> str:
    lines = [f"{_WORD[finding.level]:>4}  {plain(finding.title, WIDTH)}"]
    if finding.detail:
        lines.append(f"      {plain(finding.detail, WIDTH)}")
    if finding.mend:
        lines.append(f"      -> {plain(finding.mend, WIDTH)}")
    return "\n".join(lines)


def _found(finding: Finding) -> str:
    title = f"**{prose(finding.title, WIDTH)}**" if finding.level is not Level.OK else prose(finding.title, WIDTH)
    return f"{title}<br>{prose(finding.detail, WIDTH)}" if finding.detail else title
