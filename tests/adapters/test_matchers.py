"""Problem matchers named by `.fixloop.yml`, read from where it is trusted."""

import json
from pathlib import Path

import pytest

from fixloop_bot.adapters.project import GitProject
from fixloop_bot.model.config import ConfigProblem, RepoConfig

ONE = {"problemMatcher": [{"owner": "one", "pattern": [{"regexp": "^BAD (.*)$", "message": 1}]}]}
CONFIG = "version: 1\nproblem-matchers:\n  - one.json\n  - .github/two.json\n"


def project(root: Path, files: dict[str, str], **more: object) -> GitProject:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return GitProject(root, scratch=root, list_files=lambda: sorted(files), base_env={}, **more)  # type: ignore[arg-type]


def test_a_plan_has_the_matchers_in_the_order_of_the_files(tmp_path: Path) -> None:
    two = json.dumps(ONE).replace("one", "two")
    plan = project(tmp_path, {".fixloop.yml": CONFIG, "one.json": json.dumps(ONE), ".github/two.json": two}).plan()
    assert [matcher.owner for matcher in plan.matchers] == ["one", "two"]


@pytest.mark.parametrize(
    ("two", "said"),
    [
        (None, ".github/two.json does not exist"),
        ("{}", ".github/two.json has no list `problemMatcher`"),
        (json.dumps(ONE).replace("^BAD (.*)$", "^BAD ("), "problemMatcher[0].pattern[0]: `regexp` cannot be used"),
    ],
)
def test_a_bad_file_is_named_with_its_line_in_the_configuration(tmp_path: Path, two: str | None, said: str) -> None:
    files = {".fixloop.yml": CONFIG, "one.json": json.dumps(ONE)} | ({".github/two.json": two} if two else {})
    with pytest.raises(ConfigProblem) as problem:
        project(tmp_path, files).plan()
    assert str(problem.value).startswith(".fixloop.yml:4: `problem-matchers[1]`: ")
    assert said in str(problem.value)


def test_what_the_worktree_says_counts_for_nothing_where_the_configuration_comes_from_elsewhere(tmp_path: Path) -> None:
    base = {".fixloop.yml": CONFIG, "one.json": json.dumps(ONE)}
    changed = json.dumps(ONE).replace("one", "planted")
    made = project(
        tmp_path, {"one.json": changed}, config=RepoConfig(problem_matchers=("one.json",)), read_trusted=base.get
    )
    assert [matcher.owner for matcher in made.plan().matchers] == ["one"]
    gone = project(tmp_path, {}, config=RepoConfig(problem_matchers=("x", "gone.json")), read_trusted=base.get)
    with pytest.raises(ConfigProblem, match=r"^\.fixloop\.yml:3: `problem-matchers\[0\]`: x does not exist"):
        gone.plan()
