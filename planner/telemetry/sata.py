"""SMART attributes and device statistics of a SATA drive, in the units of its family."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from models.units import HOUR_S, KIB
from planner.telemetry import gate, host_writes, smart_units
from planner.telemetry.attributes import Attribute, Statistic, rule_by_name, whole_count
from planner.telemetry.evidence import Evidence
from planner.telemetry.host_writes import Count
from planner.telemetry.numerals import counter, whole
from planner.telemetry.record import Observed
from planner.telemetry.smart_units import BYTES, UnitRule
from planner.telemetry.wear_attributes import TIMED, take_indicator, take_timed

_SUSPECT = re.compile(
    r"writ|nand|lba|program|flash|media_wear|wearout|life|wear|erase|percent|endur", re.IGNORECASE
)
_HARMLESS = re.compile(r"error|fail|read(?!.*writ)|protect|retr", re.IGNORECASE)
_UNKNOWN_UNIT = "ambiguous: its unit is not known for this model"
_SPINS = {"spin_up_time", "seek_error_rate", "spin_retry_count"}
_SOLID = re.compile(r"ssd|solid.?state|flash", re.IGNORECASE)
_MOST_LINES = 256  # the standard allows 30 attributes, and fewer statistics
_POWER_ON, _UNCORRECTED = 9, 187
_HOST_COUNTERS = (241, 225, 246)
_RUNS_OVER, _NAND_PAGE_BYTES = 1 << 32, 16 * KIB  # no NAND has larger pages
_RATE = 120
_PAGES = ("host_pages", "background_pages")
_WEAR_STATISTIC = "percentage used endurance indicator"


@dataclass(kw_only=True)
class _Counts:
    """Counters of both logs, to be compared with each other."""

    bytes: dict[str, Observed] = field(default_factory=dict)
    pages: dict[str, Observed] = field(default_factory=dict)
    page_bytes: float | None = None
    vendor: Count | None = None
    standard: Count | None = None
    commands: float | None = None
    timed: Attribute | None = None
    unsized: list[Attribute] = field(default_factory=list)


def spins(rotation: object, table: Sequence[Attribute], names: str) -> bool:
    """Whether a drive is a hard disk, by its rotation rate, else by its attributes and names.

    Some SSDs have the attributes of hard disks, with zeros.

    >>> spins("Solid State Device", [], ""), spins("7200 rpm", [], ""), spins(0, [], "")
    (False, True, False)
    """
    if isinstance(rotation, int):
        return rotation > 0
    if isinstance(rotation, str) and rotation:
        return rotation.endswith("rpm")
    disk = bool(_SPINS & {line.name.casefold() for line in table})
    return disk and not _SOLID.search(names)


def take_logs(
    evidence: Evidence,
    table: Sequence[Attribute],
    statistics: Sequence[Statistic],
    *,
    sector_bytes: float,
) -> None:
    """Add the counters that the ATA standard defines, and the attributes known for this model.

    Other counters are listed as not used, like those that physics or the standard contradicts.
    """
    units = smart_units.load()
    family = units.family(evidence.model, evidence.family)
    evidence.compresses = units.compresses(family)
    evidence.firmware = family or evidence.family
    held = _Counts()
    table, statistics = table[:_MOST_LINES], statistics[:_MOST_LINES]
    others = []
    for attribute in table:
        rules = units.rules_of(family, str(attribute.number))
        others += [] if rules else [attribute]
        for rule in rules:
            _follow(evidence, attribute, rule, held)
    for attribute in others:
        _by_name(evidence, attribute, held, known=bool(family))
    for line in statistics:
        _standard(evidence, line, held, sector_bytes)
    if held.timed is not None:
        take_timed(evidence, held.timed, table)
    counts = _host_counts(table)
    _size(evidence, held, counts)
    host_writes.settle(evidence, held.standard, held.vendor, counts, held.commands)
    _flash(evidence, held)


def _standard(evidence: Evidence, line: Statistic, held: _Counts, sector_bytes: float) -> None:
    name = line.name.casefold()
    if name == _WEAR_STATISTIC:
        points = evidence.counters.take(line.value, line.field)
        if points is not None:
            evidence.state_used(points, line.field)
    elif name == "logical sectors written":
        sectors = evidence.counters.take(line.value, line.field)
        if sectors is not None:
            held.standard = Count(number=sectors, field=line.field, unit_bytes=sector_bytes)
    elif name == "number of write commands":
        commands = whole(line.value)
        held.commands = commands if isinstance(commands, float) else None
    elif name == "power-on hours":
        _power_on(evidence, line)
    elif name == "number of reported uncorrectable errors":
        _errors(evidence, line)


def _errors(evidence: Evidence, line: Statistic) -> None:
    """Take the error count of the standard; if an attribute contradicts it, use neither."""
    vendor, standard = evidence.media_errors, evidence.exact(line.value, line.field)
    evidence.media_errors = standard or vendor
    if standard is not None and vendor is not None and vendor.value != standard.value:
        evidence.take_back("media_errors", f"{vendor.field} says {vendor.value:.0f}")
        evidence.counters.skip(
            vendor.field, f"{vendor.value:.0f}", f"{standard.field} says {standard.value:.0f}"
        )


def _power_on(evidence: Evidence, line: Statistic) -> None:
    """Take the longer of two power-on times: a counter that stops in sleep is too short."""
    vendor = evidence.power_on_s
    evidence.hours(line.value, line.field)
    standard = evidence.power_on_s
    if vendor is None or standard is None or standard is vendor:
        return
    less, more = sorted((vendor, standard), key=lambda one: one.value)
    evidence.power_on_s = vendor if vendor.value == standard.value else more
    if more.low - less.high > max(0.02 * more.low, 24 * HOUR_S):
        hours = f"{less.value / HOUR_S:.0f}"
        evidence.counters.skip(less.field, hours, f"is less than {more.field}")


def _size(evidence: Evidence, held: _Counts, counts: Sequence[Count]) -> None:
    """Take flash writes in the unit in which the drive counts host writes by its standard log."""
    unit_bytes = host_writes.unit_bytes_of(held.standard, counts)
    for attribute in held.unsized:
        number = evidence.counters.take(attribute.count, attribute.field)
        if number is not None and unit_bytes is not None:
            held.bytes.setdefault("flash_bytes", counter(number, attribute.field, unit_bytes))
        elif number is not None:
            evidence.counters.skip(attribute.field, attribute.raw, _UNKNOWN_UNIT)


def _host_counts(table: Sequence[Attribute]) -> list[Count]:
    """Return the attributes that count host writes on some drives."""
    counts = []
    for number in _HOST_COUNTERS:
        for attribute in table:
            raw = whole_count(attribute) if attribute.number == number else None
            if raw is not None:
                counts.append(Count(number=raw, field=attribute.field, attribute=number))
    return counts


def _by_name(evidence: Evidence, attribute: Attribute, held: _Counts, *, known: bool) -> None:
    """Take an attribute without a rule by its name, which smartctl gives to drives it knows."""
    rule = rule_by_name(attribute) if evidence.family else None
    if rule is None or (rule.quantity == "erase_cycles" and evidence.erase_cycles is not None):
        _plain(evidence, attribute, known=known)
    elif rule.quantity != "flash_bytes" or rule.unit:
        _follow(evidence, attribute, rule, held)
    elif not known:
        held.unsized.append(attribute)


def _plain(evidence: Evidence, attribute: Attribute, *, known: bool) -> None:
    """Take an attribute with one meaning on all drives; list others as of unknown unit."""
    if attribute.number == _POWER_ON:
        evidence.hours(attribute.count, attribute.field)
    elif attribute.number == _UNCORRECTED:
        _uncorrected(evidence, attribute)
    elif not known and _SUSPECT.search(attribute.name) and not _HARMLESS.search(attribute.name):
        evidence.counters.skip(attribute.field, attribute.raw, _UNKNOWN_UNIT)


def _uncorrected(evidence: Evidence, attribute: Attribute) -> None:
    """Take a count of errors, but not a rate: SandForce normalises rates to 120, counts to 100."""
    value = whole(attribute.value)
    if isinstance(value, float) and 100 < value <= _RATE:
        evidence.counters.skip(attribute.field, attribute.raw, "is a rate of errors, not a count")
    else:
        evidence.media_errors = evidence.exact(attribute.count, attribute.field)


def _follow(evidence: Evidence, attribute: Attribute, rule: UnitRule, held: _Counts) -> None:
    if rule.status == "ambiguous":
        why = f"ambiguous: {rule.note}" if rule.note else _UNKNOWN_UNIT
        evidence.counters.skip(attribute.field, attribute.raw, why)
    if rule.status != "use":
        return
    if rule.unit == TIMED:
        held.timed = attribute
    elif rule.quantity == "used_fraction":
        take_indicator(evidence, attribute, rule)
    else:
        _count(evidence, attribute, rule, held)


def _count(evidence: Evidence, attribute: Attribute, rule: UnitRule, held: _Counts) -> None:
    number = evidence.counters.take(attribute.count, attribute.field)
    named = attribute.named_unit
    if number is None:
        return
    if named and rule.unit in BYTES and rule.unit != named:
        why = f"ambiguous: smartctl calls it {named}, its family counts {rule.unit}"
        evidence.counters.skip(attribute.field, attribute.raw, why)
    elif rule.quantity in _PAGES:
        held.pages[rule.quantity] = counter(number, attribute.field, 1.0)
        held.page_bytes = BYTES.get(rule.unit)
    elif rule.quantity == "erase_cycles":
        evidence.erase_cycles = counter(number, attribute.field, 1.0)
    elif rule.quantity == "host_bytes":
        count = Count(number=number, field=attribute.field, unit_bytes=BYTES[rule.unit])
        held.vendor = held.vendor or count
    else:
        held.bytes.setdefault(rule.quantity, counter(number, attribute.field, BYTES[rule.unit]))


def _flash(evidence: Evidence, held: _Counts) -> None:
    """Take flash writes in bytes, and write amplification by pages, whatever their size."""
    flash = held.bytes.get("flash_bytes")
    if flash is not None and not gate.fits_erases(flash, evidence):
        evidence.counters.skip(
            flash.field, f"{flash.value:.6g} B", "is more than the mean erase count leaves room for"
        )
        flash = None
    evidence.flash_bytes = flash or evidence.flash_bytes
    if flash is not None and "slc_bytes" in held.bytes:
        evidence.flash_bytes = _sum(flash, held.bytes["slc_bytes"])
        evidence.counters.notes.append(
            "Flash writes include those to the SLC cache, which wear the flash less than others."
        )
    host, other = (held.pages.get(name) for name in _PAGES)
    if host is not None and other is not None and host.value > 0:
        _by_pages(evidence, host, other, held.page_bytes)


def _by_pages(
    evidence: Evidence, host: Observed, other: Observed, page_bytes: float | None
) -> None:
    written = evidence.host_bytes
    if written is not None and host.value < _RUNS_OVER <= written.low / _NAND_PAGE_BYTES:
        evidence.counters.skip(host.field, f"{host.value:.0f}", "wrapped around at 32 bits")
        return
    if page_bytes is not None:
        pages = _sum(host, other)
        evidence.flash_bytes = replace(
            pages, value=pages.value * page_bytes, low=pages.low * page_bytes,
            high=pages.high * page_bytes,
        )  # fmt: skip
    if page_bytes is not None and written is not None:
        return
    evidence.wa = Observed(
        value=1 + other.value / host.value,
        field=f"1 + {other.field} / {host.field}",
        low=1 + other.low / host.high,
        high=1 + other.high / host.low if host.low > 0 else float("inf"),
        note="if the pages counted for the host and for the controller have the same size",
    )


def _sum(one: Observed, other: Observed) -> Observed:
    return Observed(
        value=one.value + other.value,
        field=f"{one.field} + {other.field}",
        low=one.low + other.low,
        high=one.high + other.high,
    )
