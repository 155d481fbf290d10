"""ctest, the sanitizers and valgrind."""

from functools import partial

from tests.record.insertions import commented
from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import shifted, truth

A, B, LISTS = "src/a.c", "src/b.c", "CMakeLists.txt"
CMAKE = "apt: gcc libc6-dev make cmake"
GCC = "apt: gcc libc6-dev"

PROJECT = """\
cmake_minimum_required(VERSION 3.10)
project(shop C)
enable_testing()
add_executable(prices src/a.c)
add_executable(pages src/b.c)
add_test(NAME half_of_a_price COMMAND prices)
add_test(NAME pages COMMAND $<TARGET_FILE:pages>)
add_test(NAME fine COMMAND pages fine)
"""
ASSERTS = {
    LISTS: PROJECT,
    A: "#include <assert.h>\nint main(void) { assert(5 / 2 == 3); return 0; }\n",
    B: '#include <stdio.h>\nint main(int argc, char **argv) {\n  if (argc > 1) return 0;\n'
    '  fprintf(stderr, "%s: 3 pages expected, got %d\\n", argv[0] ? __FILE__ ":4" : "", 2);\n  return 1;\n}\n',
}  # fmt: skip
SILENT = {
    LISTS: PROJECT,
    A: ASSERTS[A],
    B: "int main(int argc, char **argv) {\n  int *none = 0;\n  (void)argv;\n  return argc > 1 ? 0 : *none;\n}\n",
}
BUILD = "cmake -S . -B build >/dev/null && cmake --build build >/dev/null && "


CTEST_RUN = partial(Recipe, tool="ctest", layer="test", needs=("ctest", "gcc", "make"), packages=CMAKE)
BOTH_RUN = partial(Recipe, tool="gcc", layer="test", needs=("gcc",), packages=GCC)


def _both(build: str) -> str:
    """Return a line that builds and runs two programs, whatever the first one does."""
    return f"{build} src/a.c -o a && {build} src/b.c -o b && {{ ./a; r=$?; ./b || r=$?; exit $r; }}"


CTEST = (
    CTEST_RUN(
        case="assert",
        command=f"{BUILD}ctest --test-dir build --output-on-failure",
        files=ASSERTS,
        variants={
            SHIFTED: shifted(ASSERTS, A) | commented(ASSERTS, LISTS),
            PARTIAL: {B: ASSERTS[B].replace("return 1", "return 0")},
            OTHER: {LISTS: PROJECT.replace("pages fine", "pages").replace("$<TARGET_FILE:pages>", "pages fine")},
            DETAIL: {A: ASSERTS[A].replace("5 / 2", "4 / 2")},
        },
        truths={
            "base": truth((A, "half_of_a_price"), (B, "pages")),
            PARTIAL: truth((A, "half_of_a_price")),
            OTHER: truth((A, "half_of_a_price"), (B, "fine")),
            DETAIL: truth((A, "half_of_a_price"), (B, "pages")),
        },
    ),
    CTEST_RUN(
        case="silent",
        command=f"{BUILD}ctest --test-dir build",
        files=SILENT,
        variants={
            SHIFTED: shifted(SILENT, A, B),
            PARTIAL: {B: SILENT[B].replace(": *none", ": 0")},
            OTHER: {LISTS: PROJECT.replace("pages fine", "pages").replace("$<TARGET_FILE:pages>", "pages fine")},
            DETAIL: {B: SILENT[B].replace(": *none", ": 4")},
        },
        truths={
            "base": truth((A, "half_of_a_price"), (B, "pages")),
            PARTIAL: truth((A, "half_of_a_price")),
            OTHER: truth((A, "half_of_a_price"), (B, "fine")),
            DETAIL: truth((A, "half_of_a_price"), (B, "pages")),
        },
    ),
)
OVERFLOW = {
    A: "#include <stdlib.h>\nint main(void) {\n  char *all = malloc(8);\n  all[9] = 1;\n  free(all);\n  return 0;\n}\n",
    B: "#include <stdlib.h>\nint main(void) {\n  int *all = malloc(8);\n  free(all);\n  return all[1];\n}\n",
}
LEAKS = {
    A: "#include <stdlib.h>\nint main(void) {\n  char *all = malloc(8);\n  all = 0;\n  return all != 0;\n}\n",
    B: "#include <stdlib.h>\nint main(void) {\n  int *all = malloc(80);\n  all = 0;\n  return all != 0;\n}\n",
}
UNDEFINED = {
    A: "int main(int argc, char **argv) {\n  int most = 2147483647;\n  (void)argv;\n  return most + argc == 0;\n}\n",
    B: "int main(int argc, char **argv) {\n  (void)argv;\n  return 1 << (argc + 33);\n}\n",
}
RACE = """\
#include <pthread.h>
static int sold;
static void *sell(void *unused) {
  sold++;
  return unused;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, sell, 0);
  sold++;
  pthread_join(one, 0);
  return 0;
}
"""
RACES = {A: RACE, B: RACE.replace("sold", "kept").replace("sell", "keep")}
OVER, FREED, LEAK = "heap-buffer-overflow", "heap-use-after-free", "memory-leak"
SIGNED, SHIFT, RACED = "signed-integer-overflow", "shift", "data-race"
SANITIZERS = (
    BOTH_RUN(
        case="asan",
        command=_both("gcc -g -fsanitize=address"),
        files=OVERFLOW,
        variants={
            SHIFTED: shifted(OVERFLOW, A, B),
            PARTIAL: {A: OVERFLOW[A].replace("all[9]", "all[7]")},
            OTHER: {A: OVERFLOW[A].replace("all[9] = 1;\n  free(all);", "free(all);\n  all[1] = 1;")},
            DETAIL: {A: OVERFLOW[A].replace("all[9]", "all[12]")},
        },
        truths={
            "base": truth((A, OVER), (B, FREED)),
            PARTIAL: truth((B, FREED)),
            OTHER: truth((A, FREED), (B, FREED)),
            DETAIL: truth((A, OVER), (B, FREED)),
        },
    ),
    BOTH_RUN(
        case="lsan",
        command=_both("gcc -g -fsanitize=address"),
        files=LEAKS,
        variants={
            SHIFTED: shifted(LEAKS, A, B),
            PARTIAL: {A: LEAKS[A].replace("all = 0", "free(all)").replace("all != 0", "0")},
            OTHER: {A: OVERFLOW[A]},
            DETAIL: {A: LEAKS[A].replace("8", "9")},
        },
        truths={
            "base": truth((A, LEAK), (B, LEAK)),
            PARTIAL: truth((B, LEAK)),
            OTHER: truth((A, OVER), (B, LEAK)),
            DETAIL: truth((A, LEAK), (B, LEAK)),
        },
    ),
    BOTH_RUN(
        case="ubsan",
        command=_both("gcc -g -fsanitize=undefined -fno-sanitize-recover"),
        files=UNDEFINED,
        variants={
            SHIFTED: shifted(UNDEFINED, A, B),
            PARTIAL: {A: UNDEFINED[A].replace("most + argc", "most - argc")},
            OTHER: {A: UNDEFINED[A].replace("most + argc == 0", "most / (argc - 1)")},
            DETAIL: {A: UNDEFINED[A].replace("most + argc", "most + 2 * argc")},
        },
        truths={
            "base": truth((A, SIGNED), (B, SHIFT)),
            PARTIAL: truth((B, SHIFT)),
            OTHER: truth((A, "division-by-zero"), (B, SHIFT)),
            DETAIL: truth((A, SIGNED), (B, SHIFT)),
        },
    ),
    BOTH_RUN(
        case="tsan",
        command=_both("gcc -g -fsanitize=thread -pthread"),
        files=RACES,
        variants={
            SHIFTED: shifted(RACES, A, B),
            PARTIAL: {A: RACE.replace("  sold++;\n  pthread_join(one, 0);\n", "  pthread_join(one, 0);\n  sold++;\n")},
            OTHER: {A: OVERFLOW[A].replace("all[9] = 1;\n  free(all);", "free(all);\n  all[1] = 1;")},
        },
        truths={
            "base": truth((A, RACED), (B, RACED)),
            PARTIAL: truth((B, RACED)),
            OTHER: truth((A, FREED), (B, RACED)),
        },
    ),
)
MEMCHECK = (
    Recipe(
        tool="gcc",
        case="memcheck",
        layer="test",
        command="gcc -g src/a.c -o a && gcc -g src/b.c -o b && r=0; for t in a b; do "
        "valgrind --quiet --leak-check=full --error-exitcode=3 ./$t || r=$?; done; exit $r",
        needs=("gcc", "valgrind"),
        packages="apt: valgrind gcc libc6-dev",
        files={A: OVERFLOW[A], B: LEAKS[B]},
        variants={
            SHIFTED: shifted({A: OVERFLOW[A], B: LEAKS[B]}, A, B),
            PARTIAL: {A: OVERFLOW[A].replace("all[9]", "all[7]")},
            OTHER: {A: LEAKS[A]},
            DETAIL: {B: LEAKS[B].replace("80", "84")},
        },
        truths={
            "base": truth((A, "invalid-write"), (B, LEAK)),
            PARTIAL: truth((B, LEAK)),
            OTHER: truth((A, LEAK), (B, LEAK)),
            DETAIL: truth((A, "invalid-write"), (B, LEAK)),
        },
    ),
)
RECIPES = CTEST + SANITIZERS + MEMCHECK
