"""Report files that a command line names: `--junitxml=out.xml`, `-o lint.sarif`, `> results.tap`."""

import re

_SEPARATORS = re.compile(r"""[\s=,;:<>|&()'"]+""")
_REPORT = re.compile(r"^(?:\./)?[\w@+][\w@+./-]{0,300}\.(?:sarif|sarif\.json|tap|xml|trx)$")
_MAX_COMMAND = 10_000
_MAX = 10


def named_reports(command_line: str) -> tuple[str, ...]:
    """Return the paths, relative to the project, of the SARIF, XML, TRX and TAP files named, at most 10.

    A configuration file may be among them: only one that the run writes is read.
    """
    words = (word.removeprefix("./") for word in _SEPARATORS.split(command_line[:_MAX_COMMAND]) if _REPORT.match(word))
    return tuple(dict.fromkeys(word for word in words if ".." not in word.split("/")))[:_MAX]
