"""The visual layer's rules: pages and their baselines, masks, and how a difference is told."""

import pytest

from fixloop_bot.core.plan import combine
from fixloop_bot.core.protect import FIXLOOP, Protection
from fixloop_bot.core.visual import (
    candidates,
    difference_words,
    failed,
    page_of,
    report_lines,
    split_masks,
    visual_check,
)
from fixloop_bot.model.command import Check, Plan
from fixloop_bot.model.config import LayerConfig, RepoConfig, VisualConfig
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.visual import Difference, Page, PageReport, PageStatus, VisualMode, visual_mode

PAGES = VisualConfig(pages=("index.html", "docs/"), threshold=0.2, mask=(".clock", "--odd"))


@pytest.mark.parametrize(
    ("name", "path", "baseline"),
    [
        pytest.param("index.html", "index.html", ".fixloop/visual/index.png", id="a file"),
        pytest.param("index", "index", ".fixloop/visual/index.png", id="a name without its ending"),
        pytest.param("docs/", "docs/index.html", ".fixloop/visual/docs/index.png", id="a folder"),
        pytest.param("./a//b.htm", "a/b.htm", ".fixloop/visual/a/b.png", id="spelled in a roundabout way"),
        pytest.param("", "index.html", ".fixloop/visual/index.png", id="the top"),
    ],
)
def test_a_page_has_its_baseline_where_an_attempt_cannot_write(name: str, path: str, baseline: str) -> None:
    page = page_of(name)
    assert page == Page(name=name, path=path, baseline=baseline)
    assert Protection().rule(baseline) == FIXLOOP
    for letter in "MDA":
        assert Protection().broken_by({baseline: letter})


def test_a_query_makes_another_page_of_the_same_file() -> None:
    plain, dark = page_of("a.html"), page_of("a.html?theme=dark#top")
    assert plain
    assert dark
    assert (dark.path, dark.query) == ("a.html", "?theme=dark#top")
    assert dark.baseline != plain.baseline
    assert candidates(plain)[0] == "a.html"


@pytest.mark.parametrize(
    "name", ["../a.html", "/etc/passwd", "a/../../b.html", "https://example.org/", "a\nb.html", ".."]
)
def test_a_name_that_leads_out_is_no_page(name: str) -> None:
    assert page_of(name) is None


def test_masks_are_selectors_or_rectangles() -> None:
    selectors, boxes = split_masks([".clock", "10, 20, 30, 40", "#a, b"])
    assert selectors == (".clock", "#a, b")
    assert boxes == ((10, 20, 40, 60),)


def test_the_check_is_a_command_that_says_all_of_it() -> None:
    check = visual_check(PAGES, VisualMode.COMPARE)
    assert check
    assert " ".join(check.command) == "fixloop visual --threshold 0.2 --mask=.clock --mask=--odd -- index.html docs/"
    record = visual_check(PAGES, VisualMode.RECORD)
    assert record
    assert "--record" in record.command
    assert visual_check(VisualConfig(), VisualMode.COMPARE) is None


OWN = RepoConfig(layers={Layer.VISUAL: LayerConfig(run=("npm run pictures",)), Layer.TEST: LayerConfig(run=("t",))})


@pytest.mark.parametrize(
    ("config", "skip", "commands", "explained"),
    [
        pytest.param(RepoConfig(visual=PAGES), True, 0, True, id="configured, and left out as a rule"),
        pytest.param(RepoConfig(visual=PAGES), False, 1, False, id="configured and asked for"),
        pytest.param(OWN, True, 0, True, id="a command of the repository's own, left out"),
        pytest.param(OWN, False, 1, False, id="a command of the repository's own, asked for"),
        pytest.param(RepoConfig(), False, 0, False, id="not configured"),
    ],
)
def test_the_layer_is_off_unless_configured_and_asked_for(
    config: RepoConfig, skip: bool, commands: int, explained: bool
) -> None:
    plan = combine(Plan(project_type="node"), config, lambda _: "generic", visual=visual_mode(skip=skip))
    assert len([check for check in plan.checks if check.layer is Layer.VISUAL]) == commands
    assert (Layer.VISUAL in plan.skipped) is explained


def test_pages_are_looked_at_beside_a_runner_of_the_repository_s_own() -> None:
    plan = combine(Plan(project_type="node"), RepoConfig(runner="check.sh", visual=PAGES), str)
    assert plan.layers == (Layer.COMPILE, Layer.LINT, Layer.TEST, Layer.VISUAL)
    assert all(isinstance(check, Check) for check in plan.checks)


def test_a_difference_is_told_to_somebody_who_cannot_see_it() -> None:
    difference = Difference(
        pixels=100, of=10_000, box=(1, 2, 3, 4), colours=("#00ff00", "#ff0000"), sizes=((100, 100), (100, 90))
    )
    assert difference_words(difference, "b.png", 0.1, ["button#buy"]) == (
        "1.00 % of pixels differ from b.png (100 of 10000, threshold 0.1), between (1, 2) and (3, 4); the page is "
        "100x90 pixels, the baseline 100x100; there: button#buy; most often #00ff00 became #ff0000"
    )


def test_only_pages_that_are_the_same_pass() -> None:
    page = Page(name="a.html", path="a.html")
    reports = {status: PageReport(page=page, status=status, message="m") for status in PageStatus}
    assert [status for status, report in reports.items() if not failed([report])] == ["same", "recorded"]
    assert report_lines([reports[PageStatus.NO_BASELINE]], 0.1)[1] == "NONE a.html: m"
