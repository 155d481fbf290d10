"""`gcc`, `g++`, `clang` and whatever else compiles and links C and C++ from a command line."""

from fixloop_bot.checks import native
from fixloop_bot.checks.tool import Tool

TOOL = Tool(
    name="gcc",
    commands=(r"(?:[\w.]{1,40}-){0,4}(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld)(?:-[\d.]{1,8})?(?:\s|$)",),
    parse=native.parse,
)
