"""Ways to leave with exit code 0 before the tests have spoken, or to change the code afterwards."""

import posixpath
import re
from collections.abc import Iterator

from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.marks import Mark, Where, added, spaced, table
from fixloop_bot.core.guard.review import Review
from fixloop_bot.core.guard.source import LINE_LIMIT, Source
from fixloop_bot.model.guard import Finding, Severity

_MESSAGE = "the process ends as if all were well"

ALWAYS = table(
    "exit-zero",
    Severity.HIGH,
    _MESSAGE,
    (
        ("python", Where.CODE, r"\bos\._exit \( (?:0|os\.EX_OK)? \)"),
        ("python", Where.CODE, r"\bos\.(?:abort|kill|killpg) \( (?:os\.get(?:pp|pg|p)(?:id|rp)|\))"),
        ("python", Where.CODE, r"\bsys\.excepthook =(?!=)|\b_exit \( 0 \)"),
        (
            "python",
            Where.CODE,
            r"^(?:sys\.exit|exit|quit) \( (?:0|None|os\.EX_OK)? \)|^raise +SystemExit(?: \( 0? \))? $",
        ),
        ("javascript", Where.CODE, r"\bprocess\.(?:reallyExit|abort) \(|\bprocess\.kill \( process\.pid"),
        ("java", Where.CODE, r"\.halt \( 0 \)"),
        (
            "ruby",
            Where.CODE,
            r"(?<![\w.])(?:Process\.|Kernel\.)?exit!(?: \(? (?:0|true) \)?)?(?= (?:$|if\b|unless\b|;))",
        ),
        ("shell", Where.BARE, r"\btrap +[\"'][^\"'\n]{0,80}\bexit +0"),
    ),
)
BY_PLACE = table(
    "exit-zero",
    Severity.HIGH,
    _MESSAGE,
    (
        ("python", Where.CODE, r"(?<=\s)(?:sys\.exit|(?<![\w.])exit|(?<![\w.])quit) \( (?:0|None|os\.EX_OK)? \)"),
        ("python", Where.CODE, r"(?<=\s)raise +SystemExit(?: \( 0? \))? $"),
        ("javascript", Where.CODE, r"\b(?:process|Deno)\.exit \( 0? \)|\bprocess\.exitCode = 0\b"),
        (
            "javascript",
            Where.BARE,
            r"\bprocess\.(?:on|once|addListener|prependListener) \( [\"'](?:exit|beforeExit)[\"']",
        ),
        ("go", Where.CODE, r"\b(?:os|syscall)\.Exit \( 0 \)"),
        ("rust", Where.CODE, r"\bprocess::exit \( 0 \)"),
        ("java", Where.CODE, r"\bSystem\.exit \( 0 \)|\bexitProcess \( 0 \)"),
        ("ruby", Where.CODE, r"(?<![\w.:@])(?:Kernel\.)?exit(?: \(? (?:0|true) \)?)?(?= (?:$|if\b|unless\b|;))"),
        ("php", Where.CODE, r"(?<![\w>$:])(?:exit|die) (?:\( 0? \))? ;"),
        ("csharp", Where.CODE, r"\bEnvironment\.Exit \( 0 \)"),
        ("c swift", Where.CODE, r"(?<![\w.>])_?(?:quick_)?[eE]xit \( (?:0|EXIT_SUCCESS) \)"),
    ),
)
HOOKS = table(
    "exit-hook",
    Severity.MEDIUM,
    "something runs when the process ends, or instead of a failure",
    (
        (
            "python",
            Where.CODE,
            r"\batexit\.register\b|\bsignal\.signal \(|\bthreading\.excepthook =|" r"\bos\.exec[lv]\w{0,3} \(",
        ),
        (
            "javascript",
            Where.BARE,
            r"\bprocess\.(?:on|once|addListener) \( [\"'](?:uncaughtException\w{0,10}|"
            r"unhandledRejection|SIG\w{2,6})[\"']",
        ),
        ("java", Where.CODE, r"\baddShutdownHook\b|\bsetDefaultUncaughtExceptionHandler\b"),
        ("ruby", Where.CODE, r"(?<![\w.:@])at_exit\b|\bSignal\.trap\b"),
        ("php", Where.CODE, r"\b(?:register_shutdown_function|set_error_handler|set_exception_handler)\b"),
        ("shell", Where.CODE, r"\|\| (?:true|:) (?:$|[;)])|^\s{0,40}set +\+e\b|^\s{0,40}exit +0\b|^\s{0,40}trap\b"),
        ("c", Where.CODE, r"\b(?:atexit|on_exit|signal|sigaction|set_terminate) \("),
    ),
)

_ENTRY_STEMS = frozenset(("cli", "main", "__main__", "manage", "server", "serve", "bin", "program", "start"))
_ENTRY_FOLDERS = frozenset(("bin", "cmd", "cli", "scripts", "script", "tools", "public", "exe"))
_ENTRY_CODE = spaced(
    r"\brequire\.main ===? module\b|^package +main\b|\bfn +main \("
    r"|\bstatic +(?:async +)?(?:void|int|Task) +[mM]ain \(|\bint +main \(|\bfun +main \("
    r"|\.listen \(|^if +__FILE__ ==|^if +\$(?:0|PROGRAM_NAME) ==",
    re.MULTILINE,
)

_REDIRECT = spaced(r"\b(?:header|http_response_code|readfile|echo|wp_redirect|wp_send_json\w{0,20}) \(?")
_MAIN_HEAD = spaced(r"(?:async +)?def +_?(?:main|cli|run|entry_?point)\w{0,20} \(|if +__name__ ==")


def added_exits(review: Review) -> Iterator[Finding]:
    """Yield early exits; in a program's own entry point plain ones are only shown, a library has no use for them."""
    yield from added(review.pairs, ALWAYS)
    yield from added(review.pairs, BY_PLACE, _by_place)
    yield from added(review.product, HOOKS)


def _by_place(mark: Mark) -> Severity:
    source = mark.pair.after
    where = (is_entry(source), _in_main(source, mark.line), _after_output(source, mark.line))
    excused = not mark.pair.test and any(where)
    return Severity.MEDIUM if excused else Severity.HIGH


def _in_main(source: Source, line: int) -> bool:
    """Return whether a line of Python stands in a function called main, or under `if __name__ == …`."""
    if source.language is not Language.PYTHON:
        return False
    above = (each.code for each in reversed(source.lines[: line - 1]) if each.code.strip())
    head = next((code for code in above if not code[0].isspace()), "")
    return _MAIN_HEAD.match(head) is not None


def _after_output(source: Source, line: int) -> bool:
    """Return whether a line of PHP ends a response that the lines just above it sent, as a redirect must."""
    above = source.lines[max(line - 4, 0) : line - 1] if source.language is Language.PHP else ()
    return any(_REDIRECT.search(each.code[:LINE_LIMIT]) for each in above)


def is_entry(source: Source) -> bool:
    """Return whether the file is where a program starts."""
    *folders, name = source.path.split("/")
    stem = posixpath.splitext(name)[0].lower()
    if stem in _ENTRY_STEMS or _ENTRY_FOLDERS.intersection(folders) or source.text.startswith("#!"):
        return True
    return source.language is not Language.OTHER and _ENTRY_CODE.search(source.code) is not None
