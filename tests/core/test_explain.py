"""What would run, told to a person and to a program."""

from fixloop_bot.core.explain import explain_json
from fixloop_bot.core.render.explanation import to_text
from fixloop_bot.model.command import Check, Fixer, PassedOver, Plan, ProjectRoot
from fixloop_bot.model.explanation import CiStep, Explanation
from fixloop_bot.model.layer import Layer

LAYERS = (Layer.COMPILE, Layer.LINT, Layer.TEST)
PLAN = Plan(
    project_type="python+node",
    checks=(
        Check(layer=Layer.LINT, command=("ruff", "check", "."), tool="ruff", source="ruff.toml"),
        Check(
            layer=Layer.TEST,
            command=("sh", "-c", "npm test"),
            tool="jest",
            project="a web",
            source=".fixloop.yml projects a web layers.test",
            timeout_s=1800,
            after_success=True,
        ),
    ),
    fixers=(Fixer(layer=Layer.LINT, command=("ruff", "check", "--fix", ".")),),
    skipped={Layer.COMPILE: "no command for this layer was found"},
    projects=(ProjectRoot(ecosystem="node", path="a web", setup="cd 'a web' && npm ci"),),
    passed_over=(
        PassedOver(project="a web", what="package.json scripts.lint", why="it rewrites files", layer=Layer.LINT),
        PassedOver(project=".", what="Makefile test", why="other commands are known", layer=Layer.TEST),
    ),
)
CI = (CiStep(file=".github/workflows/ci.yml", job="build", run="pytest -q", layer=Layer.TEST),)
TEXT = """\
Project type: python+node.

compile: skipped: no command for this layer was found

lint:
  1. ruff check .
     because: ruff.toml; at most 600 s
  mends for free: ruff check --fix .

test:
  1. in a web: npm test
     because: .fixloop.yml projects a web layers.test; at most 1800 s, if the one before it passed

Passed over:
  a web: package.json scripts.lint: it rewrites files
  Makefile test: other commands are known

Your CI runs this, which fixloop only reads:
  test: pytest -q (.github/workflows/ci.yml, job build)

Nothing is installed before the checks. These commands would do it; name them under `setup`:
  cd 'a web' && npm ci

Keys of .fixloop.yml that change this (LAYER is compile, lint or test):
"""


def test_a_person_is_told_what_runs_where_and_why() -> None:
    text = to_text(Explanation(plan=PLAN, layers=LAYERS, ci=CI))
    assert text.startswith(TEXT)
    assert "  setup                 commands that install" in text


def test_one_layer_alone_is_explained_alone() -> None:
    text = to_text(Explanation(plan=PLAN, layers=(Layer.LINT,), ci=CI))
    assert "in a web" not in text
    assert "pytest" not in text
    assert "Makefile test" not in text


def test_configured_setup_is_told_and_nothing_suggested() -> None:
    text = to_text(
        Explanation(plan=Plan(project_type="node", setup=("npm ci",), projects=PLAN.projects), layers=LAYERS)
    )
    assert "Before the first check, setup 1: npm ci" in text
    assert "Nothing is installed" not in text


def test_a_runner_of_the_repositorys_own_takes_the_place_of_all() -> None:
    told = Explanation(plan=Plan(project_type="node", checks=PLAN.checks, runner="validate.sh"), layers=LAYERS)
    assert "validate.sh validates in the place" in to_text(told)
    assert "ruff" not in to_text(told)
    assert [layer["checks"] for layer in explain_json(told)["layers"]] == [[], [], []]


def test_hostile_names_stay_on_their_line() -> None:
    plan = Plan(project_type="x", checks=(Check(layer=Layer.TEST, command=("a\n::error::b\x1b[31m",), tool="generic"),))
    assert not any(line.startswith("::") for line in to_text(Explanation(plan=plan, layers=LAYERS)).splitlines())
    assert "\x1b" not in to_text(Explanation(plan=plan, layers=LAYERS))


def test_a_program_is_told_the_same() -> None:
    value = explain_json(Explanation(plan=PLAN, layers=LAYERS, ci=CI, configured=True))
    assert [layer["name"] for layer in value["layers"]] == ["compile", "lint", "test"]
    assert value["layers"][2]["checks"][0]["command"] == "npm test"
    assert value["layers"][1]["fixers"] == [{"project": ".", "command": "ruff check --fix .", "source": ""}]
    assert value["projects"] == [{"ecosystem": "node", "path": "a web", "suggested_setup": "cd 'a web' && npm ci"}]
    assert value["ci_suggestions"][0]["run"] == "pytest -q"
    assert {one["what"] for one in value["passed_over"]} == {"package.json scripts.lint", "Makefile test"}
    assert value["configured"] is True
