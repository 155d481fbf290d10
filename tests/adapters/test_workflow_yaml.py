"""Workflow files that strangers wrote."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.adapters.workflow_yaml import MAX_BYTES, local_workflows, parse_workflow
from fixloop_bot.core.workflow_file import WORKFLOW_PATH, to_workflow
from fixloop_bot.model.workflow import BadWorkflow, WorkflowFile

TEMPLATE = (Path(__file__).parents[2] / "fixloop_bot/templates/fixloop.yml").read_text(encoding="utf-8")
STEP = "steps: [{uses: octo/fixloop@v0}]"


def read(text: str) -> WorkflowFile:
    found = parse_workflow(text, WORKFLOW_PATH)
    assert isinstance(found, WorkflowFile), found
    return found


def test_the_file_that_is_installed_is_read_whole() -> None:
    found = read(to_workflow(TEMPLATE, action="octo/repairs@v0", watched=["CI"]))
    assert found.name == "fixloop"
    assert found.events == {
        "pull_request", "workflow_run", "issue_comment", "check_run", "issues", "schedule", "workflow_dispatch"
    }  # fmt: skip
    assert found.uses_fixloop, "by its inputs, whatever its name"
    assert not found.placeholder
    assert found.permissions == {
        "actions": "read", "checks": "write", "contents": "write", "issues": "write", "pull-requests": "write",
        "statuses": "read",
    }  # fmt: skip
    assert read(TEMPLATE).placeholder


@pytest.mark.parametrize(
    ("on", "events"),
    [
        ("push", {"push"}),
        ("[push, schedule]", {"push", "schedule"}),
        ("{push: {branches: [x]}}", {"push"}),
        ("3", {"3"}),
    ],
)
def test_events_in_every_spelling(on: str, events: set[str]) -> None:
    assert read(f"on: {on}\njobs: {{}}\n").events == events


@pytest.mark.parametrize(
    ("text", "permissions"),
    [
        (f"jobs: {{a: {{{STEP}}}}}", None),
        (f"permissions: write-all\njobs: {{a: {{{STEP}}}}}", {"*": "write"}),
        (f"permissions: write-all\njobs: {{a: {{permissions: {{}}, {STEP}}}}}", {}),
        (
            f"permissions: {{checks: write}}\njobs: {{a: {{{STEP}}}, b: {{permissions: {{contents: write}}}}}}",
            {"checks": "write"},
        ),
    ],
    ids=["nothing said", "all of the workflow's", "the job's own go before", "only of jobs that use fixloop"],
)  # fmt: skip
def test_permissions_of_the_jobs_that_use_fixloop(text: str, permissions: dict[str, str] | None) -> None:
    assert read(text).permissions == permissions


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: [", "line 1"),
        ("- a", "no table"),
        ("", "no table"),
        ("a: &x [*x]\n\x00", "not valid"),
        ("[" * 5_000, "not valid"),
        ("on: &x {a: *x}\n", "not valid"),
        ("x" * (MAX_BYTES + 1), "larger"),
    ],
    ids=["unfinished", "a list", "empty", "a NUL", "deep", "within itself", "large"],
)
def test_what_cannot_be_used_is_a_value(text: str, reason: str) -> None:
    found = parse_workflow(text, "w.yml")
    assert isinstance(found, BadWorkflow)
    assert reason in found.reason


@pytest.mark.parametrize(
    "text",
    [
        "on: {1: 2}\njobs: [3]",
        "jobs: {a: {steps: 5}, b: 7}",
        "jobs: {a: {steps: [1, {with: 2, uses: [fixloop]}]}}",
        "name: [x]",
        "a: &a [1]\nb: &b [*a, *a]\nc: &c [*b, *b]\non: *c\n",
    ],
)
def test_odd_shapes_are_read_as_far_as_they_go(text: str) -> None:
    assert read(text).path == WORKFLOW_PATH


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    assert parse_workflow(text, "w.yml").path == "w.yml"


def test_links_and_large_files_are_left_out_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / ".github/workflows"
    folder.mkdir(parents=True)
    (folder / "ci.yaml").write_text("name: CI\non: push\n")
    (folder / "nameless.yml").write_text("on: push\n")
    (folder / "bad.yml").write_text("a: [")
    (folder / "large.yml").write_text("#" * (MAX_BYTES + 1))
    (folder / "link.yml").symlink_to(folder / "ci.yaml")
    (folder / "notes.md").write_text("name: no\n")
    assert [one.name for one in local_workflows(tmp_path)] == ["CI", ".github/workflows/nameless.yml"]
    assert list(local_workflows(tmp_path / "none")) == []
