"""Comparing pictures: what counts as the same, and what a mask may not hide."""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from fixloop_bot.adapters.visual.compare import MASK_COLOUR, Compared, UnreadableError, compare
from fixloop_bot.model.visual import Box


def png(*boxes: tuple[Box, str], size: tuple[int, int] = (40, 20)) -> bytes:
    """Return a white picture with filled boxes."""
    picture = Image.new("RGB", size, "white")
    for (left, top, right, bottom), colour in boxes:
        ImageDraw.Draw(picture).rectangle((left, top, right - 1, bottom - 1), fill=colour)
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


BUTTON: Box = (5, 5, 15, 10)
GREEN, RED = png((BUTTON, "#0a7d20")), png((BUTTON, "#d01010"))


def compared(before: bytes, after: bytes, *, threshold: float = 0.1, rectangles: tuple[Box, ...] = ()) -> Compared:
    found = compare(before, after, threshold=threshold, rectangles=rectangles)
    assert found
    return found


def test_equal_pictures_do_not_differ() -> None:
    assert compare(GREEN, GREEN, threshold=0, rectangles=()) is None


def test_a_difference_has_a_place_a_size_and_its_colours() -> None:
    found = compared(GREEN, RED)
    assert found.difference.box == BUTTON
    assert (found.difference.pixels, found.difference.of) == (50, 800)
    assert found.difference.colours == ("#0a7d20", "#d01010")
    with Image.open(BytesIO(found.picture)) as picture:
        assert picture.getpixel((6, 6)) == (224, 0, 0)
        assert picture.getpixel((30, 15)) == (255, 255, 255)


def test_the_threshold_is_of_the_colour_and_no_pixel_may_be_further_away() -> None:
    close = png((BUTTON, "#0a8322"))
    assert compare(GREEN, close, threshold=0.1, rectangles=()) is None
    assert compared(GREEN, close, threshold=0.001).difference.pixels == 50
    one_dot = png((BUTTON, "#0a7d20"), ((30, 12, 31, 13), "black"))
    assert compared(GREEN, one_dot, threshold=0.5).difference.pixels == 1


def test_another_size_differs_by_all_that_only_one_picture_covers() -> None:
    found = compared(png(size=(40, 20)), png(size=(40, 25)))
    assert found.difference.sizes == ((40, 20), (40, 25))
    assert found.difference.pixels == 200
    assert found.difference.box == (0, 20, 40, 25)


def test_a_rectangle_is_painted_over_in_both() -> None:
    assert compare(GREEN, RED, threshold=0.1, rectangles=(BUTTON,)) is None
    assert compared(GREEN, RED, rectangles=((5, 5, 15, 9),)).difference.box == (5, 9, 15, 10)


def test_an_element_that_is_masked_now_and_was_not_then_differs() -> None:
    assert compared(GREEN, png((BUTTON, MASK_COLOUR))).difference.colours is None


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n" + b"\0" * 100, GREEN[:60]])
def test_what_is_no_picture_says_so(data: bytes) -> None:
    with pytest.raises(UnreadableError):
        compare(data, GREEN, threshold=0.1, rectangles=())
