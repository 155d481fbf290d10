"""How long the guard takes: `python bench/guard.py` from the repository's root."""

import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fixloop_bot.core.guard.judge_change import judge_change
from fixloop_bot.model.guard import Change, FileChange, FileVersion
from tests.core.guard.corpus.edit import PROTECTION, Edit, judged
from tests.core.guard.test_corpus import CHEATS, HONEST

LINE = 'value_{n} = compute({n}, "text {n}")  # and why\n'
ROUNDS = 5


def main() -> None:
    """Print a table: what was judged, its size, and the seconds that it took."""
    edits: tuple[Edit, ...] = (*CHEATS, *HONEST)
    times = sorted(_seconds(lambda edit=edit: judged(edit)) for edit in edits)
    worst = max(edits, key=lambda edit: _seconds(lambda: judged(edit)))
    print(f"{len(edits)} edits of the corpus: median {1e3 * statistics.median(times):.2f} ms,", end=" ")
    print(f"slowest {1e3 * times[-1]:.2f} ms ({worst.name})")
    for name, change in _made():
        characters = sum(len(side.text or "") for file in change.files for side in (file.before, file.after) if side)
        seconds = _seconds(lambda change=change: judge_change(change, PROTECTION))
        print(f"{name:55} {characters / 1e6:6.2f} M characters  {seconds:8.3f} s")


def _made() -> Iterable[tuple[str, Change]]:
    thousand = "".join(LINE.format(n=n) for n in range(1_000))
    for suffix in ("py", "ts", "rs", "rb"):
        yield f"one line changed in a thousand (.{suffix})", _change(suffix, thousand, thousand.replace("(7,", "(8,"))
        yield f"a thousand new lines (.{suffix})", _change(suffix, "", thousand)
    large = "".join(LINE.format(n=n) for n in range(50_000))
    yield "one line changed in fifty thousand (.py)", _change("py", large, large.replace("(7,", "(8,"))
    yield "fifty thousand new lines (.py)", _change("py", "", large)
    for unit in ("(", "/*", '"', "{", "a(", "\\"):
        yield f"hostile: {unit!r} a million times (.ts)", _change("ts", "", unit * 1_000_000)


def _change(suffix: str, before: str, after: str) -> Change:
    file = FileChange(path=f"src/a.{suffix}", before=FileVersion(text=before), after=FileVersion(text=after))
    return Change(files=(file,), expectations=("assert f(3) == 4",))


def _seconds(run: Callable[[], object]) -> float:
    """Return the best of some rounds; one only, where it takes long."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - started)
        if best > 1:
            break
    return best


if __name__ == "__main__":
    main()
