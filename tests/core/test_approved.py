"""An approval holds for one content of one file, and for nothing else."""

from fixloop_bot.core.approved import approved_files, content_sha256, not_approved
from fixloop_bot.model.guard import FileChange, FileVersion


def changed(path: str, before: str | None, after: str | None, *, mode: str = "100644") -> FileChange:
    sides = [None if text is None else FileVersion(text=text) for text in (before, after)]
    after_side = sides[1] and FileVersion(text=after, mode=mode)
    return FileChange(path=path, before=sides[0], after=after_side)


WANTED = (changed("tests/a.py", "1", "2"), changed("tests/b.py", "1", None), changed("tests/c.py", None, "3"))
APPROVED = approved_files(WANTED, by="pat")


def test_what_was_approved_is_left_out_of_the_judgement() -> None:
    assert not_approved(WANTED, APPROVED) == ()
    assert [one.sha256 for one in APPROVED] == [content_sha256("2"), "", content_sha256("3")]


def test_another_content_another_path_another_mode_are_judged() -> None:
    others = (
        changed("tests/a.py", "1", "2 "),
        changed("tests/a2.py", "1", "2"),
        changed("tests/a.py", "1", None),
        changed("tests/a.py", "1", "2", mode="100755"),
        changed("tests/a.py", "1", "2", mode="120000"),
        FileChange(path="tests/a.py", before=None, after=FileVersion(unread="binary")),
    )
    assert not_approved(others, APPROVED) == others


def test_a_file_that_nobody_could_read_is_never_approved() -> None:
    unread = FileChange(path="x", before=None, after=FileVersion(unread="binary"))
    link = FileChange(path="y", before=None, after=FileVersion(text="/etc/passwd", mode="120000"))
    assert approved_files((unread, link), by="pat") == ()
