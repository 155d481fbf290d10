"""Gradle, where it runs tests; `gradle_build` is the same without."""

from fixloop_bot.checks import gradle_tests, gradle_text, text
from fixloop_bot.checks.java_reports import GRADLE_FILES, read_reports
from fixloop_bot.checks.java_sources import JavaSources
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Level
from fixloop_bot.model.fingerprint import Tier

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
    failures = reports.failures if reports else text.distinct(gradle_tests.failures(lines, sources))
    found = text.distinct(gradle_text.diagnostics(output, lines))
    errors = any(item.level is Level.ERROR for item in (*found, *failures))
    found = (*found, *failures) if errors else (*found, *text.distinct(gradle_text.failed_parts(output, lines)))
    return Parsed(
        diagnostics=found,
        tier=Tier.STRUCTURED if reports and failures else Tier.PARSED if found else Tier.TEXT,
        tests=reports.tests if reports else gradle_tests.tests(lines),
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
