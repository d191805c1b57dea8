"""Texts of values: JSON and rows of CSV, whose errors name the line."""

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from planner.quantity.door.reader import DoorError, within_bytes

_MOST_DIGITS = 60  # of a whole number; a longer one is infinite


def _integer(digits: str) -> int | float:
    if len(digits) < _MOST_DIGITS:
        return int(digits)
    return float("-inf" if digits[0] == "-" else "inf")


_DECODER = json.JSONDecoder(parse_int=_integer)


def text_of(stream: BinaryIO, most_bytes: int) -> str:
    """Return the UTF-8 text of a stream, which may have a byte order mark.

    >>> import io
    >>> text_of(io.BytesIO(b"too long"), 3)
    Traceback (most recent call last):
    planner.quantity.door.reader.DoorError: must be at most 3 bytes
    """
    try:
        return within_bytes(stream, most_bytes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DoorError(f"byte {error.start}: is not UTF-8 text") from None


def json_value(text: str, most_characters: float) -> Any:
    """Return the value of a JSON text; refuse one that is too long, too deep or no JSON.

    >>> json_value('{"a": 1}', 99)
    {'a': 1}
    >>> json_value("[" * 100_000, 1e6)
    Traceback (most recent call last):
    planner.quantity.door.reader.DoorError: is no JSON
    """
    if len(text) > most_characters:
        raise DoorError(f"must be at most {most_characters:,.0f} characters")
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        raise DoorError("is no JSON") from None


def json_at(text: str, position: int) -> tuple[Any, int]:
    """Return the JSON value that begins at a position of a text, and where it ends.

    Raises:
        JSONDecodeError: If there is none, with line and column.
        RecursionError: If it is nested too deeply.

    >>> json_at("[1] [2]", 4)
    ([2], 7)
    """
    return _DECODER.raw_decode(text, position)


def csv_rows(
    lines: Iterable[str], *, delimiter: str = ",", strict: bool = False
) -> Iterator[tuple[int, list[str]]]:
    r"""Yield the rows of a table and the line on which each begins; refuse what is no CSV.

    >>> [*csv_rows(["a,b\n", '"c\n', 'd",e\n', "f\n"])]
    [(1, ['a', 'b']), (2, ['c\nd', 'e']), (4, ['f'])]
    """
    reader = csv.reader(lines, delimiter=delimiter, strict=strict)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise DoorError(f"line {line}: is not a line of CSV: {error}") from None
