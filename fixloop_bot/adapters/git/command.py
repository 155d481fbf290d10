"""The one gateway to git: argument vectors, a minimal environment, time limits, and errors that tell everything."""

import os
import shutil
import signal
import subprocess
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ISOLATED: Mapping[str, str] = {
    "LC_ALL": "C",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_ADVICE": "0",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": ":",
}
"""No configuration but the repository's own, no question to a terminal, paths taken literally."""

_SHOWN = 2_000
"""Characters of each stream that an error shows."""


class GitError(Exception):
    """A git command that failed; the message holds command, exit code and both streams, shortened."""

    def __init__(self, argv: tuple[str, ...], code: int | None, stdout: bytes, stderr: bytes) -> None:
        """Keep all of it; `code` None means that git ran into the time limit or could not be started."""
        self.argv = argv
        self.code = code
        self.stdout = stdout
        self.stderr = stderr
        command = " ".join(argv)
        super().__init__(f"{command}\nexit code: {code}\nstdout: {_shown(stdout)}\nstderr: {_shown(stderr)}")


@dataclass(frozen=True, slots=True)
class Completed:
    """What a git command printed and how it ended."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def text(self) -> str:
        """Return standard output without its last newline; bytes that are no UTF-8 become surrogates."""
        return os.fsdecode(self.stdout.removesuffix(b"\n"))

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the NUL-separated entries of standard output."""
        return tuple(entry for entry in os.fsdecode(self.stdout).split("\0") if entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """Git in one directory with one environment; `options` stand before the subcommand."""

    cwd: str
    options: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = 300.0

    def run(
        self,
        *argv: str,
        stdin: bytes = b"",
        ok: Container[int] = (0,),
        env: Mapping[str, str] | None = None,
    ) -> Completed:
        """Run `git argv`; raises `GitError` for an exit code that is not in `ok`, and at the time limit."""
        command = ("git", *self.options, *argv)
        environment = {**ISOLATED, "PATH": _search_path(), **self.env, **(env or {})}
        done = _communicate(command, stdin, self.cwd, environment, self.timeout_s)
        if done.code not in ok:
            raise GitError(command, done.code, done.stdout, done.stderr)
        return done

    def text(self, *argv: str, env: Mapping[str, str] | None = None) -> str:
        """Run `git argv` and return what it printed, without the last newline."""
        return self.run(*argv, env=env).text


def nul_separated(paths: Iterable[str]) -> bytes:
    """Return the paths as git's `-z` options read them."""
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def _communicate(
    command: tuple[str, ...],
    stdin: bytes,
    cwd: str,
    env: Mapping[str, str],
    timeout_s: float,
) -> Completed:
    """Run to the end; at the time limit the whole process group is killed."""
    try:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise GitError(command, None, b"", os.fsencode(str(error))) from error
    with process:
        try:
            stdout, stderr = process.communicate(stdin, timeout=timeout_s)
        except subprocess.TimeoutExpired as error:
            os.killpg(process.pid, signal.SIGKILL)
            raise GitError(command, None, b"", f"no end after {timeout_s:g} s".encode()) from error
    return Completed(process.returncode, stdout, stderr)


def _search_path() -> str:
    """Return a PATH that has git and the system's own folders, nothing else."""
    program = shutil.which("git")
    own = [str(Path(program).parent)] if program else []
    return os.pathsep.join([*own, *os.defpath.split(os.pathsep)])


def _shown(stream: bytes) -> str:
    text = stream.decode("utf-8", "replace").strip()
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2]} … {text[-_SHOWN // 2 :]}"
