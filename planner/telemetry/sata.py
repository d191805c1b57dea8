"""SMART attributes and device statistics of a SATA drive, in the units of its family."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from models.units import HOUR_S, KIB
from planner.quantity.parse import shortened
from planner.telemetry import gate, host_writes, smart_units
from planner.telemetry.evidence import Evidence, percent_used
from planner.telemetry.host_writes import Count
from planner.telemetry.numerals import counter, whole
from planner.telemetry.record import Observed
from planner.telemetry.smart_units import BYTES, UnitRule

_SUSPECT = re.compile(
    r"writ|nand|lba|program|flash|media_wear|wearout|life|wear|erase|percent|endur", re.IGNORECASE
)
_HARMLESS = re.compile(r"error|fail|read(?!.*writ)|protect|retr", re.IGNORECASE)
_NAMED_UNIT = re.compile(r"_(?P<unit>1?GiB|32MiB)$")
_SPINS = {"spin_up_time", "seek_error_rate", "spin_retry_count"}
_SOLID = re.compile(r"ssd|solid.?state|flash", re.IGNORECASE)
_MOST_LINES = 256  # the standard allows 30 attributes, and fewer statistics
_POWER_ON, _UNCORRECTED = 9, 187
_HOST_COUNTERS = (241, 225, 246)
_TIMED = "1/1024 %"  # wear since a timer was reset, beside a counter of the minutes since then
_TIMER, _NEVER_RESET, _NONE_YET = 228, 0.01, 65535
_TIMED_ERROR = 0.06
_RUNS_OVER, _NAND_PAGE_BYTES = 1 << 32, 16 * KIB  # no NAND has larger pages
_RATE = 120
_PAGES = ("host_pages", "background_pages")
_WEAR_STATISTIC = "percentage used endurance indicator"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """One statistic of the device statistics log."""

    name: str
    value: object

    @property
    def field(self) -> str:
        """The name of the statistic in messages."""
        return shortened(f"device statistics, {self.name}")


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
    held = _Counts()
    table, statistics = table[:_MOST_LINES], statistics[:_MOST_LINES]
    for attribute in table:
        rules = units.rules_of(family, str(attribute.number))
        for rule in rules:
            _follow(evidence, attribute, rule, held)
        if not rules:
            _plain(evidence, attribute, known=bool(family))
    wear_rules = units.rules_of(family, _WEAR_STATISTIC)
    for line in statistics:
        _standard(evidence, line, held, wear_rules, sector_bytes)
    if held.timed is not None:
        _timed_wear(evidence, held.timed, table)
    counts = _host_counts(table)
    host_writes.settle(evidence, held.standard, held.vendor, counts, held.commands)
    _flash(evidence, held)


def _standard(
    evidence: Evidence,
    line: Statistic,
    held: _Counts,
    wear: Sequence[UnitRule],
    sector_bytes: float,
) -> None:
    name = line.name.casefold()
    if name == _WEAR_STATISTIC:
        _percentage(evidence, line, wear)
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


def _percentage(evidence: Evidence, line: Statistic, rules: Sequence[UnitRule]) -> None:
    """Take the percentage used of the standard, unless it is known to be wrong for the family."""
    points = evidence.counters.take(line.value, line.field)
    if points is not None and rules:
        evidence.counters.skip(line.field, line.value, f"ambiguous: {rules[0].note}")
    elif points is not None:
        evidence.used.insert(0, percent_used(points, line.field))


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


def _host_counts(table: Sequence[Attribute]) -> list[Count]:
    """Return the attributes that count host writes on some drives."""
    counts = []
    for number in _HOST_COUNTERS:
        for attribute in table:
            raw = whole(_leading(attribute.raw)) if attribute.number == number else ""
            if isinstance(raw, float):
                counts.append(Count(number=raw, field=attribute.field, attribute=number))
    return counts


def _plain(evidence: Evidence, attribute: Attribute, *, known: bool) -> None:
    """Take an attribute with one meaning on all drives; list others as of unknown unit."""
    if attribute.number == _POWER_ON:
        evidence.hours(_leading(attribute.raw), attribute.field)
    elif attribute.number == _UNCORRECTED:
        _uncorrected(evidence, attribute)
    elif not known and _SUSPECT.search(attribute.name) and not _HARMLESS.search(attribute.name):
        evidence.counters.skip(
            attribute.field, attribute.raw, "ambiguous: its unit is not known for this model"
        )


def _uncorrected(evidence: Evidence, attribute: Attribute) -> None:
    """Take a count of errors, but not a rate: SandForce normalises rates to 120, counts to 100."""
    value = whole(attribute.value)
    if isinstance(value, float) and 100 < value <= _RATE:
        evidence.counters.skip(attribute.field, attribute.raw, "is a rate of errors, not a count")
    else:
        evidence.media_errors = evidence.exact(_leading(attribute.raw), attribute.field)


def _follow(evidence: Evidence, attribute: Attribute, rule: UnitRule, held: _Counts) -> None:
    if rule.status == "ambiguous":
        why = f"ambiguous: {rule.note or 'its unit is not known for this model'}"
        evidence.counters.skip(attribute.field, attribute.raw, why)
    if rule.status != "use":
        return
    if rule.unit == _TIMED:
        held.timed = attribute
    elif rule.quantity == "used_fraction":
        statement = _wear(evidence, attribute, rule)
        evidence.used += [] if statement is None else [statement]
    else:
        _count(evidence, attribute, rule, held)


def _count(evidence: Evidence, attribute: Attribute, rule: UnitRule, held: _Counts) -> None:
    number = evidence.counters.take(_leading(attribute.raw), attribute.field)
    named = _NAMED_UNIT.search(attribute.name)
    if number is None:
        return
    if named and rule.unit in BYTES and BYTES[rule.unit] != _named_bytes(named["unit"]):
        why = f"ambiguous: smartctl calls it {named['unit']}, its family counts {rule.unit}"
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


def _named_bytes(unit: str) -> float:
    return BYTES["GiB" if unit.endswith("GiB") else "32 MiB"]


def _wear(evidence: Evidence, attribute: Attribute, rule: UnitRule) -> Observed | None:
    """Return the life used from an indicator that falls from 100, in the form of its family."""
    take, name = evidence.counters.take, attribute.field
    value, raw = take(attribute.value, name), whole(_leading(attribute.raw))
    if value is None or not isinstance(raw, float):
        return None
    if rule.unit == "100 - value, raw 0" and raw:
        evidence.counters.skip(name, attribute.raw, "counts something else: wear has no raw number")
        return None
    if rule.unit == "value, or raw":
        return _left(evidence, attribute, value if value < 100 else raw)
    if rule.unit == "raw past 100" and raw > 100 and (100 - value - raw) % 256 == 0:
        return percent_used(raw, name)
    return _left(evidence, attribute, value)


def _left(evidence: Evidence, attribute: Attribute, left: float) -> Observed | None:
    name = attribute.field
    if left > 100:
        evidence.counters.skip(name, attribute.raw, "is above 100, so not a share of life")
        return None
    if left == 0 and attribute.value in (100, "100"):
        evidence.counters.skip(
            name, attribute.raw, "is 100 and raw 0: of a new drive or a worn one"
        )
        return None
    used = percent_used(100 - left, name)
    if left > 1:
        return used
    return replace(used, high=float("inf"), note="the indicator stops here")


def _timed_wear(evidence: Evidence, attribute: Attribute, table: Sequence[Attribute]) -> None:
    """Take the finer indicator if its timer was never reset."""
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


def _leading(raw: object) -> object:
    """Return the number at the start of a raw text: "26 (Min/Max 24/29)", "958258h+17m"."""
    if not isinstance(raw, str):
        return raw
    found = re.match(r"\s*(0[xX][0-9a-fA-F]+|-?\d+)(?=$|\s|\(|h\+|/)", raw)
    return found[1] if found else raw
