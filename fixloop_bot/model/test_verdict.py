"""What is thought of a failing test."""

from enum import StrEnum


class TestVerdict(StrEnum):
    """Why a test fails; only the first two are repaired without a person."""

    __test__ = False

    CODE_WRONG = "code wrong"
    COMPILE_ERROR = "compile error"
    TEST_STALE = "test stale"
    """The change says that it means to alter what the test asserts."""
    AMBIGUOUS = "ambiguous"
    """The agent would change the test, and nothing that the change says of itself supports that."""
