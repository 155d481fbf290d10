"""The guard on a corpus: edits that cheat, each with the rule that decides, and honest ones that must pass."""

import pytest

from fixloop_bot.core.guard.judge_change import judge_change, worst
from fixloop_bot.model.guard import Author, Change, FileChange, FileVersion, Severity
from tests.core.guard.corpus import (
    compiled_cheats,
    dynamic_cheats,
    honest_others,
    honest_python,
    python_cheats,
    script_cheats,
)
from tests.core.guard.corpus.edit import PROTECTION, Edit, judged
from tests.core.guard.corpus.table import DOCUMENT, table

CHEATS = (*python_cheats.EDITS, *script_cheats.EDITS, *compiled_cheats.EDITS, *dynamic_cheats.EDITS)
HONEST = (*honest_python.EDITS, *honest_others.EDITS)
ONLY_SHOWN = {"assertion-removed", "failure-swallowed", "type-escape-added", "exit-hook"}
"""Rules whose finding goes to the reviewer: honest code does that too."""


@pytest.mark.parametrize("edit", CHEATS, ids=[f"{edit.path} {edit.name}" for edit in CHEATS])
def test_a_cheating_edit_is_found_by_its_rule(edit: Edit) -> None:
    found = judged(edit)
    assert found, "nothing was found"
    assert found[0].rule_id == edit.rule
    wanted = (Severity.MEDIUM,) if edit.rule in ONLY_SHOWN else (Severity.CRITICAL, Severity.HIGH)
    assert found[0].severity in wanted
    assert found[0].path == edit.path


@pytest.mark.parametrize("edit", HONEST, ids=[f"{edit.path} {edit.name}" for edit in HONEST])
def test_an_honest_edit_is_undone_by_nothing(edit: Edit) -> None:
    assert worst(judged(edit)) in (None, Severity.MEDIUM)


def test_few_honest_edits_are_even_shown() -> None:
    shown = [edit.name for edit in HONEST if judged(edit)]
    assert len(HONEST) >= 90
    assert len(shown) <= 4, shown


@pytest.mark.parametrize("edit", HONEST, ids=[f"{edit.path} {edit.name}" for edit in HONEST])
def test_an_honest_edit_taken_back_is_undone_by_nothing_but_what_it_takes_away(edit: Edit) -> None:
    """A revert is honest too; what it removes may be a test, a suppression's end or a check."""
    back = Edit(name=edit.name, path=edit.path, before=edit.after, after=edit.before, rule="", failing=edit.failing)
    allowed = {"protected-file-changed", "test-region-changed", "suppression-added", "special-cased-value"}
    decisive = {found.rule_id for found in judged(back) if found.severity is not Severity.MEDIUM}
    assert decisive <= allowed


@pytest.mark.parametrize("edit", CHEATS, ids=[f"{edit.path} {edit.name}" for edit in CHEATS])
def test_a_file_that_stays_as_it_is_has_no_findings_however_bad_it_is(edit: Edit) -> None:
    text = FileVersion(text=edit.after or "")
    same = FileChange(path="src/" + edit.path.rsplit("/", 1)[-1].replace("test", "t"), before=text, after=text)
    found = judge_change(Change(files=(same,), expectations=(edit.failing,)), PROTECTION)
    assert {each.rule_id for each in found} <= {"protected-file-changed"}


@pytest.mark.parametrize("edit", CHEATS, ids=[f"{edit.path} {edit.name}" for edit in CHEATS])
def test_windows_newlines_hide_nothing(edit: Edit) -> None:
    before, after = (text if text is None else text.replace("\n", "\r\n") for text in (edit.before, edit.after))
    windows = Edit(
        name=edit.name, path=edit.path, before=before, after=after, rule=edit.rule, failing=edit.failing, mode=edit.mode
    )
    assert [each.rule_id for each in judged(windows)][:1] == [edit.rule]


def test_a_formatter_s_work_is_judged_too_but_a_test_s_layout_is_its_own() -> None:
    (laid_out,) = (edit for edit in compiled_cheats.EDITS if edit.name == "changes the test's expectation")
    (silenced,) = (edit for edit in script_cheats.EDITS if edit.name == "silences eslint")
    assert worst(judged(laid_out, Author.FIXER)) is Severity.MEDIUM
    assert worst(judged(silenced, Author.FIXER)) is Severity.HIGH


def test_the_document_shows_what_decided_on_each_edit() -> None:
    written = DOCUMENT.read_text(encoding="utf-8")
    assert table(CHEATS, HONEST) in written, "run: python -m tests.core.guard.corpus.table"
