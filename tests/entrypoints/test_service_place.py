"""A job's folder, and what a kill leaves of it."""

import random
import subprocess
import sys
import time
from pathlib import Path

from fixloop_bot.entrypoints.service_place import ServicePlace
from tests.fakes.until import ended, until

FILES = 3_000
CLEAR = """
import sys
from pathlib import Path
from fixloop_bot.entrypoints.service_place import ServicePlace
place = ServicePlace(Path(sys.argv[1]))
(place.root / "ready").touch()
place.clear_away("job")
"""


def fill(place: ServicePlace) -> None:
    for number in range(FILES):
        path = place.job("job") / f"clone/{number % 50}/{number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_whoever_is_killed_over_a_folder_leaves_it_whole_or_not_at_all(tmp_path: Path) -> None:
    chance, place = random.Random(3), ServicePlace(tmp_path / "service")
    place.make()
    for _ in range(8):
        fill(place)
        (place.root / "ready").unlink(missing_ok=True)
        with ended(subprocess.Popen([sys.executable, "-c", CLEAR, str(place.root)], text=True)) as process:
            until((place.root / "ready").exists, process)
            time.sleep(chance.uniform(0, 0.04))
        left = [path for path in place.job("job").rglob("*") if path.is_file()]
        assert len(left) in (0, FILES)
    place.clear_away("job")
    place.clear_away("job")
    assert not place.job("job").exists()
