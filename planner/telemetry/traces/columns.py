"""Parse lines of a trace into columns by pandas; lines of the wrong width are refused."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.quantity.door.tables import fields
from planner.telemetry.traces.layouts import TraceLayout
from planner.telemetry.traces.stream import count_of

_WIDEST = 24  # fields parsed of a line if lines differ in width


class FieldError(ValueError):
    """A field that cannot be used, and the reason."""


def columns_of(data: bytes, layout: TraceLayout, *, careful: bool) -> dict[int, NDArray[Any]]:
    """Return the columns that are needed; text fields as strings, missing ones as None.

    With `careful`, which is slower, the width of every line is checked and letters are not replaced
    by digits; it is used to locate a bad line.
    """
    if layout.delimiter == " ":
        data = _single_blanks(data)
    elif layout.letters and not careful:
        data = data.translate(_digits(layout.letters))
    if careful or _drops_fields(layout) or not _begins_well(data, layout):
        _check_width(data, layout)
    with np.errstate(invalid="raise"):  # infinity in a column of whole numbers
        frame = fields(
            data,
            {place: _type(place, layout, careful=careful) for place in layout.places},
            delimiter=layout.delimiter,
            width=layout.width or _WIDEST,
            is_ragged=not layout.width,
            chosen=_drops_fields(layout) or not layout.width,
        )
    return {place: frame[str(place)].to_numpy() for place in layout.places}


def _begins_well(data: bytes, layout: TraceLayout) -> bool:
    """Whether the first line is as wide as the layout; pandas takes its width for all lines."""
    start = 0
    while data[start : start + 1] == b"\n":
        start += 1
    end = data.find(b"\n", start)
    fields = data.count(layout.delimiter.encode(), start, end if end >= 0 else None) + 1
    return layout.width in (0, fields)


def _drops_fields(layout: TraceLayout) -> bool:
    """Whether pandas accepts lines with more fields than the layout has."""
    return 0 < layout.width != len(layout.places)


def _check_width(data: bytes, layout: TraceLayout) -> None:
    """Refuse the first line that has more or fewer fields than the layout."""
    sep, width = layout.delimiter.encode(), layout.width
    lines = count_of(data, b"\n") + (not data.endswith(b"\n"))
    if not width or count_of(data, sep) == (width - 1) * lines:
        return
    for line in data.split(b"\n"):
        fields = line.count(sep) + 1
        if line.strip() and fields != width:
            raise FieldError(f"has {fields} fields, {layout.name} has {width}")


def _type(place: int, layout: TraceLayout, *, careful: bool) -> Any:
    if not layout.width:
        return object  # lines differ in width, and most fields of some are not needed
    swapped = place == layout.kind and layout.letters and not careful
    if place in layout.codes or swapped:
        return np.int64
    if place == layout.kind or place in layout.volumes:
        return object
    is_time = layout.time is not None and place == layout.time.place
    whole = layout.time.is_whole if is_time and layout.time else True
    return np.int64 if whole else np.float64


def _digits(letters: bytes) -> bytes:
    return bytes.maketrans(letters + letters.lower(), b"012"[: len(letters)] * 2)


def _single_blanks(data: bytes) -> bytes:
    if b"  " in data or b"\t" in data or b" \n" in data or b" \r" in data or data[:1] == b" ":
        data = re.sub(rb"[ \t]+", b" ", data)
        data = re.sub(rb"(?m)^ | ?\r?$", b"", data)
    return data
