"""The visual layer in a real Chromium, in the sandbox: a change that only an eye would see is caught and repaired."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.workspace import Workspace, finished, git
from tests.fakes.model_server import ModelServer, edit, finish, turn
from tests.system.toolchains import install

CONFIG = 'visual: {pages: [index.html, docs/], mask: [".clock"]}\n'
SITE = {
    ".fixloop.yml": CONFIG,
    "index.html": '<!doctype html><html><head><link rel="stylesheet" href="/style.css"></head><body><h1>Shop</h1>\n'
    '<button id="buy" class="cta">Buy now</button><p class="clock"></p><script type="module" src="app.js"></script>\n'
    '<img src="http://192.0.2.1/pixel.png"></body></html>\n',
    "docs/index.html": "<!doctype html><p>How to buy.</p>\n",
    "style.css": ".cta { background: #0a7d20; color: white; border: 0; padding: 12px; transition: all 1s }\n",
    "app.js": 'document.querySelector(".clock").textContent = String(Math.random());\n',
}
FAULTY = {"style.css": SITE["style.css"].replace("#0a7d20", "#d01010")}


@pytest.fixture(scope="module", autouse=True)
def _chromium() -> None:
    install({"chromium": "chromium"})


def validated(workspace: Workspace, *more: str) -> dict[str, Any]:
    """Run `fixloop validate --layer visual`, and return the layer."""
    arguments = ["validate", "--project-root", str(workspace.root), "--layer", "visual", *more]
    done = finished([*workspace.arguments()[:3], *arguments], env=workspace.environment())
    assert done.stdout, done.stderr
    (layer,) = json.loads(done.stdout)["layers"]
    return dict(layer)


def recorded(workspace: Workspace) -> str:
    """Commit the site with its baselines, which a person records and commits."""
    workspace.commit(SITE)
    assert validated(workspace, "--update-baselines")["status"] == "pass"
    head = workspace.commit({}, "baselines")
    shown = git(workspace.root, "ls-files", ".fixloop").split()
    assert shown == [".fixloop/visual/docs/index.png", ".fixloop/visual/index.png"]
    return head


def test_a_visual_change_is_caught_and_repaired(workspace: Workspace) -> None:
    recorded(workspace)
    assert validated(workspace)["status"] == "pass", "what moves and what is masked makes no difference"
    start = workspace.commit(FAULTY)
    repair = turn(edit("style.css", "#d01010", "#0a7d20"), finish("done", hypothesis="red", repair_action="green"))
    with ModelServer([repair]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--no-skip-visual")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == ["fix-loop: visual clean (iteration 1)"]
    told = json.dumps(server.requests[0].body["messages"])
    for words in ("% of pixels differ", "button#buy.cta", "most often #0a7d20 became #d01010", "background: #d01010"):
        assert words in told
    (record,) = workspace.records()
    assert (record["layer"], record["verification_before"]["failing"]) == ("visual", ["visual: index.html index.html"])
    assert any(line.startswith("visual: [.] fixloop visual ") for line in workspace.terminal()["evidence"])
    pictures = sorted(path.name for path in workspace.state.glob("visual/*/1/*"))
    assert pictures == ["index.actual.png", "index.baseline.png", "index.diff.png"]
    assert "pictures: visual/" in done.stderr
    assert workspace.status == ""
    assert verified(workspace) == 0


def verified(workspace: Workspace) -> int:
    (terminal,) = workspace.state.glob("runs/*/terminal.json")
    arguments = ["verify", str(terminal), "--worktree-path", str(workspace.root), "--state-dir", str(workspace.state)]
    return finished([*workspace.arguments()[:3], *arguments], env=workspace.environment()).code


def test_a_page_without_a_baseline_costs_nothing_and_says_what_to_do(workspace: Workspace) -> None:
    workspace.commit(SITE)
    with ModelServer([]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--no-skip-visual")
    assert done.code == 4
    assert server.requests == []
    assert workspace.terminal()["state"] == "FailedBlocked"
    assert "a baseline .fixloop/visual/index.png" in done.line
    assert "--update-baselines" in done.line


def test_a_mask_that_grows_hides_nothing_and_no_page_shows_its_own_baseline(workspace: Workspace) -> None:
    recorded(workspace)
    page = workspace.root / "index.html"
    page.write_text(SITE["index.html"].replace('class="cta"', 'class="cta clock"'))
    assert validated(workspace)["status"] == "fail"
    page.write_text('<!doctype html><body style="margin:0"><img src="/.fixloop/visual/index.png"></body>')
    assert validated(workspace)["status"] == "fail"


def test_it_works_without_a_network_and_a_page_that_is_gone_fails(workspace: Workspace) -> None:
    recorded(workspace)
    (workspace.root / ".fixloop.yml").write_text(CONFIG + "sandbox: {network: false}\n")
    assert validated(workspace)["status"] == "pass"
    (workspace.root / "docs" / "index.html").unlink()
    layer = validated(workspace)
    assert layer["status"] == "fail"
    assert "there is no file docs/index.html" in layer["output"]


def test_no_browser_is_an_error_that_names_it(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit(SITE)
    few = tmp_path / "bin"
    few.mkdir()
    for name in ("git", "sh", "cat"):
        (few / name).symlink_to(Path("/usr/bin") / name)
    workspace.env |= {"PATH": str(few)}
    layer = validated(workspace)
    assert layer["status"] == "error"
    assert "no Chromium was found" in layer["output"]
    assert "playwright install chromium" in layer["output"]
