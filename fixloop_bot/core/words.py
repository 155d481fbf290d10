"""The words in code, and those that some texts have and others have not."""

import math
import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"[A-Z]?[a-z]++|[A-Z]++")


def words(text: str) -> frozenset[str]:
    """Return the words of a text, those within names too, in lower case and without the plural's `s`."""
    found = (word.lower() for word in _WORD.findall(text) if len(word) > 1)
    return frozenset(word[:-1] if word.endswith("s") and len(word) > 3 else word for word in found)


def distinctive(texts: Sequence[str], others: Sequence[str]) -> dict[str, float]:
    """Return for each word of `texts` how much it speaks for them against the others: Ochiai's measure, at most 1."""
    counts = Counter(word for text in texts for word in words(text))
    besides = Counter(word for text in others for word in words(text))
    return {word: count / math.sqrt(len(texts) * (count + besides[word])) for word, count in counts.items()}
