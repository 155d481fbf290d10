"""XML that a tool wrote in the pull request's own folders: no DTD, no entities, bounded."""

import re
from xml.etree import ElementTree as ET

MAX_CHARACTERS = 16_000_000
_FORBIDDEN_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_DECLARATIONS = ("<!DOCTYPE", "<!ENTITY", "<!doctype")


def read_xml(report: str | None, mark: str) -> ET.Element | None:
    """Return the root of an XML text that holds `mark`; None if it is none, is broken, or declares a DTD."""
    if report is None or len(report) > MAX_CHARACTERS or mark not in report:
        return None
    if any(declaration in report for declaration in _DECLARATIONS):
        return None
    try:
        # Entities cannot be declared without a DTD, which was refused above.
        return ET.fromstring(_FORBIDDEN_IN_XML.sub("", report).lstrip("\ufeff \r\n\t"))  # noqa: S314
    except (ET.ParseError, LookupError, ValueError, RecursionError):
        return None
