"""fixloop's check run: annotations in batches, found again by the run, counted in the ledger."""

from dataclasses import replace

from fixloop_bot.model.check_run import Annotation, AnnotationLevel, CheckAction, CheckRun, Conclusion
from fixloop_bot.model.forge import CheckRunRef, ExternalId, TooLarge, parse_external_id
from fixloop_bot.model.ticket import Ledger
from fixloop_bot.ports.forge import Forge
from tests.adapters.github.scene import Scene


def _annotation(line: int) -> Annotation:
    return Annotation(
        path="app.py",
        start_line=line,
        end_line=line,
        annotation_level=AnnotationLevel.FAILURE,
        message=f"wrong {line}",
        start_column=3,
        end_column=3,
    )


def _check_run(stage: Scene, *, annotations: int = 0, run_id: str = "run-1") -> CheckRun:
    lines = [_annotation(line) for line in range(1, annotations + 1)]
    return CheckRun(
        external_id=run_id,
        head_sha=stage.head,
        conclusion=None,
        title="Running",
        summary="At it.",
        text="",
        actions=(CheckAction(label="Stop", description="End it", identifier="fixloop:stop"),),
        annotations=tuple(tuple(lines[at : at + 50]) for at in range(0, annotations, 50)),
    )


def _started(forge: Forge, check_run: CheckRun, *, automatic: bool = False) -> CheckRunRef:
    ref = forge.start_check_run(check_run, automatic=automatic)
    assert isinstance(ref, CheckRunRef)
    return ref


def test_130_annotations_go_in_three_batches_and_none_twice(stage: Scene, forge: Forge) -> None:
    running = _check_run(stage)
    ref = _started(forge, running)
    done = replace(_check_run(stage, annotations=130), conclusion=Conclusion.FAILURE, title="Blocked", actions=())
    before = len(stage.github.writes)

    full = forge.update_check_run(ref, done)
    assert isinstance(full, CheckRunRef)
    assert len(stage.github.writes) == before + 3
    forge.update_check_run(full, replace(done, title="Still blocked"))

    shown = stage.shop.check_runs[ref.id]
    assert [one["start_line"] for one in shown.annotations] == [*range(1, 131)]
    assert (shown.status, shown.conclusion, shown.title) == ("completed", "failure", "Still blocked")
    assert (shown.name, shown.actions) == ("fixloop", [])


def test_a_check_run_that_starts_with_many_annotations_has_them_all(stage: Scene, forge: Forge) -> None:
    ref = _started(forge, _check_run(stage, annotations=130))
    assert len(stage.shop.check_runs[ref.id].annotations) == 130
    assert ref.annotated == 3
    assert [one["label"] for one in stage.shop.check_runs[ref.id].actions] == ["Stop"]


def test_the_check_run_of_a_run_is_found_again(stage: Scene, forge: Forge) -> None:
    ref = _started(forge, _check_run(stage, annotations=60))
    _started(forge, _check_run(stage, run_id="run-2"))
    assert forge.own_check_run(stage.head, "run-1") == ref
    assert forge.own_check_run(stage.head, "run-3") is None


def test_a_check_run_whose_answer_was_lost_is_not_started_twice(stage: Scene, forge: Forge) -> None:
    def arrive(_: object) -> None:
        run = stage.shop.check_run("fixloop", stage.head, app=stage.github.actions_app)
        run.external_id = ExternalId(run_id="run-1").to_text()

    stage.github.conditions.before("POST", "*/check-runs", arrive)
    stage.github.conditions.fail(status=502, method="POST", path="*/check-runs")
    _started(forge, _check_run(stage))
    assert len(stage.shop.check_runs) == 1


def test_a_text_that_is_too_long_is_a_value(stage: Scene, forge: Forge) -> None:
    assert forge.start_check_run(replace(_check_run(stage), summary="x" * 70_000)) == TooLarge()


def test_the_external_id_says_whose_run_it_is(stage: Scene, forge: Forge) -> None:
    ref = _started(forge, _check_run(stage), automatic=True)
    kept = stage.shop.check_runs[ref.id].external_id
    assert parse_external_id(kept or "") == ExternalId(run_id="run-1", automatic=True)
    assert parse_external_id("0e4d3c6a-uuid-of-a-job") is None


def test_the_ledger_counts_automatic_runs_by_head_and_day_and_no_commands(stage: Scene, forge: Forge) -> None:
    now = stage.github.now().timestamp()
    _started(forge, _check_run(stage), automatic=True)
    earlier = stage.pull_request(forge)
    assert forge.ledger(earlier, now=now) == Ledger(runs_of_head=1, runs_of_day=1)

    head = stage.shop.commit("feature/a#b", {"app.py": "a = \n"}, author="pat")
    _started(forge, replace(_check_run(stage, run_id="run-2"), head_sha=head))
    stage.shop.check_run("fixloop", head, app=stage.github.actions_app)
    later = stage.pull_request(forge)
    assert forge.ledger(later, now=now) == Ledger(runs_of_head=0, runs_of_day=1)
    assert forge.ledger(later, now=now + 90_000) == Ledger(runs_of_head=0, runs_of_day=0)
