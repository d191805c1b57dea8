"""SMART attributes and device statistics as a file gives them, and what a name alone says."""

import re
from dataclasses import dataclass

from planner.quantity.parse import shortened
from planner.telemetry.numerals import whole
from planner.telemetry.smart_units import UnitRule

# Names that smartctl's database gives to attributes of one meaning, whatever the family.
_MEANINGS = (
    (r".*life(time)?_?(left|remain)|.*remain\w*_life", "used_fraction", "value, or raw"),
    (r"media_wearout_indicator$", "used_fraction", "100 - value, raw 0"),
    (r"(ave|avg|average|mean)_.*(erase|p/?e_)", "erase_cycles", "cycles"),
    (r".*(nand_(gb_)?(writ|gb$)|(wts|writes)_to_fl|flash_writes|tlc_writes)", "flash_bytes", ""),
)
_OTHER = re.compile(r"slc|0\.01%", re.IGNORECASE)  # blocks or steps of their own
_NAMED_UNIT = re.compile(r"_1?(?P<unit>GiB|32MiB)(_|$)")
_UNITS = {"GiB": "GiB", "32MiB": "32 MiB"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One SMART attribute: `value` is the normalised value, `raw` as smartctl prints it."""

    number: int
    name: str
    value: object
    raw: object

    @property
    def field(self) -> str:
        """The name of the attribute in messages."""
        return shortened(f"attribute {self.number} {self.name}")

    @property
    def count(self) -> object:
        """The number at the start of a raw text: "26 (Min/Max 24/29)", "958258h+17m"."""
        if not isinstance(self.raw, str):
            return self.raw
        found = re.match(r"\s*(0[xX][0-9a-fA-F]+|-?\d+)(?=$|\s|\(|h\+|/)", self.raw)
        return found[1] if found else self.raw

    @property
    def named_unit(self) -> str:
        """The unit in the name, empty if there is none; "GB" may mean either giga."""
        found = _NAMED_UNIT.search(self.name)
        return _UNITS[found["unit"]] if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """One statistic of the device statistics log."""

    name: str
    value: object

    @property
    def field(self) -> str:
        """The name of the statistic in messages."""
        return shortened(f"device statistics, {self.name}")


def rule_by_name(attribute: Attribute) -> UnitRule | None:
    """Return the meaning of an attribute by its name in smartctl's database, or None.

    >>> rule_by_name(Attribute(number=245, name="SSD_Life_Left", value=97, raw=97)).quantity
    'used_fraction'
    """
    for pattern, quantity, unit in _MEANINGS:
        if re.match(pattern, attribute.name.casefold()) and not _OTHER.search(attribute.name):
            return UnitRule(
                counter=str(attribute.number), name=attribute.name, quantity=quantity,
                unit=unit or attribute.named_unit, status="use", source_id="smartmontools-drivedb",
                locator="names of attributes", note="by its name",
            )  # fmt: skip
    return None


def whole_count(attribute: Attribute) -> float | None:
    """Return the raw number of an attribute, or None if it is no whole number."""
    number = whole(attribute.count)
    return number if isinstance(number, float) else None
