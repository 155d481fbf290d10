"""Nothing that reads foreign text raises, grows without bound, or reads the same thing in two ways."""

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixloop_bot.checks.registry import TOOLS
from tests.hostile.claims import core_claims, matcher_claims, parser_claims, reading_claims
from tests.hostile.families import GENERAL
from tests.hostile.seeds import seeds

SIZE = 20_000
"""Characters of a hostile text: enough for a test; `make fuzz` and the benchmarks read more."""
ODD = st.text(max_size=30) | st.sampled_from(["\x1b[31m", "\r", "\0", "\u2028", "\ud800", "\n\n", " " * 300, "9" * 60])

quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def mutated(contents: list[str]) -> st.SearchStrategy[str]:
    """Return real outputs that are cut, joined, shuffled by lines and sprinkled with anything."""
    return st.composite(_mutated)(contents)


def _mutated(draw: st.DrawFn, contents: list[str]) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        lines = draw(st.sampled_from(contents)).split("\n")
        start = draw(st.integers(0, len(lines) - 1))
        taken = lines[start : start + draw(st.integers(1, 40))]
        at = draw(st.integers(0, len(taken)))
        parts += [*taken[:at], draw(ODD), *taken[at:]] if draw(st.booleans()) else [draw(ODD).join(taken)]
    whole = draw(st.sampled_from(["\n", "\n", "", "\r\n"])).join(parts)
    return whole[draw(st.integers(0, 20)) :]


def of(tool: str, *, is_report: bool) -> list[str]:
    """Return a tool's own outputs or reports; where there are none, everybody's."""
    own = [seed.content for seed in seeds() if seed.tool == tool and seed.is_report is is_report]
    return own or [seed.content for seed in seeds() if seed.is_report is is_report]


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_a_parser_reads_whatever_became_of_its_tools_text(tool: str) -> None:
    @quick
    @given(mutated(of(tool, is_report=False)))
    def holds(content: str) -> None:
        parser_claims(tool, content, is_report=False)

    holds()


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_a_parser_reads_whatever_became_of_its_tools_report(tool: str) -> None:
    @quick
    @given(mutated(of(tool, is_report=True)) | report_of_any_shape())
    def holds(content: str) -> None:
        parser_claims(tool, content, is_report=True)

    holds()


def report_of_any_shape() -> st.SearchStrategy[str]:
    """Return JSON with the names that reports use, under which anything may stand."""
    names = sorted({word for seed in seeds() if seed.is_report for word in _names(seed.content)})
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ODD | st.sampled_from(names)
    values = st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(names), inner, max_size=4),
        max_leaves=12,
    )
    return values.map(json.dumps)


def _names(report: str) -> list[str]:
    try:
        value = json.loads(report)
    except ValueError:
        return []
    found: list[str] = []
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            found += one
            left += one.values()
        elif isinstance(one, list):
            left += one
    return found


REPORTING = sorted({seed.tool for seed in seeds() if seed.is_report})


@pytest.mark.parametrize("tool", REPORTING)
def test_a_report_of_endless_names_is_cut_short(tool: str) -> None:
    for report in of(tool, is_report=True)[:4]:
        parser_claims(tool, re.sub(r'(: ?|=)"([^"\\<>\n]{3,60})"', rf'\1"\2{"x" * SIZE}"', report), is_report=True)


@pytest.mark.parametrize("family", GENERAL.values(), ids=list(GENERAL))
def test_every_parser_and_the_core_come_through_a_hostile_text(family: object) -> None:
    assert callable(family)
    content = family(SIZE)
    for tool in TOOLS:
        parser_claims(tool, content, is_report=False)
        parser_claims(tool, content, is_report=True)
    core_claims(content)


@settings(max_examples=150, deadline=None)
@given(mutated([seed.content for seed in seeds()]) | st.text(max_size=200))
def test_masking_identity_excerpt_and_redaction_take_anything(content: str) -> None:
    core_claims(content)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(TOOLS)),
    mutated(of("", is_report=False)),
    st.none() | mutated(of("", is_report=True)),
)
def test_a_whole_reading_takes_anything(tool: str, content: str, report: str | None) -> None:
    reading_claims(tool, content, report)


PIECES = st.sampled_from(
    [
        "^",
        "$",
        "(",
        ")",
        "(?:",
        "(?P<a>",
        "[",
        "]",
        "[^",
        "a",
        ".",
        "*",
        "+",
        "?",
        "{1,9}",
        "|",
        "\\d",
        "\\1",
        "(?=",
        "\\",
    ]
)
REGEXPS = st.lists(PIECES, max_size=8).map("".join) | st.just("^(.+):(\\d+): (.*)$") | st.text(max_size=9)
PATTERNS = st.fixed_dictionaries(
    {"regexp": REGEXPS | st.integers()},
    optional={
        **{name: st.integers(-1, 4) | ODD for name in ("file", "fromPath", "line", "column", "severity", "code")},
        "message": st.integers(0, 3),
        "loop": st.booleans() | st.none(),
    },
)
MATCHERS = st.fixed_dictionaries(
    {"owner": st.just("x") | ODD, "pattern": st.lists(PATTERNS, max_size=3) | st.none()},
    optional={"severity": st.sampled_from(["error", "warning", "notice", "loud", 3])},
)


@settings(max_examples=200, deadline=None)
@given(st.lists(MATCHERS, max_size=3), mutated(of("", is_report=False)))
def test_problem_matchers_of_any_shape_are_refused_in_words_or_read(matchers: list[object], content: str) -> None:
    matcher_claims(json.dumps({"problemMatcher": matchers}), content)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60) | st.sampled_from([GENERAL["nested arrays"](SIZE), '{"problemMatcher":' * 3_000]))
def test_a_file_that_is_no_problem_matcher_is_refused_in_words(document: str) -> None:
    matcher_claims(document, "a.py:1: x")
