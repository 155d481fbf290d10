"""PHP: `php -l` always, the scripts of composer.json, else the tools that are configured."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fixloop_bot.checks import php_lint
from fixloop_bot.checks.ecosystems.composer import ENVIRONMENT, RUN, Composer
from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.scope import Scope, each_file, scopes
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, join, project_folders
from fixloop_bot.model.command import Check, Fixer
from fixloop_bot.model.layer import Layer

SCRIPTS = (
    (Layer.COMPILE, ("phpstan", "stan", "analyse", "analyze", "static-analysis", "types", "test:types", "psalm")),
    (Layer.LINT, ("lint", "lint:check", "test:lint", "phpcs")),
    (Layer.LINT, ("cs", "cs-check", "cs:check", "check-cs", "check-style", "style", "code-style", "format:check")),
    (Layer.TEST, ("test", "test:ci", "tests", "phpunit", "pest", "test:unit", "unit")),
)
"""Names of scripts by layer; of each row the first that exists runs."""
PHPUNIT_FILES = ("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
PHPSTAN_FILES = ("phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon")
PHPCS_FILES = (".phpcs.xml", "phpcs.xml", ".phpcs.xml.dist", "phpcs.xml.dist")
PHP_CS_FIXER_FILES = (".php-cs-fixer.php", ".php-cs-fixer.dist.php")
MARKS = (*PHPUNIT_FILES, *PHPSTAN_FILES, *PHPCS_FILES, *PHP_CS_FIXER_FILES, "pint.json", "psalm.xml", "psalm.xml.dist")
SYNTAX = ("php", "-d", "display_errors=1", "-d", "log_errors=0", "-l")
SOURCES = ("*.php",)
NO_PHP = ("Fixtures", "_fixtures", "_files", "stubs", "Stubs")
"""Folders whose files are often broken on purpose, or meant for another version of PHP."""
WIDE = {"COLUMNS": "400"}
"""Keeps tables from being wrapped in the middle of a message."""
FOLDERS = ("src", "app", "lib", "tests", "test")


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every PHP project of a repository, outermost first."""
    folders = dict.fromkeys((".", *project_folders(snapshot, ("composer.json",))))
    return tuple(
        _found(Composer(snapshot, scope, snapshot.json(join(scope.path, "composer.json"))))
        for scope in scopes(snapshot, folders)
        if _is_project(snapshot, scope)
    )


def _is_project(snapshot: Snapshot, scope: Scope) -> bool:
    """Return whether there is PHP to check, and more than a stray script in another language's project."""
    sources = [path for path in scope.files if path.endswith(".php")]
    if any(snapshot.has(join(scope.path, name)) for name in ("composer.json", *MARKS)):
        return bool(sources)
    return any("/" not in path or path.startswith(("src/", "public/")) for path in sources)


def _found(project: Composer) -> Found:
    scripted = tuple(_script_checks(project))
    layers = {one.layer for one in scripted}
    tools = tuple(one for one in _tool_checks(project) if one.layer not in layers)
    return Found(
        ecosystem="php",
        path=project.scope.path,
        checks=(_syntax(project.scope), *scripted, *tools),
        fixers=tuple(_fixers(project)),
        setup="composer install --no-interaction" if project.has("composer.json") else "",
    )


def _syntax(scope: Scope) -> Check:
    line = each_file(scope, SYNTAX, SOURCES, leave_out=NO_PHP)
    found = check(Layer.COMPILE, ("sh", "-c", line), Origin(scope.path, "default for PHP"))
    return replace(found, tool=php_lint.TOOL.name)


def _script_checks(project: Composer) -> Iterator[Check]:
    for layer, names in SCRIPTS:
        name = next((name for name in names if project.script(name)), "")
        if name:
            origin = Origin(project.scope.path, f"composer.json scripts.{name}")
            yield replace(check(layer, (*RUN, name), origin, script=project.script(name)), env=ENVIRONMENT)


def _tool_checks(project: Composer) -> Iterator[Check]:
    path = project.scope.path
    if where := project.has(*PHPSTAN_FILES):
        scope = () if "paths:" in project.text(where) else _folders(project)
        command = ("phpstan", "analyse", "--no-progress", "--memory-limit=-1", *scope)
        yield replace(check(Layer.COMPILE, command, Origin(path, where)), env=WIDE)
    if where := project.has("psalm.xml", "psalm.xml.dist"):
        yield check(Layer.COMPILE, ("psalm", "--no-progress"), Origin(path, where))
    if where := project.has(*PHPCS_FILES):
        yield check(Layer.LINT, ("phpcs", "-s", *_phpcs_scope(project, where)), Origin(path, where))
    if where := project.has(*PHP_CS_FIXER_FILES):
        command = ("php-cs-fixer", "fix", "--dry-run", "--diff", "-v", "--using-cache=no")
        yield check(Layer.LINT, command, Origin(path, where))
    if where := project.has("pint.json"):
        yield check(Layer.LINT, ("pint", "--test"), Origin(path, where))
    yield from _tests(project)


def _tests(project: Composer) -> Iterator[Check]:
    path = project.scope.path
    configured = project.has(*PHPUNIT_FILES)
    if where := project.has("tests/Pest.php"):
        yield check(Layer.TEST, ("pest",), Origin(path, where))
    elif configured and project.has("bin/phpunit"):
        yield check(Layer.TEST, ("php", "bin/phpunit"), Origin(path, "bin/phpunit"))
    elif configured:
        yield check(Layer.TEST, ("phpunit",), Origin(path, configured))
    elif project.requires("phpunit/phpunit") and (tests := _test_folder(project)):
        yield check(Layer.TEST, ("phpunit", tests), Origin(path, "composer.json phpunit/phpunit"))


def _test_folder(project: Composer) -> str:
    files = [path for path in project.scope.files if path.endswith("Test.php")]
    return next((name for name in ("tests", "test") if any(path.startswith(f"{name}/") for path in files)), "")


def _folders(project: Composer) -> Sequence[str]:
    """Return the usual folders of a project's own code that this one has."""
    files = [path for path in project.scope.files if path.endswith(".php")]
    return tuple(name for name in FOLDERS if any(path.startswith(f"{name}/") for path in files)) or (".",)


def _phpcs_scope(project: Composer, where: str) -> Sequence[str]:
    return () if "<file>" in project.text(where) else _folders(project)


def _fixers(project: Composer) -> Iterator[Fixer]:
    """Return the fixers of what is configured, whichever script checks it."""
    path = project.scope.path
    if where := project.has(*PHP_CS_FIXER_FILES):
        yield lint_fixer(("php-cs-fixer", "fix", "--using-cache=no"), Origin(path, where))
    if where := project.has("pint.json"):
        yield lint_fixer(("pint",), Origin(path, where))
    if where := project.has(*PHPCS_FILES):
        yield lint_fixer(("phpcbf", *_phpcs_scope(project, where)), Origin(path, where))
