"""A PostgreSQL server of our own, in a folder that goes with it."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fakes.until import ended, until
from tests.system.toolchains import install

BINARIES = Path("/usr/lib/postgresql")
SETTINGS = ("fsync=off", "full_page_writes=off", "shared_buffers=32MB", "max_connections=60")


class Postgres:
    """A running server; it may be stopped and started again."""

    def __init__(self, folder: Path, port: int, user: str | None) -> None:
        self.folder, self.port, self._user = folder, port, user
        self._process: subprocess.Popen[str] | None = None

    def url(self, name: str = "postgres") -> str:
        return f"postgresql://fixloop:wonderland@127.0.0.1:{self.port}/{name}"

    def fresh(self, name: str) -> str:
        """Make an empty database and return its address."""
        self._run("createdb", "-h", str(self.folder), "-p", str(self.port), "-U", "fixloop", name)
        return self.url(name)

    def start(self) -> None:
        command = [_program("postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), "-p", str(self.port)]
        options = [word for setting in SETTINGS for word in ("-c", setting)]
        self._process = subprocess.Popen(
            [*command, "-h", "127.0.0.1", *options],
            user=self._user,
            cwd=self.folder,
            text=True,
            stderr=subprocess.DEVNULL,
        )
        until(self._answers, self._process)

    def stop(self, *, signal_number: int = 2) -> None:
        """Stop; 2 (SIGINT) is the server's fast shutdown, 9 a crash."""
        assert self._process is not None
        self._process.send_signal(signal_number)
        self._process.wait(30)

    def end(self) -> None:
        """Stop it if it runs."""
        if self._process is not None and self._process.poll() is None:
            with ended(self._process):
                self.stop()

    def prepare(self) -> None:
        """Make the cluster, with a password as in a real one."""
        secret = self.folder / "password"
        secret.write_text("wonderland\n")
        secret.chmod(0o644)
        self._run(
            "initdb", "-D", str(self.folder / "data"), "-U", "fixloop", "--pwfile", str(secret), "-A", "md5", "-N"
        )

    def _answers(self) -> bool:
        try:
            self._run("psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "fixloop", "-c", "SELECT 1", "postgres")
        except subprocess.CalledProcessError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        env = {"PGPASSWORD": "wonderland", "LC_ALL": "C.UTF-8", "PATH": os.defpath}
        command = [_program(program), *arguments]
        subprocess.run(command, user=self._user, cwd=self.folder, env=env, check=True, capture_output=True)


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Install PostgreSQL where it is missing, and run a server for the block."""
    if not any(BINARIES.glob("*/bin/initdb")):
        install({"/usr/share/doc/postgresql": "postgresql"})
    folder = Path(tempfile.mkdtemp(prefix="fixloop-postgres-"))
    server = Postgres(folder, _free_port(), "postgres" if os.geteuid() == 0 else None)
    if os.geteuid() == 0:
        shutil.chown(folder, pwd.getpwnam("postgres").pw_name)
    try:
        server.prepare()
        server.start()
        yield server
    finally:
        server.end()
        shutil.rmtree(folder, ignore_errors=True)


def _program(name: str) -> str:
    return str(max(BINARIES.glob(f"*/bin/{name}")))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
