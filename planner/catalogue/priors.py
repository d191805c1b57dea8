"""Labelled assumptions for facts that the catalogue lacks: offered, never applied silently."""

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.nomenclature import QUANTITIES
from models.units import GIB, YEAR_S
from planner.catalogue import data_folder
from planner.catalogue.drive import ASSUMPTION, Drive, with_user_facts
from planner.quantity.show import text
from planner.quantity.units import FACTORS

__all__ = [
    "Assumption",
    "accepted_assumptions",
    "assumptions",
    "corners",
    "flash_assumptions",
    "levelling_efficiency",
    "supply",
    "with_assumptions",
    "without_assumptions",
]

# What a model of speed needs to know of the flash.
FLASH = (
    "die_bytes",
    "page_bytes",
    "block_bytes",
    "read_s",
    "erase_s",
    "channels",
    "channel_bytes_per_s",
)

Level = Literal["low", "typical", "high"]
MOST_COMBINED = 8  # ranges whose ends are combined in every way

_SUPPLY = {
    "raw_bytes": "the data sheet or a teardown",
    "pe_cycles": "the data sheet, or the drive's own wear indicator",
    "price_usd": "a quotation",
    "rated_dwpd": "the endurance rating of the data sheet, as TBW or DWPD",
    "rated_bytes": "the endurance rating of the data sheet, as TBW or DWPD",
    "member_stall_fraction": "a consistency test: share of time spent in garbage collection",
    "rebuild_s": "a measured rebuild time, or the capacity of a drive",
    "worst_case_iops": "a saturated test: queue depth over the longest latency",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """A default for one unknown fact, in base units, with its range and its source."""

    quantity: str
    low: float
    typical: float
    high: float
    ground: str

    def __str__(self) -> str:
        """Say what is assumed, for people."""
        low, typical, high = (
            text(self.quantity, value) for value in (self.low, self.typical, self.high)
        )
        label = QUANTITIES[self.quantity].label
        return f"{label}: {typical} (range {low} to {high}). {self.ground}"


def supply(quantity: str) -> str:
    """Say what would supply an unknown quantity.

    >>> supply("price_usd")
    'Price per drive: a quotation'
    """
    label = QUANTITIES[quantity].label
    return f"{label}: {_SUPPLY.get(quantity, 'the data sheet')}"


def assumptions(drive: Drive) -> tuple[Assumption, ...]:
    """Return a default for each unknown fact that has one with a source."""
    if not drive.capacity_gb:
        return ()
    raw_bytes = _raw_bytes(drive)
    offered = (raw_bytes, _pe_cycles(drive, raw_bytes), _rating_period_s(drive))
    return tuple(
        assumption
        for assumption in offered
        if assumption is not None and assumption.quantity not in drive.facts
    )


def with_assumptions(drive: Drive, *, level: Level = "typical") -> Drive:
    """Return the drive with its assumptions accepted at one end or the middle of their range."""
    accepted = {item.quantity: item for item in assumptions(drive)}
    filled = with_user_facts(drive, **{name: getattr(a, level) for name, a in accepted.items()})
    labelled = {
        name: replace(
            filled.facts[name],
            kind="assumption",
            source_id=ASSUMPTION.source_id,
            note=f"assumed: {assumption}",
        )
        for name, assumption in accepted.items()
    }
    return replace(filled, facts={**filled.facts, **labelled})


def without_assumptions(drive: Drive) -> Drive:
    """Return the drive as it was before assumptions were accepted."""
    facts = {name: fact for name, fact in drive.facts.items() if fact.kind != "assumption"}
    return replace(drive, facts=facts)


def accepted_assumptions(drive: Drive) -> tuple[Assumption, ...]:
    """Return the assumptions that `with_assumptions` put among a drive's facts."""
    plain = without_assumptions(drive)
    return tuple(item for item in assumptions(plain) if item.quantity in drive.facts)


def corners(ranges: Sequence[Assumption]) -> dict[str, NDArray[np.float64]]:
    """Return the ends of ranges in every combination: by quantity, an element for each.

    All corners are needed, because a quantity may act in both directions: more raw flash wears
    less and lowers the rating's own write amplification. Of more than eight ranges, those from
    the eighth on move together.

    >>> by_name = [Assumption(quantity=name, low=1, typical=2, high=3, ground="")
    ...            for name in ("raw_bytes", "pe_cycles")]
    >>> {name: ends.tolist() for name, ends in corners(by_name).items()}
    {'raw_bytes': [1.0, 1.0, 3.0, 3.0], 'pe_cycles': [1.0, 3.0, 1.0, 3.0]}
    """
    most = MOST_COMBINED - 1
    is_high = np.array(list(product((False, True), repeat=min(len(ranges), MOST_COMBINED))))
    return {
        item.quantity: np.where(is_high[:, min(place, most)], float(item.high), float(item.low))
        for place, item in enumerate(ranges)
    }


def _raw_bytes(drive: Drive) -> Assumption:
    """Assume a power of two GiB of raw flash, at least as many GiB as there are GB for the user."""
    nominal_gib = 2.0 ** math.ceil(math.log2(drive.capacity_gb))
    return Assumption(
        quantity="raw_bytes",
        low=drive.capacity_gb * GIB,
        typical=nominal_gib * GIB,
        high=nominal_gib * GIB,
        ground="Flash comes in powers of two; few drives have fewer GiB of flash than GB of "
        "user capacity.",
    )


def _pe_cycles(drive: Drive, assumed_raw: Assumption) -> Assumption | None:
    """Assume the published range for the drive's kind of flash, as far as its rating allows."""
    row = _range("pe_cycles", drive)
    raw_bytes = drive.value("raw_bytes") or assumed_raw.typical
    needed = (drive.value("rated_bytes") or 0.0) / raw_bytes
    if row is None or float(row["high"]) < needed:
        return None
    return Assumption(
        quantity="pe_cycles",
        low=max(float(row["low"]), needed),
        typical=max(float(row["typical"]), needed),
        high=float(row["high"]),
        ground=f"{row['applies_to']} flash; {row['source_id']}, {row['locator']}. {row['note']}",
    )


def _rating_period_s(drive: Drive) -> Assumption | None:
    """Assume five years for a rating in drive writes per day without a period."""
    if "rated_dwpd" not in drive.facts or "warranty_s" in drive.facts:
        return None
    return Assumption(
        quantity="rating_period_s",
        low=3 * YEAR_S,
        typical=5 * YEAR_S,
        high=5 * YEAR_S,
        ground="Most ratings of the catalogue run over five years, the others over three.",
    )


def flash_assumptions(drive: Drive) -> tuple[Assumption, ...]:
    """Return defaults for what no data sheet prints: dies, pages and times of the flash.

    Only for the kinds of flash that have a published figure; none is needed to plan endurance.
    """
    rows = {quantity: _range(quantity, drive) for quantity in FLASH if quantity not in drive.facts}
    return tuple(_from_row(row) for row in rows.values() if row is not None)


def levelling_efficiency() -> Assumption:
    """Return the assumed efficiency of wear levelling; used for a range only."""
    return next(_from_row(row) for row in _ranges() if row["quantity"] == "levelling_efficiency")


def _from_row(row: dict[str, str]) -> Assumption:
    low, typical, high = (
        float(row[level]) * FACTORS[row["unit"]] for level in ("low", "typical", "high")
    )
    return Assumption(
        quantity=row["quantity"],
        low=low,
        typical=typical,
        high=high,
        ground=f"{row['applies_to'] or 'any'} flash; {row['source_id']}, {row['locator']}. "
        f"{row['note']}",
    )


def _range(quantity: str, drive: Drive) -> dict[str, str] | None:
    """Return the most specific row for a drive's kind of flash."""
    flash = set(f"{drive.nand_process} {drive.nand_type}".split())
    rows = (row for row in _ranges() if row["quantity"] == quantity)
    return next((row for row in rows if set(row["applies_to"].split()) <= flash), None)


@cache
def _ranges() -> tuple[dict[str, str], ...]:
    """Read the default ranges, the most specific kind of flash first."""
    with (data_folder() / "assumptions.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return tuple(sorted(rows, key=lambda row: -len(row["applies_to"].split())))
