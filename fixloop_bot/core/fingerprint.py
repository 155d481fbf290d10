"""The identity of a failure: equal wherever and whenever it happens, other for another one."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence

from fixloop_bot.core.errorlines import error_lines
from fixloop_bot.core.noise import Noise
from fixloop_bot.core.normalise import Masker
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.layer import Layer

SCHEMA = "fixloop.fingerprint/1"
_MAX_TEXT_LINES = 20_000
_GUTTER = re.compile(r"^(?:[>\u276f] ?)?\d+ ?[|\u2502]")
_ENUMERATOR = re.compile(r"^(?:\d{1,6}\)|\[\d{1,6}/\d{1,6}\]|#\d{1,6}\b)\s?")
_PROGRESS = re.compile(r"^(?:\S+\s+)?[.,FEsSxXuRPI*]{2,}\s*(?:\[\s*\d+\s?%\])?$|^[.FEsxX]\s+\[\s*\d+\s?%\]$")
_PERCENT = re.compile(r"\[?\b\d{1,3}(?:\.\d+)?\s?%\]?")
_BLANKS = re.compile(r"\s+")
_COMPARED = re.compile(r"\W{0,20}(?:expected|actual|got|left|right|received|want(?:ed)?)\b\W{0,5}[:=]", re.IGNORECASE)
_TELLING = re.compile(r"['\"`\d]|[=<>!]=|\w[./]\w")


def fingerprint(
    layer: Layer,
    *,
    tier: Tier,
    diagnostics: Sequence[Diagnostic],
    text: str,
    masks: tuple[Masker, Noise],
    source_line: Callable[[str, int], str | None],
) -> Fingerprint:
    """Return the identity of a layer's failure.

    `tier` says what the diagnostics come from; without a diagnostic the normalised `text` alone counts, and the tier
    is `text`. `source_line` gives a line of the worktree, for diagnostics whose message says nothing.
    """
    telling = tell(diagnostics)
    if not telling:
        return _digest(layer, Tier.TEXT, (), sorted(normal_lines(text, masks)))
    items = tuple(sorted(_item(diagnostic, masks[0]) for diagnostic in telling))
    details = [_detail(diagnostic, masks, source_line) for diagnostic in telling]
    if not any(item.level is Level.ERROR and (item.rule_id or item.test_id) for item in telling):
        details += _said_beside(text, masks)
    return _digest(layer, tier, items, sorted(details))


def combine(layer: Layer, parts: Sequence[Fingerprint]) -> Fingerprint:
    """Return the identity of a layer of which several commands fail, on the worst of their grounds."""
    if len(parts) == 1:
        return parts[0]
    tier = max((part.tier for part in parts), key=list(Tier).index, default=Tier.TEXT)
    items = tuple(sorted(item for part in parts for item in part.items))
    return _digest(layer, tier, items, sorted(part.fine for part in parts))


def tell(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that make the failure: the errors; where only warnings are left, these."""
    for level in (Level.ERROR, Level.WARNING):
        chosen = tuple(dict.fromkeys(item for item in diagnostics if item.level is level))
        if chosen:
            return chosen
    return ()


def is_progress(
    before: Fingerprint, after: Fingerprint, executed_before: int | None, executed_after: int | None
) -> bool:
    """Return whether a part of the failure is gone and nothing else came: a strict sub-multiset.

    At least as many tests must have run as before, because a crash hides failures; a failure without a single item
    says nothing of what is gone.
    """
    if not after.items or not is_strict_submultiset(after.items, before.items):
        return False
    return executed_before is None or (executed_after is not None and executed_after >= executed_before)


def is_strict_submultiset(some: Sequence[str], of: Sequence[str]) -> bool:
    """Return whether `some` is `of` with at least one element taken away."""
    return len(some) < len(of) and not Counter(some) - Counter(of)


def normal_lines(text: str, masks: tuple[Masker, Noise]) -> list[str]:
    """Return the lines that identify a text: masked, without progress, gutters, enumerators, blanks and noise."""
    masker, noise = masks
    lines = text.split("\n")[-_MAX_TEXT_LINES:]
    normal = (_normal(line) for line in masker.lines("\n".join(lines)) if not _PROGRESS.match(line))
    return [kept for line in normal if line and (kept := noise.without(line))]


def _normal(line: str) -> str:
    line = _BLANKS.sub(" ", line).strip()
    return _ENUMERATOR.sub("", _GUTTER.sub("|", line)).strip()


def _item(diagnostic: Diagnostic, masker: Masker) -> str:
    name = diagnostic.test_id or diagnostic.rule_id or ""
    return f"{diagnostic.path or ''} {_BLANKS.sub(' ', masker.line(name))}".strip()


def _detail(
    diagnostic: Diagnostic,
    masks: tuple[Masker, Noise],
    source_line: Callable[[str, int], str | None],
) -> str:
    said = "\n".join(normal_lines(diagnostic.message, masks))
    source = _source(diagnostic, source_line) if _says_nothing(diagnostic, said) else ""
    return "\n".join((_item(diagnostic, masks[0]), diagnostic.rule_id or "", said, source))


def _says_nothing(diagnostic: Diagnostic, said: str) -> bool:
    """Return whether another fault in the same file would be told in the same words."""
    if diagnostic.test_id and diagnostic.kind is not DiagnosticKind.SYNTAX_ERROR:
        return not said
    return diagnostic.kind is DiagnosticKind.SYNTAX_ERROR or not _TELLING.search(said)


def _said_beside(text: str, masks: tuple[Masker, Noise]) -> list[str]:
    """Return the lines that look like errors or compare values: places without a rule or test may not be all of it."""
    lines = normal_lines(text, masks)
    looks = {lines[index] for index in error_lines("\n".join(lines))}
    return sorted(looks | {line for line in lines if _COMPARED.match(line)})


def _source(diagnostic: Diagnostic, source_line: Callable[[str, int], str | None]) -> str:
    if diagnostic.path is None or diagnostic.line is None:
        return ""
    return (source_line(diagnostic.path, diagnostic.line) or "").strip()


def _digest(layer: Layer, tier: Tier, items: tuple[str, ...], details: Sequence[str]) -> Fingerprint:
    coarse = _sha256([SCHEMA, "coarse", layer.value, tier.value, list(items)])
    return Fingerprint(
        tier=tier,
        fine=_sha256([SCHEMA, "fine", coarse, list(details)]),
        coarse=coarse,
        items=items,
    )


def _sha256(value: object) -> str:
    """Hash the value's JSON, which is ASCII, so that lone surrogates cannot raise."""
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode("ascii")).hexdigest()
