"""Every tool that fixloop knows, and how a command line or an output finds its own."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from fixloop_bot.checks import (
    bats,
    biome,
    black,
    cargo_check,
    cargo_test,
    checkstyle,
    clang_tidy,
    clippy,
    cmake,
    compileall,
    cppcheck,
    ctest,
    dotnet_build,
    dotnet_test,
    eslint,
    flake8,
    gcc,
    generic,
    go_build,
    go_test,
    go_vet,
    gofmt,
    golangci_lint,
    gradle,
    gradle_build,
    isort,
    javac,
    jest,
    junit4,
    junit5,
    junit_xml,
    kotlinc,
    ktlint,
    make,
    maven,
    maven_build,
    minitest,
    mocha,
    mypy,
    node_check,
    node_test,
    pest,
    php_cs_fixer,
    php_lint,
    phpcs,
    phpstan,
    phpunit,
    prettier,
    problem_matcher,
    psalm,
    pylint,
    pyright,
    pytest,
    rspec,
    rubocop,
    ruby_syntax,
    ruff,
    rustfmt,
    sanitizers,
    sarif,
    sh_syntax,
    shellcheck,
    shfmt,
    tap,
    tsc,
    unittest,
    visual,
    vitest,
)
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Level
from fixloop_bot.model.matcher import ProblemMatcher

GENERIC = generic.TOOL.name
_MODULES = (
    *(pytest, unittest, jest, vitest, mocha, bats, node_test),
    *(ctest, gcc, cmake, make, clang_tidy, cppcheck, sanitizers, shellcheck, sh_syntax, shfmt),
    *(go_test, go_build, go_vet, gofmt, golangci_lint),
    *(cargo_test, cargo_check, clippy, rustfmt),
    *(tsc, eslint, prettier, biome, ruff, flake8, pylint, black, isort, mypy, pyright, compileall, node_check),
    *(rspec, minitest, rubocop, ruby_syntax),
    *(phpunit, pest, php_lint, phpstan, psalm, phpcs, php_cs_fixer),
    *(maven, maven_build, gradle, gradle_build, junit5, junit4, checkstyle, javac, kotlinc, ktlint),
    *(dotnet_test, dotnet_build),
    *(visual, sarif, junit_xml, tap),
    generic,
)
TOOLS: Mapping[str, Tool] = MappingProxyType({module.TOOL.name: module.TOOL for module in _MODULES})

_PARTS = re.compile(r"&&|\|\||[;|\n&]")
_ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
_LAUNCHERS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(
            ("npx", "bunx", "time", "sudo", "env", "cross-env", "exec", "do", "then", "command", "nice"), 1
        ),
        **dict.fromkeys(("uv", "poetry", "pdm", "hatch", "pipenv", "rye", "coverage"), 2),
        **dict.fromkeys(("pnpm", "yarn", "npm", "bun", "bundle"), 1),
    }
)
"""Programs that run the program named after them, and how many of the words are theirs (`uv run`)."""
_SUBCOMMANDS = frozenset({"run", "exec", "dlx", "x"})
_PYTHON = re.compile(r"^(?:python|pypy)[\d.]*$|^py$")
_MAX_COMMAND = 10_000


def recognise(command_line: str) -> str:
    """Return the name of the tool that a command line or script runs, `generic` for none that is known.

    Of several tools the test runner counts, else the first.
    """
    names = [name for part in _PARTS.split(command_line[:_MAX_COMMAND]) if (name := _recognise_part(part))]
    tests = [name for name in names if TOOLS[name].runs_tests]
    return (tests or names or [GENERIC])[0]


@lru_cache(maxsize=4_096)
def _recognise_part(part: str) -> str | None:
    line = _without_launchers(_words(part))
    for tool in TOOLS.values():
        if any(re.match(pattern, line) for pattern in tool.commands):
            return tool.name
    return None


def _words(part: str) -> list[str]:
    try:
        return shlex.split(part)
    except ValueError:
        return part.split()


def _without_launchers(words: list[str]) -> str:
    """Return the command with what merely starts it taken away, its program without a folder."""
    for _ in range(8):
        if not words:
            return ""
        program = words[0].rpartition("/")[2]
        taken = _launcher_words(program, words)
        if not taken:
            return " ".join([program, *words[1:]])
        words = words[taken:]
    return " ".join(words)


def _launcher_words(program: str, words: list[str]) -> int:
    """Return how many of the first words only start the rest."""
    if _ASSIGNMENT.match(words[0]) or words[0].startswith("-"):
        return 1
    if _PYTHON.match(program):
        return next((n + 1 for n, word in enumerate(words) if word == "-m"), 1)
    if program in {"sh", "bash"} and len(words) > 1 and words[1].startswith("-") and words[1].endswith("c"):
        return 2
    if program == "php" and "-l" not in words and "--syntax-check" not in words:
        return 1
    if program in _LAUNCHERS:
        return 2 if len(words) > 1 and words[1] in _SUBCOMMANDS else _LAUNCHERS[program] % 2
    return 0


def parse(tool: str, output: ToolOutput, matchers: Sequence[ProblemMatcher] = ()) -> Parsed:
    """Read an output.

    With the tool's own parser, else with whichever finds an error in it, else with the repository's `matchers`, else
    generically.
    """
    own = TOOLS.get(tool, generic.TOOL)
    first = None if own is generic.TOOL else own.parse(output)
    if first and first.diagnostics:
        return first
    tests = first.tests if first else None
    # Tools of one family share a parser: what it made of the same reports once is not asked of it again.
    read = {(own.parse, output.report, output.reports)} if first else set()
    for other in TOOLS.values():
        shown = _shown_to(other, output)
        reading = (other.parse, shown.report, shown.reports)
        if other is generic.TOOL or reading in read:
            continue
        read.add(reading)
        found = other.parse(shown)
        tests = tests or found.tests
        if other is not own and any(item.level is Level.ERROR for item in found.diagnostics):
            return Parsed(diagnostics=found.diagnostics, tier=found.tier, tests=tests)
    matched = problem_matcher.read(matchers, output)
    last = matched if matched.diagnostics else generic.TOOL.parse(output)
    return Parsed(diagnostics=last.diagnostics, tier=last.tier, tests=tests)


def _shown_to(tool: Tool, output: ToolOutput) -> ToolOutput:
    """Return the output without the JUnit reports that other tools wrote: every test runner's looks alike."""
    writers = {report: _writer(report[:2_000]) for report in (output.report, *output.reports) if report}
    own = next((report for report, writer in writers.items() if writer == tool.name), None)
    return replace(
        output,
        report=output.report if writers.get(output.report or "") in {None, tool.name} else own,
        reports=tuple(report for report in output.reports if writers.get(report) in {None, tool.name}),
    )


def _writer(start: str) -> str | None:
    """Return which tool wrote a report that begins so; None where the parsers can tell it themselves (JSON)."""
    if "<testsuite" not in start:
        return None
    if re.search(r'<testsuites? name="pytest', start):
        return pytest.TOOL.name
    if '<testsuites name="vitest' in start:
        return vitest.TOOL.name
    by_node = re.search(r'<testcase [^>]{0,400} classname="(?:test|suite)"', start)
    return node_test.TOOL.name if by_node else junit_xml.TOOL.name


def config_files() -> tuple[str, ...]:
    """Return the gitwildmatch patterns of all files that configure a tool, sorted."""
    return tuple(sorted({pattern for tool in TOOLS.values() for pattern in tool.config_files}))
