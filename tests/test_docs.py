"""The documents and the code say the same."""

import re
from pathlib import Path

import pytest

import fixloop_bot
from fixloop_bot.adapters.repo_config import config_schema
from fixloop_bot.entrypoints.cli import COMMANDS
from fixloop_bot.entrypoints.settings import Settings, variable

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DEFAULTS = {"None": "unset", "{}": "none", "": "none", "False": "no", "True": "yes"}


def settings_table() -> dict[str, tuple[str, str, str]]:
    """Return variable → (flag, default, meaning) as README has it."""
    text = README.split("<!-- settings:", 1)[1].split("<!-- /settings -->", 1)[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    return {row[1].strip("`"): (row[0].strip("`"), row[2], row[3]) for row in rows[1:]}


def test_readme_has_every_setting_with_its_default_and_meaning() -> None:
    table = settings_table()
    assert set(table) == {variable(name) for name in Settings.model_fields}
    for name, field in Settings.model_fields.items():
        flag, default, meaning = table[variable(name)]
        expected = str(field.get_default(call_default_factory=True, validated_data={}))
        shown = str(field.examples[0]) if field.examples else DEFAULTS.get(expected, expected)
        assert (default, meaning) == (shown, field.description), name
        assert flag in ("", "--" + name.replace("_", "-")), name


def test_the_published_schema_is_the_code_s() -> None:
    assert (ROOT / "docs/fixloop-yml.schema.json").read_text(encoding="utf-8") == config_schema()


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docs/architecture.md",
        "docs/validation.md",
        "docs/visual-and-rubric.md",
        "docs/guard.md",
        "docs/operations.md",
        "docs/scaling.md",
        "docs/security.md",
    ],
)
def test_every_link_and_every_named_file_exists(document: str) -> None:
    path = ROOT / document
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{document} links to {target}"
    for name in re.findall(r"`((?:core|app|checks|adapters|entrypoints|model)/[\w/]+\.py)`", text):
        assert (ROOT / "fixloop_bot" / name).exists(), f"{document} names {name}"


def test_the_changelog_has_the_version_or_unreleased_changes() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## Unreleased" in changelog or f"## {fixloop_bot.__version__}" in changelog


@pytest.mark.parametrize("path", sorted((ROOT / "docs/adr").glob("*.md")), ids=lambda path: path.name)
def test_a_decision_is_half_a_page_with_context_decision_and_consequences(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for heading in ("Context", "Decision", "Consequences"):
        assert heading in text
    assert len(text) < 4_500


def test_the_comment_in_readme_is_one_that_fixloop_writes() -> None:
    text = README.split("<!-- comment:", 1)[1].split("<!-- /comment -->", 1)[0]
    shown = [line.removeprefix("> ").removeprefix(">") for line in text.splitlines()[1:] if line.strip("> ")]
    written = (ROOT / "tests/core/golden/comment_done_three_layers.md").read_text(encoding="utf-8").splitlines()
    assert len(shown) > 8
    assert [line for line in shown if line not in written] == []


def test_readme_names_every_command() -> None:
    for name in COMMANDS:
        assert f"`fixloop {name}" in README, name
