"""Names of declared dependencies, whatever the manifest."""

import json

import pytest

from fixloop_bot.checks.ecosystems.dependencies import declared_dependencies
from tests.checks.ecosystems.repository import snapshot


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("package.json", json.dumps({"dependencies": {"React": "1"}}), {"react"}),
        ("package.json", json.dumps({"devDependencies": {"@a/b": "2"}}), {"@a/b"}),
        ("pyproject.toml", '[project]\ndependencies = ["PyYAML>=6", "a_b.c[x]; z>\'3\'"]', {"pyyaml", "a-b-c"}),
        ("pyproject.toml", '[project.optional-dependencies]\ndev = ["pytest"]', {"pytest"}),
        ("pyproject.toml", '[dependency-groups]\ndev = ["ruff", {include-group = "x"}]', {"ruff"}),
        ("pyproject.toml", '[tool.poetry.dependencies]\nrequests = "^2"', {"requests"}),
        ("pyproject.toml", '[tool.poetry.group.dev.dependencies]\nblack = "*"', {"black"}),
        ("requirements-dev.txt", "# tools\nflask==3 # web\n-r other.txt\n\nDjango~=5", {"flask", "django"}),
        ("requirements/base.txt", "attrs", {"attrs"}),
        ("composer.json", '{"require": {"Monolog/monolog": "^3"}, "require-dev": {"a/b": "*"}}',
         {"monolog/monolog", "a/b"}),
        ("Cargo.toml", '[dependencies]\nserde = "1"\n[dev-dependencies.rand]\nversion = "0.8"', {"serde", "rand"}),
        ("Gemfile", "source 'x'\ngem 'rake'\n  gem(\"rspec\", '~> 3')\n# gem 'no'", {"rake", "rspec"}),
        ("go.mod", "module a.b/c\n\nrequire d.e/f v1.0.0\nrequire (\n\tg.h/i/v2 v2.1.0 // x\n)", {"d.e/f", "g.h/i/v2"}),
        ("notes.txt", "flask", set()),
        ("pyproject.toml", "[project", set()),
        ("pyproject.toml", '[project]\ndependencies = "a"', set()),
    ],
)  # fmt: skip
def test_declared(path: str, text: str, names: set[str]) -> None:
    assert declared_dependencies(snapshot({path: text})) == names
