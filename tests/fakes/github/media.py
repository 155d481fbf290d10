"""Media types: who asks for `application/vnd.github.v3.full+json` gets bodies rendered too."""

from html import escape
from typing import Any


def rendered(body: Any, accept: str) -> Any:
    """Return a JSON answer with `body_html` and `body_text` beside each `body`, where `accept` asks for them."""
    asked = {name for name in ("html", "text") if f".{name}+json" in accept or ".full+json" in accept}
    return _with_bodies(body, asked) if asked else body


def _with_bodies(item: Any, asked: set[str]) -> Any:
    if isinstance(item, list):
        return [_with_bodies(entry, asked) for entry in item]
    if not isinstance(item, dict):
        return item
    whole = {name: _with_bodies(value, asked) for name, value in item.items()}
    if isinstance(item.get("body", 0), str | None) and "html_url" in item:
        text = item["body"] or ""
        forms = {"html": f'<p dir="auto">{escape(text)}</p>' if text else "", "text": text}
        whole |= {f"body_{name}": forms[name] for name in asked}
    return whole
