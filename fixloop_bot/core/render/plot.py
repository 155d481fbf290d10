"""Plots as inline SVG: across in percent, down in pixels, so that marks and letters keep their size at any width.

An SVG without `viewBox` does not scale its content (SVG 2, 8.2), and percentages follow the page's width.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.core.render.html import Child, Markup, element, joined
from fixloop_bot.model.table import Tone

NAMES_WIDTH = 104
"""Pixels for the names of lanes, at the left."""
TOP, BOTTOM = 14, 32
"""Pixels above and below the marks; the numbers of the attempts stand below."""
MANY = 60
"""From so many marks on they are drawn small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One thing that happened, in its place across and its lane."""

    place: int
    """0-based."""
    height: float
    """0 at the bottom to 1 at the top."""
    about: str
    tone: Tone = Tone.PLAIN
    ring: bool = False
    """Drawn with a ring around it: look here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A straight line between two marks' places."""

    start: tuple[int, float]
    end: tuple[int, float]
    kind: str = "line"
    """CSS class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Marks and lines over a number of places."""

    name: str
    """Of the plot within its page: letters and digits."""
    title: str
    summary: str
    """What there is to see, for whoever sees no picture."""
    legend: str = ""
    """What its signs mean, for whoever sees them."""
    places: Sequence[str]
    """A name for each place."""
    lanes: Sequence[tuple[float, str]]
    """(height, name), drawn as grid lines."""
    marks: Sequence[Mark]
    lines: Sequence[Line] = ()
    pixels: int = 120
    """Between the lowest and the highest lane."""
    ticks: int = 6
    """Places that are named below the plot, at most."""


def figure(plot: Plot) -> Markup:
    """Return the plot with its caption."""
    return element(
        "figure",
        element("figcaption", plot.title),
        element("div", _names(plot), _area(plot), class_="plot"),
        element("p", " ".join(filter(None, (plot.summary, plot.legend))), class_="note"),
    )


def lanes(names: Sequence[str]) -> tuple[tuple[float, str], ...]:
    """Return the lanes with these names from the top to the bottom, at even distances."""
    steps = max(len(names) - 1, 1)
    return tuple((1 - number / steps if len(names) > 1 else 0.5, name) for number, name in enumerate(names))


def _area(plot: Plot) -> Markup:
    total, title, about = len(plot.places), f"{plot.name}-title", f"{plot.name}-about"
    small = total > MANY
    parts: Iterable[Child] = (
        element("title", plot.title, id=title),
        element("desc", plot.summary, id=about),
        *(_grid(height, plot) for height, _ in plot.lanes),
        *(_line(line, plot) for line in plot.lines),
        *(_mark(mark, plot, radius=2.5 if small else 5) for mark in plot.marks),
        *_ticks(plot),
    )
    return element(
        "svg",
        *parts,
        class_="area many" if small else "area",
        width="100%",
        height=_full_height(plot),
        role="img",
        aria_labelledby=f"{title} {about}",
    )


def _names(plot: Plot) -> Markup:
    """Return the lanes' names in a picture of their own, which does not grow; the summary says them to readers."""
    texts = (
        element("text", name, x=NAMES_WIDTH - 10, y=_y(height, plot) + 4, text_anchor="end")
        for height, name in plot.lanes
    )
    return element("svg", *texts, class_="names", width=NAMES_WIDTH, height=_full_height(plot), aria_hidden="true")


def _grid(height: float, plot: Plot) -> Markup:
    y = _y(height, plot)
    return element("line", x1="0%", x2="100%", y1=y, y2=y, class_="grid")


def _line(line: Line, plot: Plot) -> Markup:
    (start, low), (end, high) = line.start, line.end
    return element(
        "line",
        x1=_x(start, plot),
        y1=_y(low, plot),
        x2=_x(end, plot),
        y2=_y(high, plot),
        class_=line.kind,
    )


def _mark(mark: Mark, plot: Plot, *, radius: float) -> Markup:
    x, y = _x(mark.place, plot), _y(mark.height, plot)
    ring = [element("circle", cx=x, cy=y, r=radius + (2 if radius < 5 else 4), class_="ring")] if mark.ring else []
    dot = element("circle", element("title", mark.about), cx=x, cy=y, r=radius, class_=f"mark {mark.tone}")
    return joined([*ring, dot])


def _ticks(plot: Plot) -> Iterator[Markup]:
    """Yield the names of some places, as many as fit."""
    total = len(plot.places)
    step = max(1, -(-total // plot.ticks))
    for place in range(0, total, step):
        yield element(
            "text", plot.places[place], x=_x(place, plot), y=_full_height(plot) - 6, text_anchor="middle", class_="tick"
        )


def _x(place: int, plot: Plot) -> str:
    return f"{(place + 0.5) / max(len(plot.places), 1) * 100:.2f}%"


def _y(height: float, plot: Plot) -> float:
    return round(TOP + (1 - height) * plot.pixels, 1)


def _full_height(plot: Plot) -> int:
    return TOP + plot.pixels + BOTTOM
