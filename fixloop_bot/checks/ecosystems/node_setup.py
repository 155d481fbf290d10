"""How a package's dependencies would be installed: exactly as its lock file says, where it has one."""

from fixloop_bot.checks.ecosystems.node_package import DEPENDENCIES, Package
from fixloop_bot.checks.ecosystems.snapshot import folder, table

LOCKED = {
    "npm": "npm ci",
    "pnpm": "pnpm install --frozen-lockfile",
    "yarn": "yarn install --immutable",
    "bun": "bun install --frozen-lockfile",
}
CLASSIC_YARN = "yarn install --frozen-lockfile"
CLASSIC_MARK = "# yarn lockfile v1"
"""How yarn 1 begins its lock file."""


def node_setup(package: Package) -> str:
    """Return the shell line; empty where there is nothing to install, or a lock file above this package rules."""
    lock = package.lock_file
    if not lock:
        needs = any(table(package.manifest, key) for key in DEPENDENCIES)
        return f"{package.manager} install" if needs else ""
    if folder(lock) != package.path:
        return ""
    if package.manager == "yarn" and _is_classic(package, lock):
        return CLASSIC_YARN
    return LOCKED[package.manager]


def _is_classic(package: Package, lock: str) -> bool:
    version = package.declared_manager.partition("@")[2]
    return version.startswith("1.") if version else CLASSIC_MARK in package.snapshot.text(lock)[:500]
