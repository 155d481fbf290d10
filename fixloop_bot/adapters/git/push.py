"""fixloop's own commits, brought to a branch on the forge: never forced, never over what it has not seen."""

from fixloop_bot.adapters.git.clone import clone_git
from fixloop_bot.adapters.git.command import Completed, Git
from fixloop_bot.adapters.git.remote import Remote, RemoteError, check_ref, remote_head, talk
from fixloop_bot.adapters.git.series import read_series
from fixloop_bot.core.delivery import classify_refusal
from fixloop_bot.model.delivery import (
    Checkout,
    HeadMoved,
    Landed,
    PushOrder,
    PushOutcome,
    PushRefused,
    Refusal,
    RemoteTrouble,
)


def push(clone: Checkout, order: PushOrder, remote: Remote) -> PushOutcome:
    """Bring the branch from where it is expected to the commit, in one step that the forge does wholly or not at all.

    Safe to repeat: a branch that already stands on the commit has landed. Two guards together make it a fast-forward:
    the commit descends from `expected_old`, as seen here, and the forge moves the branch from there alone.
    """
    git = clone_git(clone)
    try:
        check_ref(git, f"refs/heads/{order.branch}")
        foreign = _foreign(clone, git, order)
        if foreign:
            return PushRefused(Refusal.NOT_OURS, foreign)
        done = _try(git, order, remote)
        if done.code == 0:
            return Landed(order.commit)
        return _explain(git, order, remote, _said(done, remote))
    except RemoteError as error:
        if error.problem.kind is RemoteTrouble.BAD_ADDRESS:
            return PushRefused(Refusal.BAD_ADDRESS, error.problem.detail)
        return _explain(git, order, remote, error.problem.detail)


def _foreign(clone: Checkout, git: Git, order: PushOrder) -> str:
    """Return why these are not fixloop's commits on the expected ones, empty where they are."""
    for below in filter(None, (order.onto, order.expected_old)):
        if git.run("merge-base", "--is-ancestor", below, order.commit, ok=(0, 1, 128)).code:
            return f"{order.commit} does not stand on {below}"
    series = read_series(clone, order.onto, order.commit)
    if not series:
        return "there is no commit to push"
    return next((f"{commit.sha} is not a commit of fixloop's" for commit in series if not commit.is_ours), "")


def _try(git: Git, order: PushOrder, remote: Remote) -> Completed:
    ref = f"refs/heads/{order.branch}"
    fixed = ("--porcelain", "--atomic", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no")
    lease = f"--force-with-lease={ref}:{order.expected_old or ''}"
    argv = ("push", *fixed, lease, "--end-of-options", remote.url, f"{order.commit}:{ref}")
    return talk(git, remote, *argv, ok=(0, 1))


def _explain(git: Git, order: PushOrder, remote: Remote, said: str) -> PushOutcome:
    """Return what became of a push that did not succeed, by looking where the branch is: an answer may get lost."""
    try:
        now = remote_head(git, remote, order.branch)
    except RemoteError:
        return PushRefused(classify_refusal(said), said)
    if now == order.commit:
        return Landed(order.commit)
    if now != order.expected_old:
        return HeadMoved(now)
    return PushRefused(classify_refusal(said), said)


def _said(done: Completed, remote: Remote) -> str:
    return remote.clean((done.stderr + b"\n" + done.stdout).decode("utf-8", "replace"))
