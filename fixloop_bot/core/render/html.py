"""HTML elements in which every text is escaped: only an element made here stands in a page as it is."""

import html
from collections.abc import Iterable
from dataclasses import dataclass

from fixloop_bot.core.render.escape import visible

_VOID = frozenset({"meta", "br", "input"})


@dataclass(frozen=True, slots=True)
class Markup:
    """HTML that is safe as it is."""

    text: str


Child = Markup | str


def element(tag: str, *children: Child, **attributes: str | float | None) -> Markup:
    """Return an element; tag and attribute names are the program's own, all else is escaped.

    `class_` is `class`, `aria_label` is `aria-label`; an attribute that is None is left out.
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escaped(_plain(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Markup(f"<{tag}{named}>")
    return Markup(f"<{tag}{named}>{joined(children).text}</{tag}>")


def joined(children: Iterable[Child], between: str = "") -> Markup:
    """Return the children one after the other."""
    texts = (child.text if isinstance(child, Markup) else escaped(child) for child in children)
    return Markup(between.join(texts))


def escaped(text: str) -> str:
    """Return the text for element content and quoted attributes, without characters that nobody sees."""
    return html.escape(visible(text), quote=True)


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
