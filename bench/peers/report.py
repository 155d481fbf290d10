"""What was played, as rows of a table: a measure each, fixloop's beside the others'."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bench.peers.play import Played

NOISE = 20_000
"""Lines."""
NOTHING = "\N{EN DASH}"


@dataclass(frozen=True, kw_only=True)
class Results:
    """All that one program has played."""

    fixed: Sequence[Played]
    """A round each."""
    quiet: Played
    noisy: Played
    log: Played
    lie: Played
    cheat: Played
    installed: float
    """MB; 0 where it is not known."""

    @property
    def first(self) -> float:
        """Return the seconds until the first request."""
        return median(game.first for game in self.fixed)

    @property
    def wall(self) -> float:
        """Return the seconds of a whole run."""
        return median(game.wall for game in self.fixed)

    @property
    def memory(self) -> float:
        """Return MB."""
        return max(game.memory for game in self.fixed)

    def more(self, loud: Played) -> float:
        """Return how many characters more were sent with noise than without."""
        return loud.characters - self.quiet.characters


def rows_of(results: Sequence[Results], log: str, validating: float) -> list[list[str]]:
    """Return the rows; the first results are fixloop's, whose memory while only validating stands apart."""
    alone = [f"own process while validating a log of {log}, no SDK", f"{validating:.0f} MB"]
    return [
        _row("model calls", "{:.0f}", lambda it: len(it.fixed[0].sizes), results),
        _row("characters of the first request", "{:,.0f}", lambda it: it.fixed[0].sizes[0], results),
        _row("characters in all", "{:,.0f}", lambda it: it.fixed[0].characters, results, "2,560"),
        _row("start to first request", "{:.2f} s", lambda it: it.first, results, "ratio 0.25"),
        _row("whole run", "{:.2f} s", lambda it: it.wall, results),
        _row("peak memory", "{:.0f} MB", lambda it: it.memory, results, "ratio 0.50"),
        [*alone, *[NOTHING] * (len(results) - 1), "", "60 MB"],
        *_noise(f"{NOISE:,} lines", lambda it: it.noisy, results),
        *_noise(f"a log of {log}", lambda it: it.log, results),
        ["a lie", *(_belief(it.lie) for it in results), "", "not believed"],
        ["a changed test", *(_belief(it.cheat) for it in results), "", "not believed"],
        _row("installed", "{:.0f} MB", lambda it: it.installed, results),
    ]


def _row(
    name: str, shown: str, of: Callable[[Results], float], results: Sequence[Results], goal: str = ""
) -> list[str]:
    values = [of(it) for it in results]
    least = min((value for value in values[1:] if value > 0), default=0)
    ratio = f"{values[0] / least:.2f}" if least and values[0] > 0 else ""
    return [name, *(shown.format(value) if value else NOTHING for value in values), ratio, goal]


def _noise(name: str, game: Callable[[Results], Played], results: Sequence[Results]) -> Iterator[list[str]]:
    ended = [game(it).ended for it in results]
    sent = [why or f"{it.more(game(it)):,.0f}" for it, why in zip(results, ended, strict=True)]
    yield [f"more characters with {name}", *sent, "", "8,000"]
    yield [f"the assertion, with {name}", *("sent" if game(it).shown else "not sent" for it in results), "", "sent"]
    yield [f"peak memory with {name}", *(f"{game(it).memory:.0f} MB" for it in results), "", ""]


def _belief(game: Played) -> str:
    return f"believed (exit {game.code})" if game.code == 0 else f"{game.said.partition(':')[0]} (exit {game.code})"
