"""What it costs to send a parcel, and when it arrives."""

from datetime import date, timedelta

from shop.money import Money

ZONES = {"DE": 1, "NL": 2, "FR": 2, "IT": 3, "US": 4}
FAR = 5
BASE = {1: 490, 2: 990, 3: 1290, 4: 2490, 5: 3490}
FREE_FROM = Money(60_00)
HEAVY_G = 10_000
DAYS = {1: 2, 2: 3, 3: 4, 4: 8, 5: 12}


def zone(country: str) -> int:
    """Return the zone of a country, 1 being home."""
    return ZONES.get(country, FAR)


def parcels(weight_g: int) -> int:
    """Return how many parcels are needed; a parcel holds at most the limit."""
    return max(1, -(-weight_g // HEAVY_G))


def cost(weight_g: int, country: str, goods: Money) -> Money:
    """Return the price of sending goods of this weight and worth; dear goods go free at home."""
    where = zone(country)
    if where == 1 and goods.cents >= FREE_FROM.cents:
        return Money(0)
    return Money(BASE[where]).times(parcels(weight_g))


def working_day(day: date) -> bool:
    """Return whether parcels are moved on that day."""
    return day.weekday() < 6


def arrival(sent: date, country: str, express: bool = False) -> date:
    """Return the day of arrival: so many days on which parcels are moved; express takes half of them."""
    left = DAYS[zone(country)]
    if express:
        left = (left + 1) // 2
    day = sent
    while left > 0:
        day += timedelta(days=1)
        if working_day(day):
            left -= 1
    return day
