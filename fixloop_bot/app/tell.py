"""fixloop's voice on GitHub during a run: one comment and one check run, edited in place, true at every moment."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from fixloop_bot.core.render.check_run import to_check_run
from fixloop_bot.core.render.comment import to_comment
from fixloop_bot.core.render.limits import CHECK_OUTPUT, COMMENT
from fixloop_bot.core.render.marker import MARKER_START, read_marker
from fixloop_bot.core.render.report import to_report
from fixloop_bot.core.render.told import tried_in
from fixloop_bot.model.check_run import CheckRun
from fixloop_bot.model.forge import CheckRunRef, Comment, ForgeErrorKind, TooLarge
from fixloop_bot.model.report import Report, Surroundings
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.target import TriedBefore
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports import Clock
from fixloop_bot.ports.forge import Forge, ForgeError

PAUSE_S = 8.0
"""Between two edits while the run goes on: GitHub slows down who writes more often."""
SHRINKS = 4
"""How often a text that GitHub finds too long is halved."""


@dataclass(slots=True)
class Teller:
    """What is told of one run. Trouble with GitHub while it goes on is noted and tried again with the next news."""

    forge: Forge
    clock: Clock
    redact: Callable[[str], str]
    ticket: RunTicket
    surroundings: Surroundings
    in_repository: Callable[[str], bool] = field(default=lambda _path: True)
    note: Callable[[str], None] = field(default=lambda _text: None)
    state: LoopState | None = None
    check_run: CheckRunRef | None = None
    """Given at the beginning: the one that a killed process of the same run has started."""
    earlier_tried: tuple[TriedBefore, ...] = ()
    """What the latest earlier run on this head has tried in vain, as the comment says."""
    finished: bool = False
    """The last word is being told: whoever completes the check run now is fixloop itself."""
    _comment: Comment | None = None
    _told_at: float = -PAUSE_S
    _told: str = ""

    def begin(self, state: LoopState) -> None:
        """Say that the run starts; what an earlier run left in the comment counts only if its author is fixloop."""
        self.state = state
        if self.ticket.pull_request is not None:
            self._comment = self.forge.own_comment(self.ticket.pull_request, MARKER_START)
        self._remember_earlier()
        report = self.report(state)
        if self.check_run is None:
            self._start_check_run(report)
        self._try_comment(report)

    def _start_check_run(self, report: Report) -> None:
        """Start the check run. GitHub takes none from a person's token, the only one that can push to forks."""
        try:
            started = self.forge.start_check_run(
                to_check_run(report, in_repository=self.in_repository),
                automatic=self.ticket.automatic,
                details_url=self.surroundings.links.run,
            )
        except ForgeError as error:
            if error.kind is not ForgeErrorKind.NOT_PERMITTED or self.ticket.pull_request is None:
                raise
            self.note(f"there will be no check run, only the comment: {error.advice}")
        else:
            self.check_run = started if isinstance(started, CheckRunRef) else None

    def update(self, state: LoopState) -> None:
        """Tell where the run stands, if that is news and the last news are not too fresh."""
        self.state = state
        news = f"{state.phase} {state.iteration_count} {state.failure.layer if state.failure else ''}"
        now = self.clock.monotonic()
        if state.ended or news == self._told or now - self._told_at < PAUSE_S:
            return
        self._told, self._told_at = news, now
        try:
            self._publish(self.report(state))
        except ForgeError as error:
            self.note(f"GitHub could not be told: {error.advice}")

    def finish(self, state: LoopState, surroundings: Surroundings) -> Report:
        """Tell how it ended; returns what was told. Raises ForgeError when the check run cannot say so."""
        self.state, self.surroundings, self.finished = state, surroundings, True
        report = self.report(state)
        try:
            self._find_what_is_there()
            self._publish(report)
        except ForgeError:
            self._try_comment(report)
            raise
        return report

    def report(self, state: LoopState) -> Report:
        """Return what is to be told of the state now."""
        return to_report(state, now=self.clock.now(), redact=self.redact, surroundings=self.surroundings)

    def _remember_earlier(self) -> None:
        said = self._comment.body if self._comment else ""
        left = read_marker(said)
        if left is None:
            return
        own = left.run_id == self._run_id  # told before a kill: this run counts its attempts itself
        same_head = self.ticket.head_sha in (left.head_sha, left.pushed_sha) and not own
        self.earlier_tried = tried_in(said) if same_head else ()
        self.surroundings = replace(
            self.surroundings,
            earlier_attempts=left.attempts if same_head else {},
            earlier_cost_usd=left.cost_usd,
        )

    def _publish(self, report: Report) -> None:
        """Check run first: a required check that stays `in progress` blocks people, a stale comment only misleads."""
        if self.check_run is not None:
            self._write_check_run(report, self.check_run)
        self._try_comment(report)

    def _find_what_is_there(self) -> None:
        """Find what a beginning that was cut short has left: it would say `in progress` for ever."""
        if self.check_run is None:
            self.check_run = self.forge.own_check_run(self.ticket.head_sha, self._run_id)
        if self._comment is None and self.ticket.pull_request is not None:
            self._comment = self.forge.own_comment(self.ticket.pull_request, MARKER_START)

    @property
    def _run_id(self) -> str:
        return self.state.run_id if self.state else ""

    def _try_comment(self, report: Report) -> None:
        """Write the comment; a locked conversation takes none, and the check run says the same."""
        try:
            self._write_comment(report)
        except ForgeError as error:
            self.note(f"the comment could not be written: {error.advice}")

    def _write_check_run(self, report: Report, ref: CheckRunRef) -> None:
        shown = to_check_run(report, in_repository=self.in_repository)
        smaller = [_cut(shown, CHECK_OUTPUT >> step) for step in range(SHRINKS)]
        for form in (*smaller, replace(_cut(shown, CHECK_OUTPUT >> SHRINKS), text="", annotations=())):
            done = self.forge.update_check_run(ref, form)
            if not isinstance(done, TooLarge):
                self.check_run = done
                return

    def _write_comment(self, report: Report) -> None:
        if self.ticket.pull_request is None:
            return
        for step in range(SHRINKS):
            body = to_comment(report, limit=COMMENT >> step)
            done = self.forge.write_comment(self.ticket.pull_request, body, existing=self._comment)
            if not isinstance(done, TooLarge):
                self._comment = done
                return


def _cut(shown: CheckRun, limit: int) -> CheckRun:
    return replace(shown, summary=shown.summary[:limit], text=shown.text[:limit])
