"""What the fuzzer once found is read, and stays read."""

import pytest

from fixloop_bot.checks.registry import TOOLS
from tests.hostile.claims import core_claims, matcher_claims, parser_claims
from tests.hostile.found import Found, found_for_core, found_for_parsers


@pytest.mark.parametrize("found", found_for_parsers().values(), ids=list(found_for_parsers()))
def test_what_a_parser_once_could_not_read(found: Found) -> None:
    assert found.tool in TOOLS
    parser_claims(found.tool, found.content, is_report=found.is_report)


@pytest.mark.parametrize("content", found_for_core().values(), ids=list(found_for_core()))
def test_what_once_could_not_be_masked_or_shortened(content: str) -> None:
    core_claims(content)
    matcher_claims(content, content)
