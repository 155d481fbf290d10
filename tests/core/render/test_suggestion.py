"""A patch of real git as suggestions: taken together they give the very bytes that the patch gives."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from fixloop_bot.core.redact import redactor
from fixloop_bot.core.render.patch import parse_patch
from fixloop_bot.core.render.suggestion import MOST, to_suggestions
from fixloop_bot.model.suggestion import Suggestion

TEN = "".join(f"line {n}\n" for n in range(1, 11))
ALL = frozenset(range(1, 500))


def diff(folder: Path, before: Mapping[str, str | None], after: Mapping[str, str | None]) -> str:
    """Return what git says of the change."""

    def git(*arguments: str) -> str:
        command = ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "core.autocrlf=false", *arguments]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout.decode()

    git("init", "-q")
    for state in (before, after):
        for name, text in state.items():
            path = folder / name
            path.unlink(missing_ok=True)
            if text is not None:
                path.write_text(text, newline="")
        git("add", "-A")
        if state is before:
            git("commit", "-q", "-m", "before", "--allow-empty")
    return git("diff", "--cached", "HEAD")


def committed(text: str, items: tuple[Suggestion, ...]) -> str:
    """Return the file after a person commits the suggestions as one batch, as GitHub does it."""
    lines = text.split("\n")
    for item in sorted(items, key=lambda item: item.line, reverse=True):
        first = item.start_line or item.line
        lines[first - 1 : item.line] = item.body.split("\n")[1:-1]
    return "\n".join(lines)


CHANGES = {
    "one line": TEN.replace("line 5\n", "LINE 5\n"),
    "two lines for one": TEN.replace("line 5\n", "LINE 5\nand more\n"),
    "several lines": TEN.replace("line 4\nline 5\nline 6\n", "four to six\n"),
    "two places in one hunk": TEN.replace("line 4\n", "LINE 4\n").replace("line 7\n", "LINE 7\n"),
    "an insertion": TEN.replace("line 5\n", "line 5\nnew\n"),
    "an insertion at the start": "new\n" + TEN,
    "an insertion at the end": TEN + "new\n",
    "a deletion": TEN.replace("line 5\n", ""),
    "a deletion of everything but one": "line 10\n",
    "an empty line put in": TEN.replace("line 5\n", "line 5\n\n"),
    "a line made empty": TEN.replace("line 5\n", "\n"),
    "a fence put in": TEN.replace("line 5\n", "```\n````x\n"),
    "both fences put in": TEN.replace("line 5\n", "```\n~~~\n"),
    "lines that look like a patch": TEN.replace("line 5\n", "@@ -1 +1 @@\n--- a/x\n+++ b/x\ndiff --git a b\n"),
    "commands and mentions": TEN.replace("line 5\n", "/lgtm\n@octocat #1\n"),
}


@pytest.mark.parametrize("after", CHANGES.values(), ids=CHANGES)
def test_suggestions_give_what_the_patch_gives(tmp_path: Path, after: str) -> None:
    patch = diff(tmp_path, {"a.txt": TEN}, {"a.txt": after})
    made = to_suggestions(patch, {"a.txt": ALL}, redact=str)
    assert made.rest == ""
    assert {item.path for item in made.items} == {"a.txt"}
    assert committed(TEN, made.items) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({"a": TEN}, {"a": None}, id="a file deleted"),
        pytest.param({}, {"a": TEN}, id="a file added"),
        pytest.param({"a": TEN}, {"a": TEN.removesuffix("\n")}, id="no newline at the end any more"),
        pytest.param(
            {"a": TEN.replace("\n", "\r\n")}, {"a": TEN.replace("\n", "\r\n") + "x\r\n"}, id="Windows line ends"
        ),
        pytest.param({"a": "x\n"}, {"a": "x\u202ey\n"}, id="something that cannot be seen"),
        pytest.param({"a": "x\n"}, {"a": "hunter2-hunter2\n"}, id="a secret"),
        pytest.param({'a"b': "x\n"}, {'a"b': "y\n"}, id="a name that git quotes"),
        pytest.param({"a": "x\n"}, {"a": "y" * 70_000 + "\n"}, id="a line that no comment holds"),
        pytest.param({"a": "x\0\n"}, {"a": "y\0\n"}, id="a binary file"),
        pytest.param({"a": ""}, {"a": "x\n"}, id="a file that was empty"),
    ],
)
def test_what_cannot_be_suggested_exactly_stays_a_patch(
    tmp_path: Path, before: dict[str, str | None], after: dict[str, str | None]
) -> None:
    patch = diff(tmp_path, before, after)
    made = to_suggestions(patch, dict.fromkeys(after, ALL), redact=redactor(["hunter2-hunter2"]))
    assert made.items == ()
    assert made.rest == patch


def test_a_hunk_outside_the_pull_requests_diff_stays_a_patch_that_git_applies(tmp_path: Path) -> None:
    long = "".join(f"line {n}\n" for n in range(1, 61))
    after = long.replace("line 5\n", "LINE 5\n").replace("line 50\n", "LINE 50\n")
    patch = diff(tmp_path, {"a": long, "b": TEN}, {"a": after, "b": "new\n" + TEN})

    made = to_suggestions(patch, {"a": frozenset({4, 5, 6}), "c": ALL}, redact=str)

    assert [(item.path, item.start_line, item.line) for item in made.items] == [("a", None, 5)]
    assert "LINE 50" in made.rest
    assert "LINE 5\n" not in made.rest.replace("LINE 50", "")
    subprocess.run(["git", "reset", "-q", "--hard", "HEAD"], cwd=tmp_path, check=True)
    (tmp_path / "a").write_text(committed(long, made.items))
    subprocess.run(["git", "apply"], input=made.rest.encode(), cwd=tmp_path, check=True)
    assert (tmp_path / "a").read_text() == after
    assert (tmp_path / "b").read_text() == "new\n" + TEN


@pytest.mark.parametrize("shown", [{4}, {6}, {5, 7}], ids=["before it", "after it", "around it"])
def test_a_change_of_several_lines_needs_all_of_them_in_the_diff(tmp_path: Path, shown: set[int]) -> None:
    patch = diff(tmp_path, {"a": TEN}, {"a": TEN.replace("line 5\nline 6\n", "x\n")})
    assert to_suggestions(patch, {"a": shown}, redact=str).items == ()
    assert [(i.start_line, i.line) for i in to_suggestions(patch, {"a": {5, 6}}, redact=str).items] == [(5, 6)]


def test_a_review_has_a_bounded_number_of_suggestions(tmp_path: Path) -> None:
    long = "".join(f"line {n}\n" for n in range(1, 491))
    after = "".join(f"line {n}{'!' if n % 10 == 0 else ''}\n" for n in range(1, 491))
    patch = diff(tmp_path, {"a": long}, {"a": after})
    made = to_suggestions(patch, {"a": ALL}, redact=str)
    assert len(made.items) == MOST
    assert made.rest.count("@@ -") == 49 - MOST


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("hello\n", id="another text"),
        pytest.param("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n-x\n+y\n", id="a hunk that ends too soon"),
        pytest.param("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n+z\n", id="a hunk that is too long"),
        pytest.param("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -x +y @@\n", id="a hunk without numbers"),
        pytest.param("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n?x\n", id="a line of no kind"),
        pytest.param("@@ -1 +1 @@\n" * 50_000, id="many hunks of no file"),
    ],
)
def test_what_is_no_patch_of_git_stays_as_it_is(text: str) -> None:
    assert parse_patch(text) is None
    assert to_suggestions(text, {"a": ALL}, redact=str).rest == text


def test_no_patch_is_no_suggestion() -> None:
    made = to_suggestions("", {}, redact=str)
    assert (made.items, made.rest) == ((), "")
