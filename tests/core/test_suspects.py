"""Of much code, what a failing test reaches is shown, most suspect first."""

from collections.abc import Sequence

import pytest

from fixloop_bot.core.context import Code, choose_snippets
from fixloop_bot.core.neighbours import Neighbours
from fixloop_bot.core.protect import Protection
from fixloop_bot.core.suspects import Failing, suspicion
from fixloop_bot.model.context import ChangedLines, Snippet
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus

FILLER = "".join(f"def unused_{n}(value):\n    return value * {n} + {n}\n\n\n" for n in range(120))
SHOP = {
    "tests/test_shop.py": "from shop.orders import place\nfrom shop.stock import count\n\n\n"
    "def test_total():\n    assert place([2, 3]) == 5\n\n\ndef test_count():\n    assert count([1]) == 1\n",
    "shop/orders.py": "from shop.sums import total\n\n\ndef place(items):\n    return total(items)\n\n\n" + FILLER,
    "shop/sums.py": "from shop.steps import step\n\n\ndef total(items):\n    return step(items, 0)\n\n\n" + FILLER,
    "shop/steps.py": "def step(items, start):\n    return start - sum(items)\n\n\n" + FILLER,
    "shop/stock.py": "def count(items):\n    return len(items)\n\n\n" + FILLER,
}


def chosen(files: dict[str, str], path: str, line: int, output: str = "") -> tuple[Snippet, ...]:
    """Return what is chosen for one failing test."""
    protection = Protection()
    failed = Diagnostic(path=path, line=line, kind=DiagnosticKind.TEST_FAILURE)
    result = LayerResult(name=Layer.TEST, status=LayerStatus.FAIL, output=output, diagnostics=(failed,))
    code = Code(read=files.get, protected=lambda one: bool(protection.rule(one)), files=lambda: sorted(files))
    return choose_snippets(result, code, limit_chars=10_000)


def places(snippets: tuple[Snippet, ...]) -> list[str]:
    return [f"{snippet.path}:{snippet.start_line}" for snippet in snippets]


def test_the_test_and_three_calls_behind_it_are_shown_and_nothing_else() -> None:
    snippets = chosen(SHOP, "tests/test_shop.py", 6)
    assert places(snippets) == ["tests/test_shop.py:5", "shop/orders.py:4", "shop/sums.py:4", "shop/steps.py:1"]
    assert [snippet.protected for snippet in snippets] == [True, False, False, False]
    assert snippets[-1].text == "def step(items, start):\n    return start - sum(items)"


def test_a_test_that_the_log_shows_is_not_paid_twice() -> None:
    output = "    def test_total():\n>       assert place([2, 3]) == 5\nE       assert -5 == 5\n"
    assert places(chosen(SHOP, "tests/test_shop.py", 6, output))[0] == "shop/orders.py:4"


def test_what_passing_tests_reach_too_is_less_suspect() -> None:
    files = {
        "test_a.py": "from a import f, g\n\n\ndef test_one():\n    assert f(1) == 1\n    assert g(1) == 1\n\n\n"
        "def test_two():\n    assert f(2) == 2\n",
        "a.py": "def f(x):\n    return x\n\n\ndef g(x):\n    return x\n",
    }
    failing = Failing(places={"test_a.py": [6]}, names=(), traced={})
    found = suspicion(failing, files.get, Neighbours(lambda: list(files)))
    assert [node.definition.name for node, _ in found.suspects] == ["g", "f"]
    assert [test.definition.name for test in found.tests] == ["test_one"]


def test_a_function_in_a_stack_trace_comes_first() -> None:
    failing = Failing(places={"tests/test_shop.py": [6]}, names=(), traced={"shop/steps.py": [2]})
    found = suspicion(failing, SHOP.get, Neighbours(lambda: list(SHOP)))
    assert found.suspects[0][0].definition.name == "step"


def test_a_function_that_the_branch_has_changed_comes_first_and_what_is_asked_is_what_was_read() -> None:
    asked: list[list[str]] = []

    def changed(paths: Sequence[str]) -> ChangedLines:
        asked.append(sorted(paths))
        return {"shop/steps.py": frozenset({2}), "shop/stock.py": frozenset({2})}

    failing = Failing(places={"tests/test_shop.py": [6]}, names=(), traced={})
    neighbours = Neighbours(lambda: list(SHOP))
    plain = suspicion(failing, SHOP.get, neighbours)
    found = suspicion(failing, SHOP.get, neighbours, changed)
    assert found.suspects[0][0].definition.name == "step"
    assert {node.definition.name for node, _ in found.suspects} == {node.definition.name for node, _ in plain.suspects}
    assert asked == [sorted(SHOP)]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("rules/rules_test.go", 'package rules\n\nimport (\n\t"example.com/x/money"\n)\n', "money/money.go"),
        ("rules/rules_test.go", "package rules\n", "rules/rules.go"),
        ("spec/desk_spec.rb", "RSpec.describe Library::Desk do\nend\n", "lib/library/desk.rb"),
        ("spec/desk_spec.rb", "", "spec/spec_helper.rb"),
        ("src/test/java/x/CartTest.java", "class CartTest { Line line; }", "src/main/java/x/Line.java"),
        ("tests/CartTest.php", "<?php\nuse App\\Cart;\n", "src/Cart.php"),
        ("tests/unit/test_a.py", "", "tests/conftest.py"),
    ],
)
def test_a_file_s_neighbours_are_found_without_a_path(path: str, text: str, expected: str) -> None:
    files = [
        "money/money.go",
        "money/money_test.go",
        "rules/rules.go",
        "lib/library/desk.rb",
        "spec/spec_helper.rb",
        "src/main/java/x/Line.java",
        "src/Cart.php",
    ]
    groups = Neighbours(lambda: files).of(path, text)
    assert (expected,) in groups
    assert not any("money/money_test.go" in group for group in groups)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f():\n    f()\n" * 20_000, id="one name again and again"),
        pytest.param("\n".join(f"def f{n}(): f{n + 1}(); g()" for n in range(10_000)), id="a chain without end"),
        pytest.param("def g(): " + " ".join(f"a{n}()" for n in range(30_000)), id="a function of many calls"),
        pytest.param('"' * 100_000, id="quotes"),
        pytest.param('"""' * 50_000 + "x", id="docstrings"),
        pytest.param("class A:\n" + "    def __init__(self): A()\n" * 5_000, id="constructors"),
    ],
)
def test_no_code_is_too_much(text: str) -> None:
    for ending in ("py", "js", "rb"):
        files = {f"test_a.{ending}": "import a\ndef test_a():\n    f(); f0(); g(); A()\n", f"a.{ending}": text}
        failing = Failing(places={f"test_a.{ending}": [3]}, names=(), traced={f"a.{ending}": [1]})
        assert len(suspicion(failing, files.get, Neighbours(tuple)).suspects) <= 10_000
