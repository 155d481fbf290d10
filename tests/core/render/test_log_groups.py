"""No foreign line is a command to the runner; only fixloop's own are."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.redact import redactor
from fixloop_bot.core.render.log_groups import log_group, log_lines, log_note
from tests.core.recorded import assert_recorded
from tests.core.render.hostile import HOSTILE, SECRET


def obeyed(output: str) -> list[str]:
    """Return the lines that the runner obeys: `::` after white space, or `##[` anywhere; .NET ends lines at CR too."""
    lines = re.split(r"\r\n|\r|\n", output)
    return [line for line in lines if line.strip().startswith("::") or "##[" in line]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("::set-env name=PATH::/evil", id="a command"),
        pytest.param("  \t::add-path::/evil", id="after blanks"),
        pytest.param("\u00a0\u2003::add-path::/evil", id="after other blanks"),
        pytest.param("\ufeff::add-path::/evil", id="after a byte order mark"),
        pytest.param("\u200b::add-path::/evil", id="after nothing visible"),
        pytest.param("progress 1%\r::add-path::/evil", id="after a carriage return"),
        pytest.param("a\x0b::add-path::/evil\x0c::b::c\x85::d::e\u2028::f::g", id="after other line ends"),
        pytest.param("\x1b[0m::add-path::/evil", id="after a colour"),
        pytest.param("##[add-path]/evil", id="the old form"),
        pytest.param("text ##[error]evil", id="the old form within a line"),
        pytest.param("###[[error]evil", id="the old form with signs around it"),
        pytest.param("##\u200b[error]evil", id="the old form with something invisible in it"),
        pytest.param("::stop-commands::token", id="an end to all commands"),
        pytest.param("::endgroup::", id="the end of the group"),
        pytest.param("::add-mask::a", id="a mask that blanks the log"),
        pytest.param(HOSTILE, id="everything at once"),
    ],
)
def test_a_foreign_text_is_never_obeyed(text: str) -> None:
    assert obeyed("\n".join(log_lines(text, redact=str))) == []
    assert len(obeyed("\n".join(log_group(text, [text], redact=str)))) == 2
    assert len(obeyed(log_note("error", text, title=text, redact=str))) == 1


@given(st.text(st.sampled_from(list(":#[]\r\n \x1b\u200b\u2028add-mask"))))
def test_no_mixture_of_signs_is_obeyed(text: str) -> None:
    lines = list(log_lines(text, redact=str))
    assert obeyed("\n".join(lines)) == []
    assert not any("\n" in line or "\r" in line for line in lines)


def test_a_group_is_as_recorded() -> None:
    assert_recorded(
        "log_group.txt",
        "\n".join(log_group(f"test: {HOSTILE}", ["FAILED a::b\n", HOSTILE], redact=redactor([SECRET]))) + "\n",
    )


def test_a_note_carries_its_signs_through() -> None:
    assert (
        log_note("warning", "50% done: a, b\nc", title="a:b,c", redact=str)
        == "::warning title=a%3Ab%2Cc::50%25 done: a, b c"
    )


def test_there_is_no_note_of_another_level() -> None:
    with pytest.raises(ValueError, match="add-mask"):
        log_note("add-mask", "x", redact=str)


def test_a_long_line_is_cut() -> None:
    assert [len(line) for line in log_lines("x" * 1_000_000, redact=str)] == [4_003]


def test_no_secret_is_in_the_log_and_no_mask_repeats_it() -> None:
    redact = redactor([SECRET])
    written = [*log_group(SECRET, [SECRET], redact=redact), log_note("notice", SECRET, title=SECRET, redact=redact)]
    assert not [line for line in written if SECRET in line or "add-mask" in line]
    assert len([line for line in written if "***" in line]) == 3
