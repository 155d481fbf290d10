"""The same failure has one hash; another has another."""

from collections.abc import Sequence

import pytest

from fixloop_bot.core.fingerprint import combine, fingerprint, is_progress
from fixloop_bot.core.noise import Noise, learned_noise
from fixloop_bot.core.normalise import Masker
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.layer import Layer

NO_NOISE = Noise()


def failure(
    path: str = "a.py",
    message: str = "assert 1 == 2",
    *,
    line: int = 3,
    test: str | None = "a.py::test",
    rule: str | None = None,
    kind: DiagnosticKind = DiagnosticKind.TEST_FAILURE,
) -> Diagnostic:
    return Diagnostic(path=path, line=line, message=message, test_id=test, rule_id=rule, kind=kind)


def identity(
    diagnostics: Sequence[Diagnostic] = (),
    *,
    text: str = "",
    layer: Layer = Layer.TEST,
    tier: Tier = Tier.PARSED,
    source: Sequence[str] = (),
    noise: frozenset[str] = frozenset(),
) -> Fingerprint:
    def line(_path: str, number: int) -> str | None:
        return source[number - 1] if number <= len(source) else None

    masks = (Masker(cwd=("/w",), tmp=("/t",)), Noise(noise))
    return fingerprint(layer, tier=tier, diagnostics=diagnostics, text=text, masks=masks, source_line=line)


def test_lines_inserted_above_change_nothing() -> None:
    assert identity([failure(line=3)]) == identity([failure(line=300)])


def test_the_order_in_which_failures_are_told_changes_nothing() -> None:
    one, other = failure("a.py"), failure("b.py", test="b.py::test")
    assert identity([one, other]) == identity([other, one])


@pytest.mark.parametrize(
    "changed",
    [
        failure(message="assert 1 == 3"),
        failure("b.py"),
        failure(test="a.py::other"),
    ],
    ids=["another detail", "another file", "another test"],
)
def test_another_failure_has_another_hash(changed: Diagnostic) -> None:
    assert identity([failure()]).fine != identity([changed]).fine


def test_another_detail_of_the_same_test_keeps_the_coarse_hash() -> None:
    assert identity([failure()]).coarse == identity([failure(message="assert 1 == 3")]).coarse


def test_layer_and_tier_are_part_of_it() -> None:
    hashes = {
        identity([failure()]).fine,
        identity([failure()], layer=Layer.LINT).fine,
        identity([failure()], tier=Tier.STRUCTURED).fine,
    }
    assert len(hashes) == 3


def test_two_syntax_errors_in_the_same_words_are_told_apart_by_their_source() -> None:
    broken = failure(message="SyntaxError: invalid syntax", line=1, test=None, kind=DiagnosticKind.SYNTAX_ERROR)
    assert identity([broken], source=["def f(:"]).fine != identity([broken], source=["def g(:"]).fine
    assert identity([broken], source=["  def f(:"]).fine == identity([broken], source=["def f(:"]).fine


def test_source_is_not_asked_where_the_message_says_enough() -> None:
    named = failure(message="Undefined name `x`", line=1, test=None, rule="F821", kind=DiagnosticKind.LINT_ERROR)
    assert identity([named], source=["x + 1"]).fine == identity([named], source=["y = x"]).fine


def test_without_a_diagnostic_the_text_counts_masked_and_in_any_order() -> None:
    one = identity(text="boom in /w/a\n12 | x\nran 3 in 0.1s\n")
    other = identity(text="ran 3 in 9.9s\nboom in /w/a\n  7 | x\n")
    assert one == other
    assert one.tier is Tier.TEXT
    assert one.fine != identity(text="boom in /w/b\n12 | x\nran 3 in 0.1s\n").fine


def test_warnings_count_only_where_there_is_no_error() -> None:
    warning = Diagnostic(path="a.js", message="m", rule_id="r", level=Level.WARNING, kind=DiagnosticKind.LINT_ERROR)
    assert identity([failure(), warning]) == identity([failure()])
    assert identity([warning]).items == ("a.js r",)


def test_what_two_runs_on_one_tree_differ_in_is_masked_and_no_more() -> None:
    first = ["cpu 17 left", "Error: queue 81ab broke", "gone"]
    second = ["cpu 29 left", "Error: queue 99cd broke"]
    noise = learned_noise(first, second)
    third = identity(text="cpu 55 left\nError: queue 0000 broke", noise=noise)
    assert third == identity(text="cpu 1 left\ngone\nError: queue ffff broke", noise=noise)
    assert third.fine != identity(text="cpu 1 left\nError: stack ffff broke", noise=noise).fine


def test_equal_runs_teach_nothing() -> None:
    assert learned_noise(["a", "b"], ["b", "a"]) == frozenset()


A, B = failure("a.py", test="a"), failure("b.py", test="b")


@pytest.mark.parametrize(
    ("before", "after", "ran", "progress"),
    [
        ([A, B], [A], (3, 3), True),
        ([A, B], [A], (None, None), True),
        ([A, A, B], [A, B], (3, 3), False),
        ([A, B], [A], (3, 2), False),
        ([A, B], [A], (3, None), False),
        ([A, B], [A, B], (3, 3), False),
        ([A], [B], (3, 3), False),
        ([A], [A, B], (3, 3), False),
        ([A, B], [], (3, 3), False),
    ],
    ids=[
        "one of two is gone",
        "nothing is known of tests",
        "the same told twice is one",
        "fewer tests ran: a crash hides the rest",
        "nobody knows whether tests ran",
        "nothing changed",
        "another took its place",
        "one more",
        "a crash without a single diagnostic",
    ],
)
def test_progress_is_a_strict_part_with_as_many_tests(
    before: list[Diagnostic], after: list[Diagnostic], ran: tuple[int | None, int | None], progress: bool
) -> None:
    assert is_progress(identity(before), identity(after, text="boom"), *ran) is progress


def test_two_commands_of_a_layer_make_one_identity() -> None:
    lint, types = identity([A], tier=Tier.STRUCTURED), identity([B])
    both = combine(Layer.TEST, [lint, types])
    assert both == combine(Layer.TEST, [types, lint])
    assert (both.tier, both.items) == (Tier.PARSED, ("a.py a", "b.py b"))
    assert combine(Layer.TEST, [lint]) == lint


def test_lone_surrogates_do_not_raise() -> None:
    assert identity([failure(message="\ud800")]).fine != identity([failure(message="x")]).fine
