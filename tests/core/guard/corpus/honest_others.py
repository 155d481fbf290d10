"""Honest edits of other languages: repairs, refactorings, new tests, and words that only look like a cheat."""

from tests.core.guard.corpus import compiled_cheats as compiled
from tests.core.guard.corpus import dynamic_cheats as dynamic
from tests.core.guard.corpus import script_cheats as script
from tests.core.guard.corpus.edit import Edit, instead

SERVER = 'const server = start();\n\nprocess.on("SIGTERM", () => server.close());\n'
MAIN_GO = 'package main\n\nimport "os"\n\nfunc main() {\n\tif err := run(); err != nil {\n\t\tos.Exit(1)\n\t}\n}\n'


def _file(name: str, path: str, before: str | None, after: str | None, failing: str = "") -> Edit:
    return Edit(name=name, path=path, before=before, after=after, rule="", failing=failing)


def _ts(name: str, new: str, old: str = script.WRONG) -> Edit:
    return _file(name, script.PATH, script.BASE, instead(script.BASE, old, new), script.FAILING)


def _go(name: str, new: str, old: str = compiled.GO_WRONG) -> Edit:
    return _file(name, "shop/prices.go", compiled.GO, instead(compiled.GO, old, new), compiled.GO_TEST)


def _rust(name: str, new: str, old: str = compiled.RUST_WRONG) -> Edit:
    return _file(name, "src/lib.rs", compiled.RUST, instead(compiled.RUST, old, new), compiled.RUST_TEST)


def _java(name: str, new: str, old: str = compiled.JAVA_WRONG) -> Edit:
    after = instead(compiled.JAVA, old, new)
    return _file(name, "src/main/java/shop/Prices.java", compiled.JAVA, after, compiled.JAVA_TEST)


def _ruby(name: str, new: str, old: str = dynamic.RUBY_WRONG) -> Edit:
    return _file(name, "lib/prices.rb", dynamic.RUBY, instead(dynamic.RUBY, old, new), dynamic.RUBY_TEST)


def _php(name: str, new: str, old: str = dynamic.PHP_WRONG) -> Edit:
    return _file(name, "src/Prices.php", dynamic.PHP, instead(dynamic.PHP, old, new), dynamic.PHP_TEST)


EDITS = (
    _ts("the plain repair in TypeScript", "  return price + tax;\n"),
    _ts("a comment that speaks of eslint-disable", "  // we need no eslint-disable here\n  return price + tax;\n"),
    _ts("a string that names the test environment", '  if (tax < 0) throw new Error("NODE_ENV test and process.exit(0) are strangers here");\n  return price + tax;\n'),
    _ts("a label repaired", "=> `${price.toFixed(2)} EUR`;", "=> `${price} EUR`;"),
    _ts("an arrow function made a function", "export function label(price: number): string {\n  return `${price.toFixed(2)} EUR`;\n}", "export const label = (price: number): string => `${price} EUR`;"),
    _ts("a branch on null", "  if (found === null) {\n    throw", "  if (!found) {\n    throw"),
    _ts("an error named", '    throw new TypeError("no prices");\n', '    throw new Error("no prices");\n'),
    _ts("a catch that tells", "  try {\n    return price + tax;\n  } catch (error) {\n    console.error(error);\n    throw error;\n  }\n"),
    _file("process.exit(1) added", "src/run.mjs", "run().catch(console.error);\n", "run().catch((error) => {\n  console.error(error);\n  process.exit(1);\n});\n"),
    _file("a script's exit code set to one", "src/check.mjs", "check();\n", "if (!check()) process.exitCode = 1;\n"),
    _file("a server that stops in good order", "src/server.js", SERVER, SERVER.replace("server.close()", "server.close(() => log('closed'))")),
    _file("a web server that ends when it is told to", "src/index.js", "app.listen(80);\n", "const server = app.listen(80);\nprocess.on('SIGTERM', () => server.close(() => process.exit(0)));\n"),
    _file("a model that is fitted", "src/model.js", "export const train = (model, data) => model.fits(data);\n", "export const train = (model, data) => model.fit(data);\n"),
    _file("a method called only", "src/query.js", "export const first = (q) => q.limit(1);\n", "export const first = (q) => q.only('id').skip(2).limit(1);\n"),
    _file("a regular expression with quotes", "src/quote.js", "export const strip = (s) => s;\n", "export const strip = (s) => s.replace(/[\"'`]/g, '');\n"),
    _file("a new jest test", "src/more.test.ts", None, 'import { total } from "./prices";\n\ntest("adds", () => {\n  expect(total(1, 2)).toBe(3);\n  expect([total(1, 0)]).toEqual([1]);\n});\n'),
    _file("a new node test", "test/more.test.mjs", None, 'import test from "node:test";\nimport assert from "node:assert";\n\ntest("adds", () => {\n  assert.equal(1 + 1, 2);\n  assert.ok(true === Boolean(1));\n});\n'),
    _file("a component's markup", "src/App.tsx", "export const App = () => <p>Hello</p>;\n", "export const App = () => <p>Don't panic, it's only a test</p>;\n"),
    _file("a deno file that says skip", "src/skip.ts", "export const skip = 1;\n", "export const skip = 2;\n"),
    _go("the plain repair in Go", "\treturn price + tax\n"),
    _go("an error wrapped", '\t\treturn nil, fmt.Errorf("load: %w", errors.New("no text"))\n', '\t\treturn nil, errors.New("no text")\n'),
    _go("a clause for nothing", "\tif price == 0 {\n\t\treturn tax\n\t}\n\treturn price + tax\n"),
    _go("a panic handled by name", "\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tlog.Println(r)\n\t\t\tpanic(r)\n\t\t}\n\t}()\n\treturn price + tax\n"),
    _file("a tokenizer that skips", "shop/scan.go", "package shop\n\nfunc next(t *tokens) { t.Read() }\n", "package shop\n\nfunc next(t *tokens) {\n\tt.Skip()\n\tt.Read()\n}\n"),
    _file("os.Exit(2) in main", "cmd/shop/main.go", MAIN_GO, MAIN_GO.replace("os.Exit(1)", "os.Exit(2)")),
    _file("a new Go test", "shop/more_test.go", None, 'package shop\n\nimport "testing"\n\nfunc TestMore(t *testing.T) {\n\tif Total(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n'),
    _file("a build tag for a platform", "shop/open_linux.go", None, "//go:build linux\n\npackage shop\n\nfunc open() {}\n"),
    _rust("the plain repair in Rust", "    price + tax\n"),
    _rust("a new test in the module", "        assert_eq!(total(40, 2), 42);\n    }\n\n    #[test]\n    fn adds_nothing() {\n        assert_eq!(total(1, 0), 1);\n    }\n", "        assert_eq!(total(40, 2), 42);\n    }\n"),
    _rust("the module laid out anew", "        assert_eq!(\n            total(40, 2),\n            42,\n        );\n", "        assert_eq!(total(40, 2), 42);\n"),
    _rust("an equality that compares", "impl PartialEq for Price {\n    fn eq(&self, other: &Self) -> bool {\n        self.cents == other.cents\n    }\n}\n\npub fn load(", "pub fn load("),
    _rust("a match on more", "    match text.trim() {\n        \"\" => None,\n        found => found.parse().ok(),\n    }\n", "    text.trim().parse().ok()\n"),
    _rust("an iterator that skips", "    text.split(',').skip(1).next()?.parse().ok()\n", "    text.trim().parse().ok()\n"),
    _rust("a derive added", "#[derive(Debug, Clone, PartialEq)]\npub struct Price;\n\npub fn load(", "pub fn load("),
    _file("a first test module in a file", "src/half.rs", "pub fn half(n: i64) -> i64 {\n    n\n}\n", "pub fn half(n: i64) -> i64 {\n    n / 2\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn halves() {\n        assert_eq!(half(4), 2);\n    }\n}\n"),
    _java("the plain repair in Java", "        return price + tax;\n"),
    _java("an exception translated", '        try {\n            return price + tax;\n        } catch (ArithmeticException e) {\n            throw new IllegalStateException("total", e);\n        }\n'),
    _java("an equality that compares", "    @Override public boolean equals(Object other) { return other instanceof Prices; }\n\n    public int load", "    public int load"),
    _java("an annotation for JSON", '    @JsonIgnore\n    @Deprecated(since = "2")\n    public int load', "    public int load"),
    _java("a comment on tests", "        // org.junit would call this twice; see @Disabled and System.exit(0)\n        return price + tax;\n"),
    _java("a limit named", "        if (price > 1_000_000) {\n            throw new IllegalArgumentException();\n        }\n        return price + tax;\n"),
    _file("a new JUnit test", "src/test/java/shop/MoreTest.java", None, "package shop;\n\nclass MoreTest {\n    @Test\n    void more() {\n        assertEquals(3, Prices.total(1, 2));\n        assertTrue(Prices.total(1, 2) > 2);\n    }\n}\n"),
    _ruby("the plain repair in Ruby", "    price + tax\n"),
    _ruby("a guard clause", "    raise ArgumentError, 'no tax' if tax.nil?\n\n    price + tax\n"),
    _ruby("a rescue by name", "    begin\n      Integer(price) + tax\n    rescue ArgumentError\n      0\n    end\n"),
    _ruby("a variable named pending", "    pending = price\n    pending + tax\n"),
    _ruby("a method that exits a loop", "    [price, tax].each { |n| next if n.zero? }\n    price + tax\n"),
    _file("a new spec", "spec/more_spec.rb", None, "RSpec.describe Prices do\n  it 'adds' do\n    expect(Prices.total(1, 2)).to eq(3)\n  end\nend\n"),
    _php("the plain repair in PHP", "        return $price + $tax;\n"),
    _php("a check that throws", "        if ($tax < 0) {\n            throw new \\InvalidArgumentException('tax');\n        }\n        return $price + $tax;\n"),
    _php("a string that names PHPUnit", "        if ($tax < 0) {\n            throw new \\LogicException('PHPUnit says markTestSkipped; exit(0); @phpstan-ignore');\n        }\n        return $price + $tax;\n"),
    _php("an exit after a redirect", "        if ($tax < 0) {\n            header('Location: /');\n            exit;\n        }\n        return $price + $tax;\n"),
    _php("an attribute", "    #[Pure]\n    public function load", "    public function load"),
    _file("a new PHPUnit test", "tests/MoreTest.php", None, "<?php\nfinal class MoreTest extends TestCase\n{\n    public function testMore(): void\n    {\n        $this->assertSame(3, Prices::total(1, 2));\n    }\n}\n"),
    _file("a shell script that stops at errors", "tools/prices.sh", dynamic.SHELL, instead(dynamic.SHELL, "set -e\n", "set -euo pipefail\n")),
    _file("a shell script that fails loudly", "tools/prices.sh", dynamic.SHELL, instead(dynamic.SHELL, "set -e\n", 'set -e\n[ -n "$1" ] || exit 1\n')),
    _file("a C function repaired", "src/p.c", "int total(int p, int t) {\n  return p - t;\n}\n", "int total(int p, int t) {\n  return p + t;\n}\n", "assert(total(40, 2) == 42);"),
    _file("a C# property", "src/P.cs", "class P { int Total => price - tax; }\n", "class P { int Total => price + tax; }\n"),
    _file("a stylesheet", "src/site.css", "p { color: red }\n", "p { color: blue } /* only here; skip to main */\n"),
    _file("a data file", "data/prices.csv", "name,price\nbook,40\n", "name,price\nbook,42\n"),
)  # fmt: skip
