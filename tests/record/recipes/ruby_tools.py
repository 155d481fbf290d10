"""Ruby's own syntax check, rubocop, rspec, minitest and test-unit, as Debian packages them."""

from collections.abc import Mapping

from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import truth

SHOP, PAGES = "lib/shop.rb", "lib/pages.rb"
EACH = 'for f in lib/*.rb; do ruby -c "$f" || rc=1; done; exit ${rc:-0}'
SYNTAX = "SyntaxError"


def lower(files: Mapping[str, str], *paths: str) -> dict[str, str]:
    """Return these files with three lines of comment above."""
    return {path: f"# Moved\n# down\n# by three.\n{files[path]}" for path in paths}


def shop(total: str, name: str) -> str:
    return f"module Shop\n  def self.total(a, b)\n    {total}\n  end\n\n  def self.name(all)\n    {name}\n  end\nend\n"


def pages(count: str) -> str:
    return f"module Pages\n  def self.count(items)\n    {count}\n  end\nend\n"


BROKEN = {SHOP: shop("a = = b", "all"), PAGES: pages("[items")}
FORBIDDEN = {SHOP: shop("unused = 1\n    Total = a", "$1 = all")}
FAULTS = (
    Recipe(
        tool="ruby-syntax",
        case="each",
        layer="compile",
        command=EACH,
        needs=("ruby",),
        packages="apt: ruby",
        files=BROKEN,
        variants={
            SHIFTED: lower(BROKEN, SHOP, PAGES),
            PARTIAL: {PAGES: pages("items")},
            OTHER: {PAGES: pages("Count = items")},
            DETAIL: {PAGES: pages("{ items: 1")},
        },
        truths={
            "base": truth((SHOP, SYNTAX), (PAGES, SYNTAX)),
            PARTIAL: truth((SHOP, SYNTAX)),
            OTHER: truth((SHOP, SYNTAX), (PAGES, SYNTAX)),
            DETAIL: truth((SHOP, SYNTAX), (PAGES, SYNTAX)),
        },
    ),
    Recipe(
        tool="ruby-syntax",
        case="warnings",
        layer="compile",
        command=f"ruby -wc {SHOP}",
        needs=("ruby",),
        packages="apt: ruby",
        files=FORBIDDEN,
        variants={
            SHIFTED: lower(FORBIDDEN, SHOP),
            PARTIAL: {SHOP: shop("unused = 1\n    a", "$1 = all")},
            OTHER: {SHOP: shop("unused = 1\n    class Total; end", "$1 = all")},
            DETAIL: {SHOP: shop("unused = 1\n    Total = a", "$2 = all")},
        },
        truths={
            "base": truth((SHOP, SYNTAX), (SHOP, SYNTAX)),
            PARTIAL: truth((SHOP, SYNTAX)),
            OTHER: truth((SHOP, SYNTAX), (SHOP, SYNTAX)),
            DETAIL: truth((SHOP, SYNTAX), (SHOP, SYNTAX)),
        },
    ),
)

USELESS, CONDITION, RESCUE = "Lint/UselessAssignment", "Lint/AssignmentInCondition", "Lint/SuppressedException"
LINTED = {
    ".rubocop.yml": "AllCops:\n  DisabledByDefault: true\nLint:\n  Enabled: true\n",
    SHOP: shop("sum = a + b\n    a + b", "all if all = 1"),
}
OFFENSES = {
    "base": truth((SHOP, USELESS), (SHOP, CONDITION)),
    PARTIAL: truth((SHOP, USELESS)),
    OTHER: truth((SHOP, USELESS), (SHOP, RESCUE)),
    DETAIL: truth((SHOP, USELESS), (SHOP, CONDITION)),
}


def rubocop(case: str, command: str) -> Recipe:
    """Return two offenses as one of the formatters prints them."""
    return Recipe(
        tool="rubocop",
        case=case,
        layer="lint",
        command=command,
        needs=("rubocop",),
        packages="apt: rubocop",
        files=LINTED,
        variants={
            SHIFTED: lower(LINTED, SHOP),
            PARTIAL: {SHOP: shop("sum = a + b\n    a + b", "all if all == 1")},
            OTHER: {SHOP: shop("sum = a + b\n    a + b", "all.to_i\n  rescue StandardError")},
            DETAIL: {SHOP: shop("total = a + b\n    a + b", "all if all = 1")},
        },
        truths=OFFENSES,
    )


RUBOCOP = (
    rubocop("progress", "rubocop --cache false"),
    rubocop("emacs", "rubocop --cache false --format emacs"),
    rubocop("simple", "rubocop --cache false --format simple"),
    rubocop("github", "rubocop --cache false --format github"),
)

SPEC = "spec/shop_spec.rb"
EXAMPLES = """\
require_relative "../lib/shop"

RSpec.describe Shop do
  it "adds up" do
    expect(Shop.total(2, 3)).to eq(5)
  end

  context "with a list" do
    it "joins names" do
      expect(Shop.name({ first: "Ada" })).to eq("Ada!")
    end

    it "is free" do
      expect(Shop.total(0, 0)).to eq(0)
    end
  end
end
"""
TESTS = """\
%(library)s
require_relative "../lib/shop"

class ShopTest < %(base)s
  def test_adds_up
    assert_equal 5, Shop.total(2, 3)
  end

  def test_joins_names
    assert_equal "Ada!", Shop.name({ first: "Ada" })
  end

  def test_is_free
    assert_equal 0, Shop.total(0, 0)
  end
end
"""
MINITEST = TESTS % {"library": 'require "minitest/autorun"', "base": "Minitest::Test"}
TEST_UNIT = TESTS % {"library": 'require "test/unit"', "base": "Test::Unit::TestCase"}


def asserts(tool: str, case: str, command: str, test: tuple[str, str], names: tuple[str, str, str]) -> Recipe:
    """Return a failed assertion and an exception from the code below it."""
    path, text = test
    adds, joins, free = names
    files = {SHOP: shop("a - b", "all.fetch(:name)"), path: text}
    return Recipe(
        tool=tool,
        case=case,
        layer="test",
        command=command,
        needs=("rspec",) if tool == "rspec" else ("ruby",),
        packages={"rspec": "apt: ruby-rspec", "test-unit": "apt: ruby-test-unit"}.get(case, "apt: ruby-minitest"),
        files=files,
        variants={
            SHIFTED: lower(files, SHOP, path),
            PARTIAL: {SHOP: shop("a - b", 'all.fetch(:first) + "!"')},
            OTHER: {SHOP: shop("a == 2 ? 1 : a + b + 1", 'all.fetch(:first) + "!"')},
            DETAIL: {SHOP: shop("a - b", "all.fetch(:last)")},
        },
        truths={
            "base": truth((path, adds), (path, joins)),
            PARTIAL: truth((path, adds)),
            OTHER: truth((path, adds), (path, free)),
            DETAIL: truth((path, adds), (path, joins)),
        },
    )


SPECS = ("Shop adds up", "Shop with a list joins names", "Shop with a list is free")
METHODS = ("ShopTest#test_adds_up", "ShopTest#test_joins_names", "ShopTest#test_is_free")
IN_PARENTHESES = ("test_adds_up(ShopTest)", "test_joins_names(ShopTest)", "test_is_free(ShopTest)")
ASSERTS = (
    asserts("rspec", "assert", "rspec --order rand", (SPEC, EXAMPLES), SPECS),
    asserts("rspec", "documentation", "rspec --format documentation --order rand", (SPEC, EXAMPLES), SPECS),
    asserts("minitest", "assert", "ruby -Ilib test/shop_test.rb", ("test/shop_test.rb", MINITEST), METHODS),
    asserts("minitest", "verbose", "ruby -Ilib test/shop_test.rb -v", ("test/shop_test.rb", MINITEST), METHODS),
    asserts("minitest", "test-unit", "ruby -Ilib test/test_shop.rb", ("test/test_shop.rb", TEST_UNIT), IN_PARENTHESES),
)

CART = "spec/cart_spec.rb"
CART_SPEC = 'RSpec.describe "cart" do\n  it "takes" do\n    expect(1).to eq(1)\n  end\nend\n'
UNLOADABLE = {
    SHOP: shop("a + b", "all"),
    SPEC: EXAMPLES.replace("../lib/shop", "../lib/shopp"),
    CART: CART_SPEC.removesuffix("end\n"),
}
LOADING = Recipe(
    tool="rspec",
    case="load",
    layer="test",
    command="rspec",
    needs=("rspec",),
    packages="apt: ruby-rspec",
    files=UNLOADABLE,
    variants={
        SHIFTED: lower(UNLOADABLE, SPEC, CART),
        PARTIAL: {CART: CART_SPEC},
        OTHER: {CART: CART_SPEC + "\ntake\n"},
        DETAIL: {CART: CART_SPEC.replace("eq(1)", "eq(1")},
    },
    truths={
        "base": truth((SPEC, SPEC), (CART, SYNTAX)),
        PARTIAL: truth((SPEC, SPEC)),
        OTHER: truth((SPEC, SPEC), (CART, CART)),
        DETAIL: truth((SPEC, SPEC), (CART, SYNTAX)),
    },
)

RECIPES: tuple[Recipe, ...] = (*FAULTS, *RUBOCOP, *ASSERTS, LOADING)
