"""The systemd unit, as systemd reads it."""

import subprocess
import sys
from pathlib import Path

from tests.packaging import read
from tests.system.toolchains import install


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    install({"systemd-analyze": "systemd"})
    program = tmp_path / "fixloop"  # systemd takes a blank for the end of a path, and a checkout's may have one
    program.symlink_to(Path(sys.executable).parent / "fixloop")
    unit = tmp_path / "fixloop.service"
    unit.write_text(read("deploy/fixloop.service").replace("/opt/fixloop/bin/fixloop", str(program)))
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    unit.write_text(unit.read_text().replace("ProtectSystem=strict", "ProtectSystem=perhaps"))
    wrong = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "perhaps" in wrong.stderr
