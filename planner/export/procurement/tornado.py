"""Effect of one input at a time on the life and the cost of a plan: low, as planned, high."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.catalogue.drive import with_user_facts
from planner.catalogue.prices import price_ratios
from planner.scenario.terms import MOST_YEARS, NODE_PRICE, assumed_terms
from planner.search.choose import Candidate
from planner.sections.ownership import ownership
from planner.sections.plan import PlanReading, plan_drive

OF_PRICE = "90 % range of the price"
_SHARE = 0.2  # up and down, where no range is known
_AROUND = f"{100 * _SHARE:.0f} % less and more"
_FACTS = ("price_usd", "pe_cycles", "rated_bytes", "raw_bytes")
_TERMS = ("energy_usd_per_j", "pue", "discount_rate", "slot_usd_per_year", NODE_PRICE, "labour_usd")


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSwing:
    """An input at two values in base units, with life in years and net present cost at each."""

    key: str
    low: float
    high: float
    life_years: tuple[float | None, float | None]
    npv_usd: tuple[float | None, float | None]
    ground: str

    @property
    def label(self) -> str:
        """The input as people know it."""
        return QUANTITIES[self.key].label


def swings(candidate: Candidate) -> list[CostSwing]:
    """Return the effect of each input, one at a time, the widest in cost first.

    Life is the time until the first limit of wear or rating.
    """
    found = [_swing(candidate, *case) for case in _cases(candidate)]
    return sorted(found, key=lambda swing: -_width(swing.npv_usd))


def of_life(swings: Sequence[CostSwing]) -> list[CostSwing]:
    """Return the inputs that move the life, what moves it most first."""
    found = [swing for swing in swings if _width(swing.life_years)]
    return sorted(found, key=lambda swing: -_width(swing.life_years))


def _width(pair: tuple[float | None, float | None]) -> float:
    low, high = pair
    return 0.0 if low is None or high is None else abs(high - low)


def _cases(candidate: Candidate) -> Iterator[tuple[str, float, float, str]]:
    """Yield each input with a low and a high value."""
    answer, terms = candidate.plan, candidate.ownership.terms
    yield _around("host_bytes_per_s", answer.workload.host_bytes_per_s)
    yield from _facts(answer)
    for key in _TERMS:
        if getattr(terms, key) is None:
            term = assumed_terms()[key]
            yield key, term.low, term.high, "range of the assumption"
        else:
            low, high = (getattr(terms, key) * (1 + sign * _SHARE) for sign in (-1, 1))
            yield key, max(low, 1.0) if key == "pue" else low, high, _AROUND
    afr = candidate.data_loss["afr_fraction"]
    if afr.is_known:
        yield "afr_fraction", afr.value / 2, min(2 * afr.value, 0.99), "half and twice"
    low_s, high_s = terms.horizon_s - YEAR_S, terms.horizon_s + YEAR_S
    if low_s > 0 and high_s <= MOST_YEARS * YEAR_S:
        yield "horizon_s", low_s, high_s, "a year less and more"


def _facts(plan: PlanReading) -> Iterator[tuple[str, float, float, str]]:
    """Yield facts of the drive; a price over its own range, which a quote has not."""
    drive = plan.drive
    for key in _FACTS:
        value = drive.value(key)
        if value is None or key not in plan.nodes or not _fits(key, value, plan):
            continue
        if key != "price_usd":
            yield _around(key, value)
        elif (ends := price_ratios(drive))[1] > 1:
            low, high = (value * ratio for ratio in ends)
            yield key, low, high, OF_PRICE


def _fits(key: str, value: float, plan: PlanReading) -> bool:
    return key != "raw_bytes" or value * (1 - _SHARE) > plan.drive.capacity_bytes


def _around(key: str, value: float) -> tuple[str, float, float, str]:
    return key, value * (1 - _SHARE), value * (1 + _SHARE), _AROUND


def _swing(candidate: Candidate, key: str, low: float, high: float, ground: str) -> CostSwing:
    results = [_results(candidate, key, value) for value in (low, high)]
    lives, costs = zip(*results, strict=True)
    return CostSwing(key=key, low=low, high=high, life_years=lives, npv_usd=costs, ground=ground)


def _results(candidate: Candidate, key: str, value: float) -> tuple[float | None, float | None]:
    """Plan once more with one input changed."""
    answer, owned = candidate.plan, candidate.ownership
    workload, drive = answer.workload, answer.drive
    terms, risk = owned.terms, candidate.data_loss.risk
    changed: dict[str, Any] = {key: value}
    if key == "host_bytes_per_s":
        workload = replace(workload, **changed)
    elif key == "afr_fraction":
        risk = replace(risk, **changed)
    elif key in _FACTS:
        drive = with_user_facts(drive, **changed)
    else:
        terms = replace(terms, **changed)
    try:
        again = plan_drive(
            drive, workload, array=answer.array, partition_fraction=answer.partition_fraction,
            rating_wa=answer.rating_wa, firmware=answer.firmware,
        )  # fmt: skip
        cost = ownership(again, terms, risk)["npv_usd"]
    except DomainError:  # no plan is possible there
        return None, None
    return life_years(again), None if not cost.is_known else float(cost.value)


def life_years(plan: PlanReading) -> float | None:
    """Return the time until the first limit of wear or rating; None where unknown or endless."""
    limit = plan.lives.endurance_limit
    years = None if limit is None else plan.lives.known[limit].value / YEAR_S
    return years if years is not None and math.isfinite(years) else None
