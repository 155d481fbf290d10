"""Where `setup` is declared, the gate works in a fresh checkout: what lies about in the worktree makes no DONE."""

from pathlib import Path

import pytest

from tests.e2e.workspace import Workspace, finished, git
from tests.fakes.model_server import ModelServer, edit, finish, turn

FRESH = "gate: in a fresh checkout; running setup"
WRONG, RIGHT = "exports.total = () => price;\n", "exports.total = () => 2 * price;\n"
SHOP = {
    ".fixloop.yml": "setup: ['sh install.sh']\nlayers: {test: 'node test.js'}\n",
    ".gitignore": "deps/\n",
    "install.sh": "mkdir -p deps && cp prices.txt deps/prices.js\n",
    "prices.txt": "exports.price = 2;\n",
    "app.js": "const fs = require('fs');\nconst { price } = require('./deps/prices');\n" + WRONG,
    "test.js": "const { execSync } = require('child_process');\n"
    "const git = (line) => execSync('git ' + line).toString().trim();\n"
    "if (git('status --porcelain') || git('branch --show-current') !== 'main') throw new Error('git');\n"
    "if (git('rev-list --count v1..HEAD') < 1) throw new Error('history');\n"
    "const total = require('./app').total();\n"
    "if (total !== 4) throw new Error(`${__dirname}: ${total} is not 4`);\n",
}
PATCHES = WRONG + "fs.writeFileSync('deps/prices.js', 'exports.price = 4;\\n');\n"
"""Passes no test, but leaves a dependency behind with which the next run passes."""


@pytest.fixture
def shop(workspace: Workspace, tmp_path: Path) -> Workspace:
    """A repository with a tag, and a folder of its own for what fixloop makes on the side."""
    workspace.commit({"README": "a shop\n"})
    git(workspace.root, "tag", "v1")
    workspace.commit(SHOP)
    (tmp_path / "aside").mkdir()
    workspace.env["TMPDIR"] = str(tmp_path / "aside")
    return workspace


def test_a_repair_is_proven_where_nothing_but_the_commit_and_its_setup_is(shop: Workspace, tmp_path: Path) -> None:
    with ModelServer([turn(edit("app.js", WRONG, RIGHT), finish("done", hypothesis="half"))]) as model:
        shop.with_model(model.url)
        done = shop.run()
    assert done.code == 0, done.stderr
    assert f"{FRESH}\nfixloop  setup: sh install.sh\n" in done.stderr
    assert "in a fresh checkout, after setup: sh install.sh" in shop.terminal()["evidence"]
    assert str(tmp_path / "aside") not in (shop.state / "RUNLOG.md").read_text() + str(shop.records())
    assert not list((tmp_path / "aside").iterdir()), "the checkout is gone"
    assert shop.status == ""
    place = ["--worktree-path", str(shop.root), "--state-dir", str(shop.state)]
    replayed = finished([*shop.arguments()[:3], "replay", shop.terminal()["run_id"], *place], env=shop.environment())
    assert replayed.code == 0, replayed
    assert replayed.line.endswith("the termination gate passes again."), "whoever proves it again finds tags and branch"


def test_a_dependency_that_a_test_run_patched_makes_no_done(shop: Workspace) -> None:
    start = shop.head
    turns = [
        turn(edit("app.js", WRONG, PATCHES), finish("done", hypothesis="the price is wrong")),
        turn(edit("app.js", WRONG, WRONG + "// reviewed\n"), finish("done", hypothesis="it needs a review")),
    ]
    with ModelServer(turns) as model:
        shop.with_model(model.url)
        done = shop.run("--max-retries", "2")
    assert done.code == 4, done.stdout + done.stderr
    assert "Breaker: max-retries." in done.line
    assert f"{shop.root}: 2 is not 4" in done.line, "as if it were the worktree's own"
    assert "the gate contradicts it: test does not pass in a fresh checkout after `setup`" in done.stderr
    assert [record["verdict"] for record in shop.records()] == ["same", "contradicted"]
    assert shop.head == start
    assert (shop.root / "deps/prices.js").read_text() == "exports.price = 4;\n", "the gate leaves ignored files alone"


def test_a_setup_that_fails_in_the_fresh_checkout_blocks(shop: Workspace) -> None:
    once = SHOP["install.sh"] + "grep -q '2 [*]' app.js && echo 'no such version' && exit 7 || true\n"
    start = shop.commit({"install.sh": once})
    with ModelServer([turn(edit("app.js", WRONG, RIGHT), finish("done", hypothesis="half"))]) as model:
        shop.with_model(model.url)
        done = shop.run()
    assert done.code == 4, done.stdout + done.stderr
    assert "Breaker: environment." in done.line
    assert "in a fresh checkout, setup `sh install.sh`: exit code 7: no such version" in done.line
    assert "must install all that the checks need where nothing is installed yet" in done.line
    assert shop.terminal()["state"] == "FailedBlocked"
    assert shop.subjects(start) == ["fix-loop: test clean (iteration 1)"], "what came clean stays, but is no DONE"
