"""Which folder of the worktree an install command fills, where that is all it leaves behind."""

import posixpath
import re
from collections.abc import Iterable

_CD = re.compile(r"^cd (?:'([^'\n]{1,300})'|\"([^\"$`\\\n]{1,300})\"|([\w./@+-]{1,300})) && ")
_ASSIGNED = re.compile(r"^[A-Z_]{1,60}=[\w./:-]{0,200} ")
_OPTIONS = r"(?: -[\w-]{1,60}(?:=[\w./:-]{1,200})?){0,20}"
_NODE = re.compile(rf"^(?:npm (?:ci|install|i)|pnpm (?:install|i)|yarn(?: install)?|bun (?:install|i)){_OPTIONS}$")
_ELSEWHERE = re.compile(r" (?:-g|--global|--prefix|--cwd|-C|--dir|--modules-folder)\b")
_PYTHON = re.compile(rf"^(?:uv sync|pdm (?:install|sync)){_OPTIONS}$")
_POETRY = re.compile(rf"^POETRY_VIRTUALENVS_IN_PROJECT=(?:1|true) poetry (?:install|sync){_OPTIONS}$")
_PIPENV = re.compile(rf"^PIPENV_VENV_IN_PROJECT=1 pipenv (?:install|sync){_OPTIONS}$")
_VENV = re.compile(
    r"^python3? -m venv (?P<folder>\.venv|venv) && (?P=folder)/bin/(?:pip3?|python3? -m pip) install "
    r"[^;&|<>$`\n]{1,2000}$"
)
_WORD = re.compile(r"[^\s'\"=]{1,300}")
_HOOKS = re.compile(r'"(?:preinstall|install|postinstall|prepare|prepublish)"\s{0,20}:')
"""Scripts that an install runs (npm's documentation, `scripts`)."""
_COMPILED = re.compile(
    r"ext_modules|cffi_modules|cython|pybind11|nanobind|maturin|scikit.build|mesonpy|setuptools.rust|hatch.build.hooks",
    re.IGNORECASE,
)
_COMPOSER = re.compile(rf"^composer (?:install|i){_OPTIONS}$")


def installed_folder(line: str) -> str | None:
    """Return the folder, relative to the worktree; None where the line may do anything else as well.

    The commands run with a home of the run's own, which is gone after it: what a tool keeps there counts as lost.
    """
    text, place = " ".join(line.split()), "."
    if found := _CD.match(text):
        place, text = found[1] or found[2] or found[3], text[found.end() :]
    inside = posixpath.normpath(posixpath.join(place, folder)) if (folder := _folder(text)) else None
    return None if inside is None or inside.startswith(("..", "/")) else inside


def _folder(text: str) -> str | None:
    if venv := _VENV.match(text):
        return venv["folder"]
    if _POETRY.match(text) or _PIPENV.match(text):
        return ".venv"
    plain = _ASSIGNED.sub("", text)
    if _ELSEWHERE.search(plain):
        return None
    for pattern, folder in ((_NODE, "node_modules"), (_PYTHON, ".venv"), (_COMPOSER, "vendor")):
        if pattern.match(plain):
            return folder
    return None


def is_manifest(path: str, commands: Iterable[str]) -> bool:
    """Return whether what is installed may depend on the file.

    That are manifests, lock files, files of versions and registries, and every file that a command names.
    """
    name = path.rpartition("/")[2]
    listed = path.endswith((".txt", ".in")) and any(word in path for word in ("require", "constraint", "deps"))
    if name in _NAMES or listed or name.endswith((".lock", ".lockb")):
        return True
    words = {word.removeprefix("./") for line in commands for word in _WORD.findall(line)}
    return any(path == word or path.endswith(f"/{word}") for word in words)


def builds(path: str, text: str) -> bool:
    """Return whether installing by this manifest also builds from the sources, which may have changed since."""
    name = path.rpartition("/")[2]
    if name == "package.json":
        return _HOOKS.search(text) is not None
    return name in ("pyproject.toml", "setup.py") and _COMPILED.search(text) is not None


_NAMES = frozenset({
    *("package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc"),
    *(".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".nvmrc", ".node-version", "bunfig.toml", "lerna.json"),
    *("pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "uv.toml", "pdm.toml", "poetry.toml", ".python-version"),
    *("pip.conf", "tox.ini", "MANIFEST.in", ".tool-versions", "mise.toml", ".mise.toml", "composer.json", "auth.json"),
})  # fmt: skip
