"""Every recorded failure is read as its recipe says, is known again elsewhere, and no other is taken for it."""

from collections import Counter

import pytest

from fixloop_bot.checks.registry import GENERIC, TOOLS, recognise
from fixloop_bot.core.fingerprint import tell
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import Layer
from tests.record.recipe import AGAIN, BASE, DETAIL, OTHER, PARTIAL, SHIFTED, VARIANTS, Recipe, Truth
from tests.record.recorded import ALL, RECIPES, Recorded, recorded_of
from tests.record.recorder import LARGE, RECORDED

WITH_REPORT = [one for one in ALL if one.report is not None or one.reports]


def found(one: Recorded, *, with_report: bool, tool: str | None = None) -> Truth:
    errors = tell(one.read(with_report=with_report, tool=tool).diagnostics)
    ids = tuple(sorted(item.test_id or item.rule_id or "" for item in errors))
    return Truth(len(errors), frozenset(item.path or "" for item in errors), ids)


def truth(one: Recorded) -> Truth:
    said = one.recipe.truth(one.variant)
    return Truth(said.errors, said.files, tuple(sorted(said.ids)))


def modes(recipes: tuple[Recipe, ...] = RECIPES) -> list[tuple[Recipe, bool]]:
    """Pair each recipe with text alone, and with its reports where it has any."""
    with_report = {one.recipe.name for one in WITH_REPORT}
    return [(recipe, mode) for recipe in recipes for mode in (False, True) if not mode or recipe.name in with_report]


def name(value: object) -> str:
    if isinstance(value, Recipe):
        return value.name
    return "with its report" if value is True else "from text alone" if value is False else str(value)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_text_alone_tells_every_error_its_file_and_its_id(one: Recorded) -> None:
    assert found(one, with_report=False) == truth(one)


@pytest.mark.parametrize("one", WITH_REPORT, ids=lambda one: one.name)
def test_a_report_tells_the_same(one: Recorded) -> None:
    assert found(one, with_report=True) == truth(one)
    assert one.read(with_report=True).tier is Tier.STRUCTURED


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_a_command_that_hides_its_tool_still_tells_errors_and_files(one: Recorded) -> None:
    seen, said = found(one, with_report=False, tool="generic"), truth(one)
    assert (seen.errors, seen.files) == (said.errors, said.files)


@pytest.mark.parametrize(("recipe", "with_report"), modes(), ids=name)
def test_the_same_failure_elsewhere_and_with_lines_above_is_known_again(recipe: Recipe, with_report: bool) -> None:
    runs = recorded_of(recipe)
    hashes = {
        variant: runs[variant].read(with_report=with_report).fingerprint.fine
        for variant in (BASE, AGAIN, SHIFTED)
        if variant in runs
    }
    assert len(set(hashes.values())) == 1, hashes


@pytest.mark.parametrize(("recipe", "with_report"), modes(), ids=name)
def test_another_failure_or_detail_and_a_part_are_told_apart(recipe: Recipe, with_report: bool) -> None:
    runs = recorded_of(recipe)
    kept = [variant for variant in (BASE, PARTIAL, OTHER, DETAIL) if variant in runs]
    hashes = {runs[variant].read(with_report=with_report).fingerprint.fine for variant in kept}
    assert len(hashes) == len(kept)


@pytest.mark.parametrize(("recipe", "with_report"), modes(), ids=name)
def test_one_of_two_mended_is_a_strict_part_of_the_failure(recipe: Recipe, with_report: bool) -> None:
    runs = recorded_of(recipe)
    before, after = (Counter(runs[one].read(with_report=with_report).fingerprint.items) for one in (BASE, PARTIAL))
    assert after < before


@pytest.mark.parametrize("one", [one for one in ALL if one.variant == BASE], ids=lambda one: one.name)
def test_no_code_failure_is_called_environmental(one: Recorded) -> None:
    assert one.read(with_report=True).missing == ()
    assert not one.read(with_report=False).environmental


@pytest.mark.parametrize("recipe", RECIPES, ids=name)
def test_a_recipe_is_whole_and_recorded(recipe: Recipe) -> None:
    assert recipe.tool in TOOLS
    assert recipe.layer in {layer.value for layer in Layer}
    assert recognise(recipe.command) == (recipe.tool if TOOLS[recipe.tool].commands else GENERIC)
    assert PARTIAL in recipe.variants
    assert set(recipe.variants) <= set(VARIANTS) - {AGAIN}
    assert set(recipe.truths) == {BASE, *recipe.variants} - {SHIFTED}
    assert set(recorded_of(recipe)) == set(recipe.recorded)


def test_every_recorded_folder_has_a_recipe() -> None:
    assert {folder.name for folder in RECORDED.iterdir()} <= {recipe.name for recipe in RECIPES}


def test_the_recordings_are_small_and_tell_nothing_of_a_machine() -> None:
    for file in RECORDED.rglob("*"):
        if file.is_file():
            text = file.read_bytes().decode()
            assert len(text) <= LARGE, file
            assert "/root" not in text, file
            assert "/home/" not in text, file
