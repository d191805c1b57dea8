"""Meaning and unit of SMART attributes by family of drives: `data/smart_units.csv`.

The same attribute means different things on different drives: 233 is wear on one, flash writes on
another, host writes on a third. The family follows from the model, or from the family that smartctl
prints. An attribute without a row for its family has no known unit.
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from models.units import GIB, KIB, MIB
from planner.catalogue import data_folder
from planner.catalogue.rows import CatalogueRow, CellError, read

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
class UnitRule:
    """Meaning and unit of one counter of one family; it is used only if `status` is "use"."""

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
    """Families in the order of matching, and their rules by counter."""

    families: tuple[_Family, ...]
    rules: Mapping[str, Mapping[str, tuple[UnitRule, ...]]]
    problems: tuple[str, ...]

    def family(self, model: str, family: str) -> str:
        """Return the family of a drive, or "" if it is unknown.

        The model is matched first, then the family that smartctl prints.

        >>> load().family("SAMSUNG MZ7LH960HAJR-00005", ""), load().family("Any SSD", "")
        ('samsung', '')
        """
        matched = (f for f in self.families if model and f.model_pattern.search(model))
        first = next(matched, None) or next(
            (f for f in self.families if family and f.family_pattern.search(family)), None
        )
        return first.name if first else ""

    def compresses(self, family: str) -> bool:
        """Whether a family compresses, so that flash writes may be less than host writes."""
        return any(one.compresses for one in self.families if one.name == family)

    def rules_of(self, family: str, counter: str) -> tuple[UnitRule, ...]:
        """Return the rules for a counter of a family; empty if they are unknown."""
        return self.rules.get(family, {}).get(counter, ())


@functools.cache
def load() -> UnitMap:
    """Read the rules of the package (cached)."""
    folder, problems = data_folder(), list[str]()
    families = tuple(read(folder / "smart_families.csv", _FAMILY_COLUMNS, _family, problems))
    rules: dict[str, dict[str, tuple[UnitRule, ...]]] = {}
    for family, rule in read(folder / "smart_units.csv", _UNIT_COLUMNS, _rule, problems):
        held = rules.setdefault(family, {})
        held[rule.counter] = (*held.get(rule.counter, ()), rule)
    return UnitMap(families=families, rules=rules, problems=tuple(problems))


def _family(row: CatalogueRow) -> _Family:
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


def _rule(row: CatalogueRow) -> tuple[str, UnitRule]:
    status = row.choice("status", _STATUS)
    if status == "use":
        row.choice("unit", (*BYTES, *_WEAR))
    return row.required("family"), UnitRule(
        counter=row.required("counter"),
        name=row.required("name"),
        quantity=row["quantity"],
        unit=row["unit"],
        status=status,
        source_id=row.required("source_id"),
        locator=row.required("locator"),
        note=row["note"],
    )
