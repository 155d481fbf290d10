"""host/set-up.sh where it cannot do its work; tests/system/test_host_action.py shows it where it can."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.packaging import ROOT


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A PATH with what the script itself needs, and a Python that is too old."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bash", "dirname"):
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
    (folder / "python3").write_text("#!/bin/bash\nexit 1\n")
    (folder / "python3").chmod(0o755)
    return folder


def set_up(programs: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(programs / "bash"), str(ROOT / "host/set-up.sh")]
    env = {"PATH": str(programs), **environment}
    return subprocess.run(command, env=env, cwd="/", capture_output=True, text=True, check=False)


def test_without_a_python_that_will_do_it_says_what_to_add(programs: Path, tmp_path: Path) -> None:
    done = set_up(programs, RUNNER_TEMP=str(tmp_path / "temp"))
    assert done.returncode == 1
    assert done.stdout.startswith("::error title=fixloop::Python 3.11 or newer with venv is needed")
    assert "actions/setup-python" in done.stdout
    assert not (tmp_path / "temp").exists()


def test_outside_a_job_it_touches_nothing(programs: Path) -> None:
    done = set_up(programs)
    assert done.returncode == 1
    assert "this runs in a GitHub Actions job" in done.stderr
