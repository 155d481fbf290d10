"""A stateful GitHub on loopback, with real git behind it, that judges every exchange.

    with FakeGitHub() as github:
        github.user("pat", permission="write")
        shop = github.repository("octo/shop", files={"app.py": "x = 1\\n"})
        sha = shop.commit("feature", {"app.py": "x = \\n"}, author="pat")
        pull = shop.open_pull("feature", title="Break it", author="pat")
        run = shop.workflow_run(sha, jobs=[("test", "failure", "E   SyntaxError\\n")])
        shop.comment(pull.number, "/fixloop", author="pat")

        client = Github(base_url=github.url, auth=Auth.Token(github.actions_token(shop)))
        client.get_repo("octo/shop").get_pull(pull.number).create_issue_comment("on it")

        assert [comment.body for comment in shop.comments_on(pull.number)] == ["/fixloop", "on it"]
        assert [request.method for request in github.writes] == ["POST"]

What a test may count on:

* `github.url` is the API, `github.clone_url(shop)` is for git (user `x-access-token`, the token as password),
  `shop.git.path` is the bare repository; all addresses in answers carry the client's own host, port and prefix.
* Tokens: `actions_token(shop)` (GITHUB_TOKEN), `user_token("pat")`, `installation_token(github.install(app, shop))`;
  an App signs its own with `github.app("fixloop").private_key`.
* Orders: `github.conditions.fail(status=502, times=2)`, `.limit_writes(after=3)`, `.slow(0.2)`,
  `.before("PATCH", "*/check-runs/*", lambda request: shop.commit(...))`, `.after(...)`; `github.exhaust_rate()`,
  `github.advance(3600)`.
* `github.requests` has everything that came in, `github.writes` what asked for a change, `github.pushes` moved refs.
* Events: `github.payloads.pull_request(pull, "opened")`, `.issue_comment(shop, comment)`, `.workflow_run(shop, run)`,
  `.check_suite`, `.check_run(shop, run, "requested_action", identifier="a")`, `.push`, `.schedule`,
  `.workflow_dispatch`; `deliver(event, payload, secret=…)` signs one for a webhook receiver;
  `github.actions_environment(shop, "issue_comment", payload, folder=tmp_path, inputs={"github-token": token})` is
  the environment of an Actions step, `read_outputs(environment)` what the step wrote;
  `github.check_out(shop, environment, token)` fills the workspace as actions/checkout does.
* A request or an answer that GitHub's description does not know makes the `with` block raise at its end.
  A test that provokes one on purpose takes it back with `github.forgive("part of its text")`.
"""

from tests.fakes.github.actions_runner import read_outputs
from tests.fakes.github.call import Request
from tests.fakes.github.deliveries import Delivery, deliver
from tests.fakes.github.fake import ContractViolationError, FakeGitHub, PushEvent
from tests.fakes.github.payloads import Payloads
from tests.fakes.github.state.accounts import Account, App, Installation
from tests.fakes.github.state.ci import CheckRun, CheckSuite, Job, WorkflowRun
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.state.threads import Issue, IssueComment, PullRequest, ReviewComment

__all__ = [
    "Account",
    "App",
    "CheckRun",
    "CheckSuite",
    "ContractViolationError",
    "Delivery",
    "FakeGitHub",
    "Installation",
    "Issue",
    "IssueComment",
    "Job",
    "Payloads",
    "PullRequest",
    "PushEvent",
    "Repository",
    "Request",
    "ReviewComment",
    "WorkflowRun",
    "deliver",
    "read_outputs",
]
