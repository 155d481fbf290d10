"""Shell scripts: syntax always, shellcheck and shfmt where the repository uses them, bats where it has tests."""

import re
import shlex
from collections.abc import Iterator, Sequence

from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.mentions import mentions, options
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, folder, table
from fixloop_bot.checks.ecosystems.targets import MAKE_TARGET, NAMES
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.layer import Layer

SHEBANG = re.compile(r"^#![ \t]*(?:/\S{0,200}/env[ \t]+(?:-S[ \t]+)?)?(?:/\S{0,200}/)?(\w{1,20})")
DIRECTIVE = re.compile(r"^#[ \t]*shellcheck[ \t]+(?:\S+[ \t]+){0,4}?shell=(\w{1,20})", re.MULTILINE)
SHELLS = {"sh": "sh", "dash": "sh", "ash": "sh", "bash": "bash"}
"""Interpreters whose syntax is checked, and by what; others may not be installed."""
PROGRAM_FOLDERS = frozenset(
    {".", "bin", "libexec", "sbin", "scripts", "script", "tools", "ci", ".ci", "hack", "dev", "build"}
)
"""Where programs without an extension lie."""
SHELLCHECK_FILES = (".shellcheckrc", "shellcheckrc")
SHELLCHECK_OPTION = re.compile(
    r"-x|-a|-S(?:error|warning|info|style)|--external-sources|--(?:severity|exclude|shell)=[\w,]{1,200}|-[es][\w,]{1,200}"
)
HOOK_SEVERITY = re.compile(r"\bseverity:\s{0,10}(error|warning|info|style)\b")
SHFMT_MODES = frozenset({"-d", "-l", "-w"})
MAX_READ = 2_000
MAX_SCRIPTS = 2_000
MAX_LINE = 60_000
"""Characters of one command line, well below what a system takes."""


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return the repository's scripts and their tests as one project."""
    scripts = _scripts(snapshot)
    tests = tuple(path for path in snapshot.own if path.endswith(".bats"))
    if not scripts and not tests:
        return ()
    names = [_safe(path) for path, _ in scripts]
    checks = (*_syntax(scripts), *_lint(snapshot, names), *_tests(snapshot, tests))
    return (Found(ecosystem="shell", path=".", checks=checks, fixers=tuple(_fixers(snapshot, names))),)


def _scripts(snapshot: Snapshot) -> list[tuple[str, str]]:
    """Return path and shell of each script: by its first line, else by its name."""
    likely = [path for path in snapshot.own if _may_be_script(path)][:MAX_READ]
    found = ((path, _shell(path, snapshot.text(path)[:4_000])) for path in likely)
    return [(path, shell) for path, shell in found if shell][:MAX_SCRIPTS]


def _may_be_script(path: str) -> bool:
    name = path.rpartition("/")[2]
    if name.endswith((".sh", ".bash")):
        return True
    return "." not in name and folder(path).rpartition("/")[2] in PROGRAM_FOLDERS


def _shell(path: str, text: str) -> str:
    named = DIRECTIVE.search(text) or SHEBANG.match(text)
    if named:
        return SHELLS.get(named[1], "")
    return "bash" if path.endswith((".sh", ".bash")) else ""  # to be sourced; bash reads what sh does


def _safe(path: str) -> str:
    return f"./{path}" if path.startswith("-") else path


def _syntax(scripts: Sequence[tuple[str, str]]) -> Iterator[Check]:
    for shell in ("sh", "bash"):
        names = [shlex.quote(_safe(path)) for path, used in scripts if used == shell]
        for part in _parts(names):
            # Each script on its own: `sh -n a b` would take b for an argument of a.
            line = f'rc=0; for f in {" ".join(part)}; do {shell} -n "$f" || rc=$?; done; exit $rc'
            yield check(Layer.COMPILE, ("sh", "-c", line), Origin(".", f"scripts for {shell}"))


def _parts(names: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    size = 0
    for name in names:
        if part and size + len(name) > MAX_LINE:
            yield part
            part, size = [], 0
        part.append(name)
        size += len(name) + 1
    if part:
        yield part


def _lint(snapshot: Snapshot, names: Sequence[str]) -> Iterator[Check]:
    configured = next((name for name in SHELLCHECK_FILES if snapshot.has(name)), "")
    used = mentions(snapshot, "shellcheck") or mentions(snapshot, "action-shellcheck")
    if names and (configured or used):
        where = Origin(".", configured or "shellcheck in hooks or CI")
        yield check(Layer.LINT, ("shellcheck", *_shellcheck_options(snapshot), *names), where)
    if names and _shfmt(snapshot):
        yield check(Layer.LINT, ("shfmt", "-d", *names), Origin(".", "shfmt in hooks or CI"))


def _shellcheck_options(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the options that hooks or CI run it with: a stricter run than theirs would find what nobody asked for."""
    found = options(snapshot, "shellcheck", SHELLCHECK_OPTION)
    action = (HOOK_SEVERITY.search(after) for after in mentions(snapshot, "action-shellcheck"))
    return found or tuple(f"--severity={severity[1]}" for severity in action if severity)[:1]


def _fixers(snapshot: Snapshot, names: Sequence[str]) -> Iterator[Fixer]:
    if names and _shfmt(snapshot):
        yield lint_fixer(("shfmt", "-w", *names), Origin(".", "shfmt in hooks or CI"))


def _shfmt(snapshot: Snapshot) -> bool:
    """Return whether shfmt is used, with the style that `.editorconfig` names or its own: no style on the command."""
    used = mentions(snapshot, "shfmt")
    return bool(used) and not any("args:" in after or _styled(after) for after in used)


def _styled(after: str) -> bool:
    words = after.split("\n", 1)[0].split()
    return any(word.startswith("-") and word not in SHFMT_MODES for word in words)


def _tests(snapshot: Snapshot, tests: Sequence[str]) -> Iterator[Check]:
    if not tests or _in_package_script(snapshot):
        return
    text = snapshot.text("Makefile")
    target = next((name for name in dict(NAMES)[Layer.TEST] if name in MAKE_TARGET.findall(text)), "")
    if target and "bats" in text:
        yield check(Layer.TEST, ("make", target), Origin(".", f"Makefile {target}"), script="bats")
        return
    folders = sorted({_safe(folder(path)) for path in tests})
    yield check(Layer.TEST, ("bats", "--tap", *folders), Origin(".", "bats tests were found"))


def _in_package_script(snapshot: Snapshot) -> bool:
    """Return whether a script of package.json runs bats: then it is the one to run."""
    scripts = table(snapshot.json("package.json"), "scripts").values()
    return any(isinstance(script, str) and "bats" in script.split() for script in scripts)
