"""The first prompt holds the faulty line: a part of the benchmark, on outputs that were recorded."""

import statistics

import pytest

from bench.locate.corpus import KINDS, LANGUAGES, faults, program
from bench.locate.measure import GOAL_CHARS, GOAL_PERCENT, Found, measured
from bench.locate.recording import load


def test_the_corpus_has_enough_faults_of_every_kind() -> None:
    everything = [fault for language in LANGUAGES for fault in faults(language)]
    assert len(everything) >= 100
    assert sum(fault.calls >= 3 for fault in everything) >= 40
    for language in LANGUAGES:
        assert {fault.kind for fault in faults(language)} == set(KINDS)


def test_every_fault_is_one_line_and_makes_its_tests_fail() -> None:
    for language in LANGUAGES:
        right, recording = program(language), load(language)
        assert set(recording.runs) == {fault.name for fault in faults(language)}
        for fault in faults(language):
            assert fault.put_into(right) != right
            assert any(run.exit_code for run in recording.runs[fault.name])


@pytest.fixture(scope="module")
def found() -> list[Found]:
    """Return what was found for every second fault."""
    return [one for language in LANGUAGES for one in measured(language, every=2)]


def test_the_faulty_line_is_in_the_first_prompt(found: list[Found]) -> None:
    missed = [f"{one.fault.language}: {one.fault.name}" for one in found if not one.hit]
    assert 100 * len(missed) <= (100 - GOAL_PERCENT) * len(found), missed


def test_the_code_for_it_is_short(found: list[Found]) -> None:
    assert statistics.median(one.chars for one in found) <= GOAL_CHARS
