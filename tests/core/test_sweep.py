"""What a sweep runs on, in which order, for how much; and what it leaves, with the reason."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.branch_names import is_own_branch, proposal_branch, proposes_for
from fixloop_bot.core.sweep import DAY_S, matrix_json, select
from fixloop_bot.model.config import SweepConfig
from fixloop_bot.model.sweep import Candidate, Checks, Selection

NOW = 1_800_000_000.0
RULES = SweepConfig(branches=("release/*",))
RELEASE = Candidate(branch="release/1", head_sha="a" * 40, checks=Checks.FAILING, active_at=NOW - DAY_S)
PULL = Candidate(branch="feature", pull_request=7, head_sha="b" * 40, checks=Checks.FAILING, active_at=NOW - DAY_S)


def names(selection: Selection) -> list[str]:
    return [chosen.candidate.name for chosen in selection.chosen]


def reasons(selection: Selection) -> dict[str, str]:
    return {skipped.candidate.name: skipped.reason for skipped in selection.skipped}


def test_failing_branches_of_the_pattern_and_failing_pull_requests_are_chosen() -> None:
    selection = select([RELEASE, PULL], RULES, NOW)
    assert sorted(names(selection)) == ["#7 (feature)", "release/1"]
    assert selection.skipped == ()


@pytest.mark.parametrize(
    ("candidate", "rules", "reason"),
    [
        (replace(RELEASE, branch="main"), RULES, "no pattern in `sweep.branches` matches"),
        (replace(RELEASE, branch="fixloop/release/1"), RULES, "the branch is fixloop's own"),
        (replace(PULL, branch="fixloop/main"), RULES, "the branch is fixloop's own"),
        (PULL, replace(RULES, pull_requests=False), "`sweep.pull-requests` is off"),
        (replace(PULL, draft=True), RULES, "the pull request is a draft"),
        (replace(PULL, from_fork=True), RULES, "the pull request comes from a fork, and `triggers.forks` is `command`"),
        (replace(RELEASE, checks=Checks.PASSING), RULES, "its checks pass"),
        (replace(RELEASE, checks=Checks.PENDING), RULES, "its checks still run"),
        (replace(RELEASE, checks=Checks.NONE), RULES, "no check ran on its head commit"),
        (replace(RELEASE, running=True), RULES, "a run is under way, or waits for a decision"),
        (replace(RELEASE, own_head=True), RULES, "its head commit is fixloop's own, and nobody pushed since"),
        (replace(RELEASE, tried_head=True), RULES, "a run on its head commit has ended, and nobody pushed since"),
        (
            replace(RELEASE, active_at=NOW - 30 * DAY_S),
            RULES,
            "nobody pushed for 30 days; `sweep.stale-days` is 7",
        ),
    ],
    ids=[
        "another branch",
        "fixloop's own branch",
        "fixloop's own pull request",
        "pull requests switched off",
        "a draft",
        "a fork",
        "green",
        "not yet red",
        "never checked",
        "under way",
        "fixloop's own commit",
        "tried before",
        "stale",
    ],
)
def test_what_is_left_out_says_why(candidate: Candidate, rules: SweepConfig, reason: str) -> None:
    selection = select([candidate], rules, NOW)
    assert selection.chosen == ()
    assert [skipped.reason for skipped in selection.skipped] == [reason]


@pytest.mark.parametrize(
    ("candidate", "rules"),
    [
        (replace(RELEASE, active_at=NOW - 7 * DAY_S), RULES),
        (replace(RELEASE, active_at=0.0), replace(RULES, stale_days=0)),
        (replace(RELEASE, active_at=NOW + DAY_S), RULES),
    ],
    ids=["on the last day", "no limit of age", "a push from the future"],
)
def test_age_is_judged_by_whole_rules(candidate: Candidate, rules: SweepConfig) -> None:
    assert len(select([candidate], rules, NOW).chosen) == 1


def test_forks_are_swept_only_where_they_always_may_run() -> None:
    assert names(select([replace(PULL, from_fork=True)], RULES, NOW, forks="always")) == ["#7 (feature)"]


def test_a_forks_branch_may_have_any_name() -> None:
    fork = replace(PULL, from_fork=True, branch="fixloop/main")
    assert names(select([fork], RULES, NOW, forks="always")) == ["#7 (fixloop/main)"]


def test_a_branch_with_a_pull_request_is_looked_at_once() -> None:
    selection = select([RELEASE, replace(PULL, branch="release/1")], RULES, NOW)
    assert names(selection) == ["#7 (release/1)"]
    assert reasons(selection) == {"release/1": "it is looked at as a pull request"}
    alone = select([RELEASE, replace(PULL, branch="release/1")], replace(RULES, pull_requests=False), NOW)
    assert names(alone) == ["release/1"]


def test_a_branch_whose_repair_is_proposed_already_waits_for_that() -> None:
    selection = select([RELEASE, replace(PULL, branch=proposal_branch("release/1"))], RULES, NOW)
    assert selection.chosen == ()
    assert reasons(selection)["release/1"] == "an open pull request from fixloop/release/1 proposes a repair already"


def test_the_order_wastes_least() -> None:
    fresh = replace(RELEASE, branch="release/fresh", active_at=NOW - 60)
    cheap = replace(RELEASE, branch="release/cheap", expected_usd=0.10)
    older = replace(RELEASE, branch="release/older")
    hard = replace(RELEASE, branch="release/hard", expected_usd=0.01, failed_attempts=2, active_at=NOW)
    twin = replace(RELEASE, branch="release/other")
    selection = select([hard, twin, older, cheap, fresh], replace(RULES, max_usd=100), NOW)
    assert names(selection) == ["release/cheap", "release/fresh", "release/older", "release/other", "release/hard"]


def test_the_number_of_runs_is_capped() -> None:
    many = [replace(RELEASE, branch=f"release/{n}") for n in range(4)]
    selection = select(many, replace(RULES, max_runs=3), NOW)
    assert names(selection) == ["release/0", "release/1", "release/2"]
    assert reasons(selection) == {"release/3": "the sweep already has 3 runs"}


def test_the_money_is_shared_out_so_that_all_runs_together_cannot_pass_the_cap() -> None:
    many = [replace(RELEASE, branch=f"release/{n}") for n in range(5)]
    selection = select(many, replace(RULES, max_usd=7.0), NOW)
    assert [chosen.max_cost_usd for chosen in selection.chosen] == [3.0, 3.0, 1.0]
    assert reasons(selection)["release/4"] == "only $0.00 may be spent on it within the sweep's cap"


def test_what_is_expected_to_cost_more_than_is_left_makes_room_for_less() -> None:
    dear = replace(RELEASE, branch="release/dear", expected_usd=0.9)
    cheap = replace(RELEASE, branch="release/cheap", expected_usd=0.2, failed_attempts=1)
    selection = select([dear, cheap], replace(RULES, max_usd=0.5), NOW)
    assert names(selection) == ["release/cheap"]
    assert "only $0.50 may be spent on it" in reasons(selection)["release/dear"]
    assert "about $0.90 is expected" in reasons(selection)["release/dear"]


def test_the_matrix_is_one_line_of_inputs() -> None:
    odd = replace(RELEASE, branch="release/ü\n${{ x }}'")
    text = matrix_json(select([odd, PULL], RULES, NOW))
    assert text.isascii()
    assert "\n" not in text
    jobs = {job["name"]: job for job in json.loads(text)}
    assert jobs["#7 (feature)"] == {
        "name": "#7 (feature)",
        "pull-request": "7",
        "branch": "",
        "max-cost-usd": "3.00",
    }
    assert jobs[odd.branch]["branch"] == odd.branch
    assert matrix_json(Selection()) == "[]"


def test_own_branches_are_known_by_their_names() -> None:
    assert is_own_branch(proposal_branch("main"))
    assert not is_own_branch("fixloop")


CANDIDATES = st.lists(
    st.builds(
        Candidate,
        branch=st.text(min_size=1, max_size=5).map("release/".__add__),
        pull_request=st.none() | st.integers(1, 9),
        head_sha=st.just("a" * 40),
        checks=st.sampled_from(Checks),
        active_at=st.floats(NOW - 20 * DAY_S, NOW),
        failed_attempts=st.integers(0, 3),
        expected_usd=st.none() | st.floats(0, 5),
    ),
    max_size=12,
)


@given(CANDIDATES, st.integers(0, 6), st.floats(0, 20), st.floats(0, 5))
def test_no_selection_passes_its_caps_or_loses_a_candidate(
    candidates: list[Candidate], runs: int, usd: float, run_usd: float
) -> None:
    selection = select(candidates, replace(RULES, max_runs=runs, max_usd=usd), NOW, run_usd=run_usd)
    assert len(selection.chosen) <= runs
    assert sum(chosen.max_cost_usd for chosen in selection.chosen) <= usd + 1e-6
    assert all(chosen.max_cost_usd <= run_usd + 1e-6 for chosen in selection.chosen)
    assert len(selection.chosen) + len(selection.skipped) == len(candidates)
    json.loads(matrix_json(selection))


def test_a_branch_that_a_person_asked_for_is_chosen_whatever_its_checks_and_age() -> None:
    old = replace(RELEASE, checks=Checks.PASSING, active_at=NOW - 90 * DAY_S, tried_head=True, own_head=True)
    selection = select([old, PULL], RULES, NOW, only=("release/1",))
    assert names(selection) == ["release/1"]
    assert reasons(selection) == {"#7 (feature)": "its checks fail; the next sweep chooses among those"}


@pytest.mark.parametrize(
    ("candidate", "reason"),
    [
        (replace(RELEASE, running=True), "a run is under way, or waits for a decision"),
        (replace(RELEASE, branch="main"), "no pattern in `sweep.branches` matches"),
        (replace(PULL, from_fork=True), "the pull request comes from a fork, and `triggers.forks` is `command`"),
        (replace(PULL, draft=True), "the pull request is a draft"),
    ],
    ids=["a run is under way", "the rules know no such branch", "a fork's branch", "a draft"],
)
def test_what_the_rules_exclude_is_not_run_for_a_tick(candidate: Candidate, reason: str) -> None:
    selection = select([candidate], RULES, NOW, only=(candidate.branch,))
    assert reasons(selection) == {candidate.name: reason}


@pytest.mark.parametrize(
    ("branch", "own", "proposes"),
    [
        ("main", "fixloop/main", True),
        ("main", "fixloop/main-0a1b2c3", True),
        ("main", "fixloop/main-2", False),
        ("main", "fixloop/main-old", False),
        ("main", "main", False),
        ("main", "fixloop/maintenance", False),
    ],
)
def test_a_proposal_is_known_by_its_branch(branch: str, own: str, proposes: bool) -> None:
    assert proposes_for(branch, own) is proposes


def test_ticks_keep_within_the_caps() -> None:
    many = [replace(RELEASE, branch=f"release/{number}") for number in range(9)]
    selection = select(many, replace(RULES, max_runs=2), NOW, only=[one.branch for one in many])
    assert len(selection.chosen) == 2
