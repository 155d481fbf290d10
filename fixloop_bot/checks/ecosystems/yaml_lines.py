"""The little of YAML that detection needs: the names below a top key, and the plain list below one."""

import re
from collections.abc import Iterator

_LINE = re.compile(r"^( *)(\S.*)$")
_KEY = re.compile(r"^(?:\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'|([A-Za-z0-9_./*@:-]{1,200}?))\s*:(?:\s|$)")
_ITEM = re.compile(r"^-\s+(?:\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|([^\s#\"'][^#\n]{0,300}?))\s*(?:#.*)?$")
_FLOW = re.compile(r"[\"']?([^\"',\[\]]+)[\"']?")
MAX_LINES = 20_000


def keys_below(text: str, top: str) -> dict[str, str]:
    """Return each key of the block mapping below the top key `top`, with the lines that belong to it.

    Anchors, flow mappings and documents after the first are not understood, and give nothing.
    """
    found: dict[str, list[str]] = {}
    width, name = 0, ""
    for indent, line in _block(text, top):
        width = width or indent
        key = _KEY.match(line) if indent == width else None
        if key:
            name = key[1] or key[2] or key[3]
            found[name] = [line]
        elif name and indent > width:
            found[name].append(line)
        elif indent < width:
            return {}  # no mapping that is understood
    return {key: "\n".join(lines) for key, lines in found.items()}


def items_below(text: str, top: str) -> tuple[str, ...] | None:
    """Return the strings of the list below the top key `top`; None where it is no list that is understood."""
    found: list[str] = []
    for _, line in _block(text, top):
        item = _ITEM.match(line)
        if not item:
            return None
        found.append((item[1] or item[2] or item[3]).strip())
    if found:
        return tuple(found)
    inline = re.search(rf"^{re.escape(top)}:[ \t]*\[([^\]\n]{{0,2000}})\]", text, re.MULTILINE)
    return tuple(part[1].strip() for part in _FLOW.finditer(inline[1]) if part[1].strip()) if inline else None


def _block(text: str, top: str) -> Iterator[tuple[int, str]]:
    """Yield indentation and text of the lines below a top key, without comments and blank lines."""
    inside = False
    for line in text.split("\n", MAX_LINES)[:MAX_LINES]:
        found = _LINE.match(line.rstrip("\r"))
        if not found or found[2].startswith("#"):
            continue
        if not found[1] and not (inside and found[2].startswith("- ")):
            if inside:
                return
            inside = re.match(rf"[\"']?{re.escape(top)}[\"']?\s*:\s*(?:#.*)?$", found[2]) is not None
        elif inside:
            yield len(found[1]), found[2].rstrip()
