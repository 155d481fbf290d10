"""`fixloop run` on real C projects (CMake, make) and on shell scripts with bats: a failure in each layer, repaired."""

import pytest

from tests.e2e.workspace import Workspace
from tests.fakes.model_server import ModelServer, edit, finish, turn
from tests.system.toolchains import install

TOOLS = {
    "cc": "gcc libc6-dev",
    "make": "make",
    "cmake": "cmake",
    "clang-format": "clang-format",
    "cppcheck": "cppcheck",
    "shellcheck": "shellcheck",
    "bats": "bats",
}
CMAKE = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.10)
project(shop C)
enable_testing()
add_library(shop src/price.c src/stock.c)
target_include_directories(shop PUBLIC src)
add_executable(shop_test tests/shop_test.c)
target_link_libraries(shop_test PRIVATE shop)
add_test(NAME total_adds_up COMMAND shop_test total)
add_test(NAME a_started_page_is_a_page COMMAND shop_test pages)
""",
    ".clang-format": "BasedOnStyle: LLVM\n",
    ".pre-commit-config.yaml": "repos:\n- repo: https://github.com/pre-commit/mirrors-clang-format\n  rev: v14.0.6\n"
    "  hooks:\n  - id: clang-format\n",
    "src/shop.h": "#ifndef SHOP_H\n#define SHOP_H\nint total(const int *prices, int count);\n"
    "int pages(int items, int per_page);\n#endif\n",
    "src/price.c": '#include "shop.h"\n\nint total(const int *prices, int count) {\n  int sum = 0;\n'
    "  for (int i = 0; i < count; i++)\n    sum += prices[i]\n  return sum;\n}\n",
    "src/stock.c": '#include "shop.h"\n\nint pages(int items, int per_page) { return   items / per_page; }\n',
    "tests/shop_test.c": """\
#include "shop.h"
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  int prices[] = {1, 2};
  if (argc > 1 && strcmp(argv[1], "total") == 0)
    assert(total(prices, 2) == 3);
  else
    assert(pages(21, 10) == 3);
  return 0;
}
""",
}
MAKE = {
    "Makefile": """\
CFLAGS += -Wall -Werror

shop_test: price.o shop_test.o
\t$(CC) -o $@ $^

.PHONY: lint test
lint:
\tcppcheck --quiet --error-exitcode=1 price.c
test: shop_test
\t./shop_test
""",
    "price.c": "int half(int price) { int unused; return price / 2; }\n"
    "int first(void) { int all[2] = {1, 2}; return all[2]; }\n",
    "shop_test.c": "#include <stdio.h>\nint half(int price);\nint first(void);\n"
    'int main(void) {\n  if (half(5) != 3) {\n    printf("shop_test.c:5: half(5) is %d, not 3\\n", half(5));\n'
    "    return 1;\n  }\n  return first() != 2;\n}\n",
}
SHELL = {
    ".shellcheckrc": "shell=bash\n",
    "bin/greet": "#!/usr/bin/env bash\nset -eu\nif [ $# -gt 0 ]; then\n  name=$1\nelse\n  name=you\n"
    'echo "Hello $name!"\n',
    "lib/add.sh": "#!/bin/bash\nadd() {\n  echo $(($1 - $2))\n}\nfirst() {\n  echo $1\n}\n",
    "test/shop.bats": """\
setup() {
  source "$BATS_TEST_DIRNAME/../lib/add.sh"
}

@test "adds" {
  run add 1 2
  [ "$output" = 3 ]
}

@test "greets" {
  run "$BATS_TEST_DIRNAME/../bin/greet" Pat
  [ "$output" = "Hello Pat!" ]
}
""",
}


@pytest.fixture(scope="module", autouse=True)
def toolchains() -> None:
    install(TOOLS)


def test_three_layers_of_a_cmake_project(workspace: Workspace) -> None:
    start = workspace.commit(CMAKE)
    replies = [
        turn(
            edit("src/price.c", "sum += prices[i]\n", "sum += prices[i];\n"), finish("done", hypothesis="a semicolon")
        ),
        turn(edit("src/stock.c", "items / per_page", "(items + per_page - 1) / per_page"), finish("done")),
    ]
    with ModelServer(replies) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == [
        "fix-loop: compile clean (iteration 1)",
        "fix-loop: lint clean (free)",
        "fix-loop: test clean (iteration 2)",
    ]
    assert "src/price.c:6" in server.requests[0].text, "where the compiler says it"
    assert "a_started_page_is_a_page" in server.requests[1].text
    assert workspace.status == "", "nothing was built inside of the worktree"


def test_three_layers_of_a_makefile_project(workspace: Workspace) -> None:
    start = workspace.commit(MAKE)
    replies = [
        turn(edit("price.c", " int unused;", ""), finish("done", hypothesis="an unused variable")),
        turn(edit("price.c", "return all[2]", "return all[1]"), finish("done", hypothesis="past the end")),
        turn(edit("price.c", "price / 2", "(price + 1) / 2"), finish("done", hypothesis="rounding")),
    ]
    with ModelServer(replies) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == [
        "fix-loop: compile clean (iteration 1)",
        "fix-loop: lint clean (iteration 2)",
        "fix-loop: test clean (iteration 3)",
    ]
    assert workspace.status == "", "what make built, and git does not ignore, is gone"


def test_three_layers_of_shell_scripts(workspace: Workspace) -> None:
    start = workspace.commit(SHELL)
    (workspace.root / "bin/greet").chmod(0o755)
    start = workspace.commit({}, "may be executed")
    replies = [
        turn(edit("bin/greet", "  name=you\n", "  name=you\nfi\n"), finish("done", hypothesis="an open if")),
        turn(edit("lib/add.sh", "  echo $1\n", '  echo "$1"\n'), finish("done", hypothesis="no quotes")),
        turn(edit("lib/add.sh", "$1 - $2", "$1 + $2"), finish("done", hypothesis="the sign")),
    ]
    with ModelServer(replies) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == [
        "fix-loop: compile clean (iteration 1)",
        "fix-loop: lint clean (iteration 2)",
        "fix-loop: test clean (iteration 3)",
    ]
    assert "SC2086" in server.requests[1].text
    assert "adds" in server.requests[2].text
    assert workspace.status == ""
