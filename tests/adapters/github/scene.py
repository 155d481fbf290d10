"""A repository with a pull request on a fake GitHub, and fixloop's door to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess, Patience, TokenAccess
from fixloop_bot.adapters.github.forge import GitHubForge
from fixloop_bot.model.event import PullRequest
from fixloop_bot.ports.forge import Forge
from tests.fakes.github import FakeGitHub, Repository

QUICK = Patience(retries=3, backoff_s=0.01, longest_wait_s=5.0, secondary_wait_s=0.1, between_writes_s=0.0)
MARKER = "<!-- fixloop:report "
WORKFLOW = ".github/workflows/fixloop.yml"


@dataclass(frozen=True, kw_only=True)
class Scene:
    """`pat` may write and opened pull request 1 from `feature/a#b`, whose head breaks `app.py`."""

    github: FakeGitHub
    shop: Repository
    head: str

    @contextmanager
    def forge(
        self, token: str | None = None, *, app: AppAccess | None = None, workflow_path: str = ""
    ) -> Iterator[Forge]:
        """Give fixloop's door, with GITHUB_TOKEN unless another credential is given."""
        credential = app or TokenAccess(token or self.github.actions_token(self.shop))
        access = GitHubAccess(
            full_name=self.shop.full_name,
            credential=credential,
            api_url=self.github.url,
            workflow_path=workflow_path,
            patience=QUICK,
        )
        with GitHubForge(access) as forge:
            yield forge

    def app(self, slug: str = "fixloop") -> AppAccess:
        """Install an App and return its credential."""
        app = self.github.app(slug)
        installation = self.github.install(app, self.shop)
        return AppAccess(app_id=app.id, private_key=app.private_key, installation_id=installation.id)

    def pull_request(self, forge: Forge, number: int = 1) -> PullRequest:
        """Return a pull request that must be there."""
        found = forge.pull_request(number)
        assert isinstance(found, PullRequest)
        return found


@contextmanager
def scene(*, enterprise: bool = False) -> Iterator[Scene]:
    """Set the stage."""
    with FakeGitHub(enterprise=enterprise) as github:
        github.user("pat", permission="write")
        shop = github.repository("octo/shop", files={"app.py": "a = 1\nb = 2\nc = 3\n", "data.bin": b"\x00\xff"})
        head = shop.commit("feature/a#b", {"app.py": "a = 1\nb = \nc = 3\n"}, message="Break\n\nit", author="pat")
        shop.open_pull("feature/a#b", title="Break it", author="pat")
        yield Scene(github=github, shop=shop, head=head)
