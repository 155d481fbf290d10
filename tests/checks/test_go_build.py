"""What go's compiler, linker, vet, gofmt and golangci-lint print, read."""

import json

import pytest

from fixloop_bot.checks.go_message import rule_of
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from tests.checks.reading import parsed, place


@pytest.mark.parametrize(
    ("message", "rule", "kind"),
    [
        ("x declared but not used", "declared-not-used", DiagnosticKind.TYPE_ERROR),
        ("x declared and not used", "declared-not-used", DiagnosticKind.TYPE_ERROR),
        ("declared and not used: x", "declared-not-used", DiagnosticKind.TYPE_ERROR),
        ('"os" imported but not used', "imported-not-used", DiagnosticKind.TYPE_ERROR),
        ('"os" imported and not used', "imported-not-used", DiagnosticKind.TYPE_ERROR),
        ('imported and not used: "os"', "imported-not-used", DiagnosticKind.TYPE_ERROR),
        ("undefined: y", "undefined", DiagnosticKind.TYPE_ERROR),
        ("s.Foo undefined (type S has no field or method Foo)", "undefined", DiagnosticKind.TYPE_ERROR),
        (
            "cannot use x (variable of type int) as string value in argument to f",
            "cannot-use",
            DiagnosticKind.TYPE_ERROR,
        ),
        ("cannot infer T", "cannot-infer", DiagnosticKind.TYPE_ERROR),
        ("missing return", "missing-return", DiagnosticKind.TYPE_ERROR),
        ("not enough arguments in call to f", "not-enough", DiagnosticKind.TYPE_ERROR),
        ("f redeclared in this block", "redeclared", DiagnosticKind.TYPE_ERROR),
        ("invalid operation: a + b (mismatched types int and string)", "invalid-operation", DiagnosticKind.TYPE_ERROR),
        ("syntax error: unexpected newline, expected comma or )", "syntax-error", DiagnosticKind.SYNTAX_ERROR),
        ("expected 'package', found foo", "syntax-error", DiagnosticKind.SYNTAX_ERROR),
        ("no required module provides package example.com/y; to add it:", "import", DiagnosticKind.BUILD_ERROR),
        ("package nothere is not in GOROOT (/usr/lib/go/src/nothere)", "import", DiagnosticKind.BUILD_ERROR),
        ("something that a later version of go says", None, DiagnosticKind.BUILD_ERROR),
        ("self-assignment of s to s", "assign", DiagnosticKind.LINT_ERROR),
        ("fmt.Sprintf call needs 1 arg but has 2 args", "printf", DiagnosticKind.LINT_ERROR),
        ("fmt.Errorf format %d has arg err of wrong type error", "printf", DiagnosticKind.LINT_ERROR),
        ("fmt.Println arg list ends with redundant newline", "printf", DiagnosticKind.LINT_ERROR),
        ("non-constant format string in call to fmt.Printf", "printf", DiagnosticKind.LINT_ERROR),
        ("f passes lock by value: sync.Mutex", "copylocks", DiagnosticKind.LINT_ERROR),
        ("assignment copies lock value to b: sync.Mutex", "copylocks", DiagnosticKind.LINT_ERROR),
        (
            "the cancel function is not used on all paths (possible context leak)",
            "lostcancel",
            DiagnosticKind.LINT_ERROR,
        ),
        ("struct field tag `json:a` not compatible with reflect.StructTag.Get", "structtag", DiagnosticKind.LINT_ERROR),
        ("loop variable i captured by func literal", "loopclosure", DiagnosticKind.LINT_ERROR),
        ("image.Point struct literal uses unkeyed fields", "composites", DiagnosticKind.LINT_ERROR),
        ("conversion from int to string yields a string of one rune", "stringintconv", DiagnosticKind.LINT_ERROR),
        ("call of json.Unmarshal passes non-pointer as second argument", "unmarshal", DiagnosticKind.LINT_ERROR),
    ],
)
def test_a_message_has_a_name_and_a_kind(message: str, rule: str | None, kind: DiagnosticKind) -> None:
    assert rule_of(message) == (rule, kind)


def test_types_that_differ_belong_to_the_message_and_places_do_not() -> None:
    text = (
        "# example.com/x\n./x.go:4:5: not enough arguments in call to f\n\thave (number)\n\twant (int, int)\n"
        "./x.go:9:6: f redeclared in this block\n\t./y.go:3:6: other declaration of f\n"
    )
    few, again = parsed("go-build", text).diagnostics
    assert (place(few), few.message) == (
        ("x.go", 4, 5, "not-enough"), "not enough arguments in call to f\nhave (number)\nwant (int, int)",
    )  # fmt: skip
    assert again.message == "f redeclared in this block\nother declaration of f"


@pytest.mark.parametrize(
    ("text", "rule", "path"),
    [
        ("go: errors parsing go.mod:\n/p/go.mod:5: unknown directive: requires\n", "go.mod", "go.mod"),
        ("# example.com/x\nruntime.main_main·f: function main is undeclared in the main package\n", "link", None),
        ("# example.com/x\nexample.com/x.f: relocation target example.com/x.g not defined\n", "link", None),
        ("package x/a\n\timports x/b\n\timports x/a: import cycle not allowed\n", "import", None),
        ("vet: a/a.go:3:9: undefined: y\n", "undefined", "a/a.go"),
    ],
)
def test_what_go_says_in_other_ways_is_read_too(text: str, rule: str, path: str | None) -> None:
    (found,) = parsed("go-build", text).diagnostics
    assert (found.rule_id, found.path) == (rule, path)


def test_vets_objects_are_read_between_its_headings() -> None:
    finding = {"posn": "/p/a/a.go:7:2", "message": "unreachable code"}
    text = f'# x/a\n{json.dumps({"x/a": {"unreachable": [finding]}}, indent=1)}\n# x/b\n{{"x/b": {{"asm": [3]}}}}\n{{'
    found = parsed("go-vet", text)
    assert [place(one) for one in found.diagnostics] == [("a/a.go", 7, 2, "unreachable")]
    assert found.tier is Tier.STRUCTURED


def test_gofmt_names_files_that_exist_and_places_of_syntax_errors() -> None:
    text = "a.go\nnothere.go\nsub/b.go:3:5: expected declaration, found x\ndiff -u c.go.orig c.go\n--- c.go.orig\n"
    found = parsed("gofmt", text, files=("a.go", "c.go", "sub/b.go")).diagnostics
    assert [(one.path, one.rule_id) for one in found] == [
        ("a.go", "format"), ("sub/b.go", "syntax-error"), ("c.go", "format"),
    ]  # fmt: skip


LINTED = (
    "a.go:8:2: ineffectual assignment to x (ineffassign)\n\tx := 1\n\t^\n"
    "b/b.go:3:14: Error return value of `os.Remove` is not checked (errcheck)\n\tos.Remove(name)\n"
    "c.go:5:2: undefined: y (typecheck)\n3 issues:\n* errcheck: 1\n"
)


def test_golangci_lint_names_the_linter_behind_each_finding() -> None:
    found = parsed("golangci-lint", LINTED).diagnostics
    assert [place(one) for one in found] == [
        ("a.go", 8, 2, "ineffassign"), ("b/b.go", 3, 14, "errcheck"), ("c.go", 5, 2, "typecheck"),
    ]  # fmt: skip
    assert found[2].kind is DiagnosticKind.BUILD_ERROR


def test_golangci_lints_json_tells_the_same() -> None:
    issue = {
        "FromLinter": "errcheck",
        "Text": "Error return value is not checked",
        "Severity": "warning",
        "Pos": {"Filename": "b/b.go", "Line": 3, "Column": 14},
    }
    (found,) = parsed("golangci-lint", json.dumps({"Issues": [issue], "Report": {}})).diagnostics
    assert (place(found), found.level) == (("b/b.go", 3, 14, "errcheck"), Level.WARNING)
