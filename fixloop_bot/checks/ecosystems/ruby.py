"""Ruby: `ruby -c` always, rake's tasks where they are declared, else the tools that are configured."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fixloop_bot.checks import minitest, ruby_syntax
from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.ruby_bundle import GEMFILES, Bundle
from fixloop_bot.checks.ecosystems.scope import Scope, each_file, scopes
from fixloop_bot.checks.ecosystems.snapshot import NO_PROJECTS, Snapshot, ancestors, folder
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.layer import Layer

SOURCES = ("*.rb", "*.rake", "*.gemspec", "*.ru", "Rakefile", "Gemfile")
NO_RUBY = ("templates", "bundle")
"""Folders whose `.rb` files may be templates that only become Ruby, or are installed packages."""
SYNTAX = ("ruby", "--disable-gems", "-c")
RSPEC_FILES = (".rspec", "spec/spec_helper.rb", "spec/rails_helper.rb")
LOAD_TESTS = (
    'require "{library}"; Dir.glob("{folder}/**/{{test_*,*_test}}.rb").sort.each {{ |f| require File.expand_path(f) }}'
)
MAX_READ = 200
"""Test files that are read to tell test-unit from minitest."""


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every Ruby project of a repository, outermost first."""
    found = (_found(Bundle(snapshot, scope)) for scope in scopes(snapshot, _folders(snapshot)))
    return tuple(one for one in found if one.checks)


def _folders(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the top and the folders with a Gemfile; one with a gemspec alone belongs to the project around it."""
    names = {name for name, _ in GEMFILES}
    gemfiles = {folder(path) for path in snapshot.own if path.rpartition("/")[2] in names}
    gemspecs = {folder(path) for path in snapshot.own if path.endswith(".gemspec")}
    alone = {path for path in gemspecs if not {*ancestors(path), path} & gemfiles}
    real = (path for path in gemfiles | alone if not (NO_PROJECTS | {"spec"}) & set(path.split("/")))
    return tuple(dict.fromkeys((".", *sorted(real, key=lambda path: (path.count("/"), path)))))


def _found(bundle: Bundle) -> Found:
    scope = bundle.scope
    sources = [path for path in scope.files if path.endswith(".rb")]
    if not sources or not _is_project(bundle, sources):
        return Found(ecosystem="ruby", path=scope.path)
    return Found(
        ecosystem="ruby",
        path=scope.path,
        checks=(_syntax(scope), *_linters(bundle), *_tests(bundle)),
        fixers=tuple(_fixers(bundle)),
        setup="bundle install" if bundle.gemfile else "",
    )


def _is_project(bundle: Bundle, sources: Sequence[str]) -> bool:
    """Return whether this is a project and no stray script in another language's one."""
    declared = bundle.gemfile or bundle.rakefile or bundle.has(".rubocop.yml", ".standard.yml", ".ruby-version")
    gemspec = any(path.endswith(".gemspec") and "/" not in path for path in bundle.scope.files)
    return bool(declared) or gemspec or bool(_test_files(sources) or _spec_files(sources))


def _syntax(scope: Scope) -> Check:
    line = each_file(scope, SYNTAX, SOURCES, leave_out=NO_RUBY)
    found = check(Layer.COMPILE, ("sh", "-c", line), Origin(scope.path, "default for Ruby"))
    return replace(found, tool=ruby_syntax.TOOL.name)


def _linters(bundle: Bundle) -> Iterator[Check]:
    tasks = bundle.rake_tasks()
    for name in ("rubocop", "standard", "lint"):
        if name in tasks:
            yield _rake(bundle, Layer.LINT, name, f"rake {tasks[name] or name}")
            return
    where = bundle.has(".rubocop.yml")
    if where:
        yield check(Layer.LINT, (*bundle.runs("rubocop"), "rubocop"), Origin(bundle.scope.path, where))
    where = bundle.has(".standard.yml")
    if where:
        yield check(Layer.LINT, (*bundle.runs("standard"), "standardrb"), Origin(bundle.scope.path, where))


def _fixers(bundle: Bundle) -> Iterator[Fixer]:
    """Return the fixers of the configured linters, `rubocop` with its safe corrections alone."""
    made = set(bundle.rake_tasks().values())
    where = bundle.has(".rubocop.yml") or (bundle.rakefile if "rubocop" in made else "")
    if where:
        yield lint_fixer((*bundle.runs("rubocop"), "rubocop", "-a"), Origin(bundle.scope.path, where))
    where = bundle.has(".standard.yml") or (bundle.rakefile if "standard" in made else "")
    if where:
        yield lint_fixer((*bundle.runs("standard"), "standardrb", "--fix"), Origin(bundle.scope.path, where))


def _tests(bundle: Bundle) -> tuple[Check, ...]:
    tasks = bundle.rake_tasks()
    suites = [name for name in ("test", "spec") if tasks.get(name)]
    suites = suites or [name for name in ("test", "spec") if name in tasks][:1]
    if suites:
        return tuple(_rake(bundle, Layer.TEST, name, f"rake {tasks[name] or name}") for name in suites)
    sources = [path for path in bundle.scope.files if path.endswith(".rb")]
    return (*_rspec(bundle, _spec_files(sources)), *_minitest(bundle, _test_files(sources)))


def _rake(bundle: Bundle, layer: Layer, task: str, recognised_by: str) -> Check:
    origin = Origin(bundle.scope.path, f"{bundle.rakefile} {task}")
    return check(layer, (*bundle.runs("rake"), "rake", task), origin, script=recognised_by)


def _rspec(bundle: Bundle, specs: Sequence[str]) -> tuple[Check, ...]:
    where = bundle.has(*RSPEC_FILES)
    if not specs or not (where or {"rspec", "rspec-core", "rspec-rails"} & bundle.gems()):
        return ()
    started = bundle.runs("rspec-core") or bundle.runs("rspec") or bundle.runs("rspec-rails")
    return (check(Layer.TEST, (*started, "rspec"), Origin(bundle.scope.path, where or bundle.gemfile or "specs")),)


def _minitest(bundle: Bundle, tests: Sequence[str]) -> tuple[Check, ...]:
    if not tests:
        return ()
    path = bundle.scope.path
    if bundle.has("bin/rails") and bundle.has("config/application.rb"):
        return (check(Layer.TEST, ("bin/rails", "test"), Origin(path, "bin/rails")),)
    library = "test/unit" if _uses_test_unit(bundle, tests) else "minitest/autorun"
    started = bundle.runs("test-unit" if library == "test/unit" else "minitest")
    top = tests[0].partition("/")[0]
    script = LOAD_TESTS.format(library=library, folder=top)
    found = check(
        Layer.TEST, (*started, "ruby", "-Ilib", f"-I{top}", "-e", script), Origin(path, "tests without a task")
    )
    return (replace(found, tool=minitest.TOOL.name),)


def _uses_test_unit(bundle: Bundle, tests: Sequence[str]) -> bool:
    helpers = [path for path in bundle.scope.files if path.endswith(("test_helper.rb", "helper.rb"))]
    paths = [*helpers[:MAX_READ], *tests[:MAX_READ]]
    prefix = "" if bundle.scope.path == "." else f"{bundle.scope.path}/"
    texts = (bundle.snapshot.text(prefix + path) for path in paths)
    return any("test/unit" in text or "Test::Unit::TestCase" in text for text in texts)


def _spec_files(sources: Sequence[str]) -> list[str]:
    return [path for path in sources if path.endswith("_spec.rb") and path.startswith("spec/")]


def _test_files(sources: Sequence[str]) -> list[str]:
    return [path for path in sources if path.startswith(("test/", "tests/")) and _is_test(path.rpartition("/")[2])]


def _is_test(name: str) -> bool:
    return name.endswith("_test.rb") or (name.startswith("test_") and name != "test_helper.rb")
