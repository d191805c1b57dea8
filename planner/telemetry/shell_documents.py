"""Documents as mongosh prints them, of which JSON is one: names and texts with any quotes."""

import re
from typing import Any

from planner.telemetry.limits import MOST_PARTS, within
from planner.telemetry.record import Refused

Document = Any  # dict, list, text, number, truth or None
_DEEPEST = 60
_SPACE = re.compile(r"(?:\s|//[^\n]*)*")
_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORD = re.compile(r"[A-Za-z_$][\w$.]*")
_CALL = re.compile(r"(?:new )?([A-Za-z]\w*)\(([^()]*)\)")
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}


def document_at(text: str, position: int, place: str) -> tuple[Document, int]:
    """Return the document that begins at a position of a text, and where it ends.

    >>> document_at("{ uptime: Long('5'), at: ISODate('2026-11-28T04:50:28Z') }", 0, "line 1")[0]
    {'uptime': 5.0, 'at': '2026-11-28T04:50:28Z'}
    """
    reading = _DocumentReading(text, place)
    return reading.value(position, 0)


class _DocumentReading:
    def __init__(self, text: str, place: str) -> None:
        self.text, self.place, self.parts = text, place, 0

    def value(self, position: int, depth: int) -> tuple[Document, int]:
        self.parts += 1
        within(self.parts, MOST_PARTS, self.place, "parts of a document")
        if depth > _DEEPEST:
            raise Refused(self.place, f"is nested more than {_DEEPEST} deep")
        position = self._past(position)
        mark = self.text[position : position + 1]
        if mark == "{":
            return self._object(position + 1, depth)
        if mark == "[":
            return self._list(position + 1, depth)
        return self._leaf(position)

    def _object(self, position: int, depth: int) -> tuple[Document, int]:
        found: dict[str, Document] = {}
        position = self._past(position)
        while not self.text.startswith("}", position):
            name, position = self._leaf(position)
            position = self._past(position)
            if not self.text.startswith(":", position):
                raise self._broken(position)
            found[str(name)], position = self.value(position + 1, depth + 1)
            position = self._next(position, "}")
        return _plain(found), position + 1

    def _list(self, position: int, depth: int) -> tuple[Document, int]:
        found = []
        position = self._past(position)
        while not self.text.startswith("]", position):
            value, position = self.value(position, depth + 1)
            found.append(value)
            position = self._next(position, "]")
        return found, position + 1

    def _leaf(self, position: int) -> tuple[Document, int]:
        if found := _TEXT.match(self.text, position):
            return _unquoted(found), found.end()
        if found := _CALL.match(self.text, position):
            inner = found[2].strip().strip("'\"")
            is_number = _NUMBER.fullmatch(inner) and found[1] != "Timestamp"
            return (float(inner) if is_number else inner), found.end()
        if (found := _NUMBER.match(self.text, position)) or (
            found := _WORD.match(self.text, position)
        ):
            word = found[0]
            is_number = _NUMBER.fullmatch(word)
            return (float(word) if is_number else _WORDS.get(word, word)), found.end()
        raise self._broken(position)

    def _next(self, position: int, end: str) -> int:
        position = self._past(position)
        if self.text.startswith(",", position):
            return self._past(position + 1)
        if self.text.startswith(end, position):
            return position
        raise self._broken(position)

    def _past(self, position: int) -> int:
        found = _SPACE.match(self.text, position)
        return found.end() if found else position

    def _broken(self, position: int) -> Refused:
        if position >= len(self.text.rstrip()):
            return Refused(self.place, "begins a document that is cut off")
        line = self.text.count("\n", 0, position) + 1
        shown = self.text[position : position + 20].partition("\n")[0]
        return Refused(f"line {line}", f"is no part of a document: {shown!r}")


def _plain(found: dict[str, Document]) -> Document:
    """Return a number or a date of extended JSON by itself."""
    if len(found) == 1:
        ((name, value),) = found.items()
        if name in ("$numberLong", "$numberInt", "$numberDouble", "$numberDecimal"):
            return float(value) if _NUMBER.fullmatch(str(value)) else found
        if name == "$date":
            return value / 1e3 if isinstance(value, int | float) else value
    return found


def _unquoted(found: re.Match[str]) -> str:
    text = found[1] if found[1] is not None else found[2]
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
