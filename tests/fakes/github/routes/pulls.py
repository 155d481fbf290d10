"""Pull requests, their files, reviews and review comments."""

from collections.abc import Mapping
from typing import Any

from tests.fakes.github.call import ApiError, Call, Reply, invalid, not_found
from tests.fakes.github.paging import page
from tests.fakes.github.render import commits as render_commits
from tests.fakes.github.render import pulls as render
from tests.fakes.github.routes.issues import check_body
from tests.fakes.github.state.diff_lines import Spot, spots
from tests.fakes.github.state.git_diff import changes
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.state.threads import PullRequest, ReviewComment

_STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}


def list_pulls(call: Call) -> Reply:
    """List pull requests, the newest first; `head` is `owner:branch`."""
    state, base, head = call.query.get("state", "open"), call.query.get("base"), call.query.get("head")
    found = [
        pull
        for pull in reversed(call.repo.pulls.values())
        if state in {"all", pull.state}
        and base in {None, pull.base_ref}
        and head in {None, f"{pull.head_repo.owner.login}:{pull.head_ref}"}
    ]
    if call.query.get("direction") == "asc":
        found.reverse()
    return page(call, found, lambda pull: render.simple(call.urls, call.repo, pull))


def get_pull(call: Call) -> Reply:
    return Reply(body=render.whole(call.urls, call.repo, _pull(call)))


def create_pull(call: Call) -> Reply:
    """Open a pull request; a second one for the same two branches, or one without commits, is a 422."""
    source, branch = _source(call, str(call.body["head"]))
    head = source.git.tip(f"refs/heads/{branch}") if source else None
    if source is None or head is None:
        raise invalid(resource="PullRequest", field="head", code="invalid")
    base = str(call.body["base"])
    if call.repo.git.tip(f"refs/heads/{base}") is None:
        raise invalid(resource="PullRequest", field="base", code="invalid")
    _check_new(call, source, branch, base, head)
    check_body(call.body.get("body"))
    made = call.repo.open_pull(
        branch,
        base=base,
        title=str(call.body.get("title", branch)),
        body=call.body.get("body"),
        author=call.token.account,
        source=source,
        draft=bool(call.body.get("draft")),
        maintainer_can_modify=source is not call.repo and call.body.get("maintainer_can_modify", True),
        app=call.token.app,
    )
    rendered = render.whole(call.urls, call.repo, made)
    return Reply(status=201, body=rendered, headers={"Location": rendered["url"]})


def update_pull(call: Call) -> Reply:
    pull = _pull(call)
    check_body(call.body.get("body"))
    pull.title = call.body.get("title", pull.title)
    pull.body = call.body.get("body", pull.body)
    pull.base_ref = call.body.get("base", pull.base_ref)
    if call.body.get("state", pull.state) != pull.state:
        pull.last_head = pull.head_sha
        pull.state = call.body["state"]
        pull.closed_at = call.world.now() if pull.state == "closed" else None
    pull.updated_at = call.world.now()
    return Reply(body=render.whole(call.urls, call.repo, pull))


def list_commits(call: Call) -> Reply:
    pull = _pull(call)
    found = call.repo.git.log(f"{pull.base_sha}..{pull.head_sha}")
    return page(call, found, lambda item: render_commits.commit(call.urls, call.repo, item))


def list_files(call: Call) -> Reply:
    pull = _pull(call)
    head = pull.head_sha
    base = call.repo.git.merge_base(pull.base_sha, head) or pull.base_sha
    found = changes(call.repo.git, base, head)
    return page(call, found, lambda item: render_commits.file(call.urls, call.repo, head, item))


def list_review_comments(call: Call) -> Reply:
    number = _pull(call).number
    found = [item for item in call.repo.review_comments.values() if item.number == number]
    return page(call, found, lambda item: render.review_comment(call.urls, call.repo, item))


def create_review_comment(call: Call) -> Reply:
    pull = _pull(call)
    if call.repo.git.resolve(call.body["commit_id"]) is None:
        raise invalid(resource="PullRequestReviewComment", field="commit_id", code="invalid")
    made = _comment(call, pull, call.body, review_id=None)
    rendered = render.review_comment(call.urls, call.repo, made)
    return Reply(status=201, body=rendered, headers={"Location": rendered["url"]})


def list_reviews(call: Call) -> Reply:
    number = _pull(call).number
    found = [item for item in call.repo.reviews.values() if item.number == number]
    return page(call, found, lambda item: render.review(call.urls, call.repo, item))


def create_review(call: Call) -> Reply:
    """Review as a whole; either all of its comments stand on lines of the diff, or nothing is made."""
    pull = _pull(call)
    try:
        for comment in call.body.get("comments", []):
            _spot(call, pull, comment)
    except ApiError as error:
        raise ApiError(422, "Unprocessable Entity", errors=["Line could not be resolved"]) from error
    state = _STATES.get(call.body.get("event", ""), "PENDING")
    made = call.repo.review(pull, call.body.get("body", ""), state, author=call.token.account)
    made.commit_id = call.body.get("commit_id", made.commit_id)
    for comment in call.body.get("comments", []):
        _comment(call, pull, comment, review_id=made.id)
    return Reply(body=render.review(call.urls, call.repo, made))


def _comment(call: Call, pull: PullRequest, body: Mapping[str, Any], *, review_id: int | None) -> ReviewComment:
    check_body(body["body"])
    spot = _spot(call, pull, body)
    made = ReviewComment(
        id=call.world.next_id(),
        number=pull.number,
        review_id=review_id,
        author=call.token.account,
        body=body["body"],
        path=body["path"],
        commit_id=body.get("commit_id", pull.head_sha),
        line=spot.line if spot else None,
        start_line=body.get("start_line"),
        position=spot.position if spot else None,
        hunk=spot.hunk if spot else "",
        side=body.get("side", "RIGHT"),
        subject_type=body.get("subject_type", "line"),
        in_reply_to=body.get("in_reply_to"),
        created_at=call.world.now(),
    )
    call.repo.review_comments[made.id] = made
    return made


def _spot(call: Call, pull: PullRequest, body: Mapping[str, Any]) -> Spot | None:
    """Return where a comment stands, None on a whole file; a line that the diff does not show is refused."""
    head = pull.head_sha
    base = call.repo.git.merge_base(pull.base_sha, head) or pull.base_sha
    entry = next((entry for entry in changes(call.repo.git, base, head) if entry.path == body["path"]), None)
    if entry is None:
        raise invalid(resource="PullRequestReviewComment", field="path", code="invalid")
    if body.get("subject_type") == "file":
        return None
    shown = spots(entry.patch or "", body.get("side", "RIGHT"))
    found = next((spot for spot in shown if body.get("line") == spot.line), None)
    if "position" in body:
        both = [*shown, *spots(entry.patch or "", "LEFT")]
        found = next((spot for spot in both if body["position"] == spot.position), None)
    start = body.get("start_line")
    if found is None or (start is not None and start not in {spot.line for spot in shown}):
        message = "line must be part of the diff"
        raise invalid(resource="PullRequestReviewComment", field="line", code="custom", message=message)
    return found


def _check_new(call: Call, source: Repository, branch: str, base: str, head: str) -> None:
    for pull in call.repo.pulls.values():
        if pull.state == "open" and (pull.head_repo, pull.head_ref, pull.base_ref) == (source, branch, base):
            text = f"A pull request already exists for {source.owner.login}:{branch}."
            raise invalid(resource="PullRequest", code="custom", message=text)
    if source is call.repo and not call.repo.git.count(f"{call.repo.head(base)}..{head}"):
        text = f"No commits between {base} and {branch}"
        raise invalid(resource="PullRequest", code="custom", message=text)


def _source(call: Call, head: str) -> tuple[Repository | None, str]:
    owner, colon, branch = head.partition(":")
    if not colon or owner == call.repo.owner.login:
        return call.repo, branch or head
    forks = call.world.repositories.values()
    return next((item for item in forks if item.parent is call.repo and item.owner.login == owner), None), branch


def _pull(call: Call) -> PullRequest:
    found = call.repo.pulls.get(call.number("pull_number"))
    if found is None:
        raise not_found()
    return found
