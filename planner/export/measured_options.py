"""Options of a plan from what files of one drive say: its name, its writes, what is used of it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from models.units import DAY_S, GB, TB
from planner.catalogue import find, load
from planner.export.scenario_file import Options
from planner.forecast import NoForecast
from planner.forecast.rating import stated_share
from planner.forecast.series import history
from planner.quantity.input import ValueText
from planner.quantity.inputs import INPUTS
from planner.quantity.writes import unambiguous
from planner.telemetry.block_devices import between
from planner.telemetry.formats import TRACE
from planner.telemetry.matching import outside
from planner.telemetry.record import Activity, DriveReading, FileReading, Observed, count_drives


def options_of(readings: Sequence[FileReading], in_service_s: float | None = None) -> Options:
    """Return the options that files supply: the last reading of the one drive, and workloads.

    Host writes are the mean between several readings; of one over the time since it was put to
    use, `in_service_s`, or over power-on time, the only clock that a single reading has. What a
    workload says goes before them. Raises ValueError for several drives, or several traces.
    """
    drives = [one for reading in readings for one in reading.drives]
    if count_drives(drives) > 1:
        raise ValueError("the files belong to several drives, and a scenario has one")
    found = _of_drives(drives, in_service_s) if drives else Options()
    traces = [reading for reading in readings if reading.kind == TRACE and reading.workload]
    if len(traces) > 1:
        names = ", ".join(reading.file for reading in traces)
        raise ValueError(f"{names} are several traces, and a scenario is of one")
    for reading in readings:
        if reading.workload is not None:
            found.update(reading.workload.plan_inputs())
    return _accepted(found)


def _accepted(found: Options) -> Options:
    """Leave out what no plan accepts, such as a million percent used; too few writes are none."""
    kept: Options = {}
    for name, text in found.items():
        bounds = INPUTS[name].bounds if name in INPUTS else None
        value = text.value if isinstance(text, ValueText) else None
        if bounds is None or not isinstance(value, int | float) or bounds.holds(value):
            kept[name] = text
        elif name == "writes" and value < bounds.least:
            kept[name] = _writes(0.0)
    return kept


def _of_drives(drives: Sequence[DriveReading], in_service_s: float | None) -> Options:
    """Return the options that readings of one drive imply: its facts, writes and use."""
    drive = max(drives, key=lambda one: one.read_at_s or 0.0)
    found: Options = {}
    named = next((one for one in (drive, *drives) if one.drive_id or one.user_bytes), drive)
    if named.drive_id is not None:
        found["drive"] = find(load(), named.drive_id).name
    elif named.user_bytes is not None and INPUTS["capacity"].bounds.holds(named.user_bytes.value):
        size = named.user_bytes.value
        found["capacity"] = ValueText(f"{size / GB:.12g} GB", size)
        if other := outside(named.model, size):
            found["kind"] = other.kind
    age_s = _age_s(drive, in_service_s)
    rate = _between(drives) or _mean(drive.host_bytes, age_s)
    if rate:
        found["writes"] = _writes(rate)
    elif drive.activity is not None:
        found |= _active(drives[0].activity, drives[-1].activity or drive.activity)
    if _positive(drive.wa) and drive.wa:
        found["wa"] = ValueText(f"{drive.wa.value:.6g}", drive.wa.value)
    return found | _used(drive, age_s)


def _active(first: Activity | None, last: Activity) -> Options:
    """Return writes and the share of reads as the system counted them, between readings if it can.

    Readings without a date are in the order of the files.
    """
    counted = (between(first, last) if first is not None else None) or last
    found: Options = {"writes": _writes(counted.host_bytes.value / counted.span_s)}
    if counted.reads is not None and counted.writes is not None:
        operations = counted.reads.value + counted.writes.value
        if operations > 0:
            reads = counted.reads.value / operations
            found["reads"] = ValueText(f"{100 * reads:.4g}%", reads)
    return found


def _writes(bytes_per_s: float) -> ValueText:
    return ValueText(unambiguous(f"{bytes_per_s * DAY_S / GB:.6g} GB/day"), bytes_per_s)


def _age_s(drive: DriveReading, in_service_s: float | None) -> float:
    """Return the age of a drive at a reading: by the calendar where it is known, else under power.

    It is 0 where neither is known.
    """
    if in_service_s is not None and drive.read_at_s is not None and drive.clock_set:
        return max(drive.read_at_s - in_service_s, 0.0)
    return drive.power_on_s.value if drive.power_on_s else 0.0


def _mean(host: Observed | None, age_s: float) -> float:
    return host.value / age_s if host is not None and age_s > 0 else 0.0


def _between(drives: Sequence[DriveReading]) -> float:
    """Return the mean rate of writes between the first reading and the last; 0 where unknown."""
    usable = [one for one in drives if one.host_bytes is not None]
    if len(usable) < 2:
        return 0.0
    try:
        known = history(usable)
    except NoForecast:
        return 0.0
    return max(known.written_bytes / known.span_s, 0.0)


def _used(drive: DriveReading, age_s: float) -> Options:
    """Return the used share of a drive's life."""
    found: Options = {}
    if drive.used_fraction is not None:
        used = stated_share(drive.used_fraction)
        found["used"] = ValueText(f"{100 * used:.6g}%", used)
    if _positive(drive.host_bytes) and drive.host_bytes:
        written = drive.host_bytes.value
        found["written"] = ValueText(f"{written / TB:.9g} TB", written)
    if age_s:
        found["age"] = ValueText(f"{age_s / DAY_S:.6g} days", age_s)
    if found and drive.read_at_s is not None and drive.clock_set:
        found["as_of"] = datetime.fromtimestamp(drive.read_at_s, UTC).strftime("%Y-%m-%d")
    return found


def _positive(number: Observed | None) -> bool:
    return number is not None and number.value > 0
