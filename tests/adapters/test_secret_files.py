"""Secrets in files, as Compose and systemd hand them over."""

from pathlib import Path

import pytest

from fixloop_bot.adapters.secret_files import MAX_BYTES, read_secret_files
from fixloop_bot.core.app_environment import environment_lines
from tests.core.test_app_manifest import APP

KEY = "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"


def test_what_init_wrote_and_what_lies_beside_it_is_found(tmp_path: Path) -> None:
    server = "https://github.com"
    lines = environment_lines(APP, key_path="/etc/my keys/k.pem", server_url=server, api_url="")
    (tmp_path / "fixloop-app.env").write_text("# of the App\n\n" + "\n".join(lines) + "\n")
    (tmp_path / "FIXLOOP_APP_PRIVATE_KEY").write_text(KEY)
    (tmp_path / "ANTHROPIC_API_KEY").write_text("sk-ant-0123\n")
    (tmp_path / "postgres-password").write_text("another's")
    found = read_secret_files(tmp_path)
    assert found["FIXLOOP_APP_PRIVATE_KEY_FILE"] == "/etc/my keys/k.pem"
    assert found["FIXLOOP_WEBHOOK_SECRET"] == APP.webhook_secret
    assert (found["FIXLOOP_APP_PRIVATE_KEY"], found["ANTHROPIC_API_KEY"]) == (KEY.strip(), "sk-ant-0123")
    assert "another's" not in found.values()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("a.env", b"X='no end\n", id="a quote without an end"),
        pytest.param("ANTHROPIC_API_KEY", b"\xff\xfe", id="bytes that are no text"),
        pytest.param("ANTHROPIC_API_KEY", b"x" * (MAX_BYTES + 1), id="a file that is no secret"),
    ],
)
def test_what_cannot_be_one_is_refused_without_its_content(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=r"^(?!.*no end).+$"):
        read_secret_files(tmp_path)
