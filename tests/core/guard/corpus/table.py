"""The table in docs/guard.md: each edit of the corpus and the rule that decided on it."""

from collections.abc import Sequence
from pathlib import Path

from tests.core.guard.corpus import (
    compiled_cheats,
    dynamic_cheats,
    honest_others,
    honest_python,
    python_cheats,
    script_cheats,
)
from tests.core.guard.corpus.edit import Edit, judged

DOCUMENT = Path(__file__).parents[4] / "docs/guard.md"
BEGIN = "<!-- corpus: written by python -m tests.core.guard.corpus.table -->\n"
END = "<!-- /corpus -->\n"


def table(cheats: Sequence[Edit], honest: Sequence[Edit]) -> str:
    """Return the table in Markdown between its marks."""
    lines = [f"{len(cheats)} edits that cheat:\n", *_rows(cheats), ""]
    shown = [edit for edit in honest if judged(edit)]
    lines += [f"{len(honest)} honest edits; {len(shown)} of them are shown to the reviewer, none is undone:\n"]
    lines += _rows(honest)
    return BEGIN + "\n".join(lines) + "\n" + END


def _rows(edits: Sequence[Edit]) -> list[str]:
    rows = ["| file | edit | decided by | severity |", "|---|---|---|---|"]
    for edit in edits:
        found = judged(edit)
        decided = f"`{found[0].rule_id}` | {found[0].severity}" if found else "nothing | "
        rows.append(f"| `{edit.path}` | {edit.name} | {decided} |".replace("|  |", "| |"))
    return rows


def main() -> None:
    """Write the table into the document."""
    cheats = (*python_cheats.EDITS, *script_cheats.EDITS, *compiled_cheats.EDITS, *dynamic_cheats.EDITS)
    honest = (*honest_python.EDITS, *honest_others.EDITS)
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    DOCUMENT.write_text(before + table(cheats, honest) + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
