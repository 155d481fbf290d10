"""Pictures leave the sandbox: only pictures, only so many, and through no link."""

from pathlib import Path

import pytest

from fixloop_bot.adapters.picture_store import MAX_BYTES, MAX_LOOKS, MAX_PICTURES, PNG, PictureStore


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "1-visual.json.pictures"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path: Path) -> PictureStore:
    return PictureStore(tmp_path / "state" / "visual" / "r1", tmp_path / "state")


def test_pictures_are_kept_by_look_and_named_as_the_state_folder_has_them(
    source: Path, store: PictureStore, tmp_path: Path
) -> None:
    (source / "index.diff.png").write_bytes(PNG + b"1")
    assert store.keep(source) == ("visual/r1/1/index.diff.png",)
    assert (tmp_path / "state/visual/r1/1/index.diff.png").read_bytes() == PNG + b"1"
    assert not source.exists()
    source.mkdir()
    (source / "index.diff.png").write_bytes(PNG + b"2")
    assert store.keep(source) == ("visual/r1/2/index.diff.png",)


def test_what_is_no_picture_is_left_behind(source: Path, store: PictureStore, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PNG + b"secret")
    (source / "link.png").symlink_to(tmp_path / "secret.png")
    (source / "text.png").write_text("::set-output name=x::y")
    (source / "a\nb.png").write_bytes(PNG)
    (source / "page.html").write_bytes(PNG)
    (source / "huge.png").write_bytes(PNG + b"\0" * MAX_BYTES)
    (source / "folder.png").mkdir()
    assert store.keep(source) == ()


def test_a_folder_that_is_a_link_is_not_followed(source: Path, store: PictureStore, tmp_path: Path) -> None:
    (source / "a.png").write_bytes(PNG)
    link = tmp_path / "2-visual.json.pictures"
    link.symlink_to(source)
    assert store.keep(link) == ()
    assert (source / "a.png").exists()
    assert store.keep(tmp_path / "none") == ()


def test_there_is_an_end_to_pictures_and_looks(source: Path, store: PictureStore) -> None:
    for number in range(MAX_PICTURES + 5):
        (source / f"{number:03}.png").write_bytes(PNG)
    assert len(store.keep(source)) == MAX_PICTURES
    for _ in range(MAX_LOOKS):
        source.mkdir(exist_ok=True)
        (source / "a.png").write_bytes(PNG)
        kept = store.keep(source)
    assert kept == ()
