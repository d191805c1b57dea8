"""Prices of a drive: the range of its class, and the offer of a supplier."""

from typing import NamedTuple

from models.units import DAY_S


class PriceRange(NamedTuple):
    """Price of a drive today by its class, and the ground for it."""

    low: float
    typical: float
    high: float
    ground: str
    basis: str
    is_carried: bool = False


class Quote(NamedTuple):
    """Offer of a drive in a row of a table; `breaks` are prices from a count on.

    `price` is that of one drive. Prices are in the currency of the question; `currency` is the one
    that they were written in, of which one unit is `usd_each` USD.
    """

    where: str
    part_number: str = ""
    supplier: str = ""
    lead_time_s: float | None = None
    breaks: tuple[tuple[int, float], ...] = ()
    price: float | None = None
    currency: str = ""
    usd_each: float = 1.0
    note: str = ""

    def __str__(self) -> str:
        """Say who offers it, and how soon."""
        soon = "" if self.lead_time_s is None else f"{self.lead_time_s / DAY_S:g} days"
        return ", ".join(part for part in (self.supplier, soon) if part)
