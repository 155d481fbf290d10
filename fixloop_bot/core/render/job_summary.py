"""The job's summary page: the comment's contents and a timeline."""

from fixloop_bot.core.render.comment import detail_sections, summary_sections
from fixloop_bot.core.render.limits import JOB_SUMMARY, Section, fit
from fixloop_bot.core.render.timeline import timeline
from fixloop_bot.model.report import Report


def to_job_summary(report: Report, *, limit: int = JOB_SUMMARY) -> str:
    """Return the Markdown of one run, at most `limit` UTF-8 bytes."""
    line = Section(timeline(report), ((5, ""),))
    return fit((*summary_sections(report), line, *detail_sections(report)), limit)
