"""JUnit XML of any test runner, as a report or as the output itself."""

import pytest

from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import parsed, place

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="s">
<testcase classname="app.PriceTest" name="adds"/>
<testcase classname="app.PriceTest" name="rounds"><failure message="1 is not 2">at app.PriceTest (x.js:9:2)</failure>
</testcase><testcase classname="app.PriceTest" name="later"><skipped/></testcase></testsuite></testsuites>"""


def test_report_and_output_are_read_alike() -> None:
    as_report, as_output = parsed("junit-xml", "noise", report=REPORT), parsed("junit-xml", f"noise\n{REPORT}\nbye\n")
    assert as_report == as_output
    (item,) = as_report.diagnostics
    assert (place(item), item.message) == (("x.js", 9, None, "app.PriceTest rounds"), "1 is not 2")
    assert as_report.tier is Tier.STRUCTURED
    assert as_report.tests == TestReport(
        2, ("app.PriceTest adds",), ("app.PriceTest rounds",), ("app.PriceTest later",)
    )


@pytest.mark.parametrize(
    ("case", "files", "found"),
    [
        ('classname="app.PriceTest" file="t/p.rb" line="4"', ("t/p.rb",), ("t/p.rb", 4)),
        (
            'classname="app.PriceTest"',
            ("src/test/java/app/PriceTest.java",),
            ("src/test/java/app/PriceTest.java", None),
        ),
        ('classname="app.test_price"', ("tests/app/test_price.py",), ("tests/app/test_price.py", None)),
        (r'classname="App\\PriceTest"', ("App/PriceTest.php",), ("App/PriceTest.php", None)),
        ('classname="a sentence."', ("a.py",), (None, None)),
        ('file="/etc/passwd"', (), (None, None)),
    ],
    ids=["told", "a class", "a module", "a namespace", "no class at all", "outside"],
)
def test_the_file_is_the_one_told_else_where_the_class_lies(
    case: str, files: tuple[str, ...], found: tuple[str | None, int | None]
) -> None:
    report = f'<testsuite><testcase {case} name="n"><failure message="m"/></testcase></testsuite>'
    (item,) = parsed("junit-xml", "", files=files or ("none.py",), report=report).diagnostics
    assert (item.path, item.line) == found


def test_a_report_of_no_test_says_so_and_other_xml_says_nothing() -> None:
    assert parsed("junit-xml", '<testsuite name="s" tests="0"></testsuite>').tests is None
    assert parsed("junit-xml", "<coverage/>").diagnostics == ()


def test_a_message_that_would_fit_any_failure_is_told_with_the_body() -> None:
    body = 'Traceback (most recent call last):\n  File "t.py", line 3, in f\n    g()\nKeyError: 7\n'
    report = f'<testsuite><testcase name="n"><failure message="test failure">{body}</failure></testcase></testsuite>'
    (item,) = parsed("junit-xml", "", files=("t.py",), report=report).diagnostics
    assert (item.path, item.line) == ("t.py", 3)
    assert item.message == "test failure\n    g()\nKeyError: 7"
