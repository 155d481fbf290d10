"""Names for what gcc and clang say of an error; they give names to warnings alone."""

import re

from fixloop_bot.model.diagnostic import DiagnosticKind

_SYNTAX = DiagnosticKind.SYNTAX_ERROR
_TYPE = DiagnosticKind.TYPE_ERROR
_BUILD = DiagnosticKind.BUILD_ERROR
_OPTION = re.compile(r" \[(?:-Werror[=,])?(?:-W)?([A-Za-z][\w.+=-]{1,80})(?:,-warnings-as-errors|,-Werror)?\]$")
_RULES: tuple[tuple[re.Pattern[str], str, DiagnosticKind], ...] = tuple(
    (re.compile(pattern), rule, kind)
    for pattern, rule, kind in (
        (r"#error\b|static assertion failed|static_assert failed", "error-directive", _BUILD),
        (r"No such file or directory$|file not found$", "missing-header", _BUILD),
        (
            r"undeclared|was not declared|has not been declared|does not name a type|unknown type name",
            "undeclared",
            _TYPE,
        ),
        (r"invalid type argument of .->|member reference type .{1,200} is not a pointer", "invalid-arrow", _TYPE),
        (r"is (?:private|protected)\b|is a (?:private|protected) member", "access", _TYPE),
        (r"has no member named|no member named", "no-member", _TYPE),
        (r"too (?:many|few) arguments", "argument-count", _TYPE),
        (r"conflicting types for", "conflicting-types", _TYPE),
        (r"^(?:redefinition|redeclaration) of|redeclared as", "redefinition", _TYPE),
        (r"no match(?:ing)? for|no matching (?:function|member|constructor)|invalid operands", "no-match", _TYPE),
        (r"incompatible|cannot convert|invalid conversion|no viable conversion|^conversion from", "conversion", _TYPE),
        (r"^expected\b|^stray\b|^unterminated|^missing terminating|^extraneous", "syntax", _SYNTAX),
    )
)


def rule_of(message: str) -> tuple[str | None, DiagnosticKind, str]:
    """Return the rule (the option or check in brackets, else a name for well-known words), the kind, the bare message.

    `[-Werror=unused]` and `[-Wunused]` are the rule `-Wunused`; `[bugprone-x,-warnings-as-errors]` is `bugprone-x`.
    """
    found = _OPTION.search(message)
    if found:
        warning = "-W" in found[0]
        rule = f"-W{found[1]}" if warning else found[1]
        return rule, _TYPE if warning else DiagnosticKind.LINT_ERROR, message[: found.start()]
    named = next(((rule, kind) for pattern, rule, kind in _RULES if pattern.search(message)), (None, _TYPE))
    return *named, message
