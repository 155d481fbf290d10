"""One package.json and what stands around it: its scripts, its package manager, its tools."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.snapshot import Snapshot, ancestors, join, table
from fixloop_bot.checks.ecosystems.yaml_lines import items_below

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
BIOME_FILES = ("biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc")
PLACEHOLDER = "no test specified"
"""What `npm init` writes as the test script."""
CALL = re.compile(r"(?:npm run|npm run-script|yarn|yarn run|pnpm|pnpm run|bun run)(?: -s| --silent)? ([\w:.-]+)")
MAX_CALLS = 3
MAX_PATTERNS = 200
MAX_PATTERN = 200
"""Characters of a workspace pattern."""
MUTATES = re.compile(r"--fix\b|--write\b|--apply\b")


@dataclass(frozen=True, slots=True)
class Package:
    """One package.json of a repository."""

    snapshot: Snapshot
    path: str
    """Its folder, relative to the worktree."""
    files: tuple[str, ...]
    """The package's own files, relative to it."""
    manifest: Mapping[str, object]
    nested: tuple[str, ...] = ()
    """Packages inside it, relative to it."""

    def text(self, name: str) -> str:
        """Return the text of a script as it stands there, empty where there is none."""
        found = table(self.manifest, "scripts").get(name)
        return found if isinstance(found, str) else ""

    def refused(self, name: str) -> str:
        """Return why a script cannot serve as a check, empty where it can or where there is none."""
        text = self.text(name)
        if PLACEHOLDER in text:
            return "it is what npm init writes where there is no test"
        return "it rewrites files" if MUTATES.search(text) else ""

    def script(self, name: str) -> str:
        """Return the text of a script, empty where there is none that could serve as a check."""
        return "" if self.refused(name) else self.text(name)

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
        return self.declared_manager.partition("@")[0] or self._locked[1] or "npm"

    @property
    def declared_manager(self) -> str:
        """Return `packageManager` of this manifest or the nearest above that names a known one: `pnpm@9.1.0`."""
        for place in self._around:
            declared = self.snapshot.json(join(place, "package.json")).get("packageManager")
            if isinstance(declared, str) and declared.partition("@")[0] in RUN:
                return declared
            if any(self.snapshot.has(join(place, lock)) for lock, _ in LOCK_FILES):
                return ""
        return ""

    @property
    def lock_file(self) -> str:
        """Return the path of the nearest lock file of the package manager, empty for none."""
        names = [lock for lock, manager in LOCK_FILES if manager == self.manager]
        paths = (join(place, name) for place in self._around for name in names)
        return next((path for path in paths if self.snapshot.has(path)), "")

    @property
    def _locked(self) -> tuple[str, str]:
        places = ((join(place, lock), manager) for place in self._around for lock, manager in LOCK_FILES)
        return next((found for found in places if self.snapshot.has(found[0])), ("", ""))

    @property
    def _around(self) -> tuple[str, ...]:
        return (self.path, *ancestors(self.path))

    def depends(self, name: str) -> bool:
        """Return whether the package itself declares the dependency."""
        return any(name in table(self.manifest, key) for key in DEPENDENCIES)

    def has(self, *names: str) -> str:
        """Return the first of the files that the package has, empty for none."""
        return next((name for name in names if self.snapshot.has(join(self.path, name))), "")

    @property
    def workspaces(self) -> tuple[str, ...]:
        """Return the patterns of the workspace's members; one that begins with `!` takes members away."""
        declared = self.manifest.get("workspaces")
        if isinstance(declared, dict):
            declared = declared.get("packages")
        patterns = declared if isinstance(declared, list) else []
        found = tuple(p for p in patterns[:MAX_PATTERNS] if isinstance(p, str) and len(p) <= MAX_PATTERN)
        if found or not self.has("pnpm-workspace.yaml"):
            return found
        listed = items_below(self.snapshot.text(join(self.path, "pnpm-workspace.yaml")), "packages")
        # A file that is not understood: whatever lies below is taken for a member.
        return ("**",) if listed is None else tuple(p for p in listed[:MAX_PATTERNS] if len(p) <= MAX_PATTERN)
