"""Names of the columns of tables of drives, as monitors and exporters write them."""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from models.units import HOUR_S

_DATA_UNIT_BYTES = 512_000.0  # NVM Command Set: 1,000 sectors of 512 bytes
_PER_SECOND = 1 / HOUR_S
# The columns that are read, each with its names and the number of its units in one of theirs.
NAMES: Mapping[str, Mapping[str, float]] = {
    "date": dict.fromkeys(("date", "time", "timestamp", "datetime"), 1.0),
    "serial": dict.fromkeys(("serial", "serial_number", "serial_no"), 1.0),
    "model": dict.fromkeys(("model", "model_name", "device_model", "model_number"), 1.0),
    "site": dict.fromkeys(("site", "datacenter", "data_center"), 1.0),
    "capacity_bytes": dict.fromkeys(
        ("capacity_bytes", "user_bytes", "user_capacity_bytes", "smartctl_device_capacity_bytes"),
        1.0,
    ),
    "host_bytes": {
        "host_bytes": 1.0, "host_written_bytes": 1.0, "host_bytes_written": 1.0,
        "bytes_written": 1.0, "smartctl_device_bytes_written": 1.0,
        "ssd_drive_host_written_bytes": 1.0, "data_units_written": _DATA_UNIT_BYTES,
        "nvme_data_units_written_total": _DATA_UNIT_BYTES,
    },
    "flash_bytes": dict.fromkeys(
        ("flash_bytes", "flash_written_bytes", "nand_bytes_written",
         "physical_media_units_written", "ssd_drive_flash_written_bytes"), 1.0,
    ),
    "percent_used": {
        "percent_used": 1.0, "percentage_used": 1.0, "smartctl_device_percentage_used": 1.0,
        "percentage_used_endurance_indicator": 1.0, "nvme_percentage_used_ratio": 100.0,
        "ssd_drive_life_used_ratio": 100.0,
    },
    "power_on_hours": {
        "power_on_hours": 1.0, "nvme_power_on_hours_total": 1.0,
        "power_on_seconds": _PER_SECOND, "smartctl_device_power_on_seconds": _PER_SECOND,
    },
}  # fmt: skip
COUNTED = ("host_bytes", "percent_used")
_ALIKE, _MUCH_ALIKE = 0.75, 0.8  # of names, in refusals and in remarks
_MISSING = "the column date, or both of host_bytes and percent_used, are missing; it has"
_SHOWN = 8


class KnownColumn(NamedTuple):
    """The name of a column in a file, and the factor from its unit."""

    name: str
    scale: float


def called(columns: Sequence[str]) -> dict[str, KnownColumn]:
    """Return each known column of a file.

    >>> called(["Time", "Serial Number", "data_units_written"])["host_bytes"]
    KnownColumn(name='data_units_written', scale=512000.0)
    """
    plain = {_plain(column): column for column in reversed(columns)}
    found = {
        known: next(
            (KnownColumn(plain[name], scale) for name, scale in names.items() if name in plain),
            None,
        )
        for known, names in NAMES.items()
    }
    return {known: column for known, column in found.items() if column is not None}


def _plain(column: str) -> str:
    """Return a name in small letters, with underscores between its words."""
    return re.sub(r"[\s.\-]+", "_", column.strip().casefold())


def is_backblaze(columns: Sequence[str]) -> bool:
    """Whether columns are those of the daily table of Backblaze."""
    return {"date", "serial_number", "model", "failure"} <= set(columns) and any(
        column.startswith("smart_") for column in columns
    )


def is_table(columns: Sequence[str]) -> bool:
    """Whether columns are those of a table of drives, or would be but for those that count.

    >>> is_table(["date", "serial"]), is_table(["vendor", "price"])
    (True, False)
    """
    names = set(called(columns))
    named = {"date", "serial"} <= names or {"date", "model"} <= names
    return named or len(names & {"date", *COUNTED}) >= 2 or is_backblaze(columns)


def wanted(columns: Sequence[str]) -> list[str]:
    """Return the columns of a file that are read."""
    known = [column.name for column in called(columns).values()]
    smart = [name for name in columns if name == "failure" or name.startswith("smart_")]
    return known + (smart if is_backblaze(columns) else [])


def lacking(columns: Sequence[str]) -> str:
    """Name the columns that a table lacks, and the nearest known names; empty if none lacks.

    >>> lacking(["date", "host_bytez"]).partition("; ")[2]
    "it has 'date', 'host_bytez' (did you mean host_bytes?)"
    """
    known = called(columns)
    if "date" in known and (is_backblaze(columns) or set(known) & set(COUNTED)):
        return ""
    listed = ", ".join(repr(name[:40]) + _meant(name, known) for name in columns[:_SHOWN])
    return f"{_MISSING} {listed}{', ...' if len(columns) > _SHOWN else ''}"


def unread(columns: Sequence[str]) -> list[str]:
    """Name the columns that are not read although their names are nearly known.

    >>> unread(["date", "host_bytes", "percent_usd"])
    ["the column 'percent_usd' is not read (did you mean percent_used?)"]
    """
    known = called(columns)
    near = ((name, _meant(name, known, _MUCH_ALIKE)) for name in columns[:1000])
    return [f"the column {name[:40]!r} is not read{meant}" for name, meant in near if meant]


def _meant(column: str, known: Mapping[str, KnownColumn], alike: float = _ALIKE) -> str:
    """Return the nearest name of a column that the file does not have."""
    absent = [name for one, names in NAMES.items() if one not in known for name in names]
    plain = _plain(column)[:80]
    if any(plain in names for names in NAMES.values()):
        return ""
    near = get_close_matches(plain, absent, 1, alike)
    return f" (did you mean {near[0]}?)" if near else ""
