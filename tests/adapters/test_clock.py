"""The clock tells the time in the forms that the port promises."""

from datetime import UTC, datetime

from fixloop_bot.adapters.clock import SystemClock


def test_the_forms_agree_with_each_other() -> None:
    clock = SystemClock()
    before = int(clock.now())
    told = datetime.strptime(clock.iso(), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp()
    assert before <= told <= clock.now()


def test_it_never_goes_back() -> None:
    clock = SystemClock()
    seen = [clock.monotonic() for _ in range(100)]
    assert seen == sorted(seen)
