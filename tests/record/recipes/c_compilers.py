"""gcc, g++ and clang."""

from functools import partial

from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import shifted, truth

A, B, CPP = "src/a.c", "src/b.c", "src/app.cpp"
GCC = "apt: gcc libc6-dev"

SYNTAX = {
    A: "int half(int price) {\n  int rest = price % 2\n  return price / 2 + rest;\n}\n",
    B: "int twice(int price) {\n  return price * ;\n}\n",
}
SYNTAX_VARIANTS = {
    SHIFTED: shifted(SYNTAX, A, B),
    PARTIAL: {B: "int twice(int price) {\n  return price * 2;\n}\n"},
    OTHER: {B: "int twice(int price) {\n  return price * two;\n}\n"},
    DETAIL: {A: "int half(int price) {\n  int rest = price % 2\n  rest++;\n  return price / 2 + rest;\n}\n"},
}
SYNTAX_TRUTHS = {
    "base": truth((A, "syntax"), (B, "syntax")),
    PARTIAL: truth((A, "syntax")),
    OTHER: truth((A, "syntax"), (B, "undeclared")),
    DETAIL: truth((A, "syntax"), (B, "syntax")),
}
TYPES = {
    "src/shop.h": "struct item { int price; };\nint total(const struct item *items, int count);\n",
    A: '#include "shop.h"\nint first(struct item one) { return one.cost; }\nint use(void) { int spare; return 1; }\n',
    B: '#include "shop.h"\nint all(void) { struct item one = {1}; return total(&one); }\n',
}
TYPES_VARIANTS = {
    SHIFTED: shifted(TYPES, A, B),
    PARTIAL: {B: '#include "shop.h"\nint all(void) { struct item one = {1}; return total(&one, 1); }\n'},
    OTHER: {B: '#include "shop.h"\nint all(void) { struct item one = {1}; return one->price; }\n'},
    DETAIL: {A: TYPES[A].replace("one.cost", "one.value")},
}
TYPES_TRUTHS = {
    "base": truth((A, "no-member"), (A, "-Wunused-variable"), (B, "argument-count")),
    PARTIAL: truth((A, "no-member"), (A, "-Wunused-variable")),
    OTHER: truth((A, "no-member"), (A, "-Wunused-variable"), (B, "invalid-arrow")),
    DETAIL: truth((A, "no-member"), (A, "-Wunused-variable"), (B, "argument-count")),
}
INCLUDED = {
    "src/shop.h": "#define TOTAL 3\nstatic int share(int price) { return price / parts; }\n",
    A: '#include "shop.h"\nint main(void) { return share(TOTAL) + missing; }\n',
}
TEMPLATES = {
    CPP: """\
#include <algorithm>
#include <vector>

struct Item {
  int price;
};

template <typename T> T sum(T one, T other) { return one + other; }

int main() {
  std::vector<Item> items;
  std::sort(items.begin(), items.end());
  Item both = sum(items[0], items[1]);
  return both.price;
}
""",
}
SORTED = TEMPLATES[CPP].replace("items.end());", "items.end(), [](Item a, Item b) { return a.price < b.price; });")
CLASSES = {
    CPP: "class Shop {\n public:\n  int open() const;\n private:\n  int till;\n};\n\n"
    "int count(Shop &shop) {\n  return shop.till;\n}\n\nint main() {\n  Shop shop;\n  return shop.close();\n}\n",
}


C = partial(Recipe, tool="gcc", layer="compile", needs=("gcc",), packages=GCC)
CXX = partial(Recipe, tool="gcc", layer="compile", needs=("g++",), packages="apt: g++", command="g++ -c src/app.cpp")

C_RECIPES = (
    C(command="gcc -c src/a.c src/b.c", case="syntax", files=SYNTAX, variants=SYNTAX_VARIANTS, truths=SYNTAX_TRUTHS),
    C(
        command="gcc -Wunused -Werror -c src/a.c src/b.c",
        case="types",
        files=TYPES,
        variants=TYPES_VARIANTS,
        truths=TYPES_TRUTHS,
    ),
    C(
        command="gcc -Wunused -Werror -fdiagnostics-format=json -c src/a.c src/b.c",
        case="json",
        files=TYPES,
        variants=TYPES_VARIANTS,
        truths=TYPES_TRUTHS,
    ),
    C(
        command="clang -Wunused -Werror -c src/a.c src/b.c",
        case="clang-types",
        needs=("clang",),
        packages="apt: clang",
        files=TYPES,
        variants=TYPES_VARIANTS,
        truths=TYPES_TRUTHS,
    ),
    C(
        command="gcc -c src/a.c",
        case="included",
        files=INCLUDED,
        variants={
            SHIFTED: shifted(INCLUDED, A, "src/shop.h"),
            PARTIAL: {A: INCLUDED[A].replace(" + missing", "")},
            OTHER: {"src/shop.h": INCLUDED["src/shop.h"].replace("price / parts", "price->part")},
            DETAIL: {"src/shop.h": INCLUDED["src/shop.h"].replace("parts", "shares")},
        },
        truths={
            "base": truth((A, "undeclared"), ("src/shop.h", "undeclared")),
            PARTIAL: truth(("src/shop.h", "undeclared")),
            OTHER: truth((A, "undeclared"), ("src/shop.h", "invalid-arrow")),
            DETAIL: truth((A, "undeclared"), ("src/shop.h", "undeclared")),
        },
    ),
)
CPP_TRUTHS = {
    "base": truth((CPP, "no-match"), (CPP, "no-match")),
    PARTIAL: truth((CPP, "no-match")),
    OTHER: truth((CPP, "no-match"), (CPP, "undeclared")),
    DETAIL: truth((CPP, "no-match"), (CPP, "no-match")),
}
CPP_RECIPES = (
    CXX(
        case="templates",
        files=TEMPLATES,
        variants={
            SHIFTED: shifted(TEMPLATES, CPP),
            PARTIAL: {CPP: SORTED},
            OTHER: {CPP: SORTED.replace("return both", "return none")},
            DETAIL: {CPP: TEMPLATES[CPP].replace("one + other", "one - other")},
        },
        truths=CPP_TRUTHS,
    ),
    CXX(
        case="classes",
        files=CLASSES,
        variants={
            SHIFTED: shifted(CLASSES, CPP),
            PARTIAL: {CPP: CLASSES[CPP].replace("shop.close", "shop.open")},
            OTHER: {CPP: CLASSES[CPP].replace("shop.close()", "shops.open()")},
            DETAIL: {CPP: CLASSES[CPP].replace("shop.close", "shop.shut")},
        },
        truths={
            "base": truth((CPP, "no-member"), (CPP, "access")),
            PARTIAL: truth((CPP, "access")),
            OTHER: truth((CPP, "undeclared"), (CPP, "access")),
            DETAIL: truth((CPP, "no-member"), (CPP, "access")),
        },
    ),
)
RECIPES = C_RECIPES + CPP_RECIPES
