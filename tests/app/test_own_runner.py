"""A repository's own runner: believed where its answer is whole, an error where it is not."""

import json
from pathlib import Path
from typing import Any

import pytest

from fixloop_bot.core.validation_json import validation_json
from fixloop_bot.model.layer import Layer
from tests.app.shop import ERROR, FAIL, PASS, Shop, statuses


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path).write({".fixloop.yml": "runner: scripts/validate.sh", "src/a.py": "x = 1\n"})


def runner(shop: Shop, script: str) -> Shop:
    shop.write({"scripts/validate.sh": f"#!/bin/sh\n{script}\n"})
    (shop.root / "scripts" / "validate.sh").chmod(0o755)
    return shop


def answer(status: str = "pass", overall: str | None = None, **changes: Any) -> str:
    layer = {"name": "lint", "status": status, "output": "src/a.py:1: bad", "error_count": 0} | changes
    return json.dumps({"layers": [layer], "overall_status": overall or status})


def printing(shop: Shop, text: str, exit_code: int = 0) -> Shop:
    return runner(shop.write({"answer": text}), f"cat answer; exit {exit_code}")


def test_it_is_told_the_root_and_the_layer_and_its_gates_hold(shop: Shop) -> None:
    script = """
[ "$1 $2 $3" = "--project-root $PWD --layer" ] || exit 9
echo "checking $4"
case $4 in compile) s=pass n=0;; *) s=fail n=3;; esac
printf '{"layers": [{"name": "%s", "status": "%s", "output": "src/a.py:1: bad", "error_count": %d}],
 "overall_status": "%s"}' $4 $s $n $s
[ $s = pass ]"""
    validation = runner(shop, script).validate()
    assert statuses(validation) == {"compile": "pass", "lint": "fail"}
    lint = validation.failing
    assert lint is not None
    assert (lint.error_count, lint.output, lint.exit_code) == (3, "src/a.py:1: bad", 1)
    assert lint.affected_files == ("src/a.py",)
    assert lint.fingerprint is not None
    assert validation_json(validation)["layers"][1]["command"] == ["scripts/validate.sh --project-root . --layer lint"]


@pytest.mark.parametrize("chatter", ["", "{not json\n", "warning: {x}\n", '{"a": 1}\n'])
def test_what_it_prints_before_its_answer_is_passed_over(shop: Shop, chatter: str) -> None:
    assert printing(shop, chatter + answer()).result(Layer.LINT).status is PASS


def test_a_layer_that_it_skips_is_no_pass(shop: Shop) -> None:
    validation = printing(shop, answer("skip")).validate(only=Layer.LINT)
    assert statuses(validation) == {"lint": "skip"}
    assert Layer.LINT not in validation.planned


def test_its_failure_counts_even_with_an_exit_code_of_0(shop: Shop) -> None:
    assert printing(shop, answer("fail")).result(Layer.LINT).status is FAIL


GARBAGE = [
    pytest.param("", 0, "printed no JSON object", id="nothing"),
    pytest.param("\x00\x01 all fine", 0, "printed no JSON object", id="no JSON"),
    pytest.param("[" * 50_000, 0, "printed no JSON object", id="deep nesting"),
    pytest.param('{"layers": {}, "overall_status": "pass"}', 0, "printed no JSON object", id="layers are no list"),
    pytest.param('{"layers": []}', 0, "printed no JSON object", id="no overall status"),
    pytest.param(answer(name="test"), 0, "says nothing of the layer lint", id="another layer"),
    pytest.param(answer("passed"), 0, "`status` must be pass, fail, skip or error", id="unknown status"),
    pytest.param(answer(status=["pass"]), 0, "`status` must be", id="status is a list"),  # type: ignore[arg-type]
    pytest.param(answer(error_count="0"), 0, "`error_count` must be a whole number", id="count is text"),
    pytest.param(answer(error_count=True), 0, "`error_count` must be a whole number", id="count is a boolean"),
    pytest.param(answer(output=None), 0, "`output` must be text", id="no output"),
    pytest.param(answer("pass", "fail"), 0, "overall_status is fail", id="pass and fail at once"),
    pytest.param(answer(), 1, "the runner's exit code is 1", id="pass with a failing exit code"),
    pytest.param(answer(error_count=2), 0, "error_count is 2", id="pass with errors"),
]


@pytest.mark.parametrize(("text", "exit_code", "reason"), GARBAGE)
def test_what_is_no_answer_is_an_error(shop: Shop, text: str, exit_code: int, reason: str) -> None:
    result = printing(shop, text, exit_code).result(Layer.LINT)
    assert result.status is ERROR
    assert reason in result.reason
    assert result.fingerprint is not None


def test_text_that_no_file_can_hold_is_made_writable(shop: Shop) -> None:
    result = printing(shop, answer("fail", output="bad \ud800", reason="\udfff" * 5000)).result(Layer.LINT)
    assert (result.status, result.output, result.reason) == (FAIL, "bad ?", "?" * 1000)


def test_a_runner_that_is_not_there_is_named(shop: Shop) -> None:
    result = shop.result(Layer.LINT)
    assert (result.status, result.reason) == (ERROR, "scripts/validate.sh was not found or is not executable")
