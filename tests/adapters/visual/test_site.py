"""The worktree as a site: what a page may ask for, and what it may not."""

from pathlib import Path

import pytest

from fixloop_bot.adapters.visual.site import Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    root = tmp_path / "a site"
    for name in ("index.html", "docs/index.html", "a b/ü.css", ".fixloop/visual/index.png", ".git/config"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    (tmp_path / "outside.txt").write_text("secret")
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")
    (root / "loop").symlink_to("loop")
    return Site(root.resolve())


@pytest.mark.parametrize(
    ("address", "content", "kind"),
    [
        ("http://localhost/", "index.html", "text/html"),
        ("http://localhost/index.html?dark#top", "index.html", "text/html"),
        ("http://localhost/docs/", "docs/index.html", "text/html"),
        ("http://localhost/a%20b/%C3%BC.css", "a b/ü.css", "text/css"),
    ],
)
def test_a_file_is_served_with_its_type(site: Site, address: str, content: str, kind: str) -> None:
    assert site.answer(address) == (content.encode(), kind)
    assert site.loaded == [content]


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("http://example.org/index.html", id="another host"),
        pytest.param("https://localhost/index.html", id="another scheme"),
        pytest.param("http://localhost:8080/index.html", id="another port"),
        pytest.param("http://localhost@example.org/index.html", id="a host in disguise"),
        pytest.param("file:///etc/passwd", id="the machine's files"),
        pytest.param("http://localhost/../outside.txt", id="above the folder"),
        pytest.param("http://localhost/%2e%2e/outside.txt", id="above the folder, encoded"),
        pytest.param("http://localhost/link.txt", id="a link out of it"),
        pytest.param("http://localhost/loop", id="a link to itself"),
        pytest.param("http://localhost/docs", id="a folder"),
        pytest.param("http://localhost/none.html", id="no file"),
        pytest.param("http://localhost/%00", id="no name"),
        pytest.param("http://localhost/.fixloop/visual/index.png", id="the very picture that it is compared with"),
        pytest.param("http://localhost/docs/../.fixloop//visual/index.png", id="the same in a roundabout way"),
        pytest.param("http://localhost/.git/config", id="git's own files"),
    ],
)
def test_nothing_else_is(site: Site, address: str) -> None:
    assert site.answer(address) is None


def test_an_address_leads_back_to_its_file(site: Site) -> None:
    assert site.answer(site.address("a b/ü.css", "?x")) == ("a b/ü.css".encode(), "text/css")
