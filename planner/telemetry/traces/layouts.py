"""Layouts of block traces in text: columns, units, and patterns of the first line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from planner.telemetry.record import Refused

READ, WRITE, TRIM, SKIP = range(4)

_WORDS: Mapping[str, int] = {
    "read": READ, "r": READ, "rs": READ, "ra": READ, "0": READ,
    "write": WRITE, "w": WRITE, "ws": WRITE, "1": WRITE,
    "trim": TRIM, "discard": TRIM, "unmap": TRIM, "d": TRIM, "t": TRIM, "2": TRIM,
    "flush": SKIP, "f": SKIP, "sync": SKIP, "datasync": SKIP, "sync_file_range": SKIP,
    "n": SKIP, "add": SKIP, "open": SKIP, "close": SKIP, "wait": SKIP,
}  # fmt: skip
_MQSIM: Mapping[str, int] = {"0": WRITE, "1": READ}


@dataclass(frozen=True, slots=True)
class TraceColumn:
    """Position of a column in a line, and its unit in seconds or bytes."""

    place: int
    unit: float = 1.0
    is_whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceLayout:
    """A format: its columns, and a pattern of its first line.

    Attributes:
        delimiter: Separator of fields; a blank means any run of blanks.
        width: Number of fields in a line; 0 if lines differ, and further fields are ignored.
        time: Column with its unit in seconds; None for a trace without times.
        offset: Column of the offset, with its unit in bytes.
        size: Column of the size, with its unit in bytes.
        kind: Position of the field for read, write or trim.
        volumes: Positions of the fields that name the volume.
        codes: Positions of fields that give volume or kind as a whole number.
        letters: Letters for read, write and trim, in this order, if no other field contains
            letters: they are replaced by 0, 1, 2 before parsing, which is faster.
        only: Position and value of a field that a line must have to be used, such as the action of
            blkparse.
    """

    name: str
    looks_like: re.Pattern[bytes]
    offset: TraceColumn
    size: TraceColumn
    kind: int
    time: TraceColumn | None = None
    delimiter: str = ","
    width: int = 0
    volumes: tuple[int, ...] = ()
    words: Mapping[str, int] = field(default_factory=lambda: _WORDS)
    only: tuple[int, str] | None = None
    header_lines: int = 0
    codes: tuple[int, ...] = ()
    letters: bytes = b""

    @property
    def places(self) -> tuple[int, ...]:
        """Positions of the fields that are read, in order."""
        own = [self.offset.place, self.size.place, self.kind, *self.volumes]
        own += [self.time.place] if self.time else []
        own += [self.only[0]] if self.only else []
        return tuple(sorted(set(own)))


def _pattern(text: str) -> re.Pattern[bytes]:
    return re.compile(text.encode(), re.IGNORECASE)


_INT = r"\s*-?\d+\s*"  # a sign is refused later, with its field
LAYOUTS: tuple[TraceLayout, ...] = (
    TraceLayout(
        name="fio iolog v3",
        looks_like=_pattern(r"fio version 3 iolog\s*$"),
        delimiter=" ",
        time=TraceColumn(0, 1e-6),
        volumes=(1,),
        kind=2,
        offset=TraceColumn(3),
        size=TraceColumn(4),
        header_lines=1,
    ),
    TraceLayout(
        name="fio iolog v2",
        looks_like=_pattern(r"fio version 2 iolog\s*$"),
        delimiter=" ",
        volumes=(0,),
        kind=1,
        offset=TraceColumn(2),
        size=TraceColumn(3),
        header_lines=1,
    ),
    TraceLayout(
        name="blkparse text",
        looks_like=_pattern(r"\s*\d+,\d+\s+\d+\s+\d+\s+\d+\.\d+\s+\d+\s+[A-Z]+\s"),
        delimiter=" ",
        volumes=(0,),
        time=TraceColumn(3, 1.0, is_whole=False),
        only=(5, "Q"),
        kind=6,
        offset=TraceColumn(7, 512),
        size=TraceColumn(9, 512),
    ),
    TraceLayout(
        name="MSR Cambridge",
        looks_like=_pattern(rf"{_INT},[^,]*,{_INT},\s*(read|write)\s*,{_INT},{_INT},{_INT}$"),
        width=7,
        time=TraceColumn(0, 1e-7),
        volumes=(2,),  # the host name, the same in all lines of a file, is not read
        codes=(2,),
        kind=3,
        offset=TraceColumn(4),
        size=TraceColumn(5),
    ),
    TraceLayout(
        name="Alibaba",
        codes=(0,),
        letters=b"RWD",
        looks_like=_pattern(rf"{_INT},\s*[RWD]\s*,{_INT},{_INT},{_INT}$"),
        width=5,
        volumes=(0,),
        kind=1,
        offset=TraceColumn(2),
        size=TraceColumn(3),
        time=TraceColumn(4, 1e-6),
    ),
    TraceLayout(
        name="SPC",
        codes=(0,),
        letters=b"RWD",
        looks_like=_pattern(rf"{_INT},{_INT},{_INT},\s*[RW]\s*,\s*\d+(\.\d+)?\s*$"),
        width=5,
        volumes=(0,),
        offset=TraceColumn(1, 512),
        size=TraceColumn(2),
        kind=3,
        time=TraceColumn(4, 1.0, is_whole=False),
    ),
    TraceLayout(
        name="Tencent CBS",
        codes=(3, 4),
        looks_like=_pattern(rf"{_INT},{_INT},{_INT},\s*[01]\s*,{_INT}$"),
        width=5,
        time=TraceColumn(0),
        offset=TraceColumn(1, 512),
        size=TraceColumn(2, 512),
        kind=3,
        volumes=(4,),
    ),
    TraceLayout(
        name="MQSim ASCII",
        codes=(1, 4),
        looks_like=_pattern(r"\s*(-?\d+[ \t]+){4}[01]\s*$"),
        delimiter=" ",
        width=5,
        time=TraceColumn(0, 1e-9),
        volumes=(1,),
        offset=TraceColumn(2, 512),
        size=TraceColumn(3, 512),
        kind=4,
        words=_MQSIM,
    ),
)

# Column names of a plain CSV file by meaning; a name may end in a unit.
_HEADS = {
    "time": ("time", "timestamp", "ts", "arrival", "arrival_time", "start_time"),
    "kind": ("op", "type", "rw", "opcode", "io_type", "iotype", "operation", "direction", "ddir"),
    "offset": ("offset", "lba", "sector", "address", "addr", "start", "position", "block"),
    "size": ("size", "length", "len", "bytes", "nbytes", "io_size", "count", "sectors"),
    "volume": ("volume", "device", "disk", "dev", "vol", "device_id", "volume_id", "namespace"),
}
_UNITS = {
    "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "bytes": 1.0, "b": 1.0, "sectors": 512.0,
    "kib": 1024.0, "kb": 1024.0, "mib": 1024.0**2, "pages": 4096.0,
}  # fmt: skip
_SECTORS = ("lba", "sector", "sectors", "block")


def detect(head: bytes) -> TraceLayout:
    """Return the layout detected from the first lines of a file, or raise `Refused`.

    >>> detect(b"128166372003061629,usr,0,Read,10,512,41286").name
    'MSR Cambridge'
    >>> detect(b"time_us,op,offset,size").name
    'CSV with named columns'
    """
    lines = [line for line in head.lstrip(b"\xef\xbb\xbf").splitlines() if line.strip()][:20]
    if not lines:
        raise Refused("line 1", "the file contains no line of text")
    for layout in LAYOUTS:
        if layout.looks_like.match(lines[0].rstrip()):
            return _counting_once(layout, head)
    found = _from_heads(lines[0])
    if found is not None:
        return found
    raise Refused("line 1", f"not a known block trace; known are {', '.join(_names())}")


def named(name: str, head: bytes) -> TraceLayout:
    """Return the layout called `name`; that of a plain CSV file from its column names."""
    for layout in LAYOUTS:
        if layout.name.casefold().startswith(name.casefold().strip()):
            return _counting_once(layout, head)
    if name.casefold().strip() in ("csv", "csv with named columns"):
        lines = head.lstrip(b"\xef\xbb\xbf").splitlines()
        found = _from_heads(lines[0]) if lines else None
        if found is not None:
            return found
        raise Refused("line 1", "the column names must include an op, an offset and a size")
    raise Refused("line 1", f"format must be one of {', '.join(_names())}, not {name!r}")


def _names() -> list[str]:
    return [*(layout.name for layout in LAYOUTS), "CSV with named columns"]


def _counting_once(layout: TraceLayout, head: bytes) -> TraceLayout:
    """Return a layout that counts each request once: when queued, else issued, else completed."""
    if layout.only is None:
        return layout
    place = layout.only[0]
    fields = [line.split() for line in head.splitlines()]
    seen = {row[place] for row in fields if len(row) > place + 1}
    action = next((name for name in (b"Q", b"D", b"C") if name in seen), b"Q")
    return replace(layout, only=(place, action.decode()))


def _from_heads(line: bytes) -> TraceLayout | None:
    heads = [_bare(text) for text in line.decode("latin-1").split(",")]
    places: dict[str, tuple[int, float]] = {}
    for role, names in _HEADS.items():
        for place, head in enumerate(heads):
            name, unit = _split_unit(head, names)
            if name is not None and role not in places:
                places[role] = (place, _unit(role, name, unit))
    if not {"kind", "offset", "size"} <= set(places):
        return None
    return TraceLayout(
        name="CSV with named columns",
        looks_like=_pattern(""),
        width=len(heads),
        time=TraceColumn(*places["time"], is_whole=False) if "time" in places else None,
        offset=TraceColumn(*places["offset"]),
        size=TraceColumn(*places["size"]),
        kind=places["kind"][0],
        volumes=(places["volume"][0],) if "volume" in places else (),
        header_lines=1,
    )


def _bare(head: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", head.strip().strip('"').lower()).strip("_")


def _split_unit(head: str, names: tuple[str, ...]) -> tuple[str | None, str]:
    """Split a column name into name and unit: "offset_bytes", "time [us]"."""
    if head in names:
        return head, ""
    name, _, unit = head.rpartition("_")
    return (name, unit) if name in names and unit in _UNITS else (None, "")


def _unit(role: str, name: str, unit: str) -> float:
    if unit:
        return _UNITS[unit]
    return 512.0 if role in ("offset", "size") and name in _SECTORS else 1.0
