"""What is on the shelves."""


def parse_count(text: str) -> int:
    """Return the number in the text, 0 where there is none."""
    try:
        return int(text)
    except:
        return 0


def pages(items: int, per_page: int) -> int:
    """Return how many pages of a catalogue the items fill."""
    return items // per_page + 1
