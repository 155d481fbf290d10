"""The head moved: fixloop's commits follow it, whole and with their messages, or not at all."""

from pathlib import Path

from fixloop_bot.adapters.git.checkout import fetch_head, stand_on
from fixloop_bot.adapters.git.push import push
from fixloop_bot.adapters.git.rebase import rebase_onto
from fixloop_bot.adapters.git.series import read_series
from fixloop_bot.model.delivery import (
    BranchHead,
    Checkout,
    HeadMoved,
    Landed,
    PushOrder,
    RebaseConflict,
    Rebased,
)
from tests.adapters.git.forge import FIX, Forge, at, fix

LINES = "".join(f"line {number}\n" for number in range(30))


def start(tmp_path: Path) -> tuple[Forge, Checkout]:
    forge = Forge(tmp_path)
    return forge, forge.checked_out("feature", forge.work("app.py", LINES))


def fetched(forge: Forge, clone: Checkout) -> str:
    new = fetch_head(clone, forge.remote, BranchHead("feature"))
    assert isinstance(new, str)
    return new


def test_a_run_follows_a_person_who_pushed_gates_again_and_pushes(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    fixes = [
        fix(clone, "app.py", LINES.replace("line 3\n", "compiled\n"), layer="compile"),
        fix(clone, "blob.bin", b"\0\1\2" * 100, layer="lint"),
    ]
    theirs = forge.work("app.py", LINES.replace("line 25\n", "theirs\n"))
    order = PushOrder(commit=fixes[-1], onto=clone.head_sha, branch="feature", expected_old=clone.head_sha)
    assert push(clone, order, forge.remote) == HeadMoved(theirs)

    rebased = rebase_onto(clone, fixes, fetched(forge, clone))
    assert isinstance(rebased, Rebased)
    stand_on(clone, rebased.commits[-1])
    person = at(clone.root)
    assert person.read("app.py").decode() == LINES.replace("line 3\n", "compiled\n").replace("line 25\n", "theirs\n")
    assert person.read("blob.bin") == b"\0\1\2" * 100
    assert person.status() == ""

    order = PushOrder(commit=rebased.commits[-1], onto=theirs, branch="feature", expected_old=theirs)
    assert push(clone, order, forge.remote) == Landed(rebased.commits[-1])
    series = read_series(clone, theirs, rebased.commits[-1])
    assert [(commit.sha, commit.paths, commit.run_id, commit.is_ours) for commit in series] == [
        (rebased.commits[0], ("app.py",), "r1", True),
        (rebased.commits[1], ("blob.bin",), "r1", True),
    ]


def test_messages_trailers_authors_and_dates_stay(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    fix(clone, "app.py", "fixed\n", message=FIX.replace("clean", "clean: größer, 大"))
    then = ("--date=@1000000000 +0530", "--author=Ünal <u@example.org>")
    at(clone.root).git("commit", "-q", "--amend", "--no-edit", *then)
    commit = at(clone.root).git("rev-parse", "HEAD")
    forge.work("other.py", "x\n")
    rebased = rebase_onto(clone, [commit], fetched(forge, clone))
    assert isinstance(rebased, Rebased)
    told = [
        at(clone.root).git("log", "-1", "--date=raw", "--format=%an <%ae> %ad%n%B", sha)
        for sha in (commit, *rebased.commits)
    ]
    assert told[0] == told[1]
    assert told[1].startswith("Ünal <u@example.org> 1000000000 +0530\nfix-loop: lint clean: größer, 大")


def test_a_conflict_names_the_files_and_changes_nothing(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    first = fix(clone, "fine.py", "fine\n")
    second = fix(clone, "app.py", LINES.replace("line 3\n", "ours\n"))
    forge.person.write("gone.py", "x\n")
    forge.work("app.py", LINES.replace("line 3\n", "theirs\n"))
    assert rebase_onto(clone, [first, second], fetched(forge, clone)) == RebaseConflict(second, ("app.py",))
    assert at(clone.root).git("rev-parse", "feature") == second
    assert at(clone.root).status() == ""


def test_a_file_that_the_person_deleted_is_a_conflict(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    commit = fix(clone, "app.py", LINES.replace("line 3\n", "ours\n"))
    forge.person.git("rm", "-q", "app.py")
    forge.work("other.py", "x\n")
    assert rebase_onto(clone, [commit], fetched(forge, clone)) == RebaseConflict(commit, ("app.py",))


def test_what_the_person_did_too_is_left_out(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    same = fix(clone, "app.py", LINES.replace("line 3\n", "fixed\n"))
    more = fix(clone, "more.py", "more\n")
    forge.work("app.py", LINES.replace("line 3\n", "fixed\n"))
    rebased = rebase_onto(clone, [same, more], fetched(forge, clone))
    assert isinstance(rebased, Rebased)
    assert [commit.paths for commit in read_series(clone, forge.tip("feature"), rebased.commits[-1])] == [("more.py",)]


def test_a_person_who_rewrote_the_branch_is_followed_too(tmp_path: Path) -> None:
    forge, clone = start(tmp_path)
    commit = fix(clone, "app.py", LINES.replace("line 3\n", "fixed\n"))
    forge.person.git("commit", "-q", "--amend", "-m", "better words")
    amended = forge.publish("feature")
    rebased = rebase_onto(clone, [commit], fetched(forge, clone))
    assert isinstance(rebased, Rebased)
    assert at(clone.root).git("rev-parse", f"{rebased.commits[0]}^") == amended


def test_no_commits_rebase_to_none(tmp_path: Path) -> None:
    _, clone = start(tmp_path)
    assert rebase_onto(clone, [], clone.head_sha) == Rebased(())
