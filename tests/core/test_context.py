"""The code that goes with a failure: what it points at, and what a failing test tests."""

from collections.abc import Mapping, Sequence

import pytest

from fixloop_bot.core.context import Code, choose_snippets
from fixloop_bot.core.imports import imported
from fixloop_bot.core.protect import Protection
from fixloop_bot.core.regions import around, definitions, merge, python_tree
from fixloop_bot.model.context import Snippet
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus

PROTECTION = Protection()
LONG = "".join(f"def f{n}(x):\n    y = x + {n}\n    return y\n\n\n" for n in range(100))


def found(path: str | None, line: int | None = None, **more: object) -> Diagnostic:
    """Return one lint error unless told otherwise."""
    values: dict[str, object] = {"path": path, "line": line, "kind": DiagnosticKind.LINT_ERROR}
    return Diagnostic(**(values | more))  # type: ignore[arg-type]


def chosen(
    files: Mapping[str, str],
    diagnostics: Sequence[Diagnostic] = (),
    *,
    layer: Layer = Layer.LINT,
    output: str = "",
    affected: Sequence[str] = (),
    limit: int = 20_000,
) -> tuple[Snippet, ...]:
    """Return what is chosen for a failing layer over files in memory."""
    result = LayerResult(
        name=layer,
        status=LayerStatus.FAIL,
        output=output,
        diagnostics=tuple(diagnostics),
        affected_files=tuple(affected),
    )
    return choose_snippets(
        result, Code(read=files.get, protected=lambda path: bool(PROTECTION.rule(path))), limit_chars=limit
    )


def places(snippets: Sequence[Snippet]) -> list[tuple[str, int]]:
    """Return where the snippets stand."""
    return [(snippet.path, snippet.start_line) for snippet in snippets]


def test_a_small_file_is_shown_whole() -> None:
    snippets = chosen({"a.py": "x = 1\ny = 2\n"}, [found("a.py", 2)])
    assert snippets == (Snippet(path="a.py", start_line=1, text="x = 1\ny = 2"),)


def test_of_a_large_python_file_the_whole_function_is_shown() -> None:
    (snippet,) = chosen({"a.py": LONG}, [found("a.py", 52)])
    assert snippet == Snippet(path="a.py", start_line=51, text="def f10(x):\n    y = x + 10\n    return y")


@pytest.mark.parametrize("path", ["a.go", "broken.py"])
def test_of_what_cannot_be_parsed_the_lines_around_are_shown(path: str) -> None:
    (snippet,) = chosen({path: LONG + "def ("}, [found(path, 52)])
    assert snippet.start_line == 40
    assert len(snippet.text.split("\n")) == 25


def test_errors_come_before_warnings_and_nothing_comes_twice() -> None:
    files = {"a.py": "a = 1\n", "b.py": "b = 1\n"}
    diagnostics = [found("a.py", 1, level=Level.WARNING), found("b.py", 1), found("b.py", 1), found("gone.py", 1)]
    assert places(chosen(files, diagnostics)) == [("b.py", 1), ("a.py", 1)]


def test_places_that_touch_become_one_piece() -> None:
    assert merge([(10, 20), (1, 3), (21, 25), (5, 6)]) == [(1, 6), (10, 25)]


def test_the_budget_leaves_out_what_does_not_fit_and_goes_on() -> None:
    files = {"a.py": "x" * 500, "b.py": "y" * 5_000, "c.py": "z" * 400}
    diagnostics = [found(path, 1) for path in files]
    assert places(chosen(files, diagnostics, limit=1_000)) == [("a.py", 1), ("c.py", 1)]


def test_the_lines_of_a_stack_trace_are_found_in_the_output() -> None:
    output = 'Traceback:\n  File "/home/x/proj/app/shop.py", line 52, in f10\n'
    (snippet,) = chosen({"app/shop.py": LONG}, output=output, affected=["app/shop.py"])
    assert snippet.start_line == 51


def test_a_failing_test_brings_the_module_that_it_tests() -> None:
    files = {
        "tests/test_shop.py": "from shop.cart import total\n"
        + "\n" * 60
        + "def test_total():\n    assert total([1]) == 2\n",
        "src/shop/cart.py": LONG + "def total(items):\n    return sum(items)\n",
        "src/shop/__init__.py": "",
    }
    diagnostic = found("tests/test_shop.py", 63, kind=DiagnosticKind.TEST_FAILURE, test_id="t::test_total")
    snippets = chosen(files, [diagnostic], layer=Layer.TEST)
    assert places(snippets) == [("tests/test_shop.py", 62), ("src/shop/cart.py", 501)]
    assert [snippet.protected for snippet in snippets] == [True, False]


def test_test_code_that_the_log_shows_is_not_paid_twice() -> None:
    files = {"test_a.py": "from a import f\n\ndef test_f():\n    assert f() == 1\n", "a.py": "def f():\n    return 2\n"}
    output = "    def test_f():\n>       assert f() == 1\nE   assert 2 == 1\n\ntest_a.py:4: AssertionError"
    diagnostic = found("test_a.py", 4, kind=DiagnosticKind.TEST_FAILURE, test_id="test_a.py::test_f[x-1]")
    assert places(chosen(files, [diagnostic], layer=Layer.TEST, output=output)) == [("a.py", 1)]


def test_a_small_module_behind_a_small_module_comes_too() -> None:
    files = {
        "test_a.py": "import pkg\n",
        "pkg/__init__.py": "from .inner import f\n",
        "pkg/inner.py": "def f():\n    return 2\n",
    }
    assert places(chosen(files, [found("test_a.py")], layer=Layer.TEST)) == [
        ("test_a.py", 1),
        ("pkg/__init__.py", 1),
        ("pkg/inner.py", 1),
    ]


def test_of_a_large_script_the_definition_that_the_test_names_is_shown() -> None:
    body = "".join(f"const filler{n} = {n};\n" for n in range(300))
    files = {
        "src/cart.test.ts": "import { total } from './cart.js';\ntest('t', () => expect(total([])).toBe(0));\n",
        "src/cart.ts": body + "export function total(items: number[]) {\n  return 1;\n}\n",
    }
    snippets = chosen(files, [found("src/cart.test.ts")], layer=Layer.TEST)
    assert snippets[1].path == "src/cart.ts"
    assert "export function total" in snippets[1].text
    assert len(snippets[1].text) < 1_000


@pytest.mark.parametrize(
    ("path", "text", "candidate"),
    [
        ("a/test_x.py", "from . import y", "a/y.py"),
        ("a/b/test_x.py", "from ..c import y", "a/c.py"),
        ("services/api/tests/test_x.py", "import app.main as m", "services/api/app/main.py"),
        ("services/api/tests/test_x.py", "import app", "services/api/src/app/__init__.py"),
        ("web/a.spec.ts", "const x = require('../lib/y')", "lib/y.js"),
        ("web/a.spec.ts", "await import('./y')", "web/y/index.ts"),
        ("web/a.spec.ts", "export * from './y.js'", "web/y.ts"),
        ("pkg/cart_test.go", "", "pkg/cart.go"),
        ("spec/models/cart_spec.rb", "", "lib/models/cart.rb"),
        ("src/test/java/shop/CartTest.java", "", "src/main/java/shop/Cart.java"),
    ],
)
def test_an_import_is_looked_for_where_its_language_puts_it(path: str, text: str, candidate: str) -> None:
    assert any(candidate in candidates for candidates in imported(path, text))


def test_an_import_never_leaves_the_worktree() -> None:
    text = "import '../../../etc/passwd'; import x from '../../../../root'"
    assert imported("web/a.ts", text) == []
    found_paths = [path for group in imported("a/t.py", "from ....x import y") for path in group]
    assert found_paths
    assert not any(path.startswith(("..", "/")) for path in found_paths)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\0" * 100, id="NUL bytes"),
        pytest.param("(" * 50_000, id="brackets without end"),
        pytest.param("x = '\\d'\n", id="an escape that Python warns of"),
        pytest.param("-" * 100_000 + "1", id="an expression deeper than the parser goes"),
        pytest.param("from " * 50_000, id="an import without end"),
        pytest.param("a" * 300_000, id="one long word"),
        pytest.param("", id="nothing"),
    ],
)
def test_garbage_is_no_trouble(text: str) -> None:
    for path in ("t.py", "t.ts", "t.zig"):
        assert isinstance(chosen({path: text}, [found(path, 10**9)], layer=Layer.TEST, affected=[path]), tuple)


def test_the_innermost_function_wins_and_decorators_belong_to_it() -> None:
    text = "def outer():\n    @wrap\n    def inner():\n        return 1\n    return inner\n"
    nodes = definitions(python_tree("a.py", text))
    assert around(4, nodes, 5) == (2, 4)
    assert around(5, nodes, 5) == (1, 5)
