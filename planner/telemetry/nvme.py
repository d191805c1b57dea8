"""The health log of an NVMe drive, in the names of several tools, and the OCP extended log."""

from collections.abc import Mapping
from typing import Any

from planner.telemetry.evidence import Evidence
from planner.telemetry.numerals import counter, whole
from planner.telemetry.record import Observed

SECTOR_BYTES = 512  # the smallest logical block
DATA_UNIT_BYTES = 512_000.0  # NVM Express: thousands of 512 bytes, rounded up
# The names that tools give to each field.
_NAMES = {
    "written": ("data_units_written",),
    "used": ("percentage_used", "percent_used"),
    "spare": ("available_spare", "avail_spare"),
    "hours": ("power_on_hours",),
    "commands": ("host_writes", "host_write_commands"),
    "errors": ("media_errors",),
}
MEDIA_KEYS = (
    "Physical media units written", "physical_media_units_written", "PhysicallyWrittenBytes",
)  # fmt: skip
_MOST_SPARE = 100


def take_health(
    evidence: Evidence,
    log: Mapping[str, Any],
    prefix: str = "",
    labels: Mapping[str, str] | None = None,
) -> None:
    """Add the numbers of log page 02h.

    `prefix` is the path of the log in the file; `labels` map field names to those in the file.
    """
    take = evidence.counters.take
    name, value = _named(log, labels or {}, "written")
    units = take(value, prefix + name)
    if units is not None:
        evidence.host_bytes = counter(units, prefix + name, DATA_UNIT_BYTES, up=True)
        evidence.host_by_standard = True
        _check_against_commands(evidence, _named(log, {}, "commands")[1])
    name, value = _named(log, labels or {}, "used")
    points = take(_bare(value), prefix + name)
    if points is not None:
        evidence.state_used(points, prefix + name)
    name, value = _named(log, labels or {}, "spare")
    spare = take(_bare(value), prefix + name)
    if spare is not None and spare <= _MOST_SPARE:
        evidence.spare_fraction = Observed(
            value=spare / 100, field=prefix + name, low=max(spare - 1, 0) / 100, high=spare / 100
        )
    name, value = _named(log, labels or {}, "hours")
    evidence.hours(value, prefix + name)
    name, value = _named(log, labels or {}, "errors")
    evidence.media_errors = evidence.exact(value, prefix + name)


def _check_against_commands(evidence: Evidence, value: object) -> None:
    """Discard the data units if they are less than one sector per write command."""
    commands = whole(value)
    host = evidence.host_bytes
    if host is not None and isinstance(commands, float) and commands * SECTOR_BYTES > host.high:
        evidence.take_back(
            "host_bytes", f"is less than a sector for each of {commands:,.0f} write commands"
        )


def media_bytes(evidence: Evidence, log: Mapping[str, Any]) -> None:
    """Add the bytes written to the flash: a 128-bit number in any of the known notations."""
    for key in MEDIA_KEYS:
        if key in log:
            evidence.flash_bytes = evidence.exact(_wide(log[key]), key)
            return


def _named(log: Mapping[str, Any], labels: Mapping[str, str], what: str) -> tuple[str, Any]:
    for name in _NAMES[what]:
        if log.get(name) is not None:
            return labels.get(name, name), log[name]
    return _NAMES[what][0], None


def _bare(value: object) -> object:
    return value.strip().removesuffix("%") if isinstance(value, str) else value


def _wide(value: object) -> object:
    """Join the halves of a 128-bit number; return anything else unchanged."""
    if not isinstance(value, dict):
        return value
    high, low = value.get("hi", 0), value.get("lo")
    if isinstance(high, int) and isinstance(low, int) and high >= 0 and low >= 0:
        return (high << 64) + low
    return str(value)
