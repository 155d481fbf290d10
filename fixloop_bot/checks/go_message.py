"""What the messages of Go's compiler and of `go vet` mean: neither prints a rule beside its text."""

import re

from fixloop_bot.model.diagnostic import DiagnosticKind

_SYNTAX = DiagnosticKind.SYNTAX_ERROR
_TYPE = DiagnosticKind.TYPE_ERROR
_BUILD = DiagnosticKind.BUILD_ERROR
_LINT = DiagnosticKind.LINT_ERROR

_COMPILER: tuple[tuple[str, str, DiagnosticKind], ...] = (
    (r"syntax error: |expected [^\n]{1,80}, found ", "syntax-error", _SYNTAX),
    (r"(?:string|rune|comment|raw string|character) (?:literal )?not terminated|newline in ", "syntax-error", _SYNTAX),
    (r"declared and not used: |[^\s\n]+ declared (?:but|and) not used$", "declared-not-used", _TYPE),
    (r"(?:\"[^\"\n]*\" )?imported (?:as \S+ )?(?:and|but) not used", "imported-not-used", _TYPE),
    (r"undefined: |undeclared name: |[^\n]{1,300} undefined(?: \(|$)", "undefined", _TYPE),
    (r"cannot use ", "cannot-use", _TYPE),
    (r"missing return", "missing-return", _TYPE),
    (r"not enough ", "not-enough", _TYPE),
    (r"too many ", "too-many", _TYPE),
    (r"assignment mismatch: ", "assignment-mismatch", _TYPE),
    (r"invalid operation: ", "invalid-operation", _TYPE),
    (r"impossible type (?:assertion|switch case)", "ifaceassert", _TYPE),
    (r"cannot (assign|call|compare|convert|define|index|infer|range|refer|slice|take)\b", "cannot-{}", _TYPE),
    (r"[^\n]{1,300} (?:redeclared|already declared)\b", "redeclared", _TYPE),
    (r"duplicate ", "duplicate", _TYPE),
    (r"no required module provides package |cannot find (?:module|package) |package \S+ is not in ", "import", _BUILD),
    (r"missing go\.sum entry |could not import |use of internal package |import cycle not allowed", "import", _BUILD),
    (r"pattern \S+: ", "embed", _BUILD),
    (r"found packages ", "package", _BUILD),
)

_VET: tuple[tuple[str, str], ...] = (
    (r"self-assignment of ", "assign"),
    (r"direct assignment to atomic value", "atomic"),
    (r"(?:redundant|suspect) (?:or|and): ", "bools"),
    (r"(?:possible )?(?:malformed|misplaced|unexpected extra) (?://go:build|\+build)|\+build lines do not", "buildtag"),
    (r"\S+ (?:struct |composite )literal uses unkeyed fields", "composites"),
    (r"[^\n]{1,300} (?:copies lock|passes lock by value)\b", "copylocks"),
    (r"call to time\.Since is not deferred", "defers"),
    (r"misplaced //go:debug", "directive"),
    (r"second argument to errors\.As ", "errorsas"),
    (r"using \S+ before checking for errors", "httpresponse"),
    (r"address format [^\n]{1,80} does not work with IPv6", "hostport"),
    (r"loop variable \S+ captured by func literal", "loopclosure"),
    (
        r"the \S+ (?:function|variable) is not used on all paths|this return statement may be reached without using the"
        r"|the cancel\w* function returned by \S+ should be called",
        "lostcancel",
    ),
    (r"comparison of function \S+ [!=]= nil is always", "nilfunc"),
    (
        r"(?:\S+ (?:format|call|arg) |(?:\S+ )?non-constant format string in call to )[^\n]*"
        r"|\S+ does not (?:support error-wrapping directive|take io\.Writer)|missing \.\.\. in args forwarded to",
        "printf",
    ),
    (r"[^\n]{1,300} too small for shift of ", "shift"),
    (r"misuse of unbuffered os\.Signal channel", "sigchanyzer"),
    (r"(?:call to )?slog\.\S+ ", "slog"),
    (r"method \S+ should have signature ", "stdmethods"),
    (r"\S+ requires go\d\S* or later", "stdversion"),
    (r"conversion from \S+(?: \([^\n]{1,80}\))? to \S+(?: \([^\n]{1,80}\))? yields a string", "stringintconv"),
    (r"struct field ", "structtag"),
    (r"call to \(\*[^\s()]+\)\.\S+ from a non-test goroutine", "testinggoroutine"),
    (r"\S+ (?:has malformed (?:name|example suffix)|refers to unknown|should (?:be niladic|return nothing))", "tests"),
    (r"\S+ should be 2006-01-02", "timeformat"),
    (r"call of \S+ passes non-pointer", "unmarshal"),
    (r"unreachable code", "unreachable"),
    (r"possible misuse of (?:unsafe\.Pointer|reflect\.)", "unsafeptr"),
    (r"result of \S+ call not used", "unusedresult"),
    (r"WaitGroup\.Add called from inside new goroutine", "waitgroup"),
)
"""Words of the analysers in golang.org/x/tools/go/analysis/passes, by the names that `go vet -json` gives them."""

_RULES = (
    *((re.compile(pattern), rule, kind) for pattern, rule, kind in _COMPILER),
    *((re.compile(pattern), rule, _LINT) for pattern, rule in _VET),
)


def rule_of(message: str) -> tuple[str | None, DiagnosticKind]:
    """Return a name for what a message complains of, and its kind; no name where the words are not known."""
    for pattern, rule, kind in _RULES:
        found = pattern.match(message)
        if found:
            return rule.format(*found.groups()), kind
    return None, _BUILD
