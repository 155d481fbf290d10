"""What the service is started with: Compose, systemd and the documents speak of the settings that there are."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fixloop_bot.adapters.sandbox.reach import NEEDED
from fixloop_bot.adapters.secret_files import SECRETS
from fixloop_bot.entrypoints.arguments import parse_arguments
from fixloop_bot.entrypoints.dashboard_settings import DashboardSettings
from fixloop_bot.entrypoints.serve_arguments import EPILOG
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.entrypoints.settings import Settings, variable
from tests.packaging import ROOT, load, read

COMPOSE, UNIT, OPERATIONS = "deploy/compose.yml", "deploy/fixloop.service", "docs/operations.md"
SERVICE = {
    str(field.alias)
    for settings in (ServiceSettings, DashboardSettings)
    for field in settings.model_fields.values()
    if field.alias
}
KNOWN = SERVICE | {variable(name) for name in Settings.model_fields} | set(SECRETS)
KNOWN |= {"FIXLOOP_SECRETS_DIR"}
NAME = re.compile(r"\b(?:FIXLOOP|ANTHROPIC|GITHUB)_[A-Z_]+\b")
ACTIONS = {"GITHUB_TOKEN"}


def unit(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.+)$", read(UNIT), re.MULTILINE)


@pytest.mark.parametrize("path", [COMPOSE, UNIT, OPERATIONS, "docs/scaling.md"])
def test_every_variable_that_is_named_is_one(path: str) -> None:
    assert set(NAME.findall(read(path))) - KNOWN - ACTIONS == set()


def test_the_operator_s_page_and_the_help_have_every_setting_of_the_service() -> None:
    assert SERVICE - set(NAME.findall(read(OPERATIONS))) == set()
    assert SERVICE - set(NAME.findall(EPILOG)) == set()


def test_compose_keeps_to_its_specification() -> None:
    check = [str(Path(sys.executable).parent / "check-jsonschema"), "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*check, COMPOSE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_each_container_has_few_rights_and_a_root_that_is_read_only() -> None:
    services: dict[str, Any] = load(COMPOSE)["services"]
    assert set(services) == {"serve", "worker", "database"}
    for service in services.values():
        assert service["read_only"] in ("true", True)
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert not {"privileged", "network_mode", "pid", "ipc", "devices"} & set(service)
    assert services["serve"]["ports"] == ["127.0.0.1:8080:8080"]
    assert [name for name, service in services.items() if "ports" in service] == ["serve"]


def test_the_sandbox_has_the_rights_that_it_takes_and_root_no_more() -> None:
    needed = {*NEEDED, "FOWNER"}
    for name in ("serve", "worker"):
        assert set(load(COMPOSE)["services"][name]["cap_add"]) == needed
    assert set(unit("CapabilityBoundingSet")[0].split()) == {f"CAP_{name}" for name in needed}
    assert unit("NoNewPrivileges") == ["yes"]


def test_secrets_are_files_that_the_service_reads_and_no_values() -> None:
    compose = load(COMPOSE)
    for name in ("serve", "worker"):
        given = compose["services"][name]
        assert not set(SECRETS) & set(given["environment"])
        assert {secret for secret in given["secrets"] if not secret.endswith(".env")} <= set(SECRETS)
    assert all(set(secret) == {"file"} for secret in compose["secrets"].values())
    assert {line.partition(":")[0] for line in unit("LoadCredential")} <= set(SECRETS)


def test_the_commands_are_ones_that_fixloop_takes() -> None:
    for name in ("serve", "worker"):
        assert parse_arguments(load(COMPOSE)["services"][name]["command"]).command == name
    (command,) = unit("ExecStart")
    program, *arguments = command.split()
    assert (program, parse_arguments(arguments).command) == ("/opt/fixloop/bin/fixloop", "serve")


def test_the_state_is_not_where_the_sandbox_keeps_its_register() -> None:
    """That folder is closed to others, and clones must be passed through to."""
    folders = [parse_arguments(load(COMPOSE)["services"][name]["command"]).state_dir for name in ("serve", "worker")]
    folders.append(parse_arguments(unit("ExecStart")[0].split()[1:]).state_dir)
    assert [
        folder for folder in folders if folder.startswith("/var/lib/fixloop/") or folder == "/var/lib/fixloop"
    ] == []
