"""`learnings.yaml`: whatever stands in it, a run goes on, and nothing of a person's is lost."""

import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fixloop_bot.adapters.learnings_file import learnings_schema, update_learnings
from fixloop_bot.adapters.yaml_lines import MAX_BYTES
from fixloop_bot.core.learn import lessons, merged
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus
from fixloop_bot.model.learning import Approach, Learnings, Lesson, Seen

ROOT = Path(__file__).parents[2]
SEEN = Seen("r1", "2026-01-01T00:00:00Z")
LESSON = Lesson(pattern="command not found: ruff", evidence="sh: 1: ruff: not found")
APPROACH = Approach(branch="b", layer="test", start_commit="c0", failure_mode="x", hypotheses=("a: 1", "- b"))


def learn(path: Path, lesson: Lesson = LESSON, run: str = "r1") -> None:
    update_learnings(path, lambda known: merged(known, [lesson], APPROACH, replace(SEEN, run_id=run)))


def read(path: Path) -> dict[str, list[dict[str, object]]]:
    loaded: dict[str, list[dict[str, object]]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


def test_the_published_schema_is_the_code_s() -> None:
    published = (ROOT / "docs" / "learnings.schema.json").read_text(encoding="utf-8")
    assert published == json.dumps(learnings_schema(), indent=2) + "\n"


def test_what_is_learned_is_read_again_and_fits_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "state" / "learnings.yaml"
    for run in ("r1", "r2", "r2"):
        learn(path, run=run)
    found = read(path)
    jsonschema.Draft202012Validator(learnings_schema()).validate(found)
    assert [item["occurrences"] for item in found["enforcements"]] == [2]
    assert len(found["approaches"]) == 1


def test_a_person_s_word_is_read(tmp_path: Path) -> None:
    path = tmp_path / "learnings.yaml"
    learn(path)
    path.write_text(path.read_text().replace("status: active", "status: ignored  # we know"))
    learn(path, run="r2")
    assert read(path)["enforcements"][0]["status"] == "ignored"


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"enforcements: [\n", id="torn"),
        pytest.param(b"\xff\xfe\x00garbage", id="no text"),
        pytest.param(b"- 1\n- 2\n", id="a list"),
        pytest.param(b"schema: other/9\n", id="another schema"),
        pytest.param(b"schema: fixloop.learnings/1\nenforcements: 7\n", id="another type"),
        pytest.param(b"!!python/object/apply:os.system ['touch hacked']\n", id="a call"),
        pytest.param(b"a: " + b"[" * 1_500, id="nested without end"),
        pytest.param(BOMB.encode(), id="aliases that unfold into millions"),
        pytest.param(b"#" * (MAX_BYTES + 1), id="too large"),
    ],
)
def test_a_broken_file_is_kept_aside_and_begun_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "learnings.yaml"
    path.write_bytes(content)
    path.with_name("learnings.yaml.broken-1").write_text("an older one")
    learn(path)
    assert path.with_name("learnings.yaml.broken-2").read_bytes() == content
    assert path.with_name("learnings.yaml.broken-1").read_text() == "an older one"
    assert [item["pattern"] for item in read(path)["enforcements"]] == [LESSON.pattern]
    assert not (tmp_path / "hacked").exists()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("schema: fixloop.learnings/1\n")
    path = tmp_path / "state" / "learnings.yaml"
    path.parent.mkdir()
    path.symlink_to(outside)
    learn(path)
    assert outside.read_text() == "schema: fixloop.learnings/1\n"
    assert path.is_file()
    assert not path.is_symlink()


def test_it_never_grows_beyond_what_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "learnings.yaml"
    wide = "\U0001f980" * 160

    def fill(known: Learnings) -> Learnings:
        for number in range(150):
            lesson = Lesson(pattern=f"{number} {wide}"[:160], evidence=wide)
            known = merged(known, [lesson], replace(APPROACH, start_commit=f"c{number}", hypotheses=(wide,) * 6), SEEN)
        return known

    update_learnings(path, fill)
    assert 0 < path.stat().st_size <= MAX_BYTES
    learn(path)
    assert not list(tmp_path.glob("*.broken-*"))
    assert read(path)["enforcements"][-1]["pattern"] == LESSON.pattern


MANY = """
import sys
from pathlib import Path
from tests.adapters.test_learnings_file import *
for number in range(5):
    learn(Path(sys.argv[1]), replace(LESSON, pattern=f"p{sys.argv[2]}-{number}"))
"""


def test_several_processes_lose_nothing_of_each_other_s(tmp_path: Path) -> None:
    path = tmp_path / "learnings.yaml"
    running = [subprocess.Popen([sys.executable, "-c", MANY, str(path), str(n)], cwd=ROOT) for n in range(3)]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    assert len(read(path)["enforcements"]) == 15


@settings(deadline=None, max_examples=40)
@given(st.text(alphabet=st.characters(), max_size=60))
def test_whatever_a_tool_says_can_be_written_and_read_again(said: str) -> None:
    lacking = LayerResult(name=Layer.LINT, status=LayerStatus.ERROR, missing=(f"x{said}",))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learnings.yaml"
        for run in ("r1", "r2"):
            update_learnings(
                path, partial(merged, new=lessons(lacking, ()), approach=APPROACH, seen=Seen(run, SEEN.at))
            )
        assert [item["occurrences"] for item in read(path)["enforcements"]] == [2]
        assert not list(Path(folder).glob("*.broken-*"))
