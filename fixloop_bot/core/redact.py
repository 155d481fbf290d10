"""Secrets, taken out of every text on its way out: known values in all their spellings, and what looks like one."""

import base64
import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import quote, quote_plus

from fixloop_bot.core.private_keys import mask_private_keys

MASK = "***"

_SHORTEST = 4
"""Characters; a shorter "secret" would blank ordinary text."""
_SHORTEST_PART = 8
"""Characters of one line of a secret, or of an encoded one."""

_BREAK = r"(?:\\[nr]|\s){1,8}"
_PRIVATE_KEY = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    rf"(?:{_BREAK}[A-Za-z-]{{1,20}}: [^\n\\]{{0,100}})*"
    rf"(?:{_BREAK}[A-Za-z0-9+/=]{{16,}})*"
    rf"(?:{_BREAK}[A-Za-z0-9+/=]{{1,76}})?"
    rf"(?:(?:\\[nr]|\s){{0,8}}-----END [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----)?"
)
_TOKENS = (
    r"sk-[A-Za-z0-9_-]{20,}",
    r"gh[opusr]_[A-Za-z0-9]{20,}",
    r"github_pat_[A-Za-z0-9_]{20,}",
    r"glpat-[A-Za-z0-9_-]{16,}",
    r"(?:AKIA|ASIA)[0-9A-Z]{16}",
    r"AIza[0-9A-Za-z_-]{35}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"npm_[A-Za-z0-9]{36}",
    r"pypi-[A-Za-z0-9_-]{50,}",
    r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}",
)
_SHAPES = re.compile("|".join((_PRIVATE_KEY, *_TOKENS)))
"""Each alternative starts with fixed characters and, past them, cannot fail after an unbounded run: linear time."""

_HEADER = re.compile(
    r"(\bauthorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:basic|bearer|token)\s{1,4}|\bbearer\s{1,4})[A-Za-z0-9._~+/=-]{16,}",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<![A-Za-z0-9_])((?:[A-Z][A-Z0-9_]{0,40}?)?"
    r"(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?)[A-Z0-9_]{0,20}=[\"']?)"
    r"(?=[A-Za-z0-9+/_.~!@#^-])[^\s\"'`<>()\[\]{}\\]{8,1024}+([(\[{]?)"
)
"""What `env`, or a `.env` file, prints: a telling name in capitals, `=`, and a value.

Group 2 is the bracket that makes it a call or a lookup, which is no secret."""
_URL = re.compile(r"://(?:[^\s/@:\"'<>]{0,256}:[^\s/@\"'<>]{1,1024}|[^\s/@:\"'<>]{20,256})@")
"""Credentials in a URL (RFC 3986, userinfo)."""


def redactor(known: Sequence[str]) -> Callable[[str], str]:
    """Return a function that masks the known secrets, and secret shapes, in a text; linear in the text's length."""
    spellings = sorted({form for secret in known for form in _spellings(secret)}, key=len, reverse=True)

    def redact(text: str) -> str:
        for spelling in spellings:
            text = text.replace(spelling, MASK)
        text = _SHAPES.sub(MASK, mask_private_keys(text))
        text = _NAMED.sub(_masked_value, text)
        text = _HEADER.sub(rf"\1{MASK}", text)
        return _URL.sub(f"://{MASK}@", text)

    return redact


def _masked_value(found: re.Match[str]) -> str:
    return found[0] if found[2] else f"{found[1]}{MASK}"


def redact_json(value: Any, redact: Callable[[str], str]) -> Any:  # noqa: ANN401
    """Return a JSON value with every string in it redacted, keys too; before encoding, so that it stays JSON."""
    match value:
        case str():
            return redact(value)
        case dict():
            return {redact_json(key, redact): redact_json(item, redact) for key, item in value.items()}
        case list() | tuple():
            return [redact_json(item, redact) for item in value]
        case _:
            return value


def _spellings(secret: str) -> Iterator[str]:
    """Yield the forms in which a secret turns up: itself, its lines, JSON, URL, HTML, hex and base64 encoded."""
    if len(secret.strip()) < _SHORTEST:
        return
    yield from {secret, secret.strip(), json.dumps(secret)[1:-1], quote(secret, safe=""), quote_plus(secret)}
    yield from (line.strip() for line in secret.splitlines() if len(line.strip()) >= _SHORTEST_PART)
    yield from {html.escape(secret), json.dumps(secret, ensure_ascii=False)[1:-1]}
    digits = secret.strip().encode("utf-8", "replace").hex()
    yield from (form for form in (digits, digits.upper()) if len(form) >= _SHORTEST_PART)
    yield from (form for form in _base64_cores(secret.encode("utf-8", "replace")) if len(form) >= _SHORTEST_PART)


def _base64_cores(secret: bytes) -> Iterator[str]:
    """Yield what base64 makes of the secret wherever it stands in an encoded text, as in `user:secret`.

    Three bytes become four characters, so there are three alignments; the characters at either end that also depend
    on a neighbour are left out.
    """
    for before, lost in ((0, 0), (1, 2), (2, 3)):
        encoded = base64.b64encode(b"\0" * before + secret).decode()
        after = {0: 0, 1: 3, 2: 2}[(before + len(secret)) % 3]
        core = encoded[lost : len(encoded) - after]
        yield core
        yield core.translate(str.maketrans("+/", "-_"))
