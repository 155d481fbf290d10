"""The README's two commands, in a fresh clone, in a folder whose name has a space."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def clone(tmp_path: Path) -> Path:
    target = tmp_path / "a fresh clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(target)], check=True)
    return target


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL")}
    env = {name: value for name, value in kept.items() if not name.startswith("ANTHROPIC_")}
    return subprocess.run(["make", *arguments], cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_make_demo(tmp_path: Path) -> None:
    done = make(clone(tmp_path), "demo")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("DONE: All validation layers passed. Iterations: 3."), done.stderr
    assert "SCRIPTED agent" in done.stderr


def test_make_test(tmp_path: Path) -> None:
    done = make(clone(tmp_path), "test", "TESTS=tests/core tests/e2e/test_run_typescript.py", "WORKERS=2")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout
