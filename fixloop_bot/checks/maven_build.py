"""Maven, where it runs no tests: compilers and linters."""

from fixloop_bot.checks import maven
from fixloop_bot.checks.tool import Tool

TOOL = Tool(
    name="maven-build",
    commands=(maven.PROGRAM,),
    parse=maven.parse,
    config_files=maven.CONFIG_FILES,
    ecosystem="java",
)
