"""Failures in the order in which attempts met them, and where one came back: A, B, A."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fixloop_bot.model.history import RunFacts


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at the tree saw."""

    attempt: int
    """0: the first look, before any attempt."""
    error_hash: str
    """Empty: all layers pass, or the failure has none."""


@dataclass(frozen=True, slots=True)
class Return:
    """A failure that was gone and is back: places in the sequence of looks."""

    earlier: int
    now: int


def looks_of(run: RunFacts) -> tuple[Look, ...]:
    """Return what was seen before the first attempt, where that is known, and after each."""
    first = run.standing.error_hashes[:1] if run.standing else ()
    after = (
        Look(one.attempt, "" if one.verification_after.status == "pass" else one.error_hash) for one in run.records
    )
    return (*(Look(0, seen) for seen in first), *after)


def letters_of(looks: Sequence[Look]) -> Mapping[str, str]:
    """Return a short name for each error hash, in the order of first sight: A to Z, then A2 to Z2, and so on."""
    distinct = dict.fromkeys(look.error_hash for look in looks if look.error_hash)
    return {seen: _letter(number) for number, seen in enumerate(distinct)}


def returns(looks: Sequence[Look]) -> tuple[Return, ...]:
    """Return each place where a failure is back after another look; the same one twice in a row is none."""
    last: dict[str, int] = {}
    found: list[Return] = []
    for now, look in enumerate(looks):
        earlier = last.get(look.error_hash)
        if look.error_hash and earlier is not None and earlier != now - 1:
            found.append(Return(earlier, now))
        last[look.error_hash] = now
    return tuple(found)


def cycle_words(looks: Sequence[Look], back: Return, letters: Mapping[str, str]) -> str:
    """Return one return in words: `A → B → A (attempts 0 to 2)`."""
    steps = looks[back.earlier : back.now + 1]
    names = [letters.get(look.error_hash, "clean") for look in steps]
    shown = names if len(names) <= 5 else [*names[:2], "\u2026", *names[-2:]]
    arrow = " \u2192 "
    return f"{arrow.join(shown)} (attempts {steps[0].attempt} to {steps[-1].attempt})"


def _letter(number: int) -> str:
    turn, place = divmod(number, 26)
    return chr(ord("A") + place) + (str(turn + 1) if turn else "")
