"""Comparing two pictures, pixel by pixel, anti-aliasing left out of account."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw
from pixelmatch.contrib.PIL import pixelmatch

from fixloop_bot.model.visual import Box, Difference

MASK_COLOUR = "#ff00ff"
MASKED = bytes.fromhex(MASK_COLOUR[1:])
AROUND = 2
"""Pixels around what differs, which tell anti-aliasing from a change."""
COUNTED = 200_000
"""Differing pixels whose colours are counted."""


class UnreadableError(Exception):
    """A picture that is none, or too large."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A difference, and a picture of it: the page pale, what differs in red."""

    difference: Difference
    picture: bytes


def compare(baseline: bytes, actual: bytes, *, threshold: float, rectangles: Sequence[Box]) -> Compared | None:
    """Return how the pictures (PNG) differ, None where they do not.

    `threshold` (0..1) is how far apart two colours may be to count as the same; no pixel may be further. Rectangles
    are painted over in both. Raises `UnreadableError`.
    """
    before, after = _opened(baseline), _opened(actual)
    sizes = (before.size, after.size)
    width, height = (max(one, other) for one, other in zip(*sizes, strict=True))
    before, after = (_prepared(one, (width, height), rectangles) for one in (before, after))
    differing = _differing(before, after, threshold)
    if sizes[0] != sizes[1]:
        _add_outside(differing, sizes)
    box = differing.getbbox()
    if box is None:
        return None
    difference = Difference(
        pixels=differing.histogram()[255],
        of=width * height,
        box=box,
        colours=_colours(before, after, differing, box),
        sizes=sizes if sizes[0] != sizes[1] else None,
    )
    return Compared(difference, _drawn(after, differing))


def _opened(data: bytes) -> Image.Image:
    try:
        with Image.open(BytesIO(data), formats=("PNG",)) as picture:
            return picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise UnreadableError(str(error)) from error


def _prepared(picture: Image.Image, size: tuple[int, int], rectangles: Sequence[Box]) -> Image.Image:
    whole = Image.new("RGB", size, "white")
    whole.paste(picture)
    draw = ImageDraw.Draw(whole)
    for left, top, right, bottom in rectangles:
        if right > left and bottom > top:
            draw.rectangle((left, top, right - 1, bottom - 1), fill=MASK_COLOUR)
    return whole


def _differing(before: Image.Image, after: Image.Image, threshold: float) -> Image.Image:
    """Return a mask, 255 where a pixel differs; only what is not equal to the bit is looked at closely."""
    mask = Image.new("L", before.size, 0)
    rough = ImageChops.difference(before, after).getbbox()
    if rough is None:
        return mask
    left, top, right, bottom = rough
    near = (
        max(left - AROUND, 0),
        max(top - AROUND, 0),
        min(right + AROUND, before.width),
        min(bottom + AROUND, before.height),
    )
    parts = [picture.crop(near).convert("RGBA") for picture in (before, after)]
    found = Image.new("RGBA", parts[0].size)
    pixelmatch(parts[0], parts[1], found, threshold=threshold, includeAA=False, diff_mask=True)
    mask.paste(found.getchannel("A").point(lambda value: 255 if value else 0), near[:2])
    return mask


def _add_outside(mask: Image.Image, sizes: tuple[tuple[int, int], tuple[int, int]]) -> None:
    """Mark what only one of the pictures covers, both lying at the top left."""
    width, height = (min(one, other) for one, other in zip(*sizes, strict=True))
    inside = mask.crop((0, 0, width, height))
    mask.paste(255, (0, 0, *mask.size))
    mask.paste(inside, (0, 0))


def _colours(before: Image.Image, after: Image.Image, mask: Image.Image, box: Box) -> tuple[str, str] | None:
    where = [index for index, value in enumerate(mask.crop(box).tobytes()) if value][:COUNTED]
    old, new = (part.crop(box).tobytes() for part in (before, after))
    changes = ((old[3 * index : 3 * index + 3], new[3 * index : 3 * index + 3]) for index in where)
    counted = Counter(change for change in changes if MASKED not in change)
    if not counted:
        return None
    (((first, second), _),) = counted.most_common(1)
    return f"#{first.hex()}", f"#{second.hex()}"


def _drawn(page: Image.Image, mask: Image.Image) -> bytes:
    pale = Image.blend(page.convert("L").convert("RGB"), Image.new("RGB", page.size, "white"), 0.8)
    pale.paste("#e00000", (0, 0, *page.size), mask)
    written = BytesIO()
    pale.save(written, "PNG")
    return written.getvalue()
