"""A private key goes, whole or in part, whatever a log has made of its lines; what stands around it stays."""

import pytest

from fixloop_bot.core.private_keys import mask_private_keys

LINE = "AB8+XXybutn4HDtaeZi31vUZOFd2lbTT8hY1VHOSsdDvEzJRcI+uzewQL05tjKvK"
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param(f"a\n{BEGIN}\n{LINE}\nQQ==\n{END}\nb", "a\n***\nb", id="as it is"),
        pytest.param(f"E  {BEGIN}\nE  {LINE}\nE  QQ==\nE  {END}\nb", "E  ***\nb", id="with a prefix on each line"),
        pytest.param(f"a | {BEGIN} | {LINE} | QQ== | {END} | b", "a | *** | b", id="joined by bars"),
        pytest.param(f"'{BEGIN}\\n{LINE}\\n{LINE}\\n{END}\\n'", "'***\\n'", id="with escaped ends of lines"),
        pytest.param(f"a\n{BEGIN}\n{LINE}\n{LINE}\nordinary", "a\n***\nordinary", id="without its end"),
        pytest.param(f"a {BEGIN} {LINE} {LINE} AB8+X", "a ***", id="on one line that was cut off"),
        pytest.param(f"a file\n{LINE}\nQQ==\n{END}", "a file\n***", id="without its beginning"),
        pytest.param(f"a + b\nE   {LINE}\nE   {END}", "a + b\nE   ***", id="with a prefix, without its beginning"),
        pytest.param(f"{BEGIN}\n{LINE}\nx\n{BEGIN}\n{LINE}\n{END}", "***\nx\n***", id="after another that has no end"),
        pytest.param(f"<a>{BEGIN}</a><b>{END}</b>", "<a>***</a><b>***</b>", id="two frames in two elements"),
        pytest.param(f"```\n{BEGIN}\n```\nx\n```\n{END}\n```", "```\n***\n```\nx\n```\n***\n```", id="two fences"),
        pytest.param(f"only {BEGIN} is said", "only *** is said", id="the mere frame"),
        pytest.param("no PRIVATE KEY here", "no PRIVATE KEY here", id="no frame at all"),
    ],
)
def test_a_private_key_is_masked_and_nothing_else(text: str, masked: str) -> None:
    assert mask_private_keys(text) == masked


def test_the_lines_behind_a_key_keep_their_numbers_where_that_counts() -> None:
    text = f"one\n{BEGIN}\n{LINE}\n{LINE}\n{END}\nsix\n"
    assert mask_private_keys(text, keep_lines=True).split("\n")[5:] == ["six", ""]
