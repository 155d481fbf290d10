"""Webhook payloads, made from the fake's own state in the shape of recorded ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.fakes.github.render import accounts, checks, commits, pulls, repositories, runs, threads
from tests.fakes.github.render.accounts import user
from tests.fakes.github.state.accounts import Account, Installation, node_id
from tests.fakes.github.state.ci import CheckRun, CheckSuite, WorkflowRun
from tests.fakes.github.state.git_diff import changes
from tests.fakes.github.state.git_store import ZERO, Commit
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.state.threads import IssueComment, PullRequest
from tests.fakes.github.urls import Urls

if TYPE_CHECKING:
    from tests.fakes.github.state.world import World

Payload = dict[str, Any]
_IN_A_LIST = ("id", "node_id", "name", "full_name", "private")


@dataclass(frozen=True, slots=True)
class Payloads:
    """Makes one payload a method; `installation` is what an App's deliveries carry and a workflow's do not."""

    world: "World"
    urls: Urls
    installation: Installation | None = None

    def pull_request(
        self,
        pull: PullRequest,
        action: str = "opened",
        *,
        sender: str | Account | None = None,
        before: str | None = None,
    ) -> Payload:
        """Return a `pull_request` event; `synchronize` also takes the head `before` the push."""
        repo = pull.base_repo
        payload = {
            "action": action,
            "number": pull.number,
            "pull_request": pulls.whole(self.urls, repo, pull),
            **self._frame(repo, sender or pull.author),
        }
        if action == "synchronize":
            payload |= {"before": before or pull.base_sha, "after": pull.head_sha}
        return payload

    def workflow_run(self, repo: Repository, run: WorkflowRun, action: str = "completed") -> Payload:
        """Return a `workflow_run` event."""
        workflow = runs.workflow_id(run.path)
        html = self.urls.html(repo.full_name)
        return {
            "action": action,
            "workflow_run": runs.run(self.urls, repo, run),
            "workflow": {
                "id": workflow,
                "node_id": node_id("W", workflow),
                "name": run.name,
                "path": run.path,
                "state": "active",
                "created_at": repo.created_at.isoformat(),
                "updated_at": repo.created_at.isoformat(),
                "url": self.urls.repo(repo.full_name, "actions", "workflows", workflow),
                "html_url": f"{html}/blob/{repo.default_branch}/{run.path}",
                "badge_url": f"{html}/workflows/{run.name}/badge.svg",
            },
            **self._frame(repo, run.actor),
        }

    def check_suite(
        self, repo: Repository, suite: CheckSuite, action: str = "completed", *, sender: str | Account = "mona"
    ) -> Payload:
        """Return a `check_suite` event."""
        return {"action": action, "check_suite": self._suite(repo, suite), **self._frame(repo, sender)}

    def check_run(
        self,
        repo: Repository,
        run: CheckRun,
        action: str = "completed",
        *,
        identifier: str | None = None,
        sender: str | Account = "mona",
    ) -> Payload:
        """Return a `check_run` event; `requested_action` takes the `identifier` of the button."""
        rendered = {**checks.check_run(self.urls, repo, run), "check_suite": self._suite(repo, run.suite)}
        payload = {"action": action, "check_run": rendered, **self._frame(repo, sender)}
        if identifier is not None:
            payload["requested_action"] = {"identifier": identifier}
        return payload

    def issue_comment(
        self,
        repo: Repository,
        comment: IssueComment,
        action: str = "created",
        *,
        sender: str | Account | None = None,
    ) -> Payload:
        """Return an `issue_comment` event; `edited` tells what the body was before."""
        payload = {
            "action": action,
            "issue": threads.issue(self.urls, repo, repo.issues[comment.number]),
            "comment": threads.comment(self.urls, repo, comment),
            **self._frame(repo, sender or comment.author),
        }
        if action == "edited":
            payload["changes"] = {"body": {"from": [comment.body, *comment.bodies][-2]}}
        return payload

    def issue_edited(self, repo: Repository, number: int, body: str, *, sender: str | Account) -> Payload:
        """Edit an issue's text as a person does in the browser, and return the `issues` event of it."""
        issue = repo.issues[number]
        before, issue.body = issue.body, body
        return {
            "action": "edited",
            "issue": threads.issue(self.urls, repo, issue),
            "changes": {"body": {"from": before}},
            **self._frame(repo, sender),
        }

    def installed(self, action: str = "created", *, sender: str | Account = "mona") -> Payload:
        """Return an `installation` event of the installation; `suspend` and `unsuspend` also happen to it."""
        installed = self.installation
        if installed is None:
            raise ValueError("a workflow hears of no installation")
        if action in {"suspend", "unsuspend"}:
            installed.suspended_at = self.world.now() if action == "suspend" else None
        if action == "deleted":
            del self.world.installations[installed.id]
        found = [repositories.repository(self.urls, self.world.repository(one)) for one in installed.repositories]
        told = accounts.installation(self.urls, installed)
        return {
            "action": action,
            "installation": told | {"updated_at": accounts.stamp(self.world.now())},
            "repositories": [{name: repo[name] for name in _IN_A_LIST} for repo in found],
            "sender": user(self.urls, self.world.account(sender)),
        }

    def push(
        self, repo: Repository, branch: str, *, before: str | None = None, sender: str | Account = "mona"
    ) -> Payload:
        """Return a `push` event for what a branch got since the commit `before` (None: the branch is new)."""
        after = repo.head(branch)
        sent = repo.git.log(f"{before}..{after}" if before else after, limit=20)
        account = self.world.account(sender)
        rendered = [self._pushed_commit(repo, commit) for commit in sent]
        end = f"{before[:12]}...{after[:12]}" if before else after[:12]
        return {
            "ref": f"refs/heads/{branch}",
            "before": before or ZERO,
            "after": after,
            "created": before is None,
            "deleted": False,
            "forced": False,
            "base_ref": None,
            "compare": self.urls.html(repo.full_name, "compare", end),
            "commits": rendered,
            "head_commit": rendered[-1] if rendered else None,
            "pusher": {"name": account.login, "email": account.email},
            **self._frame(repo, account),
            "repository": self._push_repository(repo),
        }

    def schedule(self, repo: Repository, cron: str = "17 3 * * *") -> Payload:
        """Return the event file of a scheduled workflow run; it names no sender."""
        frame = self._frame(repo, repo.owner)
        del frame["sender"]
        return {"schedule": cron, "workflow": ".github/workflows/fixloop.yml", **frame}

    def workflow_dispatch(
        self,
        repo: Repository,
        inputs: Mapping[str, str] | None = None,
        *,
        branch: str | None = None,
        sender: str | Account = "mona",
    ) -> Payload:
        """Return a `workflow_dispatch` event; without inputs the field is null."""
        return {
            "inputs": dict(inputs) if inputs else None,
            "ref": f"refs/heads/{branch or repo.default_branch}",
            "workflow": ".github/workflows/fixloop.yml",
            **self._frame(repo, sender),
        }

    def _frame(self, repo: Repository, sender: str | Account) -> Payload:
        """Return what every payload carries."""
        frame = {
            "repository": repositories.repository(self.urls, repo),
            "sender": user(self.urls, self.world.account(sender)),
        }
        if repo.owner.type == "Organization":
            frame["organization"] = _organization(self.urls, repo.owner)
        if self.installation:
            frame["installation"] = {
                "id": self.installation.id,
                "node_id": node_id("IN", self.installation.id),
            }
        return frame

    def _suite(self, repo: Repository, suite: CheckSuite) -> Payload:
        rendered = checks.suite(self.urls, repo, suite)
        del rendered["repository"]
        return rendered

    def _pushed_commit(self, repo: Repository, commit: Commit) -> Payload:
        entries = changes(repo.git, commit.parents[0] if commit.parents else commits.EMPTY_TREE, commit.sha)
        words = {"added": ("added", "copied"), "removed": ("removed",), "modified": ("modified", "renamed", "changed")}
        return {
            **commits.simple_commit(commit),
            "distinct": True,
            "url": self.urls.html(repo.full_name, "commit", commit.sha),
            **{name: [entry.path for entry in entries if entry.status in kinds] for name, kinds in words.items()},
        }

    def _push_repository(self, repo: Repository) -> Payload:
        """Return the repository as push events alone have it: times as numbers, the owner with a name."""
        rendered = repositories.repository(self.urls, repo)
        created = int(repo.created_at.timestamp())
        return {
            **rendered,
            "owner": {"name": repo.owner.login, "email": None, **rendered["owner"]},
            "url": rendered["html_url"],
            "created_at": created,
            "pushed_at": created,
            "stargazers": 0,
            "master_branch": repo.default_branch,
        }


def _organization(urls: Urls, account: Account) -> Payload:
    api = urls.api("orgs", account.login)
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id("O", account.id),
        "url": api,
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events",
        "hooks_url": f"{api}/hooks",
        "issues_url": f"{api}/issues",
        "members_url": f"{api}/members{{/member}}",
        "public_members_url": f"{api}/public_members{{/member}}",
        "avatar_url": urls.html("avatars", "u", account.id),
        "description": None,
    }
