"""A state folder with runs that wait, and an attacker's words in every place that a pull request can fill."""

from dataclasses import dataclass, field
from pathlib import Path

from starlette.testclient import TestClient

from fixloop_bot.adapters.codec import dump_state
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.adapters.origin_record import write_origin
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.entrypoints.dashboard.access import Access
from fixloop_bot.entrypoints.dashboard.app import dashboard
from fixloop_bot.entrypoints.dashboard.sources import Source, Sources
from fixloop_bot.model.answer import Answer
from fixloop_bot.model.history import RunOrigin
from fixloop_bot.model.outcome import Question, QuestionKind, Status
from fixloop_bot.model.state import End, LoopState, Phase

EVIL = 'fix/"><script>alert(1)</script><img src=x onerror=alert(2)>\u202egnp.exe{{7*7}}'
PATCH = """\
diff --git a/tests/test_a.py b/tests/test_a.py
--- a/tests/test_a.py
+++ b/tests/test_a.py
@@ -1 +1 @@
-    assert total([1]) == 1  # </pre><script>alert(3)</script>
+    assert total([1]) == 2
"""
HOST = "http://localhost"


@dataclass
class Taken:
    """Remembers the answers that it is given (port `Answers`)."""

    answers: list[tuple[str, Answer]] = field(default_factory=list)

    def take(self, run_id: str, answer: Answer) -> str:
        self.answers.append((run_id, answer))
        return "It goes on <now>."


def question(kind: QuestionKind = QuestionKind.STALE_TEST, *, words: str = EVIL) -> Question:
    return Question(
        layer="test",
        question=f"Is the test outdated? {words}",
        option_a="Update the test </form><form action=//evil>",
        option_b="Repair the code",
        kind=kind,
        patch="" if kind is QuestionKind.CHOICE else PATCH,
        about=("test: tests/test_a.py::test_total",),
    )


def origin_of(number: int = 5, *, branch: str = "octo/shop:feature", title: str = EVIL) -> RunOrigin:
    """Return where a run of the service comes from."""
    return RunOrigin(
        repository="octo/shop",
        repository_id=7,
        installation_id=1,
        branch=branch,
        pull_request=number,
        title=title,
        author="mallory",
        reason="the pull request was opened",
    )


def begin(
    root: Path,
    run_id: str,
    *,
    origin: RunOrigin | None = None,
    iterations: int = 0,
    commits: tuple[str, str] = ("", ""),
) -> None:
    """Write, or write anew, a run that is under way; `commits` are the person's head, and where the run stands."""
    state = LoopState(
        run_id=run_id,
        branch="feature",
        started_at=1.76e9,
        phase=Phase.FIX,
        iteration_count=iterations,
        total_cost_usd=0.31,
        start_commit=commits[0],
        head=commits[1],
    )
    _write(root, state, origin)


def wait(
    root: Path, asked: Question, *, run_id: str = "waits", branch: str = EVIL, origin: RunOrigin | None = None
) -> None:
    """Write, or write anew, a run that waits for an answer."""
    approval = asked.kind is QuestionKind.APPROVAL
    state = LoopState(
        run_id=run_id,
        branch=branch,
        started_at=1.75e9,
        phase=Phase.APPROVAL_WAIT if approval else Phase.DECISION_WAIT,
        end=End(status=Status.NEED_DECISION, terminal=None, reason="a question", question=asked),
    )
    _write(root, state, origin)


def _write(root: Path, state: LoopState, origin: RunOrigin | None) -> None:
    folder = StateFolder(root)
    folder.state(state.run_id).parent.mkdir(parents=True, exist_ok=True)
    folder.state(state.run_id).write_text(dump_state(state), encoding="utf-8")
    if origin is not None:
        write_origin(folder.origin(state.run_id), origin, redact=str)


def client(
    *roots: Path, taken: Taken | None = None, access: Access | None = None, redact: dict[str, str] | None = None
) -> TestClient:
    """Return a browser without a screen; it follows redirects and keeps cookies."""

    def masked(text: str) -> str:
        for secret, mask in (redact or {}).items():
            text = text.replace(secret, mask)
        return text

    each = tuple(
        Source(
            number=number,
            records=HistoryCache(StateFolder(root)),
            flags=("--state-dir", str(root)),
            answers=taken,
        )
        for number, root in enumerate(roots)
    )
    return TestClient(dashboard(Sources(each, masked), access or Access()), base_url=HOST)
