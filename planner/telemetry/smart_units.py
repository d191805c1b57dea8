"""Meaning and unit of an attribute on a model: `data/smart_units.csv`.

The same number means different things on different drives: 233 is wear on one, flash writes on
a second, host writes on a third. The family is found by smartctl's own family, which it looks up
by model, or by the model; an attribute without a row for its family has no known unit.
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from models.units import GIB, KIB, MIB
from planner.catalogue import data_folder
from planner.catalogue.rows import CellError, Row, read

__all__ = ["BYTES", "Rule", "UnitMap", "load"]

# Units of counters that are bytes.
BYTES: Mapping[str, float] = {
    "B": 1.0, "512 B": 512.0, "16 KiB": 16.0 * KIB, "32 MiB": 32.0 * MIB, "GiB": float(GIB),
    "512000 B": 512_000.0,
}  # fmt: skip
_WEAR = (
    "cycles", "pages", "100 - value", "100 - value, raw 0", "value, or raw", "raw past 100",
    "1/1024 %", "percent",
)  # fmt: skip
_STATUS = ("use", "ambiguous", "not writes", "not wear")
_FAMILY_COLUMNS = (
    "family", "family_pattern", "model_pattern", "compresses", "source_id", "locator", "note",
)  # fmt: skip
_UNIT_COLUMNS = (
    "family", "counter", "name", "quantity", "unit", "status", "source_id", "locator", "note",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What one counter of one family means; `status` "use" is the only one that is used."""

    counter: str
    name: str
    quantity: str
    unit: str
    status: str
    source_id: str
    locator: str
    note: str


@dataclass(frozen=True, slots=True)
class _Family:
    name: str
    family_pattern: re.Pattern[str]
    model_pattern: re.Pattern[str]
    compresses: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitMap:
    """Families in the order in which they are tried, and their rules by counter."""

    families: tuple[_Family, ...]
    rules: Mapping[str, Mapping[str, tuple[Rule, ...]]]
    problems: tuple[str, ...]

    def family(self, model: str, family: str) -> str:
        """Return the family of a drive, or "" where none is known.

        A model that has rules of its own goes before the family that smartctl files it under.

        >>> load().family("SAMSUNG MZ7LH960HAJR-00005", ""), load().family("Any SSD", "")
        ('samsung', '')
        """
        matched = (f for f in self.families if model and f.model_pattern.search(model))
        found = next(matched, None) or next(
            (f for f in self.families if family and f.family_pattern.search(family)), None
        )
        return found.name if found else ""

    def compresses(self, family: str) -> bool:
        """Whether the controllers of a family compress: less flash than host is possible."""
        return any(one.compresses for one in self.families if one.name == family)

    def rules_of(self, family: str, counter: str) -> tuple[Rule, ...]:
        """Return what a counter means on a family; none where that is unknown."""
        return self.rules.get(family, {}).get(counter, ())


@functools.cache
def load() -> UnitMap:
    """Read the map that comes along, once."""
    folder, problems = data_folder(), list[str]()
    families = tuple(read(folder / "smart_families.csv", _FAMILY_COLUMNS, _family, problems))
    rules: dict[str, dict[str, tuple[Rule, ...]]] = {}
    for family, rule in read(folder / "smart_units.csv", _UNIT_COLUMNS, _rule, problems):
        held = rules.setdefault(family, {})
        held[rule.counter] = (*held.get(rule.counter, ()), rule)
    return UnitMap(families=families, rules=rules, problems=tuple(problems))


def _family(row: Row) -> _Family:
    patterns = {}
    for column in ("family_pattern", "model_pattern"):
        try:
            patterns[column] = re.compile(row[column] or r"(?!)")
        except re.error as error:
            raise CellError(f"{column}: {error}") from None
    return _Family(
        row.required("family"), patterns["family_pattern"], patterns["model_pattern"],
        row.choice("compresses", ("yes", "no")) == "yes",
    )  # fmt: skip


def _rule(row: Row) -> tuple[str, Rule]:
    status = row.choice("status", _STATUS)
    if status == "use":
        row.choice("unit", (*BYTES, *_WEAR))
    return row.required("family"), Rule(
        counter=row.required("counter"),
        name=row.required("name"),
        quantity=row["quantity"],
        unit=row["unit"],
        status=status,
        source_id=row.required("source_id"),
        locator=row.required("locator"),
        note=row["note"],
    )
