"""Annotations in the batches and shapes that GitHub takes."""

from dataclasses import replace

import pytest

from fixloop_bot.core.render.annotations import BATCH, MOST, to_annotations
from fixloop_bot.model.check_run import Annotation, AnnotationLevel
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from tests.core.render.hostile import HOSTILE

ITEM = Diagnostic(path="a.py", line=3, column=5, rule_id="F401", message="unused", kind=DiagnosticKind.LINT_ERROR)


def annotated(*items: Diagnostic) -> list[Annotation]:
    """Return all annotations, in order, for a repository that has every file."""
    return [item for batch in to_annotations(items, in_repository=lambda _path: True) for item in batch]


def test_a_diagnostic_becomes_an_annotation_of_its_line_and_column() -> None:
    assert annotated(ITEM) == [
        Annotation(
            path="a.py",
            start_line=3,
            end_line=3,
            start_column=5,
            end_column=5,
            annotation_level=AnnotationLevel.FAILURE,
            message="unused",
            title="F401",
            raw_details="lint-error",
        )
    ]


def test_130_of_them_go_in_three_batches() -> None:
    batches = to_annotations([replace(ITEM, line=n) for n in range(1, 131)], in_repository=lambda _path: True)
    assert [len(batch) for batch in batches] == [BATCH, BATCH, 30]
    assert [item.start_line for batch in batches for item in batch] == list(range(1, 131))


def test_more_than_the_most_keeps_the_errors() -> None:
    notes = [replace(ITEM, path="a.py", line=n, level=Level.NOTE) for n in range(1, MOST + 1)]
    found = annotated(*notes, replace(ITEM, path="z.py"))
    assert len(found) == MOST
    assert found[0].path == "z.py"


def test_the_same_finding_of_two_tools_is_told_once_and_order_does_not_matter() -> None:
    items = [ITEM, replace(ITEM, path="b.py"), replace(ITEM, level=Level.WARNING), ITEM]
    assert annotated(*items) == annotated(*reversed(items))
    assert [(item.path, item.annotation_level) for item in annotated(*items)] == [
        ("a.py", AnnotationLevel.FAILURE),
        ("b.py", AnnotationLevel.FAILURE),
        ("a.py", AnnotationLevel.WARNING),
    ]


@pytest.mark.parametrize(
    "path",
    [
        None,
        "",
        "/etc/passwd",
        "../x.py",
        "a/../../x.py",
        "./a.py",
        "a//b.py",
        "C:\\a.py",
        "C:/a.py",
        "a\\b.py",
        "a\nb",
        "a\ud800",
    ],
    ids=repr,
)
def test_a_path_that_cannot_be_in_the_repository_is_left_out(path: str | None) -> None:
    assert annotated(replace(ITEM, path=path)) == []


def test_only_files_of_the_repository_are_annotated() -> None:
    items = [ITEM, replace(ITEM, path="generated.py")]
    batches = to_annotations(items, in_repository=lambda path: path == "a.py")
    assert [item.path for batch in batches for item in batch] == ["a.py"]


@pytest.mark.parametrize(
    ("line", "column", "place"),
    [
        pytest.param(None, None, (1, None), id="a whole file is told at its first line"),
        pytest.param(None, 4, (1, None), id="a column without a line says nothing"),
        pytest.param(7, None, (7, None), id="a line alone"),
        pytest.param(7, 0, (7, None), id="a column that is none"),
        pytest.param(-1, 3, (1, None), id="a negative line"),
        pytest.param(10**20, 3, (1, None), id="an absurd line"),
    ],
)
def test_places_are_valid_for_github(line: int | None, column: int | None, place: tuple[int, int | None]) -> None:
    found = annotated(replace(ITEM, line=line, column=column))[0]
    assert (found.start_line, found.start_column) == place
    assert (found.end_line, found.end_column) == place


def test_hostile_text_is_plain_and_short() -> None:
    item = annotated(replace(ITEM, message=HOSTILE * 50, rule_id=HOSTILE, test_id=HOSTILE))[0]
    assert len(item.message) <= 4_000
    assert len(item.title) <= 200
    assert "\n" not in item.title
    assert not {"\x00", "\x1b", "\u202e", "\ud800"} & set(item.message + item.title)


def test_a_finding_without_words_still_has_a_message() -> None:
    found = annotated(replace(ITEM, message=" \n", rule_id=None))[0]
    assert (found.message, found.title) == ("lint-error", "lint-error")
