"""Code that means harm, run as what fixloop validates: what it gets at, as root and as an ordinary user."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from fixloop_bot.adapters.sandbox.reach import kernel
from tests.e2e.workspace import KEY, Finished, git
from tests.machine import ORDINARY_UID, ROOT, Reachable, is_root, only_a_containers_rights, reachable_python

HOSTILE = Path(__file__).with_name("hostile.py")
TABLE = ROOT / "docs" / "security-attacks.md"
TOKEN = "ghs_0123456789abcdefghijABCDEFGHIJ012345"
MEMORY = 256 * 1024**2
FORKS = 400
RULES = """\
version: 1
layers: {test: "python3 hostile.py targets.json"}
sandbox: {network: false, memory-mb: 200, processes: 150}
"""


@dataclass(frozen=True)
class Attack:
    """One attack: what it wants, what stands in its way, and what came of it elsewhere."""

    title: str
    held_by: str
    abi: int = 0
    """Version of Landlock that the outcome as an ordinary user needs; 0 for none."""


ATTACKS: Mapping[str, Attack] = {
    "key": Attack("read the model's key or GitHub's token from its environment", "an allow-listed environment"),
    "environ": Attack("read them from the environment of fixloop or a warden", "PR_SET_DUMPABLE 0, another user"),
    "memory": Attack("open the memory of fixloop or a warden", "PR_SET_DUMPABLE 0, another user"),
    "ptrace": Attack("trace fixloop or a warden", "PR_SET_DUMPABLE 0, another user"),
    "signal": Attack("signal fixloop or a warden", "another user, Landlock", 6),
    "event": Attack("read the event's payload", "Landlock", 1),
    "command-files": Attack("write to the runner's command files", "another user, Landlock", 1),
    "state": Attack("list fixloop's state", "another user, Landlock", 1),
    "shadow": Attack("change the git directory that fixloop works through", "another user, Landlock", 1),
    "home": Attack("read SSH and cloud keys in the home of fixloop's user", "another user, Landlock", 1),
    "home-write": Attack("change a file there", "another user, Landlock", 1),
    "others-read": Attack("read another run's files in /tmp", "Landlock", 1),
    "others-write": Attack("change them", "another user, Landlock", 1),
    "outside": Attack("write elsewhere in /tmp", "Landlock", 1),
    "mode": Attack("change the mode of a person's file outside of the worktree", "another user"),
    "root-socket": Attack("connect to a Docker socket that is root's", "another user, no capabilities"),
    "own-socket": Attack("connect to a socket that fixloop's own user may use", "another user"),
    "hook": Attack("plant a git hook", "another user; else put back afterwards"),
    "fsmonitor": Attack("plant a program in git's configuration", "another user; else put back afterwards"),
    "replace-git": Attack("put another `.git` in place of the repository's", "put back afterwards"),
    "tcp": Attack("connect over TCP (`network: false`)", "seccomp, Landlock"),
    "udp": Attack("send over UDP, loopback too (`network: false`)", "seccomp"),
    "keyring": Attack("look into the kernel's keyrings", "seccomp"),
    "set-user-id": Attack("gain rights by a set-user-ID program", "no new privileges"),
    "capabilities": Attack("use capabilities", "all dropped, the bounding set too"),
    "shadow-passwords": Attack("read /etc/shadow", "another user, Landlock"),
    "kernel-settings": Attack("change the kernel's settings", "another user, Landlock"),
    "hog": Attack("take more memory than `sandbox.memory-mb`", "RLIMIT_DATA"),
    "limits": Attack("raise its own limits", "hard limits"),
    "daemon": Attack("leave a daemon behind", "a subreaper; as root an end of the user"),
    "bomb": Attack("fork without end", "RLIMIT_NPROC"),
    "stands": Attack("have a hook, a setting or another `.git` stand afterwards", "permissions, the guard of `.git`"),
    "owners": Attack("leave a file behind that is not the person's", "owners are given back"),
    "flood": Attack("flood the log (30 MB)", "bounded capture"),
    "leak": Attack("have a secret, or a workflow command, printed by fixloop", "redaction, defused lines"),
}

HEADINGS = "attack | what stands in its way | as root | as an ordinary user"
ABOUT = """\
# What code that means harm gets at

Written by `tests/e2e/test_hostile.py`, which runs each of these as the test command of a repository under
`fixloop run`, and compares (`FIXLOOP_GOLDEN=write` records it anew). The kernel had Landlock 7. "As root" is the
container action: commands get a user of their own. "As an ordinary user" they share fixloop's. `open` is what
remains; [security.md](security.md) says what that means.
"""


@dataclass(frozen=True)
class Stage:
    """A folder with everything that harm could be done to, and a user that fixloop runs as."""

    folder: Path
    python: Reachable
    uid: int
    in_container: bool = False

    @property
    def root(self) -> Path:
        return self.folder / "repository"

    def environment(self) -> dict[str, str]:
        files = {f"GITHUB_{name}": str(self.folder / "runner" / name) for name in ("OUTPUT", "ENV")}
        return {
            "PATH": f"{self.python.bin}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.folder / "home"),
            "ANTHROPIC_API_KEY": KEY,
            "GITHUB_TOKEN": TOKEN,
            "GITHUB_EVENT_PATH": str(self.folder / "runner" / "event.json"),
            "GIT_CONFIG_NOSYSTEM": "1",
            **files,
            **self.python.env,
        }

    def fixloop(self, *arguments: str) -> Finished:
        command = [str(self.python.executable), "-m", "fixloop_bot", *arguments]
        user: dict[str, Any] = {"user": self.uid, "group": self.uid, "extra_groups": []} if self.uid else {}
        if self.in_container:
            user = {"preexec_fn": only_a_containers_rights}
        done = subprocess.run(
            command, capture_output=True, text=True, env=self.environment(), cwd="/", timeout=120, check=False, **user
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    def file(self, name: str, text: str, *, mode: int = 0o600) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return str(path)


@pytest.fixture(scope="module")
def python() -> Iterator[Reachable]:
    folder = Path(tempfile.mkdtemp(prefix="test-python-"))
    folder.chmod(0o755)
    yield reachable_python(folder)
    shutil.rmtree(folder)


@contextmanager
def stage_as(uid: int, python: Reachable, *, in_container: bool = False) -> Iterator[Stage]:
    folder = Path(tempfile.mkdtemp(prefix="test-hostile-"))
    folder.chmod(0o755)
    try:
        yield Stage(folder, python, uid, in_container)
    finally:
        shutil.rmtree(folder)


def users() -> list[Any]:
    """Return whom fixloop can be run as here: root and an ordinary user, or whoever runs the tests."""
    if not is_root():
        return [pytest.param(os.geteuid(), False, id="as a user")]
    return [
        pytest.param(0, False, id="as root"),
        pytest.param(0, True, id="as root with the rights of a container action"),
        pytest.param(ORDINARY_UID, False, id="as a user"),
    ]


def prepare(stage: Stage, sockets: Mapping[str, str], port: int) -> None:
    """Lay out secrets, state, another run, and the repository with the code that means harm."""
    home = stage.folder / "home"
    runner = stage.folder / "runner"
    targets = {
        "secrets": [KEY, TOKEN],
        "event": stage.file("runner/event.json", "{}", mode=0o644),
        "command_files": [stage.file(f"runner/{name}", "") for name in ("OUTPUT", "ENV")],
        "state": str(stage.folder / "state"),
        "shadow": [str(stage.folder / "state" / "run-state.db"), str(stage.folder / "state" / "RUNLOG.md")],
        "home": [stage.file("home/.ssh/id_ed25519", "key"), stage.file("home/.aws/credentials", "key")],
        "bashrc": stage.file("home/.bashrc", "", mode=0o644),
        "others": stage.file("fixloop-other/tmp/file", "theirs", mode=0o644),
        "outside": str(stage.folder / "outside"),
        "port": port,
        "memory": MEMORY,
        "forks": FORKS,
        "marker": str(stage.folder),
        **sockets,
    }
    stage.file("repository/hostile.py", HOSTILE.read_text(), mode=0o644)
    stage.file("repository/targets.json", json.dumps(targets), mode=0o644)
    stage.file("repository/.fixloop.yml", RULES, mode=0o644)
    stage.file("repository/.gitignore", "results.json\n.git-moved\n", mode=0o644)
    (stage.folder / "state").mkdir(mode=0o700)
    person = ("-c", "user.name=Pat", "-c", "user.email=pat@example.org")
    for arguments in (["init", "-q"], ["add", "-A"], [*person, "commit", "-qm", "x"]):
        git(stage.root, *arguments)
    if stage.uid and is_root():
        for path in (home, runner, stage.root, stage.folder / "state", stage.folder / "fixloop-other"):
            for part in (path, *path.rglob("*")):
                os.chown(part, stage.uid, stage.uid, follow_symlinks=False)


@contextmanager
def listeners(stage: Stage) -> Iterator[tuple[Mapping[str, str], int]]:
    """Listen where Docker would, for root and for fixloop's user, and on a TCP port."""
    with ExitStack() as stack:
        paths = {}
        for name, uid in (("root_socket", 0), ("own_socket", stage.uid)):
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(str(stage.folder / name))
            server.listen()
            if is_root():
                os.chown(stage.folder / name, uid, uid)
            (stage.folder / name).chmod(0o600)
            paths[name] = str(stage.folder / name)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        yield paths, int(tcp.getsockname()[1])


def living(marker: str) -> list[int]:
    found = psutil.process_iter(["cmdline", "status"])
    alive = [one for one in found if one.info["status"] != psutil.STATUS_ZOMBIE]
    return [one.pid for one in alive if marker in " ".join(one.info["cmdline"] or [])]


def seen_afterwards(stage: Stage, done: Finished) -> dict[str, str]:
    """Return what stands when fixloop is gone."""
    config = (stage.root / ".git" / "config").read_text() if (stage.root / ".git" / "config").is_file() else "planted"
    planted = (stage.root / ".git/hooks/post-commit").exists() or "planted" in config
    foreign = [path for path in stage.root.rglob("*") if path.lstat().st_uid != stage.uid]
    told = done.stdout + done.stderr
    obeyed = [line for line in told.splitlines() if line.startswith("::") or "##[" in line]
    return {
        "stands": "open" if planted else "put back",
        "owners": "open" if foreign else "given back",
        "flood": "bounded" if len(told) < 200_000 else "open",
        "leak": "open" if obeyed or KEY in told or TOKEN in told else "refused",
    }


@pytest.mark.parametrize(("uid", "in_container"), users())
def test_code_that_means_harm_gets_at_what_the_table_says(uid: int, in_container: bool, python: Reachable) -> None:
    with stage_as(uid, python, in_container=in_container) as stage, listeners(stage) as (sockets, port):
        prepare(stage, sockets, port)
        done = stage.fixloop("run", "--worktree-path", str(stage.root), "--state-dir", str(stage.folder / "state"))
        assert done.line.startswith("DONE: All validation layers passed. Iterations: 0."), done.stderr[-3000:]
        results = json.loads((stage.root / "results.json").read_text())
        results |= seen_afterwards(stage, done)
        results["daemon"] = "ended" if living(str(stage.folder)) == [] else "open"
        assert git(stage.root, "-c", "safe.directory=*", "status", "--porcelain") == ""
    assert set(results) == set(ATTACKS)
    assert_as_recorded(results, column=0 if uid == 0 else 1)


def assert_as_recorded(results: Mapping[str, str], *, column: int) -> None:
    """Compare with the document's column; FIXLOOP_GOLDEN=write writes it."""
    table = read_table()
    if os.environ.get("FIXLOOP_GOLDEN") == "write":
        for name, outcome in results.items():
            table[name][column] = outcome
        TABLE.write_text(to_document(table), encoding="utf-8")
    has, _ = kernel()
    comparable = {name for name, attack in ATTACKS.items() if has >= attack.abi}
    recorded = {name: table[name][column] for name in comparable}
    assert {name: results[name] for name in comparable} == recorded


def read_table() -> dict[str, list[str]]:
    """Return attack → outcomes as root and as a user, of the document."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")]
    outcomes = {row[0]: row[2:] for row in rows}
    return {name: outcomes.get(attack.title, ["", ""]) for name, attack in ATTACKS.items()}


def to_document(table: Mapping[str, list[str]]) -> str:
    """Return the document."""
    rows = [" | ".join((attack.title, attack.held_by, *table[name])) for name, attack in ATTACKS.items()]
    return "\n".join([ABOUT, *(f"| {row} |" for row in (HEADINGS, "---|---|---|---", *rows)), ""]).replace(
        "| ---", "|---"
    )


def test_the_document_has_every_attack_and_no_other() -> None:
    assert TABLE.read_text(encoding="utf-8") == to_document(read_table())
