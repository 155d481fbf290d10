"""What a GitHub Actions runner sets up for a container action: the environment and its files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.fakes.github.state.repository import Repository

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub

INPUTS = (
    "github-token",
    "anthropic-api-key",
    "mode",
    "pull-request",
    "branch",
    "max-retries",
    "max-cost-usd",
    "skip-compile",
    "story-id",
    "model-provider",
    "anthropic-base-url",
    "sandbox",
)
"""Every input of the action: an unset one arrives as an empty text."""
_COMMAND_FILES = ("output", "state", "env", "path", "step_summary")


def actions_environment(
    github: "FakeGitHub",
    repository: Repository,
    event_name: str,
    payload: Mapping[str, Any],
    *,
    folder: Path,
    inputs: Mapping[str, str] | None = None,
    actor: str | None = None,
    run_attempt: int = 1,
) -> dict[str, str]:
    """Return the whole environment of one step, with its event and command files under `folder`.

    GITHUB_TOKEN is in no environment by itself: it comes as the input `github-token`. RUNNER_TEMP names a folder that
    is not there, as in a container action.
    """
    files = _lay_out(folder, payload)
    ref, sha = _ref(repository, event_name, payload)
    who = github.account(actor or payload.get("sender", {}).get("login", repository.owner.login))
    run_id = str(github.next_id())
    given = {**dict.fromkeys(INPUTS, ""), **(inputs or {})}
    return {
        **files,
        **_addresses(github),
        **_constants(repository),
        **_pull_part(event_name, payload),
        **{f"INPUT_{name.replace(' ', '_').upper()}": value for name, value in given.items()},
        "GITHUB_EVENT_NAME": event_name,
        "GITHUB_REF": ref,
        "GITHUB_REF_NAME": ref.removeprefix("refs/heads/").removeprefix("refs/pull/"),
        "GITHUB_REF_TYPE": "branch",
        "GITHUB_REF_PROTECTED": str(ref.removeprefix("refs/heads/") in repository.protected).lower(),
        "GITHUB_SHA": sha,
        "GITHUB_ACTOR": who.login,
        "GITHUB_ACTOR_ID": str(who.id),
        "GITHUB_TRIGGERING_ACTOR": who.login,
        "GITHUB_RUN_ID": run_id,
        "GITHUB_RUN_NUMBER": "1",
        "GITHUB_RUN_ATTEMPT": str(run_attempt),
    }


def read_outputs(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what a step wrote to GITHUB_OUTPUT, `name=value` lines and heredocs; anything else is an error.

    Format: GitHub's documentation, "Workflow commands", multiline strings.
    """
    outputs: dict[str, str] = {}
    lines = iter(Path(environment["GITHUB_OUTPUT"]).read_text(encoding="utf-8").splitlines())
    for line in lines:
        name, equals, value = line.partition("=")
        opener, heredoc, delimiter = line.partition("<<")
        if heredoc and len(opener) < len(name):
            kept = []
            while (text := next(lines)) != delimiter:
                kept.append(text)
            outputs[opener] = "\n".join(kept)
        elif equals:
            outputs[name] = value
        else:
            raise ValueError(f"invalid format {line!r}")
    return outputs


def _lay_out(folder: Path, payload: Mapping[str, Any]) -> dict[str, str]:
    for name in ("workspace", "home", "workflow", "file_commands"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    event = folder / "workflow" / "event.json"
    event.write_text(json.dumps(payload, indent=2), encoding="utf-8")
    paths = {
        "GITHUB_EVENT_PATH": event,
        "GITHUB_WORKSPACE": folder / "workspace",
        "HOME": folder / "home",
        "RUNNER_TEMP": folder / "not-mounted" / "_temp",
        "RUNNER_TOOL_CACHE": folder / "not-mounted" / "tools",
    }
    for name in _COMMAND_FILES:
        path = folder / "file_commands" / f"{name}_0"
        path.touch()
        paths[f"GITHUB_{name.upper()}"] = path
    return {name: str(path) for name, path in paths.items()}


def _ref(repository: Repository, event_name: str, payload: Mapping[str, Any]) -> tuple[str, str]:
    """Return the ref and commit that a workflow runs on.

    Source: GitHub's documentation, "Events that trigger workflows": a pull request's test merge, the branch of a
    push or dispatch, the default branch for all else.
    """
    if event_name == "pull_request":
        pull = repository.pulls[payload["number"]]
        return f"refs/pull/{pull.number}/merge", pull.merge_sha or pull.head_sha
    if event_name in {"push", "workflow_dispatch"}:
        return payload["ref"], repository.head(payload["ref"].removeprefix("refs/heads/"))
    return f"refs/heads/{repository.default_branch}", repository.head()


def _addresses(github: "FakeGitHub") -> dict[str, str]:
    return {
        "GITHUB_API_URL": github.url,
        "GITHUB_SERVER_URL": github.site,
        "GITHUB_GRAPHQL_URL": github.urls.graphql,
    }


def _constants(repository: Repository) -> dict[str, str]:
    workflow = f"{repository.full_name}/.github/workflows/fixloop.yml@refs/heads/{repository.default_branch}"
    return {
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION": "fixloop",
        "GITHUB_ACTION_REPOSITORY": "octo-apps/fixloop",
        "GITHUB_ACTION_REF": "v1",
        "GITHUB_JOB": "repair",
        "GITHUB_REPOSITORY": repository.full_name,
        "GITHUB_REPOSITORY_ID": str(repository.id),
        "GITHUB_REPOSITORY_OWNER": repository.owner.login,
        "GITHUB_REPOSITORY_OWNER_ID": str(repository.owner.id),
        "GITHUB_RETENTION_DAYS": "90",
        "GITHUB_WORKFLOW": "fixloop",
        "GITHUB_WORKFLOW_REF": workflow,
        "GITHUB_WORKFLOW_SHA": repository.head(),
        "RUNNER_ARCH": "X64",
        "RUNNER_ENVIRONMENT": "github-hosted",
        "RUNNER_NAME": "GitHub Actions 1",
        "RUNNER_OS": "Linux",
    }


def _pull_part(event_name: str, payload: Mapping[str, Any]) -> dict[str, str]:
    if event_name not in {"pull_request", "pull_request_target"}:
        return {"GITHUB_HEAD_REF": "", "GITHUB_BASE_REF": ""}
    pull = payload["pull_request"]
    return {"GITHUB_HEAD_REF": pull["head"]["ref"], "GITHUB_BASE_REF": pull["base"]["ref"]}
