"""The engine behind every door: a worktree, a lock, a state folder and the ports, then the loop."""

import secrets
import shutil
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from fixloop_bot.adapters.codec import CodecError
from fixloop_bot.adapters.git.base import fork_of, intent_of
from fixloop_bot.adapters.git.repository import NotAWorktree, Repository, find_repository
from fixloop_bot.adapters.git.worktree import GitWorktree, open_worktree
from fixloop_bot.adapters.lock import Held, RunLock, lock_worktree
from fixloop_bot.adapters.open_run import OpenRun, forget_open_run, note_open_run
from fixloop_bot.adapters.picture_store import PictureStore
from fixloop_bot.adapters.project import GitProject
from fixloop_bot.adapters.records import FileRecords
from fixloop_bot.adapters.reserve import take_reserve
from fixloop_bot.adapters.state_folder import default_state_root, open_state_folder
from fixloop_bot.adapters.store import StoreError, open_store
from fixloop_bot.adapters.target_memory import remembered
from fixloop_bot.app.begin import Refused, begin, can_go_on, go_on
from fixloop_bot.app.close import abandon, finish
from fixloop_bot.core.ladder import higher
from fixloop_bot.core.sandbox_level import NotGranted
from fixloop_bot.entrypoints.job import Job, Site
from fixloop_bot.entrypoints.orderly import Orderly
from fixloop_bot.entrypoints.resuming import ready, resumed
from fixloop_bot.entrypoints.sandboxed import Place, refusal, sandboxed, to_demand
from fixloop_bot.entrypoints.state_place import state_root, unfinished_elsewhere
from fixloop_bot.entrypoints.wiring import to_ports
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.request import RunRequest
from fixloop_bot.model.state import LoopState, Phase
from fixloop_bot.model.visual import visual_mode
from fixloop_bot.ports import Clock, Ports, Progress


def run_job(job: Job) -> LoopState | Refused:
    """Run to the end, or to where the run waits for a person; the worktree is as it was or better.

    Raises `SettingsError` for a state folder inside the worktree, `ConfigProblem` for a `.fixloop.yml` that cannot be
    used, OSError when state cannot be written, and
    KeyboardInterrupt after the run is suspended in good order.
    """
    repository = find_repository(job.path, person_env=job.env)
    if isinstance(repository, NotAWorktree):
        return Refused(repository.reason)
    root = state_root(job.state_dir or default_state_root(repository.common_dir, job.env), repository)
    run_id = job.run_id or new_run_id(job.clock)
    lock = lock_worktree(repository.git_dir, run_id=run_id, since=job.clock.iso())
    if isinstance(lock, Held):
        return Refused(_held(lock))
    with lock:
        elsewhere = unfinished_elsewhere(repository.git_dir, root)
        return Refused(elsewhere) if elsewhere else _locked(job, repository, lock, run_id, root)


def new_run_id(clock: Clock) -> str:
    """Return a name for a run: sortable by time, unique over machines."""
    return f"{datetime.fromtimestamp(clock.now(), UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"


def _held(held: Held) -> str:
    who = f"run {held.run_id}, process {held.pid}, since {held.since}" if held.pid else "just started"
    return f"Another fixloop run holds this worktree ({who}). Wait for its end, or stop that process."


def _locked(job: Job, repository: Repository, lock: RunLock, run_id: str, root: Path) -> LoopState | Refused:
    folder = open_state_folder(root)
    worktree = open_worktree(repository, lock, shadows=folder.shadows, salvage=folder.salvages)
    if isinstance(worktree, NotAWorktree):
        return Refused(worktree.reason)
    scratch = Path(tempfile.mkdtemp(prefix="fixloop-"))
    reserve = take_reserve(folder.scratch / f"{run_id}.reserve")
    try:
        with open_store(folder.database) as store:
            pictures = PictureStore(folder.pictures(run_id), folder.root)
            site = Site(
                repository=repository,
                lock=lock,
                worktree=worktree,
                folder=folder,
                store=store,
                project=_project(job, repository, worktree, scratch, pictures),
                scratch=scratch,
                reserve=reserve,
            )
            return _on_site(job, site, run_id)
    except StoreError as error:
        return Refused(str(error))
    finally:
        reserve.release()
        shutil.rmtree(scratch, ignore_errors=True)


def _project(
    job: Job, repository: Repository, worktree: GitWorktree, scratch: Path, pictures: PictureStore
) -> GitProject:
    return GitProject(
        Path(repository.root),
        scratch=scratch,
        list_files=worktree.files,
        base_env=job.env,
        config=job.config,
        read_trusted=job.read_trusted,
        redact=job.redact,
        visual=visual_mode(skip=job.skip_visual),
        pictures=pictures,
    )


def _on_site(job: Job, site: Site, run_id: str) -> LoopState | Refused:
    config = site.project.config()
    place = Place(
        root=Path(site.repository.root),
        scratch=site.scratch,
        git=(Path(site.repository.git_dir), Path(site.repository.common_dir)),
        state=(site.folder.root,),
        moves_to=(site.folder.salvages, site.folder.shadows),
        passages=job.passages,
    )
    with sandboxed(to_demand(config, job.sandbox), place, job.env, job.progress) as held:
        if isinstance(held, NotGranted):
            return Refused(refusal(held))
        job.progress.note(f"sandbox: {held.words}")
        job.on_sandbox(held.words)
        return _sandboxed(job, replace(site, held=replace(held, at_once=job.at_once)), config, run_id)


def _sandboxed(job: Job, site: Site, config: RepoConfig, run_id: str) -> LoopState | Refused:
    records = FileRecords(site.folder, site.store, worktree=site.repository.root, redact=job.redact)
    named = job.resume is not None and bool(job.resume.run_id)
    earlier = resumed(job.resume, records) if job.resume and named else _earlier(site, records, job.progress)
    if isinstance(earlier, Refused):
        return earlier
    if earlier is None and job.resume:
        return Refused("There is no unfinished run in this worktree.")
    request = job.to_request(earlier.run_id if earlier else run_id, config, job.clock)
    site = replace(site, fork=fork_of(site.repository, job.base))
    request = replace(request, intent=job.redact(f"{job.about}\n{intent_of(site.repository, site.fork)}".strip()))
    ports = to_ports(job, site, request, config, records)
    if earlier and job.resume:
        earlier = ready(earlier, job.resume, ports)
        if isinstance(earlier, Refused) or earlier.ended:
            return earlier
    if earlier and job.resume and not can_go_on(earlier, ports):
        return Refused(f"Run {earlier.run_id} cannot go on: the worktree does not stand where it left it.")
    if earlier and not can_go_on(earlier, ports):
        _conclude(earlier, ports)
        earlier = None
        request = replace(request, run_id=run_id)
        ports = to_ports(job, site, request, config, records)
    note_open_run(site.repository.git_dir, OpenRun(request.run_id, str(site.folder.root)))
    if earlier:
        job.progress.note(f"going on with run {earlier.run_id}; its state is in {site.folder.root}")
    order = Orderly(ports, records, site.reserve, request.run_id, lambda: _reopened(job, site))
    begun = request if earlier else with_memory(request, site)
    try:
        return order.run(lambda: go_on(earlier, request, ports) if earlier else begin(begun, ports))
    finally:
        _forget_if_ended(site, records)


def with_memory(request: RunRequest, site: Site) -> RunRequest:
    """Return the request that knows what earlier runs have tried on the head, by this state folder and by the door."""
    branch = request.branch or site.worktree.branch() or ""
    known = remembered(site.store, site.folder, branch=branch, head=site.worktree.head())
    attempts = higher(known.attempts, request.earlier_attempts)
    here = {one.iteration_id for one in known.tried}
    tried = (*(one for one in request.earlier_tried if one.iteration_id not in here), *known.tried)
    return replace(request, earlier_attempts=attempts, earlier_tried=tried)


def _earlier(site: Site, records: FileRecords, progress: Progress) -> LoopState | None:
    """Return the state of an unfinished run on this worktree, None where there is none that can be read."""
    while run_id := site.store.unfinished_run(site.repository.root):
        try:
            if not records.close_ended(run_id):
                return records.load(run_id)
        except CodecError as error:
            progress.note(f"the state of run {run_id} cannot be read and is left alone: {error}")
            return None
    return None


def _conclude(earlier: LoopState, ports: Ports) -> None:
    """Write down the end of an earlier run that does not go on."""
    if earlier.phase in (Phase.DECISION_WAIT, Phase.APPROVAL_WAIT):
        abandon(earlier, ports, why="superseded by a new run before an answer came")
    elif earlier.ended:
        finish(earlier, ports)
    else:
        abandon(earlier, ports, why="the branch has moved on; a new run begins")


def _reopened(job: Job, site: Site) -> GitWorktree | None:
    """Return the worktree as it stands after somebody moved its branch; None while they are in the middle of it."""
    repository = find_repository(job.path, person_env=job.env)
    if isinstance(repository, NotAWorktree):
        return None
    opened = open_worktree(repository, site.lock, shadows=site.folder.shadows, salvage=site.folder.salvages)
    return None if isinstance(opened, NotAWorktree) else opened


def _forget_if_ended(site: Site, records: FileRecords) -> None:
    """Remove the note on an unfinished run, unless one is left that has anything in this worktree."""
    run_id = site.store.unfinished_run(site.repository.root)
    try:
        left = records.load(run_id) if run_id else None
    except CodecError:
        left = None
    if left is None or left.ended:
        forget_open_run(site.repository.git_dir)
