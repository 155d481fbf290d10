"""The GitHub Actions job around the process: what it says, and where it takes outputs and the summary."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fixloop_bot.entrypoints.settings import SettingsError

EVENT_LIMIT = 32_000_000
"""Bytes of an event's payload; GitHub's own limit is 25 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionsJob:
    """What the runner put into the environment; see GitHub's "Variables reference"."""

    event_name: str
    payload: Mapping[str, Any]
    repository: str
    """`owner/name`."""
    api_url: str
    server_url: str
    workspace: Path
    run_id: str
    run_attempt: str
    workflow_ref: str
    """`owner/name/.github/workflows/FILE@ref`."""
    output: Path | None
    summary: Path | None

    @property
    def web_url(self) -> str:
        """Return the page of this workflow run."""
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run_id}"

    @property
    def workflow_path(self) -> str:
        """Return the workflow's file relative to the repository's root, empty where it is not known."""
        path = self.workflow_ref.partition("@")[0].removeprefix(f"{self.repository}/")
        return path if path.startswith(".github/") else ""

    def set_outputs(self, values: Mapping[str, str]) -> None:
        """Set the step's outputs, several lines allowed."""
        if self.output is None:
            return
        with self.output.open("a", encoding="utf-8") as file:
            for name, value in values.items():
                fence = f"fixloop_{secrets.token_hex(16)}"
                file.write(f"{name}<<{fence}\n{value}\n{fence}\n")

    def add_summary(self, markdown: str) -> None:
        """Append to the job's summary."""
        if self.summary is not None:
            with self.summary.open("a", encoding="utf-8") as file:
                file.write(markdown + "\n")


def read_job(env: Mapping[str, str]) -> ActionsJob:
    """Return the job; raises SettingsError where this is none, or its event cannot be read."""
    missing = [name for name in ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY") if not env.get(name)]
    if missing:
        raise SettingsError(f"this runs only in a GitHub Actions job: {', '.join(missing)} not set")
    return ActionsJob(
        event_name=env["GITHUB_EVENT_NAME"],
        payload=_payload(Path(env["GITHUB_EVENT_PATH"])),
        repository=env["GITHUB_REPOSITORY"],
        api_url=env.get("GITHUB_API_URL") or "https://api.github.com",
        server_url=(env.get("GITHUB_SERVER_URL") or "https://github.com").rstrip("/"),
        workspace=Path(env.get("GITHUB_WORKSPACE") or "."),
        run_id=env.get("GITHUB_RUN_ID", ""),
        run_attempt=env.get("GITHUB_RUN_ATTEMPT", "1"),
        workflow_ref=env.get("GITHUB_WORKFLOW_REF", ""),
        output=_file(env, "GITHUB_OUTPUT"),
        summary=_file(env, "GITHUB_STEP_SUMMARY"),
    )


def _file(env: Mapping[str, str], name: str) -> Path | None:
    return Path(env[name]) if env.get(name) else None


def _payload(path: Path) -> Mapping[str, Any]:
    try:
        if path.stat().st_size > EVENT_LIMIT:
            raise SettingsError(f"the event's payload is larger than {EVENT_LIMIT:,} bytes")
        loaded = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"the event's payload cannot be read: {error}") from None
    if not isinstance(loaded, dict):
        raise SettingsError("the event's payload is no JSON object")
    return loaded
