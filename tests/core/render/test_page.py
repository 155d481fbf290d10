"""A report's page: whole, alone, and nothing in it is anybody else's HTML."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from fixloop_bot import __version__
from fixloop_bot.core.render.history_plots import history_plots
from fixloop_bot.core.render.html import Markup, element
from fixloop_bot.core.render.page import history_page, run_page
from fixloop_bot.core.render.run_plots import cost_plot, failure_plot, run_plots, verdict_plot
from fixloop_bot.model.history import History
from tests.core.histories import AT, CIRCLE, DONE, HISTORY, HOSTILE, LOST, A, record
from tests.core.recorded import assert_recorded

VOID = {"meta", "br"}


class Outline(HTMLParser):
    """The page's elements, as a browser's parser nests them; a closing tag that closes nothing is an error."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]


PAGES = {
    "all runs": history_page(HISTORY, at=AT),
    "no run": history_page(History(), at=AT),
    "a circle": run_page(CIRCLE, HISTORY.malformed, at=AT),
    "a lost run": run_page(LOST, (), at=AT),
}


def test_the_page_of_one_run_is_as_recorded() -> None:
    assert_recorded("report_done.html", run_page(DONE, (), at=AT).replace(f"fixloop {__version__}", "fixloop VERSION"))


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_is_well_formed_and_asks_for_nothing(page: str) -> None:
    outline = Outline(page)
    tags = {tag for tag, _ in outline.seen}
    assert not tags & {"script", "link", "img", "iframe", "object", "form", "a", "b", "base", "image", "use"}
    assert not [name for _, attributes in outline.seen for name in attributes if name in ("src", "href", "style")]
    assert not [name for _, attributes in outline.seen for name in attributes if name.startswith("on")]
    assert "url(" not in page
    assert "@import" not in page
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = next(meta["content"] for meta in outline.all("meta") if meta.get("http-equiv"))
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_table_and_plot_has_a_name_for_whoever_does_not_see_it(page: str) -> None:
    outline = Outline(page)
    tables = outline.all("table")
    assert len(tables) == len(outline.all("caption"))
    assert {head.get("scope") for head in outline.all("th")} <= {"col", "row"}
    ids = [attributes["id"] for _, attributes in outline.seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    for svg in outline.all("svg"):
        if svg.get("aria-hidden") != "true":
            assert svg["role"] == "img"
            assert set(str(svg["aria-labelledby"]).split()) <= set(ids)
    assert outline.all("html")[0]["lang"] == "en"


def test_foreign_text_is_shown_and_never_obeyed() -> None:
    page = PAGES["a circle"]
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp;amp; &quot;quoted&quot;" in page
    assert "<script" not in page
    assert not set(page) & {"\x1b", "\u202e", "\x00"}
    assert "feat/&lt;b&gt;bold&lt;/b&gt;" in PAGES["all runs"]


def test_a_failure_that_came_back_is_ringed_linked_and_told() -> None:
    plot = failure_plot(CIRCLE)
    assert [mark.place for mark in plot.marks if mark.ring] == [2, 3]
    assert [(line.start[0], line.end[0]) for line in plot.lines if line.kind == "back"] == [(0, 2), (1, 3)]
    assert "went in a circle: A \u2192 B \u2192 A (attempts 0 to 2); B \u2192 A \u2192 B (attempts 1 to 3)." in (
        plot.summary
    )
    assert 'class="back"' in PAGES["a circle"]
    assert "None came back" in failure_plot(DONE).summary


def test_an_unknown_cost_is_ringed_and_told() -> None:
    plot = cost_plot(CIRCLE.records)
    assert [mark.place for mark in plot.marks if mark.ring] == [1]
    assert plot.summary == "At least $0.10 in all. The cost of 1 attempt is unknown."
    nothing = cost_plot([replace(one, cost_usd=None) for one in CIRCLE.records])
    assert nothing.summary.startswith("Unknown in all.")


def test_two_hundred_attempts_with_as_many_failures_keep_the_page_bounded() -> None:
    records = tuple(
        record("r", number, verdict=f"odd {number % 3}", scores=(0.5, 0.5), seen=f"{number:064x}")
        for number in range(1, 201)
    )
    run = replace(CIRCLE, records=records)
    page = run_page(run, (), at=AT)
    assert page.count("<tr>") == 201
    assert len(page) < 400_000
    plot = failure_plot(run)
    assert len(plot.lanes) == 13
    assert plot.pixels < 400
    assert len(verdict_plot(records).lanes) == 3


def test_a_run_without_attempts_has_no_plots() -> None:
    assert run_plots(LOST) == ()


def test_only_what_was_made_here_stands_as_it_is() -> None:
    made = element("p", "<b>", Markup("<br>"), title='"', aria_label=None, class_="x")
    assert made.text == '<p title="&quot;" class="x">&lt;b&gt;<br></p>'
    assert element("p", HOSTILE).text.count("<") == 2
    assert element("td", A).text == f"<td>{A}</td>"


def test_all_runs_are_drawn_oldest_first_and_what_does_not_hold_is_ringed() -> None:
    ends, costs = history_plots(HISTORY.runs)
    assert [place for place in ends.places if place][:2] == ["2027-01-15", "2027-01-16"]
    assert [mark.about.split()[0] for mark in ends.marks if mark.ring] == ["20270116T090000-false"]
    assert ends.summary.endswith("1 DONE claim found not to hold.")
    assert costs.summary == "At least $0.14 in all. The cost of 1 run is not known in full."
    assert [round(mark.height, 2) for mark in costs.marks][-1] == 1.0
    assert history_plots(()) == ()
