"""A question of the service's, answered on its dashboard: webhook in, sign-in, answer, commits and comment out."""

import re
from dataclasses import dataclass, field

import requests

from tests.e2e.github_stage import Hub
from tests.e2e.service_stage import Service, opened, serving
from tests.e2e.test_decision import ASKS, PATCH, PRICED, RAISED
from tests.fakes.github import PullRequest
from tests.fakes.model_server import ModelServer

EVIL = 'Raise <script>alert(1)</script> "prices"\u202e'


@dataclass
class Person:
    """Somebody with a browser."""

    url: str
    session: requests.Session = field(default_factory=requests.Session)

    def sign_in(self, hub: Hub, login: str) -> str:
        """Sign in by way of GitHub, and return the page that comes in the end."""
        hub.github.browser_login = login
        return self.get("/sign-in/github?next=/decisions")

    def get(self, path: str) -> str:
        """Return a page; redirects are followed, to GitHub too."""
        return self.session.get(f"{self.url}/dashboard{path}", timeout=20).text

    def answer(self, page: str, choice: str, text: str = "") -> str:
        """Send the one form of a page."""
        action, token = re.findall(r'action="(/dashboard/runs/[^"]+)"', page)[0], re.findall(r'"([0-9a-f]{64})"', page)
        form = {"token": token[0], "choice": choice, "text": text}
        return self.session.post(self.url + action, data=form, headers={"Origin": self.url}, timeout=20).text


def asking(hub: Hub, service: Service) -> tuple[PullRequest, str]:
    """Let the service come to a question; return the pull request and the run that waits."""
    hub.shop.commit("main", PRICED, author="pat")
    hub.shop.branch("feature")
    hub.shop.commit("feature", RAISED, message="Raise the price to 12 cents a page", author="pat")
    pull = hub.shop.open_pull("feature", title=EVIL, author="pat")
    assert service.send(opened(hub, pull)) == (202, "accepted")
    service.settle()
    (run,) = re.findall(r"run=([A-Za-z0-9-]+)", hub.report(pull))[:1]
    return pull, run


def test_an_answer_on_the_dashboard_becomes_commits_and_says_who_gave_it(hub: Hub) -> None:
    app = hub.github.app("fixloop")
    app.callback_urls = ("http://127.0.0.1/dashboard/sign-in/done",)
    with (
        ModelServer([ASKS]) as model,
        serving(
            hub,
            model,
            FIXLOOP_APP_CLIENT_ID=app.client_id,
            FIXLOOP_APP_CLIENT_SECRET=app.client_secret,
            FIXLOOP_DASHBOARD_USERS="Pat,rita",
        ) as service,
    ):
        pull, run = asking(hub, service)
        head = hub.shop.head("feature")
        rita, pat = Person(service.url), Person(service.url)
        with rita.session, pat.session:
            assert "Sign in with GitHub" in pat.get("/decisions")
            refused = rita.answer(rita.sign_in(hub, "rita"), "A")
            assert "Not done: commands need write permission on this repository; this is read." in refused
            page = pat.sign_in(hub, "pat")
            assert "Raise &lt;script&gt;alert(1)&lt;/script&gt; &#34;prices&#34;</q>, by pat" in page
            assert f"{hub.github.site}/octo/shop/pull/{pull.number}" in page
            assert all(line in page for line in PATCH.splitlines() if line.startswith(" "))
            assert f"Your answer is queued as run {run}-2" in pat.answer(page, "A", "go <on>")
            service.settle()
            assert hub.subjects("feature", head) == ["fix-loop: test clean (decision)"], service.log.read_text()
            assert "as allowed by pat" in hub.report(pull)
            assert hub.check.conclusion == "success"
            assert "No run waits for an answer." in pat.get("/decisions")
            assert f"Run {run}-2 took its place." in pat.get(f"/runs/0/{run}")
            assert "DONE (Succeeded)" in pat.get(f"/runs/0/{run}-2")
            assert "pat decided on the dashboard: A" in pat.get(f"/runs/0/{run}-2")
            again = pat.answer(page, "A")
            assert "The run does not wait for an answer now." in again
        assert app.client_secret not in service.log.read_text()
