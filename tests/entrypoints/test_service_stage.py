"""What a repository cannot do to a service that works for others, too; and what a run carries between machines."""

from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.checkpoints import Kept
from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.git.remote import Remote
from fixloop_bot.adapters.repo_config import parse_repo_config
from fixloop_bot.adapters.run_archive import pack_run
from fixloop_bot.adapters.state_folder import StateFolder, open_state_folder
from fixloop_bot.entrypoints.service_orders import branch_key
from fixloop_bot.entrypoints.service_stage import LONGEST_RUN_S, ServiceWorkshop, claim_here
from fixloop_bot.entrypoints.settings import Settings, load_settings
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.event import Actor, Origin, RepositoryRef
from fixloop_bot.model.ticket import RunTicket

SHOP = RepositoryRef(full_name="octo/shop", id=1)
TICKET = RunTicket(
    origin=Origin(repository=SHOP, sender=Actor(login="pat", id=1)),
    pull_request=1,
    branch="feature",
    head_sha="1" * 40,
    head_repository=SHOP,
    from_fork=False,
    base_branch="main",
    reason="opened",
    automatic=True,
    author=None,
    actor=Actor(login="pat", id=1),
)


def workshop(folder: Path, settings: Settings | None = None) -> ServiceWorkshop:
    (folder / "job").mkdir(parents=True, exist_ok=True)
    return ServiceWorkshop(
        remote=Remote(url="https://example.invalid/octo/shop.git"),
        site="https://example.invalid",
        folder=folder / "job",
        settings=settings or load_settings({}),
        state_dir=open_state_folder(folder / "records").root,
        env={},
        clock=SystemClock(),
        redact=str,
        run_id="a-run",
    )


def config(text: str) -> RepoConfig:
    found = parse_repo_config(text, ".fixloop.yml")
    assert isinstance(found, RepoConfig)
    return found


@pytest.mark.parametrize(
    ("asked", "given", "got"),
    [
        ("sandbox: {level: 'off'}", None, "best"),
        ("sandbox: {level: best}", None, "best"),
        ("sandbox: {level: strict}", None, "strict"),
        ("", None, "best"),
        ("sandbox: {level: strict}", "off", "off"),
        ("sandbox: {level: 'off'}", "strict", "strict"),
    ],
)
def test_a_repository_makes_the_sandbox_stricter_at_most(
    tmp_path: Path, asked: str, given: str | None, got: str
) -> None:
    made = workshop(tmp_path, load_settings({"sandbox": given}))
    assert made.level(config(asked)) == got


@pytest.mark.parametrize(
    ("asked", "given", "got"),
    [
        ("budget: {minutes: 1000000}", None, LONGEST_RUN_S),
        ("budget: {minutes: 5}", None, 300.0),
        ("budget: {minutes: 1000000}", 9000.0, 9000.0),
    ],
)
def test_a_repository_shortens_its_runs_at_most(tmp_path: Path, asked: str, given: float | None, got: float) -> None:
    made = workshop(tmp_path, load_settings({"timeout": given}))
    assert made.bounds(TICKET, config(asked)).timeout == got


def test_a_pull_request_from_somebody_else_s_branch_has_a_branch_of_its_own() -> None:
    victim = RepositoryRef(full_name="victim/app", id=2)
    assert branch_key("victim/app", victim, "feature") == branch_key("victim/app", None, "feature")
    assert branch_key("evil/app", victim, "feature") != branch_key("victim/app", victim, "feature")
    assert branch_key("evil/app", None, "feature") != branch_key("victim/app", None, "feature")


def records(folder: Path) -> StateFolder:
    return StateFolder(folder / "records")


def write(folder: Path, text: str) -> bytes:
    """Let the run stand so in a machine's records; return its archive."""
    state = records(folder).state("a-run")
    state.parent.mkdir(parents=True, exist_ok=True)
    state.write_text(text)
    return pack_run(records(folder), "a-run")


def test_a_run_that_comes_back_to_a_machine_goes_on_where_the_other_left_it(tmp_path: Path) -> None:
    here, there = workshop(tmp_path / "here"), workshop(tmp_path / "there")
    here.unpacked(None, 1)
    (here.folder / "clone").mkdir()
    (here.folder / "checkout.json").write_text("{}")
    first = Kept(1, write(tmp_path / "here", "one attempt"))

    there.unpacked(first, 2)
    assert there.carried
    assert records(tmp_path / "there").state("a-run").read_text() == "one attempt"
    second = Kept(2, write(tmp_path / "there", "three attempts"))

    again = workshop(tmp_path / "here")
    again.unpacked(second, 3)
    assert again.carried
    assert records(tmp_path / "here").state("a-run").read_text() == "three attempts"
    assert not (again.folder / "clone").exists()
    assert claim_here(again.folder) == 3


def test_a_run_that_only_this_machine_had_stays_as_it_is_here(tmp_path: Path) -> None:
    here = workshop(tmp_path)
    here.unpacked(None, 1)
    (here.folder / "clone").mkdir()
    kept = Kept(1, write(tmp_path, "as it was kept"))
    write(tmp_path, "a step further")
    again = workshop(tmp_path)
    again.unpacked(kept, 2)
    assert not again.carried
    assert (again.folder / "clone").exists()
    assert records(tmp_path).state("a-run").read_text() == "a step further"
    assert replace(kept, claim=2).claim == claim_here(again.folder)
