"""`fixloop run` on a real TypeScript repository with tsc, eslint and `node --test`."""

from tests.e2e.workspace import Workspace, git
from tests.fakes.model_server import ModelServer, edit, finish, turn
from tests.toolchain import put_node_modules

PACKAGE = """\
{
  "name": "shop",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": {
    "build": "tsc -p .",
    "lint": "eslint src",
    "test": "node --test test/"
  }
}
"""
SOURCES = {
    ".gitignore": "node_modules\ndist/\n",
    "package.json": PACKAGE,
    "tsconfig.json": """\
{
  "compilerOptions": {
    "target": "es2022", "module": "nodenext", "moduleResolution": "nodenext",
    "strict": true, "outDir": "dist", "rootDir": "src", "types": []
  },
  "include": ["src"]
}
""",
    "eslint.config.js": """\
import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(js.configs.recommended, {
  files: ["src/**/*.ts"],
  languageOptions: { parser: tseslint.parser },
  rules: { "no-unused-vars": "off", "no-undef": "off", "prefer-const": "error", "no-constant-condition": "error" },
});
""",
    "src/price.ts": "export function total(prices: number[]): number {\n  const sum: string = prices.length;\n"
    "  return prices.reduce((all, one) => all + one, 0) + sum * 0;\n}\n",
    "src/stock.ts": "export function pages(items: number, perPage: number): number {\n  let count = items / perPage;\n"
    "  if (true) {\n    return Math.floor(count) + 1;\n  }\n  return 0;\n}\n",
    "test/shop.test.js": 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n'
    'import { total } from "../dist/price.js";\nimport { pages } from "../dist/stock.js";\n\n'
    'test("total adds up", () => assert.equal(total([1, 2]), 3));\n'
    'test("a full page opens no other", () => assert.equal(pages(20, 10), 2));\n'
    'test("a started page is a page", () => assert.equal(pages(21, 10), 3));\n',
}


def test_three_layers_of_a_typescript_repository(workspace: Workspace) -> None:
    start = workspace.commit(SOURCES)
    put_node_modules(workspace.root)
    replies = [
        turn(edit("src/price.ts", "const sum: string", "const sum: number"), finish("done", hypothesis="a wrong type")),
        turn(
            edit("src/stock.ts", "  if (true) {\n    return Math.floor(count) + 1;\n  }\n  return 0;\n",
                 "  return Math.floor(count) + 1;\n"),
            finish("done", hypothesis="a constant condition"),
        ),
        turn(edit("src/stock.ts", "Math.floor(count) + 1", "Math.ceil(count)"), finish("done", hypothesis="rounding")),
    ]  # fmt: skip
    with ModelServer(replies) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "5")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == [
        "fix-loop: compile clean (iteration 1)",
        "fix-loop: lint clean (iteration 2)",
        "fix-loop: test clean (iteration 3)",
    ]
    assert "const count" in (workspace.root / "src/stock.ts").read_text(), "eslint --fix had its turn"
    assert len(server.requests) == 3
    assert git(workspace.root, "status", "--porcelain") == ""
    assert [record["errors"] if "errors" in record else record["productive"] for record in workspace.records()] == [
        True, True, True,
    ]  # fmt: skip
