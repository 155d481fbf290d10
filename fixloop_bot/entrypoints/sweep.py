"""`fixloop sweep`: the Action's sweep from a shell, several targets at once."""

import argparse
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from fixloop_bot.adapters.anthropic_model import load_sdk
from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.codec import adapter
from fixloop_bot.adapters.console import PlainProgress
from fixloop_bot.adapters.github.access import GitHubAccess
from fixloop_bot.adapters.processors import processors
from fixloop_bot.adapters.repo_config import parse_repo_config
from fixloop_bot.adapters.state_folder import default_state_root
from fixloop_bot.app.look_up import base_config
from fixloop_bot.app.sweep import SweepOrder, look_over, survey
from fixloop_bot.core.doctor_github import CHECKS
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.request import MAX_COST_USD
from fixloop_bot.entrypoints.settings import Settings, SettingsError, environment, known_secrets, load_settings
from fixloop_bot.entrypoints.shell_github import ShellGitHub, read_shell
from fixloop_bot.entrypoints.sweep_target import SweptTarget
from fixloop_bot.entrypoints.sweep_telling import tell_choice, tell_end
from fixloop_bot.entrypoints.sweep_together import SweepWork, Together
from fixloop_bot.model.config import ConfigError, ConfigProblem, RepoConfig
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.sweep import Selection
from fixloop_bot.ports.forge import Forge, ForgeError

AT_ONCE: Final = 2
"""Runs for each processor: most of the time a run waits for the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What one sweep from a shell works with."""

    shell: ShellGitHub
    settings: Settings
    env: Mapping[str, str]
    redact: Callable[[str], str]
    progress: PlainProgress

    @property
    def access(self) -> GitHubAccess:
        """Return what a connection needs; raises SettingsError without a token."""
        access = self.shell.access
        return replace(access, patience=replace(access.patience, between_writes_s=self.settings.write_every))

    @property
    def state_dir(self) -> Path:
        """Return where state and records of this repository live."""
        server = self.shell.server_url.partition("://")[2]
        return self.settings.state_dir or default_state_root(f"/{server}/{self.shell.full_name}", self.env)


def sweep_command(arguments: argparse.Namespace) -> int:
    """Choose, tell on the dashboard, repair; `--dry-run` only prints the choice."""
    env, settings = environment(), load_settings({"state_dir": arguments.state_dir})
    shell = read_shell(env, arguments.repository, Path.cwd())
    redact = redactor((*known_secrets(env), *filter(None, (shell.token,))))
    sweep = Sweep(shell=shell, settings=settings, env=env, redact=redact, progress=PlainProgress(sys.stderr, redact))
    try:
        with _loading(settings, wanted=not arguments.dry_run):
            selection = _chosen(sweep, arguments)
    except ForgeError as error:
        raise SettingsError(error.advice) from None
    if arguments.dry_run:
        tell_choice(selection, redact, as_json=arguments.json)
        return ExitCode.DONE
    work = SweepWork(shell=shell, env=env, state_dir=sweep.state_dir)
    together = Together(work=work, at_once=arguments.at_once or AT_ONCE * processors())
    done = tuple(_each(together, selection, sweep, quiet=arguments.json))
    tell_end(selection, done, redact, as_json=arguments.json)
    return ExitCode.INTERRUPTED if together.stopped else _exit_code(done)


@contextmanager
def _loading(settings: Settings, *, wanted: bool) -> Iterator[None]:
    """Load meanwhile what every run needs, the provider's library above all: once here, not in each run's process."""
    has_key = settings.anthropic_api_key is not None or settings.model_provider != "anthropic"
    loading = threading.Thread(target=_load) if wanted and has_key else None
    if loading is not None:
        loading.start()
    try:
        yield
    finally:
        if loading is not None:
            loading.join()  # a process that forks must have no second thread


def _load() -> None:
    adapter(LoopState)
    load_sdk()


def _chosen(sweep: Sweep, arguments: argparse.Namespace) -> Selection:
    """Return what to run on, and write the dashboard unless this is only a look."""
    from fixloop_bot.adapters.github.forge import GitHubForge  # noqa: PLC0415 - PyGithub takes 0.4 s to import

    with GitHubForge(sweep.access) as forge:
        config = bounded_config(_config(forge), arguments.max_runs, arguments.max_usd)
        run_usd = sweep.settings.max_cost_usd if sweep.settings.max_cost_usd is not None else config.budget.run_usd
        order, clock = SweepOrder(run_usd=MAX_COST_USD if run_usd is None else run_usd), SystemClock()
        if arguments.dry_run:
            return survey(forge, config, sweep.progress, now=clock.now(), order=order)
        _see_that_it_may_report(sweep)
        return look_over(forge, config, clock, sweep.progress, order).selection


def _config(forge: Forge) -> RepoConfig:
    config = base_config(forge.repository().default_branch, forge, parse_repo_config)
    if isinstance(config, ConfigError):
        raise ConfigProblem(config)
    return config


def bounded_config(config: RepoConfig, max_runs: int | None, max_usd: float | None) -> RepoConfig:
    """Return the configuration with the caps that the shell gives in place of those of `.fixloop.yml`."""
    rules = config.sweep
    return replace(
        config,
        sweep=replace(
            rules,
            max_runs=rules.max_runs if max_runs is None else max_runs,
            max_usd=rules.max_usd if max_usd is None else max_usd,
        ),
    )


def _see_that_it_may_report(sweep: Sweep) -> None:
    """Raise SettingsError, before anything is spent, for a token that could not tell how a run ended."""
    from fixloop_bot.adapters.github.probe import PermissionProbe  # noqa: PLC0415 - imports PyGithub

    with PermissionProbe(sweep.shell.access) as probe:
        if probe.may(CHECKS) is False:
            raise SettingsError(f"the token lacks `{CHECKS}`, which GitHub gives to Apps alone; use an App's token")


def _each(together: Together, selection: Selection, sweep: Sweep, *, quiet: bool) -> Iterator[SweptTarget]:
    """Yield what came of each target, and print it."""
    for done in together.run(selection.chosen):
        if not quiet:
            sys.stdout.write(sweep.redact(done.line) + "\n")
            sys.stdout.flush()
        yield done


def _exit_code(done: tuple[SweptTarget, ...]) -> int:
    codes = {one.exit_code for one in done}
    worst = (ExitCode.INTERRUPTED, ExitCode.FAULT, ExitCode.USAGE)
    return next((code for code in worst if code in codes), ExitCode.DONE)
