"""A benchmark writes its own section of the page and leaves the others alone."""

from pathlib import Path

from bench.table import Section, publish


def section(name: str, time: str) -> Section:
    return Section(name=name, about=f"About {name}.", head=("what", "time"), rows=[("a | b", time)])


def test_a_section_is_added_and_then_replaced_in_place(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    for one in (section("log", "1 s"), section("growth", "2 s"), section("log", "3 s")):
        publish(one, page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Benchmarks\n")
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## growth", "## log"]
    assert "| a \\| b | 3 s |" in text
    assert "| a \\| b | 2 s |" in text
    assert "1 s" not in text
    assert text.count("Measured on ") == 2


def test_what_is_written_twice_is_the_same_page(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    publish(section("log", "1 s"), page)
    publish(section("guard", "1 s"), page)
    before = page.read_text(encoding="utf-8").splitlines()
    publish(section("log", "1 s"), page)
    after = page.read_text(encoding="utf-8").splitlines()
    assert [line for line in before if "Measured" not in line] == [line for line in after if "Measured" not in line]
