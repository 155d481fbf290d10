"""From what a check-up saw to findings: each way it can be, and both ways it is told."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from fixloop_bot.core.doctor import config_finding, find, machine_findings, model_findings, worst
from fixloop_bot.core.doctor_github import EVENTS, NEEDS, hub_findings
from fixloop_bot.core.render.check_up import to_json, to_markdown, to_text
from fixloop_bot.model.config import ConfigError, RepoConfig, SandboxConfig
from fixloop_bot.model.doctor import (
    CheckUp,
    Disk,
    Finding,
    HubFacts,
    HubUnseen,
    Key,
    Level,
    MachineFacts,
    ModelFacts,
    Writer,
)
from fixloop_bot.model.sandbox import Reach, RunsAs
from fixloop_bot.model.workflow import BadWorkflow, WorkflowFile
from tests.core.recorded import assert_recorded
from tests.core.render.hostile import HOSTILE

PATH = ".github/workflows/fixloop.yml"
INSTALLED = WorkflowFile(
    path=PATH,
    name="fixloop",
    events=frozenset(EVENTS),
    uses_fixloop=True,
    permissions={need.permission.split(": ")[0]: need.permission.split(": ")[1] for need in NEEDS},
)
HUB = HubFacts(
    repository="octo/shop",
    writer=Writer.APP,
    access={need.permission: True for need in NEEDS if need.tells},
    default_branch="main",
    protected=True,
    may_change_workflows=True,
    workflow=INSTALLED,
    workflow_path=PATH,
)
WHOLE = Reach(runs_as=RunsAs.OTHER, landlock=7, seccomp=True)
SHARED = Reach(
    runs_as=RunsAs.SELF,
    shortfall="fixloop is not root, so commands share its user",
    advice="run fixloop as root",
    landlock=7,
    seccomp=True,
)
MACHINE = MachineFacts(
    python=(3, 12),
    git="git version 2.39.5",
    disks=(Disk(purpose="work", path="/tmp", free_bytes=9_000_000_000),),
    reach=WHOLE,
)
MODEL = ModelFacts(key=Key.ACCEPTED, priced={"claude-sonnet-5-5": True})
GOOD = CheckUp(machine=MACHINE, model=MODEL, hub=HUB, config=RepoConfig())


def found(findings: Any) -> dict[str, Finding]:
    """Return the findings by id, which are unique."""
    listed = list(findings)
    by_id = {one.id: one for one in listed}
    assert len(by_id) == len(listed)
    return by_id


def not_good(facts: CheckUp) -> dict[str, Level]:
    """Return the level of all that is not good."""
    return {name: one.level for name, one in found(find(facts)).items() if one.level is not Level.OK}


def test_a_good_installation_has_nothing_to_mend() -> None:
    assert not_good(GOOD) == {}
    assert worst(find(GOOD)) is Level.OK


def test_everything_that_is_not_good_says_what_to_do_and_errors_always_do() -> None:
    bad = CheckUp(
        machine=replace(
            MACHINE,
            python=(3, 9),
            git="",
            disks=(Disk(purpose="work", path="/tmp", free_bytes=None),),
            reach=SHARED,
        ),
        model=ModelFacts(key=Key.ABSENT, priced={"llama-1": False}),
        hub=replace(
            HUB,
            writer=Writer.ACTIONS,
            access=dict.fromkeys(HUB.access, False),
            protected=None,
            may_change_workflows=None,
            workflow=replace(INSTALLED, events=frozenset(), permissions={}),
        ),
        config=ConfigError(".fixloop.yml", 3, "unknown key `layer`"),
    )
    findings = [one for one in find(bad) if one.level is not Level.OK]
    assert len(findings) == 29
    assert [one.id for one in findings if not one.mend] == []
    assert [one.title for one in findings if one.title.endswith(".")] == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({"python": (3, 10)}, {"python": Level.ERROR}, id="a Python before 3.11"),
        pytest.param({"git": ""}, {"git": Level.ERROR}, id="no git"),
        pytest.param({"git": "git version 2.37.9"}, {"git": Level.ERROR}, id="a git before 2.38"),
        pytest.param({"git": "git version 3.0"}, {}, id="a git to come"),
        pytest.param({"git": "GNU grep 3.8"}, {"git": Level.ERROR}, id="something else by git's name"),
        pytest.param(
            {"disks": (Disk(purpose="state", path="/s", free_bytes=1_000),)},
            {"disk-state": Level.ERROR},
            id="full disk",
        ),
        pytest.param(
            {"disks": (Disk(purpose="state", path="/s", free_bytes=500_000_000),)},
            {"disk-state": Level.WARNING},
            id="an almost full disk",
        ),
    ],
)
def test_the_machine(change: Mapping[str, Any], expected: Mapping[str, Level]) -> None:
    findings = found(machine_findings(replace(MACHINE, **change)))
    assert {name: one.level for name, one in findings.items() if one.level is not Level.OK} == expected


@pytest.mark.parametrize(
    ("rules", "change", "expected", "words"),
    [
        pytest.param({}, {}, Level.OK, "uid+landlock+seccomp", id="all of it"),
        pytest.param({"level": "strict"}, {}, Level.OK, "uid+landlock+seccomp", id="strict, where all can be had"),
        pytest.param({}, {"runs_as": RunsAs.SELF}, Level.WARNING, "fixloop's own user", id="the same user"),
        pytest.param({}, {"landlock": 0}, Level.WARNING, "no Landlock", id="an old kernel"),
        pytest.param({"level": "strict"}, {"landlock": 0}, Level.ERROR, "`strict`", id="strict, on an old kernel"),
        pytest.param({"network": False}, {"seccomp": False}, Level.ERROR, "network", id="no way to cut the network"),
        pytest.param({"level": "off"}, {}, Level.WARNING, "no sandbox", id="switched off"),
    ],
)
def test_the_sandbox_is_told_as_it_is(
    rules: Mapping[str, Any], change: Mapping[str, Any], expected: Level, words: str
) -> None:
    machine = replace(MACHINE, reach=replace(WHOLE, **change))
    facts = replace(GOOD, machine=machine, config=RepoConfig(sandbox=SandboxConfig(**rules)))
    sandbox = found(find(facts))["sandbox"]
    assert sandbox.level is expected
    assert words in sandbox.title + sandbox.detail
    assert sandbox.mend or expected is Level.OK


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (ModelFacts(key=Key.ABSENT, priced={}), Level.ERROR),
        (ModelFacts(key=Key.REFUSED, said="HTTP 401", priced={}), Level.ERROR),
        (ModelFacts(key=Key.UNREACHED, said="HTTP 503", priced={}), Level.WARNING),
        (ModelFacts(key=Key.ACCEPTED, priced={}), Level.OK),
        (ModelFacts(key=Key.CLOUD, priced={}), Level.OK),
        (ModelFacts(key=Key.CLOUD, said="no region", mend="Set AWS_REGION.", priced={}), Level.ERROR),
        (ModelFacts(key=Key.GIVEN, priced={}), Level.OK),
        (ModelFacts(key=Key.GIVEN, key_shaped=False, priced={}), Level.WARNING),
        (ModelFacts(key=Key.GIVEN, key_shaped=False, own_address=True, priced={}), Level.OK),
    ],
    ids=[
        "none",
        "refused",
        "not reached",
        "accepted",
        "a cloud",
        "half a cloud",
        "given",
        "of another shape",
        "of a gateway",
    ],
)
def test_the_key(model: ModelFacts, expected: Level) -> None:
    assert found(model_findings(model))["model-key"].level is expected


def test_the_line_of_a_bad_configuration_is_named() -> None:
    assert "x.yml:7: no" in config_finding(ConfigError("x.yml", 7, "no")).detail
    assert config_finding(None).level is Level.OK


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({"workflow": None}, {"workflow": Level.ERROR}, id="no workflow"),
        pytest.param({"workflow": BadWorkflow(PATH, "x")}, {"workflow": Level.ERROR}, id="no YAML"),
        pytest.param({"workflow": WorkflowFile(path=PATH)}, {"workflow": Level.ERROR}, id="another workflow"),
        pytest.param({"workflow": replace(INSTALLED, placeholder=True)}, {"workflow": Level.ERROR}, id="placeholder"),
        pytest.param(
            {"workflow": replace(INSTALLED, permissions=None)},
            {"workflow-permissions": Level.WARNING},
            id="no permissions named",
        ),
        pytest.param({"workflow": replace(INSTALLED, permissions={"*": "write"})}, {}, id="write-all"),
        pytest.param(
            {"workflow": replace(INSTALLED, permissions={"*": "read", "contents": "write", "checks": "write"})},
            {"workflow-permission-pull-requests": Level.ERROR, "workflow-permission-issues": Level.WARNING},
            id="read-all and a little more",
        ),
        pytest.param(
            {"workflow": replace(INSTALLED, events=frozenset(EVENTS) - {"schedule"})},
            {"event-schedule": Level.WARNING},
            id="no schedule",
        ),
        pytest.param(
            {"writer": Writer.ACTIONS},
            {"ci-after-push": Level.WARNING, "may-propose": Level.WARNING},
            id="GITHUB_TOKEN",
        ),
        pytest.param({"protected": False}, {"default-branch": Level.WARNING}, id="an open default branch"),
        pytest.param({"protected": None}, {"default-branch": Level.WARNING}, id="a branch that nobody may look at"),
        pytest.param({"may_change_workflows": False}, {"permission-workflows": Level.WARNING}, id="no workflow files"),
        pytest.param(
            {"access": {**HUB.access, "checks: write": None}}, {"permission-checks": Level.WARNING}, id="not to be told"
        ),
        pytest.param(
            {"access": {**HUB.access, "checks: write": False}}, {"permission-checks": Level.ERROR}, id="no check runs"
        ),
        pytest.param(
            {"access": {**HUB.access, "checks: write": False}, "writer": Writer.PERSON},
            {"permission-checks": Level.WARNING},
            id="no check runs for a person, who can never have them",
        ),
    ],
)
def test_the_repository(change: Mapping[str, Any], expected: Mapping[str, Level]) -> None:
    assert not_good(replace(GOOD, hub=replace(HUB, **change))) == expected


def test_a_workflow_that_is_only_here_is_to_be_pushed() -> None:
    (missing,) = [
        one for one in hub_findings(replace(HUB, workflow=None, workflow_is_local=True)) if one.id == "workflow"
    ]
    assert missing.mend == f"Commit and push {PATH} to `main`."


def test_where_github_was_not_seen_one_finding_says_why() -> None:
    (unseen,) = hub_findings(HubUnseen(reason="no token", mend="set one"))
    assert (unseen.level, unseen.detail, unseen.mend) == (Level.ERROR, "no token", "set one")


MIXED = replace(
    GOOD,
    machine=replace(MACHINE, reach=SHARED),
    model=ModelFacts(key=Key.ABSENT, priced={"claude-sonnet-5-5": True}),
    hub=replace(HUB, writer=Writer.ACTIONS, access={**HUB.access, "actions: read": False}),
    config=ConfigError(".fixloop.yml", 3, "unknown key `layer`"),
)


def test_a_check_up_is_told_as_recorded() -> None:
    assert_recorded("check_up.txt", to_text(find(MIXED)))
    assert_recorded("check_up.md", to_markdown(find(MIXED)))


def test_hostile_words_stay_words() -> None:
    hostile = Finding(id="x", level=Level.ERROR, title=HOSTILE, detail=HOSTILE, mend=HOSTILE)
    text, page = to_text([hostile]), to_markdown([hostile])
    assert len(text.splitlines()) == 5
    assert len(page.splitlines()) == 5
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text + page)
    assert "<script" not in page.lower()


def test_as_json_every_field_is_there() -> None:
    findings = find(MIXED)
    value = to_json(findings, worst(findings))
    assert value["status"] == "error"
    assert isinstance(value["findings"], list)
    assert all(set(one) == {"id", "level", "title", "detail", "mend"} for one in value["findings"])
