"""Prices of a drive: the range of its class, and the offer of a supplier."""

from typing import NamedTuple

from models.units import DAY_S

SIGNS = {"$": "USD", "€": "EUR", "£": "GBP"}  # of currencies


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

    `price` is that of one drive of an order of at least `least_order`, until the day `valid_until`.
    Prices are in the currency of the question; `currency` is the one that they were written in, of
    which one unit is `usd_each` USD. `unpriced` says why a row of a table with prices has none, and
    `doubts` name the cells that contradict each other or the catalogue.
    """

    where: str
    part_number: str = ""
    supplier: str = ""
    lead_time_s: float | None = None
    breaks: tuple[tuple[int, float], ...] = ()
    price: float | None = None
    currency: str = ""
    usd_each: float = 1.0
    valid_until: str = ""
    least_order: int = 1
    unpriced: str = ""
    doubts: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say who offers it, how soon, from how many drives on and until when."""
        terms = (
            "" if self.lead_time_s is None else f"{self.lead_time_s / DAY_S:g} days",
            f"least order {self.least_order}" if self.least_order > 1 else "",
            f"valid until {self.valid_until}" if self.valid_until else "",
        )
        return ", ".join(part for part in (self.supplier, *terms) if part)
