"""What became of the commits."""

from fixloop_bot.core.redact import MASK
from fixloop_bot.core.render.escape import code, fence, prose, visible
from fixloop_bot.core.render.limits import Section, size
from fixloop_bot.core.render.link import link
from fixloop_bot.core.render.words import count
from fixloop_bot.model.report import (
    NothingDelivered,
    PatchOffered,
    PullRequestOpened,
    Pushed,
    Report,
    Suggested,
)

HOW_TO_APPLY = "Save it as `fixloop.patch` and run `git apply --index fixloop.patch`."
LARGEST_PATCH = 60_000
"""Bytes of a patch that are shown in a comment."""


def delivery_section(report: Report) -> Section:
    """Return where the commits are; a patch is shown whole or not at all."""
    match report.surroundings.delivery:
        case NothingDelivered():
            return Section("")
        case Pushed(branch=branch, patch=patch):
            return _with_rest(_pushed(report, branch), patch)
        case PullRequestOpened(number=number, url=url, patch=patch):
            return _with_rest(f"The commits wait in {link(f'pull request {number}', url)}.", patch)
        case Suggested(count=number, patch=patch):
            there = f"The change stands as {count(number, 'suggestion')} on the changed files."
            return _with_patch(f"{there} This part found no place there:" if patch else there, patch, "")
        case PatchOffered(patch=patch, reason=reason, url=url):
            why = f" ({prose(reason)})" if reason else ""
            return _with_patch(f"fixloop could not push here{why}. The verified change:", patch, url)


def _pushed(report: Report, branch: str) -> str:
    told = f"Pushed to {code(branch)}."
    if report.surroundings.ci_started is None:
        return told
    if report.surroundings.ci_started:
        return f"{told} Your checks started on it."
    return (
        f"{told} **No check of yours started on it**: what is pushed with the workflow's own token starts none. "
        "Close and reopen the pull request, or let fixloop push with a GitHub App's token."
    )


def _with_rest(told: str, patch: str) -> Section:
    return _with_patch(f"{told} This part the token may not push:" if patch else told, patch, "")


def _with_patch(told: str, patch: str, url: str) -> Section:
    if not patch:
        return Section(told)
    whole = f" {link('Here it is whole', url)}." if url else ""
    short = f"{told} it is too long to be shown here ({size(patch):,} bytes).{whole}"
    if size(patch) > LARGEST_PATCH:
        return Section(short)
    return Section(f"{told}\n\n{patch_block(patch)}", ((85, short),))


def patch_block(patch: str) -> str:
    """Return a patch with how to apply it, or with the warning that what is shown is not all of it."""
    shown = visible(patch)
    hint = HOW_TO_APPLY
    if shown != patch:
        hint = "**It holds characters that cannot be shown**; take it from the job's files."
    elif MASK in patch:
        hint += f" Where it says `{MASK}`, a secret may have been taken out; then take it from the job's files."
    return f"{fence(shown, 'diff')}\n\n{hint}"
