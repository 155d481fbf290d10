"""A test command that means harm: it tries everything, and writes down what came of it. Runs alone, anywhere.

`python3 hostile.py TARGETS.json`: the targets say where things are; `results.json` beside it gets attack → outcome.
"""

import ctypes
import json
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

TARGETS: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text())
LIBC = ctypes.CDLL(None, use_errno=True)
REFUSED, OPEN = "refused", "open"


def ancestors() -> list[int]:
    """Return the warden, its host and fixloop."""
    pids: list[int] = []
    pid = os.getppid()
    while pid > 1 and len(pids) < 3:
        if os.getsid(pid) != os.getsid(0):
            pids.append(pid)
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pids


def tried(attempt: Callable[[], object]) -> str:
    """Return whether an attempt did what it wanted; False and an error are a refusal."""
    try:
        done = attempt()
    except (OSError, MemoryError, ValueError):  # of setrlimit: not allowed to raise
        return REFUSED
    return REFUSED if done is False else OPEN


def any_of(attempt: Callable[[Any], object], targets: list[Any]) -> str:
    return OPEN if OPEN in [tried(partial(attempt, target)) for target in targets] else REFUSED


def read(path: str) -> bool:
    return bool(Path(path).read_bytes() or True)


def write(path: str, text: str = "planted\n") -> None:
    with Path(path).open("a") as file:
        file.write(text)


def secrets_in_own_environment() -> bool:
    return any(secret in "\0".join(os.environ.values()) for secret in TARGETS["secrets"])


def peek(pid: int) -> bool:
    with Path(f"/proc/{pid}/mem").open("rb") as memory:
        return bool(memory.fileno())


def traced(pid: int) -> bool:
    attach, detach = 16, 17
    if LIBC.ptrace(attach, pid, None, None) != 0:
        return False
    os.waitpid(pid, 0)
    LIBC.ptrace(detach, pid, None, None)
    return True


def syscall(number: int, *arguments: int) -> bool:
    return bool(LIBC.syscall(number, *arguments) >= 0)


def keyring() -> bool:
    number = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
    get_keyring_id, session = 0, -3
    return syscall(number, get_keyring_id, session, 1)


def new_privileges() -> bool:
    return "NoNewPrivs:\t0" in Path("/proc/self/status").read_text()


def capabilities() -> bool:
    """Return whether there are any but that to read, which a sandbox may leave on purpose."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("CapEff"))
    return int(line.split()[1], 16) & ~4 != 0


def connected(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)


def tcp(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=5).close()


def udp(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(b"x", ("127.0.0.1", port))


def hog() -> bool:
    mmap.mmap(-1, TARGETS["memory"], flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return True


def bomb() -> str:
    """Fork until it is refused; more than was allowed is open."""
    children = 0
    for _ in range(TARGETS["forks"]):
        try:
            child = os.fork()
        except OSError:
            break
        if child == 0:
            time.sleep(60)
            os._exit(0)
        children += 1
    return "bounded" if children < TARGETS["forks"] else OPEN


def daemon() -> str:
    """Leave a process that left its session, its parent and its name behind."""
    code = "import os, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  time.sleep(60)\n"
    code += f"'{TARGETS['marker']}'"
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False)
    return "left"


def larger(name: int) -> bool:
    hard = resource.getrlimit(name)[1]
    resource.setrlimit(name, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return hard != resource.RLIM_INFINITY


def replace_git() -> None:
    Path(".git").rename(".git-moved")
    Path(".git").mkdir()


def main() -> None:
    where, above = TARGETS, ancestors()
    results = {
        "key": tried(secrets_in_own_environment),
        "environ": any_of(lambda pid: read(f"/proc/{pid}/environ"), above),
        "memory": any_of(peek, above),
        "ptrace": any_of(traced, above),
        "signal": any_of(lambda pid: os.kill(pid, signal.SIGCONT), above),
        "event": tried(lambda: read(where["event"])),
        "command-files": any_of(write, where["command_files"]),
        "state": any_of(os.listdir, [where["state"]]),
        "shadow": any_of(write, where["shadow"]),
        "home": any_of(read, where["home"]),
        "home-write": tried(lambda: write(where["bashrc"])),
        "others-read": tried(lambda: read(where["others"])),
        "others-write": tried(lambda: write(where["others"])),
        "outside": tried(lambda: write(where["outside"])),
        "mode": tried(lambda: Path(where["bashrc"]).chmod(0o600)),
        "root-socket": tried(lambda: connected(where["root_socket"])),
        "own-socket": tried(lambda: connected(where["own_socket"])),
        "hook": tried(lambda: write(".git/hooks/post-commit")),
        "fsmonitor": tried(lambda: write(".git/config", "[core]\n\tfsmonitor = ./planted\n")),
        "replace-git": tried(replace_git),
        "tcp": tried(lambda: tcp(where["port"])),
        "udp": tried(lambda: udp(where["port"])),
        "keyring": tried(keyring),
        "set-user-id": tried(new_privileges),
        "capabilities": tried(capabilities),
        "shadow-passwords": tried(lambda: read("/etc/shadow")),
        "kernel-settings": tried(lambda: write("/proc/sys/kernel/core_pattern")),
        "hog": tried(hog),
        "limits": tried(lambda: larger(resource.RLIMIT_NPROC)),
        "daemon": daemon(),
        "bomb": bomb(),
    }
    Path("results.json").write_text(json.dumps(results))
    sys.stdout.write("::set-output name=x::y\n::add-mask::z\n##[command]w\n" + f"{TARGETS['secrets'][0]}\n")
    sys.stdout.write("flood " * 5_000_000)


main()
