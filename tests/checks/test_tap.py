"""TAP, as several producers write it."""

import pytest

from fixloop_bot.model.layer import TestReport
from tests.checks.reading import parsed, place

PERL = """\
1..3
ok 1 - adds
not ok 2 - rounds
#   Failed test 'rounds'
#   at t/price.t line 5.
#          got: '1'
#     expected: '2'
ok 3 # skip no network
# Looks like you failed 1 test of 3.
"""
TAPE = """\
TAP version 13
# rounds
ok 1 should be equal
not ok 2 should be equal
  ---
    operator: equal
    expected: 2
    actual:   1
    at: Test.<anonymous> (/p/test/price.js:6:5)
    stack: |-
      Error: should be equal
          at Test.assert (/p/node_modules/tape/lib/test.js:1:1)
  ...

1..2
# tests 2
# pass  1
# fail  1
"""
NESTED = """\
TAP version 14
# Subtest: outer
    # Subtest: inner
        ok 1 - fine
        not ok 2 - broken
          ---
          message: boom
          ...
        1..2
    not ok 1 - inner
    not ok 2 - beside
    1..2
not ok 1 - outer
ok 2 - alone # time=3.2ms
not ok 3 - later # TODO not yet
1..3
"""
BRACED = """\
TAP version 13
not ok 1 - outer # time=8.1ms {
    ok 1 - fine
    not ok 2 - broken
    1..2
}
1..1
"""


def test_comments_below_a_failure_tell_it() -> None:
    found = parsed("tap", PERL)
    (item,) = found.diagnostics
    assert place(item) == ("t/price.t", 5, None, "rounds")
    assert "got: '1'" in item.message
    assert found.tests == TestReport(2, ("adds",), ("rounds",), ("test 3",))


def test_a_yaml_block_tells_place_and_values_without_its_stack() -> None:
    (item,) = parsed("tap", TAPE, files=("test/price.js",)).diagnostics
    assert place(item) == ("test/price.js", 6, 5, "should be equal")
    assert item.message.split("\n") == ["operator: equal", "expected: 2", "actual:   1"]


def test_of_nested_tests_the_innermost_count_and_bear_the_names_around_them() -> None:
    found = parsed("tap", NESTED)
    assert [item.test_id for item in found.diagnostics] == ["outer > inner > broken", "outer > beside"]
    assert found.diagnostics[0].message == "message: boom"
    assert found.tests == TestReport(
        4, ("outer > inner > fine", "alone"), ("outer > inner > broken", "outer > beside"), ("later",)
    )


def test_braced_subtests_belong_to_the_test_above_them() -> None:
    assert [item.test_id for item in parsed("tap", BRACED).diagnostics] == ["outer > broken"]


def test_a_test_that_fails_though_all_within_it_pass_is_told() -> None:
    text = "TAP version 14\n    ok 1 - a\n    1..1\nnot ok 1 - plan\n1..1\n"
    assert [item.test_id for item in parsed("tap", text).diagnostics] == ["plan"]


def test_a_run_that_bails_out_is_an_error() -> None:
    (item,) = parsed("tap", "TAP version 13\nok 1 - a\nBail out! no database\n").diagnostics
    assert (item.message, item.test_id) == ("Bail out! no database", None)


def test_a_plan_of_no_tests_is_known() -> None:
    assert parsed("tap", "1..0 # SKIP nothing here\n").tests == TestReport(0)


@pytest.mark.parametrize(
    "text",
    ["ok  \tpkg\t0.1s\nFAIL\n", "ok 1 thing done\n", "not ok\n1..2\n", "results: 1..3 ok 2\n", ""],
    ids=["go", "prose", "no number", "in a line", "nothing"],
)
def test_what_merely_looks_like_it_is_none(text: str) -> None:
    assert parsed("tap", text).diagnostics == ()
    assert parsed("tap", text).tests is None


@pytest.mark.parametrize(
    "text",
    [
        "1..2\n" + "    not ok 1 - a\n" * 40_000,
        "TAP version 13\n" + "not ok 1 - a\n  ---\n" * 30_000,
        "TAP version 13\n" + "not ok 1 - a {\n" * 30_000,
        "TAP version 13\n" + "".join(f"{' ' * (4 * (400 - n))}not ok 1 - {n}\n" for n in range(400)),
        "1..2\nnot ok 1 - " + " - " * 100_000,
        "1..2\nnot ok 1 " + "# " * 100_000,
    ],
    ids=["nested for ever", "blocks never closed", "braces never closed", "deep", "dashes", "hashes"],
)
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    assert len(parsed("tap", text).diagnostics) <= 5_000


SWALLOWED = """\

#   Failed test 'price adds'
#   at t/shop.t line 7.
#          got: '1'
#     expected: '3'

    #   Failed test 'spelled'
    #   at t/shop.t line 10.

#   Failed test 'names'
#   at t/shop.t line 12.
# Looks like you failed 2 tests of 3.
t/shop.t ..
Dubious, test returned 2 (wstat 512, 0x200)
"""


def test_comments_tell_what_failed_where_a_harness_swallows_the_points() -> None:
    found = parsed("tap", SWALLOWED).diagnostics
    assert [place(item) for item in found] == [
        ("t/shop.t", 7, None, "price adds"),
        ("t/shop.t", 10, None, "names > spelled"),
    ]
    assert "got: '1'" in found[0].message
