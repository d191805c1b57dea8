"""The class of a drive: the words by which rows of priors apply to it."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, wraps
from typing import Any, TypeVar

import numpy as np

from models.errors import DomainError
from models.units import DAY_S, YEAR_S
from planner.catalogue.drive import Drive
from planner.quantity.parse import quoted

Words = TypeVar("Words")

CELLS = ("SLC", "MLC", "TLC", "QLC", "3D XPoint")
STACKS = ("planar", "3D")
NAS = "NAS"
CLASSES = ("read-intensive", "mixed-use", "write-intensive")
SEGMENTS = ("client", "enterprise", *(f"enterprise {each}" for each in CLASSES))
BUSES = ("SATA", "SAS", "NVMe")
VENDORS = (
    "Crucial", "Intel", "Kingston", "Kioxia", "Micron", "Samsung", "SanDisk", "Seagate",
    "SK hynix", "Solidigm", "Toshiba", "Western Digital",
)  # fmt: skip
# By the field of a drive that it says: what people call it.
_SAID: dict[str, dict[str, str]] = {
    "nand_type": {word.lower(): word for word in CELLS} | {"xpoint": "3D XPoint"},
    "nand_process": {word.lower(): word for word in STACKS},
    "segment": {
        **{word.lower(): word for word in SEGMENTS}, "consumer": "client", "data centre":
        "enterprise", "datacenter": "enterprise", "nas": "client/NAS",
        **{each: f"enterprise {each}" for each in CLASSES},
    },
    "interface": {word.lower(): word for word in BUSES},
    "vendor": {word.lower(): word for word in VENDORS} | {"wd": "Western Digital"},
}  # fmt: skip
_ACCEPTED = (
    f"words such as 'TLC enterprise NVMe 2022': {', '.join(CELLS)}; {', '.join(STACKS)}; client, "
    f"enterprise, {', '.join(CLASSES)}; {', '.join(BUSES)}; a year; a vendor"
)
MIXED_USE_DWPD, WRITE_INTENSIVE_DWPD = 2.0, 7.0  # from which a rating is of that class
PLANAR_UNTIL, STACKED_FROM = 2013, 2018  # launch years that tell planar from stacked flash
KINDS = 1024  # that are read once: far more than the catalogue has
SIZES = {"large": 15e12, "huge": 60e12}  # from which maps of QLC, of any, have larger units
_WORDS = {
    "nand_type": "cell type", "nand_process": "of planar and 3D", "segment": "class",
    "interface": "interface", "vendor": "vendor",
}  # fmt: skip
_STACKED = re.compile(r"layer|3d|v-nand|bics|\bg9\b|x[- ]?point|\d+l\b", re.IGNORECASE)
_PLANAR = re.compile(r"\d\s*nm\b|planar", re.IGNORECASE)


def _kept(read: Callable[[Drive], Words]) -> Callable[[Drive], Words]:
    """Cache the words of the last drive, since each of its priors reads them again."""
    last: list[tuple[Drive, Words]] = []

    @wraps(read)
    def known(drive: Drive) -> Words:
        pair = next(iter(last), None)
        if pair is None or pair[0] is not drive:
            pair = drive, read(drive)
            last[:] = [pair]  # whole, so that threads never mix drives
        return pair[1]

    return known


@_kept
def words_of(drive: Drive) -> frozenset[str]:
    """Return the words that say what kind of drive it is, as far as that is known.

    >>> from planner.catalogue import find, load
    >>> sorted(words_of(find(load(), "845DC PRO 400")))
    ['3D', 'MLC', 'SATA', 'Samsung', 'enterprise', 'write-intensive']
    """
    segment = _segment(drive)
    words = (
        cell_of(drive), _stack(drive), segment, _bus(drive), *drive.vendor.split("/"),
        _class(drive) if segment == "enterprise" else "",
        *(word for word, least in SIZES.items() if drive.capacity_bytes >= least),
    )  # fmt: skip
    return frozenset(word for word in words if word)


def kind_text(drive: Drive, flash: str = "") -> str:
    """Describe the class of a drive in words, with its flash if that is named.

    >>> from planner.catalogue import find, load
    >>> kind_text(find(load(), "840 EVO 250"))
    'TLC, client, SATA'
    """
    made_for = NAS if NAS in drive.segment else _segment(drive)
    return _joined(flash or cell_of(drive), made_for, _bus(drive))


@lru_cache(maxsize=KINDS)
def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part) or "any flash"


def of_kind(drive: Drive, text: str) -> Drive:
    """Return a drive with a described class: cell, segment, interface, year and vendor.

    >>> from planner.catalogue.drive import own_drive
    >>> kind_text(of_kind(own_drive(1.92e12), "TLC enterprise NVMe 2022"))
    'TLC, enterprise, NVMe'
    >>> of_kind(own_drive(1.92e12), "PLC client")
    Traceback (most recent call last):
    models.errors.DomainError: kind must be words such as 'TLC enterprise NVMe 2022': SLC, MLC, \
TLC, QLC, 3D XPoint; planar, 3D; client, enterprise, read-intensive, mixed-use, write-intensive; \
SATA, SAS, NVMe; a year; a vendor, got 'PLC'
    """
    statement, rest = said_of(text)
    if rest.split():
        unknown = next(word for word in text.replace(",", " ").split()
                       if word.lower() in rest.split())  # fmt: skip
        raise DomainError(f"kind must be {_ACCEPTED}, got {quoted(unknown)}")
    return replace(drive, **statement)


def said_of(text: str) -> tuple[dict[str, Any], str]:
    """Parse the class of a drive from a text, by field, and return the unused words.

    >>> said_of("QLC NVMe of 2022")
    ({'nand_type': 'QLC', 'interface': 'NVMe', 'launch_year': 2022}, 'of')
    """
    rest, statement = " ".join(text.lower().replace(",", " ").split()), dict[str, Any]()
    for field, names in _SAID.items():
        for name in sorted(names, key=len, reverse=True):
            before, rest = rest, re.sub(rf"(?<!\S){re.escape(name)}(?!\S)", " ", rest)
            if rest == before:
                continue
            one, other = statement.get(field, names[name]), names[name]
            if one not in other and other not in one:
                raise DomainError(f"kind must say one {_WORDS[field]}, got {quoted(text)}")
            statement[field] = max(
                one, other, key=len
            )  # "mixed-use" is enterprise, said twice or not
    for year in re.findall(r"(?<!\S)(?:19|20)\d\d(?!\S)", rest):
        statement["launch_year"], rest = int(year), rest.replace(year, " ", 1)
    return statement, " ".join(rest.split())


def cell_of(drive: Drive) -> str:
    """Return the name for the bits of its cells, such as TLC; empty where unknown."""
    return _cell_in(drive.nand_type)


@lru_cache(maxsize=KINDS)
def _cell_in(text: str) -> str:
    cell = re.search(r"SLC|MLC|TLC|QLC|XPoint", text)
    return cell[0] if cell else ""


def is_written_in_place(drive: Drive) -> bool:
    """Whether its cells need no erase before a write: 3D XPoint, which copies nothing."""
    return cell_of(drive) == "XPoint"


def year_of(drive: Drive) -> int | None:
    """Return the year of launch, read or recalled."""
    return drive.launch_year or drive.launch_year_recalled


def dwpd_of(drive: Drive) -> float | None:
    """Return the rated drive writes per day, from TBW over five years where no period is stated.

    >>> from planner.catalogue import find, load
    >>> dwpd_of(find(load(), "860 PRO 4TB"))
    0.6421232876712328
    """
    written = drive.value("rated_bytes")
    if written is None or not drive.capacity_gb:
        return drive.value("rated_dwpd")
    periods = (drive.value("rating_period_s"), drive.value("warranty_s"), 5 * YEAR_S)
    period_s = next(period for period in periods if period is not None)
    return written / drive.capacity_bytes / period_s * DAY_S


def _stack(drive: Drive) -> str:
    """Return "planar" or "3D" for its flash; empty where neither is known."""
    said = _stack_in(drive.nand_process)
    if said:
        return said
    year = year_of(drive)
    if cell_of(drive) in ("QLC", "XPoint") or (year or 0) >= STACKED_FROM:
        return "3D"
    return "planar" if year is not None and year <= PLANAR_UNTIL else ""


@lru_cache(maxsize=KINDS)
def _stack_in(text: str) -> str:
    if _STACKED.search(text):
        return "3D"
    return "planar" if _PLANAR.search(text) else ""


def _segment(drive: Drive) -> str:
    """Return its grade, client or enterprise; that of a drive for a NAS follows its protection.

    >>> from planner.catalogue import find, load
    >>> [_segment(find(load(), name)) for name in ("Red SN700 4TB", "IronWolf 510 1.92")]
    ['client', 'enterprise']
    """
    is_plain_nas = NAS in drive.segment and drive.power_loss_protection == "no"
    if drive.segment.startswith(("client", "embedded")) or is_plain_nas:
        return "client"
    return "enterprise" if drive.segment else ""


def _bus(drive: Drive) -> str:
    return _bus_in(drive.interface)


@lru_cache(maxsize=KINDS)
def _bus_in(text: str) -> str:
    bus = re.search(r"SATA|SAS|NVMe|PCIe", text)
    return bus[0].replace("PCIe", "NVMe") if bus else ""


def _class(drive: Drive) -> str:
    """Return the class of endurance, said or as the rating has it; empty where unrated."""
    statement = next((each for each in CLASSES if each in drive.segment), "")
    if statement:
        return statement
    dwpd = dwpd_of(drive)
    if dwpd is None:
        return ""
    rated = dwpd if isinstance(dwpd, float) else float(np.mean(dwpd))  # of uncertain ones the mean
    if rated >= WRITE_INTENSIVE_DWPD:
        return "write-intensive"
    return "mixed-use" if rated >= MIXED_USE_DWPD else "read-intensive"
