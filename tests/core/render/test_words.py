"""Words for people: there are some for everything that can happen."""

import pytest

from fixloop_bot.core.render.words import WHY
from fixloop_bot.model.outcome import Breaker


@pytest.mark.parametrize("breaker", Breaker)
def test_every_breaker_has_its_words(breaker: Breaker) -> None:
    assert WHY[breaker]
