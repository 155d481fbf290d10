"""Lines of the project's sources, by which failures without a telling message are told apart."""

from collections.abc import Callable

from fixloop_bot.ports.project import Project


def source_line(project: Project) -> Callable[[str, int], str | None]:
    """Return a look-up of a line's text, by path in the worktree and 1-based number; None where there is no such line.

    Lines end at line feeds alone, as compilers and test runners count them.
    """

    def line(path: str, number: int) -> str | None:
        lines = (project.read(path) or "").split("\n")
        return lines[number - 1] if 1 <= number <= len(lines) else None

    return line
