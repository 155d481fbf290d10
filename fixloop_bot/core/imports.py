"""Which files of the repository a file imports, as paths worth a look; whether they exist is for the caller to find."""

import ast
import posixpath
import re
from collections.abc import Iterator

from fixloop_bot.core.regions import python_tree

IMPORT_LIMIT = 60
"""Import statements looked at in one file."""

BY_PATH = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte")
_SCRIPT_IMPORT = re.compile(r"""(?:\bfrom|\brequire\(|\bimport\(?)\s{0,9}['"](\.{1,2}/[^'"\n]{1,200})['"]""")
_COUNTERPARTS: tuple[tuple[str, str, str, str], ...] = (
    # ending of a test's name, its replacement, folder of the tests, folder of the code
    ("_test.go", ".go", "", ""),
    ("_spec.rb", ".rb", "spec/", "lib/"),
    ("_spec.rb", ".rb", "spec/", "app/"),
    ("_test.rb", ".rb", "test/", "lib/"),
    ("_test.rb", ".rb", "test/", "app/"),
    ("Test.java", ".java", "src/test/", "src/main/"),
    ("Tests.java", ".java", "src/test/", "src/main/"),
    ("Test.kt", ".kt", "src/test/", "src/main/"),
    ("Test.php", ".php", "tests/", "src/"),
)
"""Where a test's name alone says what it tests, because its language needs no import or names packages only."""


def imported(path: str, text: str) -> list[tuple[str, ...]]:
    """Return for each import the candidate paths in order of likelihood, at most one of which is meant."""
    if path.endswith((".py", ".pyi")):
        found = list(_python(path, text))
    elif path.endswith(BY_PATH):
        matches = [match[1] for match in _SCRIPT_IMPORT.finditer(text)]
        found = [_script_candidates(path, target) for target in matches[:IMPORT_LIMIT]]
    else:
        found = [_counterparts(path)]
    return [candidates for candidates in dict.fromkeys(found) if candidates]


def _python(path: str, text: str) -> Iterator[tuple[str, ...]]:
    tree = python_tree(path, text)
    statements = [node for node in _statements(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in statements[:IMPORT_LIMIT]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield _modules(_roots(path), alias.name)
        else:
            roots = _package(path, node.level) if node.level else _roots(path)
            for alias in node.names:
                yield _modules(roots, ".".join(filter(None, (node.module, alias.name))))
            if node.module:
                yield _modules(roots, node.module)


def _statements(tree: ast.Module | None) -> Iterator[ast.AST]:
    """Yield every statement; the expressions in them, which are most of a tree, are passed over."""
    waiting: list[ast.AST] = [tree] if tree else []
    for node in waiting:  # grows while it is gone through
        yield node
        for inner in ("body", "handlers", "orelse", "finalbody", "cases"):
            found = getattr(node, inner, ())
            waiting += found if isinstance(found, list) else ()


def _roots(path: str) -> tuple[str, ...]:
    """Return the folders that absolute imports may start from: each one above the file, and `src` in it."""
    folders = [posixpath.dirname(path)]
    while folders[-1]:
        folders.append(posixpath.dirname(folders[-1]))
    return tuple(root for folder in folders for root in (folder, posixpath.join(folder, "src")))


def _package(path: str, level: int) -> tuple[str, ...]:
    folder = posixpath.dirname(path)
    for _ in range(min(level - 1, 20)):
        folder = posixpath.dirname(folder)
    return (folder,)


def _modules(roots: tuple[str, ...], dotted: str) -> tuple[str, ...]:
    relative = dotted.replace(".", "/")
    endings = (".py", "/__init__.py")
    return tuple(posixpath.join(root, relative + ending) for root in roots for ending in endings)


def _script_candidates(path: str, target: str) -> tuple[str, ...]:
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if joined.startswith("../"):
        return ()
    stem, ending = posixpath.splitext(joined)
    exact = [joined] if ending in BY_PATH else []
    typed = [stem + other for other in (".ts", ".tsx")] if ending in (".js", ".jsx", ".mjs") else []
    guessed = [joined + other for other in BY_PATH] + [f"{joined}/index{other}" for other in BY_PATH]
    return tuple(dict.fromkeys(exact + typed + guessed))


def _counterparts(path: str) -> tuple[str, ...]:
    return tuple(
        (path[: -len(ending)] + new).replace(tests, code, 1) if tests else path[: -len(ending)] + new
        for ending, new, tests, code in _COUNTERPARTS
        if path.endswith(ending) and tests in path
    )
