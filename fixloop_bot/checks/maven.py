"""Maven, where it runs tests; `maven_build` is the same without."""

from fixloop_bot.checks import maven_text, surefire, text
from fixloop_bot.checks.java_reports import MAVEN_FILES, read_build, read_reports
from fixloop_bot.checks.java_sources import JavaSources
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput

CONFIG_FILES = ("pom.xml", ".mvn/**", "maven-settings.xml")
PROGRAM = r"mvn(?:w|d)?\b"
_SKIPS = r"(?!.{0,4000}-D(?:skipTests|maven\.test\.skip)\b(?!=false))"
_GOALS = r"(?:test|package|verify|install|deploy|integration-test|surefire:test|failsafe:\S+)"


def parse(output: ToolOutput) -> Parsed:
    """Read compilers, linters and poms from the text; tests from the reports, else from the text."""
    lines = text.lines(output.text)
    sources = JavaSources(output, surefire.modules(lines))
    return read_build(
        read_reports(output, sources),
        printed=surefire.failures(lines, sources),
        counted=surefire.tests(lines),
        found=maven_text.diagnostics(output, lines, sources),
        rest=maven_text.failed_goals(lines),
    )


TOOL = Tool(
    name="maven",
    commands=(rf"{PROGRAM}{_SKIPS}(?:.{{0,4000}}\s)?{_GOALS}(?:\s|$)",),
    parse=parse,
    report_files=MAVEN_FILES,
    config_files=CONFIG_FILES,
    runs_tests=True,
    ecosystem="java",
)
