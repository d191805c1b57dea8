"""What points measured on a drive say of it: facts that are fitted, their ranges, and words."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from models import write_amplification
from models.calibration import NO_CURVE, Point, Posterior, Prior, Spread, calibrated
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import GIB
from planner.catalogue.drive import FITTED, Drive, Fact
from planner.catalogue.priors import Assumption, accepted_assumptions, assumptions
from planner.quantity.show import span, text
from planner.scenario.firmware import Policy

__all__ = [
    "at_curve_ends",
    "curve_ranges",
    "expected_wa",
    "fit_notes",
    "fit_record",
    "fit_spreads",
    "with_points",
]

AXES = ("effective_raw_bytes", "base_factor", "copy_cost", "program_iops")
_PARTS: Mapping[str, str] = {"effective_raw_bytes": "raw_bytes"}  # as the posterior calls them
_CURVES = ("curve_ratio", "rate_ratio")
LARGER_THAN_NAMED = 1.001  # drives hold a little more than their name says
USUAL, STATED = 0.05, 0.1  # off a power of two: of flash that is assumed, and stated
WIDTH_OF_90 = 3.29  # standard deviations
CHOICES, LARGE_BLOCK = 10.0, 512.0  # of blocks by random choices, as in the plan


def with_points(drive: Drive, points: Sequence[Point], *, policy: Policy = Policy.GREEDY) -> Drive:
    """Return the drive with what points measured on it say, under one policy of collection.

    >>> from planner.catalogue import find, load
    >>> from models.units import GIB
    >>> from models.calibration import WaPoint
    >>> point = WaPoint(3.19, 894 * GIB)
    >>> measured = with_points(find(load(), "7450 PRO 960"), [point])
    >>> print(f"{measured.value('effective_raw_bytes') / GIB:.0f} GiB")
    1079 GiB
    """
    if not points:
        return drive
    for point in points:
        if point.span_bytes > LARGER_THAN_NAMED * drive.capacity_bytes:
            user = text("user_bytes", drive.capacity_bytes)
            raise DomainError(f"span_bytes must lie in the user capacity of {user}, got {point}")
    fit = _fit(drive, tuple(points), policy)
    values = {name: getattr(fit, _PARTS.get(name, name)) for name in AXES}
    facts = {
        name: _fact(drive, name, value, fit)
        for name, value in (values | dict.fromkeys(_CURVES, 1.0)).items()
        if not math.isnan(value)
    }
    return replace(drive, facts={**drive.facts, **facts}, fit=fit)


def expected_wa(drive: Drive, span_bytes: float, *, policy: Policy = Policy.GREEDY) -> Spread:
    """Return what uniform random writes over a span cost, by what is measured and by the prior."""
    points = () if drive.fit is None else drive.fit.points
    return _fit(drive, points, policy).wa(span_bytes)


def curve_ranges(fit: Posterior, op_ratio: float) -> tuple[Assumption, ...]:
    """Return between what a point of the curve lies, at spare bytes per byte in use."""
    span_bytes = fit.raw_bytes / (1 + op_ratio)
    spreads = zip(_CURVES, (fit.wa(span_bytes), fit.iops(span_bytes)), strict=True)
    return tuple(
        Assumption(
            quantity=name, low=spread.low / spread.typical, typical=1.0,
            high=spread.high / spread.typical, ground=f"Fitted to {_named(fit)}.",
            basis=_named(fit), is_measured=True,
        )
        for name, spread in spreads
        if not math.isnan(spread.typical)
    )  # fmt: skip


def at_curve_ends(
    drive: Drive, left: Iterable[Assumption], *, is_high: Callable[[str], bool]
) -> Drive:
    """Return a fitted drive at ends of what its points leave open."""
    ends = {
        item.quantity: replace(
            drive.facts[item.quantity], value=item.high if is_high(item.quantity) else item.low
        )
        for item in left
    }
    return replace(drive, facts={**drive.facts, **ends})


def fit_notes(fit: Posterior | None) -> tuple[str, ...]:
    """Say in words what was fitted to what, and what it does not tell."""
    if fit is None:
        return ()
    parts = ", ".join(_words(name, spread) for name, spread in fit_spreads(fit).items())
    said = f"Fitted to {_named(fit)}: {parts}."
    return (said,) if fit.identifies_curve else (NO_CURVE, said)


def fit_record(fit: Posterior) -> dict[str, Any]:
    """Return a fit for machines, in base units."""
    spreads = {name: spread._asdict() for name, spread in fit_spreads(fit).items()}
    return {
        "points": [{"quantity": point._fields[0], **point._asdict()} for point in fit.points],
        "identifies_curve": fit.identifies_curve,
        **spreads,
    }


def fit_spreads(fit: Posterior | None) -> dict[str, Spread]:
    """Return what was fitted with its interval; the cost of a copy where rates were measured."""
    if fit is None:
        return {}
    names = AXES[:2] if math.isnan(fit.program_iops) else AXES
    return {name: fit.spread(_PARTS.get(name, name)) for name in names}


def _words(name: str, spread: Spread) -> str:
    label = QUANTITIES[name].label.removesuffix(", fitted").lower()
    low, high = spread.low, spread.high
    return f"{label} {text(name, spread.typical)} ({span(name, low, high)})"


def _named(fit: Posterior) -> str:
    return " and ".join(map(str, fit.points))


def _fact(drive: Drive, quantity: str, value: float, fit: Posterior) -> Fact:
    return Fact(
        drive_id=drive.drive_id, quantity=quantity, text=f"{value:.6g}", value=value,
        unit=QUANTITIES[quantity].unit, rounding="exact", condition="", kind="fit",
        source_id=FITTED.source_id, locator="", confidence="user", note=_named(fit),
    )  # fmt: skip


def _fit(drive: Drive, points: tuple[Point, ...], policy: Policy) -> Posterior:
    nominal_bytes, prior = _flash(drive)
    return _posterior(points, nominal_bytes, prior, policy, drive.value("pages_per_block"))


@lru_cache(maxsize=64)
def _posterior(
    points: tuple[Point, ...], nominal_bytes: float, prior: Prior, policy: Policy,
    pages: float | None,
) -> Posterior:  # fmt: skip
    law = _law(policy, pages)
    return calibrated(points, nominal_raw_bytes=nominal_bytes, prior=prior, wa_law=law)


def _law(policy: Policy, pages: float | None) -> Callable[..., float]:
    """Return the law of uniform random writes that the plan takes under the same policy."""
    if policy is Policy.RANDOM:
        return write_amplification.random_victim
    if policy is Policy.D_CHOICES:
        several = {"choices": CHOICES, "pages_per_block": pages or LARGE_BLOCK}
        return partial(write_amplification.d_choices, **several)
    if policy is Policy.FIFO or pages is None:
        return write_amplification.fifo
    return partial(write_amplification.greedy, pages_per_block=pages)


def _flash(drive: Drive) -> tuple[float, Prior]:
    """Return the nominal flash of a drive, and what is known of it before it is measured.

    A power of two GiB, unless the flash is stated otherwise or drives of the class are none.
    """
    power = GIB * 2.0 ** math.ceil(math.log2(drive.capacity_bytes / GIB))
    fact = drive.facts.get("raw_bytes")
    if fact is not None and fact.kind != "assumption":
        if abs(fact.value / power - 1) < STATED:
            return power, Prior()
        return fact.value, Prior(raw_ratio=1.0)
    offered = (*accepted_assumptions(drive), *assumptions(drive))
    item = next(item for item in offered if item.quantity == "raw_bytes")
    if abs(item.typical / power - 1) < USUAL:
        return power, Prior()
    sd = (item.high - item.low) / item.typical / WIDTH_OF_90
    return item.typical, Prior(raw_ratio=1.0, raw_ratio_sd=max(sd, Prior().raw_ratio_sd))
