"""`python -m tests.record.environment [NAME…]`: record the cases of `environment_cases` anew."""

import json
import os
import sys
from pathlib import Path

from fixloop_bot.adapters.process import ProcessRunner
from fixloop_bot.model.command import CommandRequest
from tests.record.environment_cases import CASES, Case
from tests.record.place import TOP, Place, build
from tests.record.recorder import write_text

FOLDER = Path(__file__).parents[1] / "fixtures" / "environment"
PROGRAMS = os.environ.get("FIXLOOP_RECORD_PATH", "")
"""Folders, like PATH, with programs that are not installed on this machine."""


def record(case: Case) -> None:
    """Run a case as the pyramid does, and keep what it prints."""
    place = Place(TOP / "environment" / case.name, TOP / "scratch" / case.name)
    build(place, case.files, {})
    own = f"{PROGRAMS}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    runner = ProcessRunner({**os.environ, "PATH": own}, place.scratch)
    done = runner.run(CommandRequest(argv=("sh", "-c", case.command), cwd=str(place.root), timeout_s=120))
    (FOLDER / case.name).mkdir(parents=True, exist_ok=True)
    text = done.text
    for folder in filter(None, PROGRAMS.split(":")):
        text = text.replace(str(Path(folder).parents[1]), "/opt/tools")
    write_text(FOLDER / case.name / "output.txt", text)
    meta = {"cwd": str(place.root), "tmpdir": str(place.scratch), "exit_code": done.exit_code}
    (FOLDER / case.name / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")


def main(names: list[str]) -> int:
    """Record all cases, or these."""
    for case in CASES:
        if not names or case.name in names:
            record(case)
            print(case.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
