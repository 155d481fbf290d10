"""Refs, commits and comparisons."""

from typing import Any

from tests.fakes.github.call import ApiError, Call, Reply, invalid, not_found
from tests.fakes.github.paging import link, page
from tests.fakes.github.push_rules import refusal
from tests.fakes.github.render import commits as render
from tests.fakes.github.render import pulls as render_pulls
from tests.fakes.github.state.git_diff import changes
from tests.fakes.github.state.git_store import ZERO, GitError


def get_ref(call: Call) -> Reply:
    name = f"refs/{call.params['ref']}"
    sha = call.repo.git.tip(name)
    if sha is None:
        raise not_found()
    return Reply(body=render.ref(call.urls, call.repo, name, sha))


def list_matching_refs(call: Call) -> Reply:
    start = f"refs/{call.params['ref']}"
    found = [
        (name, sha)
        for name, sha in call.repo.git.refs("refs/").items()
        if name.startswith(start) and not name.startswith("refs/fixture/")
    ]
    return page(call, found, lambda item: render.ref(call.urls, call.repo, *item))


def create_ref(call: Call) -> Reply:
    name, sha = str(call.body["ref"]), str(call.body["sha"])
    if not name.startswith("refs/") or name.count("/") < 2:
        raise invalid(f"{name} is not a valid ref name.")
    if call.repo.git.tip(name):
        raise invalid("Reference already exists")
    return _move(call, name, sha, ZERO, status=201)


def update_ref(call: Call) -> Reply:
    """Move a ref; without `force` only forwards."""
    name, sha = f"refs/{call.params['ref']}", str(call.body["sha"])
    old = call.repo.git.tip(name)
    if old is None:
        raise invalid("Reference does not exist")
    if call.repo.git.resolve(sha) and not call.body.get("force") and call.repo.git.merge_base(old, sha) != old:
        raise invalid("Update is not a fast forward")
    return _move(call, name, sha, old, status=200)


def delete_ref(call: Call) -> Reply:
    name = f"refs/{call.params['ref']}"
    old = call.repo.git.tip(name)
    if old is None:
        raise invalid("Reference does not exist")
    reason = refusal(call.repo, call.token, name, old, ZERO)
    if reason:
        raise invalid(reason)
    call.repo.git.delete_ref(name, old)
    return Reply(status=204)


def get_commit(call: Call) -> Reply:
    return Reply(body=render.whole_commit(call.urls, call.repo, call.repo.git.commit(resolve(call))))


def get_git_commit(call: Call) -> Reply:
    sha = call.repo.git.resolve(call.params["commit_sha"])
    if sha is None:
        raise not_found()
    return Reply(body=render.git_commit(call.urls, call.repo, call.repo.git.commit(sha)))


def list_pulls_of_commit(call: Call) -> Reply:
    """List the pull requests whose head or commits include a commit."""
    sha = call.params["commit_sha"]
    if call.repo.git.resolve(sha) is None:
        raise invalid(f"No commit found for SHA: {sha}")
    found = [
        pull
        for pull in call.repo.pulls.values()
        if sha == pull.head_sha or sha in call.repo.git.run("rev-list", f"{pull.base_sha}..{pull.head_sha}").split()
    ]
    return page(call, found, lambda pull: render_pulls.simple(call.urls, call.repo, pull))


def compare(call: Call) -> Reply:
    """Compare `base...head`; either may be `owner:branch`."""
    base, dots, head = call.params["basehead"].partition("...")
    ends = [_end(call, name) for name in (base, head)]
    if not dots or None in ends:
        raise not_found()
    return _comparison(call, str(ends[0]), str(ends[1]))


def resolve(call: Call) -> str:
    """Return the commit that the placeholder `ref` names; an unknown one is GitHub's 422."""
    sha = call.repo.git.resolve(call.params["ref"])
    if sha is None:
        raise ApiError(422, f"No commit found for SHA: {call.params['ref']}")
    return sha


def _move(call: Call, name: str, sha: str, old: str, *, status: int) -> Reply:
    if call.repo.git.resolve(sha) is None:
        raise ApiError(422, "Object does not exist")
    reason = refusal(call.repo, call.token, name, old, sha)
    if reason:
        raise invalid(reason)
    try:
        call.repo.git.update_ref(name, sha, old)
    except GitError as error:
        raise invalid("Reference cannot be updated") from error
    return Reply(status=status, body=render.ref(call.urls, call.repo, name, sha))


def _end(call: Call, name: str) -> str | None:
    owner, colon, branch = name.partition(":")
    if not colon:
        return call.repo.git.resolve(name)
    for repository in call.world.repositories.values():
        related = call.repo in {repository, repository.parent}
        if related and repository.owner.login == owner:
            sha = repository.git.resolve(branch)
            if sha and repository is not call.repo:
                call.repo.git.fetch(repository.git, sha, f"refs/fixture/{sha}")
            return sha
    return None


def _comparison(call: Call, base: str, head: str) -> Reply:
    store, repo, urls = call.repo.git, call.repo, call.urls
    common = store.merge_base(base, head)
    if common is None:
        raise not_found()
    ahead, behind = store.count(f"{base}..{head}"), store.count(f"{head}..{base}")
    word = {(True, True): "diverged", (True, False): "ahead", (False, True): "behind"}
    html = urls.html(repo.full_name, "compare", f"{base}...{head}")
    shown = page(call, store.log(f"{base}..{head}"), lambda item: render.commit(urls, repo, item))
    body: dict[str, Any] = {
        "url": urls.repo(repo.full_name, "compare", f"{base}...{head}"),
        "html_url": html,
        "permalink_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        "base_commit": render.commit(urls, repo, store.commit(base)),
        "merge_base_commit": render.commit(urls, repo, store.commit(common)),
        "status": word.get((ahead > 0, behind > 0), "identical"),
        "ahead_by": ahead,
        "behind_by": behind,
        "total_commits": ahead,
        "commits": shown.body,
        "files": [render.file(urls, repo, head, entry) for entry in changes(store, common, head)],
    }
    return Reply(body=body, headers=shown.headers or link(call, 1, 1))
