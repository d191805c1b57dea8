"""The catalogue as one file that is read by the drive, kept between runs of the program.

Reading the tables checks a hundred thousand cells, most of drives that nobody asks for. The kept
file has a line that lists all drives and their numbers, and a line of facts for each, which is
parsed when one is asked for with its source. Its key is a digest of the tables and of the code that
reads them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from models import nomenclature
from planner.catalogue import drive as records
from planner.catalogue import rows, user_cache
from planner.catalogue.drive import Drive, Fact, Feature, Source, StoredFacts, StoredMapping
from planner.quantity import parse, units

TABLES = ("sources.csv", "drives.csv", "features.csv", "facts.csv")
_HERE = Path(__file__)
# What decides how a table is read; the units of `models` are in the same folder.
_CODE = (
    _HERE, _HERE.with_name("reader.py"), Path(rows.__file__), Path(records.__file__),
    Path(parse.__file__), Path(units.__file__), Path(nomenclature.__file__),
    Path(nomenclature.__file__).with_name("nomenclature.csv"),
    Path(nomenclature.__file__).with_name("units.py"),
)  # fmt: skip
_NOT_LISTED = ("features", "facts", "passed_over", "fit", "price_range", "quote")
_OF_SOURCE, _OF_FACT = (tuple(each.name for each in fields(kind)) for kind in (Source, Fact))
_LISTED = tuple(each.name for each in fields(Drive) if each.name not in _NOT_LISTED)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Catalogue:
    """Drives and sources by id, and the rows that could not be used; equal to itself alone."""

    drives: Mapping[str, Drive]
    sources: Mapping[str, Source]
    problems: tuple[str, ...]


def kept_catalogue(folder: Path, read: Callable[[Path], Catalogue]) -> Catalogue:
    """Return the catalogue of a folder as it was kept, else read it and keep it."""
    key = user_cache.digest_of(*(folder / name for name in TABLES), *_CODE)
    if key is None:
        return read(folder)
    name = f"catalogue-{user_cache.short_name(folder)}.jsonl"
    kept = user_cache.kept(name, key)
    if kept is not None:
        return loaded(kept)
    catalogue = read(folder)
    user_cache.keep(name, key, dumped(catalogue))
    return catalogue


def dumped(catalogue: Catalogue) -> bytes:
    """Write a catalogue as lines of JSON: all drives, then the facts of each."""
    drives = catalogue.drives.values()
    first = {
        "sources": [_values(source) for source in catalogue.sources.values()],
        "problems": catalogue.problems,
        "drives": [[getattr(drive, name) for name in _LISTED] for drive in drives],
        "numbers": [{name: fact.value for name, fact in drive.facts.items()} for drive in drives],
    }
    return "\n".join(map(_json, [first, *map(_facts_record, drives)])).encode()


def loaded(data: bytes) -> Catalogue:
    """Return the catalogue that was written so.

    >>> from planner.catalogue.reader import load
    >>> again = loaded(dumped(load()))
    >>> again.drives == load().drives, again.sources == load().sources
    (True, True)
    """
    lines = data.split(b"\n")
    first = json.loads(lines[0])
    sources = [Source(**dict(zip(_OF_SOURCE, values, strict=True))) for values in first["sources"]]
    drives = (
        _drive(listed, numbers, _FactsLine(line))
        for listed, numbers, line in zip(first["drives"], first["numbers"], lines[1:], strict=True)
    )
    return Catalogue(
        drives={drive.drive_id: drive for drive in drives},
        sources={source.source_id: source for source in sources},
        problems=tuple(first["problems"]),
    )


def _json(record: Any) -> str:
    return json.dumps(record, separators=(",", ":"))


def _values(record: Source | Fact | Feature) -> list[Any]:
    return [getattr(record, each.name) for each in fields(record)]


def _facts_record(drive: Drive) -> list[dict[str, Any]]:
    """Write the features, the facts, and the facts passed over, of a drive."""
    return [
        {name: _values(feature) for name, feature in drive.features.items()},
        {name: _values(fact) for name, fact in drive.facts.items()},
        {name: [*map(_values, facts)] for name, facts in drive.passed_over.items()},
    ]


def _drive(listed: list[Any], numbers: dict[str, float], line: "_FactsLine") -> Drive:
    return Drive(
        **dict(zip(_LISTED, listed, strict=True)),
        features=StoredMapping(lambda: line.features),
        facts=StoredFacts(lambda: line.facts, numbers),
        passed_over=StoredMapping(lambda: line.passed_over),
    )


class _FactsLine:
    """The line of facts of a drive, parsed once."""

    def __init__(self, line: bytes) -> None:
        self._line = line

    @cached_property
    def _parsed(self) -> list[dict[str, Any]]:
        parsed: list[dict[str, Any]] = json.loads(self._line)
        return parsed

    @cached_property
    def features(self) -> dict[str, Feature]:
        """The features of the drive by name."""
        return {name: Feature(*values) for name, values in self._parsed[0].items()}

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts of the drive that are used, by quantity."""
        return {name: _fact(values) for name, values in self._parsed[1].items()}

    @cached_property
    def passed_over(self) -> dict[str, tuple[Fact, ...]]:
        """The facts of the drive that others replace, by quantity."""
        return {name: tuple(map(_fact, rows)) for name, rows in self._parsed[2].items()}


def _fact(values: list[Any]) -> Fact:
    return Fact(**dict(zip(_OF_FACT, values, strict=True)))
