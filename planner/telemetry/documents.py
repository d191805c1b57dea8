"""Decode bytes into text, and text into one or several JSON documents."""

import re
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any, BinaryIO

from planner.quantity.door import is_bounded
from planner.quantity.door.texts import json_at
from planner.telemetry.limits import MOST_BYTES, MOST_DRIVES, MOST_PARTS, within
from planner.telemetry.record import Refused

_BOMS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_DEEPEST = 60  # nested brackets; the logs of drives need ten
_STEPS = {"{": 1, "[": 1, "}": -1, "]": -1}
_BETWEEN = re.compile(r"[\s,;\x1e\x00]*")
# A string that does not end is one token up to the end, not one search from each of its quotes.
_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


def whole_text(stream: BinaryIO) -> str:
    """Return a file's text, UTF-8 or UTF-16 with a byte order mark; refuse a file too large."""
    data = stream.read(MOST_BYTES + 1 if is_bounded() else -1)
    if is_bounded() and len(data) > MOST_BYTES:
        raise Refused(f"byte {MOST_BYTES}", f"the file is longer than {MOST_BYTES >> 20} MiB")
    return decoded(data)


def decoded(data: bytes) -> str:
    """Decode text by its byte order mark, else as UTF-8.

    >>> decoded(chr(0xFEFF).encode("utf-16-le") + "a".encode("utf-16-le"))
    'a'
    """
    skipped, encoding = encoding_of(data)
    try:
        return data[skipped:].decode(encoding)
    except UnicodeDecodeError as error:
        raise Refused(f"byte {skipped + error.start}", f"is not {encoding} text") from None


def head_text(head: bytes) -> str:
    """Decode the beginning of a file; bytes that are not text are replaced."""
    skipped, encoding = encoding_of(head)
    return head[skipped:].decode(encoding, errors="replace")


def documents(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the JSON documents of a text, each with the line on which it begins.

    Raises:
        Refused: If a document is truncated or not JSON, with line and column, or exceeds a limit.
    """
    _bounded(text)
    position, line, counted = _past(text, 0), 1, 0
    values = 0
    while position < len(text):
        values += 1
        within(values, MOST_DRIVES, f"line {line}", "documents")
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, end = json_at(text, position)
        except JSONDecodeError as error:
            place = f"line {error.lineno} column {error.colno}"
            cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
            raise Refused(
                place, "the file is cut off" if cut else f"not JSON: {error.msg}"
            ) from None
        except RecursionError:
            raise Refused(f"line {line}", "is nested too deeply") from None
        yield f"line {line}", value
        position = _past(text, end)


def at(value: object, *path: str) -> Any:
    """Return the value at a path of keys, or None.

    >>> at({"a": {"b": 1}}, "a", "b"), at({"a": 2}, "a", "b")
    (1, None)
    """
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def encoding_of(data: bytes) -> tuple[int, str]:
    """Return the length of a byte order mark, and the encoding that it names."""
    for mark, encoding in _BOMS.items():
        if data.startswith(mark):
            return len(mark), encoding
    return 0, "utf-8"


def _past(text: str, position: int) -> int:
    found = _BETWEEN.match(text, position)
    return found.end() if found else position


def _bounded(text: str) -> None:
    """Refuse deep nesting, which would exhaust the stack, and too many parts, for memory."""
    depth = 0
    for parts, token in enumerate(_TOKENS.finditer(text)):
        depth += _STEPS.get(text[token.start()], 0)
        if depth > _DEEPEST:
            raise Refused(_line(text, token), f"is nested more than {_DEEPEST} deep")
        if parts == MOST_PARTS:
            within(parts + 1, MOST_PARTS, _line(text, token), "brackets and texts of JSON")


def _line(text: str, token: re.Match[str]) -> str:
    return f"line {text.count(chr(10), 0, token.start()) + 1}"
