"""JavaScript and TypeScript: the scripts of package.json, else the tools that are configured."""

from collections.abc import Iterator, Sequence

from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.node_package import BIOME_FILES, ESLINT_FILES, Package
from fixloop_bot.checks.ecosystems.node_plain import plain_check
from fixloop_bot.checks.ecosystems.node_setup import node_setup
from fixloop_bot.checks.ecosystems.node_workspace import without_doubles
from fixloop_bot.checks.ecosystems.scope import scopes
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, ancestors, join, project_folders
from fixloop_bot.model.command import Check, Fixer, PassedOver
from fixloop_bot.model.layer import Layer

SCRIPTS = (
    (Layer.COMPILE, ("typecheck", "type-check", "check-types", "check:types", "types", "tsc")),
    (Layer.COMPILE, ("compile", "build")),
    (Layer.LINT, ("lint", "lint:check", "eslint", "biome", "check:lint")),
    (Layer.LINT, ("format:check", "check-format", "check:format", "format-check", "prettier:check")),
    (Layer.TEST, ("test", "test:ci", "test:unit", "tests")),
)
"""Names of scripts by layer; of each row the first that exists runs."""

RUNNERS = (
    ("vitest", ("vitest", "run"), ("vitest.config.ts", "vitest.config.js", "vitest.config.mjs", "vitest.config.mts")),
    ("jest", ("jest",), ("jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.config.cjs", "jest.config.json")),
    ("mocha", ("mocha",), (".mocharc.json", ".mocharc.js", ".mocharc.cjs", ".mocharc.yml", ".mocharc.yaml")),
)
NODE_TESTS = tuple(f".test.{end}" for end in ("js", "mjs", "cjs"))
SHELL_SIGNS = frozenset("|;`$()<>#\\\n")


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every package of a repository, outermost first; a workspace's own scripts stand for its members."""
    packages = {package.path: package for package in _packages(snapshot)}
    found = {path: _found(package) for path, package in packages.items()}
    return tuple(without_doubles(found, packages))


def _packages(snapshot: Snapshot) -> Iterator[Package]:
    """Yield the folders with a package.json, and the outermost with a tsconfig.json that none of those is around."""
    named = project_folders(snapshot, ("package.json",))
    typed = project_folders(snapshot, ("tsconfig.json",))
    taken = {*named}
    for path in typed:
        if taken.isdisjoint((path, *ancestors(path))):
            taken.add(path)
    folders = tuple(sorted(taken, key=lambda path: (path != ".", path.count("/"), path)))
    for scope in scopes(snapshot, folders):
        manifest = snapshot.json(join(scope.path, "package.json"))
        yield Package(snapshot, scope.path, scope.files, manifest, scope.nested)


def _found(package: Package) -> Found:
    checks = list(_script_checks(package))
    scripted = {one.layer for one in checks}
    checks += [one for one in _tool_checks(package) if one.layer not in scripted]
    if not any(one.layer is Layer.COMPILE for one in checks):
        checks += plain_check(package)
    return Found(
        ecosystem="node",
        path=package.path,
        checks=tuple(checks),
        fixers=tuple(_fixers(package, checks)),
        setup=node_setup(package),
        passed_over=tuple(_refused(package)),
    )


def _refused(package: Package) -> Iterator[PassedOver]:
    for layer, names in SCRIPTS:
        for name in names:
            if why := package.refused(name):
                yield PassedOver(project=package.path, what=f"package.json scripts.{name}", why=why, layer=layer)


def _script_checks(package: Package) -> Iterator[Check]:
    for layer, names in SCRIPTS:
        name = next((name for name in names if package.script(name)), "")
        if name:
            origin = Origin(package.path, f"package.json scripts.{name}")
            yield check(layer, package.run(name), origin, script=package.resolved(name))


def _tool_checks(package: Package) -> Iterator[Check]:
    if package.has("tsconfig.json"):
        command = ("tsc", "--noEmit", "-p", ".", "--pretty", "false")
        yield check(Layer.COMPILE, command, Origin(package.path, "tsconfig.json"))
    eslint = _eslint(package)
    if eslint:
        yield check(Layer.LINT, ("eslint", "."), Origin(package.path, eslint))
    biome = package.has(*BIOME_FILES)
    if biome:
        yield check(Layer.LINT, ("biome", "ci", "."), Origin(package.path, biome))
    yield from _test_checks(package)


def _eslint(package: Package) -> str:
    declared = "package.json eslintConfig" if "eslintConfig" in package.manifest else ""
    return package.has(*ESLINT_FILES) or declared


def _test_checks(package: Package) -> Iterator[Check]:
    for tool, command, files in RUNNERS:
        declared = f"package.json {tool}" if tool in package.manifest or package.depends(tool) else ""
        where = package.has(*files) or declared
        if where:
            yield check(Layer.TEST, command, Origin(package.path, where))
            return
    if any(_is_node_test(path) for path in package.files):
        yield check(Layer.TEST, ("node", "--test"), Origin(package.path, "test files without a test runner"))


def _is_node_test(path: str) -> bool:
    """Return whether `node --test` runs the file when no names are given (Node's documentation, test runner)."""
    name = path.rpartition("/")[2]
    in_folder = path.startswith("test/") or "/test/" in path
    return path.endswith(NODE_TESTS) or (in_folder and name.endswith((".js", ".mjs", ".cjs")))


def _fixers(package: Package, checks: Sequence[Check]) -> Iterator[Fixer]:
    """Return the project's own lint commands, turned to writing: the same files, the same rules."""
    for one in checks:
        if one.layer is not Layer.LINT:
            continue
        name = one.command[-1]
        text = package.resolved(name) if one.source.startswith("package.json scripts.") else " ".join(one.command)
        for line in _fixing_lines(text):
            yield lint_fixer(("sh", "-c", line), Origin(package.path, one.source))


def _fixing_lines(text: str) -> Iterator[str]:
    """Return the parts of a lint script that call eslint, prettier or biome, with their own option to fix."""
    for part in text.split("&&"):
        words = part.split()
        if not words or SHELL_SIGNS & set(part):
            continue
        if words[0] == "eslint":
            yield f"{part.strip()} --fix"
        elif words[0] == "prettier":
            kept = [word for word in words if word not in ("--check", "-c", "--list-different", "-l")]
            yield " ".join((*kept, "--write"))
        elif words[:2] in (["biome", "ci"], ["biome", "check"], ["biome", "lint"], ["biome", "format"]):
            verb = "check" if words[1] == "ci" else words[1]
            kept = [word for word in words[2:] if not word.startswith("--reporter")]
            yield " ".join(("biome", verb, "--write", *kept))
