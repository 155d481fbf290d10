"""Which lines a diff without context is about."""

import pytest

from fixloop_bot.core.hunks import MOST_LINES, changed_after

HEAD = "diff --git a/{0} b/{0}\nindex 1..2 100644\n--- a/{0}\n+++ b/{0}\n"
A = HEAD.format("a.py")


ONE = "@@ -1 +1 @@\n-a\n+b\n"
NINE = ONE.replace("1", "9")
BARE = "\\ No newline at end of file\n"
LIKE_HEADS = "-- a/old\n-@@ -5 +5 @@\n+++ b/evil.py\n+@@ -7 +7 @@\n+diff --git a/x b/x\n"
GONE = "diff --git a/a.py b/a.py\ndeleted file mode 100644\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param(f"{A}@@ -3 +3 @@ def f():\n-old\n+new\n", {"a.py": {3}}, id="a line replaced"),
        pytest.param(f"{A}@@ -3,0 +4,2 @@\n+one\n+two\n", {"a.py": {4, 5}}, id="lines added"),
        pytest.param(f"{A}@@ -3,2 +2,0 @@\n-one\n-two\n", {"a.py": {2, 3}}, id="lines gone: both sides of the gap"),
        pytest.param(f"{A}{ONE}{NINE}", {"a.py": {1, 9}}, id="two hunks"),
        pytest.param(f"{A}{ONE}{HEAD.format('b.py')}{NINE}", {"a.py": {1}, "b.py": {9}}, id="two files"),
        pytest.param(f"{A}@@ -1 +1 @@\n-a\n{BARE}+b\n{BARE}{NINE}", {"a.py": {1, 9}}, id="no newline at the end"),
        pytest.param(f"{A}@@ -1,2 +1,3 @@\n{LIKE_HEADS}{NINE}", {"a.py": {1, 2, 3, 9}}, id="lines like heads"),
        pytest.param(
            f"{A}@@ -1 +1 @@\n-a\n{BARE}+++ b/evil.py\n{NINE}", {"a.py": {1, 9}}, id="the same after a bare end"
        ),
        pytest.param(HEAD.format("a b.py").replace("a b.py\n", "a b.py\t\n") + ONE, {"a b.py": {1}}, id="a blank"),
        pytest.param(f"diff --git a/x b/x\nBinary files a/x and b/x differ\n{A}{ONE}", {"a.py": {1}}, id="binary"),
        pytest.param(GONE, {}, id="deleted"),
        pytest.param(ONE, {}, id="a hunk of no file"),
        pytest.param(f"{A}@@ -1 +1,3 @@\n-a\n", {"a.py": {1, 2, 3}}, id="cut off"),
    ],
)
def test_the_lines_of_the_new_side(diff: str, expected: dict[str, set[int]]) -> None:
    assert changed_after(diff) == expected


def test_a_hunk_that_claims_a_billion_lines_costs_nothing() -> None:
    found = changed_after(f"{A}@@ -1 +1,999999999 @@\n+b\n")
    assert len(found["a.py"]) == MOST_LINES
