"""Templates: every text in them is redacted, rid of what nobody sees, and escaped."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from fixloop_bot import __version__
from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.core.render.escape import visible
from fixloop_bot.core.render.html import joined
from fixloop_bot.core.render.page_style import STYLE
from fixloop_bot.core.render.plot import Plot, figure
from fixloop_bot.model.table import Cell, Column, Tone

HTMX = "htmx-2.0.11.min.js"
Draw = Callable[[str, Mapping[str, object]], str]


def drawer(redact: Callable[[str], str]) -> Draw:
    """Return what fills a template of this package; a name that is not given is an error, not an empty text."""
    environment = Environment(
        loader=PackageLoader("fixloop_bot.entrypoints.dashboard"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=partial(_shown, redact),
    )
    environment.globals.update(classes=_classes, version=__version__, figures=partial(_figures, redact))

    def draw(name: str, values: Mapping[str, object]) -> str:
        return environment.get_template(name).render(at=SystemClock().iso(), **values)

    return draw


def stylesheet() -> str:
    """Return the style of all pages: that of the report, and what pages with forms need besides."""
    loader = PackageLoader("fixloop_bot.entrypoints.dashboard")
    more, _, _ = loader.get_source(Environment(autoescape=True), "dashboard.css")
    return STYLE + more


def htmx() -> bytes:
    """Return the vendored script that draws a watched run anew; its licence lies beside it."""
    return files("fixloop_bot.entrypoints.dashboard").joinpath("static", HTMX).read_bytes()


def _shown(redact: Callable[[str], str], value: object) -> object:
    """Return a value for the page; jinja2 escapes it afterwards, unless it is markup that was made here."""
    return visible(redact(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def _figures(redact: Callable[[str], str], plots: tuple[Plot, ...]) -> Markup:
    """Return the plots, whose texts `core.render.html` has escaped."""
    return Markup(redact(joined([figure(plot) for plot in plots]).text))  # noqa: S704 - escaped by its maker


def _classes(column: Column, cell: Cell) -> Markup:
    named = {"number": column.is_number, "prose": column.is_prose, str(cell.tone): cell.tone is not Tone.PLAIN}
    return escape(" ".join(name for name, holds in named.items() if holds))
