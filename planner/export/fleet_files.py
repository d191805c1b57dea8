"""A fleet as files for other programs: tables, a workbook, Prometheus, Home Assistant."""

import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from planner.export.fleet_tables import drive_columns, drive_names, ends_at_s
from planner.export.tables import to_csv
from planner.forecast.fleet import Fleet
from planner.forecast.fleet.readings import Floats
from planner.forecast.fleet.rollup import wa_of
from planner.quantity.door.tables import parquet

_ENDS = ("early", "middle", "late")
# What Home Assistant shows of each drive: name, class, unit.
_SENSORS = {
    "early": ("End of life, early", "date", None),
    "middle": ("End of life", "date", None),
    "late": ("End of life, late", "date", None),
    "points_used": ("Life used", None, "%"),
}


def table(fleet: Fleet, path: Path) -> bytes:
    """Write a row for each drive in the format that the name of a file says.

    Raises:
        ValueError: If the name has no known ending.
    """
    writer = TABLES.get(path.suffix)
    if writer is None:
        raise ValueError(f"--output must end in {', '.join(TABLES)}, got '{path.name}'")
    columns = drive_columns(fleet)
    columns["anomalies"] = [
        "; ".join(f"{one['kind']}: {one['done']}" for one in each) for each in columns["anomalies"]
    ]
    return writer(columns)


def _csv(columns: Mapping[str, list[Any]]) -> bytes:
    rows = zip(*columns.values(), strict=True)
    return to_csv([dict(zip(columns, row, strict=True)) for row in rows])


def _xlsx(columns: Mapping[str, list[Any]]) -> bytes:
    """Write the drives as values, and the sums by model as formulas over them."""
    from planner.export.workbook.file import Book  # noqa: PLC0415 - slow to import

    out = io.BytesIO()
    with Book(out) as book:
        sums, drives = book.add_worksheet("Models"), book.add_worksheet("Drives")
        bold = book.add_format({"bold": True})
        for at, (name, column) in enumerate(columns.items()):
            drives.write_string(0, at, name, bold)
            drives.write_column(1, at, column)
        drives.freeze_panes(1, 1)
        _sums(sums, bold, columns)
    return out.getvalue()


def _sums(sheet: Any, bold: Any, columns: Mapping[str, list[Any]]) -> None:
    names, last = [*columns], len(columns["drive"]) + 1
    letter = {name: chr(ord("A") + at) for at, name in enumerate(names)}
    summed = ("host_bytes", "flash_bytes", "written_bytes", "host_bytes_per_s")
    for at, name in enumerate(("model", "drives", *summed)):
        sheet.write_string(0, at, name, bold)
    models = np.array(columns["model"], dtype=object)
    for row, model in enumerate(sorted(set(columns["model"])), 1):
        mine = models == model
        sheet.write_string(row, 0, model)
        of = f"Drives!${letter['model']}$2:${letter['model']}${last}"
        sheet.write_formula(row, 1, f"=COUNTIF({of},$A{row + 1})", value=int(mine.sum()))
        for at, name in enumerate(summed, 2):
            column = f"Drives!${letter[name]}$2:${letter[name]}${last}"
            cells = np.array(columns[name], float)[mine]
            formula = f"=SUMIF({of},$A{row + 1},{column})"
            sheet.write_formula(row, at, formula, value=float(np.nansum(cells)))


TABLES: Mapping[str, Callable[[Mapping[str, list[Any]]], bytes]] = {
    ".csv": _csv,
    ".parquet": parquet,
    ".xlsx": _xlsx,
}


def prometheus(fleet: Fleet) -> bytes:
    """Return the text exposition, for the textfile collector of node_exporter."""
    histories, dates = fleet.histories, fleet.dates
    labels = [
        _labels(drive=name, model=drive.model, site=drive.site)
        for name, drive in zip(drive_names(fleet), histories.drives, strict=True)
    ]
    lines = [*_head("ssd_drive_life_end_timestamp_seconds", "When the rated life is used up.")]
    for end in _ENDS:
        ends = ends_at_s(fleet, getattr(dates, f"{end}_s"))
        lines += _samples("ssd_drive_life_end_timestamp_seconds", labels, ends, end=end)
    if not histories.is_dated.all():
        lines += _head("ssd_drive_life_left_seconds", "Time to the end, of drives without a clock.")
        for end in _ENDS:
            left = np.where(histories.is_dated, np.nan, getattr(dates, f"{end}_s"))
            lines += _samples("ssd_drive_life_left_seconds", labels, left, end=end)
    for name, what, column in (
        ("ssd_drive_life_used_ratio", "Rated life used.", histories.points / 100),
        ("ssd_drive_host_written_bytes", "Host writes over the life.", histories.life_host_bytes),
        ("ssd_drive_flash_written_bytes", "Flash writes over the life.", histories.flash_bytes),
        ("ssd_drive_write_amplification_ratio", "Flash over host writes.", wa_of(histories)[0]),
    ):
        lines += [*_head(name, what), *_samples(name, labels, column)]
    lines += _head("ssd_fleet_orders", "Drives expected to reach the end of life in a month.")
    lines += [
        f"ssd_fleet_orders{{{_labels(month=month.month)}}} {month.expected!r}"
        for month in fleet.orders
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def _head(name: str, what: str) -> list[str]:
    return [f"# HELP {name} {what}", f"# TYPE {name} gauge"]


def _samples(name: str, labels: list[str], column: Floats, **more: str) -> Iterator[str]:
    extra = "".join(f",{_labels(**{key: text})}" for key, text in more.items())
    for label, value in zip(labels, column.tolist(), strict=True):
        if np.isfinite(value):
            yield f"{name}{{{label}{extra}}} {value!r}"


def _labels(**labels: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}
    return ",".join(
        f'{name}="{"".join(escapes.get(letter, letter) for letter in text)}"'
        for name, text in labels.items()
    )


def home_assistant(fleet: Fleet) -> bytes:
    """Return messages of MQTT discovery and their states, as JSON of topic to payload."""
    messages: dict[str, Any] = {}
    columns = drive_columns(fleet)
    for at, name in enumerate(columns["drive"]):
        node = f"ssd_{hashlib.sha256(name.encode()).hexdigest()[:12]}"
        state = f"ssd-planner/{node}"
        device = {"identifiers": [node], "name": name, "model": columns["model"][at]}
        for sensor, (label, kind, unit) in _SENSORS.items():
            messages[f"homeassistant/sensor/{node}/{sensor}/config"] = {
                "name": label, "unique_id": f"{node}_{sensor}", "state_topic": state,
                "value_template": f"{{{{ value_json.{sensor} }}}}", "device": device,
                **({"device_class": kind} if kind else {}),
                **({"unit_of_measurement": unit} if unit else {}),
            }  # fmt: skip
        messages[state] = {sensor: columns[sensor][at] for sensor in _SENSORS}
    return f"{json.dumps(messages, indent=2, ensure_ascii=False)}\n".encode()
