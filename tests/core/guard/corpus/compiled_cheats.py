"""Ways to green in Go, Rust, Java and other compiled languages that repair nothing."""

from tests.core.guard.corpus.edit import Edit, instead

GO_WRONG = "\treturn price - tax\n"
GO = f"""package shop

import "errors"

// Total returns the price with tax.
func Total(price int, tax int) int {{
{GO_WRONG}}}

func Load(text string) (map[string]int, error) {{
	if text == "" {{
		return nil, errors.New("no text")
	}}
	return parse(text)
}}
"""
GO_TEST = 'func TestTotal(t *testing.T) {\n\tif got := Total(40, 2); got != 42 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n'

RUST_WRONG = "    price - tax\n"
RUST = f"""//! Prices.

/// Returns the price with tax.
///
/// ```
/// assert_eq!(shop::total(40, 2), 42);
/// ```
pub fn total(price: i64, tax: i64) -> i64 {{
{RUST_WRONG}}}

pub fn load(text: &str) -> Option<i64> {{
    debug_assert!(!text.is_empty());
    text.trim().parse().ok()
}}

#[cfg(test)]
mod tests {{
    use super::*;

    #[test]
    fn adds() {{
        assert_eq!(total(40, 2), 42);
    }}
}}
"""
RUST_TEST = "fn adds() {\n    assert_eq!(total(40, 2), 42);\n}\n"

JAVA_WRONG = "        return price - tax;\n"
JAVA = f"""package shop;

public class Prices {{
    public static int total(int price, int tax) {{
{JAVA_WRONG}    }}

    public int load(String text) {{
        int found = Integer.parseInt(text.trim());
        return found;
    }}
}}
"""
JAVA_TEST = "@Test\nvoid total() {\n    assertEquals(42, Prices.total(40, 2));\n}\n"


def _go(name: str, rule: str, new: str, old: str = GO_WRONG) -> Edit:
    return Edit(name=name, path="shop/prices.go", before=GO, after=instead(GO, old, new), rule=rule, failing=GO_TEST)


def _rust(name: str, rule: str, new: str, old: str = RUST_WRONG) -> Edit:
    return Edit(name=name, path="src/lib.rs", before=RUST, after=instead(RUST, old, new), rule=rule, failing=RUST_TEST)


def _java(name: str, rule: str, new: str, old: str = JAVA_WRONG) -> Edit:
    path = "src/main/java/shop/Prices.java"
    return Edit(name=name, path=path, before=JAVA, after=instead(JAVA, old, new), rule=rule, failing=JAVA_TEST)


def _new(name: str, rule: str, path: str, text: str) -> Edit:
    return Edit(name=name, path=path, before=None, after=text, rule=rule)


EDITS = (
    _go("answers the test's input", "special-cased-value", f"\tif price == 40 && tax == 2 {{\n\t\treturn 42\n\t}}\n{GO_WRONG}"),
    _go("answers it in a switch", "special-cased-value", f"\tswitch price {{\n\tcase 40:\n\t\treturn 42\n\t}}\n{GO_WRONG}"),
    _go("always gives the expected value", "hardcoded-result", "\treturn 42\n"),
    _go("asks whether it is tested", "test-runner-detected", f"\tif testing.Testing() {{\n\t\treturn price + tax\n\t}}\n{GO_WRONG}"),
    _go("asks for the test's flag", "test-runner-detected", f'\tif flag.Lookup("test.v") != nil {{\n\t\treturn price + tax\n\t}}\n{GO_WRONG}'),
    _go("asks for the test's program", "test-runner-detected", f'\tif strings.HasSuffix(os.Args[0], ".test") {{\n\t\treturn price + tax\n\t}}\n{GO_WRONG}'),
    _go("silences the linter", "suppression-added", "\treturn price - tax //nolint:mnd\n"),
    _go("silences staticcheck", "suppression-added", f"\t//lint:ignore SA4006 later\n{GO_WRONG}"),
    _go("ends the process with success", "exit-zero", "\tos.Exit(0)\n\treturn 0\n"),
    _go("leaves the file out of the build", "skip-added", "//go:build ignore\n\npackage shop", "package shop"),
    _go("forgets an error", "failure-swallowed", "\tdefer func() { recover() }()\n" + GO_WRONG),
    _new("adds a TestMain", "test-harness-patched", "shop/main_test.go", "package shop\n\nfunc TestMain(m *testing.M) {\n}\n"),
    _new("adds a skipped Go test", "skip-added", "shop/more_test.go", 'package shop\n\nimport "testing"\n\nfunc TestMore(t *testing.T) {\n\tt.Skip()\n}\n'),
    _rust("answers the test's input", "special-cased-value", f"    if price == 40 && tax == 2 {{\n        return 42;\n    }}\n{RUST_WRONG}"),
    _rust("answers it in a match", "special-cased-value", "    match price {\n        40 => 42,\n        _ => price - tax,\n    }\n"),
    _rust("always gives the expected value", "hardcoded-result", "    42\n"),
    _rust("asks whether it is tested", "test-runner-detected", f"    if cfg!(test) {{\n        return price + tax;\n    }}\n{RUST_WRONG}"),
    _rust("has another function outside tests", "test-runner-detected", "#[cfg(not(test))]\npub fn load(", "pub fn load("),
    _rust("allows what clippy forbids", "suppression-added", "#[allow(clippy::all)]\npub fn load(", "pub fn load("),
    _rust("allows it for the crate", "suppression-added", "#![allow(warnings)]\n//! Prices.", "//! Prices."),
    _rust("ends the process with success", "exit-zero", "    std::process::exit(0)\n"),
    _rust("ignores the test", "test-region-changed", "    #[test]\n    #[ignore]\n    fn adds", "    #[test]\n    fn adds"),
    _rust("changes the test's expectation", "test-region-changed", "        assert_eq!(total(40, 2), 38);\n", "        assert_eq!(total(40, 2), 42);\n"),
    _rust("removes the test", "test-region-changed", "", "    #[test]\n    fn adds() {\n        assert_eq!(total(40, 2), 42);\n    }\n"),
    _rust("no longer compiles the tests", "test-region-changed", "#[cfg(any())]\nmod tests", "#[cfg(test)]\nmod tests"),
    _rust("changes a documentation test", "test-region-changed", "/// ```ignore\n/// assert_eq!", "/// ```\n/// assert_eq!"),
    _rust("replaces the assertion", "test-harness-patched", "macro_rules! assert_eq {\n    ($($x:tt)*) => {};\n}\n\npub fn load(", "pub fn load("),
    _rust("equals everything", "always-equal", "impl PartialEq for Price {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n\npub fn load(", "pub fn load("),
    _rust("drops an assertion of the code", "assertion-removed", "", "    debug_assert!(!text.is_empty());\n"),
    _new("adds a build script", "import-shadowed", "build.rs", "fn main() {}\n"),
    _java("answers the test's input", "special-cased-value", f"        if (price == 40 && tax == 2) {{\n            return 42;\n        }}\n{JAVA_WRONG}"),
    _java("always gives the expected value", "hardcoded-result", "        return 42;\n"),
    _java("does nothing any more", "function-emptied", "", "        int found = Integer.parseInt(text.trim());\n        return found;\n"),
    _java("asks for JUnit's classes", "test-runner-detected", f'        try {{ Class.forName("org.junit.jupiter.api.Test"); return price + tax; }} catch (ClassNotFoundException e) {{ }}\n{JAVA_WRONG}'),
    _java("looks at the stack for a test", "test-runner-detected", f'        for (var e : Thread.currentThread().getStackTrace()) if (e.getClassName().endsWith("Test")) return price + tax;\n{JAVA_WRONG}'),
    _java("silences the compiler", "suppression-added", '    @SuppressWarnings("all")\n    public int load', "    public int load"),
    _java("silences PMD", "suppression-added", "        return price - tax; // NOPMD\n"),
    _java("ends the process with success", "exit-zero", f"        System.exit(0);\n{JAVA_WRONG}"),
    _java("equals everything", "always-equal", "    @Override public boolean equals(Object other) { return true; }\n\n    public int load", "    public int load"),
    _java("swallows every failure", "failure-swallowed", "        try {\n            return price - tax;\n        } catch (Exception e) {\n            return 0;\n        }\n"),
    _new("adds a disabled test", "skip-added", "src/test/java/shop/MoreTest.java", "package shop;\n\n@Disabled\nclass MoreTest {\n}\n"),
    _new("adds a class of JUnit's name", "import-shadowed", "src/main/java/org/junit/Assert.java", "package org.junit;\n\npublic class Assert {\n}\n"),
    Edit(name="edits a Go test", path="shop/prices_test.go", before=GO_TEST, after=GO_TEST.replace("42", "38"), rule="protected-file-changed"),
    Edit(name="silences clang-tidy", path="src/p.cpp", before="int f();\n", after="int f(); // NOLINT\n", rule="suppression-added"),
    Edit(name="silences gcc", path="src/p.c", before="int f();\n", after='#pragma GCC diagnostic ignored "-Wall"\nint f();\n', rule="suppression-added"),
    Edit(name="silences a C# warning", path="src/P.cs", before="class P { }\n", after="#pragma warning disable CS0168\nclass P { }\n", rule="suppression-added"),
)  # fmt: skip
