"""Figures of a row of quotes that contradict each other, or those of the catalogue."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from models.endurance import tbw_bytes
from models.units import DAY_S, TB, YEAR_S
from planner.catalogue.drive import Drive
from planner.quantity.parse import quoted

APART = 0.1  # of two ratings that contradict each other
USUAL_PERIOD_S = 5 * YEAR_S  # of a rating whose period nothing states


class StatedRating(NamedTuple):
    """Facts of the rating of a row that count, and what is doubtful of it, "" for nothing."""

    facts: Mapping[str, float]
    doubt: str = ""


def dear_breaks(prices: Sequence[tuple[int, str, float]]) -> list[str]:
    """Name each price for more drives that is above the price for fewer, from count, cell, amount.

    >>> dear_breaks([(1, "640", 640.0), (10, "600", 600.0), (100, "700", 700.0)])
    ["price_100 '700' is above the price of 10 drives, '600': doubtful, read as written"]
    """
    found = []
    for (few, cheap, price), (many, dear, other) in pairwise(prices):
        if other > price:
            of_few = "one drive" if few == 1 else f"{few} drives"
            more = f"price_{many} {quoted(dear)}"
            fewer = f"the price of {of_few}, {quoted(cheap)}"
            found.append(f"{more} is above {fewer}: doubtful, read as written")
    return found


def stated_rating(base: Drive, facts: Mapping[str, float], digits: str) -> StatedRating:
    """Return the rating of a row: the lower of two that contradict each other.

    `base` is the drive of the catalogue that the row names, `digits` its DWPD as it is written.

    >>> drive = Drive(drive_id="a", vendor="A", model="B", capacity_gb=1000)
    >>> rating = stated_rating(drive, {"rated_bytes": 600e12, "rated_dwpd": 1.0}, "1")
    >>> rating.doubt
    'tbw 600 TB contradicts dwpd 1 x 1 TB x 5 years (assumed) = 1,825 TB: the lower counts'
    >>> rating.facts["rated_bytes"]
    600000000000000.0
    """
    tbw, dwpd = facts.get("rated_bytes"), facts.get("rated_dwpd")
    size = facts.get("user_bytes") or base.capacity_bytes
    period_s, words = _period(base, facts)

    def written(rate: float) -> float:
        return float(tbw_bytes(rate, user_bytes=size, period_s=period_s))

    of_dwpd = ""
    if dwpd is not None:
        product = f"dwpd {dwpd:g} x {size / TB:.4g} TB x {period_s / YEAR_S:.3g} years{words}"
        of_dwpd = f"{product} = {written(dwpd) / TB:,.5g} TB"
    if tbw is not None and dwpd is not None:
        if not _differ(tbw, written(dwpd), digits, dwpd):
            return StatedRating({})
        lower = min(tbw, written(dwpd))
        both = {"rated_bytes": lower, "rated_dwpd": lower / size / (period_s / DAY_S)}
        return StatedRating(both, f"tbw {tbw / TB:,.5g} TB contradicts {of_dwpd}: the lower counts")
    known, rate = base.value("rated_bytes"), base.value("rated_dwpd")
    stated = tbw if dwpd is None else written(dwpd)
    printed = written(rate) if known is None and rate is not None else known
    if stated is None or printed is None:
        return StatedRating({})
    instead = {} if known is None else {"rated_bytes": stated}
    if not _differ(stated, printed, digits or f"{rate or 1:g}", dwpd or rate or 1.0):
        return StatedRating(instead)
    of_row = of_dwpd or f"tbw {stated / TB:,.5g} TB"
    of_catalogue = f"the catalogue's {printed / TB:,.5g} TB"
    return StatedRating(instead, f"{of_row} differs from {of_catalogue}: that of the row counts")


def _period(base: Drive, facts: Mapping[str, float]) -> tuple[float, str]:
    """Return the period of a rating, and words on one that nothing states."""
    for known in (facts.get, base.value):
        for name in ("rating_period_s", "warranty_s"):
            if (period_s := known(name)) is not None:
                return period_s, ""
    return USUAL_PERIOD_S, " (assumed)"


def _differ(one: float, other: float, digits: str, dwpd: float) -> bool:
    """Whether two ratings differ by more than the digits of a DWPD and a tenth allow."""
    decimals = len(digits.replace(",", ".").partition(".")[2].strip())
    rounding = 0.5 * 10.0**-decimals / dwpd if decimals else 0.0
    return abs(one / other - 1) > max(APART, rounding)
