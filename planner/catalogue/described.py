"""Maker, class and size of a drive outside the catalogue, from its name.

`data/other_models.csv` holds patterns of such names; the words of a name say the rest.
"""

import functools
import re
from dataclasses import dataclass
from typing import NamedTuple

from models.errors import DomainError
from models.units import GB, TB
from planner.catalogue.priors_kind import said_of
from planner.catalogue.rows import CatalogueRow, CellError, data_folder, read
from planner.catalogue.size_codes import SOLD_GB, sold_size_gb

_COLUMNS = ("name_pattern", "vendor", "model", "kind", "origin")
_SIZE = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)?) ?([GT])B\b", re.IGNORECASE)
_BARE_SIZE = re.compile(r"(?<![\w.-])(\d+(?:\.\d+)?)(?![\w.-])")
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
_LONGEST_NAME = 200  # longer text names no drive, and takes long to search


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


class Description(NamedTuple):
    """A drive by its name alone: its model, capacity and kind, each empty where unknown."""

    model: str
    capacity: str
    kind: str


def description(text: str) -> Description:
    """Describe a drive by its name alone.

    >>> description("a 1TB NVMe SSD")
    Description(model='', capacity='1TB', kind='NVMe')
    """
    if known := other_model(text):
        row, match = known
        is_named = match[0] in row.name.upper()  # digits of a model's name are no capacity
        part = "" if is_named else _size_of_part(match)
        size = _size(text) or part or _bare_size(match.re.sub(" ", match.string))
        return Description(row.name, size, row.kind)
    return Description("", _size(text) or _bare_size(text), _kind(text))


def described(text: str) -> str:
    """Suggest a description of a drive from its name alone; empty if the name gives none.

    >>> described("SN740 512GB")
    "by its name Western Digital PC SN740: describe it by capacity 512GB and kind \
'TLC client NVMe 2022 Western Digital'"
    >>> described("Dell 1.92TB SATA mixed use")
    "describe it by capacity 1.92TB and kind 'enterprise mixed-use SATA'"
    >>> described("870 EVO")
    ''
    """
    model, capacity, kind = description(text)
    if not kind:
        return ""
    return f"by its name {model}: {_asked(capacity, kind)}" if model else _asked(capacity, kind)


def other_model(text: str) -> tuple[OtherModel, re.Match[str]] | None:
    """Return the row of `other_models.csv` that a name is of, and what it matches.

    >>> known = other_model("SN740 512GB")
    >>> known and known[0].name
    'Western Digital PC SN740'
    """
    number = text.strip()[:_LONGEST_NAME].upper().replace("_", " ")
    for row in other_models_file():
        if match := row.pattern.search(number):
            return row, match
    return None


def _asked(size: str, kind: str) -> str:
    return f"describe it by {f'capacity {size}' if size else 'its capacity'} and kind '{kind}'"


def _size(text: str) -> str:
    size = _SIZE.search(text)
    return f"{size[1].replace(',', '.')}{size[2].upper()}B" if size else ""


def _bare_size(text: str) -> str:
    """Return a capacity without its unit: 7.68 or 512, as drives are sold."""
    for number in _BARE_SIZE.findall(text):
        size_gb = float(number) * (1e3 if "." in number else 1)
        if size_gb in SOLD_GB:
            return _written(size_gb)
    return ""


def _size_of_part(match: re.Match[str]) -> str:
    """Return the capacity that a part number holds: HFS001T is of 1 TB, KPM61RUG3T84 of 3.84 TB."""
    groups = match.groupdict()
    for unit in ("gb", "tb"):
        if groups.get(unit):
            return f"{int(groups[unit])}{unit.upper()}"
    size_gb = sold_size_gb(match.string)
    return "" if size_gb is None else _written(size_gb)


def _written(size_gb: float) -> str:
    return f"{size_gb / 1e3:g}TB" if size_gb >= TB / GB else f"{size_gb:g}GB"


def _kind(text: str) -> str:
    """Return the words of a name that describe a class of drives; a vendor alone does not."""
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


def _row(row: CatalogueRow) -> OtherModel:
    try:
        pattern = re.compile(row.required("name_pattern"))
    except re.error as error:
        raise CellError(f"name_pattern: {error}") from None
    name = " ".join(part for part in (row["vendor"], row.required("model")) if part)
    return OtherModel(pattern, name, row.required("kind"))
