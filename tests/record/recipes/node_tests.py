"""jest, vitest, mocha and Node's own test runner."""

from collections.abc import Mapping

from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import NODE, shifted, truth

JEST_JOINT = " \u203a "
SHOP = "exports.price = (net) => net * 1.2;\nexports.name = (first, last) => last + first;\n"
MODULE = "export const price = (net) => net * 1.2;\nexport const name = (first, last) => last + first;\n"
BODY = """\
describe('shop', () => {
  it('adds the tax', () => {
    %(price)s;
  });
  it('joins names', () => {
    %(name)s;
  });
  it('is free', () => {
    %(zero)s;
  });
});
"""
EXPECT = {
    "price": "expect(price(100)).toBe(119)",
    "name": "expect(name('Ada', 'Lovelace')).toBe('Ada Lovelace')",
    "zero": "expect(price(0)).toBe(0)",
}
STRICT = {
    "price": "assert.strictEqual(price(100), 119)",
    "name": "assert.strictEqual(name('Ada', 'Lovelace'), 'Ada Lovelace')",
    "zero": "assert.strictEqual(price(0), 0)",
}
HOOK = """\
describe('till', () => {
  before(() => {
    throw new Error('the till is locked');
  });
  it('opens', () => {});
});
describe('cart', () => {
  it('takes', () => {
    null.take();
  });
});
"""


CODE = HOOK.replace("before(() => {\n", "it('opens', () => {\n").replace("  it('opens', () => {});\n", "")
"""Without a hook: of one that fails, Node's JUnit report says nothing."""


def variants(files: Mapping[str, str], source: str) -> dict[str, dict[str, str]]:
    """Return what differs from two failed assertions over `source`."""
    text = files[source]
    joined = text.replace("last + first", "first + ' ' + last")
    return {
        SHIFTED: shifted(files, *(path for path in files if path.endswith("js"))),
        PARTIAL: {source: joined},
        OTHER: {source: joined.replace("net * 1.2", "net * 1.2 + (net ? 0 : 1)")},
        DETAIL: {source: text.replace("last + first", "last + '-' + first")},
    }


def asserts(tool: str, command: str, test: str, files: Mapping[str, str], name: str) -> Recipe:
    """Return two failed assertions; `name` makes a test's id of its title."""
    tax, names, free = (name.format(title) for title in ("adds the tax", "joins names", "is free"))
    source = next(path for path in files if path != test and path.endswith("js"))
    return Recipe(
        tool=tool,
        case="assert",
        layer="test",
        command=command,
        needs=("node",),
        packages="" if tool == "node-test" else f"npm: {tool}",
        links=NODE,
        files=files,
        variants=variants(files, source),
        truths={
            "base": truth((test, tax), (test, names)),
            PARTIAL: truth((test, tax)),
            OTHER: truth((test, tax), (test, free)),
            DETAIL: truth((test, tax), (test, names)),
        },
    )


JEST_TEST = "const { price, name } = require('./shop');\n\n" + BODY % EXPECT
VITEST_TEST = (
    "import { describe, expect, it } from 'vitest';\nimport { price, name } from './shop.mjs';\n\n" + BODY % EXPECT
)
MOCHA_TEST = "const assert = require('node:assert');\nconst { price, name } = require('../shop');\n\n" + BODY % STRICT
NODE_TEST = "const { describe, it } = require('node:test');\n" + MOCHA_TEST
JEST_NAME = f"shop{JEST_JOINT}{{}}"
JEST = {"package.json": "{}", "shop.js": SHOP, "shop.test.js": JEST_TEST}
ASSERTS = (
    asserts("jest", "jest --ci", "shop.test.js", JEST, JEST_NAME),
    asserts("vitest", "vitest run", "shop.test.mjs", {"shop.mjs": MODULE, "shop.test.mjs": VITEST_TEST}, "shop > {}"),
    asserts("mocha", "mocha", "test/shop.js", {"shop.js": SHOP, "test/shop.js": MOCHA_TEST}, "shop {}"),
    asserts("node-test", "node --test", "test/shop.js", {"shop.js": SHOP, "test/shop.js": NODE_TEST}, "shop > {}"),
)  # fmt: skip


def throws(tool: str, command: str, test: str, text: str, ids: tuple[str, str]) -> Recipe:
    """Return a hook that throws and a test that does."""
    files = {"package.json": "{}", test: text}
    hook, thrown = ids
    return Recipe(
        tool=tool,
        case="throws",
        layer="test",
        command=command,
        needs=("node",),
        packages="" if tool == "node-test" else f"npm: {tool}",
        links=NODE,
        files=files,
        variants={
            SHIFTED: shifted(files, test),
            PARTIAL: {test: text.replace("null.take();", "")},
            DETAIL: {test: text.replace("is locked", "is empty")},
        },
        truths={
            "base": truth((test, hook), (test, thrown)),
            PARTIAL: truth((test, hook)),
            DETAIL: truth((test, hook), (test, thrown)),
        },
    )


THROWS = (
    throws(
        "jest",
        "jest --ci",
        "till.test.js",
        HOOK.replace("before(", "beforeAll("),
        (f"till{JEST_JOINT}opens", f"cart{JEST_JOINT}takes"),
    ),
    throws(
        "vitest",
        "vitest run",
        "till.test.mjs",
        "import { beforeEach, describe, it } from 'vitest';\n" + HOOK.replace("before(", "beforeEach("),
        ("till > opens", "cart > takes"),
    ),
    throws("mocha", "mocha", "test/till.js", HOOK, ('till "before all" hook for "opens"', "cart takes")),
    throws(
        "node-test",
        "node --test",
        "test/till.js",
        "const { describe, it } = require('node:test');\n" + CODE,
        ("till > opens", "cart > takes"),
    ),
)
RECIPES: tuple[Recipe, ...] = (*ASSERTS, *THROWS)
