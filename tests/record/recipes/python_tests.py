"""pytest, alone, in parallel and in random order, and unittest."""

from collections.abc import Mapping

from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe, Truth
from tests.record.sources import shifted, truth

T, U = "test_shop.py", "test_cart.py"
SHOP = "def price(net, rate=0.2):\n    return net * (1 + rate)\n\n\ndef name(first, last):\n    return last + first\n"
TESTS = (
    "from shop import name, price\n\n\ndef test_price():\n    assert price(100) == {}\n\n\n"
    "def test_name():\n    assert name('Ada', 'Lovelace') == 'Ada Lovelace'\n\n\n"
    "def test_zero():\n    assert price(0) == 0\n"
)
MENDED = SHOP.replace("last + first", "f'{first} {last}'")
ASSERTS = {"shop.py": SHOP, T: TESTS.format(119)}
ASSERT_VARIANTS = {
    SHIFTED: shifted(ASSERTS, "shop.py", T),
    PARTIAL: {"shop.py": MENDED},
    OTHER: {"shop.py": MENDED.replace("1 + rate", "1 + rate) * (1 if net else None")},
    DETAIL: {"shop.py": SHOP.replace("last + first", "last + ' ' + first")},
}  # fmt: skip
FAILING = truth((T, f"{T}::test_price"), (T, f"{T}::test_name"))
ASSERT_TRUTHS: Mapping[str, Truth] = {
    "base": FAILING,
    PARTIAL: truth((T, f"{T}::test_price")),
    OTHER: truth((T, f"{T}::test_price"), (T, f"{T}::test_zero")),
    DETAIL: FAILING,
}
COLLECTION = {
    "shop.py": SHOP,
    T: "from shop import prize\n\n\ndef test_price():\n    assert prize(0) == 0\n",
    U: "def test_cart(:\n    pass\n",
    "test_ok.py": "def test_ok():\n    pass\n",
}
FIXTURES = {
    T: "import pytest\n\n\n@pytest.fixture\ndef till():\n    return {'cash': 1}['card']\n\n\n"
    "def test_pay(till):\n    assert till\n",
    U: "def test_cart(basket):\n    assert basket\n\n\ndef test_ok():\n    pass\n",
}
PARAMETERS = {
    T: "import pytest\n\n\n@pytest.mark.parametrize(('text', 'length'), [('a - b', 5), ('x', 2), ('', 1)])\n"
    "def test_length(text, length):\n    assert len(text) == length\n",
}
UNITTESTS = {
    "shop.py": SHOP,
    T: "import unittest\n\nfrom shop import name, price\n\n\nclass ShopTest(unittest.TestCase):\n"
    "    def test_price(self):\n        self.assertEqual(price(100), 119)\n\n"
    "    def test_name(self):\n        self.assertEqual(name('Ada', 'Lovelace'), 'Ada Lovelace')\n\n"
    "    def test_zero(self):\n        self.assertEqual(price(0), 0)\n",
}
UNIT = "test_shop.ShopTest."
UNIT_FAILING = truth((T, f"{UNIT}test_price"), (T, f"{UNIT}test_name"))
BROKEN_UNITTESTS = {
    "shop.py": SHOP,
    T: "import unittest\n\nfrom shop import prize\n\n\nclass ShopTest(unittest.TestCase):\n"
    "    def test_price(self):\n        self.assertEqual(prize(0), 0)\n",
    U: "import unittest\n\n\nclass CartTest(unittest.TestCase):\n"
    "    def test_cart(self):\n        self.assertIn('b', [])\n",
}


def asserts(case: str, command: str, packages: str) -> Recipe:
    """Return two failed assertions under some way of running pytest."""
    return Recipe(
        tool="pytest",
        case=case,
        layer="test",
        command=command,
        needs=("pytest",),
        packages=packages,
        files=ASSERTS,
        variants=ASSERT_VARIANTS,
        truths=ASSERT_TRUTHS,
    )


PYTEST = (
    asserts("assert", "pytest -p no:cacheprovider", "pip: pytest"),
    asserts("xdist", "pytest -p no:cacheprovider -n 2", "pip: pytest pytest-xdist"),
    asserts("randomly", "pytest -p no:cacheprovider", "pip: pytest pytest-randomly"),
    asserts("quiet", "pytest -q --tb=short -p no:cacheprovider", "pip: pytest"),
    Recipe(
        tool="pytest",
        case="collection",
        layer="test",
        command="pytest -p no:cacheprovider",
        needs=("pytest",),
        packages="pip: pytest",
        files=COLLECTION,
        variants={
            SHIFTED: shifted(COLLECTION, T, U),
            PARTIAL: {U: "def test_cart():\n    pass\n"},
            OTHER: {U: "def test_cart():\n    pass\n\n\nraise ValueError('no cart')\n"},
            DETAIL: {T: COLLECTION[T].replace("prize", "pricing")},
        },
        truths={
            "base": truth((T, T), (U, U)),
            PARTIAL: truth((T, T)),
            OTHER: truth((T, T), (U, U)),
            DETAIL: truth((T, T), (U, U)),
        },
    ),
    Recipe(
        tool="pytest",
        case="fixture",
        layer="test",
        command="pytest -p no:cacheprovider",
        needs=("pytest",),
        packages="pip: pytest",
        files=FIXTURES,
        variants={
            SHIFTED: shifted(FIXTURES, T, U),
            PARTIAL: {T: FIXTURES[T].replace("['card']", "['cash']")},
            OTHER: {T: FIXTURES[T].replace("['card']", "['cash']").replace("assert till", "assert till == 2")},
            DETAIL: {T: FIXTURES[T].replace("['card']", "['voucher']")},
        },
        truths={
            "base": truth((T, f"{T}::test_pay"), (U, f"{U}::test_cart")),
            PARTIAL: truth((U, f"{U}::test_cart")),
            OTHER: truth((T, f"{T}::test_pay"), (U, f"{U}::test_cart")),
            DETAIL: truth((T, f"{T}::test_pay"), (U, f"{U}::test_cart")),
        },
    ),
    Recipe(
        tool="pytest",
        case="parameters",
        layer="test",
        command="pytest -v -p no:cacheprovider",
        needs=("pytest",),
        packages="pip: pytest",
        files=PARAMETERS,
        variants={
            SHIFTED: shifted(PARAMETERS, T),
            PARTIAL: {T: PARAMETERS[T].replace("('x', 2)", "('x', 1)")},
            OTHER: {T: PARAMETERS[T].replace("('x', 2)", "('x', 1)").replace("('a - b', 5)", "('a - b', 6)")},
            DETAIL: {T: PARAMETERS[T].replace("len(text) ==", "len(text) * 3 + 2 ==").replace("5", "17")},
        },
        truths={
            "base": truth((T, f"{T}::test_length[x-2]"), (T, f"{T}::test_length[-1]")),
            PARTIAL: truth((T, f"{T}::test_length[-1]")),
            OTHER: truth((T, f"{T}::test_length[a - b-6]"), (T, f"{T}::test_length[-1]")),
            DETAIL: truth((T, f"{T}::test_length[x-2]"), (T, f"{T}::test_length[-1]")),
        },
    ),
)
UNITTEST = (
    Recipe(
        tool="unittest",
        case="assert",
        layer="test",
        command="python3 -m unittest",
        needs=("python3",),
        files=UNITTESTS,
        variants=ASSERT_VARIANTS | {SHIFTED: shifted(UNITTESTS, "shop.py", T)},
        truths={
            "base": UNIT_FAILING,
            PARTIAL: truth((T, f"{UNIT}test_price")),
            OTHER: truth((T, f"{UNIT}test_price"), (T, f"{UNIT}test_zero")),
            DETAIL: UNIT_FAILING,
        },
    ),
    Recipe(
        tool="unittest",
        case="import",
        layer="test",
        command="python3 -m unittest discover -v",
        needs=("python3",),
        files=BROKEN_UNITTESTS,
        variants={
            SHIFTED: shifted(BROKEN_UNITTESTS, T, U),
            PARTIAL: {U: BROKEN_UNITTESTS[U].replace("[]", "['b']")},
            OTHER: {U: BROKEN_UNITTESTS[U].replace("self.assertIn('b', [])", "{}['b']")},
            DETAIL: {T: BROKEN_UNITTESTS[T].replace("prize", "pricing")},
        },
        truths={
            "base": truth((T, "test_shop"), (U, "test_cart.CartTest.test_cart")),
            PARTIAL: truth((T, "test_shop")),
            OTHER: truth((T, "test_shop"), (U, "test_cart.CartTest.test_cart")),
            DETAIL: truth((T, "test_shop"), (U, "test_cart.CartTest.test_cart")),
        },
    ),
)  # fmt: skip
RECIPES: tuple[Recipe, ...] = (*PYTEST, *UNITTEST)
