"""Linkers, make and CMake."""

from functools import partial

from tests.record.insertions import commented
from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.recipes.c_compilers import SYNTAX, SYNTAX_TRUTHS, SYNTAX_VARIANTS, TYPES, TYPES_TRUTHS, TYPES_VARIANTS
from tests.record.sources import shifted, truth

A, B, MAKEFILE, LISTS = "src/a.c", "src/b.c", "Makefile", "CMakeLists.txt"
BUILD = "apt: gcc libc6-dev make"
CMAKE = "apt: gcc libc6-dev make cmake"
UNDEFINED, TWICE = "undefined-reference", "multiple-definition"
LINKED = {
    A: "int tax(int price);\nint rate(void) { return 1; }\n\nint main(void) { return tax(rate()); }\n",
    B: "extern int stock;\n\nint count(void) { return stock; }\n",
}
LINKED_TRUTHS = {
    "base": truth((A, UNDEFINED), (B, UNDEFINED)),
    PARTIAL: truth((A, UNDEFINED)),
    OTHER: truth((A, UNDEFINED), (B, TWICE)),
    DETAIL: truth((A, UNDEFINED), (B, UNDEFINED)),
}
LINKED_VARIANTS = {
    SHIFTED: shifted(LINKED, A, B),
    PARTIAL: {B: "int stock;\n\nint count(void) { return stock; }\n"},
    OTHER: {B: "int stock;\n\nint rate(void) { return stock; }\n"},
    DETAIL: {B: "extern int closed;\n\nint count(void) { return closed; }\n"},
}
MAKE = {MAKEFILE: "all: a.o b.o\n%.o: src/%.c\n\t$(CC) $(CFLAGS) -c $< -o $@\n"}
MAKE_LINK = {MAKEFILE: "OBJECTS = obj/a.o obj/b.o\napp: $(OBJECTS)\n\t$(CC) -o $@ $^\n"
             "obj/%.o: src/%.c\n\t@mkdir -p obj\n\t$(CC) -c $< -o $@\n"}  # fmt: skip
RULES = {
    MAKEFILE: "CFLAGS = -O1\nall: one.txt two.txt\none.txt: first.in\n\tcp $< $@\ntwo.txt: second.in\n\tcp $< $@\n",
}
PROJECT = "cmake_minimum_required(VERSION 3.10)\nproject(shop C)\n"
CONFIGURE = {
    LISTS: f"{PROJECT}include(cmake/options.cmake)\nadd_subdirectory(src)\n",
    "src/CMakeLists.txt": "add_library(shop a.c)\ntarget_link_libraries(shops PRIVATE m)\n",
    A: SYNTAX[A],
}
CMAKE_BUILT = {LISTS: f"{PROJECT}add_library(shop src/a.c src/b.c)\n"}
CMAKE_LINKED = {LISTS: f"{PROJECT}add_executable(shop src/a.c src/b.c)\n"}


LINK = partial(Recipe, tool="gcc", layer="compile", needs=("gcc",), packages=BUILD)
WITH_MAKE = partial(Recipe, tool="make", layer="compile", needs=("make", "gcc"), packages=BUILD)
WITH_CMAKE = partial(Recipe, tool="cmake", layer="compile", needs=("cmake", "gcc", "make"), packages=CMAKE)

LINKERS = (
    LINK(
        case="link",
        command="gcc src/a.c src/b.c -o app",
        files=LINKED,
        variants=LINKED_VARIANTS,
        truths=LINKED_TRUTHS,
    ),
    LINK(
        case="link-lines",
        command="gcc -g src/a.c src/b.c -o app",
        files=LINKED,
        variants=LINKED_VARIANTS,
        truths=LINKED_TRUTHS,
    ),
)
MAKES = (
    WITH_MAKE(case="syntax", command="make -k", files=MAKE | SYNTAX, variants=SYNTAX_VARIANTS, truths=SYNTAX_TRUTHS),
    WITH_MAKE(
        case="types",
        command="make -k -j4 CFLAGS='-Wunused -Werror'",
        files=MAKE | TYPES,
        variants=TYPES_VARIANTS,
        truths=TYPES_TRUTHS,
    ),
    WITH_MAKE(case="link", command="make -k", files=MAKE_LINK | LINKED, variants=LINKED_VARIANTS, truths=LINKED_TRUTHS),
    WITH_MAKE(
        case="rules",
        command="make -k",
        files=RULES,
        variants={
            SHIFTED: commented(RULES, MAKEFILE),
            PARTIAL: {MAKEFILE: RULES[MAKEFILE].replace("second.in", "Makefile")},
            OTHER: {MAKEFILE: RULES[MAKEFILE].replace("\tcp", "    cp", 1)},
            DETAIL: {MAKEFILE: RULES[MAKEFILE].replace("second.in", "third.in")},
        },
        truths={
            "base": truth((MAKEFILE, "no-rule"), (MAKEFILE, "no-rule")),
            PARTIAL: truth((MAKEFILE, "no-rule")),
            OTHER: truth((MAKEFILE, "syntax")),
            DETAIL: truth((MAKEFILE, "no-rule"), (MAKEFILE, "no-rule")),
        },
    ),
)
SOURCES = "src/CMakeLists.txt"
CMAKES = (
    WITH_CMAKE(
        case="configure",
        command="cmake -S . -B build",
        files=CONFIGURE,
        variants={
            SHIFTED: commented(CONFIGURE, LISTS, SOURCES),
            PARTIAL: {SOURCES: CONFIGURE[SOURCES].replace("(shops", "(shop")},
            OTHER: {SOURCES: CONFIGURE[SOURCES].replace("target_link_libraries", "link_shop")},
            DETAIL: {SOURCES: CONFIGURE[SOURCES].replace("(shops", "(store")},
        },
        truths={
            "base": truth((LISTS, "include"), (SOURCES, "target_link_libraries")),
            PARTIAL: truth((LISTS, "include")),
            OTHER: truth((LISTS, "include"), (SOURCES, "unknown-command")),
            DETAIL: truth((LISTS, "include"), (SOURCES, "target_link_libraries")),
        },
    ),
    WITH_CMAKE(
        case="build",
        command="cmake -S . -B build && cmake --build build -- -k",
        files=CMAKE_BUILT | SYNTAX,
        variants=SYNTAX_VARIANTS,
        truths=SYNTAX_TRUTHS,
    ),
    WITH_CMAKE(
        case="link",
        command="cmake -S . -B build >/dev/null && cmake --build build",
        files=CMAKE_LINKED | LINKED,
        variants=LINKED_VARIANTS,
        truths=LINKED_TRUTHS,
    ),
)
RECIPES = LINKERS + MAKES + CMAKES
