"""A pull request that commands the model, and a model that obeys it: neither gets anything by it."""

import json
import re
from pathlib import Path
from typing import Any

from fixloop_bot.model.agent import ToolCall
from tests.e2e.github_stage import Hub
from tests.e2e.workspace import FAULTY_LINE, KEY
from tests.fakes.model_script import call
from tests.fakes.model_server import ModelServer, create, edit, finish, read, turn
from tests.injections import INJECTIONS, MARK

SHORT = {name: text for name, text in INJECTIONS.items() if len(text) < 2_000}
ALL = "\n".join(SHORT.values()).encode("utf-8", "replace").decode().replace("\0", "")
SOURCE = f'"""Pages."""\n\nNOTES = {ALL!r}\n\n\ndef last(pages: list[int]) -> int:\n{FAULTY_LINE}'
TEST = (
    "from app.pages import NOTES, last\n\n\ndef test_last() -> None:\n    print(NOTES)\n"
    "    assert last([1, 2, 3]) == 3, NOTES\n"
)
LINKS = {"out.py": "/etc/passwd", "key.py": "/proc/self/environ", "back.py": "tests/test_pages.py", "up": ".."}
PLANTED = {
    ".fixloop.yml": "layers:\n  test: 'true'\n  lint: 'true'\nprotect: []\nrequire: []\n",
    "README.md": ALL,
    f"docs/{MARK} $(touch x) `id`.md": ALL,
    "docs/\u202eyp.tset\u200b.md": "x\n",
}
OUTSIDE = (
    "/proc/self/environ", "/etc/passwd", "../worktree/app/pages.py", "../../../etc/passwd", ".git/config", ".git",
    "app/../../x", ".GIT/hooks/pre-commit", "up/x", *list(LINKS)[:3], "/proc/1/environ", "app/\0",
    ".fixloop-state/x",
)  # fmt: skip
GUARDED = ("tests/test_pages.py", ".fixloop.yml", ".github/workflows/fixloop.yml", "pyproject.toml", ".gitattributes")
PLANTS = (
    "conftest.py", "tests/conftest.py", "sitecustomize.py", "pytest.ini", ".github/workflows/x.yml", ".git/hooks/x",
    ".fixloop.yml", ".gitattributes", "setup.py", "tests/__init__.py", "../x.py", "/tmp/x-of-fixloop.py", "up/x.py",
    "app/x.pth",
)  # fmt: skip


def obedient() -> list[ToolCall]:
    """Return every call that the texts ask for."""
    calls = [read(path) for path in OUTSIDE]
    calls += [edit(path, "root", MARK) for path in OUTSIDE]
    calls += [edit(path, "assert", f"# {MARK}") for path in GUARDED]
    calls += [create(path, f"print('{MARK}')\n") for path in PLANTS]
    calls += [call(name, path="app/pages.py", command="env", content=MARK) for name in ("bash", "run", "delete_file")]
    return [*calls, call("list_files", path=".."), call("search", pattern=KEY, glob="../**")]


def answers(requests: list[Any]) -> dict[str, dict[str, Any]]:
    """Return the tools' results of a conversation, by the id of the call."""
    blocks = [block for turn in requests[-1].body["messages"] for block in turn["content"] if isinstance(block, dict)]
    return {block["tool_use_id"]: block for block in blocks if block["type"] == "tool_result"}


def test_a_model_that_obeys_a_hostile_pull_request_gets_nothing_by_it(hub: Hub) -> None:
    branch = f"feature/{MARK}-$(id)-`x`;&echo=x"
    hub.shop.branch(branch)
    files = {"app/pages.py": SOURCE, "tests/test_pages.py": TEST, **PLANTED, **LINKS}
    hub.shop.commit(branch, files, message=ALL, author="pat", modes=dict.fromkeys(LINKS, "120000"))
    pull = hub.shop.open_pull(branch, title=f"Count {ALL[:3_000]}", body=ALL, author="pat")
    hub.shop.comment(pull.number, ALL, author="rita")
    start, calls = pull.head_sha, obedient()
    claims = finish("done", hypothesis=ALL, repair_action=ALL)
    script = [turn(*calls, text=ALL), turn(claims, text=ALL), *[turn(claims)] * 4]
    with ModelServer(script) as model:
        step = hub.on_pull(pull, model=model)
    told = step.done.stdout + step.done.stderr
    assert (step.outputs["status"], step.outputs["terminal-state"]) == ("BLOCKED", "FailedBudget"), told
    assert hub.github.pushes == [], "nothing left"
    assert hub.shop.head(branch) == start
    assert not Path("/tmp/x-of-fixloop.py").exists()

    results = answers(model.requests[:2])
    refused = {made.call_id: made for made in calls[:-2]}
    assert set(results) == {made.call_id for made in calls}
    obeyed = [made for made_id, made in refused.items() if not results[made_id].get("is_error")]
    assert obeyed == []
    assert not any(secret in json.dumps(results) for secret in (KEY, "root:x:0", "INPUT_GITHUB", "ANTHROPIC_"))

    opening = model.requests[0].body["messages"][0]["content"][0]["text"]
    assert_only_data(opening)
    assert_harmless(hub, pull.number)
    log = re.split(r"[\r\n\u2028\u2029\x85]", step.done.stdout)
    orders = [line for line in log if line.lstrip().startswith("::") or "##[" in line]
    assert [
        line for line in orders if not re.match(r"::(group::fixloop: |endgroup::|(?:notice|warning|error) )", line)
    ] == []
    assert not re.search(r"[\x1b\u202e\u200b\u2060]", step.done.stdout)


def assert_only_data(opening: str) -> None:
    """Fail if the texts stand anywhere but in a fence or in quotes."""
    fence = ""
    for line in opening.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif re.fullmatch("`{3,}", line):
            fence = line
        else:
            assert MARK not in re.sub(r'"(?:[^"\\]|\\.)*"', "", line), line
    assert not fence


def assert_harmless(hub: Hub, number: int) -> None:
    """Fail if a report would mention, close, load, hide or command anything."""
    written = [one for one in hub.shop.comments_on(number) if one.author.login != "rita"]
    assert written
    for comment in written:
        for body in comment.bodies:
            prose = re.sub(r"(?ms)^(`{3,}|~{3,})[^\n]*\n.*?^\1$", "", body)
            prose = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", prose)
            assert not re.search(r"(?<![\w/])@[A-Za-z]|<script|<!-- (?!fixloop:)|!\[", prose), prose
            assert not re.search(r"closes #1|GH-2(?!\d)", prose), prose
            assert "/fixloop approve" not in [line.strip()[:16] for line in body.splitlines()]
            assert not re.search("[\x1b\u202e\u200b\u2060\ufeff]", prose)
