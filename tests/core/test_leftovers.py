"""What counts as the person's, and what the checks have left behind."""

import pytest

from fixloop_bot.core.leftovers import AT_START_LIMIT, at_start, leftovers, litter

MANY = [f"data/{number % 7}/{number}" for number in range(AT_START_LIMIT)]


def test_installed_packages_and_caches_are_no_leftovers() -> None:
    assert leftovers(["a.py", "node_modules/x/y.js", "app/__pycache__/a.pyc", "b/.venv/bin/python"]) == ("a.py",)


@pytest.mark.parametrize(
    ("untracked", "remembered"),
    [
        pytest.param(["b", "a/c", "node_modules/x"], ("a/c", "b"), id="few are named one by one"),
        pytest.param([*MANY, "notes/1", "2"], ("2", "data/", "notes/1"), id="the fullest folder stands for its files"),
        pytest.param([f"{number}.txt" for number in range(AT_START_LIMIT + 1)], ("./",), id="no folder helps"),
    ],
)
def test_what_a_run_remembers(untracked: list[str], remembered: tuple[str, ...]) -> None:
    assert at_start(untracked) == remembered


@pytest.mark.parametrize(
    ("known", "found"),
    [
        pytest.param((), ("data/new", "database/x", "top"), id="all is new"),
        pytest.param(("top",), ("data/new", "database/x"), id="a file is the person's"),
        pytest.param(("data/",), ("database/x", "top"), id="so is all in their folder"),
        pytest.param(("./",), (), id="or all there is"),
    ],
)
def test_litter_is_what_was_not_there(known: tuple[str, ...], found: tuple[str, ...]) -> None:
    assert litter(["data/new", "database/x", "top", "node_modules/x"], known) == found
