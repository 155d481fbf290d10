"""Finds expressions that backtracking can make slow: exponentially, or with the square of a line's length."""

import re
from collections.abc import Iterator
from itertools import product

from tests.hostile.automaton import ALPHABET, Automaton, automaton

OFTEN = 8
"""How often a repetition `{m,n}` must be possible to be a loop where the ways multiply."""
LONG = 500
"""The same where they add up: what is shorter costs a fixed number of steps for each character."""

Pair = tuple[int, int]
Triple = tuple[int, int, int]


def faults(pattern: re.Pattern[str], *, search: bool = True) -> list[str]:
    """Return what is wrong with a pattern, in words; empty where it cannot become slow.

    Exponential: one state comes back to itself by two ways that consume the same text. Quadratic: two loops, one after
    the other, can share out the same text in as many ways as it has characters, and what follows can refuse them all;
    with `search`, the skipping of what stands before a match is the first such loop.
    """
    built = automaton(pattern, search=False, loop_from=OFTEN, ways=True)
    twice = sorted(_twice(built, _loops(built)))
    if twice:
        return [f"exponential at {_shown(built, one)}" for one in twice]
    built = automaton(pattern, search=search, loop_from=LONG, ways=False)
    return [f"quadratic: {_shown(built, p)} then {_shown(built, q)}" for p, q in _shared(built, _loops(built))]


def _shown(built: Automaton, state: int) -> str:
    chars = built.chars[state]
    if state == 0:
        return "(search)"
    few = chars if len(chars) <= len(ALPHABET) // 2 else ALPHABET - chars
    return f"#{state}{'' if few is chars else '^'}{''.join(sorted(few))[:40]!r}"


def _reach(built: Automaton, start: int) -> frozenset[int]:
    """Return the states that can follow, at any distance."""
    seen: set[int] = set()
    left = [start]
    while left:
        more = built.follow[left.pop()] - seen
        seen |= more
        left.extend(more)
    return frozenset(seen)


def _loops(built: Automaton) -> dict[int, frozenset[int]]:
    """Return for each state that can come back to itself the states that it can come back by."""
    reach = {state: _reach(built, state) for state in built.follow}
    return {
        state: frozenset(other for other in reach[state] if state in reach[other])
        for state in reach
        if state in reach[state]
    }


def _twice(built: Automaton, loops: dict[int, frozenset[int]]) -> set[int]:
    """Return the states that come back to themselves by two ways over the same text, where what follows may fail."""
    split = {state for state, ring in loops.items() if len(ring) > 1 and _splits(built, state, ring)}
    return {state for state in built.doubled | split if not _never_fails(built, loops[state])}


def _splits(built: Automaton, state: int, ring: frozenset[int]) -> bool:
    """Walk two ways at once, in step; note whether they have parted (the third of the triple) when they meet again."""
    left: list[tuple[int, int, bool]] = [(state, state, False)]
    seen = set(left)
    while left:
        one, other, parted = left.pop()
        for a, b in product(built.follow[one] & ring, built.follow[other] & ring):
            step = (a, b, parted or a != b)
            if step == (state, state, True):
                return True
            if step not in seen and built.chars[a] & built.chars[b]:
                seen.add(step)
                left.append(step)
    return False


def _shared(built: Automaton, loops: dict[int, frozenset[int]]) -> Iterator[Pair]:
    """Yield two states whose loops can share out the same text, where what follows may refuse it."""
    for p in sorted(loops):
        after = _reach(built, p) - loops[p]
        seconds = (q for q in sorted(after & loops.keys()) if not _is_harmless(built, p, q, loops))
        found = next((q for q in seconds if _same_text(built, p, q, loops)), None)
        if found is not None:
            yield p, found


def _is_harmless(built: Automaton, p: int, q: int, loops: dict[int, frozenset[int]]) -> bool:
    """Return whether nothing can go back into the first loop: what follows cannot fail, or the loop is sealed off."""
    return _never_fails(built, loops[q]) or bool(built.sealed.get(p, frozenset()) - built.sealed[q])


def _never_fails(built: Automaton, ring: frozenset[int]) -> bool:
    """Return whether a match that comes to this loop is one, whatever follows."""
    rest_of_line = any(ALPHABET - frozenset("\n") <= built.chars[state] for state in ring)
    return bool(ring & built.ends) and (rest_of_line or not built.uncertain_end)


def _same_text(built: Automaton, p: int, q: int, loops: dict[int, frozenset[int]]) -> bool:
    """Return whether some text leads from p to p, from p to q and from q to q: walk the three ways in step."""
    between = (_reach(built, p) | {p}) & frozenset(state for state in built.follow if q in _reach(built, state))
    start, goal = (p, p, q), (p, q, q)
    left: list[Triple] = [start]
    seen = {start}
    while left:
        one, two, three = left.pop()
        ways = (built.follow[one] & loops[p], built.follow[two] & (between | {q}), built.follow[three] & loops[q])
        for step in product(*ways):
            if step in seen or not built.chars[step[0]] & built.chars[step[1]] & built.chars[step[2]]:
                continue
            if step == goal:
                return True
            seen.add(step)
            left.append(step)
    return False
