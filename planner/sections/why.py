"""Causes of a range: its parts by their share of the variance, and the ways to narrow each.

A half width is the root of the sum of the squares of its parts, so that the largest part rules:
without it the rest alone is left.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from models.nomenclature import QUANTITIES
from planner.catalogue.priors import Assumption, narrowed_by
from planner.quantity.show import span, text, unit_text
from planner.sections.ranges import Range

MODEL = "model"
LEAST_SHARE = 0.005  # of the variance: less is not listed
MEASURED_HALF = 0.09  # of what was measured on the drive itself, whose readings spread by 0.05
READS_HALF = 0.5  # of read percentiles measured at one load, at the others: five vendors left out
NOTHING = "it depends on no uncertain input"
# What a measurement of the drive itself tells in place of the error of a model.
_MEASURED = {
    "life": "read its SMART log: bytes written and share of life used",
    "wa": "read its SMART log: bytes written by the host and to the flash",
    "quantiles": "measure one percentile of its reads beside the writes (fio)",
}
_BY_UNIT = {"1": "measure it on the drive", "iops": "measure its steady rate (fio)"}


class VariancePart(NamedTuple):
    """A part of a range: its share of the variance, whose it is, and what would narrow it."""

    share: float
    name: str
    reading: str

    def __str__(self) -> str:
        """Say all three in a line."""
        return f"{100 * self.share:.0f} % of the variance: {self.name}; {self.reading}"


def variance_parts(key: str, each: Range) -> tuple[VariancePart, ...]:
    """List the parts of a range, the largest first."""
    return tuple(
        VariancePart(share, _model_name(each), _measurement(key, each)) if name == MODEL
        else VariancePart(share, QUANTITIES[name].label, narrowed_by(name))
        for name, share in each.shares.items()
        if share >= LEAST_SHARE
    )  # fmt: skip


def narrowed(each: Range, *, known: float = MEASURED_HALF) -> float:
    """Return high over low once the largest part is known; of a model, once it was measured.

    >>> parts = {"pe_cycles": 0.4, "raw_bytes": 0.3}
    >>> f"{narrowed(Range(1.0, 2.0, 4.0, 'prior', facts=parts)):.2f}"
    '2.30'
    """
    parts = {**each.facts, MODEL: each.model_half}
    first, total = next(iter(each.shares), MODEL), sum(part**2 for part in parts.values())
    parts[first] = known if first == MODEL else 0.0
    left = sum(part**2 for part in parts.values())
    return float((each.high / each.low) ** math.sqrt(min(1.0, left / total)))


def halving(key: str, each: Range) -> tuple[str, ...]:
    """List the readings that make a range half as wide, the largest part first; none if none do.

    >>> halving("wear_life_s", Range(1.0, 2.0, 4.0, "prior", facts={"pe_cycles": 0.4}))
    ('state the cycles, or read a SMART log',)
    """
    parts, known = {**each.facts, MODEL: each.model_half}, _known_half(key)
    left = total = sum(part**2 for part in parts.values())
    readings: list[str] = []
    for name in each.shares:
        reading = _measurement(key, each) if name == MODEL else narrowed_by(name)
        left -= parts[name] ** 2 - (min(known, parts[name]) ** 2 if name == MODEL else 0.0)
        readings.append(reading)
        if left <= total / 4:
            return tuple(dict.fromkeys(readings))
    return ()


def narrowing(items: Iterable[Assumption], each: Range) -> Iterator[tuple[Assumption, str]]:
    """Yield the uncertain inputs that make a range wide, each with its part, the largest first.

    Those that were unknown of the drives on which the error of a model was found are in that error.
    """
    shares, known = each.shares, {item.quantity: item for item in items}
    for name, share in shares.items():
        if name in known and share >= LEAST_SHARE:
            yield known[name], f"{100 * share:.0f} % of the variance"
    if shares.get(MODEL, 0.0) >= LEAST_SHARE:
        inside = frozenset[str]().union(*(item.inside for item in known.values()))
        for name, item in known.items():
            if name in inside and name not in shares:
                yield item, "part of the error of the models"
    if not shares:
        yield from ((item, "part of the range") for item in known.values() if item.is_range)


def _known_half(key: str) -> float:
    return READS_HALF if _is_of_reads(key) else MEASURED_HALF


def why(key: str, each: Range) -> Iterator[str]:
    """Format lines on the range of a number, its causes, and the most useful measurement."""
    quantity = QUANTITIES[key]
    typical = text(key, each.typical)
    if not each.is_wide:
        yield f"{quantity.label} {typical}: {NOTHING}"
        return
    ends = span(key, each.low, each.high, digits=3)
    yield f"{quantity.label} {ends}{unit_text(key)} ({100 * each.level:.0f} %), typical {typical}"
    if each.half_before > each.model_half:
        removed = 1 - (each.model_half / each.half_before) ** 2
        halves = (f"x{math.exp(half):.2f}" for half in (each.half_before, each.model_half))
        yield (
            f"  Your own measurement of this drive removed {100 * removed:.0f} % of the variance "
            f"of the model: half width {' before, '.join(halves)} now"
        )
    parts = variance_parts(key, each)
    yield from (f"  {part}" for part in parts)
    if parts and each.low > 0:
        width = narrowed(each, known=_known_half(key))
        yield (
            f"  With the first known, high is about {width:.3g} times low; now "
            f"{each.high / each.low:.3g} times"
        )
    if readings := halving(key, each):
        yield f"  To halve the range: {'; '.join(readings)}"


def _is_of_reads(key: str) -> bool:
    return "quantiles" in key.split("_")


def _model_name(each: Range) -> str:
    if each.basis == "measured":
        return "error of the models, by your own measurement of this drive"
    return f"error of the models, found on drives of {each.families} families"


def _measurement(key: str, each: Range) -> str:
    if each.half_before:
        return "measure its reads at more loads (fio)"
    ending = key.split("_")
    for word, reading in _MEASURED.items():
        if word in ending:
            return reading
    return _BY_UNIT.get(QUANTITIES[key].shown_in.lower(), _BY_UNIT["1"])
