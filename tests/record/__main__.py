"""`python -m tests.record [TOOL…]`: record the failures of these tools, of all where none is named, anew."""

import sys

from tests.record.collection import all_recipes
from tests.record.recorder import RECORDED, lacking, record


def main(tools: list[str]) -> int:
    """Record what can be recorded here; say what cannot and why."""
    known = all_recipes()
    unknown = sorted(set(tools) - {one.tool for one in known} - {one.name for one in known})
    if unknown:
        print(f"no recipe for {', '.join(unknown)}", file=sys.stderr)
        return 2
    for recipe in known:
        if tools and not {recipe.tool, recipe.name} & set(tools):
            continue
        absent = lacking(recipe)
        if absent:
            hint = f" ({recipe.packages})" if recipe.packages else ""
            print(f"{recipe.name}: not recorded: {', '.join(absent)} missing{hint}", file=sys.stderr)
            continue
        remarks = record(recipe)
        print(f"{recipe.name}: {', '.join(recipe.recorded)} -> {RECORDED / recipe.name}")
        for remark in remarks:
            print(f"  {remark}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
