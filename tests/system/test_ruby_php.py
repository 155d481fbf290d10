"""`fixloop run` on real Ruby (rspec, rake with minitest) and PHP projects: a failure in each layer, repaired."""

import json
import sys

import pytest

from fixloop_bot.model.agent import AssistantTurn
from tests.e2e.workspace import Workspace, finished
from tests.fakes.model_server import ModelServer, edit, finish, turn
from tests.system.toolchains import install

TOOLS = {
    "ruby": "ruby ruby-minitest ruby-test-unit",
    "bundle": "bundler",
    "rake": "rake",
    "rubocop": "rubocop",
    "rspec": "ruby-rspec",
    "php": "php-cli php-xml php-mbstring",
    "phpunit": "phpunit",
    "phpcs": "php-codesniffer",
}
RUBOCOP = "AllCops:\n  DisabledByDefault: true\n  SuggestExtensions: false\n  TargetRubyVersion: 2.7\n"
COPS = ("Lint/AssignmentInCondition", "Lint/UselessAssignment", "Style/StringLiterals")
RUBOCOP += "".join(f"{cop}:\n  Enabled: true\n" for cop in COPS)
GEMFILE = "source 'https://rubygems.org'\n\ngem 'rspec'\ngem 'rubocop', require: false\n"
PRICE = """\
module Price
  def self.total(prices)
    prices.sum
  end

  def self.of(item)
    item.fetch(:price
  end
end
"""
STOCK = """\
module Stock
  def self.pages(items, per_page)
    return 0 if items = 0

    label = "pages"
    items / per_page
  end
end
"""
SPEC = """\
require_relative '../lib/price'
require_relative '../lib/stock'

RSpec.describe Stock do
  it 'opens a page for what is left' do
    expect(Stock.pages(21, 10)).to eq(3)
  end

  it 'opens no page for nothing' do
    expect(Stock.pages(0, 10)).to eq(0)
  end
end

RSpec.describe Price do
  it 'adds up' do
    expect(Price.total([1, 2])).to eq(3)
  end
end
"""
TEST = """\
require 'minitest/autorun'
require_relative '../lib/price'
require_relative '../lib/stock'

class ShopTest < Minitest::Test
  def test_opens_a_page_for_what_is_left
    assert_equal 3, Stock.pages(21, 10)
  end

  def test_adds_up
    assert_equal 3, Price.total([1, 2])
  end
end
"""
LIBRARY = {"lib/price.rb": PRICE, "lib/stock.rb": STOCK, ".rubocop.yml": RUBOCOP}
RSPEC_PROJECT = LIBRARY | {"Gemfile": GEMFILE, "spec/shop_spec.rb": SPEC}
RAKE_PROJECT = LIBRARY | {
    "Rakefile": "require 'rake/testtask'\nrequire 'rubocop/rake_task'\n\n"
    "Rake::TestTask.new { |task| task.pattern = 'test/*_test.rb' }\nRuboCop::RakeTask.new\n",
    "test/shop_test.rb": TEST,
}
RUBY_REPAIRS = [
    turn(edit("lib/price.rb", "item.fetch(:price\n", "item.fetch(:price)\n"), finish("done", hypothesis="a bracket")),
    turn(
        edit("lib/stock.rb", "items = 0", "items.zero?"),
        edit("lib/stock.rb", "    label = 'pages'\n", ""),
        finish("done", hypothesis="an assignment for a comparison"),
    ),
    turn(
        edit("lib/stock.rb", "items / per_page", "(items.to_f / per_page).ceil"), finish("done", hypothesis="rounding")
    ),
]
CLEANED = [
    "fix-loop: compile clean (iteration 1)",
    "fix-loop: lint clean (iteration 2)",
    "fix-loop: test clean (iteration 3)",
]

PHP_PROJECT = {
    "composer.json": '{"name": "shop/shop", "require": {"php": ">=7.4"}}\n',
    "phpcs.xml": '<?xml version="1.0"?>\n<ruleset name="shop"><file>src</file><rule ref="PSR12"/></ruleset>\n',
    "phpunit.xml": '<?xml version="1.0"?>\n<phpunit>\n  <testsuites>\n    <testsuite name="all">\n'
    "      <directory>tests</directory>\n    </testsuite>\n  </testsuites>\n</phpunit>\n",
    "src/Price.php": """\
<?php

namespace Shop;

class Price
{
    public static function total(array $prices): int
    {
        return array_sum($prices;
    }
}
""",
    "src/Stock.php": """\
<?php

namespace Shop;

class Stock
{
    static function pages(int $items, int $perPage): int
    {
        return intdiv($items,$perPage);
    }
}
""",
    "tests/ShopTest.php": """\
<?php

use PHPUnit\\Framework\\TestCase;
use Shop\\Price;
use Shop\\Stock;

require_once __DIR__ . '/../src/Price.php';
require_once __DIR__ . '/../src/Stock.php';

final class ShopTest extends TestCase
{
    public function testAddsUp(): void
    {
        $this->assertSame(3, Price::total([1, 2]));
    }

    public function testOpensAPageForWhatIsLeft(): void
    {
        $this->assertSame(3, Stock::pages(21, 10));
    }
}
""",
}
PHP_REPAIRS = [
    turn(edit("src/Price.php", "array_sum($prices;", "array_sum($prices);"), finish("done", hypothesis="a bracket")),
    turn(
        edit("src/Stock.php", "    static function", "    public static function"),
        finish("done", hypothesis="no scope"),
    ),
    turn(
        edit("src/Stock.php", "intdiv($items, $perPage)", "(int) ceil($items / $perPage)"),
        finish("done", hypothesis="rounding"),
    ),
]


@pytest.fixture(scope="module", autouse=True)
def toolchain() -> None:
    """Install what is missing."""
    install(TOOLS)


@pytest.mark.parametrize(
    ("project", "repairs"),
    [
        pytest.param(RSPEC_PROJECT, RUBY_REPAIRS, id="Ruby with Bundler, rubocop and rspec"),
        pytest.param(RAKE_PROJECT, RUBY_REPAIRS, id="Ruby with rake and minitest"),
        pytest.param(PHP_PROJECT, PHP_REPAIRS, id="PHP with phpcs and PHPUnit"),
    ],
)
def test_three_layers_are_repaired_one_after_the_other(
    workspace: Workspace, project: dict[str, str], repairs: list[AssistantTurn]
) -> None:
    start = workspace.commit(project)
    with ModelServer(repairs) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "5")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == CLEANED
    assert len(server.requests) == len(repairs), "each layer took one call"
    assert workspace.status == "", "what the tools wrote is gone"
    assert [record["productive"] for record in workspace.records()] == [True, True, True]


def test_the_linters_own_corrections_cost_nothing(workspace: Workspace) -> None:
    mended = RSPEC_PROJECT | {
        "lib/price.rb": PRICE.replace("(:price", "(:price)"),
        "lib/stock.rb": 'module Stock\n  NAME = "stock"\n\n  def self.pages(items, per_page)\n'
        "    (items.to_f / per_page).ceil\n  end\nend\n",
    }
    start = workspace.commit(mended)
    done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == ["fix-loop: lint clean (free)"]
    assert "NAME = 'stock'" in (workspace.root / "lib/stock.rb").read_text()


def validated(workspace: Workspace, layer: str) -> dict[str, object]:
    """Return what `fixloop validate` says of one layer."""
    arguments = ["validate", "--project-root", str(workspace.root), "--layer", layer]
    done = finished([sys.executable, "-m", "fixloop_bot", *arguments], env=workspace.environment())
    (found,) = json.loads(done.stdout)["layers"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("project", "name"),
    [
        pytest.param(
            RSPEC_PROJECT | {"spec/shop_spec.rb": "RSpec.describe('nothing') {}\n"},
            "rspec",
            id="rspec without examples",
        ),
        pytest.param(PHP_PROJECT | {"tests/ShopTest.php": "<?php\n"}, "phpunit", id="PHPUnit without tests"),
        pytest.param(
            RAKE_PROJECT | {"test/shop_test.rb": "require 'minitest/autorun'\n"}, "rake", id="minitest without tests"
        ),
    ],
)
def test_a_suite_without_a_test_is_no_pass(workspace: Workspace, project: dict[str, str], name: str) -> None:
    workspace.commit(project)
    found = validated(workspace, "test")
    assert found["status"] == "error", found
    assert name in str(found["reason"])
    assert "ran no test" in str(found["reason"])


def test_a_gem_that_is_declared_and_not_installed_is_no_fault_of_the_code(workspace: Workspace) -> None:
    workspace.commit(RSPEC_PROJECT | {"Gemfile": GEMFILE + 'gem "no-such-gem-anywhere"\n'})
    found = validated(workspace, "lint")
    assert found["status"] in {"fail", "error"}, found
    assert "no-such-gem-anywhere" in str(found["output"])
