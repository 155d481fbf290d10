"""Lines by which tools tell that the environment, not the code, is at fault; each anchored at the tool's own prefix."""

import re
from collections.abc import Callable, Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.environment import Lack, Weight

_NPM = (
    "E404|E401|E403|ENOTFOUND|ETARGET|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EBADENGINE|EACCES|ENOSPC|ENOENT"
    "|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_HAS_EXPIRED"
    "|UNABLE_TO_VERIFY_LEAF_SIGNATURE"
)
_SETUP = "install it, or declare a `setup` command that does"
_NETWORK = "network: a host name could not be resolved"
_MEMORY = "memory: the command ran out of it"

_ALONE: tuple[tuple[str, str], ...] = (
    (r"npm (?:error|ERR!) Missing script: \"?([\w:.-]+)", "the script {0} is missing in package.json"),
    (rf"npm (?:error|ERR!) code ({_NPM})$", "npm could not do its work ({0})"),
    (r"npm (?:error|ERR!) could not determine executable to run", f"a program that npx runs; {_SETUP}"),
    (
        r"(?:ERROR: |\w+: )?(?:usage: )?(\w[\w-]*): error: unrecognized arguments: ([^\n]{1,80})",
        "{0} does not know {1}",
    ),
    (r"error TS5\d{3}: ([^\n]{1,120})", "tsc refuses an option: {0}"),
    (r"make(?:\[\d+\])?: \*\*\* No rule to make target '([^'\n]+)'\.  Stop\.", "make has no target {0}"),
    (r"make(?:\[\d+\])?: \*\*\* \[[^\n]*\] Error 127$", f"a program that make runs; {_SETUP}"),
    (r"(?:/\S+/)?ld: cannot find -l([\w.+-]+)", f"the library {{0}}; {_SETUP}"),
    (r"ESLint couldn't find an? (?:eslint\.config|configuration)", "an eslint configuration"),
    (
        r"(?:/\S+/)?python[\d.]*: No module named ([\w.]+)",
        f"{{0}} is not installed in the project's environment; {_SETUP}",
    ),
    (r"ERROR: Could not find a version that satisfies the requirement (\S+)", "pip finds no version for {0}"),
    (r"ERROR: No matching distribution found for (\S+)", "pip finds no distribution {0}"),
    (r"error: Failed to spawn: `([^`\n]+)`", f"{{0}} is not installed in the project's environment; {_SETUP}"),
    (r"fatal: not a git repository", "a git repository: the command needs one"),
    (r"fatal: detected dubious ownership", "ownership of the repository, which git does not trust"),
    (
        r"(?:/\S{0,80}/)?(?:ba|da|z|k|a)?sh: (?:line )?(?:\d+: )?(\S+): (?:command )?not found$",
        f"{{0}} was not found; {_SETUP}",
    ),
    (r"(?:/\S{0,80}/)?(?:ba|da|z|k|a)?sh: (?:line )?(?:\d+: )?(\S+): Permission denied$", "{0} may not be executed"),
    (
        r"(?:/usr/bin/)?env: [^\w\n]{0,3}([\w.+-]+)[^\w\n]{0,3}: No such file or directory$",
        f"{{0}} was not found; {_SETUP}",
    ),
    (r"(?:curl: \(6\) )?Could not resolve host: (\S+)", f"{_NETWORK} ({{0}})"),
    (r"(?:Error|npm error[^\n]{0,40}): getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)", f"{_NETWORK} ({{0}})"),
)
_DECISIVE: tuple[tuple[str, str], ...] = (
    (r"FATAL ERROR: [^\n]{0,200}heap out of memory", _MEMORY),
    (r"MemoryError$", _MEMORY),
    (r"(?:[\w/.:-]+: )?(?:OSError: \[Errno 28\] )?[^\n]{0,200}No space left on device", "disk: no space is left"),
    (
        r"(?:[\w.]+\.)?(?:gaierror|URLError|ConnectionError)[^\n]{0,200}(?:Name or service not known|name resolution)",
        _NETWORK,
    ),
    (r"note: module requires Go ([\d.]+)", "Go {0} or later"),
    (r"  Could not find a package configuration file provided by \"([^\"\n]+)\"", f"the package {{0}}; {_SETUP}"),
    (r"[^\n]{0,200}UnsupportedClassVersionError: ", "a newer Java runtime"),
    (r"[^\n]{0,200}: Failed opening required '[^'\n]{0,300}/vendor/", f"the packages of composer.json; {_SETUP}"),
    (r"Error: Cannot find module '[^'\n]{0,300}/node_modules/", f"the packages of package.json; {_SETUP}"),
)
_FATAL_HEADER = re.compile(r"^[^\s:][^:\n]*:\d+(?::\d+)?: fatal error: ([^:\n]+): No such file or directory$")


def _compiled(table: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), words) for pattern, words in table)


_TABLES: tuple[tuple[Weight, tuple[tuple[re.Pattern[str], str], ...]], ...] = (
    (Weight.ALONE, _compiled(_ALONE)),
    (Weight.DECISIVE, _compiled(_DECISIVE)),
)
_MAX_LACKS = 20


def lacks(output: ToolOutput) -> tuple[Lack, ...]:
    """Return what the output says that its environment lacks, at most 20, in order and without repetition."""
    found: dict[Lack, None] = {}
    for lack in _lacks(text.lines(output.text), output.exists):
        found[lack] = None
        if len(found) >= _MAX_LACKS:
            break
    return tuple(found)


def _lacks(lines: list[str], exists: Callable[[str], bool]) -> Iterator[Lack]:
    for index, line in enumerate(lines):
        for weight, table in _TABLES:
            yield from (
                Lack(words.format(*found.groups()), weight)
                for pattern, words in table
                if (found := pattern.match(line))
            )
        header = _FATAL_HEADER.match(line)
        if header and f"#include <{header[1]}>" in "".join(lines[index + 1 : index + 2]) and not exists(header[1]):
            yield Lack(f"the header {header[1]}; {_SETUP}", Weight.DECISIVE)
