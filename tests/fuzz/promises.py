"""What must hold of whatever is read: checked on every input, whatever it is.

Each check raises `BrokenError` with one sentence; other exceptions come from the code itself.
"""

import functools
import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from io import BytesIO

import numpy as np

from planner.catalogue import find, load
from planner.export.measured_options import options_of
from planner.export.scenario_file import to_json
from planner.export.scenario_reader import from_json
from planner.export.telemetry_tables import fio_rows, reading_rows
from planner.quantity.inputs import INPUTS
from planner.telemetry import DriveReading, FileReading, Observed, as_record, read
from planner.telemetry.fio import FioTest
from planner.telemetry.record import Refused
from planner.telemetry.traces import TraceWorkload, trace
from tests.fuzz.mutation import PACKINGS

__all__ = ["BrokenError", "reading_of", "sentence", "shape", "trace_of"]

LONGEST = 300  # characters of a message, the name of the file not counted
_POSITION = re.compile(r"(byte|line) \d+( column \d+)?|packed bytes|volumes|times")
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # what is packed already is not unpacked twice
_MAY_BE_NEGATIVE = ("little_error", "course")
_MAY_BE_INFINITE = ("low", "high")
_LONGEST_S, _FASTEST_BYTES_PER_S, _MOST_WA = 30 * 366 * 86400, 16e9, 100  # PCIe 5.0, four lanes
_SHARES = ("read_fraction", "trim_share", "sequential_fraction", "sequential_read_fraction",
           "written_once_fraction")  # fmt: skip


class BrokenError(AssertionError):
    """A promise that does not hold."""


def sentence(text: str, *, of: str = "") -> None:
    """Hold that a message is short, one line, and free of control characters."""
    bare = text.removeprefix(of)
    _hold(len(bare) <= LONGEST, f"a message of more than {LONGEST} characters", bare[:80])
    odd = next((c for c in bare if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")), None)
    _hold(odd is None, "a message with a control character", repr(bare[:80]))


def reading_of(
    file: str, data: bytes, *, kind: str | None = None, packing: str = "", again: bool = False
) -> FileReading:
    """Read a file and hold what comes out against what every reading promises.

    With `packing` the packed file must say the same, with `again` a second reading.
    """
    reading = read(file, data, kind=kind)
    json.dumps(as_record(reading), allow_nan=False)
    for note in reading.notes:
        sentence(note)
    if reading.refused is not None:
        _refusal(reading)
    else:
        _hold(bool(reading.drives) or reading.workload is not None, "a reading of nothing")
        for drive in reading.drives:
            _drive(drive)
        if isinstance(reading.workload, FioTest):
            fio_rows(reading.workload)
        _numbers_are_possible(reading.workload)
        _scenario(reading)
    if again:
        _same(reading, read(file, data, kind=kind), "read again")
    if packing and not data.startswith(_PACKED):
        _same(reading, read(file, PACKINGS[packing](data), kind=kind), f"packed by {packing}")
    return reading


def trace_of(data: bytes, layout: str | None = None, *, packing: str = "") -> TraceWorkload | str:
    """Read a trace of a layout and hold it against what every workload promises."""
    packing = "" if data.startswith(_PACKED) else packing
    try:
        workload, writes = trace(BytesIO(data), name=layout)
    except Refused as refused:
        return _position(refused, packing and _trace_or_refusal(data, layout, packing))
    _numbers_are_possible(workload)
    for share in _SHARES:
        _hold(0 <= getattr(workload, share) <= 1 + 1e-9, f"{share} is not a share")
    counts = workload.requests == workload.reads + workload.writes + workload.trims > 0
    _hold(counts, "requests do not add up")
    _hold(math.isclose(sum(workload.write_shares), 1), "write_shares do not add up to 1")
    _hold(math.isclose(sum(workload.page_shares), 1), "page_shares do not add up to 1")
    lifetimes = writes.lives().lifetime
    _hold(lifetimes.size == (~writes.trims).sum(), "a write without a lifetime")
    _hold(bool((lifetimes >= 0).all()), "a negative lifetime")
    for note in workload.notes:
        sentence(note)
    if packing:
        other = _trace_or_refusal(data, layout, packing)
        alike = isinstance(other, TraceWorkload) and _timeless(other) == _timeless(workload)
        _hold(alike, f"otherwise if packed by {packing}", str(other))
    return workload


def shape(outcome: object) -> str:
    """Return what kind of outcome this is: two inputs of one shape teach the same."""
    if isinstance(outcome, FileReading) and outcome.refused is None:
        drives = [
            f"{drive.protocol}{[f.name for f in fields(drive) if getattr(drive, f.name)]}"
            f"{[_masked(u.reason) for u in drive.unused]}{[_masked(n) for n in drive.notes]}"
            for drive in reading_drives(outcome)
        ]
        return f"{drives}{[_masked(note) for note in outcome.notes]}{type(outcome.workload)}"
    if isinstance(outcome, FileReading):
        return _masked(outcome.refused or "")
    if isinstance(outcome, TraceWorkload):
        present = [f.name for f in fields(outcome) if getattr(outcome, f.name)]
        return f"{present}{[_masked(note) for note in outcome.notes]}"
    return _masked(str(outcome)[:500])


def reading_drives(reading: FileReading) -> Sequence[DriveReading]:
    """The first drives of a reading, which are enough to tell readings apart."""
    return reading.drives[:3]


def _masked(text: str) -> str:
    return re.sub(r"'[^']*'|\d[\d.,]*|[^ -~]+", "#", text)


def _hold(condition: bool, what: str, detail: str = "") -> None:
    if not condition:
        raise BrokenError(f"{what}: {detail}" if detail else what)


def _refusal(reading: FileReading) -> None:
    refused, file = reading.refused or "", f"{reading.file}: "
    _hold(refused.startswith(file), "a refusal does not begin with the file", refused[:80])
    place = refused.removeprefix(file).partition(": ")[0]
    _hold(_POSITION.fullmatch(place) is not None, "a refusal names no position", place[:80])
    _hold(reading.drives == () and reading.workload is None, "a refused file holds something")
    sentence(refused, of=file)


def _drive(drive: DriveReading) -> None:
    for field in fields(drive):
        value = getattr(drive, field.name)
        if isinstance(value, Observed):
            inside = 0 <= value.low <= value.value <= value.high and math.isfinite(value.value)
            _hold(inside, f"{field.name} is impossible", str(value)[:120])
            _hold(bool(value.field), f"{field.name} names no field")
    _physics(drive)
    _hold(drive.read_at_s is None or math.isfinite(drive.read_at_s), "read_at_s is not finite")
    for note in drive.notes:
        sentence(note)
    for unused in drive.unused:
        sentence(unused.reason)
    reading_rows(drive)


def _physics(drive: DriveReading) -> None:
    """Hold a reading against what no drive does, whatever its interface."""
    host, on, wa = drive.host_bytes, drive.power_on_s, drive.wa
    longest_s = on.high if on else _LONGEST_S
    _hold(on is None or on.value <= _LONGEST_S, "power-on time is longer than any drive has run")
    if host is not None:
        _hold(host.low <= _FASTEST_BYTES_PER_S * longest_s, "host writes are faster than any link")
    _hold(
        wa is None or wa.low <= _MOST_WA, "write amplification is above any drive's", f"{wa}"[:99]
    )


def _scenario(reading: FileReading) -> None:
    """Hold that what `read --save` writes can be read back, option by option."""
    try:
        options = options_of([reading])
    except ValueError as error:
        sentence(str(error))
        return
    _hold(from_json(to_json(options)) == options, "a saved scenario reads back otherwise")
    for name, text in options.items():
        if name == "drive":
            _hold(_found(str(text)) == text, "a saved drive is not in the catalogue", str(text))
        else:
            INPUTS[name].value(text)


@functools.cache
def _found(name: str) -> str:
    return find(load(), name).name


def _position(refused: Refused, packed: object) -> str:
    _hold(_POSITION.fullmatch(refused.position) is not None, "no position", refused.position[:80])
    sentence(str(refused))
    if packed and not str(packed).startswith("packed bytes"):
        _hold(str(packed) == str(refused), "otherwise if packed", f"{refused} / {packed}"[:200])
    return str(refused)


def _trace_or_refusal(data: bytes, layout: str | None, packing: str) -> TraceWorkload | str:
    try:
        return trace(BytesIO(PACKINGS[packing](data)), name=layout).workload
    except Refused as refused:
        return str(refused)


def _same(one: FileReading, other: FileReading, when: str) -> None:
    _hold(one.kind == other.kind, f"another format if {when}", f"{one.kind!r}, {other.kind!r}")
    if one.refused != other.refused:
        raise BrokenError(f"otherwise if {when}: {one.refused!r} / {other.refused!r}"[:400])
    _hold(one.drives == other.drives, f"other drives if {when}")
    same = _timeless(one.workload) == _timeless(other.workload)
    _hold(same, f"another workload if {when}")


def _timeless(workload: object) -> object:
    """Leave out how fast a trace was read."""
    return replace(workload, lines_per_s=0) if isinstance(workload, TraceWorkload) else workload


def _numbers_are_possible(value: object) -> None:
    for path, number in _numbers(value):
        names = path.split(".")
        finite = math.isfinite(number) or (number > 0 and names[-1] in _MAY_BE_INFINITE)
        _hold(finite, f"{path} is {number}")
        _hold(number >= 0 or bool({*names} & {*_MAY_BE_NEGATIVE}), f"{path} is negative: {number}")


def _numbers(value: object, path: str = "") -> Iterator[tuple[str, float]]:
    """Every number of a record of records, with the names that lead to it."""
    if isinstance(value, int | float | np.generic) and not isinstance(value, bool):
        yield path, float(value)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _numbers(getattr(value, field.name), f"{path}.{field.name}".strip("."))
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _numbers(key, path)
            yield from _numbers(part, path)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part, path)
