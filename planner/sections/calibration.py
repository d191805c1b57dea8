"""Calibration by points measured on a drive: fitted facts, their ranges, and notes."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from models import write_amplification
from models.calibration import NO_CURVE, Point, Posterior, Prior, Spread, WaPoint, calibrated
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import GIB, KIB
from planner.catalogue.drive import ASSUMPTION, FITTED, Drive, Fact
from planner.catalogue.facts import LARGE_BLOCK
from planner.catalogue.priors import Assumption, accepted_assumptions, assumptions
from planner.quantity.show import span, text
from planner.scenario.firmware import Policy

AXES = ("effective_raw_bytes", "base_factor", "copy_cost", "program_iops")
_PARTS: Mapping[str, str] = {"effective_raw_bytes": "raw_bytes"}  # as the posterior calls them
_CURVES = ("curve_ratio", "rate_ratio")
LARGER_THAN_NAMED = 1.001  # drives hold a little more than their name says
USUAL, STATED = 0.05, 0.1  # off a power of two: of flash that is assumed, and stated
WIDTH_OF_90 = 3.29  # standard deviations
CHOICES = 10.0  # of blocks by random choices, as in the plan
RATED_SIZE = 4.0 * KIB  # of the writes of a point


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
    drive = _with_likely_unit(drive, points, policy)
    fit = _fit(drive, tuple(points), policy)
    if fit.raw_bytes < drive.capacity_bytes:
        size = text("user_bytes", drive.capacity_bytes)
        raise DomainError(f"points must agree with more flash than {size}, got {points[0]}")
    values = {name: getattr(fit, _PARTS.get(name, name)) for name in AXES}
    facts = {
        name: _fact(drive, name, value, fit)
        for name, value in (values | dict.fromkeys(_CURVES, 1.0)).items()
        if not math.isnan(value)
    }
    if "unit_bytes" in drive.facts:  # what it costs is in the points
        facts["unit_bytes"] = replace(drive.facts["unit_bytes"], note=_named(fit))
    return replace(drive, facts={**drive.facts, **facts}, fit=fit)


def _with_likely_unit(drive: Drive, points: Sequence[Point], policy: Policy) -> Drive:
    """Return a drive whose unit is assumed with the one that its write amplification fits best.

    Rates tell nothing of the unit: their scale is free.
    """
    if not _is_assumed(drive, "unit_bytes"):
        return drive
    item = next(one for one in accepted_assumptions(drive) if one.quantity == "unit_bytes")
    measured = [point for point in points if isinstance(point, WaPoint)]
    doubled = round(math.log2(item.high / item.low)) if measured else 0
    units = [item.low * 2.0**power for power in range(doubled + 1)] if measured else [RATED_SIZE]

    def with_unit(unit_bytes: float) -> Drive:
        fact = replace(drive.facts["unit_bytes"], value=unit_bytes, kind="fit",
                       source_id=FITTED.source_id)  # fmt: skip
        return replace(drive, facts={**drive.facts, "unit_bytes": fact})

    def miss(unit_bytes: float) -> float:
        known = with_unit(unit_bytes)
        usual = (_fit(known, (), policy).wa(point.span_bytes).typical for point in measured)
        return sum(abs(math.log(one.wa / each)) for one, each in zip(measured, usual, strict=True))

    return with_unit(min(units, key=miss))


def is_at_rated_size(drive: Drive, transfer_bytes: float) -> bool:
    """Whether writes of this size cost as many units as those of a point do."""
    return transfer_bytes == RATED_SIZE or _unit_bytes(drive) <= RATED_SIZE


def expected_wa(drive: Drive, span_bytes: float, *, policy: Policy = Policy.GREEDY) -> Spread:
    """Return the WA of uniform random writes over a span, by measurements and the prior."""
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


def fit_notes(drive: Drive) -> tuple[str, ...]:
    """Format notes on the fitted facts, their points, and the limits of the fit."""
    fit, unit = drive.fit, drive.facts.get("unit_bytes")
    if fit is None:
        return ()
    parts = ", ".join(_words(name, spread) for name, spread in fit_spreads(fit).items())
    statement = f"Fitted to {_named(fit)}: {parts}."
    if unit is not None and unit.kind == "fit" and unit.value > RATED_SIZE:
        statement += f" Of possible indirection units {text('unit_bytes', unit.value)} fits best."
    return (statement,) if fit.identifies_curve else (NO_CURVE, statement)


def fit_record(fit: Posterior) -> dict[str, Any]:
    """Return a fit for machines, in base units."""
    spreads = {name: spread._asdict() for name, spread in fit_spreads(fit).items()}
    return {
        "points": [{"quantity": point._fields[0], **point._asdict()} for point in fit.points],
        "identifies_curve": fit.identifies_curve,
        **spreads,
    }


def fit_spreads(fit: Posterior | None) -> dict[str, Spread]:
    """Return the fitted values with intervals; the cost of a copy where rates were measured."""
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


@dataclass(frozen=True, slots=True)
class _Law:
    """The law of uniform random writes of 4 KiB that the plan takes under the same policy."""

    policy: Policy
    units_per_block: float | None
    unit_factor: float

    def __call__(self, op_ratio: float) -> float:
        """Return flash bytes per host byte."""
        return self.unit_factor * self._of_collection(op_ratio)

    @property
    def _of_collection(self) -> Callable[..., float]:
        if self.policy is Policy.RANDOM:
            return write_amplification.random_victim
        if self.policy is Policy.D_CHOICES:
            held = self.units_per_block or LARGE_BLOCK
            return partial(write_amplification.d_choices, choices=CHOICES, pages_per_block=held)
        if self.policy is Policy.FIFO or self.units_per_block is None:
            return write_amplification.fifo
        return partial(write_amplification.greedy, pages_per_block=self.units_per_block)


def _fit(drive: Drive, points: tuple[Point, ...], policy: Policy) -> Posterior:
    nominal_bytes, prior = _flash(drive)
    unit, pages = _unit_bytes(drive), drive.value("pages_per_block")
    law = _Law(
        policy,
        None if pages is None else write_amplification.units_per_block(pages, unit_bytes=unit),
        write_amplification.indirection_factor(
            RATED_SIZE, unit_bytes=unit, alignment_bytes=drive.value("alignment_bytes") or unit
        ),
    )
    return _posterior(points, nominal_bytes, prior, law)


@lru_cache(maxsize=64)
def _posterior(
    points: tuple[Point, ...], nominal_bytes: float, prior: Prior, law: _Law
) -> Posterior:
    return calibrated(points, nominal_raw_bytes=nominal_bytes, prior=prior, wa_law=law)


def _unit_bytes(drive: Drive) -> float:
    """Return the unit of the drive's map where it is stated; else what a write fills."""
    return (not _is_assumed(drive, "unit_bytes") and drive.value("unit_bytes")) or RATED_SIZE


def _is_assumed(drive: Drive, quantity: str) -> bool:
    fact = drive.facts.get(quantity)
    return fact is not None and fact.kind == ASSUMPTION.source_id


def _flash(drive: Drive) -> tuple[float, Prior]:
    """Return the nominal flash of a drive, and what is known of it before it is measured.

    A power of two GiB, unless the flash is stated otherwise or drives of the class are none.
    """
    power = GIB * 2.0 ** math.ceil(math.log2(drive.capacity_bytes / GIB))
    fact = drive.facts.get("raw_bytes")
    if fact is not None and not _is_assumed(drive, "raw_bytes"):
        if abs(fact.value / power - 1) < STATED:
            return power, Prior()
        return fact.value, Prior(raw_ratio=1.0)
    offered = (*accepted_assumptions(drive), *assumptions(drive))
    item = next(item for item in offered if item.quantity == "raw_bytes")
    if abs(item.typical / power - 1) < USUAL:
        return power, Prior()
    sd = (item.high - item.low) / item.typical / WIDTH_OF_90
    return item.typical, Prior(raw_ratio=1.0, raw_ratio_sd=max(sd, Prior().raw_ratio_sd))
