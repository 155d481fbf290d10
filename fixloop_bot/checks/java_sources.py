"""Where the source of a class lies, and what a Java stack trace tells."""

import re
from collections.abc import Iterable, Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import ToolOutput

ROOTS = (
    "src/test/java", "src/test/kotlin", "src/main/java", "src/main/kotlin", "src/integrationTest/java",
    "src/integrationTest/kotlin", "src/integration-test/java", "src/it/java", "src/functionalTest/java",
    "src/testFixtures/java", "src/test/groovy", "src/test/scala", "src/main/groovy", "src/main/scala",
    "src/androidTest/java", "src/androidTest/kotlin", "src/commonTest/kotlin", "src/jvmTest/kotlin",
    "src/commonMain/kotlin", "src/test", "src", "test", "tests", "test/java", "",
)  # fmt: skip
"""Folders of a module that packages begin in: Maven's and Gradle's standard layouts first."""
SUFFIXES = (".java", ".kt", ".groovy", ".scala")
_FRAME = re.compile(
    r"^\s*(?:at )?(?:[\w.@$-]{0,200}/{1,2}){0,3}((?:[\w$-]{1,200}\.){1,40})[\w$<>-]{1,200}"
    r"\(([\w$-]{1,200}\.(?:java|kt|groovy|scala)):(\d{1,8})\)"
)
_AT = re.compile(r"^\s*(?:at [\w.$/@<>-]+\(|\.\.\. \d+ (?:more|common frames)|\[\.\.\.\]$|\.\.\. \d+ more$)")
_FOREIGN = re.compile(
    r"^(?:java|javax|jdk|sun|kotlin|groovy|scala)\.|^org\.(?:junit|opentest4j|assertj|hamcrest|mockito|gradle|testng)\."
    r"|^org\.apache\.maven\.|^com\.sun\."
)
_MAX_MODULES = 40
_MAX_ASKED = 50_000
"""Times that the file system is asked for a source."""

Place = tuple[str, int | None]


class JavaSources:
    """Finds source files by class, in the modules of one build."""

    def __init__(self, output: ToolOutput, modules: Iterable[str] = ()) -> None:
        """`modules` are folders as the output spells them, the likeliest first; the project's own comes last."""
        self._output = output
        self._modules = tuple(dict.fromkeys((*(module.rstrip("/") for module in modules), "")))[:_MAX_MODULES]
        self._known: dict[tuple[str, str], str | None] = {}
        self._asked = 0

    def of_class(self, name: str, first: Sequence[str] = ()) -> str | None:
        """Return the file of a class such as `shop.AppTest$Inner`; `first` are modules to look in before others."""
        package, _, plain = name.partition("$")[0].rpartition(".")
        found = (self.named(package, plain + suffix, first) for suffix in SUFFIXES)
        return next((path for path in found if path), None)

    def named(self, package: str, file: str, first: Sequence[str] = ()) -> str | None:
        """Return the file of a package (dotted) by its name."""
        key = (package, "\0".join((file, *first)))
        if key not in self._known:
            looked = not _FOREIGN.match(f"{package}.")
            self._known[key] = next(self._places(package.replace(".", "/"), file, first), None) if looked else None
        return self._known[key]

    def _places(self, package: str, file: str, first: Sequence[str]) -> Iterator[str]:
        for module in dict.fromkeys((*first, *self._modules)):
            for root in ROOTS if self._asked < _MAX_ASKED else ():
                self._asked += 1
                printed = "/".join(part for part in (module, root, package, file) if part)
                path = in_repository(self._output, printed)
                if path:
                    yield path

    def file(self, printed: str) -> str | None:
        """Return a file that is named relative to one of the modules."""
        candidates = (f"{module}/{printed}" for module in self._modules if module and not printed.startswith("/"))
        return next((path for candidate in candidates if (path := in_repository(self._output, candidate))), None)

    def frames(self, lines: Iterable[str], first: Sequence[str] = ()) -> list[Place]:
        """Return path and line of the frames inside the repository, innermost first."""
        places: list[Place] = []
        for line in lines:
            frame = _FRAME.match(line)
            if frame:
                package = frame[1].rstrip(".").rpartition(".")[0]
                path = self.named(package, frame[2], first)
                places += [(path, text.number(frame[3]))] if path else []
        return places

    def place(self, name: str, lines: Sequence[str], first: Sequence[str] = ()) -> tuple[str | None, int | None]:
        """Return where a failed test of this class stands: its own file, and the line there that the stack names."""
        frames = self.frames(lines, first)
        path = self.of_class(name, first) or (frames[0][0] if frames else None)
        return path, next((line for where, line in frames if where == path), None)


def before_frames(lines: Sequence[str]) -> str:
    """Return what a thrown value's text says before its first frame."""
    end = next((n for n, line in enumerate(lines) if _AT.match(line) or _FRAME.match(line)), len(lines))
    return text.message([line.strip("\r") for line in lines[:end]])
