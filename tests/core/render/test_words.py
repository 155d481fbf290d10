"""Words for people: there are some for everything that can happen."""

from collections.abc import Mapping

import pytest

from fixloop_bot.core.render.going_on import ADVICE
from fixloop_bot.core.render.words import WHY
from fixloop_bot.core.status_line import SUGGESTIONS
from fixloop_bot.model.outcome import Breaker


@pytest.mark.parametrize("words", [WHY, ADVICE, SUGGESTIONS], ids=["why", "advice", "suggestion"])
def test_every_breaker_has_its_words(words: Mapping[Breaker, str]) -> None:
    assert [breaker for breaker in Breaker if not words.get(breaker)] == []
