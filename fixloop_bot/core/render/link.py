"""Links to addresses that fixloop itself knows; a text of another shape is never made one."""

import re

from fixloop_bot.core.render.escape import code
from fixloop_bot.model.report import Links, PullRequestOpened, Pushed, Report

_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~%/:?=&-]{1,500}", re.ASCII)
_SHA = re.compile(r"[0-9a-f]{7,64}", re.ASCII)


def link(shown: str, address: str) -> str:
    """Return a link whose Markdown text is `shown`, or only that where the address is none."""
    return f"[{shown}]({address})" if _ADDRESS.fullmatch(address) else shown


def commit_link(sha: str, links: Links) -> str:
    """Return the short commit id, linked where the repository's address is known; safe in a table cell."""
    if not _SHA.fullmatch(sha):
        return "none"
    return link(code(sha[:7]), f"{links.repository}/commit/{sha}")


def published(report: Report) -> Links:
    """Return the links for commits of fixloop's: none while nobody else can see them."""
    there = isinstance(report.surroundings.delivery, Pushed | PullRequestOpened)
    return report.surroundings.links if there else Links()
