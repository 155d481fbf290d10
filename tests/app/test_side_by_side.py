"""A monorepo's projects, checked side by side: the same results as one after the other."""

from pathlib import Path

import pytest

from fixloop_bot.adapters.processors import processors
from fixloop_bot.core.validation_json import validation_json
from fixloop_bot.model.layer import Layer
from tests.app.shop import FAIL, PASS, Shop

PYTEST = '[tool.pytest.ini_options]\naddopts = ["--disable-plugin-autoload"]\n'
WRONG = "def test_sum():\n    assert 1 + 1 == 3\n"
RIGHT = "def test_sum():\n    assert 1 + 1 == 2\n"
MEETS = """\
import os
import pathlib
import time


def test_the_other_one_is_here():
    meeting = pathlib.Path(os.environ["TMPDIR"])
    (meeting / "{own}").touch()
    while not (meeting / "{other}").exists():
        time.sleep(0.02)
"""


def monorepo(folder: Path, tests: dict[str, str], config: str = "") -> Shop:
    files = {f"{name}/tests/test_it.py": text for name, text in tests.items()}
    files |= {f"{name}/pyproject.toml": PYTEST for name in tests}
    return Shop(folder).write(files | ({".fixloop.yml": config} if config else {}))


@pytest.mark.skipif(processors() < 2, reason="one processor runs one command at a time")
def test_projects_with_separate_folders_are_checked_at_the_same_time(tmp_path: Path) -> None:
    tests = {own: MEETS.format(own=own, other=other) for own, other in (("api", "web"), ("web", "api"))}
    shop = monorepo(tmp_path, tests, "layers: {test: {idle-timeout: 60}}\n")
    result = shop.result(Layer.TEST)
    assert result.status is PASS
    assert [one.project for one in result.evidence] == ["api", "web"]
    assert "test: 2 projects side by side" in shop.watcher.told


def test_the_results_are_those_of_one_after_the_other(tmp_path: Path) -> None:
    tests = {"a": RIGHT, "b": WRONG, "c": RIGHT, "d": WRONG.replace("sum", "other")}
    beside = monorepo(tmp_path / "beside", tests).validate()
    alone = monorepo(tmp_path / "alone", tests, "parallel: 1\n").validate()
    (one, other) = (validation.result(Layer.TEST) for validation in (beside, alone))
    assert one is not None
    assert other is not None
    assert one.status is other.status is FAIL
    assert one.fingerprint == other.fingerprint
    assert one.diagnostics == other.diagnostics
    assert one.tests == other.tests
    assert [item.project for item in one.evidence] == [item.project for item in other.evidence] == ["a", "b", "c", "d"]
    assert [item["name"] for item in validation_json(beside)["layers"]] == ["compile", "lint", "test"]


def test_a_layer_is_gated_by_all_projects_of_the_one_below(tmp_path: Path) -> None:
    shop = monorepo(tmp_path, {"api": RIGHT, "web": RIGHT}).write({"web/broken.py": "def broken(:\n"})
    validation = shop.validate()
    assert validation.failing is not None
    assert validation.failing.name is Layer.COMPILE
    assert {one.project for one in validation.failing.evidence} == {"api", "web"}
    assert validation.result(Layer.TEST) is None


def test_one_at_a_time_is_said_of_nobody(tmp_path: Path) -> None:
    shop = monorepo(tmp_path, {"api": RIGHT, "web": RIGHT}, "parallel: 1\n")
    assert shop.result(Layer.TEST).status is PASS
    assert not any("side by side" in line for line in shop.watcher.told)
