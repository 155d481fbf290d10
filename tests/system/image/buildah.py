"""Builds the Dockerfile with buildah; a Debian root made with mmdebstrap stands in for the pinned base image."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.system.toolchains import install

ROOT = Path(__file__).parents[3]
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
PACKAGES = {
    **{program: program for program in ("buildah", "crun", "fuse-overlayfs", "mmdebstrap")},
    "newuidmap": "uidmap",
    KEYS: "debian-archive-keyring",
}
"""By the program, or the file, that shows each one is there."""
SUITE = "trixie"
STAND_IN = "localhost/fixloop-base-stand-in"
INCLUDED = "ca-certificates,python3,python3-pip,python3-venv"
LEFT_OUT = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
DOCKERFILE = """\
FROM scratch
ADD root.tar /
COPY files /
RUN rm -f /usr/lib/python3*/EXTERNALLY-MANAGED \\
 && ln -s /usr/bin/python3 /usr/local/bin/python && ln -s /usr/bin/python3 /usr/local/bin/python3 \\
 && ln -s /usr/bin/pip3 /usr/local/bin/pip
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
CMD ["python3"]
"""


@dataclass(frozen=True, slots=True)
class Image:
    """A built image."""

    tag: str
    megabytes: int
    """Size of its layers, unpacked, in units of 1,000,000 bytes."""
    entrypoint: tuple[str, ...]
    environment: Mapping[str, str]


class Buildah:
    """One storage folder; what is in it already is not built again."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(tempfile.gettempdir()) / f"fixloop-image-build-{os.getuid()}"
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        install(PACKAGES)

    def build(self, flavour: str) -> Image:
        """Build one flavour, as `docker build --build-arg FLAVOUR=…` would; stages without use are left out."""
        if not self._has(STAND_IN):
            self._make_stand_in()
        tag = f"localhost/fixloop:{flavour}"
        options = ("--network", "host", "--pull-never", "--layers", "--from", STAND_IN, "--format", "docker")
        self._run("bud", "--isolation", "chroot", *options, "--build-arg", f"FLAVOUR={flavour}", "-t", tag, str(ROOT))
        return self._inspect(tag)

    def container(self, image: Image) -> str:
        """Return the id of a new container of the image."""
        return self._run("from", "--pull-never", image.tag).strip()

    def mount(self, container: str) -> Path:
        """Return the container's root as a folder of this machine."""
        return Path(self._run("mount", container).strip())

    def remove(self, container: str) -> None:
        """Remove a container and what was written in it."""
        self._run("rm", container)

    def _inspect(self, tag: str) -> Image:
        config = json.loads(self._run("inspect", "--type", "image", tag))["Docker"]["config"]
        listed = json.loads(self._run("images", "--json", "--filter", f"reference={tag}"))
        environment = dict(variable.split("=", 1) for variable in config["Env"])
        return Image(tag, _megabytes(listed[0]["size"]), tuple(config["Entrypoint"]), environment)

    def _has(self, tag: str) -> bool:
        return bool(json.loads(self._run("images", "--json", "--filter", f"reference={tag}") or "[]"))

    def _make_stand_in(self) -> None:
        context = self._folder / "base"
        shutil.rmtree(context, ignore_errors=True)
        certificates = context / "files" / CERTIFICATES.relative_to("/")
        certificates.parent.mkdir(parents=True)
        left_out = [f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT]
        options = ("--quiet", "--variant=minbase", f"--include={INCLUDED}", *left_out)
        _call("mmdebstrap", *options, SUITE, str(context / "root.tar"), *_mirror())
        shutil.copyfile(CERTIFICATES, certificates)
        (context / "Dockerfile").write_text(DOCKERFILE)
        self._run("bud", "--isolation", "chroot", "-t", STAND_IN, str(context))
        shutil.rmtree(context)

    def _run(self, *arguments: str) -> str:
        storage = ("--root", str(self._folder / "store"), "--runroot", str(self._folder / "run"))
        return _call("buildah", *storage, "--storage-driver", os.environ.get("STORAGE_DRIVER", "overlay"), *arguments)


def _mirror() -> tuple[str, ...]:
    """Return the Debian mirror that this machine's own apt uses, if it uses one."""
    wanted = ("Created-By: Packages", "Origin: Debian", "Component: main")
    found = _call("apt-get", "indextargets", "--format", "$(REPO_URI)", *wanted).split()
    return tuple(found[:1])


def _megabytes(shown: str) -> int:
    number, unit = shown.split()
    return round(float(number) * {"KB": 0.001, "MB": 1, "GB": 1000}[unit])


def _call(*command: str) -> str:
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        ["nice", *command], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout
