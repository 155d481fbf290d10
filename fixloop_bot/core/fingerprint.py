"""The identity of a failure: equal wherever and whenever it happens, other for another one."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from fixloop_bot.core.errorlines import error_lines
from fixloop_bot.core.noise import Noise
from fixloop_bot.core.normalise import Masker
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Detail, Fingerprint, Tier
from fixloop_bot.model.layer import Layer

SCHEMA = "fixloop.fingerprint/1"
_MAX_TEXT_LINES = 20_000
MAX_KEPT = 200_000
"""Characters of the details that a fingerprint keeps."""
_GUTTER = re.compile(r"^(?:[>\u276f] ?)?\d+ ?[|\u2502]")
_ENUMERATOR = re.compile(r"^(?:\d{1,6}\)|\[\d{1,6}/\d{1,6}\]|#\d{1,6}\b)\s?")
_PROGRESS = re.compile(r"^(?:\S+\s+)?[.,FEsSxXuRPI*]{2,}\s*(?:\[\s*\d+\s?%\])?$|^[.FEsxX]\s+\[\s*\d+\s?%\]$")
_PERCENT = re.compile(r"\[?\b\d{1,3}(?:\.\d+)?\s?%\]?")
_NUMBER = re.compile(r"\d+")
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
    masker, noise = masks
    telling = tell(diagnostics)
    if not telling:
        return _digest(layer, Tier.TEXT, (), [Detail(said=tuple(normal_lines(text, masker)))], noise)
    items = tuple(sorted(_item(diagnostic, masker) for diagnostic in telling))
    details = [_detail(diagnostic, masker, source_line) for diagnostic in telling]
    if not any(item.level is Level.ERROR and (item.rule_id or item.test_id) for item in telling):
        details.append(Detail(said=tuple(_said_beside(text, masker))))
    return _digest(layer, tier, items, details, noise)


def combine(layer: Layer, parts: Sequence[Fingerprint]) -> Fingerprint:
    """Return the identity of a layer of which several commands fail, on the worst of their grounds."""
    if len(parts) == 1:
        return parts[0]
    tier = max((part.tier for part in parts), key=list(Tier).index, default=Tier.TEXT)
    items = tuple(sorted(item for part in parts for item in part.items))
    if all(part.details for part in parts):
        return _digest(layer, tier, items, [detail for part in parts for detail in part.details], Noise())
    coarse = _coarse(layer, tier, items)
    return Fingerprint(
        tier=tier, coarse=coarse, items=items, fine=_sha256([SCHEMA, "fine", coarse, sorted(p.fine for p in parts)])
    )


def with_noise(layer: Layer, known: Fingerprint, noise: Noise) -> Fingerprint:
    """Return the identity of the same failure once more noise is known; the same where its details were not kept."""
    if not known.details:
        return known
    return _digest(layer, known.tier, known.items, known.details, noise)


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

    At least as many tests must have run as before, because a crash hides failures. Where neither failure has an item,
    its text may say no error that was not there before, its numbers aside.
    """
    less = is_strict_submultiset(after.items, before.items) if after.items else _says_nothing_new(before, after)
    if not less:
        return False
    return executed_before is None or (executed_after is not None and executed_after >= executed_before)


def is_strict_submultiset(some: Sequence[str], of: Sequence[str]) -> bool:
    """Return whether `some` is `of` with at least one element taken away."""
    return len(some) < len(of) and not Counter(some) - Counter(of)


def _says_nothing_new(before: Fingerprint, after: Fingerprint) -> bool:
    """Return whether the text tells less, or less often, than before; never where the details were not kept."""
    if before.items or not (before.details and after.details):
        return False
    return not _errors_told(after) - _errors_told(before)


def _errors_told(known: Fingerprint) -> Counter[str]:
    lines = [line for detail in known.details for line in detail.said]
    return Counter(_NUMBER.sub("0", lines[index]) for index in error_lines("\n".join(lines)))


def normal_lines(text: str, masker: Masker) -> list[str]:
    """Return the lines that identify a text: masked, without progress, gutters, enumerators and blanks."""
    lines = text.split("\n")[-_MAX_TEXT_LINES:]
    normal = (_normal(line) for line in masker.lines("\n".join(lines)) if not _PROGRESS.match(line))
    return [line for line in normal if line]


def _normal(line: str) -> str:
    line = _BLANKS.sub(" ", line).strip()
    return _ENUMERATOR.sub("", _GUTTER.sub("|", line)).strip()


def _item(diagnostic: Diagnostic, masker: Masker) -> str:
    name = diagnostic.test_id or diagnostic.rule_id or ""
    return f"{diagnostic.path or ''} {_BLANKS.sub(' ', masker.line(name))}".strip()


def _detail(diagnostic: Diagnostic, masker: Masker, source_line: Callable[[str, int], str | None]) -> Detail:
    said = normal_lines(diagnostic.message, masker)
    return Detail(
        item=_item(diagnostic, masker),
        rule=diagnostic.rule_id or "",
        source=_source(diagnostic, source_line) if _says_nothing(diagnostic, "\n".join(said)) else "",
        said=tuple(said),
    )


def _says_nothing(diagnostic: Diagnostic, said: str) -> bool:
    """Return whether another fault in the same file would be told in the same words."""
    if diagnostic.test_id and diagnostic.kind is not DiagnosticKind.SYNTAX_ERROR:
        return not said
    return diagnostic.kind is DiagnosticKind.SYNTAX_ERROR or not _TELLING.search(said)


def _said_beside(text: str, masker: Masker) -> list[str]:
    """Return the lines that look like errors or compare values: places without a rule or test may not be all of it."""
    lines = normal_lines(text, masker)
    looks = {lines[index] for index in error_lines("\n".join(lines))}
    return sorted(looks | {line for line in lines if _COMPARED.match(line)})


def _source(diagnostic: Diagnostic, source_line: Callable[[str, int], str | None]) -> str:
    if diagnostic.path is None or diagnostic.line is None:
        return ""
    return (source_line(diagnostic.path, diagnostic.line) or "").strip()


def _digest(layer: Layer, tier: Tier, items: tuple[str, ...], details: Sequence[Detail], noise: Noise) -> Fingerprint:
    coarse = _coarse(layer, tier, items)
    quiet = tuple(sorted((_quiet(detail, noise) for detail in details), key=_parts))
    identity = [_parts(detail) for detail in quiet]
    size = sum(len(part) for parts in identity for part in parts)
    return Fingerprint(
        tier=tier,
        fine=_sha256([SCHEMA, "fine", coarse, identity]),
        coarse=coarse,
        items=items,
        details=quiet if size <= MAX_KEPT else (),
    )


def _parts(detail: Detail) -> list[str]:
    return [detail.item, detail.rule, *detail.said, detail.source]


def _quiet(detail: Detail, noise: Noise) -> Detail:
    """Return the detail without noise; a text's lines, whose order means nothing, sorted."""
    said = [kept for line in detail.said if (kept := noise.without(line))]
    return replace(detail, said=tuple(said if detail.item else sorted(said)))


def _coarse(layer: Layer, tier: Tier, items: tuple[str, ...]) -> str:
    return _sha256([SCHEMA, "coarse", layer.value, tier.value, list(items)])


def _sha256(value: object) -> str:
    """Hash the value's JSON, which is ASCII, so that lone surrogates cannot raise."""
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode("ascii")).hexdigest()
