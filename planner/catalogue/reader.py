"""Catalogue: drives, their facts one by one, and where each fact was read.

Four files make it up: `drives.csv` says which drives there are, `facts.csv` holds one row per
number, `features.csv` one per word (interface, flash, protection) of a model or of one of its
capacities, `sources.csv` says where they come from; `data/README.md` describes their columns.
Values are in base units here (bytes, seconds, operations per second); `Fact.text` keeps what the
source printed.

Several facts may state one quantity. The one used is the user's, else a specification before a
measurement before a derived figure before a recalled one before an estimate, then the newer source,
then the earlier row; the others are kept in `passed_over`.
"""

import functools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from models.nomenclature import QUANTITIES
from planner.catalogue.drive import ASSUMPTION, FITTED, RECALLED, USER, Drive, Fact, Feature, Source
from planner.catalogue.rows import CatalogueRow, CellError, data_folder, read
from planner.catalogue.stored import Catalogue, kept_catalogue
from planner.quantity.parse import quoted
from planner.quantity.units import FACTORS

# Unit of a fact -> base unit of the nomenclature.
_BASE_UNITS = {
    "GB": "bytes", "GiB": "bytes", "TB": "bytes", "PB": "bytes", "MiB": "bytes", "KiB": "bytes",
    "MB/s": "bytes/s", "IOPS": "1/s", "1/day": "1/day",
    "us": "s", "ms": "s", "hours": "s", "years": "s",
    "%": "1", "1": "1", "cycles": "1", "per bit": "1", "sectors per bit": "1",
    "W": "W", "USD": "USD",
}  # fmt: skip
_KINDS = {
    kind: rank for rank, kind in enumerate(("spec", "measured", "derived", RECALLED, "estimate"))
}
_ROUNDINGS = ("nearest", "truncated", "exact", "upto")
FEATURES = (
    "segment", "form_factor", "interface", "nand_type", "nand_process", "nand_generation",
    "memory", "slc_cache", "power_loss_protection", "encryption", "also_called",
)  # fmt: skip
_FEATURE_KINDS = ("spec", "derived", RECALLED)
_NO_COLUMNS = ("text", "is_of_capacity")


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
    return kept_catalogue(data_folder(), _read)


def _read(folder: Path) -> Catalogue:
    problems: list[str] = []
    sources = {source.source_id: source for source in (USER, FITTED, ASSUMPTION)}
    identities: dict[str, _Identity] = {}
    make_source = functools.partial(_source, known=sources)
    for source in read(folder / "sources.csv", _columns(Source), make_source, problems):
        sources[source.source_id] = source
    make_drive = functools.partial(_identity, known=identities)
    for drive in read(folder / "drives.csv", _columns(_Identity), make_drive, problems):
        identities[drive.drive_id] = drive
    models = {(one.vendor, one.model) for one in identities.values()}
    make_feature = functools.partial(_feature, models=models, sources=sources)
    columns = ["vendor", "model", "capacity_gb", *_columns(Feature)]
    features = _by_model(read(folder / "features.csv", columns, make_feature, problems))
    make_fact = functools.partial(_fact, drives=identities, sources=sources)
    facts = list(read(folder / "facts.csv", _columns(Fact), make_fact, problems))
    dates = {name: int(s.date.replace("-", "").ljust(8, "0")) for name, s in sources.items()}
    facts.sort(key=lambda fact: (_KINDS[fact.kind], -dates[fact.source_id]))
    by_drive = _by_drive(facts)
    drives = {name: _drive(one, features, by_drive[name]) for name, one in identities.items()}
    return Catalogue(drives=drives, sources=sources, problems=tuple(problems))


@dataclass(frozen=True, slots=True)
class _Identity:
    """A row of `drives.csv`."""

    drive_id: str
    vendor: str
    model: str
    capacity_gb: float
    launch_year: int | None
    launch_year_recalled: int | None


_Model = tuple[str, str]
_Features = Mapping[tuple[_Model, float | None], Mapping[str, Feature]]


def _columns(record: type[Source | _Identity | Feature | Fact]) -> list[str]:
    """Columns of the file that holds such records."""
    return [column.name for column in fields(record) if column.name not in _NO_COLUMNS]


def _new(row: CatalogueRow, column: str, known: Collection[str]) -> str:
    if (key := row.required(column)) in known:
        raise CellError(f"{column}: {quoted(key)} is there twice")
    return key


def _source(row: CatalogueRow, *, known: Collection[str]) -> Source:
    if not re.fullmatch(r"(\d{4}(-\d\d){0,2})?", row["date"]):
        raise CellError(f"date: {quoted(row['date'])} is not YYYY, YYYY-MM or YYYY-MM-DD")
    _new(row, "source_id", known)
    return Source(**{column: row[column] for column in _columns(Source)})


def _identity(row: CatalogueRow, *, known: Collection[str]) -> _Identity:
    return _Identity(
        drive_id=_new(row, "drive_id", known),
        vendor=row.required("vendor"),
        model=row.required("model"),
        capacity_gb=row.number("capacity_gb"),
        launch_year=_year(row, "launch_year"),
        launch_year_recalled=_year(row, "launch_year_recalled"),
    )


def _year(row: CatalogueRow, column: str) -> int | None:
    return int(row.number(column)) if row[column] else None


def _feature(
    row: CatalogueRow, *, models: Collection[_Model], sources: Collection[str]
) -> tuple[_Model, float | None, Feature]:
    model = row.required("vendor"), row.required("model")
    if model not in models:
        raise CellError(f"model: {quoted(' '.join(model))} is not known")
    feature = Feature(
        feature=row.choice("feature", FEATURES),
        value=row.required("value"),
        kind=row.choice("kind", _FEATURE_KINDS),
        source_id=row.choice("source_id", sources),
        locator=row.required("locator"),
        note=row["note"],
        is_of_capacity=bool(row["capacity_gb"]),
    )
    return model, row.number("capacity_gb") if row["capacity_gb"] else None, feature


def _fact(row: CatalogueRow, *, drives: Collection[str], sources: Collection[str]) -> Fact:
    quantity = row.choice("quantity", QUANTITIES)
    unit = row.choice("unit", _BASE_UNITS)
    if _BASE_UNITS[unit] != QUANTITIES[quantity].unit:
        raise CellError(f"unit: {quoted(unit)} is not a unit of {quantity}")
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


def _by_model(rows: Iterable[tuple[_Model, float | None, Feature]]) -> _Features:
    """Features by model and capacity; None is every capacity of the model."""
    by_model: dict[tuple[_Model, float | None], dict[str, Feature]] = defaultdict(dict)
    for model, capacity_gb, feature in rows:
        by_model[model, capacity_gb].setdefault(feature.feature, feature)
    return by_model


def _by_drive(ranked: Iterable[Fact]) -> Mapping[str, Mapping[str, list[Fact]]]:
    by_drive: dict[str, dict[str, list[Fact]]] = defaultdict(dict)
    for fact in ranked:
        by_drive[fact.drive_id].setdefault(fact.quantity, []).append(fact)
    return by_drive


def _drive(one: _Identity, features: _Features, by_quantity: Mapping[str, list[Fact]]) -> Drive:
    model = one.vendor, one.model
    own = {**features.get((model, None), {}), **features.get((model, one.capacity_gb), {})}
    return Drive(
        drive_id=one.drive_id,
        vendor=one.vendor,
        model=one.model,
        capacity_gb=one.capacity_gb,
        launch_year=one.launch_year,
        launch_year_recalled=one.launch_year_recalled,
        is_listed=True,
        features=own,
        facts={name: facts[0] for name, facts in by_quantity.items()},
        passed_over={
            name: tuple(facts[1:]) for name, facts in by_quantity.items() if len(facts) > 1
        },
        fit=None,
        price_range=None,
        quote=None,
        **{name: feature.value for name, feature in own.items()},
    )
