"""The sandbox of one run: opened before its first command, proven on a harmless one, closed after its last."""

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from fixloop_bot.adapters.process import LockedOutError, ProcessRunner
from fixloop_bot.adapters.sandbox.box import OVERRIDE, READ_SEARCH, Box
from fixloop_bot.adapters.sandbox.git_guard import GitGuard
from fixloop_bot.adapters.sandbox.guardian import Guardian
from fixloop_bot.adapters.sandbox.owners import lend
from fixloop_bot.adapters.sandbox.paths import WORK_FOLDERS, Grounds, readable, writable
from fixloop_bot.adapters.sandbox.reach import find_reach
from fixloop_bot.adapters.sandbox.registry import FOLDER
from fixloop_bot.adapters.sandbox.users import SandboxUser, take_user
from fixloop_bot.adapters.warden_host import WardenHost
from fixloop_bot.core.sandbox_level import NotGranted, granted, in_words
from fixloop_bot.model.command import CommandRequest
from fixloop_bot.model.sandbox import Demand, Reach, RunsAs

FILE_BYTES = 16 * 1024**3
OPEN_FILES = 65_536
PROOF_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """A run's sandbox."""

    words: str
    """The level reached, for log and report."""
    box: Box | None
    look_after: Callable[[], None] = lambda: None
    """To be called after each command."""
    host: WardenHost | None = None
    at_once: int | None = None
    """Commands side by side at most; None: as many as there are processors."""

    def runner(
        self, env: Mapping[str, str], scratch: Path, *, time_left: Callable[[], float] | None = None
    ) -> ProcessRunner:
        """Return what runs commands in it."""
        held = self.host or self.box
        after, at_once = self.look_after, self.at_once
        return ProcessRunner(env, scratch, box=held, time_left=time_left, afterwards=after, at_once=at_once)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where the sandbox stands."""

    grounds: Grounds
    env: Mapping[str, str]
    note: Callable[[str], None]
    moves_to: Sequence[Path] = ()
    """Folders of fixloop's state that files of the worktree may be moved to."""
    passages: Sequence[Path] = ()
    """Private folders of fixloop's own, on the way to the grounds, that commands may pass through."""
    registry: Path = FOLDER


@contextmanager
def enclose(demand: Demand, site: Site) -> Iterator[Enclosure | NotGranted]:
    """Open the sandbox that is demanded; what cannot be had is a value. All that it changed is undone at the end.

    `best` takes what holds: each step down is tried on a command before the person's own, and told.
    """
    opened = (site.grounds.root, site.grounds.scratch, *site.passages)
    reach = find_reach(site.env, (site.grounds.root, site.grounds.scratch, *site.grounds.beside), opened=opened)
    _make_work_folders(site.grounds.scratch)
    for step in _ladder(reach):
        words = granted(demand, step)
        if isinstance(words, NotGranted):
            yield words
            return
        if demand.level == "off":
            yield Enclosure(words=words, box=None)
            return
        with ExitStack() as stack:
            made = _try(demand, step, site, stack)
            if isinstance(made, Enclosure):
                yield made
                return
        site.note(f"the sandbox does not hold as it should, so the next best is tried: {made}")
    yield NotGranted("no sandbox holds on this machine", "set `sandbox` to `off` to run commands without one")


@contextmanager
def enclose_alike(held: Enclosure, site: Site) -> Iterator[Enclosure]:
    """Open a sandbox like one that is open, for the same user, on grounds that fixloop has just made itself.

    They are the user's from then on, and need not come back. Raises OSError where it does not hold.
    """
    _make_work_folders(site.grounds.scratch)
    if held.box is None:
        yield held
        return
    uid, grounds = held.box.uid, site.grounds
    box = _on_grounds(held.box, grounds, site.env) if held.box.landlock else held.box
    if uid is not None:
        _hand_over(site, uid)
    with ExitStack() as stack:
        own = [folder for folder in grounds.beside if any(folder.is_relative_to(part) for part in site.passages)]
        guard = GitGuard(grounds.root, own if uid is None else [], site.note)
        stack.callback(guard.close)
        host = WardenHost(site.env, box)
        stack.callback(host.close)
        if failure := _disproof(box, site, host):
            raise LockedOutError(failure)
        yield Enclosure(words=held.words, box=box, look_after=guard.look, host=host, at_once=held.at_once)


def _ladder(reach: Reach) -> Iterator[Reach]:
    """Yield what to try: the best first, then without another user, then without what the kernel may refuse."""
    yield reach
    if reach.runs_as is not RunsAs.SELF:
        yield replace(reach, runs_as=RunsAs.SELF, shortfall=reach.shortfall or "another user does not hold here")
    yield Reach(runs_as=RunsAs.SELF, shortfall=reach.shortfall, advice=reach.advice)


def _try(demand: Demand, reach: Reach, site: Site, stack: ExitStack) -> Enclosure | str:
    """Return the sandbox, or why it does not hold; `stack` undoes it."""
    try:
        user = _another_user(site, stack) if reach.runs_as is not RunsAs.SELF else None
        uid = user.uid if user else None
        box = _box(demand, reach, site, uid)
        with ExitStack() as otherwise:
            host = WardenHost(site.env, box)  # its interpreter starts while the files are lent
            otherwise.callback(host.close)
            if user is not None:
                _lend_files(site, user, stack)
            guard = GitGuard(site.grounds.root, _exposed(site.grounds, uid), site.note)
            stack.callback(guard.close)
            otherwise.pop_all()
        stack.callback(host.close)
        failure = _disproof(box, site, host)
    except (LockedOutError, OSError) as error:
        return str(error)
    return failure or Enclosure(words=in_words(demand, reach), box=box, look_after=guard.look, host=host)


def _another_user(site: Site, stack: ExitStack) -> SandboxUser:
    user = take_user(site.registry)
    stack.callback(user.give_up)
    return user


def _lend_files(site: Site, user: SandboxUser, stack: ExitStack) -> None:
    """Lend the user the files, and see that they come back whatever happens."""
    loan = lend(site.grounds.root, user.uid, also=site.moves_to, registry=site.registry)
    with ExitStack() as otherwise:
        otherwise.callback(loan.end)
        guardian = Guardian(loan.note, user.uid, (user.descriptor, loan.descriptor), site.env)
        otherwise.pop_all()
    stack.callback(guardian.dismiss)
    stack.callback(loan.end)
    _let_pass(site, user.uid)


def _let_pass(site: Site, uid: int) -> None:
    """Let the user through to the grounds, and give it the work folders."""
    for folder in (site.grounds.scratch, *site.passages):
        os.chown(folder, -1, uid)
        folder.chmod(0o710)
    for name in WORK_FOLDERS:
        os.chown(site.grounds.scratch / name, uid, uid)


def _hand_over(site: Site, uid: int) -> None:
    """Give the user the grounds, the top folder to its group alone, as a loan does."""
    _let_pass(site, uid)
    root = site.grounds.root
    os.chown(root, -1, uid)
    root.chmod(stat.S_IMODE(root.stat().st_mode) | stat.S_IRWXG)
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            if (folder, name) != (str(root), ".git"):
                os.chown(Path(folder, name), uid, -1, follow_symlinks=False)


def _box(demand: Demand, reach: Reach, site: Site, uid: int | None) -> Box:
    box = Box(
        uid=uid,
        reader=reach.runs_as is RunsAs.READER,
        writes_others=uid is None and os.geteuid() == 0 and site.grounds.root.stat().st_uid != 0,
        landlock=reach.landlock > 0,
        seccomp=reach.seccomp,
        network=demand.network,
        limits=_limits(demand, uid),
    )
    return _on_grounds(box, site.grounds, site.env) if box.landlock else box


def _on_grounds(box: Box, grounds: Grounds, env: Mapping[str, str]) -> Box:
    """Return the box with what Landlock lets commands read and write there."""
    as_root = box.reader or (box.uid is None and os.geteuid() == 0)
    return replace(box, readable=readable(grounds, env, as_root=as_root), writable=writable(grounds))


def _limits(demand: Demand, uid: int | None) -> dict[str, int]:
    """Return the limits; the one of processes counts a user's threads wherever they run (getrlimit(2))."""
    limits = {"CORE": 0, "FSIZE": FILE_BYTES, "NOFILE": OPEN_FILES}
    limits["NPROC"] = demand.processes + (0 if uid is not None else _threads_of(os.getuid()))
    if demand.memory_mb is not None:
        limits["DATA"] = demand.memory_mb * 1024**2
    return limits


def _threads_of(uid: int) -> int:
    found = psutil.process_iter(["uids", "num_threads"])
    return sum(one.info["num_threads"] or 1 for one in found if one.info["uids"] and one.info["uids"].real == uid)


def _disproof(box: Box, site: Site, host: WardenHost) -> str:
    """Return what a command of the sandbox could see that does not fit it, empty where all does."""
    runner = ProcessRunner(site.env, site.grounds.scratch, box=host)
    output = runner.run(
        CommandRequest(argv=("cat", "/proc/self/status"), cwd=str(site.grounds.root), timeout_s=PROOF_S)
    )
    told = dict(line.split(":", 1) for line in output.text.splitlines() if ":" in line)
    seen = {name: value.split() for name, value in told.items()}
    for name, expected in _expected(box).items():
        if seen.get(name) != expected:
            return f"{name} of a command is {' '.join(seen.get(name, ['unknown']))}, not {' '.join(expected)}"
    return ""


def _expected(box: Box) -> dict[str, list[str]]:
    """Return the fields of proc_pid_status(5) as they must be."""
    kept = 1 << OVERRIDE if box.writes_others else 0
    expected = {"NoNewPrivs": ["1"], "CapEff": [f"{1 << READ_SEARCH if box.reader else kept:016x}"]}
    if box.uid is not None:
        expected |= {name: [str(box.uid)] * 4 for name in ("Uid", "Gid")}
    if box.uid is not None or os.geteuid() == 0:
        expected["CapBnd"] = [f"{kept:016x}"]
    if box.seccomp:
        expected["Seccomp"] = ["2"]
    return expected


def _exposed(grounds: Grounds, uid: int | None) -> list[Path]:
    """Return the git directories whose permissions do not keep commands out."""
    inside = [folder for folder in grounds.beside if folder.is_relative_to(grounds.root)]
    return inside if uid is None else []


def _make_work_folders(scratch: Path) -> None:
    for name in WORK_FOLDERS:
        (scratch / name).mkdir(parents=True, exist_ok=True, mode=0o700)
