"""Reads JUnit XML, which comes from the pull request's code: no DTD, no entities, bounded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from xml.etree import ElementTree as ET

MAX_CASES = 100_000
MAX_SUITE = 1_000
MAX_CHARACTERS = 16_000_000
_FORBIDDEN_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


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


def read_cases(report: str | None) -> tuple[Case, ...] | None:
    """Return the cases of a JUnit report in order; None if it is none, is broken, or declares a DTD or entities."""
    if report is None or len(report) > MAX_CHARACTERS or "<testsuite" not in report:
        return None
    if "<!DOCTYPE" in report or "<!ENTITY" in report or "<!doctype" in report:
        return None
    try:
        # Entities cannot be declared without a DTD, which was refused above.
        root = ET.fromstring(_FORBIDDEN_IN_XML.sub("", report).lstrip("\ufeff \r\n\t"))  # noqa: S314
    except (ET.ParseError, LookupError, ValueError, RecursionError):
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
    )


def _verdict(element: ET.Element) -> tuple[Verdict, ET.Element | None]:
    for tag, verdict in (("failure", Verdict.FAILED), ("error", Verdict.ERROR), ("skipped", Verdict.SKIPPED)):
        fault = element.find(tag)
        if fault is not None:
            return verdict, fault
    return Verdict.PASSED, None
