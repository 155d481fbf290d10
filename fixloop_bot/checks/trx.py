"""Visual Studio's test results (TRX), as `dotnet test --logger trx` writes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from fixloop_bot.checks.junit import MAX_CASES, Verdict
from fixloop_bot.checks.xml_report import read_xml

_SPACE = "{http://microsoft.com/schemas/VisualStudio/TeamTest/2010}"
_VERDICTS = {
    "Passed": Verdict.PASSED, "Failed": Verdict.FAILED, "Error": Verdict.ERROR, "Timeout": Verdict.ERROR,
    "Aborted": Verdict.ERROR,
}  # fmt: skip
"""All other outcomes (`NotExecuted`, `Inconclusive`, …) are no verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One `UnitTestResult`."""

    test_id: str
    """Namespace, class and name as far as they are told."""
    verdict: Verdict
    message: str = ""
    stack: str = ""


def read_results(report: str | None) -> tuple[Result, ...] | None:
    """Return the results of a TRX report in order; None if it is none, is broken, or declares a DTD."""
    root = read_xml(report, "<TestRun")
    if root is None or root.tag != f"{_SPACE}TestRun":
        return None
    classes = _classes(root)
    found = (_result(element, classes) for element in root.iter(f"{_SPACE}UnitTestResult"))
    return tuple(result for result, _ in zip(found, range(MAX_CASES), strict=False))


def _classes(root: ET.Element) -> dict[str, str]:
    """Return the class of each test by the test's id."""
    return dict(_pairs(root))


def _pairs(root: ET.Element) -> Iterator[tuple[str, str]]:
    for test in root.iter(f"{_SPACE}UnitTest"):
        method = test.find(f"{_SPACE}TestMethod")
        if method is not None:
            # Older loggers add the assembly's name behind a comma.
            yield test.get("id", ""), method.get("className", "").partition(",")[0]


def _result(element: ET.Element, classes: dict[str, str]) -> Result:
    name, in_class = element.get("testName", ""), classes.get(element.get("testId", ""), "")
    info = element.find(f"{_SPACE}Output/{_SPACE}ErrorInfo")
    return Result(
        test_id=name if not in_class or name.startswith(f"{in_class}.") else f"{in_class}.{name}",
        verdict=_VERDICTS.get(element.get("outcome", ""), Verdict.SKIPPED),
        message="" if info is None else info.findtext(f"{_SPACE}Message", ""),
        stack="" if info is None else info.findtext(f"{_SPACE}StackTrace", ""),
    )
