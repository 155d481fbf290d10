"""`.fixloop.yml`: what may stand in it, and that every mistake is told with its line."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from fixloop_bot.adapters.repo_config import config_schema, has_section, parse_repo_config
from fixloop_bot.model.config import (
    BudgetConfig,
    ConfigError,
    LayerConfig,
    ModelPrice,
    ProjectConfig,
    RepoConfig,
    RubricDimension,
    SandboxConfig,
)
from fixloop_bot.model.layer import Layer

SCHEMA = Path(__file__).parents[2] / "docs" / "fixloop-yml.schema.json"

EVERYTHING = """\
version: 1
runner: scripts/validate.sh        # own validation runner
setup: ["npm ci"]
layers:
  compile: "npm run build"
  lint: {run: ["npm run lint"], fix: ["npm run lint -- --fix"], timeout: 600, idle-timeout: 120}
  test: {run: ["npm test"], timeout: 1800, env: {TZ: UTC, EMPTY: ""}}
projects: [{path: services/api, layers: {test: [make a, make b]}}]
require: [compile, test]
protect: ["contracts/**"]
problem-matchers: [".github/matcher.json"]
tests: {allow-stale-updates: false}
repair: {max-retries: 3, max-attempts: 2, attempt-turns: 20}
models: {triage: haiku, repair: sonnet, escalated: opus, ids: {sonnet: claude-x}, prices: {x: {input: 3, output: 15}}}
budget: {run-usd: 3.00, pr-usd: 10, author-usd-per-day: 20, repo-usd-per-day: 50, minutes: 45}
sandbox: {level: best, network: true}
push: layers
triggers: {pull-request: true, ci-failure: true, commands: true, min-permission: write, forks: command}
sweep: {branches: ["release/*"], pull-requests: true, stale-days: 7, max-runs: 5, max-usd: 10}
rubric: {dimensions: {readability: {threshold: 0.7, about: "names"}}}
visual: {pages: [index], threshold: 0.1, mask: [".clock"]}
"""


def parsed(text: str) -> RepoConfig:
    config = parse_repo_config(text, ".fixloop.yml")
    assert isinstance(config, RepoConfig), str(config)
    return config


def test_every_key_of_the_contract_is_read() -> None:
    config = parsed(EVERYTHING)
    assert config.layers[Layer.LINT] == LayerConfig(
        run=("npm run lint",), fix=("npm run lint -- --fix",), timeout=600, idle_timeout=120
    )
    assert config.layers[Layer.TEST].env == {"TZ": "UTC", "EMPTY": ""}
    assert config.projects == (
        ProjectConfig(path="services/api", layers={Layer.TEST: LayerConfig(run=("make a", "make b"))}),
    )
    assert config.require == (Layer.COMPILE, Layer.TEST)
    assert config.models.prices == {"x": ModelPrice(input=3, output=15)}
    assert config.budget == BudgetConfig(run_usd=3, pr_usd=10, author_usd_per_day=20, repo_usd_per_day=50, minutes=45)
    assert config.rubric.dimensions == {"readability": RubricDimension(threshold=0.7, about="names")}
    assert (config.runner, config.setup, config.visual.mask) == ("scripts/validate.sh", ("npm ci",), (".clock",))


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "version: 1", "{}"])
def test_nothing_said_means_the_defaults(text: str) -> None:
    assert parsed(text) == RepoConfig()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param('"pytest -q"', LayerConfig(run=("pytest -q",)), id="one command"),
        pytest.param("[a, b]", LayerConfig(run=("a", "b")), id="several commands"),
        pytest.param("{run: a, fix: [b]}", LayerConfig(run=("a",), fix=("b",)), id="a table"),
        pytest.param("[]", LayerConfig(), id="no command at all turns the layer off"),
    ],
)
def test_a_layer_may_be_written_in_three_ways(value: str, expected: LayerConfig) -> None:
    assert parsed(f"layers:\n  test: {value}").layers == {Layer.TEST: expected}


def test_an_anchor_may_be_used_within_reason() -> None:
    config = parsed("layers:\n  compile: &same [make]\n  test: *same")
    assert config.layers[Layer.TEST] == LayerConfig(run=("make",))


def test_only_the_default_level_is_best_effort() -> None:
    assert parsed("sandbox: {network: false}").sandbox == SandboxConfig(level="best", network=False)


MISTAKES = [
    pytest.param("version: 1\nlayer: {}", 2, "unknown key `layer`; known here: version, runner", id="unknown key"),
    pytest.param(
        "layers:\n  lint: x\n  tset: x", 3, "unknown key `tset`: the keys here are 'compile'", id="unknown layer"
    ),
    pytest.param("layers:\n  test:\n    runn: x", 3, "unknown key `runn`; known here: run, fix", id="key of a layer"),
    pytest.param("layers:\n\n  test: 3", 3, "`layers.test` must be a table", id="number for a command"),
    pytest.param(
        "layers:\n  test: {timeout: 0}", 2, "`layers.test.timeout`: input should be greater than 0", id="zero"
    ),
    pytest.param(
        "layers:\n  test:\n    env: {A: 1}", 3, "`layers.test.env.A`: input should be a valid string", id="env"
    ),
    pytest.param(
        "budget:\n  run-usd: lots", 2, "`budget.run-usd`: input should be a valid number", id="text for money"
    ),
    pytest.param("budget: {run-usd: .inf}", 1, "`budget.run-usd`: input should be a finite number", id="endless money"),
    pytest.param("budget: {run-usd: -1}", 1, "`budget.run-usd`: input should be greater", id="negative money"),
    pytest.param(
        "repair: {max-retries: true}", 1, "`repair.max-retries`: input should be a valid integer", id="boolean"
    ),
    pytest.param("repair: {max_retries: 1}", 1, "unknown key `max_retries`; known here: max-retries", id="underscore"),
    pytest.param("version: 2", 1, "`version`: input should be 1", id="future version"),
    pytest.param("version: true", 1, "`version` must be a number", id="boolean version"),
    pytest.param("setup:\n- a\n- 1", 3, "`setup[1]`: input should be a valid string", id="number in a list"),
    pytest.param("projects:\n  - layers: {}", 2, "`projects[0].path` is missing", id="missing path"),
    pytest.param("projects:\n- path: ../x", 2, "`projects[0].path` must be a path inside", id="path that leads out"),
    pytest.param("runner: /bin/true", 1, "`runner` must be a path inside", id="absolute runner"),
    pytest.param(
        "sandbox: {level: hard}", 1, "`sandbox.level`: input should be 'best', 'strict' or 'off'", id="choice"
    ),
    pytest.param("- a", 1, "`the file` must be a table", id="a list instead of a table"),
]

BAD_YAML = [
    pytest.param("push: done\npush: layers", 2, "key `push` stands here twice", id="duplicate key"),
    pytest.param("1: 2", 1, "key `1` is not text", id="number as a key"),
    pytest.param("layers:\n\ttest: x", 2, "is not valid YAML: found character '\\t'", id="tab"),
    pytest.param("version: 1\nprotect: [a", 2, "is not valid YAML: ", id="open bracket"),
    pytest.param("\n\nx: \x00", 3, "is not valid YAML: special characters", id="NUL byte"),
    pytest.param("x: *gone", 1, "is not valid YAML: found undefined alias", id="unknown alias"),
    pytest.param("a: &a [*a]", 1, "unfolds into too many", id="alias of itself"),
    pytest.param("x: !!python/object/apply:os.system [id]", 1, "unknown key `x`", id="a python object is never made"),
    pytest.param("x: !!python/name:os.system a", 1, "value `a` cannot be read", id="a python name is never looked up"),
    pytest.param("x: 2001-99-99", 1, "value `2001-99-99` cannot be read", id="impossible date"),
    pytest.param("[" * 5000, None, "is nested too deeply", id="deep nesting"),
    pytest.param("#" * 300_000, None, "is larger than 256 KB", id="huge file"),
    pytest.param("--- a\n--- b", 2, "is not valid YAML: but found another document", id="two documents"),
]


@pytest.mark.parametrize(("text", "line", "message"), MISTAKES + BAD_YAML)
def test_a_mistake_is_told_with_its_line(text: str, line: int | None, message: str) -> None:
    error = parse_repo_config(text, ".fixloop.yml")
    assert isinstance(error, ConfigError)
    assert (error.line, error.message[: len(message)]) == (line, message)
    assert str(error).startswith(f".fixloop.yml:{line}: " if line else ".fixloop.yml: ")


def test_a_bomb_of_aliases_is_refused_quickly() -> None:
    bomb = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
    error = parse_repo_config(bomb, ".fixloop.yml")
    assert isinstance(error, ConfigError)
    assert "unfolds into too many" in error.message


def test_the_first_of_several_mistakes_is_told() -> None:
    error = parse_repo_config("version: 1\npush: never\nbudget: {minutes: x}\nfoo: 1", ".fixloop.yml")
    assert isinstance(error, ConfigError)
    assert error.line == 2


def test_the_published_schema_is_the_codes() -> None:
    assert SCHEMA.read_text() == config_schema()


def test_the_published_schema_accepts_what_the_code_accepts() -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(yaml.safe_load(EVERYTHING), schema)


BEYOND_SCHEMA = ("path that leads out", "absolute runner", "endless money")


@pytest.mark.parametrize("text", [case.values[0] for case in MISTAKES if case.id not in BEYOND_SCHEMA])
def test_the_published_schema_refuses_what_the_code_refuses(text: str) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    assert not validator.is_valid(yaml.safe_load(text))


@pytest.mark.parametrize(
    ("text", "there"),
    [
        pytest.param("sweep: {max-runs: 5}\n", True, id="rules, though they are the defaults"),
        pytest.param("sweep:\n", False, id="a key without anything"),
        pytest.param("models: {repair: opus}\n", False, id="other rules"),
        pytest.param("", False, id="an empty file"),
        pytest.param("- sweep\n", False, id="a list"),
        pytest.param("sweep: [\n", False, id="what cannot be read"),
    ],
)
def test_a_section_is_there_or_not(text: str, there: bool) -> None:
    assert has_section(text, "sweep") is there
