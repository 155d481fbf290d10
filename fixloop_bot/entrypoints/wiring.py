"""The ports of one run, made of adapters."""

from collections.abc import Callable

from fixloop_bot.adapters.fresh_checkouts import GitFreshCheckouts
from fixloop_bot.adapters.git.base import changed_since
from fixloop_bot.adapters.git.shadow import shadow_key
from fixloop_bot.adapters.journal import FileJournal
from fixloop_bot.adapters.records import FileRecords
from fixloop_bot.adapters.redacted_runner import RedactedRunner
from fixloop_bot.adapters.safe_files import SafeFiles
from fixloop_bot.adapters.setup_memory import FileSetupMemory
from fixloop_bot.adapters.workbench import FileWorkbench
from fixloop_bot.entrypoints.job import Job, Site
from fixloop_bot.entrypoints.protected import protection_of
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.request import RunRequest
from fixloop_bot.ports import Ports


def to_ports(job: Job, site: Site, request: RunRequest, config: RepoConfig, records: FileRecords) -> Ports:
    """Return everything that the loop speaks to."""
    deadline, clock = request.limits.deadline, job.clock
    plan = site.project.plan()
    protection = protection_of(plan, config, site.worktree.tracked)
    receipts = site.folder.receipts(request.run_id)
    transcript = receipts.with_name(f"{request.run_id}.transcript")
    files = SafeFiles(site.repository.root)

    def time_left() -> float:
        return deadline - clock.now()

    return Ports(
        clock=clock,
        plan=plan,
        project=site.project,
        runner=RedactedRunner(site.held.runner(job.env, site.scratch, time_left=time_left), job.redact),
        worktree=site.worktree,
        model=job.to_model(config, clock),
        journal=FileJournal(receipts, transcript, clock, redact=job.redact),
        records=records,
        progress=job.progress,
        workbench=lambda: FileWorkbench(
            files,
            protection,
            site.worktree.files,
            tracked=site.worktree.editable,
            on_create=lambda path: records.note_created(request.run_id, path),
        ),
        protection=protection,
        setup_memory=FileSetupMemory(
            site.repository.root,
            site.folder.setup(shadow_key(site.repository)),
            list_files=site.worktree.files,
            base_env=job.env,
        ),
        fresh_checkouts=_fresh_checkouts(job, site, config, time_left) if plan.setup else None,
        changed=changed_since(site.repository, site.fork),
    )


def _fresh_checkouts(job: Job, site: Site, config: RepoConfig, time_left: Callable[[], float]) -> GitFreshCheckouts:
    """Return where the gate works; what killed runs had left of it is gone."""
    checkouts = GitFreshCheckouts(
        repository=site.repository,
        held=site.held,
        env=job.env,
        config=config,
        closed=(site.folder.root,),
        time_left=time_left,
        redact=job.redact,
        note=job.progress.note,
        pictures=site.project.pictures,
    )
    checkouts.clear_stale()
    return checkouts
