"""What did the vendor rate the drive for, and what is that worth under another workload?"""

import numpy as np

from models import endurance
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure, first_known, given

__all__ = [
    "RATED_ALIKE",
    "RATED_UNIFORM",
    "contradictions",
    "naive_limit",
    "rated_bytes",
    "rated_dwpd",
    "rated_limit",
]

TOLERATED = 0.05  # by which rated TBW and rated drive writes per day may differ unsaid
RATED_UNIFORM = (
    "Assumed: rated under uniform random writes over the whole drive. Supply the rating "
    "workload's write amplification (rating_wa) where it is known."
)
RATED_ALIKE = (
    "Spare area or rating workload unknown: the rating is taken to hold for this workload as it is."
)


def rated_bytes(drive: Drive) -> Answer:
    """Return rated TBW, as printed or from rated drive writes per day."""
    if "rated_bytes" in drive.facts or "rated_dwpd" not in drive.facts:
        return stated(drive, "rated_bytes")
    return figure(
        "rated_bytes",
        endurance.tbw_bytes,
        "From rated drive writes per day.",
        dwpd=stated(drive, "rated_dwpd"),
        user_bytes=stated(drive, "user_bytes"),
        period_s=_rating_period_s(drive),
    )


def rated_dwpd(drive: Drive) -> Answer:
    """Return rated drive writes per day, from rated TBW where that is printed."""
    if "rated_bytes" not in drive.facts:
        return stated(drive, "rated_dwpd")
    return figure(
        "rated_dwpd",
        endurance.dwpd,
        limit_bytes=stated(drive, "rated_bytes"),
        user_bytes=stated(drive, "user_bytes"),
        period_s=_rating_period_s(drive),
    )


def rated_limit(drive: Drive, wa: Answer, rating: Answer) -> Answer:
    """Return rated TBW converted from the write amplification `rating` to `wa`."""
    alike = given("equal_wa", 1.0, source="assumption", note=RATED_ALIKE)
    unknown = not rating.is_known or not wa.is_known
    modelled = rating.is_computed
    return figure(
        "rated_limit_bytes",
        endurance.effective_tbw_bytes,
        RATED_ALIKE if unknown else RATED_UNIFORM if modelled else "",
        rated_bytes=rated_bytes(drive),
        rating_wa=alike if unknown else rating,
        workload_wa=alike if unknown else wa,
    )


def naive_limit(drive: Drive, wa: Answer) -> Answer:
    """Return what a calculator gives that divides the rating by write amplification."""
    return figure(
        "naive_limit_bytes",
        endurance.effective_tbw_bytes,
        "Divides the rating by write amplification, which is already inside it.",
        rated_bytes=rated_bytes(drive),
        rating_wa=given("naive_wa", 1.0, source="definition"),
        workload_wa=wa,
    )


def contradictions(drive: Drive) -> tuple[str, ...]:
    """Say where the ratings of a data sheet do not fit each other; of ranges of facts, nothing."""
    if any(np.ndim(fact.value) for fact in drive.facts.values()):
        return ()
    return tuple(said for said in (_two_ratings(drive), _too_few_cycles(drive)) if said)


def _two_ratings(drive: Drive) -> str:
    from_tbw = figure(
        "dwpd",
        endurance.dwpd,
        limit_bytes=stated(drive, "rated_bytes"),
        user_bytes=stated(drive, "user_bytes"),
        period_s=_rating_period_s(drive),
    )
    printed = drive.value("rated_dwpd")
    if not from_tbw.is_known or not printed:
        return ""
    if abs(from_tbw.value / printed - 1) <= TOLERATED:
        return ""
    return (
        f"The ratings disagree: rated TBW is {from_tbw.value:.3g} drive writes per day over "
        f"the rating period, printed as {printed:.3g}; TBW is used."
    )


def _too_few_cycles(drive: Drive) -> str:
    needed = figure(
        "wa",
        endurance.implied_wa,
        raw_bytes=stated(drive, "raw_bytes"),
        pe_cycles=stated(drive, "pe_cycles"),
        rated_bytes=stated(drive, "rated_bytes"),
    )
    if not needed.is_known or needed.value >= 1:
        return ""
    return (
        f"The ratings disagree: rated TBW needs {1 / needed.value:.3g} times the rated "
        "program/erase cycles even without write amplification."
    )


def _rating_period_s(drive: Drive) -> Answer:
    return first_known(stated(drive, "rating_period_s"), stated(drive, "warranty_s"))
