"""`fixloop doctor`, as a person runs it against a GitHub of our own, and as a step of the Action."""

import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from fixloop_bot.core.workflow_file import to_workflow
from fixloop_bot.entrypoints.init import TEMPLATE
from tests.e2e.workspace import KEY, Finished, finished, git, person_environment
from tests.fakes.github import FakeGitHub, Repository, read_outputs
from tests.fakes.github.state.accounts import ACTIONS_PERMISSIONS

FIXLOOP = [sys.executable, "-m", "fixloop_bot"]
WORKFLOW = ".github/workflows/fixloop.yml"
INSTALLED = to_workflow(TEMPLATE.read_text(), action=f"octo/fixloop@{'a' * 40}", watched=["CI"])


@dataclass
class Clinic:
    """GitHub with a shop, and a shell."""

    github: FakeGitHub
    shop: Repository
    folder: Path

    def doctor(self, *more: str, token: str | None = None, **env: str) -> tuple[Finished, dict[str, Any]]:
        """Run the command and return its findings by id."""
        given = self.github.actions_token(self.shop) if token is None else token
        command = [*FIXLOOP, "doctor", "--repository", "octo/shop", "--json", *more]
        done = finished(command, env=self.environment(given) | env)
        assert done.stdout, done.stderr
        return done, {one["id"]: one for one in json.loads(done.stdout)["findings"]}

    def environment(self, token: str) -> dict[str, str]:
        return person_environment() | {
            "HOME": str(self.folder),
            "GITHUB_API_URL": self.github.url,
            "GITHUB_SERVER_URL": self.github.site,
            "GITHUB_TOKEN": token,
            "ANTHROPIC_API_KEY": KEY,
        }


@pytest.fixture
def clinic(tmp_path: Path) -> Iterator[Clinic]:
    """An installation that lacks nothing."""
    with FakeGitHub() as github:
        shop = github.repository("octo/shop", files={"app.py": "x = 1\n", WORKFLOW: INSTALLED})
        shop.protect("main")
        yield Clinic(github, shop, tmp_path)


def test_a_good_installation_stops_nothing_and_nothing_is_changed(clinic: Clinic) -> None:
    done, found = clinic.doctor()
    assert done.code == 0, done.stdout
    assert [one for one in found.values() if one["level"] == "error"] == []
    good = {
        "python",
        "git",
        "model-key",
        "price-claude-sonnet-5-5",
        "config",
        "token",
        "workflow",
        "events",
        "workflow-permissions",
    }
    assert {name for name, one in found.items() if one["level"] == "ok"} >= good
    assert found["ci-after-push"]["level"] == "warning"
    assert "FIXLOOP_APP_CLIENT_ID" in found["ci-after-push"]["mend"]
    assert clinic.github.pushes == []
    assert set(clinic.shop.check_runs) == set()
    assert all(request.method == "PATCH" for request in clinic.github.writes)


def test_in_a_terminal_every_finding_is_a_line_with_its_mend(clinic: Clinic) -> None:
    environment = clinic.environment(clinic.github.actions_token(clinic.shop)) | {"ANTHROPIC_API_KEY": ""}
    done = finished([*FIXLOOP, "doctor", "--repository", "octo/shop"], env=environment)
    assert done.code == 1
    assert "FAIL  No key of the model provider is set\n" in done.stdout
    assert "      -> In a workflow: the secret ANTHROPIC_API_KEY" in done.stdout
    assert done.stdout.endswith("1 that stops work\n")


ERROR, WARNING = "error", "warning"


@pytest.mark.parametrize(
    ("permissions", "lacking"),
    [
        pytest.param(
            {"contents": "read", "metadata": "read"},
            {"contents": ERROR, "pull-requests": ERROR, "checks": ERROR, "actions": WARNING, "statuses": WARNING},
            id="a token that may only read",
        ),
        pytest.param({**ACTIONS_PERMISSIONS, "checks": "read"}, {"checks": ERROR}, id="no check runs"),
    ],
)
def test_permissions_that_the_token_lacks_are_named(
    clinic: Clinic, permissions: Mapping[str, str], lacking: Mapping[str, str]
) -> None:
    done, found = clinic.doctor(token=clinic.github.actions_token(clinic.shop, permissions=permissions))
    told = {name.removeprefix("permission-"): one for name, one in found.items() if name.startswith("permission-")}
    assert told.pop("workflows")["level"] == WARNING
    assert done.code == 1
    assert {name: one["level"] for name, one in told.items() if one["level"] != "ok"} == lacking
    assert all("Read and write permissions" in told[name]["mend"] for name in lacking)


def test_a_reader_s_own_token_may_write_nothing(clinic: Clinic) -> None:
    clinic.github.user("rita", permission="read")
    done, found = clinic.doctor(token=clinic.github.user_token("rita"))
    assert done.code == 1
    assert found["permission-contents"]["level"] == "error"
    assert found["ci-after-push"]["level"] == "ok"
    assert "a person's token" in found["token"]["title"]


def test_an_app_s_pushes_start_checks(clinic: Clinic) -> None:
    app = clinic.github.install(clinic.github.app("fixloop"), clinic.shop)
    done, found = clinic.doctor(token=clinic.github.installation_token(app))
    assert done.code == 0, done.stdout
    assert found["ci-after-push"]["level"] == "ok"


@pytest.mark.parametrize(
    ("token", "words"),
    [
        pytest.param("", "GITHUB_TOKEN or GH_TOKEN", id="no token"),
        pytest.param("ghs_wrong", "Make a new token", id="a token that GitHub does not know"),
    ],
)
def test_without_a_good_token_the_rest_is_checked_all_the_same(clinic: Clinic, token: str, words: str) -> None:
    done, found = clinic.doctor(token=token)
    assert done.code == 1
    assert found["token"]["level"] == "error"
    assert words in found["token"]["mend"]
    assert found["git"]["level"] == "ok"


def test_a_repository_that_is_not_there_is_said_so(clinic: Clinic) -> None:
    command = [*FIXLOOP, "doctor", "--repository", "octo/none", "--json"]
    done = finished(command, env=clinic.environment(clinic.github.actions_token(clinic.shop)))
    assert done.code == 1
    assert "Check the repository's name" in done.stdout


@pytest.mark.parametrize(
    ("files", "wrong"),
    [
        pytest.param(
            {WORKFLOW: None, ".fixloop.yml": "version: 1\nlayer: {}\n"},
            {"workflow": "fixloop init", "config": "Mend that line"},
            id="no workflow, and a bad line of .fixloop.yml",
        ),
        pytest.param(
            {
                WORKFLOW: INSTALLED.replace("contents: write", "contents: read"),
                ".fixloop.yml": "sandbox: {level: 'off', network: false}\n",
            },
            {"workflow-permission-contents": "permissions:", "sandbox": "Set `sandbox.level` to `best`"},
            id="a workflow with too few permissions, and a sandbox that is not to be had",
        ),
    ],
)
def test_what_is_wrong_in_the_repository_stops_work(
    clinic: Clinic, files: Mapping[str, str | None], wrong: Mapping[str, str]
) -> None:
    clinic.shop.commit("main", files, author="pat")
    done, found = clinic.doctor()
    assert done.code == 1
    assert {name for name, one in found.items() if one["level"] == "error"} == set(wrong)
    assert [name for name, words in wrong.items() if words not in found[name]["mend"]] == []
    if "config" in wrong:
        assert ".fixloop.yml:2: unknown key `layer`" in found["config"]["detail"]


def test_what_only_matters_is_a_warning(clinic: Clinic) -> None:
    deaf = INSTALLED.replace("  issue_comment:\n    types: [created]\n", "")
    clinic.shop.commit("main", {WORKFLOW: deaf}, author="pat")
    clinic.shop.protected.clear()
    done, found = clinic.doctor(ANTHROPIC_API_KEY="not-quite-a-key")
    assert done.code == 0
    expected = {"event-issue_comment", "default-branch", "model-key"}
    assert {name for name in expected if found[name]["level"] == "warning"} == expected
    assert "commands in comments are not heard" in found["event-issue_comment"]["title"]
    assert "not-quite-a-key" not in done.stdout + done.stderr


def test_a_model_without_a_price_stops_work(clinic: Clinic) -> None:
    clinic.shop.commit("main", {".fixloop.yml": "models: {repair: haiku}\n"}, author="pat")
    done, found = clinic.doctor(FIXLOOP_MODEL_IDS='{"haiku": "llama-1"}')
    assert (done.code, found["price-llama-1"]["level"]) == (1, "error")
    assert "models.prices" in found["price-llama-1"]["mend"]


class _Models(BaseHTTPRequestHandler):
    """The provider's list of models, for one key."""

    def do_GET(self) -> None:
        key = self.headers["x-api-key"] or self.headers["authorization"].removeprefix("Bearer ")
        good = key == KEY and self.path.startswith("/v1/models")
        body = json.dumps({"data": [], "has_more": False, "first_id": None, "last_id": None}).encode()
        self.send_response(200 if good else 401)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is http.server's
        """Say nothing."""


@contextmanager
def provider() -> Iterator[str]:
    """Return the address of a provider that lists models."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Models) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_online_the_provider_is_asked_about_the_key(clinic: Clinic) -> None:
    with provider() as url:
        _, good = clinic.doctor("--online", ANTHROPIC_BASE_URL=url)
        done, bad = clinic.doctor("--online", ANTHROPIC_BASE_URL=url, ANTHROPIC_API_KEY="sk-ant-revoked-0123456789")
    assert good["model-key"]["title"] == "The provider accepts the key"
    assert (done.code, bad["model-key"]["level"]) == (1, "error")
    _, away = clinic.doctor("--online", ANTHROPIC_BASE_URL=url)
    assert away["model-key"]["level"] == "warning"


def test_an_old_git_stops_work(clinic: Clinic, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    old = folder / "git"
    old.write_text("#!/bin/sh\necho git version 2.30.1\n")
    old.chmod(0o755)
    done, found = clinic.doctor(PATH=str(folder))
    assert (done.code, found["git"]["title"]) == (1, "git 2.30 is too old")


def in_clone(root: Path, url: str, env: Mapping[str, str]) -> Finished:
    """Run the command in a repository whose remote `origin` is at that address."""
    root.mkdir()
    git(root, "init", "--quiet")
    git(root, "remote", "add", "origin", url)
    script = f"import os, sys; os.chdir({str(root)!r}); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    return finished([sys.executable, "-c", script, "-m", "fixloop_bot", "doctor"], env=env)


def test_the_repository_comes_from_origin_and_its_password_shows_nowhere(clinic: Clinic, tmp_path: Path) -> None:
    environment = clinic.environment(clinic.github.actions_token(clinic.shop))
    done = in_clone(tmp_path / "a clone", "https://pat:s3cr3t-word@git.example/octo/shop.git", environment)
    assert done.code == 0, done.stdout + done.stderr
    assert "valid for octo/shop" in done.stdout
    assert "s3cr3t-word" not in done.stdout + done.stderr


def test_a_token_never_goes_where_only_origin_points_to(clinic: Clinic, tmp_path: Path) -> None:
    environment = clinic.environment(clinic.github.actions_token(clinic.shop)) | {"GITHUB_API_URL": ""}
    host = clinic.github.site.removeprefix("http://")
    done = in_clone(tmp_path / "a clone", f"https://{host}/octo/shop.git", environment)
    assert (done.code, done.stdout) == (2, "")
    assert "GITHUB_API_URL=https://127.0.0.1/api/v3" in done.stderr
    assert clinic.github.requests == []


def test_what_is_no_repository_is_bad_usage(clinic: Clinic) -> None:
    done = finished([*FIXLOOP, "doctor", "--repository", "shop"], env=clinic.environment(""))
    assert (done.code, done.stdout) == (2, "")


def test_as_a_step_of_the_action_it_tells_log_and_summary(clinic: Clinic, tmp_path: Path) -> None:
    payload = clinic.github.payloads.workflow_dispatch(clinic.shop)
    token = clinic.github.actions_token(clinic.shop)
    inputs = {"github-token": token, "anthropic-api-key": KEY, "mode": "doctor"}
    made = clinic.github.actions_environment(
        clinic.shop, "workflow_dispatch", payload, folder=tmp_path / "step", inputs=inputs
    )
    done = finished([sys.executable, "-m", "fixloop_bot.entrypoints.action"], env=person_environment() | made)
    assert done.code == 0, done.stdout + done.stderr
    summary = Path(made["GITHUB_STEP_SUMMARY"]).read_text()
    assert "### fixloop doctor: " in summary
    assert "0 that stop work" in summary
    assert "The token is valid for octo/shop (GITHUB_TOKEN)" in done.stdout
    assert read_outputs(made)["targets"] == "[]"
    assert token not in summary + done.stdout
