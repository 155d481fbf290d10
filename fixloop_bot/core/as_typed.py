"""Commands and other texts as they can be shown."""

import shlex


def command_line(command: tuple[str, ...]) -> str:
    """Return a command as a person would type it; a file name that is no text gets a mark where it is none."""
    line = command[2] if command[:2] == ("sh", "-c") and len(command) == 3 else shlex.join(command)
    return as_text(line)


def as_text(text: str) -> str:
    """Return text that can be written as UTF-8: a lone surrogate, from JSON or a file name, is replaced."""
    return text.encode("utf-8", errors="replace").decode("utf-8")
