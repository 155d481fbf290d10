"""Formats that many tools share: SARIF, JUnit XML and TAP, of tools that have no parser of their own."""

from tests.record.recipe import BASE, DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import shifted, truth

A, B = "app/a.py", "app/b.py"
INSECURE = {
    A: "import hashlib\n\n\ndef name(data):\n    return hashlib.md5(data).hexdigest()\n",
    B: "import subprocess\n\n\ndef run(line):\n    return subprocess.run(line, shell=True)\n",
}
SECURE = {
    A: INSECURE[A].replace("md5", "sha256"),
    B: INSECURE[B].replace(", shell=True", ""),
}
WEAK, SHELL = (A, "B324"), (B, "B602")

UNUSED = {A: "import os\n", B: "print(undefined_name)\n"}

T, L = "t/shop.t", "lib/Shop.pm"
SHOP = "package Shop;\nsub price { my ($net) = @_; return $net - 1; }\nsub name { return 'shpo'; }\n1;\n"
PROVED = {
    L: SHOP,
    T: "use strict;\nuse warnings;\nuse lib 'lib';\nuse Test::More tests => 3;\nuse Shop;\n\n"
    "is(Shop::price(2), 3, 'price adds');\nok(1, 'fine');\nsubtest names => sub {\n    plan tests => 2;\n"
    "    is(Shop::name(), 'shop', 'spelled');\n    ok(1, 'there');\n};\n",
}
PRICE, NAME = (T, "price adds"), (T, "names > spelled")

J, S = "test_shop.py", "shop.py"
JUNIT = {
    S: "def price(net):\n    return net - 1\n\n\ndef name():\n    return 'shpo'\n",
    J: "import unittest\n\nimport shop\n\n\nclass ShopTest(unittest.TestCase):\n"
    "    def test_price(self):\n        self.assertEqual(shop.price(2), 3)\n\n"
    "    def test_name(self):\n        self.assertEqual(shop.name(), 'shop')\n",
}
JUNIT_PRICE, JUNIT_NAME = (J, "test_shop.ShopTest test_price"), (J, "test_shop.ShopTest test_name")

RECIPES = (
    Recipe(
        tool="sarif",
        case="bandit",
        layer="lint",
        command="bandit -q -f sarif -r app",
        needs=("bandit",),
        packages="pip: bandit[sarif]",
        files=INSECURE,
        variants={
            SHIFTED: shifted(INSECURE, A, B),
            PARTIAL: {A: SECURE[A]},
            OTHER: {A: "import os\n\n\ndef run(line):\n    return os.system(line)\n"},
            DETAIL: {A: INSECURE[A].replace("md5", "sha1")},
        },
        truths={
            BASE: truth(WEAK, SHELL),
            PARTIAL: truth(SHELL),
            OTHER: truth((A, "B605"), SHELL),
            DETAIL: truth(WEAK, SHELL),
        },
    ),
    Recipe(
        tool="ruff",
        case="sarif",
        layer="lint",
        command="ruff check --no-cache --output-format sarif .",
        needs=("ruff",),
        packages="pip: ruff",
        files=UNUSED,
        variants={
            SHIFTED: shifted(UNUSED, A, B),
            PARTIAL: {A: ""},
            OTHER: {A: "x = 1 if {} is {} else 2\n"},
            DETAIL: {B: "print(another_name)\n"},
        },
        truths={
            BASE: truth((A, "F401"), (B, "F821")),
            PARTIAL: truth((B, "F821")),
            OTHER: truth((A, "F632"), (B, "F821")),
            DETAIL: truth((A, "F401"), (B, "F821")),
        },
    ),
    Recipe(
        tool="tap",
        case="prove",
        layer="test",
        command="prove -v t",
        needs=("prove", "perl"),
        packages="apt: perl",
        files=PROVED,
        variants={
            SHIFTED: {T: "# Moved\n# down\n" + PROVED[T]},
            PARTIAL: {L: SHOP.replace("- 1", "+ 1")},
            OTHER: {L: SHOP.replace("- 1", "+ 1"), T: PROVED[T].replace("ok(1, 'fine')", "ok(0, 'fine')")},
            DETAIL: {L: SHOP.replace("shpo", "shoop")},
        },
        truths={
            BASE: truth(PRICE, NAME),
            PARTIAL: truth(NAME),
            OTHER: truth((T, "fine"), NAME),
            DETAIL: truth(PRICE, NAME),
        },
    ),
    Recipe(
        tool="junit-xml",
        case="nose2",
        layer="test",
        command="nose2 --plugin nose2.plugins.junitxml --junit-xml --junit-xml-path junit.xml >/dev/null 2>&1; "
        "code=$?; cat junit.xml; exit $code",
        needs=("nose2",),
        packages="pip: nose2",
        files=JUNIT,
        variants={
            SHIFTED: shifted(JUNIT, J, S),
            PARTIAL: {S: JUNIT[S].replace("- 1", "+ 1")},
            OTHER: {S: JUNIT[S].replace("return net - 1", "return net / 0")},
            DETAIL: {S: JUNIT[S].replace("shpo", "shoop")},
        },
        truths={
            BASE: truth(JUNIT_PRICE, JUNIT_NAME),
            PARTIAL: truth(JUNIT_NAME),
            OTHER: truth(JUNIT_PRICE, JUNIT_NAME),
            DETAIL: truth(JUNIT_PRICE, JUNIT_NAME),
        },
    ),
)
