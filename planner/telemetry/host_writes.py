"""Host writes of a SATA drive from its device statistics and its SMART attributes.

ACS-3 defines the statistic "Logical Sectors Written" in sectors; the unit of an attribute depends
on vendor and firmware. The statistic is preferred, with exceptions: some drives keep only 32 bits
of it (it wraps around every 2.2 TB), some copy the attribute's number into it, some leave it zero.

An attribute counts whole units, so it is the statistic divided by the unit and rounded down. This
reveals the unit, and also a statistic that has wrapped around: the two then agree modulo 2^32
sectors, which happens by chance for one drive in 1,000 at a unit of 1 GiB, and for one in 30,000 at
32 MiB.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from models.units import GB, GIB, MIB, TB
from planner.telemetry import gate
from planner.telemetry.evidence import Evidence
from planner.telemetry.numerals import counter
from planner.telemetry.record import Observed

_RUNS_OVER = 1 << 32
# Units in which vendors count host writes, and those fine enough to detect a wrap-around.
_UNITS = {
    "512 B": 512.0, "1 MiB": float(MIB), "32 MiB": 32.0 * MIB, "1 GiB": float(GIB),
    "1 GB": float(GB),
}  # fmt: skip
_TELLING = ("512 B", "1 MiB", "32 MiB", "1 GiB")
_COUNTERS = {225: _TELLING, 241: _TELLING, 246: ("512 B",)}  # smartmontools: host writes
_FEWEST = 16  # a smaller number agrees with too many units by chance
_BETWEEN = 65_536  # sectors that the host may write between the readings of the two logs
_TOLERANCE = 0.01
_NEAR = 0.1  # difference of counters that are saved at different times before a power failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A counter of host writes as stored; `attribute` 0 is the statistic of the standard."""

    number: float
    field: str
    attribute: int = 0
    unit_bytes: float = 512.0

    @property
    def observed(self) -> Observed:
        """The counter in bytes."""
        return counter(self.number, self.field, self.unit_bytes)

    def skip(self, evidence: Evidence, reason: str) -> None:
        """List the counter as not used."""
        evidence.counters.skip(self.field, f"{self.number:.0f}", reason)


def settle(
    evidence: Evidence,
    standard: Count | None,
    vendor: Count | None,
    counts: Sequence[Count],
    commands: float | None,
) -> None:
    """Decide on the host writes, and list each counter that is not used.

    `vendor` is the attribute whose unit is known for the family, `counts` are all attributes that
    may count host writes, `commands` is the number of write commands by the standard.
    """
    known = [one for one in (standard, vendor) if one is not None]
    if standard is not None and (over := _run_over(evidence, standard, counts)) is not None:
        lost = (over.number * over.unit_bytes - standard.number * standard.unit_bytes) / TB
        standard.skip(evidence, f"wrapped around at 32 bits: {lost:.4g} TB less than {over.field}")
        evidence.host_bytes = over.observed
        return
    if standard is not None and _short(standard, counts, commands):
        standard.skip(evidence, f"is less than a sector for each of {commands:,.0f} write commands")
        known.remove(standard)
    possible = [one for one in known if _possible(evidence, one)]
    if len(possible) < 2:
        _take(evidence, possible[0] if possible else None, standard)
    elif standard is not None and vendor is not None:
        _compare(evidence, standard, vendor)


def unit_bytes_of(standard: Count | None, counts: Sequence[Count]) -> float | None:
    """Return the unit in which attributes count the host writes of the standard log, or None.

    >>> sectors = Count(number=2_000_000.0, field="statistic")
    >>> unit_bytes_of(sectors, [Count(number=976.0, field="attribute 241", attribute=241)])
    1048576.0
    """
    if standard is None:
        return None
    units = (unit for one in counts for unit in _units(standard, one))
    return _UNITS.get(next(units, ""))


def _take(evidence: Evidence, count: Count | None, standard: Count | None) -> None:
    if count is not None:
        evidence.host_bytes = count.observed
        evidence.host_by_standard = count is standard


def _run_over(evidence: Evidence, standard: Count, counts: Sequence[Count]) -> Count | None:
    """Return the attribute that exceeds the statistic by a multiple of 2^32 sectors."""
    if not 0 < standard.number < _RUNS_OVER:
        return None
    most = gate.most_host_bytes(evidence)
    readings = (
        (replace(one, unit_bytes=_UNITS[unit]), *_in_sectors(one, unit, standard))
        for one in counts
        for unit in _COUNTERS[one.attribute]
        if one.number >= _FEWEST
    )
    for count, sectors, step in readings:
        behind = (sectors + step - standard.number) % _RUNS_OVER
        if sectors >= _RUNS_OVER and behind <= 2 * step and count.observed.low <= most:
            return count
    return None


def _in_sectors(count: Count, unit: str, standard: Count) -> tuple[float, float]:
    """Return a counter and its step in sectors."""
    step = _UNITS[unit] / standard.unit_bytes
    return count.number * step, max(step, _BETWEEN)


def _possible(evidence: Evidence, count: Count) -> bool:
    if count.observed.low <= gate.most_host_bytes(evidence):
        return True
    count.skip(evidence, "is more than the interface carries in the power-on time")
    return False


def _short(standard: Count, counts: Sequence[Count], commands: float | None) -> bool:
    """Whether the statistic is a copy of an attribute, and less than one sector per command."""
    repeats = any(standard.number == one.number for one in counts)
    return repeats and commands is not None and standard.number < commands


def _compare(evidence: Evidence, standard: Count, vendor: Count) -> None:
    """Take the statistic if the attribute agrees or counts another unit; else use neither."""
    statement, other = standard.observed, vendor.observed
    if not standard.number or not vendor.number:
        still, alive = sorted((standard, vendor), key=lambda one: one.number)
        still.skip(evidence, f"stays at zero beside {alive.field}")
        _take(evidence, alive, standard)
        return
    difference = abs(statement.value - other.value) / max(statement.value, other.value, 1.0)
    if (other.low <= statement.high and statement.low <= other.high) or difference <= _TOLERANCE:
        _take(evidence, standard, standard)
    elif (unit := next(_units(standard, vendor), None)) is not None:
        vendor.skip(evidence, f"counts {unit} on this drive, by the standard log")
        _take(evidence, standard, standard)
    elif difference <= _NEAR:
        low, high = min(statement.low, other.low), max(statement.high, other.high)
        note = f"{vendor.field} differs by {100 * difference:.0f} %; the interval spans both"
        evidence.host_bytes = Observed(
            value=statement.value, field=statement.field, low=low, high=high, note=note
        )
        evidence.host_by_standard = True
    else:
        for one, two in ((standard, vendor), (vendor, standard)):
            one.skip(evidence, f"{two.field} says {two.observed.value / TB:.4g} TB")


def _units(standard: Count, vendor: Count) -> Iterator[str]:
    """Yield the units in which the attribute agrees with the statistic."""
    for unit in _UNITS:
        sectors, step = _in_sectors(vendor, unit, standard)
        if (
            vendor.number >= _FEWEST
            and abs(sectors - standard.number) <= step + _TOLERANCE * sectors
        ):
            yield unit
