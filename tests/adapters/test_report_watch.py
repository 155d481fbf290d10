"""Reports in a build folder: those of this run, whatever lies there already, and no link followed."""

import os
from pathlib import Path

from fixloop_bot.adapters.report_watch import MAX_TOTAL, ReportWatch

PATTERN = "target/surefire-reports/TEST-*.xml"


def reports(folder: Path) -> Path:
    place = folder / "target" / "surefire-reports"
    place.mkdir(parents=True)
    return place


def test_a_report_of_an_earlier_run_is_not_read(tmp_path: Path) -> None:
    place = reports(tmp_path)
    (place / "TEST-old.xml").write_text("<old/>")
    watch = ReportWatch(tmp_path, (PATTERN,))
    (place / "TEST-b.xml").write_text("<b/>")
    (place / "TEST-a.xml").write_text("<a/>")
    (place / "notes.txt").write_text("no report")
    assert watch.written() == ("<a/>", "<b/>")


def test_a_report_that_is_written_again_is_read(tmp_path: Path) -> None:
    report = reports(tmp_path) / "TEST-a.xml"
    report.write_text("<a/>")
    watch = ReportWatch(tmp_path, (PATTERN,))
    report.write_text("<a><failure/></a>")
    assert watch.written() == ("<a><failure/></a>",)


def test_reports_of_modules_are_found_at_any_depth(tmp_path: Path) -> None:
    watch = ReportWatch(tmp_path, ("**/build/test-results/**/*.xml",))
    place = tmp_path / "services" / "api" / "build" / "test-results" / "test"
    place.mkdir(parents=True)
    (place / "TEST-x.xml").write_text("<x/>")
    assert watch.written() == ("<x/>",)


def test_no_link_is_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "TEST-secret.xml").write_text("secret")
    project = tmp_path / "project"
    project.mkdir()
    watch = ReportWatch(project, (PATTERN, "**/TEST-*.xml"))
    place = reports(project)
    (place / "TEST-link.xml").symlink_to(outside / "TEST-secret.xml")
    (project / "linked").symlink_to(outside)
    os.mkfifo(place / "TEST-pipe.xml")
    assert watch.written() == ()


def test_a_folder_that_is_a_link_on_the_way_is_not_entered(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    reports(outside)
    (outside / "target" / "surefire-reports" / "TEST-secret.xml").write_text("secret")
    project = tmp_path / "project"
    project.mkdir()
    watch = ReportWatch(project, (PATTERN,))
    (project / "target").symlink_to(outside / "target")
    (outside / "target" / "surefire-reports" / "TEST-new.xml").write_text("secret")
    assert watch.written() == ()


def test_what_is_too_large_in_all_is_left_out(tmp_path: Path) -> None:
    watch = ReportWatch(tmp_path, (PATTERN,))
    place = reports(tmp_path)
    (place / "TEST-a.xml").write_text("<a/>")
    (place / "TEST-b.xml").write_bytes(b"x" * MAX_TOTAL)
    (place / "TEST-c.xml").write_text("<c/>")
    assert watch.written() == ("<a/>", "<c/>")


def test_one_named_file_is_found_without_walking_and_only_where_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "lint.sarif").write_text("old")
    watch = ReportWatch(tmp_path, ("out/lint.sarif", "junit.xml", "missing/x.tap"))
    assert watch.written() == ()
    (tmp_path / "junit.xml").write_text("<testsuite/>")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "junit.xml").write_text("another's")
    (tmp_path / "out" / "lint.sarif").write_text("{}")
    assert watch.written() == ("<testsuite/>", "{}")
    (tmp_path / "junit.xml").unlink()
    (tmp_path / "junit.xml").symlink_to(tmp_path / "deep" / "junit.xml")
    assert watch.written() == ("{}",)
