"""go build, go vet, go test and gofmt."""

from collections.abc import Mapping

from tests.record.recipe import BASE, DETAIL, OTHER, PARTIAL, SHIFTED, Recipe, Truth
from tests.record.sources import shifted, truth

A, B, T, U = "a/a.go", "b/b.go", "a/a_test.go", "b/b_test.go"
MODULE = {"go.mod": "module example.com/shop\n\ngo 1.19\n"}
SUM = "package a\n\nfunc Sum(items []int) int {\n\ttotal := 0\n\tfor _, one := range items {\n\t\ttotal += one\n\t}\n"
TYPES = {
    A: SUM + "\tfirst := items[0]\n\treturn total\n}\n",
    B: "package b\n\nfunc Size(text string) int {\n\treturn text\n}\n",
}
SYNTAX = {
    A: "package a\n\nfunc Sum(items []int) int {\n\treturn len(items\n}\n",
    B: 'package b\n\nimport (\n\t"os"\n\t"strings"\n)\n\n'
    "func Size(text string) int {\n\treturn len(strings.ToUpper(text))\n}\n",
}
VET = {
    A: 'package a\n\nimport "fmt"\n\nfunc Say(count int) {\n\tfmt.Printf("%s items\\n", count)\n}\n',
    B: "package b\n\nfunc Size(text string) int {\n\ttext = text\n\treturn len(text)\n}\n",
}
VET_VARIANTS: Mapping[str, Mapping[str, str]] = {
    SHIFTED: shifted(VET, A, B),
    PARTIAL: {B: VET[B].replace("\ttext = text\n", "")},
    OTHER: {B: VET[B].replace("\ttext = text\n", "").replace("text)\n", "text)\n\tpanic(text)\n")},
    DETAIL: {A: VET[A].replace("%s", "%t")},
}
VET_TRUTHS: Mapping[str, Truth] = {
    BASE: truth((A, "printf"), (B, "assign")),
    PARTIAL: truth((A, "printf")),
    OTHER: truth((A, "printf"), (B, "unreachable")),
    DETAIL: truth((A, "printf"), (B, "assign")),
}
SOURCES = {
    A: "package a\n\nfunc Add(x, y int) int {\n\treturn x - y\n}\n\n"
    'func Name(name string) string {\n\treturn name + "!"\n}\n',
    T: 'package a\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(2, 3); got != 5 {\n'
    '\t\tt.Errorf("Add(2, 3) = %d, want 5", got)\n\t}\n}\n\nfunc TestName(t *testing.T) {\n\tt.Log("asking")\n'
    '\tif got := Name("Ada"); got != "Ada" {\n\t\tt.Fatalf("Name = %q", got)\n\t}\n}\n\n'
    'func TestNothing(t *testing.T) {\n\tif Add(0, 0) != 0 {\n\t\tt.Error("it adds")\n\t}\n}\n',
}
ASSERT_VARIANTS: Mapping[str, Mapping[str, str]] = {
    SHIFTED: shifted(SOURCES, A, T),
    PARTIAL: {A: SOURCES[A].replace(' + "!"', "")},
    OTHER: {A: SOURCES[A].replace(' + "!"', "").replace("x - y", "x - y + 1")},
    DETAIL: {A: SOURCES[A].replace('"!"', '"?"')},
}
ADD, NAME = (T, "example.com/shop/a.TestAdd"), (T, "example.com/shop/a.TestName")
ASSERT_TRUTHS: Mapping[str, Truth] = {
    BASE: truth(ADD, NAME),
    PARTIAL: truth(ADD),
    OTHER: truth(ADD, (T, "example.com/shop/a.TestNothing")),
    DETAIL: truth(ADD, NAME),
}
TABLE = {
    A: "package a\n\nfunc Pages(items, perPage int) int {\n\treturn items/perPage + 1\n}\n",
    T: 'package a\n\nimport "testing"\n\nfunc TestPages(t *testing.T) {\n\tcases := map[string][3]int{\n'
    '\t\t"full page": {20, 10, 2}, "none": {0, 10, 0}, "started": {21, 10, 3},\n\t}\n\tfor name, c := range cases {\n'
    "\t\tt.Run(name, func(t *testing.T) {\n\t\t\tif got := Pages(c[0], c[1]); got != c[2] {\n"
    '\t\t\t\tt.Errorf("got %d, want %d", got, c[2])\n\t\t\t}\n\t\t})\n\t}\n}\n',
}
CASE = "example.com/shop/a.TestPages/"
PANICS = {
    A: "package a\n\nfunc Last(items []int) int {\n\treturn items[len(items)]\n}\n",
    T: 'package a\n\nimport "testing"\n\n'
    "func TestLast(t *testing.T) {\n\tif Last([]int{1, 2}) != 2 {\n\t\tt.Fail()\n\t}\n}\n\n"
    "func TestAfter(t *testing.T) {}\n",
    B: "package b\n\nfunc Count(words map[string]int, word string) {\n\twords[word]++\n}\n",
    U: 'package b\n\nimport "testing"\n\nfunc TestCount(t *testing.T) {\n\tdone := make(chan bool)\n\tgo func() {\n'
    '\t\tvar words map[string]int\n\t\tCount(words, "a")\n\t\tclose(done)\n\t}()\n\t<-done\n}\n',
}
BUILDS = {
    **SOURCES,
    A: SOURCES[A].replace("x - y", "x + y"),
    B: "package b\n\nfunc Size(text string) int {\n\treturn len(text)\n}\n",
    U: 'package b\n\nimport "testing"\n\nfunc TestSize(t *testing.T) {\n\tif Sizes("a") != 1 {\n\t\tt.Fail()\n\t}\n}\n',
}
UNFORMATTED = {
    A: "package a\n\nfunc Sum(x int,y int) int {\n\treturn x+y\n}\n",
    B: "package b\n\nfunc Size(text string) int {\n    return len(text)\n}\n",
}


def recipe(
    tool: str, case: str, command: str, files: Mapping[str, str], variants: Mapping[str, Mapping[str, str]],
    truths: Mapping[str, Truth],
) -> Recipe:  # fmt: skip
    layer = {"go-build": "compile", "go-test": "test"}.get(tool, "lint")
    return Recipe(
        tool=tool, case=case, layer=layer, command=command, needs=("go",), packages="apt: golang-go",
        files={**MODULE, **files}, variants=variants, truths=truths,
    )  # fmt: skip


RECIPES: tuple[Recipe, ...] = (
    recipe(
        "go-build", "types", "go build ./...", TYPES,
        {
            SHIFTED: shifted(TYPES, A, B),
            PARTIAL: {B: TYPES[B].replace("return text", "return len(text)")},
            OTHER: {B: TYPES[B].replace("return text", "return size(text)")},
            DETAIL: {A: TYPES[A].replace("first", "head")},
        },
        {
            BASE: truth((A, "declared-not-used"), (B, "cannot-use")),
            PARTIAL: truth((A, "declared-not-used")),
            OTHER: truth((A, "declared-not-used"), (B, "undefined")),
            DETAIL: truth((A, "declared-not-used"), (B, "cannot-use")),
        },
    ),
    recipe(
        "go-build", "syntax", "go build ./...", SYNTAX,
        {
            SHIFTED: shifted(SYNTAX, A, B),
            PARTIAL: {A: SYNTAX[A].replace("len(items", "len(items)")},
            OTHER: {B: "package b\n\nfunc Size(text string) int {\n}\n"},
            DETAIL: {B: SYNTAX[B].replace('"os"', '"io"')},
        },
        {
            BASE: truth((A, "syntax-error"), (B, "imported-not-used")),
            PARTIAL: truth((B, "imported-not-used")),
            OTHER: truth((A, "syntax-error"), (B, "missing-return")),
            DETAIL: truth((A, "syntax-error"), (B, "imported-not-used")),
        },
    ),
    recipe("go-vet", "text", "go vet ./...", VET, VET_VARIANTS, VET_TRUTHS),
    recipe("go-vet", "json", "go vet -json ./...", VET, VET_VARIANTS, VET_TRUTHS),
    recipe("go-test", "assert", "go test -count=1 ./...", SOURCES, ASSERT_VARIANTS, ASSERT_TRUTHS),
    recipe("go-test", "verbose", "go test -count=1 -v ./...", SOURCES, ASSERT_VARIANTS, ASSERT_TRUTHS),
    recipe("go-test", "json", "go test -count=1 -json ./...", SOURCES, ASSERT_VARIANTS, ASSERT_TRUTHS),
    recipe(
        "go-test", "subtests", "go test -count=1 ./...", TABLE,
        {
            SHIFTED: shifted(TABLE, A, T),
            PARTIAL: {A: TABLE[A].replace("\treturn", "\tif items == 0 {\n\t\treturn 0\n\t}\n\treturn")},
            OTHER: {A: TABLE[A].replace("\treturn", "\tif items == 0 {\n\t\treturn 0\n\t}\n\treturn 1 +")},
            DETAIL: {A: TABLE[A].replace("\treturn", "\tif items == 0 {\n\t\treturn 7\n\t}\n\treturn")},
        },
        {
            BASE: truth((T, f"{CASE}full_page"), (T, f"{CASE}none")),
            PARTIAL: truth((T, f"{CASE}full_page")),
            OTHER: truth((T, f"{CASE}full_page"), (T, f"{CASE}started")),
            DETAIL: truth((T, f"{CASE}full_page"), (T, f"{CASE}none")),
        },
    ),
    recipe(
        "go-test", "panic", "go test -count=1 ./...", PANICS,
        {
            SHIFTED: shifted(PANICS, A, B, T, U),
            PARTIAL: {A: PANICS[A].replace("len(items)", "len(items)-1")},
            OTHER: {
                A: PANICS[A].replace("len(items)", "len(items)-1"),
                T: PANICS[T].replace("t *testing.T) {}", 't *testing.T) {\n\tpanic("after")\n}'),
            },
            DETAIL: {A: PANICS[A].replace("len(items)", "len(items)+4")},
        },
        {
            BASE: truth((T, "example.com/shop/a.TestLast"), (U, "example.com/shop/b.TestCount")),
            PARTIAL: truth((U, "example.com/shop/b.TestCount")),
            OTHER: truth((T, "example.com/shop/a.TestAfter"), (U, "example.com/shop/b.TestCount")),
            DETAIL: truth((T, "example.com/shop/a.TestLast"), (U, "example.com/shop/b.TestCount")),
        },
    ),
    recipe(
        "go-test", "build", "go test -count=1 ./...", BUILDS,
        {
            SHIFTED: shifted(BUILDS, A, B, T, U),
            PARTIAL: {U: BUILDS[U].replace("Sizes", "Size")},
            OTHER: {U: BUILDS[U].replace('Sizes("a")', "Size(1)")},
            DETAIL: {U: BUILDS[U].replace("Sizes", "Length")},
        },
        {
            BASE: truth(NAME, (U, "undefined")),
            PARTIAL: truth(NAME),
            OTHER: truth(NAME, (U, "cannot-use")),
            DETAIL: truth(NAME, (U, "undefined")),
        },
    ),
    recipe(
        "gofmt", "list", "gofmt -l .", UNFORMATTED,
        {
            SHIFTED: shifted(UNFORMATTED, A, B),
            PARTIAL: {B: UNFORMATTED[B].replace("    return", "\treturn")},
            OTHER: {B: UNFORMATTED[B].replace("    return", "\treturn"), "c/c.go": "package  c\n"},
        },
        {
            BASE: truth((A, "format"), (B, "format")),
            PARTIAL: truth((A, "format")),
            OTHER: truth((A, "format"), ("c/c.go", "format")),
        },
    ),
)  # fmt: skip
