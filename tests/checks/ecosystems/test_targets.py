"""Targets that a repository declares run the layers of which nothing better is known."""

import pytest

from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import told_of


@pytest.mark.parametrize(
    ("files", "layer", "commands"),
    [
        ({"Makefile": ".PHONY: lint\nlint: deps\n\truff .\n"}, Layer.LINT, ["make lint [generic]"]),
        ({"Makefile": "check:\n\t./run\n"}, Layer.TEST, ["make check [generic]"]),
        ({"Makefile": "test := yes\nother: test\n"}, Layer.TEST, []),
        ({"Makefile": "\tlint: no target\n"}, Layer.LINT, []),
        ({"justfile": "test *args:\n  cargo test\n"}, Layer.TEST, ["just test [generic]"]),
        ({"justfile": "test := 'x'\n"}, Layer.TEST, []),
        ({"tox.ini": "[testenv:lint]\ncommands = x\n"}, Layer.LINT, ["tox -q -e lint [generic]"]),
        ({"noxfile.py": "def tests(session):\n  pass\n"}, Layer.TEST, ["nox -s tests [generic]"]),
        ({"Makefile": "test:\n", "justfile": "test:\n"}, Layer.TEST, ["make test [generic]"]),
        ({"sub/Makefile": "test:\n"}, Layer.TEST, []),
    ],
)
def test_a_target_is_found(files: dict[str, str], layer: Layer, commands: list[str]) -> None:
    assert told_of(files, layer) == commands


def test_an_ecosystems_own_command_is_better_knowledge() -> None:
    files = {"Makefile": "test:\n\tpytest\n", "test_a.py": "import pytest"}
    assert told_of(files, Layer.TEST) == ["python -m pytest [pytest]"]
