"""javac, kotlinc and checkstyle, each alone."""

from tests.record.recipe import BASE, DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import shifted, truth

A, B = "src/shop/Price.java", "src/shop/Stock.java"
JAVAC = "mkdir -p out && javac -d out $(find src -name '*.java' | sort)"
JDK = "apt: default-jdk-headless"


def price(body: str) -> str:
    return f"package shop;\n\npublic class Price {{\n    static int total(int[] prices) {{\n{body}    }}\n}}\n"


def stock(body: str) -> str:
    return f"package shop;\n\npublic class Stock {{\n    static int count(String name) {{\n{body}    }}\n}}\n"


RIGHT_STOCK = stock("        return name.length();\n")
TYPES = {
    A: price('        return "none";\n'),
    B: stock("        return name.lenght();\n"),
}
SYNTAX = {
    A: price("        int sum = 0\n        return sum;\n"),
    B: stock("        return name.length(;\n"),
}
METHODS = {
    A: price("        return Stock.count(1, 2);\n"),
    B: stock("        int name = 3;\n        return name;\n"),
}
RULES = {
    "METHOD": "method-in-class-cannot-be-applied-to-given-types",
    "TWICE": "variable-is-already-defined-in-method",
}

_JAVAC = (
    Recipe(
        tool="javac",
        case="types",
        layer="compile",
        command=JAVAC,
        needs=("javac",),
        packages=JDK,
        files=TYPES,
        variants={
            SHIFTED: shifted(TYPES, A, B),
            PARTIAL: {B: RIGHT_STOCK},
            OTHER: {B: stock("        return name;\n")},
            DETAIL: {B: stock("        return name.size();\n")},
        },
        truths={
            BASE: truth((A, "incompatible-types"), (B, "cannot-find-symbol")),
            PARTIAL: truth((A, "incompatible-types")),
            OTHER: truth((A, "incompatible-types"), (B, "incompatible-types")),
            DETAIL: truth((A, "incompatible-types"), (B, "cannot-find-symbol")),
        },
    ),
    Recipe(
        tool="javac",
        case="syntax",
        layer="compile",
        command=JAVAC,
        needs=("javac",),
        packages=JDK,
        files=SYNTAX,
        variants={
            SHIFTED: shifted(SYNTAX, A, B),
            PARTIAL: {B: RIGHT_STOCK},
            OTHER: {B: stock("        if name.length();\n        return 0;\n")},
            DETAIL: {A: price("        int sum = 1\n        return sum;\n")},
        },
        truths={
            BASE: truth((A, "expected"), (B, "illegal-start-of-expression")),
            PARTIAL: truth((A, "expected")),
            OTHER: truth((A, "expected"), (B, "expected"), (B, "expected")),
            DETAIL: truth((A, "expected"), (B, "illegal-start-of-expression")),
        },
    ),
    Recipe(
        tool="javac",
        case="methods",
        layer="compile",
        command=JAVAC,
        needs=("javac",),
        packages=JDK,
        files=METHODS,
        variants={
            SHIFTED: shifted(METHODS, A, B),
            PARTIAL: {B: RIGHT_STOCK},
            OTHER: {A: price("        Object none = 1;\n        return none;\n")},
            DETAIL: {A: price("        return Stock.count(1, 2, 3);\n")},
        },
        truths={
            BASE: truth((A, RULES["METHOD"]), (B, RULES["TWICE"])),
            PARTIAL: truth((A, RULES["METHOD"])),
            OTHER: truth((A, "incompatible-types"), (B, RULES["TWICE"])),
            DETAIL: truth((A, RULES["METHOD"]), (B, RULES["TWICE"])),
        },
    ),
)

KA, KB = "src/price.kt", "src/stock.kt"
KOTLIN = {
    KA: 'fun total(prices: List<Int>): Int {\n    return "none"\n}\n',
    KB: "fun count(name: String): Int {\n    return name.lenght\n}\n",
}
_KOTLINC = (
    Recipe(
        tool="kotlinc",
        case="types",
        layer="compile",
        command="kotlinc src -d out.jar",
        needs=("kotlinc",),
        packages="apt: kotlin",
        version="kotlinc -version 2>&1 | grep kotlinc",
        files=KOTLIN,
        variants={
            SHIFTED: shifted(KOTLIN, KA, KB),
            PARTIAL: {KB: "fun count(name: String): Int {\n    return name.length\n}\n"},
            OTHER: {KB: "fun count(name: String): Int {\n    return name\n}\n"},
            DETAIL: {KB: "fun count(name: String): Int {\n    return name.size\n}\n"},
        },
        truths={
            BASE: truth((KA, "type-mismatch"), (KB, "unresolved-reference")),
            PARTIAL: truth((KA, "type-mismatch")),
            OTHER: truth((KA, "type-mismatch"), (KB, "type-mismatch")),
            DETAIL: truth((KA, "type-mismatch"), (KB, "unresolved-reference")),
        },
    ),
)

CHECKS = """\
<?xml version="1.0"?>
<!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN"
    "https://checkstyle.org/dtds/configuration_1_3.dtd">
<module name="Checker">
  <module name="TreeWalker">
    <module name="NeedBraces"/>
    <module name="UnusedImports"/>
    <module name="EmptyStatement"/>
  </module>
</module>
"""
STYLE = {
    "checkstyle.xml": CHECKS,
    A: "package shop;\n\nimport java.util.List;\n\npublic class Price {\n}\n",
    B: stock('        if (name.equals("")) return 0;\n        return name.length();\n'),
}
STYLE_VARIANTS = {
    SHIFTED: shifted(STYLE, A, B),
    PARTIAL: {B: RIGHT_STOCK},
    OTHER: {B: stock("        ;\n        return name.length();\n")},
    DETAIL: {A: STYLE[A].replace("List", "Set")},
}
STYLE_TRUTHS = {
    BASE: truth((A, "UnusedImports"), (B, "NeedBraces")),
    PARTIAL: truth((A, "UnusedImports")),
    OTHER: truth((A, "UnusedImports"), (B, "EmptyStatement")),
    DETAIL: truth((A, "UnusedImports"), (B, "NeedBraces")),
}
_CHECKSTYLE = tuple(
    Recipe(
        tool="checkstyle",
        case=case,
        layer="lint",
        command=f"checkstyle -c checkstyle.xml {options}src",
        needs=("checkstyle",),
        packages="apt: checkstyle",
        files=STYLE,
        variants=STYLE_VARIANTS,
        truths=STYLE_TRUTHS,
    )
    for case, options in (("rules", ""), ("xml", "-f xml "))
)
RECIPES = (*_JAVAC, *_KOTLINC, *_CHECKSTYLE)
