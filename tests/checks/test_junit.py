"""JUnit XML from hostile hands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.checks.junit import Case, Verdict, read_cases

BOMB = '<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><testsuites><testcase name="&b;"/></testsuites>'


@pytest.mark.parametrize(
    "report",
    [
        BOMB,
        BOMB.replace("DOCTYPE", "doctype"),
        '<testsuites><testcase name="&x;"/></testsuites>',
        '<?xml version="1.0" encoding="no-such"?><testsuite',
        "<testsuite>" * 50_000,
        "",
    ],
    ids=["entities", "lower case", "an undeclared entity", "a strange encoding", "never closed", "nothing"],
)
def test_what_is_not_plain_xml_is_refused(report: str) -> None:
    assert read_cases(report) is None


def test_cases_come_in_order_with_their_suites() -> None:
    report = """<testsuites><testsuite name="a"><testsuite name="b"><testcase name="x" classname="c" file="f" line="3">
      <failure message="m">body</failure></testcase></testsuite><testcase name="y"><skipped/></testcase></testsuite>
      <testcase name="z"><error>oh</error></testcase></testsuites>"""
    assert read_cases(report) == (
        Case(
            name="x",
            classname="c",
            suite="a > b",
            file="f",
            line="3",
            verdict=Verdict.FAILED,
            message="m",
            body="body",
        ),
        Case(name="y", suite="a", verdict=Verdict.SKIPPED),
        Case(name="z", verdict=Verdict.ERROR, body="oh"),
    )


def test_control_characters_that_xml_forbids_do_not_hide_the_report() -> None:
    assert read_cases('<testsuite><testcase name="a\x00\x1bb"/></testsuite>') == (Case(name="ab"),)


def test_suites_nested_without_end_are_walked() -> None:
    deep = "<testsuite name='s'>" * 20_000 + "<testcase name='x'/>" + "</testsuite>" * 20_000
    cases = read_cases(deep)
    assert cases is not None
    assert len(cases[0].suite) <= 1_000


@given(st.text(alphabet="<>/ testsuiecanm='\"&;![]-", max_size=200))
def test_no_text_raises(text: str) -> None:
    read_cases("<testsuite" + text)
