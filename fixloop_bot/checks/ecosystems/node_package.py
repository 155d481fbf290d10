"""One package.json and what stands around it: its scripts, its package manager, its tools."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.snapshot import Snapshot, ancestors, join, table

LOCK_FILES = (
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
)
RUN = {
    "npm": ("npm", "run", "--silent"),
    "pnpm": ("pnpm", "--silent", "run"),
    "yarn": ("yarn", "run"),
    "bun": ("bun", "run", "--silent"),
}
DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
ESLINT_FILES = (
    *(f"eslint.config.{end}" for end in ("js", "mjs", "cjs", "ts", "mts", "cts")),
    *(f".eslintrc{end}" for end in ("", ".js", ".cjs", ".mjs", ".json", ".yml", ".yaml")),
)
PLACEHOLDER = "no test specified"
"""What `npm init` writes as the test script."""
CALL = re.compile(r"(?:npm run|npm run-script|yarn|yarn run|pnpm|pnpm run|bun run)(?: -s| --silent)? ([\w:.-]+)")
MAX_CALLS = 3
MAX_PATTERNS = 200
MAX_PATTERN = 200
"""Characters of a workspace pattern."""
MUTATES = re.compile(r"--fix\b|--write\b")


@dataclass(frozen=True, slots=True)
class Package:
    """One package.json of a repository."""

    snapshot: Snapshot
    path: str
    """Its folder, relative to the worktree."""
    files: tuple[str, ...]
    """The package's own files, relative to it."""
    manifest: Mapping[str, object]

    def script(self, name: str) -> str:
        """Return the text of a script, empty where there is none that could serve as a check."""
        text = table(self.manifest, "scripts").get(name)
        if not isinstance(text, str) or PLACEHOLDER in text or MUTATES.search(text):
            return ""
        return text

    def resolved(self, name: str) -> str:
        """Return what a script runs in the end, where it does nothing but call another one."""
        text = self.script(name)
        for _ in range(MAX_CALLS):
            call = CALL.fullmatch(text.strip())
            if not call or not self.script(call[1]):
                return text
            text = self.script(call[1])
        return text

    def run(self, name: str) -> tuple[str, ...]:
        """Return the command that runs a script with the project's package manager."""
        return (*RUN[self.manager], name)

    @property
    def manager(self) -> str:
        """Return the package manager: what `packageManager` declares, else the nearest lock file's, else npm."""
        folders = (self.path, *ancestors(self.path))
        for place in folders:
            declared = self.snapshot.json(join(place, "package.json")).get("packageManager")
            name = declared.partition("@")[0] if isinstance(declared, str) else ""
            if name in RUN:
                return name
            for lock, manager in LOCK_FILES:
                if self.snapshot.has(join(place, lock)):
                    return manager
        return "npm"

    def depends(self, name: str) -> bool:
        """Return whether the package itself declares the dependency."""
        return any(name in table(self.manifest, key) for key in DEPENDENCIES)

    def has(self, *names: str) -> str:
        """Return the first of the files that the package has, empty for none."""
        return next((name for name in names if self.snapshot.has(join(self.path, name))), "")

    @property
    def workspaces(self) -> tuple[str, ...]:
        """Return the patterns of the workspace's members."""
        declared = self.manifest.get("workspaces")
        if isinstance(declared, dict):
            declared = declared.get("packages")
        patterns = declared if isinstance(declared, list) else []
        found = tuple(p.strip("/") for p in patterns[:MAX_PATTERNS] if isinstance(p, str) and len(p) <= MAX_PATTERN)
        # pnpm keeps them in a YAML file, which is not worth a parser here: whatever lies below is a member.
        return found or (("**",) if self.has("pnpm-workspace.yaml") else ())
