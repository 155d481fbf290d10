"""Gradle, where it runs tests; `gradle_build` is the same without."""

from fixloop_bot.checks import gradle_tests, gradle_text, text
from fixloop_bot.checks.java_reports import GRADLE_FILES, read_build, read_reports
from fixloop_bot.checks.java_sources import JavaSources
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput

CONFIG_FILES = (
    "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties",
    "gradle/*.versions.toml", "buildSrc/**", "gradle/wrapper/**",
)  # fmt: skip
PROGRAM = r"gradlew?\b"
_TASKS = r"(?::?[\w:-]{0,200}:)?(?:test|check|build|[a-z]\w{0,80}Tests?)"
_SKIPS = r"(?!.{0,4000}(?:-x|--exclude-task)[ =]:?test\b)"


def parse(output: ToolOutput) -> Parsed:
    """Read compilers, linters and scripts from the text; tests from the reports, else from the text."""
    lines = text.lines(output.text)
    sources = JavaSources(output, gradle_tests.modules(lines))
    reports = read_reports(output, sources)
    if reports is None and not gradle_text.is_gradle(lines):
        return Parsed()
    return read_build(
        reports,
        printed=gradle_tests.failures(lines, sources),
        counted=gradle_tests.tests(lines),
        found=gradle_text.diagnostics(output, lines),
        rest=gradle_text.failed_parts(output, lines),
    )


TOOL = Tool(
    name="gradle",
    commands=(rf"{PROGRAM}{_SKIPS}(?:.{{0,4000}}\s)?{_TASKS}(?:\s|$)",),
    parse=parse,
    report_files=GRADLE_FILES,
    config_files=CONFIG_FILES,
    runs_tests=True,
    ecosystem="java",
)
