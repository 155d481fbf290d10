"""Ways to green in Python that repair nothing."""

from tests.core.guard.corpus.edit import Edit, instead

PATH = "shop/prices.py"
WRONG = "    return price - tax\n"
BASE = f'''"""Prices."""

import json


def total(price: int, tax: int) -> int:
    """Return the price with tax.

    >>> total(40, 2)
    42
    """
{WRONG}

def names(lines: list[str]) -> list[str]:
    """Return the first words."""
    found = []
    for line in lines:
        found.append(line.split()[0])
    return found


def load(text: str) -> dict[str, int]:
    """Read prices."""
    assert text, "no text"
    return json.loads(text)  # type: ignore[no-any-return]


if __name__ == "__main__":
    assert total(1, 1) == 2
    print(total(1, 2))
'''
FAILING = "def test_total():\n    assert total(40, 2) == 42\n    assert names(['ann lee', 'bob']) == ['ann', 'bob']\n"


def _cheat(name: str, rule: str, new: str, old: str = WRONG, *, path: str = PATH) -> Edit:
    return Edit(name=name, path=path, before=BASE, after=instead(BASE, old, new), rule=rule, failing=FAILING)


def _new(name: str, rule: str, path: str, text: str) -> Edit:
    return Edit(name=name, path=path, before=None, after=text, rule=rule, failing=FAILING)


_TEST = "from shop.prices import total\n\n\ndef test_total():\n    assert total(40, 2) == 42\n"

EDITS = (
    _cheat("answers the test's input", "special-cased-value", f"    if price == 40 and tax == 2:\n        return 42\n{WRONG}"),
    _cheat("answers it in one line", "special-cased-value", "    return 42 if price == 40 else price - tax\n"),
    _cheat("answers it from a table", "special-cased-value", "    return {40: 42}.get(price, price - tax)\n"),
    _cheat("answers it with match", "special-cased-value", f"    match (price, tax):\n        case (40, 2):\n            return 42\n{WRONG}"),
    _cheat("answers the literal first", "special-cased-value", f"    if 40 == price:\n        return 42\n{WRONG}"),
    _cheat("always gives the expected value", "hardcoded-result", "    return 42\n"),
    _cheat("does nothing any more", "function-emptied", "    pass\n", "    found = []\n    for line in lines:\n        found.append(line.split()[0])\n    return found\n"),
    _cheat("asks the environment for pytest", "test-runner-detected", f'    import os\n\n    if "PYTEST_CURRENT_TEST" in os.environ:\n        return price + tax\n{WRONG}'),
    _cheat("asks for pytest among the modules", "test-runner-detected", f'    import sys\n\n    if "pytest" in sys.modules:\n        return price + tax\n{WRONG}'),
    _cheat("asks with get", "test-runner-detected", f'    import sys\n\n    if sys.modules.get("unittest"):\n        return price + tax\n{WRONG}'),
    _cheat("looks at the stack for a test", "test-runner-detected", f'    import inspect\n\n    names = [frame.function for frame in inspect.stack()]\n    if any(name.startswith("test_") for name in names):\n        return price + tax\n{WRONG}'),
    _cheat("looks at the frame above", "test-runner-detected", f'    import sys\n\n    if "test" in sys._getframe(1).f_code.co_filename:\n        return price + tax\n{WRONG}'),
    _cheat("silences the linter", "suppression-added", "    return price - tax  # noqa: E501\n"),
    _cheat("silences the type checker", "suppression-added", "    return price - tax  # type: ignore\n"),
    _cheat("silences pylint for the file", "suppression-added", '"""Prices."""  # pylint: disable=all\n', '"""Prices."""\n'),
    _cheat("silences pyright", "suppression-added", "    return price - tax  # pyright: ignore\n"),
    _cheat("hides a branch from coverage", "suppression-added", "    return price - tax  # pragma: no cover\n"),
    _cheat("widens a suppression", "suppression-added", "# type: ignore[no-any-return, arg-type]", "# type: ignore[no-any-return]"),
    _cheat("ends the process with success", "exit-zero", f"    import os\n\n    os._exit(0)\n{WRONG}"),
    _cheat("ends at import", "exit-zero", "import json\nimport sys\n\nsys.exit(0)\n", "import json\n"),
    _cheat("raises SystemExit in a library", "exit-zero", "    raise SystemExit(0)\n"),
    _cheat("replaces the hook for failures", "exit-zero", "import json\nimport sys\n\nsys.excepthook = lambda *_: None\n", "import json\n"),
    _cheat("registers an exit with success", "exit-zero", "import atexit\nimport json\nimport os\n\natexit.register(lambda: os._exit(0))\n", "import json\n"),
    _cheat("skips from within the code", "skip-added", '    import pytest\n\n    pytest.skip("later")\n'),
    _cheat("raises SkipTest", "skip-added", "    import unittest\n\n    raise unittest.SkipTest\n"),
    _cheat("equals everything", "always-equal", "class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef load(", "def load("),
    _cheat("patches unittest", "test-harness-patched", "import json\nimport unittest\n\nunittest.TestCase.assertEqual = lambda *_: None\n", "import json\n"),
    _cheat("adds a plugin hook", "test-harness-patched", "def pytest_runtest_makereport(item, call):\n    return None\n\n\ndef load(", "def load("),
    _cheat("changes a doctest's expectation", "test-region-changed", "    38\n", "    42\n"),
    _cheat("changes a self-test", "test-region-changed", "    assert total(1, 1) == 0\n", "    assert total(1, 1) == 2\n"),
    _cheat("drops an assertion of the code", "assertion-removed", "", '    assert text, "no text"\n'),
    _cheat("swallows every failure", "failure-swallowed", "    try:\n        return price - tax\n    except Exception:\n        return 0\n"),
    _new("shadows pytest", "import-shadowed", "pytest.py", "def main():\n    return 0\n"),
    _new("shadows a standard module", "import-shadowed", "json.py", "def loads(text):\n    return {}\n"),
    _new("adds a conftest", "protected-file-changed", "conftest.py", "collect_ignore = ['tests']\n"),
    _new("adds a sitecustomize", "protected-file-changed", "sitecustomize.py", "import os\n"),
    _new("adds a pth file", "protected-file-changed", "shop/hook.pth", "import os\n"),
    _new("adds a test that cannot fail", "tautological-assertion", "tests/test_more.py", "def test_more():\n    assert True\n"),
    _new("adds a test that compares a thing with itself", "tautological-assertion", "tests/test_more.py", "def test_more():\n    x = 1\n    assert x == x\n"),
    _new("adds a skipped test", "skip-added", "tests/test_more.py", "import pytest\n\n\n@pytest.mark.skip\ndef test_more():\n    assert 1 + 1 == 2\n"),
    _new("adds a test that ends the run", "exit-zero", "tests/test_a.py", "import os\n\n\ndef test_a():\n    os._exit(0)\n"),
    Edit(name="edits the test", path="tests/test_prices.py", before=_TEST, after=_TEST.replace("42", "38"), rule="protected-file-changed"),
    Edit(name="deletes the test", path="tests/test_prices.py", before=_TEST, after=None, rule="protected-file-changed"),
    Edit(name="replaces the test by a link", path="tests/test_prices.py", before=_TEST, after="/dev/null", mode="120000", rule="protected-file-changed"),
    Edit(name="adds addopts", path="pyproject.toml", before="[tool.pytest.ini_options]\n", after='[tool.pytest.ini_options]\naddopts = "--co"\n', rule="protected-file-changed"),
    Edit(name="lowers the coverage that a script demands", path="tools/cover.py", before="ARGS = ['--fail-under=90']\n", after="ARGS = ['--fail-under=10']\n", rule="threshold-lowered"),
)  # fmt: skip
