"""The `setup` commands run in the worktree where something has changed, and not each time; for the gate always."""

from tests.e2e.workspace import Workspace

AGAIN, NOT_AGAIN = "setup: npm ci", "setup: not run again"
FRESH = "gate: in a fresh checkout; running setup"
SHOP = {
    ".fixloop.yml": "setup: ['npm ci --offline --no-audit --no-fund']\nlayers: {test: 'node test.js'}\n",
    ".gitignore": "node_modules\n",
    "package.json": '{"name": "shop", "version": "1.0.0", "dependencies": {"prices": "file:prices"}}\n',
    "package-lock.json": '{"name": "shop", "version": "1.0.0", "lockfileVersion": 3, "requires": true, "packages": {'
    '"": {"name": "shop", "version": "1.0.0", "dependencies": {"prices": "file:prices"}},'
    '"node_modules/prices": {"resolved": "prices", "link": true}, "prices": {"version": "1.0.0"}}}\n',
    "prices/package.json": '{"name": "prices", "version": "1.0.0", "main": "index.js"}\n',
    "prices/index.js": "exports.price = 2;\n",
    "test.js": "if (require('prices').price !== 2) throw new Error('wrong');\n",
}


def test_an_unchanged_setup_is_not_run_again(workspace: Workspace) -> None:
    workspace.commit(SHOP)
    first = workspace.run()
    assert first.code == 0, first.stdout + first.stderr
    assert AGAIN in first.stderr
    assert FRESH not in first.stderr, "nothing lay in the worktree but the commit: a second run would prove no more"
    again = workspace.run()
    assert again.code == 0, again.stdout + again.stderr
    in_place, gate = again.stderr.split(FRESH)
    assert NOT_AGAIN in in_place
    assert AGAIN not in in_place
    assert AGAIN in gate, "what lies in the worktree by now makes no DONE"


def test_a_changed_manifest_and_a_folder_that_is_gone_run_it(workspace: Workspace) -> None:
    workspace.commit(SHOP)
    assert AGAIN in workspace.run().stderr
    workspace.commit({"prices/package.json": SHOP["prices/package.json"].replace("1.0.0", "1.0.1")})
    assert AGAIN in workspace.run().stderr.split(FRESH)[0]
    (workspace.root / "node_modules").rename(workspace.folder / "gone")
    assert AGAIN in workspace.run().stderr.split(FRESH)[0]


def test_a_setup_that_failed_is_tried_again_and_says_why(workspace: Workspace) -> None:
    workspace.commit(SHOP | {"package-lock.json": '{"lockfileVersion": 3, "packages": {}}\n'})
    for _ in range(2):
        done = workspace.run()
        assert done.code == 4, done.stdout + done.stderr
        assert "Breaker: environment." in done.line
        assert "setup `npm ci" in done.line
        assert AGAIN in done.stderr
