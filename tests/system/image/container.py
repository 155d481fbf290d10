"""Runs an image as the runner runs a container action: process 1 of its own, root, the capabilities that Docker leaves.

Namespaces, a bounded set of capabilities and bind mounts are as there; Docker's seccomp filter and its network are not.
"""

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.e2e.workspace import Finished
from tests.system.image.buildah import Buildah, Image

CAPABILITIES = (
    "chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "net_bind_service", "net_raw",
    "sys_chroot", "mknod", "audit_write", "setfcap",
)  # fmt: skip
"""Docker's default set."""
FOREIGN_UID = 1001
"""Whom the workspace belongs to on GitHub's own runners."""
ENTER = """\
root=$1; shared=$2; bounding=$3; shift 3
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount --bind "$shared" "$root/github"
exec setpriv --bounding-set="$bounding" --inh-caps=-all chroot "$root" /usr/bin/env -i "$@"
"""


@dataclass(frozen=True, slots=True)
class Container:
    """A container that is kept while commands run in it one after the other."""

    image: Image
    root: Path
    shared: Path
    """Appears as `/github`."""

    def action(self, environment: Mapping[str, str], *, folder: Path) -> Finished:
        """Run the image's entrypoint as a step whose files lie in `folder`, to its end."""
        with self.start(self.image.entrypoint, self.step(environment, folder)) as process:
            stdout, stderr = process.communicate(timeout=300)
            return Finished(process.returncode, stdout, stderr)

    def run(self, *command: str, **environment: str) -> Finished:
        """Run any command under the image's process 1, to its end."""
        init = self.image.entrypoint[: self.image.entrypoint.index("--") + 1]
        with self.start((*init, *command), environment) as process:
            stdout, stderr = process.communicate(timeout=300)
            return Finished(process.returncode, stdout, stderr)

    def step(self, environment: Mapping[str, str], folder: Path) -> dict[str, str]:
        """Move a step's files below `/github`, and return its environment with their paths there."""
        for path in folder.iterdir():
            target = self.shared / path.name
            shutil.rmtree(target, ignore_errors=True)
            shutil.move(path, target)
        shutil.chown(self.shared / "workspace", FOREIGN_UID, FOREIGN_UID)
        kept = {name: value for name, value in environment.items() if name not in self.image.environment}
        return {name: value.replace(f"{folder}/", "/github/") for name, value in kept.items()}

    @contextmanager
    def start(self, command: Sequence[str], environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
        """Start a command as process 1; whatever is left of it ends with the block."""
        bounding = ",".join(["-all", *(f"+{name}" for name in CAPABILITIES)])
        variables = [f"{name}={value}" for name, value in (dict(self.image.environment) | dict(environment)).items()]
        place = ("-C", "/github/workspace") if (self.shared / "workspace").is_dir() else ("-C", "/")
        inside = (
            "sh",
            "-euc",
            ENTER,
            "enter",
            str(self.root),
            str(self.shared),
            bounding,
            *place,
            *variables,
            *command,
        )
        unshare = ("unshare", "--pid", "--fork", "--kill-child", "--mount", "--uts", "--ipc")
        process = subprocess.Popen(
            [*unshare, *inside], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate()


def process_one(process: subprocess.Popen[str]) -> psutil.Process:
    """Return the container's process 1, once it is the image's own."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for child in psutil.Process(process.pid).children():
            if child.name() == "tini":
                return child
        time.sleep(0.02)
    raise AssertionError("the container did not start")


def stop(process: subprocess.Popen[str]) -> Finished:
    """Do what `docker stop` does, with the patience that a cancelled job has, and return how the command ended."""
    process_one(process).send_signal(signal.SIGTERM)
    stdout, stderr = process.communicate(timeout=20)
    return Finished(process.returncode, stdout, stderr)


@contextmanager
def opened(buildah: Buildah, image: Image, shared: Path) -> Iterator[Container]:
    """Make a container, and take it away afterwards."""
    name = buildah.container(image)
    try:
        root = buildah.mount(name)
        (root / "github").mkdir()
        shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
        shared.mkdir(parents=True)
        yield Container(image, root, shared)
    finally:
        buildah.remove(name)
