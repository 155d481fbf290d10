"""`make` and `ninja` without a target: they build. What a named target runs is read by its own signature."""

from fixloop_bot.checks import native
from fixloop_bot.checks.tool import Tool

TOOL = Tool(
    name="make",
    commands=(r"(?:g?make|ninja)(?:\s+(?:-[CjfkO]\s+[^\s-]\S*|-\S+|\w+=\S*|all|\d+))*+$",),
    parse=native.parse,
)
