"""Branch patterns."""

import pytest

from fixloop_bot.core.branch_globs import matches


@pytest.mark.parametrize(
    ("branch", "patterns", "selected"),
    [
        ("main", ["main"], True),
        ("main2", ["main"], False),
        ("Main", ["main"], False),
        ("release/1.2", ["release/*"], True),
        ("release/1/hotfix", ["release/*"], False),
        ("release/1/hotfix", ["release/**"], True),
        ("a/b/c", ["**"], True),
        ("a/b/c", ["**/c"], True),
        ("c", ["**/c"], True),
        ("a/b/c", ["a/**/c"], True),
        ("a/b/d", ["a/**/c"], False),
        ("a/b", ["*"], False),
        ("v1", ["v?"], True),
        ("v1", ["v[0-9]"], True),
        ("release/old", ["release/*", "!release/old"], False),
        ("release/old", ["release/*", "!release/old", "release/o*"], True),
        ("release/old", ["!release/old", "release/*"], True),
        ("fix#1+2,(3)", ["fix#1+2,(3)"], True),
        ("main", [], False),
        ("a" * 200, ["*a" * 60 + "b"], False),
        ("/".join("a" * 100), ["**/" * 60 + "b"], False),
    ],
    ids=[
        "the name itself",
        "not its beginning",
        "not in other case",
        "a star",
        "a star stays within a slash",
        "two stars do not",
        "two stars alone",
        "two stars in front",
        "two stars for nothing",
        "two stars between",
        "two stars between, another end",
        "a star alone",
        "a question mark",
        "a set",
        "taken back",
        "taken back and given again",
        "taken back before it was given",
        "odd characters are themselves",
        "no pattern",
        "stars that could backtrack",
        "parts that could backtrack",
    ],
)
def test_a_branch_is_selected_or_not(branch: str, patterns: list[str], *, selected: bool) -> None:
    assert matches(branch, patterns) is selected
