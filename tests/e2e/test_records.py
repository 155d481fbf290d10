"""What a run leaves, read again: listed, told, drawn, counted, and held together; a forgery is named."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE, Finished, Workspace, finished
from tests.fakes.model_server import ModelServer, edit, finish, turn

WORSE = turn(edit("app/pages.py", FAULTY_LINE, "    return str(pages[0])\n"), finish("done", hypothesis="<b>text</b>"))
REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
PROMISED = {".fixloop.yml": "layers: {compile: 'test -f ready', lint: 'true', test: 'true'}\n", ".gitignore": "ready\n"}
"""Passes only beside a file that is in no commit."""
SCHEMAS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A repository that was repaired at the second attempt."""
    workspace = Workspace(tmp_path_factory.mktemp("a shop"))
    workspace.commit(OFF_BY_ONE)
    with ModelServer([WORSE, REPAIR]) as model:
        workspace.with_model(model.url)
        done = workspace.run()
    assert done.code == 0, done.stderr
    return workspace


def fixloop(workspace: Workspace, *arguments: str, state: Path | None = None) -> Finished:
    place = ["--worktree-path", str(workspace.root), "--state-dir", str(state or workspace.state)]
    return finished([sys.executable, "-m", "fixloop_bot", *arguments, *place], env=workspace.environment())


def as_json(workspace: Workspace, *arguments: str) -> Any:
    done = fixloop(workspace, *arguments, "--json")
    assert done.code == 0, done.stderr
    return json.loads(done.stdout)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_run_is_listed_told_and_drawn_and_reading_changes_nothing(shop: Workspace) -> None:
    before, run_id = snapshot(shop.state), shop.terminal()["run_id"]
    (listed,) = as_json(shop, "runs")
    assert (listed["run_id"], listed["status"], listed["iterations"]) == (run_id, "DONE", 2)
    assert (listed["repository"], listed["branch"]) == (str(shop.root), "main")
    told = fixloop(shop, "status")
    assert told.stdout.startswith(f"Run {run_id} on main, started ")
    assert f"fixloop verify {run_id} --state-dir '{shop.state}' --worktree-path '{shop.root}'" in told.stdout
    page = shop.folder / "a report.html"
    assert fixloop(shop, "report", run_id, "--html", str(page)).stdout == f"wrote {page}\n"
    assert "&lt;b&gt;text&lt;/b&gt;" in page.read_text()
    assert "regression" in fixloop(shop, "report", run_id).stdout
    overall = as_json(shop, "report")["overall"]
    assert (overall["attempts"], overall["productive"], overall["done"], overall["false_completions"]) == (2, 1, 1, 0)
    assert overall["cost_per_success_usd"] == pytest.approx(sum(record["cost_usd"] for record in shop.records()))
    assert snapshot(shop.state) == before


def test_a_sound_run_is_replayed_and_its_verification_is_written_down(shop: Workspace) -> None:
    run_id = shop.terminal()["run_id"]
    done = fixloop(shop, "replay", run_id)
    assert (done.code, done.stderr.count("Traceback")) == (0, 0), done
    assert done.line == (
        f"HOLDS: run {run_id}: 2 repair records, 4 receipts, 2 log lines, 5 database rows agree; "
        "the termination gate passes again."
    )
    (line,) = (shop.state / "runs" / run_id / "verifications.jsonl").read_text().splitlines()
    jsonschema.validate(json.loads(line), json.loads((SCHEMAS / "verification.schema.json").read_text()))
    assert as_json(shop, "report")["overall"]["done_verified"] == 1
    assert as_json(shop, "status", run_id)["verification"] == "holds"


def changed(path: str, old: str, new: str) -> Callable[[Path], None]:
    def forge(state: Path) -> None:
        (place,) = state.glob(path)
        text = place.read_text()
        assert old in text
        place.write_text(text.replace(old, new))

    return forge


def without_a_receipt(state: Path) -> None:
    (place,) = state.glob("receipts/*.jsonl")
    place.write_text("".join(place.read_text().splitlines(keepends=True)[:-1]))


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        pytest.param(changed("repair/*-1.json", "<b>text</b>", "I knew"), "hypothesis is I knew", id="a word changed"),
        pytest.param(changed("repair/*-2.json", '"cost_usd": 0.', '"cost_usd": 9.'), "by its receipts", id="a cost"),
        pytest.param(without_a_receipt, "attempt 2 has no receipt", id="a receipt that is missing"),
        pytest.param(lambda state: shutil.rmtree(state / "salvage"), "of attempt 1 is not there", id="no salvage"),
        pytest.param(changed("salvage/*-1/change.patch", "len(pages)", "x"), "does not apply", id="a patch changed"),
    ],
)
def test_a_forged_folder_does_not_hold(
    shop: Workspace, tmp_path: Path, forge: Callable[[Path], None], said: str
) -> None:
    state = Path(shutil.copytree(shop.state, tmp_path / "state", ignore=shutil.ignore_patterns("git")))
    forge(state)
    done = fixloop(shop, "replay", shop.terminal()["run_id"], state=state)
    assert done.code == 1, done
    assert done.line.startswith("DOES NOT HOLD: ")
    assert said in done.line


def test_a_done_that_does_not_hold_elsewhere_is_a_false_completion(workspace: Workspace) -> None:
    workspace.commit(PROMISED)
    (workspace.root / "ready").touch()
    assert workspace.run().code == 0
    run_id = workspace.terminal()["run_id"]
    assert as_json(workspace, "report")["overall"]["false_completion_rate"] == 0
    done = fixloop(workspace, "replay", run_id)
    assert (done.code, "compile: [.] test -f ready: exit 1, recorded 0" in done.line) == (1, True), done
    overall = as_json(workspace, "report")["overall"]
    assert (overall["false_completions"], overall["false_completion_rate"]) == (1, 1.0)
    assert "does not hold: a false completion" in fixloop(workspace, "status").stdout


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (("runs",), 0, "No runs in "),
        (("report",), 0, "No run yet."),
        (("status",), 2, "no run on this worktree in "),
        (("report", "r1"), 2, "no run r1 in "),
        (("replay", "r1"), 2, "CANNOT BE CHECKED: run r1: "),
    ],
)
def test_where_there_is_nothing_nothing_is_made(
    workspace: Workspace, command: tuple[str, ...], code: int, said: str
) -> None:
    workspace.commit({"a.txt": ""})
    done = fixloop(workspace, *command)
    assert (done.code, said in done.stdout + done.stderr) == (code, True), done
    assert not workspace.state.exists()


def test_no_folder_at_all_is_bad_usage(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fixloop_bot", "runs", "--worktree-path", str(tmp_path)]
    done = finished(command, env=Workspace(tmp_path).environment())
    assert (done.code, done.stdout) == (2, "")
    assert "Name the records with --state-dir" in done.stderr
