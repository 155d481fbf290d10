"""What validates a repository's shell scripts."""

import pytest

from fixloop_bot.checks.ecosystems.shell import MAX_LINE
from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, told_of

SH = "#!/bin/sh\necho hi\n"
BASH = "#!/usr/bin/env bash\necho hi\n"
RUN = {"bin/run.sh": SH}
LINT = "shellcheck bin/run.sh [shellcheck]"


def syntax(shell: str, *names: str) -> str:
    return f'sh -c rc=0; for f in {" ".join(names)}; do {shell} -n "$f" || rc=$?; done; exit $rc [sh-syntax]'


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        pytest.param({"a.sh": SH, "b.sh": "#!/bin/dash\n"}, [syntax("sh", "a.sh", "b.sh")], id="sh"),
        pytest.param({"a.sh": SH, "b": BASH}, [syntax("sh", "a.sh"), syntax("bash", "b")], id="each by its first line"),
        pytest.param({"a.sh": "#!/usr/bin/env -S bash -e\n"}, [syntax("bash", "a.sh")], id="env with options"),
        pytest.param({"lib.sh": "f() { :; }\n"}, [syntax("bash", "lib.sh")], id="to be sourced"),
        pytest.param({"lib.sh": "# shellcheck shell=sh\n"}, [syntax("sh", "lib.sh")], id="its directive names it"),
        pytest.param({"a.sh": "#!/usr/bin/zsh\n", "b.sh": "#!/usr/bin/perl\n"}, [], id="other interpreters"),
        pytest.param({"bin/tool": SH, "docs/tool": SH}, [syntax("sh", "bin/tool")], id="programs without an extension"),
        pytest.param({"my run.sh": SH, "-x.sh": SH}, [syntax("sh", "./-x.sh", "'my run.sh'")], id="unusual names"),
        pytest.param({"vendor/a.sh": SH, "node_modules/x/b.sh": SH}, [], id="foreign scripts"),
    ],
)  # fmt: skip
def test_syntax_is_checked_by_the_shell_that_runs_the_script(files: dict[str, str], commands: list[str]) -> None:
    assert told_of(files, Layer.COMPILE) == commands


def test_thousands_of_scripts_are_several_commands() -> None:
    files = {f"scripts/{'x' * 60}{number}.sh": SH for number in range(1_500)}
    found = [check.command[2] for check in plan(files).checks]
    assert len(found) == 2
    assert all(len(line) < 2 * MAX_LINE for line in found)
    assert sum(line.count(".sh ") + line.count(".sh;") for line in found) == 1_500


@pytest.mark.parametrize(
    ("more", "commands"),
    [
        pytest.param({}, [], id="no linter is forced on a project"),
        pytest.param({".shellcheckrc": "disable=SC2034\n"}, [LINT], id="its own file"),
        pytest.param({".github/workflows/ci.yml": "- run: shellcheck bin/*.sh\n"}, [LINT], id="CI runs it"),
        pytest.param({".github/workflows/ci.yml": "# shellcheck\n"}, [], id="a comment does not"),
        pytest.param(
            {".gitlab-ci.yml": "script: shellcheck -x --severity=warning --format=gcc bin/run.sh\n"},
            ["shellcheck -x --severity=warning bin/run.sh [shellcheck]"],
            id="as strict as CI, no stricter",
        ),
        pytest.param(
            {".pre-commit-config.yaml": "- id: shellcheck\n  args: [--severity=error, '--evil=$(x)']\n"},
            ["shellcheck --severity=error bin/run.sh [shellcheck]"],
            id="a hook's options",
        ),
        pytest.param(
            {".github/workflows/ci.yml": "- uses: ludeeus/action-shellcheck@2\n  with:\n    severity: error\n"},
            ["shellcheck --severity=error bin/run.sh [shellcheck]"],
            id="an action's severity",
        ),
        pytest.param({".pre-commit-config.yaml": "- id: shfmt\n"}, ["shfmt -d bin/run.sh [shfmt]"], id="shfmt"),
        pytest.param({".pre-commit-config.yaml": "- id: shfmt\n  args: [-i, '2']\n"}, [], id="shfmt in another style"),
        pytest.param({".gitlab-ci.yml": "script: shfmt -d -i 2 .\n"}, [], id="shfmt in a style on the command"),
    ],
)
def test_linters_run_where_the_repository_uses_them(more: dict[str, str], commands: list[str]) -> None:
    assert told_of(RUN | more, Layer.LINT) == commands


def test_shfmt_mends_what_it_finds() -> None:
    assert fixers(RUN | {".pre-commit-config.yaml": "- id: shfmt\n"}) == ["shfmt -w bin/run.sh"]
    assert fixers(RUN) == []


@pytest.mark.parametrize(
    ("more", "commands"),
    [
        pytest.param({}, ["bats --tap test test/unit [bats]"], id="every folder that holds tests"),
        pytest.param({"Makefile": "test:\n\tbats test\n"}, ["make test [bats]"], id="a target is better knowledge"),
        pytest.param({"Makefile": "test:\n\t./x\n"}, ["bats --tap test test/unit [bats]"], id="a target for others"),
        pytest.param(
            {"package.json": '{"scripts": {"test": "bats test"}}'},
            ["npm run --silent test [bats]"],
            id="a script is better knowledge",
        ),
    ],
)
def test_bats_runs_its_tests(more: dict[str, str], commands: list[str]) -> None:
    assert told_of({"test/a.bats": "", "test/unit/b.bats": ""} | more, Layer.TEST) == commands


def test_scripts_beside_a_python_project_are_a_project_of_their_own() -> None:
    assert plan({"app.py": "", "run.sh": SH}).project_type == "python+shell"
