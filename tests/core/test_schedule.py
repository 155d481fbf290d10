"""When a sweep starts: at its times, once for all that passed unseen, and one at a time."""

from datetime import UTC, datetime

import pytest

from fixloop_bot.core.schedule import Due, NotDue, cron_problem, latest_due, turn

NIGHTLY = "30 2 * * *"


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("cron", "now", "due"),
    [
        pytest.param(NIGHTLY, "2026-03-05T02:30:00", "2026-03-05T02:30", id="to the second"),
        pytest.param(NIGHTLY, "2026-03-05T02:29:59.9", "2026-03-04T02:30", id="a moment before"),
        pytest.param(NIGHTLY, "2026-03-05T23:00:00", "2026-03-05T02:30", id="in the evening"),
        pytest.param("*/15 * * * *", "2026-03-05T10:14:59", "2026-03-05T10:00", id="every quarter of an hour"),
        pytest.param("0 6 * * MON", "2026-03-05T10:00:00", "2026-03-02T06:00", id="on Mondays"),
        pytest.param("0 0 29 2 *", "2026-03-05T10:00:00", "2024-02-29T00:00", id="in leap years"),
    ],
)
def test_the_latest_time_up_to_now_counts(cron: str, now: str, due: str) -> None:
    assert cron_problem(cron) == ""
    assert latest_due(cron, at(now)) == at(due)


@pytest.mark.parametrize(
    "cron",
    [
        pytest.param("", id="nothing"),
        pytest.param("@daily", id="a word"),
        pytest.param("0 30 2 * * *", id="six fields"),
        pytest.param("61 * * * *", id="a minute that is none"),
        pytest.param("0 0 30 2 *", id="a day that never comes"),
        pytest.param("* * * * " + "1," * 60, id="a line without an end"),
    ],
)
def test_what_is_no_cron_line_is_refused_with_a_reason(cron: str) -> None:
    assert "cron line" in cron_problem(cron)


def test_a_new_line_starts_nothing_for_the_time_before_it() -> None:
    now = at("2026-03-05T10:00")
    assert turn(NIGHTLY, None, now, busy=False) == NotDue(now)
    assert turn(NIGHTLY, now, at("2026-03-06T02:29"), busy=False) == NotDue(now)
    assert turn(NIGHTLY, now, at("2026-03-06T02:30"), busy=False) == Due(at("2026-03-06T02:30"))


def test_three_nights_that_nobody_saw_are_made_up_for_once() -> None:
    seen, now = at("2026-03-05T02:30"), at("2026-03-08T09:00")
    first = turn(NIGHTLY, seen, now, busy=False)
    assert first == Due(at("2026-03-08T02:30"))
    assert turn(NIGHTLY, first.at, now, busy=False) == NotDue(first.at)


def test_while_a_sweep_is_at_work_the_next_waits_and_is_not_lost() -> None:
    seen, now = at("2026-03-05T02:30"), at("2026-03-06T02:31")
    assert turn(NIGHTLY, seen, now, busy=True) == NotDue(seen)
    assert turn(NIGHTLY, seen, now, busy=False) == Due(at("2026-03-06T02:30"))
