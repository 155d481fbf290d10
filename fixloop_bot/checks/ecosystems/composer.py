"""One composer.json and what stands around it: its scripts and the packages that it requires."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.scope import Scope
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, join, table

RUN = ("composer", "run-script", "--no-interaction", "--timeout=0")
"""Without a limit of Composer's own, which is 300 s (its documentation, `process-timeout`)."""
ENVIRONMENT = {"COMPOSER_ALLOW_SUPERUSER": "1"}
MUTATES = re.compile(
    r"\bphpcbf\b|--fix\b|\bphp-cs-fixer(?:\.phar)? fix\b(?!.{0,400}--dry-run)|\bpint\b(?!.{0,400}--test)"
    r"|\brector\b(?!.{0,400}(?:--dry-run|-n\b))"
)
MAX_LINES = 200
MAX_LINE = 2_000


@dataclass(frozen=True, slots=True)
class Composer:
    """One PHP project's declarations."""

    snapshot: Snapshot
    scope: Scope
    manifest: Mapping[str, object]

    def script(self, name: str) -> str:
        """Return what a script runs in the end, a line per command; empty where there is none to serve as a check."""
        text = "\n".join(self._lines(name))
        return "" if MUTATES.search(text) else text

    def _lines(self, name: str) -> Iterator[str]:
        """Yield the commands of a script and of those that it calls with `@name`, each script once."""
        scripts = table(self.manifest, "scripts")
        waiting, seen = list(_strings(scripts.get(name))), {name}
        for _ in range(MAX_LINES):
            if not waiting:
                return
            line = waiting.pop(0)
            called = line[1:].split(" ")[0] if line.startswith("@") else ""
            if called in scripts:
                waiting = [*(() if called in seen else _strings(scripts[called])), *waiting]
                seen.add(called)
            elif not line.startswith(("@putenv", "@composer")):
                yield line.removeprefix("@php ")[:MAX_LINE]

    def requires(self, package: str) -> bool:
        """Return whether the project itself requires the package."""
        return any(package in table(self.manifest, key) for key in ("require", "require-dev"))

    def has(self, *names: str) -> str:
        """Return the first of the files that the project has, empty for none."""
        return next((name for name in names if self.snapshot.has(join(self.scope.path, name))), "")

    def text(self, name: str) -> str:
        """Return the text of one of the project's files."""
        return self.snapshot.text(join(self.scope.path, name))


def _strings(value: object) -> Sequence[str]:
    if isinstance(value, str):
        return (value,)
    return tuple(line for line in value if isinstance(line, str)) if isinstance(value, list) else ()
