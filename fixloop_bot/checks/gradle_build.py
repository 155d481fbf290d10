"""Gradle, where it runs no tests: compilers and linters."""

from fixloop_bot.checks import gradle
from fixloop_bot.checks.tool import Tool

TOOL = Tool(
    name="gradle-build",
    commands=(gradle.PROGRAM,),
    parse=gradle.parse,
    config_files=gradle.CONFIG_FILES,
    ecosystem="java",
)
