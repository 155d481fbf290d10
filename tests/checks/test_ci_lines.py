"""Which lines of a CI step's script look like checks."""

import pytest

from fixloop_bot.checks.ci_lines import layer_of
from fixloop_bot.model.layer import Layer


@pytest.mark.parametrize(
    ("line", "layer"),
    [
        ("pytest -q --cov", Layer.TEST),
        ("  npm test", Layer.TEST),
        ("npm run test:unit -- --ci", Layer.TEST),
        ("cargo test --all", Layer.TEST),
        ("./gradlew test", Layer.TEST),
        ("npm run lint", Layer.LINT),
        ("ruff check .", Layer.LINT),
        ("pre-commit run --all-files", Layer.LINT),
        ("npx tsc --noEmit", Layer.COMPILE),
        ("uv run mypy src", Layer.COMPILE),
        ("make build", Layer.COMPILE),
        ("pip install -e .[test]", None),
        ("npm ci", None),
        ("echo test", None),
        ("# pytest", None),
        ("eslint --fix .", None),
        ("npm run test -- ${{ matrix.shard }}", None),
        ("make deploy", None),
        ("git diff --exit-code", None),
        ("", None),
        ("pytest " + "x" * 1_000, None),
    ],
)
def test_a_line_is_a_check_of_a_layer_or_none(line: str, layer: Layer | None) -> None:
    assert layer_of(line) is layer
