"""What two runs on one tree differ in is noise; all else still tells failures apart."""

import pytest

from fixloop_bot.core.fingerprint import fingerprint, with_noise
from fixloop_bot.core.noise import Noise, learned_noise, noise_between
from fixloop_bot.core.normalise import Masker
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Fingerprint, Tier
from fixloop_bot.model.layer import Layer


def of_text(text: str, noise: frozenset[str] = frozenset()) -> Fingerprint:
    masks = (Masker(), Noise(noise))
    return fingerprint(
        Layer.TEST, tier=Tier.PARSED, diagnostics=(), text=text, masks=masks, source_line=lambda _p, _n: None
    )


def of_tests(*failures: tuple[str, str], noise: frozenset[str] = frozenset()) -> Fingerprint:
    found = [
        Diagnostic(path="t.py", test_id=name, message=message, kind=DiagnosticKind.TEST_FAILURE)
        for name, message in failures
    ]
    masks = (Masker(), Noise(noise))
    return fingerprint(
        Layer.TEST, tier=Tier.PARSED, diagnostics=found, text="", masks=masks, source_line=lambda _p, _n: None
    )


FIRST = "queue 81ab broke\nError: worker 17 lost\ncpu 12 left\nFAILED all\n"
SECOND = "cpu 90 left\nqueue 99cd broke\nError: worker 3 lost\nFAILED all\n"


def test_a_third_run_is_the_same_failure_and_another_word_is_not() -> None:
    noise = noise_between(of_text(FIRST), of_text(SECOND))
    known = of_text(FIRST, noise).fine
    assert of_text("FAILED all\nError: worker 5 lost\nqueue 00ff broke\ncpu 1 left", noise).fine == known
    assert of_text("FAILED all\nError: worker 5 died\nqueue 00ff broke\ncpu 1 left", noise).fine != known


def test_masking_later_is_the_same_as_masking_at_once() -> None:
    noise = noise_between(of_text(FIRST), of_text(SECOND))
    later = [with_noise(Layer.TEST, of_text(text), Noise(noise)) for text in (FIRST, SECOND)]
    assert later == [of_text(FIRST, noise), of_text(SECOND, noise)]
    assert later[0].fine == later[1].fine


def test_messages_of_the_same_tests_teach_too() -> None:
    first, second = of_tests(("a", "0.123 is not 5"), ("b", "boom")), of_tests(("a", "0.987 is not 5"), ("b", "boom"))
    noise = noise_between(first, second)
    assert of_tests(("a", "0.5 is not 5"), ("b", "boom"), noise=noise).fine != first.fine
    masked = with_noise(Layer.TEST, first, Noise(noise)).fine
    assert of_tests(("a", "0.555 is not 5"), ("b", "boom"), noise=noise).fine == masked
    assert of_tests(("a", "0.555 is not 6"), ("b", "boom"), noise=noise).fine != masked


def test_another_set_of_failing_tests_teaches_nothing() -> None:
    both, one = of_tests(("a", "x 1"), ("b", "y 2")), of_tests(("a", "x 9"))
    assert noise_between(both, one) == frozenset()


def test_an_error_that_one_run_alone_tells_is_no_noise() -> None:
    noise = noise_between(of_text("starting\nError: no such table\n"), of_text("starting\nlistening\n"))
    assert noise == {"listening"}


def test_what_is_too_large_to_be_kept_keeps_its_hash_and_teaches_nothing() -> None:
    large = "".join(f"line {number} {'x' * 40}\n" for number in range(9_000))
    known = of_text(large)
    assert known.details == ()
    assert with_noise(Layer.TEST, known, Noise({"line"})) == known
    assert noise_between(known, of_text(large + "more\n")) == frozenset()


@pytest.mark.parametrize(
    ("line", "kept"),
    [("cpu 12 left", "cpu \ue001 left"), ("cpu left", "cpu left"), ("gone", ""), ("cpu 12 right", "cpu 12 right")],
    ids=["a word differs", "another shape", "all noise", "another line"],
)
def test_a_line_loses_just_what_is_known_to_differ(line: str, kept: str) -> None:
    noise = Noise(learned_noise(["cpu 17 left", "gone"], ["cpu 29 left"]))
    assert noise.without(line) == kept


def test_thousands_of_lines_without_a_counterpart_are_bounded() -> None:
    first = [f"{'a ' * 30}{number}" for number in range(4_000)]
    second = [f"{'b ' * 30}{number}" for number in range(4_000)]
    noise = Noise(learned_noise(first, second))
    assert noise.without("a " * 30 + "3999") == ""
