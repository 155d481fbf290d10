"""Which lines of a file belong together around a place: whole functions in Python, a few lines elsewhere."""

import ast
import warnings
from collections.abc import Iterable, Sequence
from functools import lru_cache

from fixloop_bot.model.context import Snippet

AROUND = 12
"""Lines shown before and after a place whose function is not known."""
FUNCTION_LIMIT = 120
"""Lines; a longer function is shown as the lines around the place."""
PARSE_LIMIT = 400_000
"""Characters; a longer Python file is not parsed."""

Region = tuple[int, int]
"""First and last line, 1-based, both included."""
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@lru_cache(maxsize=4)
def python_tree(path: str, text: str) -> ast.Module | None:
    """Return the syntax tree of a Python file, None for other files and for text that does not parse."""
    if not path.endswith((".py", ".pyi")) or len(text) > PARSE_LIMIT:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def definitions(tree: ast.Module | None) -> tuple[Definition, ...]:
    """Return every function and class, in no particular order."""
    if tree is None:
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, Definition))


def around(line: int, found: Sequence[Definition], total: int) -> Region:
    """Return the smallest function around `line` if it is short enough, else the lines near it."""
    line = min(max(line, 1), max(total, 1))
    functions = (span(node) for node in found if not isinstance(node, ast.ClassDef))
    holding = [region for region in functions if region[0] <= line <= region[1] and _length(region) <= FUNCTION_LIMIT]
    if holding:
        return min(holding, key=_length)
    return max(1, line - AROUND), min(total, line + AROUND)


def named(names: Iterable[str], found: Sequence[Definition]) -> list[Region]:
    """Return the regions of the functions and short classes that bear one of the names."""
    wanted = set(names)
    regions = [span(node) for node in found if node.name in wanted]
    return [region for region in regions if _length(region) <= FUNCTION_LIMIT]


def span(node: Definition) -> Region:
    """Return a definition's lines, its decorators included."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return first, node.end_lineno or node.lineno


def merge(regions: Iterable[Region]) -> list[Region]:
    """Return the regions in order, those that touch or overlap made one."""
    merged: list[Region] = []
    for first, last in sorted(regions):
        if merged and first <= merged[-1][1] + 2:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def cut(path: str, lines: Sequence[str], region: Region, *, protected: bool) -> Snippet:
    """Return the region's lines as a snippet."""
    text = "\n".join(lines[region[0] - 1 : region[1]])
    return Snippet(path=path, start_line=region[0], text=text, protected=protected)


def _length(region: Region) -> int:
    return region[1] - region[0] + 1
