"""What a Ruby project's Gemfile, lock file, gemspec and Rakefile declare, read as text: none of them is executed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.scope import Scope
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, join

GEMFILES = (("Gemfile", "Gemfile.lock"), ("gems.rb", "gems.locked"))
RAKEFILES = ("Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb")
BUNDLE = ("bundle", "exec")
_GEM = re.compile(r"^[ \t]*gem[ (]\s*[\"']([\w.-]+)[\"']", re.MULTILINE)
_LOCKED = re.compile(r"^ {2,4}([\w.-]+)[! ]?(?: \(|$|!$)", re.MULTILINE)
_DEPENDENCY = re.compile(r"\.add_(?:\w+_)?dependency[ (]\s*[\"']([\w.-]+)[\"']")
_GEMSPEC = re.compile(r"^[ \t]*gemspec\b", re.MULTILINE)
_TASK_CLASSES = (
    (re.compile(r"^[ \t]*(?:Rake|Minitest)::TestTask\.(?:new|create)\b(?:\(? ?:?[\"']?(\w+))?", re.MULTILINE), "test"),
    (re.compile(r"^[ \t]*RSpec::Core::RakeTask\.new\b(?:\(? ?:?[\"']?(\w+))?", re.MULTILINE), "spec"),
    (re.compile(r"^[ \t]*RuboCop::RakeTask\.new\b(?:\(? ?:?[\"']?(\w+))?", re.MULTILINE), "rubocop"),
    (re.compile(r"^[ \t]*require [\"']standard/rake()[\"']", re.MULTILINE), "standard"),
)
"""How a Rakefile makes the tasks of a tool, and the task's name where it gives none."""
_PLAIN_TASK = re.compile(r"^[ \t]*task[ (]\s*(?::|[\"'])?(\w+)", re.MULTILINE)
_NO_NAME = frozenset({"do", "if", "unless"})


@dataclass(frozen=True, slots=True)
class Bundle:
    """One Ruby project's declarations."""

    snapshot: Snapshot
    scope: Scope

    @property
    def gemfile(self) -> str:
        """Return the name of its Gemfile, empty where it has none."""
        return next((name for name, _ in GEMFILES if self._has(name)), "")

    def runs(self, gem: str) -> tuple[str, ...]:
        """Return what a gem's program is started through: Bundler, where the project's bundle has the gem."""
        return BUNDLE if self.gemfile and gem in self.gems() else ()

    def gems(self) -> frozenset[str]:
        """Return the names of the gems that are locked; without a lock file, those that are declared."""
        for name, lock in GEMFILES:
            if self._has(name) and self._has(lock):
                return frozenset(_LOCKED.findall(self._text(lock)))
        return frozenset(self._declared())

    def _declared(self) -> Iterator[str]:
        gemfile = self._text(self.gemfile) if self.gemfile else ""
        yield from _GEM.findall(gemfile)
        if not self.gemfile or _GEMSPEC.search(gemfile):
            for path in self.scope.files:
                if path.endswith(".gemspec") and "/" not in path:
                    yield from _DEPENDENCY.findall(self._text(path))

    def rake_tasks(self) -> Mapping[str, str]:
        """Return the tasks that the Rakefile makes, with the name of what makes each: `test`, `spec`, or empty."""
        text = self._text(self.rakefile) if self.rakefile else ""
        tasks = dict.fromkeys(_PLAIN_TASK.findall(text), "")
        for pattern, default in _TASK_CLASSES:
            for name in pattern.findall(text):
                tasks[default if not name or name in _NO_NAME else name] = default
        return tasks

    @property
    def rakefile(self) -> str:
        """Return the name of its Rakefile, empty where it has none."""
        return next((name for name in RAKEFILES if self._has(name)), "")

    def has(self, *names: str) -> str:
        """Return the first of the files that the project has, empty for none."""
        return next((name for name in names if self._has(name)), "")

    def _has(self, name: str) -> bool:
        return self.snapshot.has(join(self.scope.path, name))

    def _text(self, name: str) -> str:
        return self.snapshot.text(join(self.scope.path, name))
