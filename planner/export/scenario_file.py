"""A scenario as a small JSON file: options of a plan, written as on the command line.

`{"ssd_planner_scenario": 1, "options": {"drive": "...", "writes": "50 GiB/day"}}`

Where points were measured on the drive, `fitted` says what they gave; it is for readers, and fitted
again when the file is read.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from models.nomenclature import QUANTITIES
from models.units import DAY_S, GB
from planner.catalogue import load
from planner.catalogue.drive import Drive
from planner.quantity.parse import quoted
from planner.quantity.show import shown
from planner.telemetry.record import DriveReading, Observed, Reading

__all__ = ["VERSION", "Options", "facts_of", "from_json", "options_of", "to_json"]

VERSION = 1
_MARK = "ssd_planner_scenario"
_LARGEST = 1 << 20

Options = dict[str, str | list[str]]


def options_of(readings: Sequence[Reading]) -> Options:
    """Return the options that files supply: the last reading of the one drive, and workloads.

    Host writes are the mean over power-on time, the only clock that a single reading has; what a
    workload says goes before them. Raises ValueError for several drives.
    """
    drives = [one for reading in readings for one in reading.drives]
    if len({(one.model, one.identity) for one in drives}) > 1:
        raise ValueError("the files are of several drives, and a scenario is of one")
    found = _of_drive(drives[-1]) if drives else Options()
    for reading in readings:
        if reading.workload is not None:
            found.update(reading.workload.plan_options())
    return found


def facts_of(drive: Drive, *, known: Drive) -> dict[str, str]:
    """Return the facts of a drive that another record of it lacks, as `--fact` takes them.

    >>> from planner.catalogue.drive import own_drive, with_user_facts
    >>> mine = own_drive(480e9)
    >>> facts_of(with_user_facts(mine, erase_s=0.004, dies=8), known=mine)
    {'erase_s': 'erase_s=4.0 ms', 'dies': 'dies=8.0'}
    """
    fresh = {
        name: fact.value for name, fact in drive.facts.items() if known.facts.get(name) != fact
    }
    return {
        name: f"{name}={shown(name, value)!r}{_unit(name)}"
        for name, value in fresh.items()
        if isinstance(value, float)
    }


def _unit(name: str) -> str:
    unit = QUANTITIES[name].shown_in
    return "" if unit == "1" else f" {unit}"


def to_json(options: Mapping[str, str | list[str]], fitted: Mapping[str, Any] | None = None) -> str:
    """Write a scenario file.

    >>> from_json(to_json({"writes": "50 GiB/day"}))
    {'writes': '50 GiB/day'}
    """
    scenario = {_MARK: VERSION, "options": dict(options)}
    found = {} if fitted is None else {"fitted": dict(fitted)}
    return json.dumps(scenario | found, indent=2, ensure_ascii=False)


def from_json(text: str) -> Options:
    """Read a scenario file; raise ValueError with what is wrong with it."""
    try:
        value = json.loads(text) if len(text) <= _LARGEST else None
    except (ValueError, RecursionError):
        raise ValueError("is no JSON") from None
    if not isinstance(value, dict) or value.get(_MARK) != VERSION:
        raise ValueError(f'is no scenario: "{_MARK}": {VERSION} is missing')
    options = value.get("options")
    if not isinstance(options, dict):
        raise ValueError('holds no "options"')  # noqa: TRY004 - of a file, not of an argument
    for name, written in options.items():
        parts = written if isinstance(written, list) else [written]
        if not all(isinstance(part, str) for part in parts):
            raise ValueError(f"option {quoted(name)} must be a text, or a list of them")
    return options


def _of_drive(drive: DriveReading) -> Options:
    found: Options = {}
    if drive.drive_id is not None:
        found["drive"] = load().drives[drive.drive_id].name
    elif drive.user_bytes is not None and drive.user_bytes.value > 0:
        found["capacity"] = f"{drive.user_bytes.value / GB:.12g} GB"
    host, hours = drive.host_bytes, drive.power_on_s
    if _positive(host) and _positive(hours) and host and hours:
        found["writes"] = f"{host.value / GB / (hours.value / DAY_S):.6g} GB/day"
    if _positive(drive.wa) and drive.wa:
        found["wa"] = f"{drive.wa.value:.6g}"
    return found


def _positive(number: Observed | None) -> bool:
    return number is not None and number.value > 0
