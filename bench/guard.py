"""How long the guard takes to judge a change."""

import statistics
import time
from collections.abc import Callable, Iterable

from bench.table import Section
from fixloop_bot.core.guard.judge_change import judge_change
from fixloop_bot.model.guard import Change, FileChange, FileVersion
from tests.core.guard.corpus.edit import PROTECTION, Edit, judged
from tests.core.guard.test_corpus import CHEATS, HONEST

LINE = 'value_{n} = compute({n}, "text {n}")  # and why\n'
ROUNDS = 5


ABOUT = (
    "Judging one change, the best of {} rounds: the edits of the guard's test corpus, plain changes of code, and texts"
    " made to be slow. Processor time."
)


def run(*, small: bool = False) -> Section:
    """Measure the corpus and the made changes; `small` leaves the corpus alone."""
    rows = [_row(name, change) for name, change in _made()]
    if not small:
        rows += _corpus()
    head = ("what is judged", "size", "time")
    return Section(name="guard", about=ABOUT.format(ROUNDS), head=head, rows=rows)


def _corpus() -> list[tuple[str, str, str]]:
    edits: tuple[Edit, ...] = (*CHEATS, *HONEST)
    times = {edit.name: _seconds(_judging(edit)) for edit in edits}
    worst = max(times, key=lambda name: times[name])
    size = f"{len(edits)} edits"
    return [
        ("an edit of the corpus, at the median", size, _shown(statistics.median(times.values()))),
        (f"the slowest edit of the corpus: {worst}", size, _shown(times[worst])),
    ]


def _judging(edit: Edit) -> Callable[[], object]:
    return lambda: judged(edit)


def _row(name: str, change: Change) -> tuple[str, str, str]:
    characters = sum(len(side.text or "") for file in change.files for side in (file.before, file.after) if side)
    seconds = _seconds(lambda: judge_change(change, PROTECTION))
    return name, f"{characters / 1e6:.2f} M characters", _shown(seconds)


def _shown(seconds: float) -> str:
    return f"{1e3 * seconds:.2f} ms" if seconds < 0.1 else f"{seconds:.2f} s"


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
        started = time.process_time()
        run()
        best = min(best, time.process_time() - started)
        if best > 1:
            break
    return best
