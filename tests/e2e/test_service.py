"""The bot service: from a signed delivery over HTTP to commits, comment and check run."""

import json
import signal
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import psutil
import pytest

from fixloop_bot.entrypoints.webhook import MAX_BODY
from tests.e2e.github_stage import BREAK, GREEN, REPAIR, Hub
from tests.e2e.service_stage import SECRET, Service, commented, opened, payloads, serving
from tests.e2e.test_decision import ASKS, KEEPS_10, PRICED, RAISED
from tests.fakes.github import CheckRun, PullRequest, deliver
from tests.fakes.model_server import ModelServer
from tests.fakes.until import until

ENDLESS: Final = {**BREAK, "tests/test_endless.py": "import time\n\n\ndef test_endless():\n    time.sleep(3000)\n"}

SLOW: Final = "import time\n\n\ndef test_slow():\n    time.sleep(1.5)\n"
"""On the merge base, so that a look at it lasts."""


def descendants(service: Service) -> list[str]:
    """Return the command lines of the service's runs and of everything below them; its judges stay."""
    children = psutil.Process(service.process.pid).children(recursive=True)
    found = []
    for child in children:
        try:
            found.append(" ".join(child.cmdline()))
        except psutil.NoSuchProcess:
            continue
    return [line for line in found if line and "service_judge" not in line]


def runs_tests(service: Service) -> bool:
    """Return whether the pull request's tests run."""
    return any(word.endswith("pytest") for line in descendants(service) for word in line.split())


def check_of(hub: Hub, sha: str) -> CheckRun:
    (check,) = [run for run in hub.shop.check_runs.values() if run.name == "fixloop" and run.head_sha == sha]
    return check


def test_a_delivery_becomes_a_repair_and_its_repetition_nothing(hub: Hub) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    delivery = opened(hub, pull)
    forged = deliver("pull_request", payloads(hub).pull_request(pull), secret="another secret")
    broken = deliver("pull_request", [], secret=SECRET)  # type: ignore[arg-type] # what GitHub never sends
    with ModelServer([REPAIR]) as model, serving(hub, model) as service:
        assert service.send(forged) == (401, "forged")
        assert service.send(broken) == (400, "malformed")
        assert service.send(deliver("gollum", {"a": 1}, secret=SECRET)) == (202, "ignored")
        assert hub.github.requests == []
        assert service.send(delivery) == (202, "accepted")
        service.settle()
        assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"], service.log.read_text()
        assert "DONE: all validation layers passed" in hub.report(pull)
        assert (hub.check.status, hub.check.conclusion) == ("completed", "success")
        before = len(hub.github.requests)
        assert service.send(delivery) == (202, "known")
        assert service.send(delivery, x_github_delivery="99999999-replayed") == (202, "known")
        assert service.idle()
        assert (len(hub.github.requests), len(model.requests)) == (before, 1)
        assert service.get("/readyz") == "ready\n"
    assert service.process.returncode == 0, service.log.read_text()
    assert SECRET not in service.log.read_text()


def test_a_service_killed_in_the_middle_goes_on_and_pays_nothing_twice(hub: Hub) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    delivery = opened(hub, pull)
    with ModelServer([REPAIR]) as model:
        with serving(hub, model) as service:
            assert service.send(delivery) == (202, "accepted")
            until(lambda: "verify: test" in service.log.read_text(), service.process)
            service.process.kill()
        with serving(hub, model) as service:
            service.settle()
            assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"], service.log.read_text()
        assert len(model.requests) == 1
    assert "DONE: all validation layers passed" in hub.report(pull)
    assert (check_of(hub, start).status, check_of(hub, start).conclusion) == ("completed", "success")


def test_a_stop_ends_the_whole_process_tree_and_is_told(hub: Hub) -> None:
    pull = hub.break_it(files=ENDLESS)
    with ModelServer([]) as model, serving(hub, model) as service:
        service.send(opened(hub, pull))
        until(lambda: runs_tests(service), service.process)
        assert service.send(commented(hub, pull, "/fixloop stop")) == (202, "accepted")
        until(lambda: not descendants(service), service.process)
        service.settle()
        assert 'fixloop_jobs{state="cancelled"} 1.0' in service.get("/metrics")
        (ended,) = (service.state / "records" / "runs").glob("*/terminal.json")
        assert json.loads(ended.read_text())["state"] == "AbortedByHuman"
        assert not any((service.state / "jobs").iterdir())
    assert hub.check.status == "completed"
    assert "stopped" in hub.report(pull)


def test_a_run_that_waits_is_stopped_and_that_is_said(hub: Hub) -> None:
    pull = hub.break_it()
    stop = commented(hub, pull, "/fixloop stop")
    with serving(hub, None, workers=1, FIXLOOP_MAX_RUNS="1") as service:
        other = hub.break_it("other", {**ENDLESS, "other.txt": "other"})
        service.send(opened(hub, other, "1111-2222-other"))
        until(lambda: runs_tests(service), service.process)
        service.send(opened(hub, pull))
        until(lambda: len(service.told("event-ended")) == 2, service.process)
        service.send(stop)
        until(
            lambda: "about to begin is stopped" in " ".join(one.body for one in hub.shop.comments_on(pull.number)),
            service.process,
        )
        service.send(commented(hub, other, "/fixloop stop"))
        service.settle()
    assert not any(run.head_sha == pull.head_sha for run in hub.shop.check_runs.values())


def test_a_newer_head_takes_the_place_of_a_run_under_way(hub: Hub) -> None:
    pull = hub.break_it(files=ENDLESS)
    old = pull.head_sha
    with ModelServer([REPAIR]) as model, serving(hub, model) as service:
        service.send(opened(hub, pull))
        until(lambda: runs_tests(service), service.process)
        hub.github.advance(5)
        new = hub.shop.commit("feature", {"tests/test_endless.py": "def test_short():\n    pass\n"}, author="pat")
        moved = payloads(hub).pull_request(hub.shop.pulls[pull.number], "synchronize", sender="pat")
        assert service.send(deliver("pull_request", moved, secret=SECRET)) == (202, "accepted")
        service.settle()
        assert hub.subjects("feature", new) == ["fix-loop: test clean (iteration 1)"], service.log.read_text()
        assert 'fixloop_jobs{state="superseded"} 1.0' in service.get("/metrics")
    assert check_of(hub, old).status == "completed"
    assert "newer request" in str(check_of(hub, old))
    assert "DONE: all validation layers passed" in hub.report(pull)


def test_a_stopped_service_leaves_its_runs_to_the_next_one(hub: Hub) -> None:
    pull = hub.break_it(files=ENDLESS)
    with ModelServer([REPAIR]) as model:
        with serving(hub, model) as service:
            service.send(opened(hub, pull))
            until(lambda: runs_tests(service), service.process)
        assert service.process.returncode == 0, service.log.read_text()
        assert check_of(hub, pull.head_sha).status == "in_progress"
        with serving(hub, model) as service:
            until(lambda: runs_tests(service), service.process)
            assert service.told("run-started")[-1]["claim"] == 2
            service.send(commented(hub, pull, "/fixloop stop"))
            service.settle()
    assert check_of(hub, pull.head_sha).status == "completed"


@pytest.mark.parametrize("moment", ["baseline: test", "verify"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "asked to end by somebody"])
def test_a_run_whose_process_is_gone_on_with_says_nothing_false(hub: Hub, number: signal.Signals, moment: str) -> None:
    hub.shop.commit("main", {"tests/test_slow.py": SLOW}, author="pat")
    pull = hub.break_it(files={**BREAK, "tests/test_slow.py": SLOW.replace("1.5", "0")})
    start = pull.head_sha
    with ModelServer([REPAIR]) as model, serving(hub, model) as service:
        service.send(opened(hub, pull))
        until(lambda: moment in service.log.read_text(), service.process)
        (run,) = [
            child
            for child in psutil.Process(service.process.pid).children()
            if "fixloop_bot.entrypoints.service_job" in child.cmdline()
        ]
        run.send_signal(number)
        service.settle()
        assert [told["claim"] for told in service.told("run-started")] == [1, 2]
        assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"], service.log.read_text()
        assert len(model.requests) == 1
    assert "DONE: all validation layers passed" in hub.report(pull)
    assert check_of(hub, start).conclusion == "success"


def question(hub: Hub) -> PullRequest:
    """Return a pull request on which the agent will have a question."""
    hub.shop.commit("main", PRICED, author="pat")
    hub.shop.branch("feature")
    hub.shop.commit("feature", RAISED, message="Raise the price to 12 cents a page", author="pat")
    return hub.shop.open_pull("feature", title="Raise prices", author="pat")


def test_a_question_is_answered_in_a_comment_after_a_restart(hub: Hub) -> None:
    pull = question(hub)
    head = pull.head_sha
    with ModelServer([ASKS]) as model:
        with serving(hub, model) as service:
            service.send(opened(hub, pull))
            service.settle()
            assert hub.check.conclusion == "action_required", service.log.read_text()
        with serving(hub, model) as service:
            assert service.send(commented(hub, pull, "/fixloop decide A")) == (202, "accepted")
            service.settle()
            assert hub.subjects("feature", head) == ["fix-loop: test clean (decision)"], service.log.read_text()
    assert hub.check.conclusion == "success"


def test_a_question_is_answered_by_a_button(hub: Hub) -> None:
    pull = question(hub)
    head = pull.head_sha
    with ModelServer([ASKS, KEEPS_10]) as model, serving(hub, model) as service:
        service.send(opened(hub, pull))
        service.settle()
        pressed = payloads(hub).check_run(hub.shop, hub.check, "requested_action", identifier="decide-b", sender="pat")
        assert service.send(deliver("check_run", pressed, secret=SECRET)) == (202, "accepted")
        service.settle()
        assert hub.subjects("feature", head) == ["fix-loop: test clean (iteration 1)"], service.log.read_text()


def refusal(service: Service, headers: Mapping[str, str], body: bytes) -> int:
    request = urllib.request.Request(service.url + "/webhook", data=body, headers=dict(headers), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except urllib.error.URLError:
        return 0  # it hung up in the middle


def test_what_is_no_delivery_is_refused_and_leaves_nothing(hub: Hub) -> None:
    good = deliver("ping", {"zen": "x"}, secret=SECRET)
    with serving(hub, None) as service:
        without = {name: value for name, value in good.headers.items() if name != "x-hub-signature-256"}
        assert refusal(service, without, good.body) == 401
        large = deliver("ping", {"zen": "x" * MAX_BODY}, secret=SECRET)
        assert refusal(service, large.headers, large.body) in (413, 0)
        for name, value in (("x-github-event", "a b"), ("x-github-delivery", "../x"), ("content-type", "text/html")):
            assert refusal(service, {**good.headers, name: value}, good.body) == 400
        text = deliver("ping", {"zen": "x"}, secret=SECRET)
        assert refusal(service, text.headers, b"\xff\xfe") == 401
        assert refusal(service, {**good.headers, "x-long": "x" * 70_000}, good.body) == 413
        told = service.get("/metrics")
        assert 'fixloop_deliveries_total{answer="too-large"} 2.0' in told
        assert all(f'fixloop_jobs{{state="{state}"}} 0.0' in told for state in ("waiting", "running", "done", "failed"))


@pytest.mark.parametrize("folder", ["records", "jobs"])
def test_records_are_closed_and_clones_can_be_passed(hub: Hub, folder: str, tmp_path: Path) -> None:
    with serving(hub, None) as service:
        mode = (service.state / folder).stat().st_mode & 0o777
    assert mode == {"records": 0o700, "jobs": 0o711}[folder]
    assert service.state.stat().st_mode & 0o777 == 0o711


def test_a_green_head_costs_nothing(hub: Hub) -> None:
    pull = hub.break_it(files={**BREAK, **GREEN})
    with ModelServer([]) as model, serving(hub, model) as service:
        service.send(opened(hub, pull))
        service.settle()
        assert model.requests == []
    assert hub.check.conclusion == "success"
