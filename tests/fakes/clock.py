"""A clock that only moves when it is told to."""


class FakeClock:
    """The port `Clock`; `sleep` moves it and remembers how far."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.time = now
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    def iso(self) -> str:
        return "2026-11-30T12:00:00Z"

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
