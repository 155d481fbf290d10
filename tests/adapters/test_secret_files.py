"""Secrets in files, as Compose and systemd hand them over."""

import subprocess
import sys
from pathlib import Path

import pytest

from fixloop_bot.adapters.secret_files import MAX_BYTES, read_secret_files
from fixloop_bot.core.app_environment import environment_lines
from tests.core.test_app_manifest import APP
from tests.e2e.workspace import person_environment

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


SETTINGS = """
from fixloop_bot.entrypoints.service_settings import load_service_settings
from fixloop_bot.entrypoints.settings import environment, known_secrets, take_secret_files
take_secret_files()
print(load_service_settings().webhook_secret.get_secret_value(), *known_secrets(environment()))
"""


def test_the_service_starts_with_them_and_what_the_environment_says_itself_counts(tmp_path: Path) -> None:
    (tmp_path / "a.env").write_text("FIXLOOP_APP_ID=12\nFIXLOOP_WEBHOOK_SECRET=from-a-secret-file\n")
    (tmp_path / "ANTHROPIC_API_KEY").write_text("sk-ant-0123\n")
    command = [sys.executable, "-c", SETTINGS]
    for own in ({}, {"FIXLOOP_WEBHOOK_SECRET": "from-somewhere-else"}):
        env = person_environment() | {"FIXLOOP_SECRETS_DIR": str(tmp_path)} | own
        secret, *known = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.split()
        assert secret == ("from-somewhere-else" if own else "from-a-secret-file")
        assert set(known) >= {secret, "sk-ant-0123"}, "so they are masked"
    env = person_environment() | {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert "from-a-secret-file" in subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


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
