"""Why GitHub would refuse that a ref moves, whoever moves it and however."""

from collections.abc import Mapping

from tests.fakes.github.state.accounts import Token
from tests.fakes.github.state.git_store import ZERO
from tests.fakes.github.state.repository import Repository


def refusal(
    repository: Repository,
    token: Token,
    ref: str,
    old: str,
    new: str,
    quarantine: Mapping[str, str] | None = None,
) -> str | None:
    """Return GitHub's reason for refusing to move `ref` from `old` to `new` (zeros: made, deleted), or None.

    `quarantine` is the environment in which git sees objects that were pushed but not taken in yet.
    """
    branch = ref.removeprefix("refs/heads/")
    if ref.startswith("refs/pull/"):
        return "deny updating a hidden ref"
    rule = repository.protected.get(branch)
    if rule is not None and token.account.login not in rule.bypass:
        return "protected branch hook declined"
    if new == ZERO and branch == repository.default_branch:
        return "refusing to delete the current branch: " + ref
    if new == ZERO or token.may_push_workflows:
        return None
    touched = _workflows(repository, old, new, quarantine or {})
    who = "a GitHub App" if token.permissions is not None else "an OAuth App"
    lack = "`workflows` permission" if token.permissions is not None else "`workflow` scope"
    return f"refusing to allow {who} to create or update workflow `{touched}` without {lack}" if touched else None


def _workflows(repository: Repository, old: str, new: str, quarantine: Mapping[str, str]) -> str | None:
    """Return a workflow file that a commit new to the repository changes, or None."""
    fresh = repository.git.run("rev-list", new, "--not", "--all", extra=quarantine).split()
    for sha in fresh:
        found = repository.git.run(
            *("diff-tree", "-r", "-m", "--root", "--no-commit-id", "--name-only", "-z", sha),
            *("--", ".github/workflows"),
            extra=quarantine,
        )
        if found:
            return found.partition("\0")[0]
    return None
