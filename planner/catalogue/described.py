"""What a name says of a drive that the catalogue does not hold: who makes it, its kind, its size.

`data/other_models.csv` holds patterns of such names; the words of a name say the rest.
"""

import functools
import re
from dataclasses import dataclass

from models.errors import DomainError
from planner.catalogue.priors_kind import said_of
from planner.catalogue.reader import data_folder
from planner.catalogue.rows import CellError, Row, read

__all__ = ["OtherModel", "described", "other_models_file"]

_COLUMNS = ("name_pattern", "vendor", "model", "kind", "origin")
_SIZE = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)?) ?([GT])B\b", re.IGNORECASE)
_SPELLINGS = [
    (re.compile(pattern, re.IGNORECASE), now)
    for pattern, now in (
        (r"\bread[- ]intensive\b|\bRI\b", "read-intensive"),
        (r"\bmixed[- ]use\b|\bMU\b", "mixed-use"),
        (r"\bwrite[- ]intensive\b|\bWI\b", "write-intensive"),
        (r"\bPCIe\b", "NVMe"),
        (r"\bWD\b", "Western Digital"),
    )
]
_VENDOR = "vendor"


@dataclass(frozen=True, slots=True)
class OtherModel:
    """A pattern of names, and the model and kind of the drives that have such a name.

    A group `gb` or `tb` of the pattern is the capacity.
    """

    pattern: re.Pattern[str]
    name: str
    kind: str


@functools.cache
def other_models_file() -> tuple[OtherModel, ...]:
    """Return all patterns, in the order of the file: the first that matches holds."""
    return tuple(read(data_folder() / "other_models.csv", _COLUMNS, _row, []))


def described(text: str) -> str:
    """Say how to describe a drive of which the name alone is known; empty if that says nothing.

    >>> described("SN740 512GB")
    "by its name Western Digital PC SN740: describe it by capacity 512GB and kind \
'TLC client NVMe 2022 Western Digital'"
    >>> described("Dell 1.92TB SATA mixed use")
    "describe it by capacity 1.92TB and kind 'enterprise mixed-use SATA'"
    >>> described("870 EVO")
    ''
    """
    number = text.strip().upper()
    for row in other_models_file():
        if match := row.pattern.search(number):
            size = _size(text) or _size_of_part(match)
            return f"by its name {row.name}: {_asked(size, row.kind)}"
    kind = _kind(text)
    return _asked(_size(text), kind) if kind else ""


def _asked(size: str, kind: str) -> str:
    return f"describe it by {f'capacity {size}' if size else 'its capacity'} and kind '{kind}'"


def _size(text: str) -> str:
    size = _SIZE.search(text)
    return f"{size[1].replace(',', '.')}{size[2].upper()}B" if size else ""


def _size_of_part(match: re.Match[str]) -> str:
    """Return the capacity that a part number holds: HFS512G is of 512 GB, HFS001T of 1 TB."""
    groups = match.groupdict()
    for unit in ("gb", "tb"):
        if groups.get(unit):
            return f"{int(groups[unit])}{unit.upper()}"
    return ""


def _kind(text: str) -> str:
    """Return the words of a name that say what kind of drive it is; a vendor alone says nothing."""
    for spelling, now in _SPELLINGS:
        text = spelling.sub(now, text)
    try:
        statement, _ = said_of(text)
    except DomainError:  # it says two cell types, or two classes: nothing is certain
        return ""
    return (
        " ".join(map(str, statement.values()))
        if statement.keys() - {_VENDOR, "launch_year"}
        else ""
    )


def _row(row: Row) -> OtherModel:
    try:
        pattern = re.compile(row.required("name_pattern"))
    except re.error as error:
        raise CellError(f"name_pattern: {error}") from None
    name = " ".join(part for part in (row["vendor"], row.required("model")) if part)
    return OtherModel(pattern, name, row.required("kind"))
