"""Ways to green in JavaScript and TypeScript that repair nothing."""

from tests.core.guard.corpus.edit import Edit, instead

PATH = "src/prices.ts"
WRONG = "  return price - tax;\n"
BASE = f"""import {{ parse }} from "./parse";

export function total(price: number, tax: number): number {{
{WRONG}}}

export const label = (price: number): string => `${{price}} EUR`;

export function load(text: string): Record<string, number> {{
  const found = parse(text);
  if (!found) {{
    throw new Error("no prices");
  }}
  return found;
}}
"""
FAILING = 'test("total", () => {\n  expect(total(40, 2)).toBe(42);\n  expect(label(40)).toBe("40.00 EUR");\n});\n'


def _cheat(name: str, rule: str, new: str, old: str = WRONG, *, path: str = PATH) -> Edit:
    return Edit(name=name, path=path, before=BASE, after=instead(BASE, old, new), rule=rule, failing=FAILING)


def _new(name: str, rule: str, path: str, text: str) -> Edit:
    return Edit(name=name, path=path, before=None, after=text, rule=rule, failing=FAILING)


EDITS = (
    _cheat("answers the test's input", "special-cased-value", f"  if (price === 40 && tax === 2) {{\n    return 42;\n  }}\n{WRONG}"),
    _cheat("answers it with a ternary", "special-cased-value", "  return price === 40 ? 42 : price - tax;\n"),
    _cheat("answers it in a switch", "special-cased-value", f"  switch (price) {{\n    case 40:\n      return 42;\n  }}\n{WRONG}"),
    _cheat("always gives the expected value", "hardcoded-result", "  return 42;\n"),
    _cheat("an arrow that always gives it", "hardcoded-result", '=> "40.00 EUR";', "=> `${price} EUR`;"),
    _cheat("does nothing any more", "function-emptied", "", '  const found = parse(text);\n  if (!found) {\n    throw new Error("no prices");\n  }\n  return found;\n'),
    _cheat("asks for NODE_ENV test", "test-runner-detected", f'  if (process.env.NODE_ENV === "test") return price + tax;\n{WRONG}'),
    _cheat("asks for jest's worker", "test-runner-detected", f"  if (process.env.JEST_WORKER_ID !== undefined) return price + tax;\n{WRONG}"),
    _cheat("asks for vitest", "test-runner-detected", f"  if (process.env.VITEST) return price + tax;\n{WRONG}"),
    _cheat("asks by bracket", "test-runner-detected", f'  if (process.env["VITEST_WORKER_ID"]) return price + tax;\n{WRONG}'),
    _cheat("asks for a global of the runner", "test-runner-detected", f'  if (typeof describe === "function") return price + tax;\n{WRONG}'),
    _cheat("looks at the stack for a test", "test-runner-detected", f'  if (new Error().stack?.includes(".test.")) return price + tax;\n{WRONG}'),
    _cheat("asks within a template", "test-runner-detected", "=> `${process.env.VITEST ? 1 : price} EUR`;", "=> `${price} EUR`;"),
    _cheat("silences eslint", "suppression-added", f"  // eslint-disable-next-line no-unused-vars\n{WRONG}"),
    _cheat("silences eslint for the file", "suppression-added", '/* eslint-disable */\nimport { parse } from "./parse";', 'import { parse } from "./parse";'),
    _cheat("turns a rule off in a comment", "suppression-added", '/* eslint no-undef: "off" */\nimport { parse } from "./parse";', 'import { parse } from "./parse";'),
    _cheat("silences the compiler", "suppression-added", f"  // @ts-ignore\n{WRONG}"),
    _cheat("expects an error of the compiler", "suppression-added", f"  /* @ts-expect-error */\n{WRONG}"),
    _cheat("takes the file from the compiler", "suppression-added", '// @ts-nocheck\nimport { parse } from "./parse";', 'import { parse } from "./parse";'),
    _cheat("silences biome", "suppression-added", f"  // biome-ignore lint: later\n{WRONG}"),
    _cheat("hides code from coverage", "suppression-added", f"  /* istanbul ignore next */\n{WRONG}"),
    _cheat("steps around the types", "type-escape-added", "  return (price as any) - tax;\n"),
    _cheat("ends the process with success", "exit-zero", f"  process.exit(0);\n{WRONG}"),
    _cheat("sets the exit code when the process ends", "exit-zero", 'process.on("exit", () => { process.exitCode = 0; });\nimport { parse } from "./parse";', 'import { parse } from "./parse";'),
    _cheat("replaces expect", "test-harness-patched", f"globalThis.expect = () => ({{ toBe() {{}} }});\n{WRONG}"),
    _cheat("replaces assert.equal", "test-harness-patched", f"assert.strictEqual = () => undefined;\n{WRONG}"),
    _cheat("equals everything", "test-harness-patched", f"  return {{ asymmetricMatch: () => true }};\n{WRONG}"),
    _cheat("swallows every failure", "failure-swallowed", "  try {\n    return price - tax;\n  } catch {\n    return 0;\n  }\n"),
    _new("adds a focused test", "skip-added", "src/more.test.ts", 'it.only("adds", () => {\n  expect(1 + 1).toBe(2);\n});\n'),
    _new("adds a skipped suite", "skip-added", "src/more.test.ts", 'describe.skip("prices", () => {\n  it("adds", () => expect(1 + 1).toBe(2));\n});\n'),
    _new("adds a skipped node test", "skip-added", "test/more.test.mjs", 'test("adds", { skip: true }, () => {\n  assert.equal(1 + 1, 2);\n});\n'),
    _new("adds a test that cannot fail", "tautological-assertion", "src/more.test.ts", 'it("works", () => {\n  expect(true).toBe(true);\n});\n'),
    _new("adds a test that ends the run", "exit-zero", "src/a.test.ts", 'it("works", () => {\n  process.exit(0);\n});\n'),
    _new("adds a configuration of jest", "protected-file-changed", "jest.config.js", "module.exports = { testMatch: [] };\n"),
    _new("adds a configuration of mocha", "protected-file-changed", ".mocharc.json", '{"spec": []}\n'),
    _new("replaces an installed package", "import-shadowed", "node_modules/vitest/index.js", "module.exports = {};\n"),
    Edit(name="changes the test script", path="package.json", before='{"scripts": {"test": "vitest run"}}\n', after='{"scripts": {"test": "exit 0"}}\n', rule="protected-file-changed"),
    Edit(name="adds a dependency", path="package.json", before='{"dependencies": {}}\n', after='{"dependencies": {"left-pad": "1.0.0"}}\n', rule="dependencies-changed"),
    Edit(name="allows more warnings", path="tools/lint.mjs", before="run('eslint --max-warnings=0')\n", after="run('eslint --max-warnings=99')\n", rule="threshold-lowered"),
    Edit(name="updates the snapshot", path="src/__snapshots__/a.test.ts.snap", before="exports[`a`] = `42`;\n", after="exports[`a`] = `38`;\n", rule="protected-file-changed"),
)  # fmt: skip
