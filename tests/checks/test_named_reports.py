"""Report files that a command line names."""

import pytest

from fixloop_bot.checks.named_reports import named_reports


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("pytest --junitxml=out/junit.xml -q", ("out/junit.xml",)),
        ("semgrep scan --sarif -o ./lint.sarif", ("lint.sarif",)),
        ("tape test/*.js > results.tap", ("results.tap",)),
        ("dotnet test --logger 'trx;LogFileName=run.trx'", ("run.trx",)),
        ("a --out=a.sarif.json && b --xml b-2.xml; c a.sarif.json", ("a.sarif.json", "b-2.xml")),
        ("jest --outputFile=report.json --config x.js", ()),
        ("cat /etc/x.xml ../up.xml a/../../b.xml *.xml $OUT.xml -x.xml", ()),
        ("", ()),
    ],
)
def test_files_inside_the_project_are_found(command: str, files: tuple[str, ...]) -> None:
    assert named_reports(command) == files


def test_a_line_full_of_names_is_bounded() -> None:
    assert len(named_reports(" ".join(f"{n}.xml" for n in range(10_000)))) == 10
