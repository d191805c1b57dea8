"""Catalogue: drives, their facts one by one, and where each fact was read.

Three files make it up: `drives.csv` says which drives there are, `facts.csv` holds
one row per number, `sources.csv` says where numbers come from; `data/README.md`
describes their columns. Values are in base units here (bytes, seconds, operations
per second); `Fact.text` keeps what the source printed.

Several facts may state one quantity. The one in force is the user's, else a
specification before a measurement before a derived figure before an estimate,
then the newer source, then the earlier row; the others are kept in `passed_over`.
"""

import difflib
import functools
import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from models.nomenclature import QUANTITIES
from planner.catalogue.drive import ASSUMPTION, USER, Drive, Fact, Source
from planner.catalogue.rows import CellError, Row, read
from planner.quantity.parse import quoted
from planner.quantity.units import FACTORS

__all__ = ["Catalogue", "LookupFailed", "data_folder", "find", "load", "search"]

# Unit of a fact -> base unit of the nomenclature.
_BASE_UNITS = {
    "GB": "bytes", "GiB": "bytes", "TB": "bytes", "PB": "bytes", "MiB": "bytes",
    "MB/s": "bytes/s", "IOPS": "1/s", "1/day": "1/day",
    "us": "s", "ms": "s", "hours": "s", "years": "s",
    "%": "1", "1": "1", "cycles": "1", "per bit": "1", "sectors per bit": "1",
    "W": "W", "USD": "USD",
}  # fmt: skip
_KINDS = ("spec", "measured", "derived", "estimate")
_ROUNDINGS = ("nearest", "truncated", "exact", "upto")
_LISTED = 5


class LookupFailed(ValueError):  # noqa: N818 - reads as what happened
    """No drive, or more than one, matches the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """Drives and sources by id, and the rows that could not be used."""

    drives: Mapping[str, Drive]
    sources: Mapping[str, Source]
    problems: tuple[str, ...]


def data_folder() -> Path:
    """Folder of the catalogue's files: in the installed package, else in the checkout."""
    installed = Path(__file__).parents[1] / "data"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "data"


def load(folder: Path | None = None) -> Catalogue:
    """Read the catalogue; without a folder the one of the package, read once.

    A row that cannot be used is left out and named in `Catalogue.problems`, with
    file, line and column; everything else loads.

    >>> load().drives["samsung-845dc-pro-400gb"].value("rated_bytes")
    7300000000000000.0
    """
    return _own() if folder is None else _read(folder)


@functools.cache
def _own() -> Catalogue:
    return _read(data_folder())


def find(catalogue: Catalogue, text: str) -> Drive:
    """Return the one drive that matches `text`: an id, a name, or words of it.

    Words are compared without case; a capacity may be written 4TB, 4 TB or 4000. A
    model named in full is preferred to one that merely contains the words.

    Raises
    ------
    LookupFailed
        If no drive matches, or several do; the message names some.

    Examples
    --------
    >>> find(load(), "840 evo 250").name
    'Samsung 840 EVO 250 GB'
    """
    drives = catalogue.drives.values()
    wanted = text.strip().casefold()
    for drive in drives:
        if wanted in (drive.drive_id.casefold(), drive.name.casefold()):
            return drive
    words = _words(text)
    found = [drive for drive in drives if words and _goes_by(drive, words)]
    found = [drive for drive in found if _words(drive.model) <= words] or found
    if len(found) != 1:
        raise LookupFailed(_ambiguous(text, found) if found else _unknown(text, drives))
    return found[0]


def search(
    catalogue: Catalogue,
    text: str = "",
    *,
    vendor: str | None = None,
    interface: str | None = None,
    nand_type: str | None = None,
    segment: str | None = None,
    min_bytes: float | None = None,
    max_bytes: float | None = None,
) -> tuple[Drive, ...]:
    """List the drives whose name or id contains every word of `text`.

    The other filters match whole words: "MLC" does not find "eMLC", "NVMe" finds
    "NVMe PCIe 4.0 x4". Sizes are user capacity. [bytes]

    >>> [drive.name for drive in search(load(), "845dc pro", max_bytes=500e9)]
    ['Samsung 845DC PRO 400 GB']
    """
    asked = {"vendor": vendor, "interface": interface, "nand_type": nand_type, "segment": segment}
    filters = {column: _words(words) for column, words in asked.items() if words}
    low = -math.inf if min_bytes is None else min_bytes
    high = math.inf if max_bytes is None else max_bytes
    pieces = text.casefold().split()
    return tuple(
        drive
        for drive in catalogue.drives.values()
        if all(piece in f"{drive.name} {drive.drive_id}".casefold() for piece in pieces)
        and all(words <= _words(getattr(drive, column)) for column, words in filters.items())
        and low <= drive.capacity_bytes <= high
    )


def _words(text: str) -> set[str]:
    """Words of a text without case; "4 TB" is one word."""
    joined = re.sub(r"(\d)\s+([gt]b)\b", r"\1\2", text.casefold())
    return set(re.findall(r"\d+\.\d+[a-z]*|[a-z]\.\d+|[a-z0-9]+", joined))


def _goes_by(drive: Drive, words: set[str]) -> bool:
    size = f"{drive.capacity_gb:.10g}"
    sizes = {size, f"{size}gb", f"{drive.capacity_gb / 1000:.10g}tb"}
    return words <= _words(f"{drive.vendor} {drive.model}") | sizes


def _ambiguous(text: str, found: list[Drive]) -> str:
    names = ", ".join(drive.name for drive in found[:_LISTED])
    more = f", ... ({len(found)} in all)" if len(found) > _LISTED else ""
    return f"drive {quoted(text)} is ambiguous: name one of {names}{more}"


def _unknown(text: str, drives: Iterable[Drive]) -> str:
    names = {drive.name.casefold(): drive.name for drive in drives}
    near = difflib.get_close_matches(text.casefold(), names, n=3, cutoff=0.4)
    hint = f"; nearest: {', '.join(names[name] for name in near)}" if near else ""
    return f"no drive matches {quoted(text)}{hint}"


def _read(folder: Path) -> Catalogue:
    problems: list[str] = []
    sources = {source.source_id: source for source in (USER, ASSUMPTION)}
    drives: dict[str, Drive] = {}
    make_source = functools.partial(_source, known=sources)
    for source in read(folder / "sources.csv", _columns(Source), make_source, problems):
        sources[source.source_id] = source
    make_drive = functools.partial(_drive, known=drives)
    for drive in read(folder / "drives.csv", _columns(Drive), make_drive, problems):
        drives[drive.drive_id] = drive
    make_fact = functools.partial(_fact, drives=drives, sources=sources)
    facts = list(read(folder / "facts.csv", _columns(Fact), make_fact, problems))
    facts.sort(key=lambda fact: _rank(fact, sources))
    return Catalogue(drives=_with_facts(drives, facts), sources=sources, problems=tuple(problems))


def _columns(record: type[Source | Drive | Fact]) -> list[str]:
    """Columns of the file that holds such records."""
    pivoted = {"facts", "passed_over", "text"}
    return [column.name for column in fields(record) if column.name not in pivoted]


def _new(row: Row, column: str, known: Collection[str]) -> str:
    if (key := row.required(column)) in known:
        raise CellError(f"{column}: {quoted(key)} is there twice")
    return key


def _source(row: Row, *, known: Collection[str]) -> Source:
    if not re.fullmatch(r"(\d{4}(-\d\d){0,2})?", row["date"]):
        raise CellError(f"date: {quoted(row['date'])} is not YYYY, YYYY-MM or YYYY-MM-DD")
    _new(row, "source_id", known)
    return Source(**{column: row[column] for column in _columns(Source)})


def _drive(row: Row, *, known: Collection[str]) -> Drive:
    return Drive(
        drive_id=_new(row, "drive_id", known),
        vendor=row.required("vendor"),
        model=row.required("model"),
        capacity_gb=row.number("capacity_gb"),
        segment=row["segment"],
        form_factor=row["form_factor"],
        interface=row["interface"],
        nand_type=row["nand_type"],
        nand_process=row["nand_process"],
        launch_year=_year(row, "launch_year"),
        launch_year_recalled=_year(row, "launch_year_recalled"),
    )


def _year(row: Row, column: str) -> int | None:
    return int(row.number(column)) if row[column] else None


def _fact(row: Row, *, drives: Collection[str], sources: Collection[str]) -> Fact:
    quantity = row.choice("quantity", QUANTITIES)
    unit = row.choice("unit", _BASE_UNITS)
    if _BASE_UNITS[unit] != QUANTITIES[quantity].unit:
        raise CellError(f"unit: {quoted(unit)} is no unit of {quantity}")
    return Fact(
        drive_id=row.choice("drive_id", drives),
        quantity=quantity,
        text=row["value"],
        value=row.number("value") * FACTORS[unit],
        unit=unit,
        rounding=row.choice("rounding", _ROUNDINGS),
        condition=row["condition"],
        kind=row.choice("kind", _KINDS),
        source_id=row.choice("source_id", sources),
        locator=row.required("locator"),
        confidence=row.required("confidence"),
        note=row["note"],
    )


def _with_facts(drives: Mapping[str, Drive], ranked: list[Fact]) -> dict[str, Drive]:
    held: dict[str, dict[str, list[Fact]]] = {drive_id: {} for drive_id in drives}
    for fact in ranked:
        held[fact.drive_id].setdefault(fact.quantity, []).append(fact)
    return {
        drive_id: replace(
            drive,
            facts={name: facts[0] for name, facts in held[drive_id].items()},
            passed_over={n: tuple(f[1:]) for n, f in held[drive_id].items() if len(f) > 1},
        )
        for drive_id, drive in drives.items()
    }


def _rank(fact: Fact, sources: Mapping[str, Source]) -> tuple[int, int]:
    """Sort key: the lower is in force; equal ones stay in the order of the file."""
    date = sources[fact.source_id].date.replace("-", "")
    return _KINDS.index(fact.kind), -int(date.ljust(8, "0"))
