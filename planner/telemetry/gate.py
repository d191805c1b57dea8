"""Plausibility of drive counters: each number is checked against physics and against the others.

A number outside the bounds is discarded and listed with the reason, so that it reaches neither a
plan nor a forecast. If two numbers contradict each other and physics does not decide which is
wrong, neither is used, except that a count of a standard log is kept against a vendor's counter.

Bounds and their sources:

- Host writes are at most the rate of the interface x power-on time: 600 MB/s for SATA at 6 Gb/s
  after 8b/10b (Serial ATA 3.x, gen 3), twice 2.4 GB/s for SAS at 24 Gb/s with two ports (SPL-4),
  15.75 GB/s for four lanes at 32 GT/s after 128b/130b (PCI Express Base 5.0), also if the interface
  is unknown.
- Host writes are at least one sector per write command (NVM Command Set, ACS-3).
- Power-on time is at most 30 years, `LONGEST_S`: longer than in any log that was read.
- Flash writes are at most mean erases x raw flash: a page is programmed once per erase. Raw flash
  is at most `MOST_RAW` times the user capacity: 1.72 is the most in `data/facts.csv` (Intel 710),
  2.84 the most that counters show (Micron 5200 of 240 GB, `docs/evidence/telemetry-gate.md`).
- Flash writes are at least erases x user capacity / `MOST_RAW`: a block is filled before it is
  erased again, in SLC mode with a third or a quarter of its bits (TLC, QLC).
- Mean erases leave out blocks, such as those of an SLC cache, if the host wrote more than 1.72 user
  capacities per erase: their interval then reaches to the host writes over the capacity.
- Write amplification is at least 1, as each host byte is programmed once; at least 0.13 if the
  controller compresses: 0.1399 was measured for compressible data on SandForce
  (tomshardware.com/reviews/ssd-60gb-benchmark-review,3137-7.html). It is at most `MOST_WA`: uniform
  random writes at 2 % spare give about 25, 1/(2 x spare) in `models.write_amplification`; writes of
  1 KiB to a mapping of 4 KiB give four times that. Above it, a drive does little but maintenance.
- The P/E rating implied by erases and wear is within the range of drives sold:
  `planner.telemetry.wear`.
- Counters of 32 bits or more that are all ones are not maintained by the drive:
  `planner.telemetry.numerals`.
- A clock that is earlier than the release of the program that wrote the file was not set.
"""

import math
from dataclasses import replace
from datetime import UTC, datetime

from models.units import GB, MB
from planner.telemetry.evidence import LONGEST_S, Evidence
from planner.telemetry.record import Observed

MOST_RAW = 4.0
_MOST_PRINTED_RAW = 1.72
MOST_WA = 100.0
LEAST_WA_COMPRESSED = 0.13
_INTERFACE_BYTES_PER_S = {"ATA": 600 * MB, "SCSI": 2 * 2.4 * GB}
FASTEST_BYTES_PER_S = 15.754 * GB
_SOME_ERASES = 10  # mean erases that factory tests may leave
_WORN = 0.02
_TOO_FEW = "is too little for the mean erase count: it leaves out flash writes"
# After the dates that clocks are reset to, in seconds since 1970.
FIRST_CLOCK_S = datetime(2010, 1, 2, tzinfo=UTC).timestamp()


def apply(evidence: Evidence) -> None:
    """Discard numbers outside the bounds: host writes, then erases, then flash writes."""
    _host(evidence)
    _erases(evidence)
    _flash(evidence)
    _pages(evidence)
    _partial(evidence)
    _idle(evidence)


def _host(evidence: Evidence) -> None:
    """Check host writes against the interface, and zero host writes against the wear."""
    host, on = evidence.host_bytes, evidence.power_on_s
    if host is None:
        return
    if host.low > most_host_bytes(evidence):
        if on is not None and evidence.host_by_standard:
            evidence.take_back("power_on_s", f"is too short for {host.field} on any interface")
        evidence.take_back("host_bytes", "is more than the interface carries in the power-on time")
    elif on is not None and not on.value and host.low > _rate(evidence) * on.high:
        evidence.take_back("power_on_s", f"stays at zero beside {host.field}")
    elif host.value == 0 and _worn(evidence):
        evidence.take_back("host_bytes", "stays at zero although the drive is worn")


def most_host_bytes(evidence: Evidence) -> float:
    """Return the bytes that the interface can carry in the power-on time, or in `LONGEST_S`.

    A power-on time of zero counts as unknown, since some drives do not count it.
    """
    on = evidence.power_on_s
    return _rate(evidence) * (on.high if on is not None and on.value else LONGEST_S)


def _rate(evidence: Evidence) -> float:
    return _INTERFACE_BYTES_PER_S.get(evidence.protocol, FASTEST_BYTES_PER_S)


def least_wa(evidence: Evidence) -> float:
    """Return the least possible write amplification, below 1 only with compression."""
    return LEAST_WA_COMPRESSED if evidence.compresses else 1.0


def fits_erases(flash: Observed, evidence: Evidence) -> bool:
    """Whether the erases suffice for the flash writes; True if either is unknown."""
    erases = evidence.erase_cycles
    return erases is None or erases.value < 1 or flash.low <= _most_flash_bytes(evidence)


def clock_was_set(moment_s: float, tool_released_s: float | None) -> bool:
    """Whether a time is after the release of the program that wrote the file, or after 2010-01-01.

    >>> clock_was_set(1_230_768_000.0, None)  # 2009-01-01
    False
    """
    return moment_s >= (FIRST_CLOCK_S if tool_released_s is None else tool_released_s)


def _worn(evidence: Evidence) -> bool:
    erases, flash, host = evidence.erase_cycles, evidence.flash_bytes, evidence.host_bytes
    most = MOST_WA * host.high if host else math.inf
    return (
        any(all(one.low > _WORN for one in witness.readings.values()) for witness in evidence.used)
        or (erases is not None and erases.low > _SOME_ERASES)
        or (flash is not None and host is not None and host.high > 0 and flash.low > most)
    )


def _most_flash_bytes(evidence: Evidence) -> float:
    erases, capacity = evidence.erase_cycles, evidence.user_bytes
    if erases is None or capacity is None or capacity.value <= 0:
        return math.inf
    return erases.high * MOST_RAW * capacity.value


def _erases(evidence: Evidence) -> None:
    """Check the erases against the host writes."""
    host, erases, capacity = evidence.host_bytes, evidence.erase_cycles, evidence.user_bytes
    if host is None or erases is None or capacity is None:
        return
    if host.low > _most_flash_bytes(evidence):
        evidence.take_back("erase_cycles", f"leaves no room for {host.field}: blocks are left out")
    elif erases.low > _SOME_ERASES and erases.low * capacity.value > MOST_WA * host.high:
        evidence.take_back("erase_cycles", f"is over {MOST_WA:g} times what {host.field} says")
        if not evidence.host_by_standard:
            evidence.take_back("host_bytes", f"{erases.field} is over {MOST_WA:g} times as much")


def _flash(evidence: Evidence) -> None:
    """Check the flash writes against the host writes."""
    host, flash = evidence.host_bytes, evidence.flash_bytes
    if host is None or flash is None or host.value <= 0:
        return
    if flash.value <= 0:
        evidence.take_back("flash_bytes", "stays at zero although the host wrote")
    elif flash.high < least_wa(evidence) * host.low:
        why = "compresses no further" if evidence.compresses else "does not compress"
        evidence.take_back(
            "flash_bytes",
            f"is less than {host.field}, and the controller {why}: it counts a part of the flash "
            "writes",
        )
    elif flash.low > MOST_WA * host.high:
        ratio = f"{flash.value / host.value:,.0f}"
        why = f"{ratio} times {host.field}: of an idle drive, or of another unit"
        evidence.take_back("flash_bytes", f"is {why}")
        if not evidence.host_by_standard:
            evidence.take_back("host_bytes", f"{flash.field} is {ratio} times as much")
    elif not _fills_erases(flash, evidence):
        evidence.take_back("flash_bytes", _TOO_FEW)


def _partial(evidence: Evidence) -> None:
    """Widen a mean erase count that is too small for the host writes: it leaves out SLC blocks."""
    host, erases, capacity = evidence.host_bytes, evidence.erase_cycles, evidence.user_bytes
    if host is None or erases is None or erases.value < _SOME_ERASES:
        return
    if capacity is None or not capacity.value:
        return
    per_erase = host.low / (erases.high * capacity.value)
    if per_erase > _MOST_PRINTED_RAW and not evidence.compresses:
        note = f"counts a part of the blocks: {per_erase:.2g} user capacities written per erase"
        evidence.counters.notes.append(f"{erases.field} {note}.")
        evidence.erase_cycles = replace(erases, high=host.high / capacity.value, note=note)


def _pages(evidence: Evidence) -> None:
    """Check write amplification from page counters against its bounds and the erases."""
    host, wa = evidence.host_bytes, evidence.wa
    if wa is None:
        return
    if wa.low > MOST_WA:
        evidence.take_back("wa", f"is above {MOST_WA:g}: of a drive that writes for itself only")
    elif host is not None:
        flash = Observed(
            value=wa.value * host.value, field=wa.field, low=wa.low * host.low,
            high=wa.high * host.high,
        )  # fmt: skip
        if not fits_erases(flash, evidence):
            evidence.take_back("wa", "is more than the mean erase count leaves room for")
        elif not _fills_erases(flash, evidence):
            evidence.take_back("wa", _TOO_FEW)


def _fills_erases(flash: Observed, evidence: Evidence) -> bool:
    """Whether enough was written to explain the erases: a block is filled before it is erased."""
    erases, capacity = evidence.erase_cycles, evidence.user_bytes
    if erases is None or capacity is None or erases.low <= _SOME_ERASES:
        return True
    return erases.low * capacity.value <= MOST_RAW * flash.high


def _idle(evidence: Evidence) -> None:
    """Add a note if little was written so far."""
    host, capacity = evidence.host_bytes, evidence.user_bytes
    both = evidence.wa is not None or (evidence.flash_bytes is not None and host is not None)
    if both and host and capacity and host.value < capacity.value:
        evidence.counters.notes.append(
            "Less than one drive write so far: write amplification is that of a drive that is not "
            "yet filled, with its own maintenance, not that of a steady workload."
        )
