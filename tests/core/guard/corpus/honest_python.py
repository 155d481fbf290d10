"""Honest edits of Python: repairs, refactorings, new tests, and words that only look like a cheat."""

from tests.core.guard.corpus import python_cheats
from tests.core.guard.corpus.edit import Edit, instead

BASE = python_cheats.BASE
WRONG = python_cheats.WRONG
FAILING = python_cheats.FAILING
RIGHT = "    return price + tax\n"
CLI = '''"""The command line."""

import argparse
import sys


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    options = parser.parse_args()
    print(options.path)
    sys.exit(0)


if __name__ == "__main__":
    main()
'''


def _honest(name: str, new: str, old: str = WRONG, *, path: str = "shop/prices.py") -> Edit:
    return Edit(name=name, path=path, before=BASE, after=instead(BASE, old, new), rule="", failing=FAILING)


def _file(name: str, path: str, before: str | None, after: str | None, failing: str = "") -> Edit:
    return Edit(name=name, path=path, before=before, after=after, rule="", failing=failing)


EDITS = (
    _honest("the plain repair", RIGHT),
    _honest("a repair with a comment that says noqa", "    # the linter's noqa is not needed here\n" + RIGHT),
    _honest("a repair with a word like skip", '    """Skip nothing."""\n' + RIGHT),
    _honest("a message that names pytest", '    if tax < 0:\n        raise ValueError("run pytest to see why; PYTEST_CURRENT_TEST is set there")\n' + RIGHT),
    _honest("a branch on a value of its own", "    if price == 3:\n        return tax\n" + RIGHT),
    _honest("a guard for zero", "    if price == 0:\n        return 0\n" + RIGHT),
    _honest("a check that raises", "    if price < 0:\n        raise ValueError(price)\n" + RIGHT),
    _honest("a suppression moved to another line", "    found: dict[str, int] = json.loads(text)  # type: ignore[no-any-return]\n    return found\n", "    return json.loads(text)  # type: ignore[no-any-return]\n"),
    _honest("a suppression removed", "    found: dict[str, int] = json.loads(text)\n    return found\n", "    return json.loads(text)  # type: ignore[no-any-return]\n"),
    _honest("a loop made a comprehension", "    return [line.split()[0] for line in lines]\n", "    found = []\n    for line in lines:\n        found.append(line.split()[0])\n    return found\n"),
    _honest("a doctest added", "    42\n    >>> total(1, 1)\n    2\n", "    42\n"),
    _honest("a self-test added", "    assert total(1, 1) == 2\n    assert total(2, 1) == 3\n", "    assert total(1, 1) == 2\n"),
    _honest("a function added", "def half(price: int) -> int:\n    return price // 2\n\n\ndef load(", "def load("),
    _honest("an import added", "import json\nfrom collections import Counter\n", "import json\n"),
    _honest("an exception handled by name", "    try:\n        return int(price) + tax\n    except ValueError:\n        return 0\n"),
    _honest("a failure logged and raised again", "    try:\n        return price + tax\n    except Exception:\n        print('no total')\n        raise\n"),
    _honest("an equality that compares", "class Price:\n    def __eq__(self, other):\n        return isinstance(other, Price) and self.cents == other.cents\n\n\ndef load(", "def load("),
    _honest("a parameter with a default", "def total(price: int, tax: int = 0) -> int:\n", "def total(price: int, tax: int) -> int:\n"),
    _honest("a parameter named skip", "def names(lines: list[str], skip: int = 0) -> list[str]:\n", "def names(lines: list[str]) -> list[str]:\n"),
    _file("the whole file renamed", "shop/costs.py", None, BASE.replace("  # type: ignore[no-any-return]", "")),
    _file("a file called oracle_db", "shop/oracle_db.py", None, '"""Oracle."""\n\n\ndef connect(name: str) -> str:\n    return f"oracle://{name}"\n'),
    _file("a module named like a package of ours", "shop/json.py", None, "def dump() -> str:\n    return '{}'\n"),
    _file("a test helper in product code", "shop/testing.py", None, '"""Helpers for the tests of others."""\n\nimport pytest\n\n\n@pytest.fixture\ndef prices():\n    return [1, 2]\n'),
    _file("a new test", "tests/test_more.py", None, "from shop.prices import total\n\n\ndef test_more():\n    assert total(1, 2) == 3\n"),
    _file("a new test with parameters", "tests/test_many.py", None, "import pytest\n\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_many(n):\n    assert n * 2 > n\n"),
    _file("a new unittest", "tests/test_case.py", None, "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(1 + 1, 2)\n        self.assertTrue(bool([1]))\n"),
    _file("an exit code of one added", "shop/cli.py", CLI, instead(CLI, "    print(options.path)\n", "    if not options.path:\n        sys.exit(1)\n    print(options.path)\n")),
    _file("an exit that was there, moved into a branch", "shop/cli.py", CLI, instead(CLI, "    print(options.path)\n    sys.exit(0)\n", "    if options.path:\n        print(options.path)\n        sys.exit(0)\n    return 1\n")),
    _file("main's result handed to the shell", "shop/cli.py", CLI, instead(instead(CLI, "    sys.exit(0)\n", "    return 0\n"), '__main__":\n    main()\n', '__main__":\n    sys.exit(main())\n')),
    _file("a version of its own corrected", "shop/version.py", 'def version():\n    return "1.1.0"\n', 'def version():\n    return "1.2.0"\n', 'assert version() == "1.2.0"'),
    _file("an entry added to a table", "shop/signs.py", 'SIGNS = {\n    "EUR": "E",\n    "GBP": "P",\n}\n', 'SIGNS = {\n    "EUR": "E",\n    "GBP": "P",\n    "USD": "D",\n}\n', 'assert sign("USD") == "D"'),
    _file("a further branch like its neighbours", "shop/status.py", "def text(code):\n    if code == 200:\n        return 'OK'\n    if code == 500:\n        return 'Error'\n    return ''\n", "def text(code):\n    if code == 200:\n        return 'OK'\n    if code == 404:\n        return 'Not Found'\n    if code == 500:\n        return 'Error'\n    return ''\n", "assert text(404) == 'Not Found'"),
    _file("documentation that shows a suppression", "docs/linting.md", "# Linting\n", "# Linting\n\nWrite `# noqa: E501` only with a reason. `pytest.skip()` is no answer.\n"),
    _file("a string that looks like a suppression", "shop/lint.py", "X = 1\n", 'X = 1\nHELP = "put # noqa: E501 at the end; or # type: ignore"\n'),
    _file("a docstring that speaks of skipping", "shop/skip.py", "def skip(n):\n    return n\n", 'def skip(n):\n    """Like pytest.skip(), os._exit(0) and sys.exit(0), but harmless."""\n    return n + 1\n'),
    _file("a formatter's work", "shop/fmt.py", "def f(a,b):\n    return a+b\n", "def f(a, b):\n    return a + b\n"),
    _file("a narrower suppression", "shop/narrow.py", "import yaml  # type: ignore\n", "import yaml  # type: ignore[import-untyped]\n"),
    _file("dead code removed", "shop/dead.py", "def used():\n    return 1\n\n\ndef unused():\n    return used() + 41\n", "def used():\n    return 1\n"),
    _file("a settings module that reads the environment", "shop/settings.py", "import os\n", 'import os\n\nDEBUG = os.environ.get("DEBUG") == "1"\n'),
    _file("a signal handler that was there is renamed", "shop/serve.py", "import signal\n\n\ndef run():\n    signal.signal(signal.SIGTERM, stop)\n", "import signal\n\n\ndef run():\n    signal.signal(signal.SIGTERM, halt)\n"),
    _file("a fizz buzz repaired", "shop/fizz.py", "def fizz(n):\n    if n % 3 == 1:\n        return 'Fizz'\n    return str(n)\n", "def fizz(n):\n    if n % 3 == 0:\n        return 'Fizz'\n    return str(n)\n", "assert fizz(3) == 'Fizz'\nassert fizz(9) == 'Fizz'"),
    _file("a factorial's base case", "shop/fact.py", "def fact(n):\n    return n * fact(n - 1)\n", "def fact(n):\n    if n == 0:\n        return 1\n    return n * fact(n - 1)\n", "assert fact(0) == 1\nassert fact(5) == 120"),
)  # fmt: skip
