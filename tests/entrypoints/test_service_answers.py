"""An answer on the service's page: the gates of `/fixloop decide`, and one run for one question."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.codec import decode
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.entrypoints.dashboard.service_answers import ServiceAnswers, next_id
from fixloop_bot.model.answer import Answer, Choice
from fixloop_bot.model.outcome import QuestionKind
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports.jobs import JobKind, JobOrder, OpenRun
from tests.entrypoints.dashboard_folder import origin_of, question, wait
from tests.entrypoints.service_board import QueueIn, served_from
from tests.fakes.github import FakeGitHub, PullRequest, Repository

RUN = "20261201T000000-ab-run"
ALLOWED = "Your answer is queued as run"


@dataclass
class Desk:
    """A run that waits on a pull request, and whoever answers it."""

    root: Path
    github: FakeGitHub
    shop: Repository
    pull: PullRequest
    github_url: str = ""

    def answer(self, login: str = "pat", choice: Choice = Choice.B) -> str:
        served = served_from(self.root, self.github)
        settings = served.github.model_copy(update={"api_url": self.github_url or self.github.url})
        answers = ServiceAnswers(HistoryCache(StateFolder(self.root)), served.queue, settings)
        return answers.take(RUN, Answer(choice=choice, text="as <agreed>", by=login))

    def told(self, run: str = RUN, head: str = "") -> None:
        """Let fixloop's comment say that this run waits."""
        line = f"run={run} head={head or self.pull.head_sha} status=NEED_DECISION iterations=0 usd=0.0000"
        body = f"<!-- fixloop:report v=1 {line} pushed=none attempts=none -->\n"
        self.shop.comment(self.pull.number, body, author="fixloop[bot]")

    def open_runs(self) -> tuple[OpenRun, ...]:
        return QueueIn(self.root).open_runs()


@pytest.fixture(scope="module")
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as made:
        made.user("pat", permission="write")
        made.user("rita", permission="read")
        yield made


@pytest.fixture
def desk(github: FakeGitHub, tmp_path: Path) -> Desk:
    shop = github.repository(f"octo/shop{len(github.repositories)}")
    shop.branch("feature")
    shop.commit("feature", {"a.py": "1\n"})
    installed = github.install(github.app("fixloop"), shop)
    pull = shop.open_pull("feature", author="pat")
    origin = replace(
        origin_of(pull.number), repository=shop.full_name, repository_id=shop.id, installation_id=installed.id
    )
    wait(tmp_path, replace(question(), base="0" * 40), run_id=RUN, branch="feature", origin=origin)
    return Desk(tmp_path, github, shop, pull)


def test_an_answer_is_one_run_that_names_the_person(desk: Desk) -> None:
    desk.told()
    assert desk.answer().startswith(f"{ALLOWED} {RUN}-2,")
    assert desk.open_runs() == (OpenRun(job_id=f"{RUN}-2", branch="octo/shop:feature", running=False),)
    queue = QueueIn(desk.root)
    order = queue.order(f"{RUN}-2")
    assert order is not None
    ticket = decode(order.body, RunTicket)
    assert ticket.answer is not None
    assert (ticket.answer.answer.by, ticket.answer.answer.text, ticket.automatic) == ("pat", "as <agreed>", False)
    assert (order.repository, order.head, ticket.head_sha) == (
        desk.shop.full_name, desk.pull.head_sha, desk.pull.head_sha,
    )  # fmt: skip
    assert "is queued" in desk.answer()
    queue.cancel(f"{RUN}-2")
    assert "was answered already" in desk.answer()


def read_only(desk: Desk) -> str:
    return desk.answer("rita")


def nobody(desk: Desk) -> str:
    return desk.answer("")


def an_address(desk: Desk) -> str:
    return desk.answer("pat@example.org")


def closed(desk: Desk) -> str:
    desk.shop.close(desk.pull)
    return desk.answer()


def moved(desk: Desk) -> str:
    desk.shop.commit("feature", {"b.py": "1\n"})
    return desk.answer()


def another_base(desk: Desk) -> str:
    return desk.answer(choice=Choice.A)


def wrong_kind(desk: Desk) -> str:
    return desk.answer(choice=Choice.APPROVE)


def switched_off(desk: Desk) -> str:
    desk.shop.commit("main", {".fixloop.yml": "version: 1\ntriggers: {commands: false}\n"})
    return desk.answer()


def for_admins(desk: Desk) -> str:
    desk.shop.commit("main", {".fixloop.yml": "version: 1\ntriggers: {min-permission: admin}\n"})
    return desk.answer()


def begun_anew(desk: Desk) -> str:
    order = JobOrder(
        job_id="new", kind=JobKind.RUN, repository=desk.shop.full_name, branch="octo/shop:feature", installation_id=1,
        delivery_id="d", event="pull_request", body=b"",
    )  # fmt: skip
    QueueIn(desk.root).submit(order)
    return desk.answer()


def not_asking(desk: Desk) -> str:
    (desk.root / f"runs/{RUN}/state.json").unlink()
    return desk.answer()


def unreachable(desk: Desk) -> str:
    desk.github_url = f"{desk.github.url}/nowhere"
    said = desk.answer()
    desk.github.forgive("nowhere")
    return said


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (read_only, "need write permission"), (nobody, "sign in"), (an_address, "sign in"), (closed, "is closed"),
        (moved, "the head moved to"), (another_base, "the diff was made for commit 0000000"),
        (wrong_kind, "it waits for A or B"), (switched_off, "`triggers.commands` is off"),
        (for_admins, "need admin permission"), (begun_anew, "run new on this branch is queued"),
        (not_asking, "does not wait"), (unreachable, "GitHub could not be asked"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_no_other_answer_becomes_a_run(desk: Desk, answer: Callable[[Desk], str], words: str) -> None:
    desk.told()
    said = answer(desk)
    assert said.startswith("Not done: ")
    assert words in said
    assert [run.job_id for run in desk.open_runs() if run.job_id != "new"] == []


def test_a_question_that_the_comment_does_not_ask_now_is_not_answered(desk: Desk) -> None:
    assert "does not ask this now" in desk.answer()
    desk.told("another-run")
    assert "does not ask this now" in desk.answer()


def test_a_run_without_a_pull_request_says_what_to_do(desk: Desk) -> None:
    wait(desk.root, question(QuestionKind.CHOICE), run_id=RUN, origin=replace(origin_of(), pull_request=None))
    assert "belongs to no pull request" in desk.answer()


@pytest.mark.parametrize(("run", "then"), [("a-run", "a-run-2"), ("a-run-2", "a-run-3"), ("other", "other-run-2")])
def test_each_answer_has_an_id_of_its_own(run: str, then: str) -> None:
    assert next_id(run) == then
