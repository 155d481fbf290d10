"""Prices, in cents."""

import os
import sys


def total(prices: list[int], discount_percent: int = 0) -> int
    """Return the sum of the prices less the discount, rounded down."""
    full = sum(prices)
    return full - full * discount_percent // 100
