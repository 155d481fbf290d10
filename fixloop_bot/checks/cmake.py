"""`cmake`, when it configures and when it builds."""

from fixloop_bot.checks import native
from fixloop_bot.checks.tool import Tool

TOOL = Tool(name="cmake", commands=(r"cmake(?:\s|$)",), parse=native.parse)
