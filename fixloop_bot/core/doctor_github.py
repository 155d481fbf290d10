"""What a check-up finds on GitHub."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from fixloop_bot.model.doctor import Finding, HubFacts, HubUnseen, Level, Writer
from fixloop_bot.model.workflow import BadWorkflow, WorkflowFile


@dataclass(frozen=True, slots=True)
class Need:
    """A permission, what it is for, and how bad it is without."""

    permission: str
    purpose: str
    level: Level = Level.ERROR
    tells: bool = True
    """A token can be asked for it; else the workflow alone says."""


CHECKS: Final = "checks: write"
NEEDS: Final = (
    Need("contents: write", "push the repairs"),
    Need("pull-requests: write", "report on the pull request"),
    Need(CHECKS, "show the result as a check run"),
    Need("issues: write", "keep a sweep's dashboard issue", Level.WARNING, tells=False),
    Need("actions: read", "read the logs of failed jobs", Level.WARNING),
    Need("statuses: read", "see what other checks say", Level.WARNING),
)
"""What fixloop's requests need, by GitHub's description of its API; the names are those of a workflow file."""

EVENTS: Final[Mapping[str, str]] = {
    "pull_request": "a new or changed pull request starts no run",
    "workflow_run": "a failed workflow starts no run",
    "issue_comment": "commands in comments are not heard",
    "issues": "boxes ticked in the dashboard of sweeps are not heard",
    "check_run": "the buttons of the check run do nothing",
    "schedule": "there is no sweep",
    "workflow_dispatch": "nobody can start a run by hand",
}
"""Events that the installed workflow listens to, and what is missing without each."""

_GRANT: Final = "Add it under `permissions:` of the job that uses fixloop (`fixloop init --print` shows all of them)."
_SETTINGS: Final = (
    "Settings > Actions > General > Workflow permissions: choose `Read and write permissions`, and name what is needed "
    "under `permissions:` of the job."
)
_RANK: Final = {"read": 1, "write": 2, "admin": 2}


def hub_findings(hub: HubFacts | HubUnseen) -> Iterator[Finding]:
    """Yield what was found on GitHub, or why nothing was."""
    if isinstance(hub, HubUnseen):
        yield Finding(id="token", level=Level.ERROR, title="GitHub was not looked at", detail=hub.reason, mend=hub.mend)
        return
    yield Finding(id="token", level=Level.OK, title=f"The token is valid for {hub.repository} ({hub.writer})")
    yield from _access(hub)
    yield _workflow_pushes(hub)
    yield _starts_checks(hub)
    yield from _protection(hub)
    yield from _workflow(hub)


def _access(hub: HubFacts) -> Iterator[Finding]:
    for need in filter(lambda one: one.tells, NEEDS):
        allowed, name = hub.access.get(need.permission), f"permission-{need.permission.partition(':')[0]}"
        if allowed:
            yield Finding(id=name, level=Level.OK, title=f"The token has `{need.permission}`")
        elif allowed is None:
            title = f"Whether the token has `{need.permission}` cannot be seen"
            yield Finding(id=name, level=Level.WARNING, title=title, mend=f"See that it may {need.purpose}.")
        else:
            title = f"The token lacks `{need.permission}`"
            detail = f"fixloop needs it to {need.purpose}."
            yield Finding(
                id=name, level=_severity(need, hub), title=title, detail=detail, mend=_grant(hub.writer, need)
            )


def _severity(need: Need, hub: HubFacts) -> Level:
    """Return how bad it is: that a person's token can write no check run says nothing of the workflow's own token."""
    return Level.WARNING if hub.writer is Writer.PERSON and need.permission == CHECKS else need.level


def _grant(writer: Writer, need: Need) -> str:
    match writer:
        case Writer.ACTIONS:
            return _SETTINGS
        case Writer.APP:
            return "Grant it in the settings of the GitHub App, and accept it where the App is installed."
        case Writer.PERSON if need.permission == CHECKS:
            return "GitHub keeps check runs to Apps: use GITHUB_TOKEN in a workflow, or a GitHub App's token."
        case Writer.PERSON:
            return "Give the token that permission (a classic token: scope `repo`), and its owner write access."


def _workflow_pushes(hub: HubFacts) -> Finding:
    name = "permission-workflows"
    if hub.may_change_workflows:
        return Finding(id=name, level=Level.OK, title="The token may push changes of workflow files")
    sure = hub.may_change_workflows is False
    title = f"The token {'may not' if sure else 'may or may not'} push changes of workflow files"
    detail = "A repair that touches .github/workflows is left out of the push and offered as a patch."
    mend = "Where that matters: a GitHub App with `workflows: write`, or a classic token with scope `workflow`."
    return Finding(id=name, level=Level.WARNING, title=title, detail=detail, mend=mend)


def _starts_checks(hub: HubFacts) -> Finding:
    if hub.writer is not Writer.ACTIONS:
        return Finding(id="ci-after-push", level=Level.OK, title="fixloop's pushes start the repository's workflows")
    return Finding(
        id="ci-after-push",
        level=Level.WARNING,
        title="fixloop's pushes start no workflow",
        detail="GitHub starts none for what GITHUB_TOKEN pushes, so required checks stay open on fixloop's commits.",
        mend="Act as a GitHub App: the variable FIXLOOP_APP_CLIENT_ID and the secret FIXLOOP_APP_PRIVATE_KEY of the "
        "installed workflow (`fixloop init` says how).",
    )


def _protection(hub: HubFacts) -> Iterator[Finding]:
    name, branch = "default-branch", hub.default_branch
    if hub.protected is None:
        title = f"Whether `{branch}` is protected cannot be seen"
        yield Finding(id=name, level=Level.WARNING, title=title, mend="Protect it: Settings > Branches.")
    elif not hub.protected:
        title, detail = f"`{branch}` is not protected", "fixloop never pushes to it, but others may."
        mend = "Settings > Branches: protect it, so that changes come as pull requests with their checks."
        yield Finding(id=name, level=Level.WARNING, title=title, detail=detail, mend=mend)
    else:
        yield Finding(id=name, level=Level.OK, title=f"`{branch}` is protected; fixloop proposes pull requests for it")
    if hub.protected is not False and hub.writer is Writer.ACTIONS:
        title = "Whether GITHUB_TOKEN may open pull requests cannot be seen"
        detail = "Repairs of protected branches are proposed as pull requests."
        mend = "Settings > Actions > General: tick `Allow GitHub Actions to create and approve pull requests`."
        yield Finding(id="may-propose", level=Level.WARNING, title=title, detail=detail, mend=mend)


def _workflow(hub: HubFacts) -> Iterator[Finding]:
    """Yield what is wrong with the installed workflow; a person's or an App's own service needs none."""
    seen, path = hub.workflow, hub.workflow_path
    if seen is None:
        title = f"`{hub.default_branch}` has no {path}"
        there = f"Commit and push {path} to `{hub.default_branch}`."
        mend = there if hub.workflow_is_local else f"Run `fixloop init`, then commit and push {path}."
        yield Finding(id="workflow", level=Level.ERROR, title=title, mend=mend)
    elif isinstance(seen, BadWorkflow):
        mend = "Write it anew: `fixloop init --force`."
        yield Finding(id="workflow", level=Level.ERROR, title=f"{path} cannot be read", detail=seen.reason, mend=mend)
    elif not seen.uses_fixloop:
        mend = "Write it anew (`fixloop init --force`), or add the step."
        yield Finding(id="workflow", level=Level.ERROR, title=f"No step of {path} uses fixloop", mend=mend)
    elif seen.placeholder:
        title, mend = f"{path} still names the placeholder `replace--me`", "Put the Action's own name in its place."
        yield Finding(id="workflow", level=Level.ERROR, title=title, mend=mend)
    else:
        yield Finding(id="workflow", level=Level.OK, title=f"{path} is installed")
        yield from _events(seen)
        yield from _granted(seen)


def _events(seen: WorkflowFile) -> Iterator[Finding]:
    missing = [name for name in EVENTS if name not in seen.events]
    for name in missing:
        title = f"The workflow does not listen to `{name}`: {EVENTS[name]}"
        mend = f"Add `{name}:` under `on:`; `fixloop init --print` shows how."
        yield Finding(id=f"event-{name}", level=Level.WARNING, title=title, mend=mend)
    if not missing:
        yield Finding(id="events", level=Level.OK, title="The workflow listens to every event that fixloop acts on")


def _granted(seen: WorkflowFile) -> Iterator[Finding]:
    granted = seen.permissions
    if granted is None:
        title = "The workflow leaves `permissions:` to the repository's setting, which may be read-only"
        yield Finding(id="workflow-permissions", level=Level.WARNING, title=title, mend=_GRANT)
        return
    lacking = [need for need in NEEDS if not _covers(granted, need.permission)]
    for need in lacking:
        title = f"The workflow does not grant `{need.permission}`"
        detail = f"fixloop needs it to {need.purpose}."
        name = f"workflow-permission-{need.permission.partition(':')[0]}"
        yield Finding(id=name, level=need.level, title=title, detail=detail, mend=_GRANT)
    if not lacking:
        title = "The workflow grants every permission that fixloop needs"
        yield Finding(id="workflow-permissions", level=Level.OK, title=title)


def _covers(granted: Mapping[str, str], permission: str) -> bool:
    name, _, level = permission.partition(": ")
    given = max(_RANK.get(granted.get(name, ""), 0), _RANK.get(granted.get("*", ""), 0))
    return given >= _RANK[level]
