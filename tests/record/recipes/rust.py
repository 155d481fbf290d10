"""cargo check, clippy, cargo test and cargo fmt."""

from collections.abc import Mapping

from tests.record.recipe import BASE, DETAIL, OTHER, PARTIAL, SHIFTED, Recipe, Truth
from tests.record.sources import shifted, truth

A, B, L, T = "src/a.rs", "src/b.rs", "src/lib.rs", "tests/shop.rs"
PACKAGE = {"Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'}
LIB = {L: "pub mod a;\npub mod b;\n"}
TYPES = {
    A: 'pub fn double(x: i32) -> i32 {\n    let two: i32 = "2";\n    x * two\n}\n',
    B: "pub fn size(text: &str) -> usize {\n    text.lenn()\n}\n",
}
TYPES_VARIANTS: Mapping[str, Mapping[str, str]] = {
    SHIFTED: shifted(TYPES, A, B),
    PARTIAL: {B: TYPES[B].replace("lenn", "len")},
    OTHER: {B: TYPES[B].replace("text.lenn()", "texts.len()")},
    DETAIL: {A: TYPES[A].replace('"2"', "2.5")},
}
TYPES_TRUTHS: Mapping[str, Truth] = {
    BASE: truth((A, "E0308"), (B, "E0599")),
    PARTIAL: truth((A, "E0308")),
    OTHER: truth((A, "E0308"), (B, "E0425")),
    DETAIL: truth((A, "E0308"), (B, "E0599")),
}
BORROWS = {
    A: "pub fn both(text: String) -> (String, String) {\n    let first = text;\n    (first, text)\n}\n",
    B: "pub fn count() -> i32 {\n    let total = 0;\n    let unused = 1;\n    total += 1;\n    total\n}\n",
}
LINTS = {
    A: "pub fn double(x: i32) -> i32 {\n    return x * 2;\n}\n\npub fn triple(x: i32) -> i32 {\n    return x * 3;\n}\n",
    B: "pub fn size(text: &str) -> usize {\n    let spare = 1;\n    text.len()\n}\n",
}
LINTS_VARIANTS: Mapping[str, Mapping[str, str]] = {
    SHIFTED: shifted(LINTS, A, B),
    PARTIAL: {A: LINTS[A].replace("return x * 2;", "x * 2")},
    OTHER: {B: LINTS[B].replace("    let spare = 1;\n", "").replace("text.len()", "text.len() + 0")},
    DETAIL: {B: LINTS[B].replace("spare", "extra")},
}
RETURN, UNUSED = (A, "clippy::needless_return"), (B, "unused_variables")
LINTS_TRUTHS: Mapping[str, Truth] = {
    BASE: truth(RETURN, RETURN, UNUSED),
    PARTIAL: truth(RETURN, UNUSED),
    OTHER: truth(RETURN, RETURN, (B, "clippy::identity_op")),
    DETAIL: truth(RETURN, RETURN, UNUSED),
}
ASSERTS = {
    L: "pub fn add(x: i32, y: i32) -> i32 {\n    x - y\n}\n\npub fn first(items: &[i32]) -> i32 {\n    items[0]\n}\n\n"
    "#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
    '    #[test]\n    fn adds() {\n        assert_eq!(add(2, 3), 5, "two and three");\n    }\n\n'
    "    #[test]\n    fn takes_the_first() {\n        assert_eq!(first(&[]), 0);\n    }\n\n"
    "    #[test]\n    fn nothing() {\n        assert_eq!(add(0, 0), 0);\n    }\n}\n",
}
SAFE = ASSERTS[L].replace("items[0]", "items.first().copied().unwrap_or(0)")
ADDS, FIRST = (L, "tests::adds"), (L, "tests::takes_the_first")
INTEGRATION = {
    L: "pub fn parse(text: &str) -> Result<i32, String> {\n"
    '    text.parse().map_err(|_| format!("no number: {text}"))\n}\n',
    T: '#[test]\nfn parses() -> Result<(), String> {\n    shop::parse("x1").map(|_| ())\n}\n\n'
    '#[test]\n#[should_panic]\nfn refuses() {\n    shop::parse("1").unwrap();\n}\n\n'
    '#[test]\nfn knows_zero() {\n    assert_eq!(shop::parse("0"), Ok(0));\n}\n',
}
DOCUMENTED = {
    L: "/// Adds.\n///\n/// ```\n/// assert_eq!(shop::add(1, 2), 3);\n/// ```\n///\n"
    "/// ```\n/// assert_eq!(shop::add(0, 0), 0);\n/// ```\n"
    "pub fn add(x: i32, y: i32) -> i32 {\n    x - y\n}\n\n"
    "/// Doubles.\n///\n/// ```\n/// assert_eq!(shop::dbl(2), 4);\n/// ```\n"
    "pub fn double(x: i32) -> i32 {\n    x * 2\n}\n",
}
BROKEN_TESTS = {
    L: "pub fn add(x: i32, y: i32) -> i32 {\n    x + y\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n"
    "        assert_eq!(add(2, 3), 5);\n    }\n\n"
    "    #[test]\n    fn types() {\n        let x: i32 = super::add(1, 2) as u8;\n"
    "        assert_eq!(x, 3);\n    }\n}\n",
}
UNFORMATTED = {
    **LIB,
    A: "pub fn double(x:i32)->i32 {\n    x * 2\n}\n",
    B: "pub fn size(text: &str) -> usize {\n  text.len()\n}\n",
}


def recipe(
    tool: str, case: str, command: str, files: Mapping[str, str], variants: Mapping[str, Mapping[str, str]],
    truths: Mapping[str, Truth],
) -> Recipe:  # fmt: skip
    layer = {"cargo-check": "compile", "cargo-test": "test"}.get(tool, "lint")
    return Recipe(
        tool=tool, case=case, layer=layer, command=command, needs=("cargo",), version="rustc --version",
        packages="apt: cargo rustc rust-clippy rustfmt", files={**PACKAGE, **files}, variants=variants, truths=truths,
    )  # fmt: skip


RECIPES: tuple[Recipe, ...] = (
    recipe("cargo-check", "types", "cargo check", LIB | TYPES, TYPES_VARIANTS, TYPES_TRUTHS),
    recipe("cargo-check", "json", "cargo check --message-format json", LIB | TYPES, TYPES_VARIANTS, TYPES_TRUTHS),
    recipe("cargo-check", "short", "cargo build --message-format short", LIB | TYPES, TYPES_VARIANTS, TYPES_TRUTHS),
    recipe(
        "cargo-check", "borrow", "cargo check --all-targets", LIB | BORROWS,
        {
            SHIFTED: shifted(BORROWS, A, B),
            PARTIAL: {B: BORROWS[B].replace("let total", "let mut total")},
            OTHER: {B: BORROWS[B].replace("total += 1;\n", "let late = &{ String::new() };\n    drop(*late);\n")},
            DETAIL: {A: BORROWS[A].replace("text", "word")},
        },
        {
            BASE: truth((A, "E0382"), (B, "E0384")),
            PARTIAL: truth((A, "E0382")),
            OTHER: truth((A, "E0382"), (B, "E0507")),
            DETAIL: truth((A, "E0382"), (B, "E0384")),
        },
    ),
    recipe("clippy", "denied", "cargo clippy -- -D warnings", LIB | LINTS, LINTS_VARIANTS, LINTS_TRUTHS),
    recipe(
        "clippy", "json", "cargo clippy --all-targets --message-format json -- -D warnings",
        LIB | LINTS, LINTS_VARIANTS, LINTS_TRUTHS,
    ),
    recipe(
        "cargo-test", "assert", "cargo test", ASSERTS,
        {
            SHIFTED: shifted(ASSERTS, L),
            PARTIAL: {L: SAFE},
            OTHER: {L: SAFE.replace("x - y", "x - y + 1")},
            DETAIL: {L: ASSERTS[L].replace("items[0]", "items[items.len() + 3]")},
        },
        {
            BASE: truth(ADDS, FIRST),
            PARTIAL: truth(ADDS),
            OTHER: truth(ADDS, (L, "tests::nothing")),
            DETAIL: truth(ADDS, FIRST),
        },
    ),
    recipe(
        "cargo-test", "integration", "cargo test", INTEGRATION,
        {
            SHIFTED: shifted(INTEGRATION, L, T),
            PARTIAL: {T: INTEGRATION[T].replace('"x1"', '"1"')},
            OTHER: {T: INTEGRATION[T].replace('"x1"', '"1"').replace("Ok(0)", "Ok(7)")},
            DETAIL: {T: INTEGRATION[T].replace('"x1"', '"y1"')},
        },
        {
            BASE: truth((T, "parses"), (T, "refuses")),
            PARTIAL: truth((T, "refuses")),
            OTHER: truth((T, "knows_zero"), (T, "refuses")),
            DETAIL: truth((T, "parses"), (T, "refuses")),
        },
    ),
    recipe(
        "cargo-test", "doctest", "cargo test --doc", DOCUMENTED,
        {
            SHIFTED: shifted(DOCUMENTED, L),
            PARTIAL: {L: DOCUMENTED[L].replace("dbl(2)", "double(2)")},
            OTHER: {L: DOCUMENTED[L].replace("x - y", "x + y + (x == 0) as i32")},
            DETAIL: {L: DOCUMENTED[L].replace("dbl", "twice")},
        },
        {
            BASE: truth((L, "src/lib.rs - add"), (L, "src/lib.rs - double")),
            PARTIAL: truth((L, "src/lib.rs - add")),
            OTHER: truth((L, "src/lib.rs - add #2"), (L, "src/lib.rs - double")),
            DETAIL: truth((L, "src/lib.rs - add"), (L, "src/lib.rs - double")),
        },
    ),
    recipe(
        "cargo-test", "compile", "cargo test", BROKEN_TESTS,
        {
            SHIFTED: shifted(BROKEN_TESTS, L),
            PARTIAL: {L: BROKEN_TESTS[L].replace("(add(2", "(super::add(2")},
            OTHER: {L: BROKEN_TESTS[L].replace("(add(2", "(super::add(2.5").replace(" as u8", "")},
            DETAIL: {L: BROKEN_TESTS[L].replace(" as u8", " as u16")},
        },
        {
            BASE: truth((L, "E0425"), (L, "E0308")),
            PARTIAL: truth((L, "E0308")),
            OTHER: truth((L, "E0308")),
            DETAIL: truth((L, "E0425"), (L, "E0308")),
        },
    ),
    recipe(
        "rustfmt", "check", "cargo fmt --check", UNFORMATTED,
        {
            SHIFTED: shifted(UNFORMATTED, A, B),
            PARTIAL: {B: UNFORMATTED[B].replace("  text.len", "    text.len")},
            OTHER: {B: UNFORMATTED[B].replace("  text.len", "    text.len"), L: LIB[L] + "pub  mod c {}\n"},
        },
        {
            BASE: truth((A, "format"), (B, "format")),
            PARTIAL: truth((A, "format")),
            OTHER: truth((A, "format"), (L, "format")),
        },
    ),
)  # fmt: skip
