"""Convert lines of a trace into arrays of requests, with all fields checked."""

import math
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from planner.telemetry.record import Refused
from planner.telemetry.traces.columns import FieldError, columns_of
from planner.telemetry.traces.layouts import SKIP, TRIM, TraceLayout, detect, named
from planner.telemetry.traces.stream import Lines, blocks, head_of

LARGEST_REQUEST = 1 << 30
FURTHEST = 1 << 53
LONGEST_S = 50 * 365 * 86400.0
OVERTAKEN_S = 1.0  # largest step back in time of lines that are in order of completion
MOST_VOLUMES = 1 << 20


class Requests(NamedTuple):
    """Requests in the order of the file; times are seconds since the first request.

    `names` are the names of all volumes so far, in the order of their numbers.
    """

    time_s: NDArray[np.float64] | None
    offset_bytes: NDArray[np.int64]
    size_bytes: NDArray[np.int64]
    kind: NDArray[np.uint8]
    volume: NDArray[np.int64]
    lines: int
    names: Mapping[object, int] = MappingProxyType({})


class Volumes(dict[object, int]):
    """Volumes of a trace, numbered in the order of their appearance."""

    def numbers(self, names: list[object]) -> list[int]:
        """Return the numbers of some volumes."""
        numbers = [self.setdefault(name, len(self)) for name in names]
        if len(self) > MOST_VOLUMES:
            raise Refused("volumes", f"are more than {MOST_VOLUMES}")
        return numbers


def requests_of(
    stream: BinaryIO, *, layout: TraceLayout | None = None, notes: list[str] | None = None
) -> Iterator[Requests]:
    """Yield the requests of a trace block by block.

    A truncated last line is left out with a note; any other malformed line raises `Refused` with
    its number. Times that step back by more than reordering explains are noted, as the span and
    the rates depend on them.
    """
    layout = layout or detect(head_of(stream))
    notes = [] if notes is None else notes
    reader, back = _Reader(layout, notes), _StepsBack()
    for lines in blocks(stream, skip=layout.header_lines):
        requests = reader.read(lines)
        if requests is not None:
            back.add(requests)
            yield requests
    notes.extend(back.notes())


def layout_of(stream: BinaryIO, name: str | None = None) -> TraceLayout:
    """Return the layout of a trace: the one named, or detected."""
    head = head_of(stream)
    return named(name, head) if name else detect(head)


class _StepsBack:
    """Steps back in time from line to line, which a single recording hardly has."""

    def __init__(self) -> None:
        self.last_s, self.lines, self.most_s = -math.inf, 0, 0.0

    def add(self, requests: Requests) -> None:
        """Add a block of requests."""
        if requests.time_s is None or not requests.time_s.size:
            return
        steps = -np.diff(requests.time_s, prepend=self.last_s)
        self.last_s = float(requests.time_s[-1])
        self.lines += int(np.count_nonzero(steps > OVERTAKEN_S))
        self.most_s = max(self.most_s, float(steps.max()))

    def notes(self) -> list[str]:
        """Return a note on their number and size, if there are any."""
        if not self.lines:
            return []
        where = "1 line" if self.lines == 1 else f"{self.lines:,} lines"
        note = (
            f"Times step back at {where}, by up to {self.most_s:.3g} s: if the file contains "
            "several recordings, its rates and its span are wrong."
        )
        return [note]


class _Reader:
    """Converter of blocks, which keeps the time of the first request and the volumes."""

    def __init__(self, layout: TraceLayout, notes: list[str]) -> None:
        self.layout, self.notes = layout, notes
        self.start: float | int | None = None
        self.volumes = Volumes()
        self.careful = False

    def read(self, lines: Lines) -> Requests | None:
        """Return the requests of some lines; a malformed line is located by bisection."""
        try:
            return self._convert(lines.data)
        except (ValueError, ArithmeticError) as error:
            if isinstance(error, Refused):
                raise
            self.careful = True
            at, line, reason = self._culprit(lines)
            if lines.is_open or (not line.endswith(b"\n") and b"\n" not in lines.data[at:]):
                self.notes.append(f"line {self._number(lines, at)}: is truncated and left out")
                return self.read(Lines(lines.data[:at], lines.first, is_open=False)) if at else None
            raise Refused(f"line {self._number(lines, at)}", reason) from None

    @staticmethod
    def _number(lines: Lines, at: int) -> int:
        return lines.first + lines.data[:at].count(b"\n")

    def _culprit(self, lines: Lines) -> tuple[int, bytes, str]:
        """Return position, text and fault of the first malformed line."""
        rows = lines.data.splitlines(keepends=True)
        low, high = 0, len(rows)
        while high - low > 1:
            middle = (low + high) // 2
            if self._fault(b"".join(rows[low:middle])) is None:
                low = middle
            else:
                high = middle
        line = rows[low]
        fault = self._fault(line) or "does not fit the lines before it"
        return sum(map(len, rows[:low])), line, fault

    def _fault(self, data: bytes) -> str | None:
        if not data.strip():
            return None
        try:
            self._convert(data)
        except (ValueError, ArithmeticError) as error:
            return _plain(error)
        return None

    def _convert(self, data: bytes) -> Requests:
        columns = columns_of(data, self.layout, careful=self.careful)
        layout = self.layout
        kind = self._kinds(columns[layout.kind])
        kept = kind != SKIP
        if layout.only is not None:
            kept &= np.asarray(columns[layout.only[0]] == layout.only[1], bool)
            kept &= ~pd.isna(columns[layout.size.place])  # a flush has none
        everything = bool(kept.all())
        pick: Any = slice(None) if everything else kept
        offset = self._whole(columns[layout.offset.place], pick, "offset", layout.offset.unit)
        size = self._whole(columns[layout.size.place], pick, "size", layout.size.unit)
        if size.size and int(size.max()) > LARGEST_REQUEST:
            self._large(size, kind[pick])
        if offset.size and int((offset + size).max()) > FURTHEST:
            raise FieldError(f"offset {int(offset.max())} is beyond 8 PiB")
        return Requests(
            time_s=self._times(columns, pick),
            offset_bytes=offset,
            size_bytes=size,
            kind=kind[pick],
            volume=self._volumes(columns, pick, offset.size),
            lines=kind.size,
            names=self.volumes,
        )

    @staticmethod
    def _large(size: NDArray[np.int64], kind: NDArray[np.uint8]) -> None:
        worst = int(np.max(size, where=kind != 2, initial=0))
        if worst > LARGEST_REQUEST:
            raise FieldError(f"size {worst} is more than 1 GiB")

    def _kinds(self, column: NDArray[Any]) -> NDArray[np.uint8]:
        """Convert the words for reads and writes into codes."""
        if column.dtype.kind == "i" and column.size and 0 <= column.min() <= column.max() <= TRIM:
            codes: NDArray[np.int64] = column
            words: list[object] = list(range(int(column.max()) + 1))
        else:
            codes, words = _factors(column)
        table = np.array([self._kind(word) for word in words], np.uint8)
        return np.asarray(table[codes], np.uint8)

    def _kind(self, word: object) -> int:
        text = str(word).strip(" \t\"'").lower()
        code = SKIP if word is None else self.layout.words.get(text)
        if code is None and self.layout.only is not None:
            code = _rwbs(text)
        if code is None:
            raise FieldError(f"{str(word)[:40]!r} is not a read, write or trim")
        return code

    def _whole(self, column: Any, pick: Any, name: str, unit: float) -> NDArray[np.int64]:
        values = _numbers(column, pick, name)
        if values.dtype.kind == "f":
            if values.size and not np.abs(values).max() < FURTHEST:  # nor NaN
                raise FieldError(f"{name} is not a whole number up to 8 PiB")
            if np.any(values % 1):
                raise FieldError(f"{name} is not a whole number")
            values = values.astype(np.int64)
        if values.size and int(values.min()) < 0:
            raise FieldError(f"{name} {int(values.min())} is negative")
        if values.size and int(values.max()) > FURTHEST / unit:
            raise FieldError(f"{name} {int(values.max())} is beyond 8 PiB")
        return values * np.int64(unit) if unit != 1 else values

    def _times(self, columns: dict[int, Any], pick: Any) -> NDArray[np.float64] | None:
        time = self.layout.time
        if time is None:
            return None
        values = _numbers(columns[time.place], pick, "time")
        if not values.size:
            return np.empty(0)
        if values.dtype.kind == "f" and not np.all(np.isfinite(values)):
            raise FieldError("time is not a finite number")
        if values.min() < 0:
            raise FieldError(f"time {values.min().item()} is negative")
        start = self.start if self.start is not None else values[0].item()
        seconds = np.subtract(values, start, dtype=np.float64) * time.unit
        if values.dtype.kind != "f" and abs(int(values[-1]) - int(start)) < 1 << 62:
            seconds = (values - start) * time.unit
        worst = float(np.abs(seconds).max())
        if worst > LONGEST_S:
            raise FieldError("time is more than 50 years from the first")
        self.start = start
        return np.asarray(seconds, np.float64)

    def _volumes(self, columns: dict[int, Any], pick: Any, count: int) -> NDArray[np.int64]:
        """Return the volume number of every request."""
        if not self.layout.volumes or not count:
            return np.zeros(count, np.int64)
        codes, words = _factors(columns[self.layout.volumes[0]][pick])
        return np.array(self.volumes.numbers(words), np.int64)[codes]


def _factors(column: NDArray[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    """Return the code of each entry of a column, and the distinct entries."""
    numbers, words = pd.factorize(column)
    codes, names = np.asarray(numbers, np.int64), list[Any](words.tolist())
    if codes.size and codes.min() < 0:  # a missing field
        codes = np.where(codes < 0, len(names), codes)
        names.append(None)
    return codes, names


def _numbers(column: NDArray[Any], pick: Any, name: str) -> NDArray[Any]:
    """Return the picked numbers of a column; only these are converted from text."""
    chosen: NDArray[Any] = column[pick]
    if chosen.dtype.kind in "if":
        return chosen
    try:
        return np.asarray(chosen.astype(np.int64))
    except (ValueError, TypeError, OverflowError):
        return _floats(chosen, name)


def _floats(texts: NDArray[Any], name: str) -> NDArray[np.float64]:
    try:
        return np.asarray(texts.astype(np.float64))
    except (ValueError, TypeError):
        raise FieldError(f"{name} is not a number") from None


def _rwbs(text: str) -> int:
    """Parse the RWBS letters of blkparse: the operation, then flags (sync, ahead, meta)."""
    letters = text.removeprefix("f")
    for letter, kind in (("d", 2), ("w", 1), ("r", 0)):
        if letter in letters[:2]:
            return kind
    return SKIP


def _plain(error: Exception) -> str:
    """Return the message of a library error in plain words."""
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    value = re.search(r"invalid literal for int\(\) with base 10: '(.*)'", reason)
    value = value or re.search(r"could not convert string to float: '?(.*?)'?$", reason)
    if value:
        return f"{value[1][:40]!r} is not a number" if value[1] else "a number is empty"
    if isinstance(error, ArithmeticError) or "cannot safely convert" in reason:
        return "a number is too large or not a whole number"
    return reason.replace("Error tokenizing data. C error: ", "")[:160]
