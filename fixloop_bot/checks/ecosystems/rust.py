"""Rust: every package or workspace of its own, with the lints that the project configures or its CI runs."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.mentions import mentions
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, ancestors, by_project, join, project_folders, table
from fixloop_bot.model.command import SCRATCH, Check, Fixer
from fixloop_bot.model.layer import Layer

FIX = ("cargo", "clippy", "--fix", "--allow-dirty", "--allow-staged", "--allow-no-vcs")
DENY = ("--", "-D", "warnings")
CALL = re.compile(r" (?:\+\S+ )?(fmt|clippy)\b[^\n]*")
"""What follows the name of cargo."""
DENIES = re.compile(r"(?:-D|--deny)[ =]?warnings\b")
TEST = re.compile(
    r"#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b|\bproptest!|^[ \t]*//[/!] ```(?:rust)?$", re.MULTILINE
)
"""A unit test, or a documentation test."""
MAX_READ = 400
"""Source files that are read to see whether there is a test."""


@dataclass(frozen=True)
class Crate:
    """One package or workspace and its own files, relative to it."""

    snapshot: Snapshot
    path: str
    files: Sequence[str]

    @cached_property
    def manifest(self) -> Mapping[str, object]:
        """Return the table of its Cargo.toml."""
        return self.snapshot.toml(join(self.path, "Cargo.toml"))

    @property
    def origin(self) -> Origin:
        """Return where the commands come from that need no configuration."""
        return Origin(self.path, "default for Rust")

    @property
    def scope(self) -> tuple[str, ...]:
        """Return the option to cover all members, unless the workspace itself says which to take."""
        workspace = self.manifest.get("workspace")
        return ("--workspace",) if isinstance(workspace, dict) and "default-members" not in workspace else ()

    def first(self, *names: str) -> str:
        """Return the first of the files that the project has, empty for none."""
        return next((name for name in names if self.snapshot.has(join(self.path, name))), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Automation:
    """What the repository's CI and hooks call."""

    formats: bool
    lints: bool
    denies: bool
    """Warnings of clippy are errors there."""


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every package or workspace of a repository, outermost first; members belong to their workspace."""
    crates = tuple(_crates(snapshot))
    calls = _automation(snapshot) if crates else Automation(formats=False, lints=False, denies=False)
    return tuple(_found(crate, calls) for crate in crates)


def _crates(snapshot: Snapshot) -> Iterator[Crate]:
    folders = project_folders(snapshot, ("Cargo.toml",))
    tables = {path: snapshot.toml(join(path, "Cargo.toml")) for path in folders}
    own = [path for path in folders if not _is_member(path, tables) and not _is_fuzz(tables[path])]
    owned = by_project(snapshot.own, own)
    for path in own:
        if any(name.endswith(".rs") for name in owned[path]):
            yield Crate(snapshot, path, tuple(owned[path]))


def _is_member(path: str, tables: Mapping[str, Mapping[str, object]]) -> bool:
    """Return whether cargo takes the package for a part of the nearest workspace around it."""
    if "workspace" in tables[path]:
        return False
    around = next((place for place in ancestors(path) if "workspace" in tables.get(place, {})), None)
    if around is None:
        return False
    excluded = table(tables[around], "workspace").get("exclude")
    names = [name for name in excluded if isinstance(name, str)] if isinstance(excluded, list) else []
    return not any(place in (path, *ancestors(path)) for name in names for place in [_inside(around, name)])


def _inside(place: str, name: str) -> str:
    return posixpath.normpath(join(place, name))


def _is_fuzz(manifest: Mapping[str, object]) -> bool:
    """Return whether it is a package of cargo-fuzz, which needs a compiler of its own."""
    return table(manifest, "package", "metadata").get("cargo-fuzz") is True


def _automation(snapshot: Snapshot) -> Automation:
    calls = [found for after in mentions(snapshot, "cargo") if (found := CALL.match(after))]
    clippy = [found[0] for found in calls if found[1] == "clippy"]
    flags = [after.partition("\n")[0] for after in mentions(snapshot, "RUSTFLAGS")]
    return Automation(
        formats=any(found[1] == "fmt" for found in calls),
        lints=bool(clippy),
        denies=bool(clippy) and any(DENIES.search(line) for line in (*clippy, *flags)),
    )


def _found(crate: Crate, calls: Automation) -> Found:
    env = {} if _ignores_target(crate) else {"CARGO_TARGET_DIR": _target(crate)}
    return Found(
        ecosystem="rust",
        path=crate.path,
        checks=tuple(replace(one, env=env) for one in _checks(crate, calls)),
        fixers=tuple(replace(one, env=env) for one in _fixers(crate, calls)),
        setup="cargo fetch",
    )


def _checks(crate: Crate, calls: Automation) -> Iterator[Check]:
    yield check(Layer.COMPILE, ("cargo", "check", *crate.scope, "--all-targets"), crate.origin)
    where = _clippy(crate, calls)
    if where:
        command = ("cargo", "clippy", *crate.scope, "--all-targets", *(DENY if calls.denies else ()))
        yield check(Layer.LINT, command, Origin(crate.path, where))
    where = _rustfmt(crate, calls)
    if where:
        yield check(Layer.LINT, ("cargo", "fmt", "--all", "--", "--check"), Origin(crate.path, where))
    if _has_tests(crate):
        yield check(Layer.TEST, ("cargo", "test", *crate.scope, "--no-fail-fast"), crate.origin)


def _fixers(crate: Crate, calls: Automation) -> Iterator[Fixer]:
    where = _clippy(crate, calls)
    if where and (calls.denies or _clippy_levels(crate)):
        yield lint_fixer((*FIX, *crate.scope, "--all-targets"), Origin(crate.path, where))
    where = _rustfmt(crate, calls)
    if where:
        yield lint_fixer(("cargo", "fmt", "--all"), Origin(crate.path, where))


def _clippy(crate: Crate, calls: Automation) -> str:
    """Return where clippy is configured or called; empty where it is not."""
    return crate.first("clippy.toml", ".clippy.toml") or _clippy_levels(crate) or ("CI" if calls.lints else "")


def _clippy_levels(crate: Crate) -> str:
    tables = (table(crate.manifest, "lints", "clippy"), table(crate.manifest, "workspace", "lints", "clippy"))
    return "Cargo.toml [lints.clippy]" if any(tables) else ""


def _rustfmt(crate: Crate, calls: Automation) -> str:
    return crate.first("rustfmt.toml", ".rustfmt.toml") or ("CI" if calls.formats else "")


def _has_tests(crate: Crate) -> bool:
    """Return whether `cargo test` has something to run; of very many files it is taken for granted."""
    sources = [name for name in crate.files if name.endswith(".rs")]
    if len(sources) > MAX_READ or any(name.startswith("tests/") or "/tests/" in name for name in sources):
        return True
    return any(TEST.search(crate.snapshot.text(join(crate.path, name))) for name in sources)


def _target(crate: Crate) -> str:
    # cargo cannot make a folder whose path ends with a dot.
    return f"{SCRATCH}/target" if crate.path == "." else f"{SCRATCH}/target-{crate.path.replace('/', '-')}"


def _ignores_target(crate: Crate) -> bool:
    """Return whether git ignores cargo's build folder, so that it may stay where the person's own is."""
    for place in (crate.path, *ancestors(crate.path)):
        lines = crate.snapshot.text(join(place, ".gitignore")).splitlines()
        if any(line.strip().strip("/*").removeprefix("**/") in {"target", f"{crate.path}/target"} for line in lines):
            return True
    return False
