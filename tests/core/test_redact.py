"""No secret gets out in any of its spellings, ordinary text does, and a hostile text costs no more than its length."""

import base64
import html
import json
import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.redact import redact_json, redactor

SECRET = 'p@ss/w+rd"ü %\\x&y'


@pytest.mark.parametrize(
    "spelled",
    [
        pytest.param(SECRET, id="as it is"),
        pytest.param(json.dumps(SECRET), id="in JSON"),
        pytest.param(f"https://host/?q={quote(SECRET, safe='')}", id="in a URL"),
        pytest.param(json.dumps(SECRET, ensure_ascii=False), id="in JSON with its letters as they are"),
        pytest.param(html.escape(SECRET), id="in HTML"),
        pytest.param(SECRET.encode().hex(), id="in hex"),
        pytest.param(base64.b64encode(SECRET.encode()).decode(), id="in base64"),
        pytest.param(base64.b64encode(f"x-access-token:{SECRET}".encode()).decode(), id="in base64 after a user name"),
        pytest.param(base64.b64encode(f"u:{SECRET}\n".encode()).decode(), id="in base64 at another alignment"),
        pytest.param(base64.urlsafe_b64encode(f"me:{SECRET}!".encode()).decode(), id="in URL-safe base64"),
    ],
)
def test_a_known_secret_is_masked_in_every_spelling(spelled: str) -> None:
    redacted = redactor([SECRET])(f"before {spelled} after")

    assert "***" in redacted
    assert redacted.startswith("before ")
    assert redacted.endswith(" after")
    assert spelled.strip('"')[6:-6] not in redacted


def test_each_line_of_a_known_secret_is_masked_alone() -> None:
    redact = redactor(["first-line-of-it\nsecond-line-of-it\n}\n"])
    assert redact("a second-line-of-it b } c") == "a *** b } c"
    assert redact("first-line-of-it\nsecond-line-of-it") == "***\n***"


def test_each_line_of_a_known_private_key_is_masked_alone_and_in_base64() -> None:
    body = [base64.b64encode(bytes(range(number, number + 48))).decode() for number in range(5)]
    key = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----", ""])
    redact = redactor([key])
    for line in body:
        assert redact(f"  12 | {line} |") == "  12 | *** |"
    assert body[2] not in redact(base64.b64encode(f"x={key}".encode()).decode())
    assert redact(key.replace("\n", "\\n")).count(body[1]) == 0


@pytest.mark.parametrize("known", [[""], ["a"], ["  \n "], ["abc"]])
def test_what_is_too_short_to_be_a_secret_blanks_nothing(known: list[str]) -> None:
    assert redactor(known)("abc a  \n banana") == "abc a  \n banana"


def test_the_longest_known_secret_goes_first() -> None:
    assert redactor(["token", "token-and-more"])("x token-and-more y token") == "x *** y ***"


KEY = "MIIEowIBAAKCAQEAx0qWmZ7vYw+1x/abc=" * 2


@pytest.mark.parametrize(
    "text",
    [
        "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx_yz-0123456789",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "gho_0123456789abcdefghijABCDEFGHIJ012345",
        "ghs_0123456789abcdefghijABCDEFGHIJ012345",
        "github_pat_11ABCDEFG0abcdefghijkl_0123456789abcdef",
        "AKIAIOSFODNN7EXAMPLE",
        "glpat-abcdefghij0123456789",
        "xoxb-123456789012-abcdefghij",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
        f"-----BEGIN RSA PRIVATE KEY-----\n{KEY}\n{KEY}\nQUJD\n-----END RSA PRIVATE KEY-----",
        f"-----BEGIN PRIVATE KEY-----\\n{KEY}\\n{KEY}\\n-----END PRIVATE KEY-----\\n",
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{KEY}\n{KEY}",
        f"-----BEGIN X PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: A\n\n{KEY}\n-----END X PRIVATE KEY-----",
    ],
    ids=lambda text: re.sub(r"\W+", " ", text)[:24],
)
def test_what_looks_like_a_secret_is_masked(text: str) -> None:
    redacted = redactor([])(f"log: {text} ;")
    assert redacted.startswith("log: ***")
    assert redacted.endswith(";")
    assert text[8:18] not in redacted


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("https://me:hunter2@example.org/x", "https://***@example.org/x"),
        ("https://x-access-token:abc@github.com", "https://***@github.com"),
        ("https://0123456789abcdef0123456789@github.com", "https://***@github.com"),
        ("redis://:pw@cache:6379", "redis://***@cache:6379"),
        ("Authorization: Bearer abcdefghijklmnop.qrst", "Authorization: Bearer ***"),
        ('{"authorization": "basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="}', '{"authorization": "basic ***"}'),
        ("curl -H 'bearer abcdefghijklmnopqrst'", "curl -H 'bearer ***'"),
    ],
)
def test_the_rest_of_a_header_or_url_stays_readable(text: str, redacted: str) -> None:
    assert redactor([])(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "ssh://git@github.com/o/r.git",
        "http://localhost:8080/path?x=a@b",
        "a1b2c3d4e5f60718293a4b5c6d7e8f9001122334",
        "src/app.py:12:5: F401 `os` imported but unused",
        "sk-learn, task-force, risk-averse",
        "the bearer of bad news",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
        "eyJust a word",
    ],
)
def test_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert redactor(["another secret"])(text) == text


HOSTILE = [
    *("eyJ", "eyJa.", "eyJaaaaaaaaa.", "://", "://a:", "://a:b", ":", "@", "sk-", "A: ", "\n "),
    *("bearer ", "authorization: ", "-----BEGIN PRIVATE KEY-----", f"-----BEGIN PRIVATE KEY-----\n{'A' * 20} "),
]


@pytest.mark.parametrize("piece", HOSTILE, ids=[ascii(piece)[:20] for piece in HOSTILE])
def test_a_hostile_text_takes_steps_in_proportion_to_its_length(piece: str) -> None:
    redact = redactor(["known-secret-value"])
    text = piece * (2_000_000 // len(piece))
    assert len(redact(text)) <= len(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(f"x{SECRET}y"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just(SECRET), inner),
)


@given(json_values)
def test_a_redacted_json_value_is_json_without_the_secret(value: object) -> None:
    encoded = json.dumps(redact_json(value, redactor([SECRET])))
    assert json.loads(encoded) == redact_json(value, redactor([SECRET]))
    assert json.dumps(SECRET)[1:-1] not in encoded


@given(st.text())
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    redact = redactor([SECRET])
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param("DB_PASSWORD=correct-horse-1", "DB_PASSWORD=***", id="a line of .env"),
        pytest.param("export API_KEY='abcd/efgh+1'", "export API_KEY='***'", id="in quotes"),
        pytest.param("TOKEN=a&b%c$d=efgh;next", "TOKEN=***", id="signs that a shell knows"),
        pytest.param("SECRET_KEY=config.get(name)", "SECRET_KEY=config.get(name)", id="a call"),
        pytest.param("SECRET_KEY=settings[name]", "SECRET_KEY=settings[name]", id="a lookup"),
        pytest.param("TOKEN=${{ secrets.TOKEN }}", "TOKEN=${{ secrets.TOKEN }}", id="a reference"),
        pytest.param("MAX_TOKENS=8", "MAX_TOKENS=8", id="a short value"),
        pytest.param("token=next_token_of_it", "token=next_token_of_it", id="a variable of a program"),
    ],
)
def test_a_value_with_a_telling_name_in_capitals_is_masked(text: str, masked: str) -> None:
    assert redactor([])(text) == masked
