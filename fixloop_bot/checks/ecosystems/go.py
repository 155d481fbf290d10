"""Go: every module of a repository, with the commands that come with go, and golangci-lint where it is configured."""

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.snapshot import (
    Snapshot,
    ancestors,
    by_project,
    folder,
    join,
    project_folders,
)
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.layer import Layer

BUILD = ("go", "build", "-buildvcs=false", "-o", "/dev/null", "./...")
"""Without an output a single main package leaves its program in the folder; the version stamp calls git."""
VET = ("go", "vet", "./...")
TEST = ("go", "test", "-count=1", "-v", "./...")
"""`-v` names the tests that pass, `-count=1` runs them where go would repeat an older result."""
IDLE_S = 720.0
"""go holds back what a package prints until its tests end, and ends them itself after ten minutes."""
GOLANGCI = ("golangci-lint", "run")
GOLANGCI_FILES = (".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json")
WITHOUT = ("vendor", "testdata", "node_modules", "third_party", "_*", ".?*")
"""Folders that gofmt would walk into though they are not the project's code, or broken on purpose."""
USE_BLOCK = re.compile(r"^use[ \t]*\(([^()]*)\)", re.MULTILINE)
USE_LINE = re.compile(r"^use[ \t]+([^(\s][^\n]*)$", re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One Go module and its own files, relative to it."""

    snapshot: Snapshot
    path: str
    files: tuple[str, ...]
    nested: tuple[str, ...]
    """Modules inside it, relative to it."""

    @property
    def origin(self) -> Origin:
        """Return where the commands come from that need no configuration."""
        return Origin(self.path, "default for Go")


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every Go module of a repository that has Go files, outermost first."""
    return tuple(_found(module) for module in _modules(snapshot))


def _modules(snapshot: Snapshot) -> Iterator[Module]:
    folders = project_folders(snapshot, ("go.mod",))
    for path, files in by_project(snapshot.own, folders).items():
        own = tuple(f for f in files if f.endswith(".go"))
        inside = [other for other in folders if other != path and path in ancestors(other)]
        nested = tuple(other if path == "." else other[len(path) + 1 :] for other in inside)
        if own:
            yield Module(snapshot=snapshot, path=path, files=own, nested=nested)


def _found(module: Module) -> Found:
    env = {} if _in_workspace(module) else {"GOWORK": "off"}
    checks = (replace(one, env=env) for one in _checks(module))
    return Found(
        ecosystem="go",
        path=module.path,
        checks=tuple(checks),
        fixers=tuple(replace(one, env=env) for one in _fixers(module)),
        setup="go mod download",
    )


def _checks(module: Module) -> Iterator[Check]:
    yield check(Layer.COMPILE, BUILD, module.origin)
    linter = _golangci(module)
    if linter:
        yield check(Layer.LINT, GOLANGCI, Origin(module.path, linter))
    else:
        yield check(Layer.LINT, VET, module.origin)
    yield check(Layer.LINT, ("sh", "-c", _gofmt_check(module)), module.origin, script="gofmt -l")
    if any(f.endswith("_test.go") for f in module.files):
        yield replace(check(Layer.TEST, TEST, module.origin), idle_timeout_s=IDLE_S)


def _fixers(module: Module) -> Iterator[Fixer]:
    linter = _golangci(module)
    if linter:
        yield lint_fixer((*GOLANGCI, "--fix"), Origin(module.path, linter))
    yield lint_fixer(("sh", "-c", _gofmt(module, "-w")), module.origin)


def _gofmt(module: Module, option: str) -> str:
    """Return a shell line that runs gofmt over the module's own files."""
    names = [f"-name {shlex.quote(name)}" for name in WITHOUT]
    paths = [f"-path {shlex.quote(f'./{nested}')}" for nested in module.nested]
    return f"find . \\( {' -o '.join([*names, *paths])} \\) -prune -o -name '*.go' -exec gofmt {option} {{}} +"


def _gofmt_check(module: Module) -> str:
    """Return a shell line that fails where gofmt, which itself exits with 0, names a file."""
    return f'found=$({_gofmt(module, "-l")}) || exit; [ -z "$found" ] || {{ printf "%s\\n" "$found"; exit 1; }}'


def _golangci(module: Module) -> str:
    """Return which file configures golangci-lint, which looks for it in the folders above as well."""
    for place in (module.path, *ancestors(module.path)):
        for name in GOLANGCI_FILES:
            if module.snapshot.has(join(place, name)):
                return join(place, name)
    return ""


def _in_workspace(module: Module) -> bool:
    """Return whether go accepts the module with the go.work around it, if there is one."""
    for place in (module.path, *ancestors(module.path)):
        work = join(place, "go.work")
        if module.snapshot.has(work):
            return module.path in _used(module.snapshot.text(work), work)
    return True


def _used(text: str, work: str) -> Sequence[str]:
    plain = COMMENT.sub("", text)
    named = [word for block in USE_BLOCK.findall(plain) for word in block.split()]
    named += [line.strip() for line in USE_LINE.findall(plain)]
    return [posixpath.normpath(join(folder(work), name.strip('"`'))) for name in named]
