"""Reads JUnit XML, which comes from the pull request's code: no DTD, no entities, bounded."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from xml.etree import ElementTree as ET

from fixloop_bot.checks.xml_report import read_xml

MAX_CASES = 100_000
MAX_SUITE = 1_000


class Verdict(StrEnum):
    """How a test case ended."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One `testcase` element."""

    name: str
    classname: str = ""
    suite: str = ""
    """Names of the suites around it, outermost first, joined by ` > `."""
    file: str = ""
    line: str = ""
    verdict: Verdict = Verdict.PASSED
    message: str = ""
    """The `message` attribute."""
    body: str = ""
    """The text of the failure or error."""
    output: str = ""
    """What a test that did not pass printed (`system-out`)."""
    type: str = ""
    """The `type` attribute of the failure or error: its class, in most runners."""


def read_cases(report: str | None) -> tuple[Case, ...] | None:
    """Return the cases of a JUnit report in order; None if it is none, is broken, or declares a DTD or entities."""
    root = read_xml(report, "<testsuite")
    if root is None:
        return None
    return tuple(case for case, _ in zip(_cases(root), range(MAX_CASES), strict=False))


def _cases(root: ET.Element) -> Iterator[Case]:
    """Walk without recursion: the nesting of suites is the report's choice."""
    stack: list[tuple[ET.Element, str]] = [(root, "")]
    while stack:
        element, suite = stack.pop()
        if element.tag == "testcase":
            yield _case(element, suite)
            continue
        name = element.get("name", "") if element.tag == "testsuite" else ""
        path = " > ".join(part for part in (suite, name) if part)[:MAX_SUITE]
        stack.extend((child, path) for child in reversed(element))


def _case(element: ET.Element, suite: str) -> Case:
    verdict, fault = _verdict(element)
    return Case(
        name=element.get("name", ""),
        classname=element.get("classname", ""),
        suite=suite,
        file=element.get("file", ""),
        line=element.get("line", ""),
        verdict=verdict,
        message="" if fault is None else fault.get("message", ""),
        body="" if fault is None else "".join(fault.itertext()),
        output="" if fault is None else element.findtext("system-out", ""),
        type="" if fault is None else fault.get("type", ""),
    )


def _verdict(element: ET.Element) -> tuple[Verdict, ET.Element | None]:
    for tag, verdict in (("failure", Verdict.FAILED), ("error", Verdict.ERROR), ("skipped", Verdict.SKIPPED)):
        fault = element.find(tag)
        if fault is not None:
            return verdict, fault
    return Verdict.PASSED, None
