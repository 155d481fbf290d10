"""`fixloop doctor`, and the Action's `mode: doctor`: what stands between an installation and its work."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import platformdirs

from fixloop_bot.adapters.anthropic_settings import AnthropicSettings, Provider
from fixloop_bot.adapters.git.remote_url import git_version
from fixloop_bot.adapters.github.access import GitHubAccess
from fixloop_bot.adapters.key_check import check_key
from fixloop_bot.adapters.repo_config import parse_repo_config
from fixloop_bot.adapters.sandbox.reach import find_reach
from fixloop_bot.adapters.workflow_yaml import parse_workflow
from fixloop_bot.app.check_up import Patient, Seen, look_at
from fixloop_bot.app.look_up import CONFIG_FILE
from fixloop_bot.core.defuse import defused, json_text
from fixloop_bot.core.doctor import find, worst
from fixloop_bot.core.redact import redact_json, redactor
from fixloop_bot.core.render.check_up import to_json, to_markdown, to_text
from fixloop_bot.core.workflow_file import WORKFLOW_PATH
from fixloop_bot.entrypoints.action_inputs import ActionInputs
from fixloop_bot.entrypoints.action_stage import action_settings
from fixloop_bot.entrypoints.actions_job import ActionsJob
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.provider import provider_settings
from fixloop_bot.entrypoints.settings import Settings, environment, load_settings
from fixloop_bot.entrypoints.shell_github import HOW_TO_GIVE_ONE, ShellGitHub, read_shell, same_repository
from fixloop_bot.model.agent import Usage
from fixloop_bot.model.config import ConfigError, RepoConfig
from fixloop_bot.model.doctor import (
    CheckUp,
    Disk,
    Finding,
    HubUnseen,
    Key,
    Level,
    MachineFacts,
    ModelFacts,
)

CONFIG_LIMIT = 1_000_000
"""Bytes of a `.fixloop.yml` in the worktree."""
SAMPLE = Usage(1_000, 1_000)


def doctor_command(arguments: argparse.Namespace) -> int:
    """Check everything that can be seen from here, and print it; the exit code says whether anything stops work."""
    env, settings, here = environment(), load_settings({}), Path.cwd()
    shell = read_shell(env, arguments.repository, here)
    own = shell.root if shell.root and same_repository(shell, here) else None
    key = settings.anthropic_api_key
    redact = redactor(tuple(filter(None, (shell.token, key.get_secret_value() if key else ""))))
    seen = _seen_from(shell, own)
    facts = CheckUp(
        machine=machine_facts(settings.state_dir),
        model=model_facts(settings, seen.config, online=arguments.online),
        hub=seen.hub,
        config=seen.config,
    )
    findings = find(facts)
    return _print(findings, redact, as_json=arguments.json)


def doctor_step(inputs: ActionInputs, job: ActionsJob, redact: Callable[[str], str]) -> int:
    """Check the installation from within a job of its own workflow; tell log and summary."""
    settings = action_settings(inputs)
    token = inputs.github_token.get_secret_value() if inputs.github_token else ""
    shell = ShellGitHub(
        full_name=job.repository, token=token, api_url=job.api_url, server_url=job.server_url, root=None
    )
    seen = _seen_from(shell, None, workflow_path=job.workflow_path or WORKFLOW_PATH)
    facts = CheckUp(
        machine=machine_facts(job.workspace),
        model=model_facts(settings, seen.config, online=False),
        hub=seen.hub,
        config=seen.config,
    )
    findings = find(facts)
    sys.stdout.write(defused(redact(to_text(findings))))
    job.add_summary(redact(to_markdown(findings)))
    return _exit_code(findings)


def machine_facts(state_dir: Path | None) -> MachineFacts:
    """Return what this machine has."""
    state = state_dir or platformdirs.user_state_path("fixloop", appauthor=False)
    return MachineFacts(
        python=(sys.version_info.major, sys.version_info.minor),
        git=git_version(),
        disks=(_disk("work", Path(tempfile.gettempdir())), _disk("state", state)),
        reach=find_reach(environment()),
    )


def model_facts(settings: Settings, config: RepoConfig | ConfigError | None, *, online: bool) -> ModelFacts:
    """Return what is known of key and prices; `online` asks the provider for the list of models, which is free."""
    rules = config if isinstance(config, RepoConfig) else RepoConfig()
    provider = provider_settings(settings, rules, environment())
    priced = _priced(provider, rules)
    if provider.provider is not Provider.ANTHROPIC:
        lacks = provider.missing()
        return ModelFacts(
            key=Key.CLOUD, said=lacks.detail if lacks else "", mend=lacks.advice if lacks else "", priced=priced
        )
    given = provider.api_key
    key, said = (Key.GIVEN, "") if given else (Key.ABSENT, "")
    if given and online:
        key, said = check_key(given, settings.anthropic_base_url or "")
    return ModelFacts(
        key=key,
        key_shaped=given.startswith("sk-ant-"),
        own_address=bool(settings.anthropic_base_url),
        said=said,
        priced=priced,
    )


def _priced(provider: AnthropicSettings, config: RepoConfig) -> dict[str, bool]:
    book = provider.price_book()
    used = {alias: provider.model_id(alias) for alias in (config.models.repair, config.models.escalated)}
    return {model_id: book.price(model_id, SAMPLE, alias) is not None for alias, model_id in used.items()}


def _seen_from(shell: ShellGitHub, own: Path | None, *, workflow_path: str = WORKFLOW_PATH) -> Seen:
    """Return what GitHub tells, and where it cannot be asked what the worktree has."""
    if not shell.token:
        return Seen(hub=HubUnseen(reason="There is no token.", mend=HOW_TO_GIVE_ONE), config=_local_config(own))
    seen = _look(shell.access, workflow_path, is_local=own is not None and (own / workflow_path).is_file())
    return Seen(hub=seen.hub, config=_local_config(own)) if isinstance(seen.hub, HubUnseen) else seen


def _look(access: GitHubAccess, workflow_path: str, *, is_local: bool) -> Seen:
    from fixloop_bot.adapters.github.forge import GitHubForge  # noqa: PLC0415 - PyGithub takes 0.4 s to import
    from fixloop_bot.adapters.github.probe import PermissionProbe  # noqa: PLC0415

    with GitHubForge(access) as forge, PermissionProbe(access) as probe:
        patient = Patient(
            forge=forge,
            probe=probe,
            parse_config=parse_repo_config,
            parse_workflow=parse_workflow,
            workflow_path=workflow_path,
            workflow_is_local=is_local,
        )
        return look_at(patient)


def _local_config(own: Path | None) -> RepoConfig | ConfigError | None:
    """Return what the worktree's own `.fixloop.yml` says, None where there is none; no link is followed."""
    path = own / CONFIG_FILE if own else None
    if path is None or path.is_symlink() or not path.is_file():
        return None
    with path.open("rb") as file:
        return parse_repo_config(file.read(CONFIG_LIMIT).decode("utf-8", "replace"), CONFIG_FILE)


def _disk(purpose: str, path: Path) -> Disk:
    """Return the free space where the folder is, or would be made."""
    there = next((folder for folder in (path, *path.parents) if folder.is_dir()), path)
    try:
        return Disk(purpose=purpose, path=str(path), free_bytes=shutil.disk_usage(there).free)
    except OSError:
        return Disk(purpose=purpose, path=str(path), free_bytes=None)


def _print(findings: tuple[Finding, ...], redact: Callable[[str], str], *, as_json: bool) -> int:
    if as_json:
        value = redact_json(to_json(findings, worst(findings)), redact)
        sys.stdout.write(json_text(value) + "\n")
    else:
        sys.stdout.write(defused(redact(to_text(findings))))
    return _exit_code(findings)


def _exit_code(findings: tuple[Finding, ...]) -> int:
    return ExitCode.FAULT if worst(findings) is Level.ERROR else ExitCode.DONE
