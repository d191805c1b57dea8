"""SMART attributes and device statistics of a SATA drive, by the units of its family."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.units import HOUR_S
from planner.telemetry import smart_units
from planner.telemetry.evidence import Evidence, percent_used
from planner.telemetry.numerals import counter, whole
from planner.telemetry.record import Observed
from planner.telemetry.smart_units import BYTES, Rule

__all__ = ["Attribute", "Statistic", "take_attributes", "take_statistics"]

_SUSPECT = re.compile(
    r"writ|nand|lba|program|flash|media_wear|wearout|life|wear|erase|percent|endur", re.IGNORECASE
)
_HARMLESS = re.compile(r"error|fail|read(?!.*writ)|protect|retr", re.IGNORECASE)
_WRAP = 1 << 32
_APART = 0.01  # by which two counters of host writes may differ
_POWER_ON, _UNCORRECTED = 9, 187
_TIMED = "1/1024 %"  # wear since a timer was last reset, and the minutes since then
_TIMER, _NEVER_RESET, _NONE_YET = 228, 0.01, 65535
_TIMED_ERROR = 0.06


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One line of the table: `value` is normalised, `raw` as smartctl prints it."""

    number: int
    name: str
    value: object
    raw: object

    @property
    def field(self) -> str:
        """The attribute as people cite it."""
        return f"attribute {self.number} {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """One line of the device statistics log."""

    name: str
    value: object


def take_attributes(evidence: Evidence, table: Sequence[Attribute]) -> None:
    """Add what the attributes say whose meaning is known for this model; note the others."""
    units = smart_units.load()
    family = units.family(evidence.model, evidence.family)
    held: dict[str, Observed] = {}
    timed: Attribute | None = None
    for attribute in table:
        rules = units.rules_of(family, str(attribute.number))
        for rule in rules:
            timed = attribute if rule.unit == _TIMED and rule.status == "use" else timed
            _follow(evidence, attribute, rule, held)
        if not rules:
            _plain(evidence, attribute, known=bool(family))
    _writes(evidence, held)
    if timed is not None:
        _timed_wear(evidence, timed, table)


def take_statistics(evidence: Evidence, table: Sequence[Statistic], *, sector_bytes: float) -> None:
    """Add the statistics that the ATA standard defines, and hold them against the attributes."""
    for line in table:
        field = f"device statistics, {line.name}"
        name = line.name.casefold()
        if name == "percentage used endurance indicator":
            points = evidence.counters.take(line.value, field)
            if points is not None:
                evidence.used.append(percent_used(points, field))
        elif name == "logical sectors written":
            _sectors(evidence, line.value, field, sector_bytes)
        elif name == "power-on hours" and evidence.power_on_s is None:
            evidence.hours(line.value, field)
        elif name == "number of reported uncorrectable errors" and evidence.media_errors is None:
            evidence.media_errors = evidence.exact(line.value, field)


def _sectors(evidence: Evidence, value: object, field: str, sector_bytes: float) -> None:
    sectors = evidence.counters.take(value, field)
    if sectors is None:
        return
    said = counter(sectors, field, sector_bytes)
    host = evidence.host_bytes
    if host is None:
        evidence.host_bytes = said
        return
    if abs(said.value - host.value) <= _APART * max(said.value, host.value):
        return
    attribute_sectors = host.value / sector_bytes
    wrapped = sectors < _WRAP and abs(attribute_sectors % _WRAP - sectors) < 1e-3 * _WRAP
    why = "has run over at 32 bits" if wrapped else f"disagrees with {host.field}"
    evidence.counters.skip(field, value, why)


def _plain(evidence: Evidence, attribute: Attribute, *, known: bool) -> None:
    """Take what has one meaning everywhere; say of other counters that their unit is unknown."""
    if attribute.number == _POWER_ON:
        evidence.hours(_leading(attribute.raw), attribute.field)
    elif attribute.number == _UNCORRECTED:
        evidence.media_errors = evidence.exact(_leading(attribute.raw), attribute.field)
    elif not known and _SUSPECT.search(attribute.name) and not _HARMLESS.search(attribute.name):
        evidence.counters.skip(
            attribute.field, attribute.raw, "ambiguous: its unit is not known for this model"
        )


def _follow(
    evidence: Evidence, attribute: Attribute, rule: Rule, held: dict[str, Observed]
) -> None:
    if rule.status == "ambiguous":
        why = f"ambiguous: {rule.note or 'its unit is not known for this model'}"
        evidence.counters.skip(attribute.field, attribute.raw, why)
    if rule.status != "use":
        return
    if rule.unit in BYTES:
        number = evidence.counters.take(_leading(attribute.raw), attribute.field)
        if number is not None:
            held.setdefault(rule.quantity, counter(number, attribute.field, BYTES[rule.unit]))
    elif rule.quantity == "erase_cycles":
        number = evidence.counters.take(_leading(attribute.raw), attribute.field)
        if number is not None:
            evidence.erase_cycles = counter(number, attribute.field, 1.0)
    elif rule.unit != _TIMED:
        left = attribute.value if rule.unit == "100 - value" else _leading(attribute.raw)
        said = _falling(evidence, attribute, left)
        evidence.used += [] if said is None else [said]


def _falling(evidence: Evidence, attribute: Attribute, value: object) -> Observed | None:
    """Return life used of an indicator that falls from 100 and may stop at 1."""
    left = evidence.counters.take(value, attribute.field)
    if left is None:
        return None
    if left > 100:
        evidence.counters.skip(attribute.field, value, "is above 100, so no share of life")
        return None
    used = percent_used(100 - left, attribute.field)
    if left > 1:
        return used
    return Observed(
        value=used.value, field=used.field, low=used.low, high=float("inf"),
        note="the indicator stops here",
    )  # fmt: skip


def _timed_wear(evidence: Evidence, attribute: Attribute, table: Sequence[Attribute]) -> None:
    """Take the finer indicator if its timer has run for as long as the drive."""
    steps = evidence.counters.take(_leading(attribute.raw), attribute.field)
    minutes = next((whole(_leading(a.raw)) for a in table if a.number == _TIMER), None)
    hours = evidence.power_on_s
    if steps is None or steps == _NONE_YET:
        return
    if hours is None or not isinstance(minutes, float) or not hours.value:
        evidence.counters.skip(
            attribute.field, attribute.raw, "when it was last reset is not known"
        )
    elif abs(minutes / 60 * HOUR_S / hours.value - 1) > _NEVER_RESET:
        evidence.counters.skip(attribute.field, attribute.raw, "was reset after the drive was new")
    else:
        share = steps / 1024 / 100
        evidence.used.append(
            Observed(
                value=share, field=attribute.field,
                low=share * (1 - _TIMED_ERROR), high=share * (1 + _TIMED_ERROR),
            )
        )  # fmt: skip


def _writes(evidence: Evidence, held: Mapping[str, Observed]) -> None:
    evidence.host_bytes = held.get("host_bytes", evidence.host_bytes)
    evidence.flash_bytes = held.get("flash_bytes", evidence.flash_bytes)
    if "slc_bytes" in held and evidence.flash_bytes is not None:
        evidence.flash_bytes = _sum(evidence.flash_bytes, held["slc_bytes"])
        evidence.counters.notes.append(
            "Flash writes count those to the SLC cache, which wear less than the others."
        )
    if "host_pages" in held and "background_pages" in held:
        evidence.flash_bytes = _sum(held["host_pages"], held["background_pages"])


def _sum(one: Observed, other: Observed) -> Observed:
    return Observed(
        value=one.value + other.value,
        field=f"{one.field} + {other.field}",
        low=one.low + other.low,
        high=one.high + other.high,
    )


def _leading(raw: object) -> object:
    """Return the number that a raw text begins with: "26 (Min/Max 24/29)", "958258h+17m"."""
    if not isinstance(raw, str):
        return raw
    found = re.match(r"\s*(0[xX][0-9a-fA-F]+|-?\d+)(?=$|\s|\(|h\+|/)", raw)
    return found[1] if found else raw
