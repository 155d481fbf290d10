"""The project's own fixers mend what they can, and nothing else."""

from pathlib import Path

import pytest

from fixloop_bot.model.layer import Layer
from tests.app.shop import PASS, Shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_ruff_mends_and_formats_where_it_is_configured(shop: Shop) -> None:
    shop.write({"pyproject.toml": "[tool.ruff.format]\n", "a.py": "import os\nx = {'a':1}\n"})
    assert shop.fix(Layer.LINT) == (
        "fixer `ruff check --fix .`: exit code 0",
        "fixer `ruff format .`: exit code 0",
    )
    assert (shop.root / "a.py").read_text() == 'x = {"a": 1}\n'
    assert shop.result(Layer.LINT).status is PASS


def test_eslint_and_prettier_mend_the_files_that_the_script_names(shop: Shop) -> None:
    shop.write(
        {
            "package.json": '{"scripts": {"lint": "eslint src && prettier --check src"}, "type": "module"}',
            "eslint.config.js": "export default [{rules: {'prefer-const': 'error'}}];\n",
            "src/a.js": "let   x = 1;\nexport { x };\n",
            "other.js": "let   x = 1;\nexport { x };\n",
        }
    ).with_node_tools()
    assert shop.fix(Layer.LINT) == (
        "fixer `eslint src --fix`: exit code 0",
        "fixer `prettier src --write`: exit code 0",
    )
    assert (shop.root / "src" / "a.js").read_text() == "const x = 1;\nexport { x };\n"
    assert (shop.root / "other.js").read_text() == "let   x = 1;\nexport { x };\n"
    assert shop.result(Layer.LINT).status is PASS


def test_a_fixers_own_files_go_to_the_runs_scratch_folder(shop: Shop) -> None:
    shop.write({"Cargo.toml": "[package]\n", "rustfmt.toml": "", "src/lib.rs": ""})
    shop.write({".venv/bin/cargo": '#!/bin/sh\necho "$CARGO_TARGET_DIR" >told\n'})
    (shop.root / ".venv" / "bin" / "cargo").chmod(0o755)
    assert shop.fix(Layer.LINT) == ("fixer `cargo fmt --all`: exit code 0",)
    told = Path((shop.root / "told").read_text().strip())
    assert told.is_absolute()
    assert not told.is_relative_to(shop.root)


def test_fixers_of_other_layers_stay_where_they_are(shop: Shop) -> None:
    shop.write({"pyproject.toml": "[tool.ruff]\n", "a.py": "import os\n"})
    assert shop.fix(Layer.TEST) == ()
    assert (shop.root / "a.py").read_text() == "import os\n"


@pytest.mark.parametrize(
    ("line", "limit_s", "said"),
    [
        ("exit 1", 60, "fixer `exit 1`: exit code 1"),
        ("test -e mended || sleep 300", 4, "fixer `test -e mended || sleep 300`: wall-clock limit after 4 s"),
    ],
)
def test_a_fixer_that_fails_is_told_and_no_more(shop: Shop, line: str, limit_s: int, said: str) -> None:
    shop.write({".fixloop.yml": f"layers: {{lint: {{fix: ['{line}', 'echo x > mended'], timeout: {limit_s}}}}}"})
    assert shop.fix(Layer.LINT)[0] == said
    assert (shop.root / "mended").exists()


def test_a_fixer_that_is_missing_is_named(shop: Shop) -> None:
    shop.write({"pyproject.toml": "[tool.black]\n", "a.py": ""})
    assert shop.fix(Layer.LINT) == ("fixer `black --quiet .`: black was not found or cannot be executed",)
