"""The programs that each flavour promises, by the command that shows each one starts."""

import re
from collections.abc import Iterator

from tests.system.image.container import Container

SLIM = ("fixloop --version", "git --version", "python --version", "rg --version")
DEFAULT = tuple(f"{name} --version" for name in ("node", "npm", "npx", "pnpm", "yarn", "uv", "uvx"))
FULL = (
    "go version", "cargo --version", "cargo clippy --version", "rustfmt --version", "javac --version", "mvn --version",
    "ruby --version", "bundle --version", "php --version", "composer --version --no-interaction", "gcc --version",
    "g++ --version", "make --version", "cmake --version", "ninja --version", "shellcheck --version", "apt-get check",
)  # fmt: skip
PROMISED = {"slim": SLIM, "default": SLIM + DEFAULT, "full": SLIM + DEFAULT + FULL}


def missing(container: Container, flavour: str) -> Iterator[str]:
    """Yield what does not start, or says no version."""
    for command in PROMISED[flavour]:
        done = container.run(*command.split(), HOME="/tmp")
        if done.code or not (command.endswith("check") or re.search(r"\d+\.\d+", done.stdout)):
            yield f"{command}: exit {done.code}: {done.stderr[-500:]}"
