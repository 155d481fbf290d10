"""Which variables of fixloop's own environment a command of the pull request gets to see."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from fixloop_bot.adapters.sandbox.box import Box

EXACT = frozenset({
    "PATH", "LANG", "LANGUAGE", "TZ", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "PYENV_VERSION",
    "JAVA_HOME", "GRADLE_HOME", "MAVEN_HOME", "M2_HOME", "GOROOT", "GOPATH", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN",
    "GOCACHE", "GOMODCACHE", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOSUMDB", "GOINSECURE", "CGO_ENABLED",
    "CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_NET_OFFLINE", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
    "GEM_HOME", "GEM_PATH", "RBENV_ROOT", "RBENV_VERSION", "BUNDLE_PATH", "BUNDLE_GEMFILE", "BUNDLE_APP_CONFIG",
    "BUNDLE_WITHOUT", "PHPRC", "PHP_INI_SCAN_DIR", "DOTNET_ROOT", "NVM_DIR", "NVM_BIN",
    "VOLTA_HOME", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "CC", "CXX", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO",
    "PIP_CERT", "PIP_INDEX_URL", "PIP_TRUSTED_HOST", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "NPM_CONFIG_REGISTRY",
    "NPM_CONFIG_CAFILE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "COREPACK_HOME", "PLAYWRIGHT_BROWSERS_PATH",
})  # fmt: skip
"""Toolchains, mirrors and certificates; compared in upper case, so `http_proxy` counts too."""

SECRET_NAME = re.compile(r"key|token|secret|passw|credential|auth", re.IGNORECASE)
OURS_NAME = re.compile(r"^(ANTHROPIC|FIXLOOP|GITHUB|INPUT|ACTIONS|RUNNER)_", re.IGNORECASE)
URL_WITH_USER = re.compile(r"://[^/@\s]*@")
"""A mirror's or proxy's address that carries credentials is a secret whatever its name."""


USER = "fixloop-sandbox"
"""Name of the user that commands run as; also in the image's passwd(5)."""
TRUSTED = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
"""For tests that call git: the repository's folder is not the sandbox user's (git-config(1), safe.directory)."""


def allowed_environment(base: Mapping[str, str], scratch: Path, box: Box | None = None) -> dict[str, str]:
    """Return what commands get of `base`, with home, temporary and cache folders of their own under `scratch`."""
    kept = {name: value for name, value in base.items() if _allowed(name) and not URL_WITH_USER.search(value)}
    is_stranger = box is not None and box.uid is not None and not box.reader
    if base.get("HOME") and not is_stranger:  # packages that a person installed for themselves stay importable
        kept["PYTHONUSERBASE"] = str(Path(base["HOME"]) / ".local")
        if (rustup := Path(base["HOME"]) / ".rustup").is_dir():  # without it, rustup's cargo finds no toolchain
            kept.setdefault("RUSTUP_HOME", str(rustup))
        if (browsers := Path(base["HOME"]) / ".cache" / "ms-playwright").is_dir():
            kept.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(browsers))
    if box is not None and box.uid is not None:
        kept |= {"USER": USER, "LOGNAME": USER, **TRUSTED, **_java_home(scratch / "home")}
    return kept | {
        "HOME": str(scratch / "home"),
        "TMPDIR": str(scratch / "tmp"),
        "CI": "1",
        "TERM": "dumb",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GOFLAGS": f"{kept.get('GOFLAGS', '')} -modcacherw".strip(),  # else its read-only folders outlive the run
    }


def _java_home(home: Path) -> dict[str, str]:
    """Return what tells a JVM its home: it asks passwd(5), not HOME, and a user without an entry gets a folder `?`."""
    return {"JDK_JAVA_OPTIONS": f'-Duser.home="{home}"', "GRADLE_USER_HOME": str(home / ".gradle")}


def moved_environment(base: Mapping[str, str], root: str, to: str) -> dict[str, str]:
    """Return the variables with every path in the worktree `root` in `to`: an environment active there is left too."""

    def moved(part: str) -> str:
        return to + part[len(root) :] if part == root or part.startswith(f"{root}/") else part

    return {name: os.pathsep.join(map(moved, value.split(os.pathsep))) for name, value in base.items()}


def without_secrets(added: Mapping[str, str]) -> dict[str, str]:
    """Return a check's own variables without those that name fixloop's or the forge's."""
    return {name: value for name, value in added.items() if not OURS_NAME.match(name)}


def _allowed(name: str) -> bool:
    if SECRET_NAME.search(name) or OURS_NAME.match(name):
        return False
    return name.upper() in EXACT or name.startswith("LC_")
