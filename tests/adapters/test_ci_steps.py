"""Workflow steps that look like checks are found, and nothing that a workflow says does harm."""

import pytest

from fixloop_bot.adapters.ci_steps import MAX_STEPS, ci_steps
from fixloop_bot.checks.ci_lines import layer_of
from fixloop_bot.model.explanation import CiStep
from fixloop_bot.model.layer import Layer

CI = ".github/workflows/ci.yml"
WORKFLOW = """\
on: [push]
jobs:
  build:
    steps:
      - uses: actions/checkout@v4
      - run: |
          pip install -e .
          pytest -q
      - run: npm run lint
        working-directory: web
  again:
    steps:
      - run: pytest -q
"""


def found(files: dict[str, str]) -> tuple[CiStep, ...]:
    return ci_steps(list(files), files.get, layer_of)


def test_each_check_is_told_once_with_its_place() -> None:
    assert found({CI: WORKFLOW, "ci.yml": WORKFLOW}) == (
        CiStep(file=CI, job="build", run="pytest -q", layer=Layer.TEST),
        CiStep(file=CI, job="build", run="npm run lint", layer=Layer.LINT, folder="web"),
    )


ALIASES = "x: &a [{run: pytest}, *b]\njobs: {j: {steps: *a}}\n"
REPEATED = (
    "s: &s [" + "{run: echo}, " * 5_000 + "]\njobs:\n" + "".join(f"  j{n}: {{steps: *s}}\n" for n in range(5_000))
)
MANY = "jobs:\n  j:\n    steps:\n" + "".join(f"    - run: pytest t{n}.py\n" for n in range(200))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("", 0, id="an empty file"),
        pytest.param("jobs: [", 0, id="no YAML"),
        pytest.param("jobs: {j: {steps: {run: pytest}}}", 0, id="steps that are no list"),
        pytest.param("jobs: {j: {steps: [1, {run: [pytest]}, {run: pytest}]}}", 1, id="steps of other shapes"),
        pytest.param(ALIASES, 0, id="an alias that is not there"),
        pytest.param(REPEATED, 0, id="a list that is repeated without end"),
        pytest.param("[" * 100_000, 0, id="deep nesting"),
        pytest.param(MANY, MAX_STEPS, id="more than anyone reads"),
        pytest.param("#" * 300_000 + "\n" + WORKFLOW, 0, id="a large file"),
    ],
)
def test_any_file_gives_a_bounded_answer(text: str, count: int) -> None:
    assert len(found({CI: text})) == count
