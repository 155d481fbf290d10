"""`clang-tidy` and `clang-format --dry-run --Werror`, which print as the compiler does."""

from fixloop_bot.checks import native
from fixloop_bot.checks.tool import Tool

TOOL = Tool(
    name="clang-tidy",
    commands=(r"(?:run-)?clang-(?:tidy|format)(?:-\d{1,3})?(?:\.py)?(?:\s|$)",),
    parse=native.parse,
    config_files=(".clang-tidy", ".clang-format", "_clang-format"),
)
