"""Shells that only read, shellcheck, shfmt and bats."""

from functools import partial

from tests.record.insertions import commented
from tests.record.recipe import DETAIL, OTHER, PARTIAL, SHIFTED, Recipe
from tests.record.sources import truth

A, B, TESTS = "bin/a.sh", "bin/b.sh", "test/shop.bats"
READ = 'rc=0; for f in bin/*.sh; do {} -n "$f" || rc=$?; done; exit $rc'

SYNTAX = {
    A: '#!/bin/sh\nif [ "$1" = all ]; then\n  echo all\ndone\n',
    B: "#!/bin/sh\nfor name in a b; do\n  echo $name\n",
}
SYNTAX_VARIANTS = {
    SHIFTED: commented(SYNTAX, A, B),
    PARTIAL: {B: "#!/bin/sh\nfor name in a b; do\n  echo $name\ndone\n"},
    OTHER: {B: '#!/bin/sh\nfor name in a b; do\n  echo "$name\ndone\n'},
    DETAIL: {A: SYNTAX[A].replace("done", "esac")},
}
SYNTAX_TRUTHS = {
    "base": truth((A, "syntax"), (B, "syntax")),
    PARTIAL: truth((A, "syntax")),
    OTHER: truth((A, "syntax"), (B, "syntax")),
    DETAIL: truth((A, "syntax"), (B, "syntax")),
}
LINT = {
    A: "#!/bin/sh\nshop=1\necho $1\n",
    B: '#!/bin/sh\nread name\necho "$name"\n',
}
LINT_VARIANTS = {
    SHIFTED: commented(LINT, A, B),
    PARTIAL: {B: '#!/bin/sh\nread -r name\necho "$name"\n'},
    OTHER: {B: "#!/bin/sh\nread -r name\ntest $name = all\n"},
    DETAIL: {A: LINT[A].replace("shop", "till")},
}
LINT_TRUTHS = {
    "base": truth((A, "SC2034"), (A, "SC2086"), (B, "SC2162")),
    PARTIAL: truth((A, "SC2034"), (A, "SC2086")),
    OTHER: truth((A, "SC2034"), (A, "SC2086"), (B, "SC2086")),
    DETAIL: truth((A, "SC2034"), (A, "SC2086"), (B, "SC2162")),
}
SHFMT = {A: "#!/bin/sh\nif true; then\n        echo all\nfi\n", B: "#!/bin/sh\necho  two\n"}
BATS = {
    TESTS: """\
helper() {
  [ "$1" = "$2" ]
}

@test "adds" {
  run expr 1 + 1
  [ "$output" = 3 ]
}

@test "names a shop" {
  echo "looking for it"
  helper shop till
}

@test "fine" {
  true
}
""",
}
BATS_VARIANTS = {
    SHIFTED: commented(BATS, TESTS),
    PARTIAL: {TESTS: BATS[TESTS].replace("shop till", "shop shop")},
    OTHER: {TESTS: BATS[TESTS].replace("shop till", "shop shop").replace("  true\n", "  false\n")},
    DETAIL: {TESTS: BATS[TESTS].replace('"$output" = 3', '"$output" = 4')},
}
BATS_TRUTHS = {
    "base": truth((TESTS, "adds"), (TESTS, "names a shop")),
    PARTIAL: truth((TESTS, "adds")),
    OTHER: truth((TESTS, "adds"), (TESTS, "fine")),
    DETAIL: truth((TESTS, "adds"), (TESTS, "names a shop")),
}
BROKEN = {
    "test/a.bats": '@test "adds" {\n  if true; then\n}\n',
    "test/b.bats": 'setup_file() {\n  false\n}\n\n@test "fine" {\n  true\n}\n',
}


LINTED = partial(
    Recipe,
    tool="shellcheck",
    layer="lint",
    needs=("shellcheck",),
    packages="apt: shellcheck",
    files=LINT,
    variants=LINT_VARIANTS,
    truths=LINT_TRUTHS,
    version="shellcheck --version | sed -n 2p",
)
TESTED = partial(Recipe, tool="bats", layer="test", needs=("bats",), packages="apt: bats")
SHOP = partial(TESTED, files=BATS, variants=BATS_VARIANTS, truths=BATS_TRUTHS)
SHELLS = tuple(
    Recipe(
        tool="sh-syntax",
        case=shell,
        layer="compile",
        command=READ.format(shell),
        needs=(program,),
        files=SYNTAX,
        variants=SYNTAX_VARIANTS,
        truths=SYNTAX_TRUTHS,
        version=version,
    )
    for shell, program, version in (("bash", "bash", "bash --version"), ("sh", "dash", "echo dash"))
)
RECIPES = (
    *SHELLS,
    LINTED(case="names", command="shellcheck bin/a.sh bin/b.sh"),
    LINTED(case="gcc", command="shellcheck -f gcc bin/a.sh bin/b.sh"),
    LINTED(case="json", command="shellcheck -f json1 bin/a.sh bin/b.sh"),
    Recipe(
        tool="shfmt",
        case="diff",
        layer="lint",
        command="shfmt -d bin/a.sh bin/b.sh",
        needs=("shfmt",),
        packages="apt: shfmt",
        files=SHFMT,
        variants={SHIFTED: commented(SHFMT, A, B), PARTIAL: {B: "#!/bin/sh\necho two\n"}},
        truths={"base": truth((A, "format"), (B, "format")), PARTIAL: truth((A, "format"))},
    ),
    SHOP(case="tap", command="bats --tap test"),
    SHOP(case="pretty", command="bats --pretty test"),
    SHOP(case="junit", command="bats --formatter junit test"),
    TESTED(
        case="broken",
        command="bats --tap test",
        files=BROKEN,
        variants={
            SHIFTED: commented(BROKEN, *BROKEN),
            PARTIAL: {"test/b.bats": BROKEN["test/b.bats"].replace("false", "true")},
            DETAIL: {"test/b.bats": BROKEN["test/b.bats"].replace("false", "grep nothing /dev/null")},
        },
        truths={
            "base": truth(("test/a.bats", "setup_file failed"), ("test/b.bats", "setup_file failed")),
            PARTIAL: truth(("test/a.bats", "setup_file failed")),
            DETAIL: truth(("test/a.bats", "setup_file failed"), ("test/b.bats", "setup_file failed")),
        },
    ),
)
