"""Terms of ownership besides the drives: rates and prices, stated or as labelled assumptions."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Literal

import numpy as np

from models import _check
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.catalogue import data_folder
from planner.graph.answer import Answer, given
from planner.quantity.inputs import INPUTS
from planner.quantity.show import text
from planner.quantity.units import FACTORS

Level = Literal["low", "typical", "high"]
LEVELS: tuple[Level, ...] = ("low", "typical", "high")
NODE_PRICE = "node_usd_per_year"
PRICES = ("energy_usd_per_j", "slot_usd_per_year", NODE_PRICE, "labour_usd")
MOST_YEARS = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """The assumed value of one term in base units, with its range and source."""

    quantity: str
    low: float
    typical: float
    high: float
    source_id: str
    locator: str
    note: str

    @property
    def ground(self) -> str:
        """The source of the range and its note."""
        where = (
            "assumption"
            if self.source_id == "assumption"
            else f"{self.source_id}: " + (self.locator)
        )
        return f"{where}. {self.note}"

    def __str__(self) -> str:
        """Describe the assumption for people."""
        low, typical, high = (
            text(self.quantity, value) for value in (self.low, self.typical, self.high)
        )
        label = QUANTITIES[self.quantity].label
        return f"{label}: {typical} (range {low} to {high}). {self.ground}"


@cache
def assumed_terms() -> Mapping[str, Term]:
    """Return the assumed value of every term, by quantity.

    >>> assumed_terms()["pue"].typical
    1.58
    """
    with (data_folder() / "terms.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {row["quantity"]: _term(row) for row in rows}


def assumed_texts(names: Iterable[str]) -> dict[str, str]:
    """Return the texts of the assumed values of some inputs.

    >>> assumed_texts(["pue", "currency"])
    {'pue': '1.58, assumed'}
    """
    terms = assumed_terms()
    known = {name: terms[INPUTS[name].field] for name in names if INPUTS[name].field in terms}
    return {name: f"{text(term.quantity, term.typical)}, assumed" for name, term in known.items()}


def _term(row: dict[str, str]) -> Term:
    low, typical, high = (float(row[level]) * FACTORS[row["unit"]] for level in LEVELS)
    return Term(
        quantity=row["quantity"],
        low=low,
        typical=typical,
        high=high,
        source_id=row["source_id"],
        locator=row["locator"],
        note=row["note"],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Terms of ownership besides the drives; None means the labelled assumption.

    Attributes:
        horizon_s: Time for which the array is owned, not necessarily whole years. [s]
        discount_rate: Real discount rate per year; 0.08 is 8 %. [1]
        energy_usd_per_j: Price of electricity. [USD/J]
        pue: Power of the whole site over that of its equipment, >= 1. [1]
        slot_usd_per_year: Cost of one drive slot. [USD/year]
        node_usd_per_year: Cost of one node of a cluster without its drives. [USD/year]
        labour_usd: Labour cost of one replacement. [USD]
        spare_drives: Cold spares bought at the start, besides the hot spares of the array. [1]
        residual_fraction: Residual value at the end of the drives bought at the start, over their
            price. [1]
        embodied_kg_per_byte (tuple of low, typical, high): Embodied carbon of the flash. [kg/byte]
        grid_kg_per_j (tuple of low, typical, high): Carbon intensity of electricity. [kg/J]
        qos_iops: IOPS of the array within its latency limit, for the cost per IOPS; by default the
            IOPS budget of the plan. [1/s]
        currency: Currency of all amounts; `converted` brings the assumed ones, which are in USD, to
            it.

    Examples:
        >>> Terms(pue=0.9)
        Traceback (most recent call last):
        models.errors.DomainError: pue must be >= 1, got 0.9
    """

    horizon_s: float = 5 * YEAR_S
    discount_rate: float | None = None
    energy_usd_per_j: float | None = None
    pue: float | None = None
    slot_usd_per_year: float | None = None
    node_usd_per_year: float | None = None
    labour_usd: float | None = None
    spare_drives: float = 0
    residual_fraction: float = 0.0
    embodied_kg_per_byte: tuple[float, float, float] | None = None
    grid_kg_per_j: tuple[float, float, float] | None = None
    qos_iops: float | None = None
    currency: str = "USD"

    def __post_init__(self) -> None:
        """Refuse a field outside its range, by name."""
        horizon = self.horizon_s
        _check.finite(horizon_s=horizon)
        _check.require(np.ndim(horizon) == 0, "horizon_s", "one number", horizon)
        _check.require(
            horizon <= MOST_YEARS * YEAR_S, "horizon_s", f"at most {MOST_YEARS:g} years", horizon
        )
        for name in ("discount_rate", *PRICES):
            self._check(name, 0.0)
        if self.discount_rate is not None:
            _check.require(np.less_equal(self.discount_rate, 1), "discount_rate",
                           "at most 1, which is 100 % a year", self.discount_rate)  # fmt: skip
        self._check("pue", 1.0)
        self._check("spare_drives", 0.0)
        whole = self.spare_drives % 1 == 0
        _check.require(whole, "spare_drives", "a whole number >= 0", self.spare_drives)
        _check.fraction(residual_fraction=self.residual_fraction)
        if self.qos_iops is not None:
            _check.finite(qos_iops=self.qos_iops)
        for name in ("embodied_kg_per_byte", "grid_kg_per_j"):
            self._check_range(name)
        if not self.currency.strip() or len(self.currency) > 12:
            raise DomainError(f"currency must be 1 to 12 characters, got {self.currency!r}")

    def _check(self, name: str, least: float) -> None:
        value = getattr(self, name)
        if value is None:
            return
        (number,) = _check.non_negative(**{name: value})
        _check.require(
            np.greater_equal(number, least) & np.less(number, np.inf),
            name, f">= {least:g}" if np.all(np.less(number, np.inf)) else "finite", number,
        )  # fmt: skip

    def _check_range(self, name: str) -> None:
        values = getattr(self, name)
        if values is None:
            return
        for value in values:
            _check.non_negative(**{name: value})
        low, typical, high = values
        rises = low <= typical <= high < np.inf
        _check.require(rises, name, "low, typical and high in this order", typical)

    def known(self, name: str) -> Answer:
        """Return a term as stated, or as a labelled assumption."""
        stated = getattr(self, name)
        if stated is not None:
            return given(name, stated, source="user")
        term = assumed_terms()[name]
        return given(name, term.typical, source="assumption", note=term.ground)

    def interval(self, name: str) -> dict[Level, Answer]:
        """Return the low, typical and high value of a term."""
        stated, term = getattr(self, name), assumed_terms()[name]
        values = stated if stated is not None else tuple(getattr(term, level) for level in LEVELS)
        source, note = ("user", "") if stated is not None else ("assumption", term.ground)
        return {
            level: given(f"{level}_{name}", value, source=source, note=note)
            for level, value in zip(LEVELS, values, strict=True)
        }

    def converted(self, usd_each: float) -> "Terms":
        """Return the terms with assumed prices in a currency of which one unit is so many USD.

        >>> Terms(currency="EUR").converted(1.25).labour_usd
        40.0
        """
        changed: dict[str, Any] = {
            name: assumed_terms()[name].typical / usd_each
            for name in PRICES
            if getattr(self, name) is None
        }
        return self if usd_each == 1 else replace(self, **changed)

    @property
    def assumed(self) -> tuple[Term, ...]:
        """The labelled assumptions that apply."""
        names = {field.name for field in fields(self) if getattr(self, field.name) is None}
        return tuple(term for name, term in assumed_terms().items() if name in names)

    @property
    def years(self) -> Any:
        """The years that begin within the horizon, as an array 1, 2, ..."""
        return np.arange(1.0, np.ceil(self.horizon_s / YEAR_S) + 1)
