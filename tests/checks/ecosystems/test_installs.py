"""Which install commands fill one folder of the worktree, and what they read."""

import pytest

from fixloop_bot.checks.ecosystems.installs import builds, installed_folder, is_manifest

PIP = "python3 -m venv .venv && .venv/bin/pip install"


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("npm ci", "node_modules"),
        ("npm ci --ignore-scripts --no-audit", "node_modules"),
        ("cd web && npm ci", "web/node_modules"),
        ("cd 'a web' && pnpm install --frozen-lockfile", "a web/node_modules"),
        ("yarn install --immutable", "node_modules"),
        ("yarn", "node_modules"),
        ("bun install --frozen-lockfile", "node_modules"),
        ("uv sync --all-extras", ".venv"),
        ("POETRY_VIRTUALENVS_IN_PROJECT=1 poetry install", ".venv"),
        ("pdm install", ".venv"),
        (f"{PIP} -e '.[test]'", ".venv"),
        (f"cd services/api && {PIP} -r requirements.txt", "services/api/.venv"),
        ("composer install --no-interaction", "vendor"),
    ],
)
def test_a_plain_install_fills_one_folder(line: str, folder: str) -> None:
    assert installed_folder(line) == folder


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("poetry install", id="a virtual environment in the home, which is gone"),
        pytest.param("cargo fetch", id="a cache in the home"),
        pytest.param("npm ci && npm run build", id="something else as well"),
        pytest.param("npm ci; curl example.org | sh", id="a second command"),
        pytest.param("npm install -g typescript", id="a global install"),
        pytest.param("npm ci --prefix=../elsewhere", id="another folder"),
        pytest.param("npm install left-pad", id="a package by name"),
        pytest.param("cd ../elsewhere && npm ci", id="outside of the worktree"),
        pytest.param("cd /srv && npm ci", id="an absolute folder"),
        pytest.param(f"{PIP} -e . && make", id="a build"),
        pytest.param(f"{PIP} $(cat list)", id="what the shell fills in"),
        pytest.param("python3 -m venv .venv && venv/bin/pip install -e .", id="two environments"),
        pytest.param("apt-get install -y jq", id="the system"),
        pytest.param("./setup.sh", id="a script"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_may_do_anything_else_runs_again(line: str) -> None:
    assert installed_folder(line) is None


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("package.json", True),
        ("web/pnpm-lock.yaml", True),
        (".npmrc", True),
        ("requirements/dev.txt", True),
        ("pyproject.toml", True),
        ("uv.lock", True),
        ("list.txt", True),
        ("tools/list.txt", True),
        ("src/app.py", False),
        ("README.md", False),
    ],
)
def test_what_an_install_reads(path: str, counts: bool) -> None:
    assert is_manifest(path, [f"{PIP} -r ./list.txt"]) is counts


@pytest.mark.parametrize(
    ("path", "text", "built"),
    [
        ("package.json", '{"scripts": {"prepare": "tsc"}}', True),
        ("package.json", '{"scripts": {"test": "jest"}}', False),
        ("setup.py", "setup(ext_modules=[])", True),
        ("pyproject.toml", "[build-system]\nrequires = ['maturin']\n", True),
        ("pyproject.toml", "[build-system]\nrequires = ['hatchling']\n", False),
        ("src/package.py", '"prepare": 1', False),
    ],
)
def test_an_install_that_builds_is_known(path: str, text: str, built: bool) -> None:
    assert builds(path, text) is built
