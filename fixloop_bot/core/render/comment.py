"""The one comment on a pull request: short first, the rest folded."""

from collections.abc import Sequence

from fixloop_bot.core.render.delivery import delivery_section
from fixloop_bot.core.render.details import (
    attribution_section,
    budgets_section,
    cost_section,
    evidence_section,
    excerpt_section,
    failures_list,
    guard_section,
    records_section,
)
from fixloop_bot.core.render.escape import code
from fixloop_bot.core.render.going_on import approval_section, how_to_go_on, question_section, verdicts_section
from fixloop_bot.core.render.headline import headline
from fixloop_bot.core.render.limits import COMMENT, Section, fit
from fixloop_bot.core.render.link import commit_link, link
from fixloop_bot.core.render.marker import marker
from fixloop_bot.core.render.tables import attempts_section, commits_list, layers_line
from fixloop_bot.core.render.waiting import waiting_block
from fixloop_bot.model.report import Report


def to_comment(report: Report, *, limit: int = COMMENT) -> str:
    """Return the comment's Markdown, at most `limit` UTF-8 bytes; marker and status always stand."""
    return fit((Section(marker(report)), *summary_sections(report), *detail_sections(report), _waiting(report)), limit)


def summary_sections(report: Report) -> Sequence[Section]:
    """Return what everybody reads: status, question, delivery, what fails, how to go on."""
    failing = report.failing
    return (
        Section(headline(report)),
        question_section(report),
        verdicts_section(report),
        approval_section(report),
        delivery_section(report),
        Section(commits_list(report), ((60, commits_list(report, most=3)),)),
        Section(layers_line(report.layers[:10])),
        Section(failures_list(failing) if failing else "", ((77, ""),)),
        attribution_section(report.attribution),
        guard_section(report.surroundings.guard),
        budgets_section(report.surroundings.budgets),
        Section(how_to_go_on(report)),
    )


def detail_sections(report: Report) -> Sequence[Section]:
    """Return the attempts and what is folded below them."""
    return (
        attempts_section(report),
        excerpt_section(report.failing) if report.failing else Section(""),
        cost_section(report),
        evidence_section(report),
        records_section(report.records),
        Section(_footer(report)),
    )


def _waiting(report: Report) -> Section:
    """Return what an answer needs; only the question itself is dearer."""
    return Section(waiting_block(report), ((97, ""),))


def _footer(report: Report) -> str:
    links = report.surroundings.links
    run = link("Run", links.run) if links.run else "Run"
    minutes = f", {report.minutes:.0f} min" if report.minutes >= 1 else ""
    head = f" on {commit_link(report.head_sha, links)}" if report.head_sha else ""
    return f"<sub>{run} {code(report.run_id, 100)}{head}, updated {code(report.updated_at, 40)}{minutes}</sub>"
