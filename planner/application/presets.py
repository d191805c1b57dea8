"""Presets: inputs with defaults and ranges, from `data/applications.csv`, and their uses."""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from models.errors import DomainError
from models.units import DAY_S
from planner.catalogue import data_folder
from planner.catalogue.rows import CatalogueRow, read
from planner.quantity import parse
from planner.quantity.writes import parse_writes

Value = float | str
Values = Mapping[str, Value]
COLUMNS = ("name", "input", "accepted", "unit", "least", "most", "low", "default", "high", "source")
USE_COLUMNS = ("name", "use", "note")
SHOWN = 60
_EXAMPLES = {"bytes": "2.2KiB", "bytes/s": "1.7 TB a day", "s": "5 minutes", "days": "2 weeks"}


def number(values: Values, name: str) -> float:
    """Return an input that is a number."""
    return float(values[name])


_READ: Mapping[str, Callable[[str, str], float]] = {
    "bytes": parse.parse_bytes,
    "bytes/s": lambda field, text: parse_writes(field, text, capacity_bytes=math.nan),
    "s": parse.parse_duration,
    "days": lambda field, text: parse.parse_duration(field, text) / DAY_S,
    "1": parse.parse_fraction,
    "1/s": lambda field, text: parse.parse_number(field, text.removesuffix("/s").strip()),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetInput:
    """An input: what is accepted, its default and, where it is uncertain, a range.

    `low` is the end of the range with which the drive receives less.
    """

    name: str
    accepted: str
    unit: str
    least: float | None
    most: float | None
    low: Value
    default: Value
    high: Value
    source: str

    def value(self, text: str) -> Value:
        """Parse a text with or without its unit, or refuse it with the accepted range.

        >>> inputs = load()["rocksdb-leveled"].inputs
        >>> inputs["row_bytes"].value("2.2KiB"), inputs["bytes_per_s"].value("1.7 TB a day")
        (2252.8, 19675925.925925925)
        >>> inputs["updated_fraction"].value("80%")
        0.8
        """
        if "|" in self.accepted:
            word = text.strip().lower()
            return word if word in self.accepted.split("|") else self._refuse(text)
        try:
            number = self._parsed(text)
        except (DomainError, ValueError):
            return self._refuse(text)
        return number if self._holds(number) else self._refuse(text)

    def _parsed(self, text: str) -> float:
        """Parse a number in the unit of the input, or a quantity with another unit."""
        try:
            return float(text)
        except ValueError:
            read = _READ.get(self.unit)
            if read is None:
                raise
            return read(self.name, text)

    def _holds(self, number: float) -> bool:
        if self.least is None or self.most is None or not self.least <= number <= self.most:
            return False
        if self.accepted == "number":
            return True
        return number % 1 == 0 and (self.accepted == "whole" or math.log2(number) % 1 == 0)

    def _refuse(self, text: str) -> float:
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
        raise DomainError(f"{self.name} must be {self.range}, got {shown!r}")

    @property
    def range(self) -> str:
        """Accepted values, in words."""
        if "|" in self.accepted:
            return f"one of {self.accepted.replace('|', ', ')}"
        kind = {"number": "a number", "whole": "a whole number"}.get(
            self.accepted, "a power of two"
        )
        unit = "" if self.unit == "1" else f" {self.unit}"
        example = f", or such as {_EXAMPLES[self.unit]}" if self.unit in _EXAMPLES else ""
        return f"{kind} from {self.least:g} to {self.most:g}{unit}{example}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """An application with its inputs, its use in words, and a note on what is left out."""

    name: str
    use: str
    note: str
    inputs: Mapping[str, PresetInput]

    def levels(self, texts: Mapping[str, str]) -> dict[str, Values]:
        """Return the inputs at the low, typical and high level; what is stated has no range."""
        for name in texts:
            if name not in self.inputs:
                known = ", ".join(self.inputs)
                raise DomainError(f"{name[:SHOWN]} is not an input of {self.name}: {known}")
        stated = {name: self.inputs[name].value(text) for name, text in texts.items()}
        return {
            level: {name: getattr(row, field) for name, row in self.inputs.items()} | stated
            for level, field in (("low", "low"), ("typical", "default"), ("high", "high"))
        }


@functools.cache
def load(folder: Path | None = None) -> Mapping[str, Preset]:
    """Read the presets, by default those of the package.

    >>> sorted(load())[:3]
    ['bitcoin', 'btrfs', 'ceph-db']
    """
    problems: list[str] = []
    folder = folder or data_folder()
    rows = [*read(folder / "applications.csv", COLUMNS, _input, problems)]
    uses = dict(read(folder / "application_uses.csv", USE_COLUMNS, _use, problems))
    if problems:
        raise ValueError(problems[0])
    names = dict.fromkeys(name for name, _ in rows)
    return {
        name: Preset(
            name=name, **uses[name], inputs={row.name: row for of, row in rows if of == name}
        )
        for name in names
    }


def preset_of(name: str) -> Preset:
    """Return a preset by its name, or refuse it with the names that there are.

    >>> preset_of("etcd").use
    'etcd, the control plane of Kubernetes'
    """
    presets = load()
    if isinstance(name, str) and name in presets:
        return presets[name]
    name = str(name)
    shown = name if len(name) <= SHOWN else f"{name[:SHOWN]}..."
    meant = [each for each in sorted(presets) if name.lower() in presets[each].use.lower()]
    hint = f"; {' or '.join(meant)} is for {shown}" if meant and len(name) > 2 else ""
    raise DomainError(f"app must be one of {', '.join(presets)}, got {shown!r}{hint}")


def _use(row: CatalogueRow) -> tuple[str, dict[str, str]]:
    return row.required("name"), {name: row.required(name) for name in ("use", "note")}


def _input(row: CatalogueRow) -> tuple[str, PresetInput]:
    words = "|" in row["accepted"]
    default: Value = row.required("default") if words else row.number("default")
    low, high = (row.number(end) if row[end] else default for end in ("low", "high"))
    return row.required("name"), PresetInput(
        name=row.required("input"),
        accepted=row.required("accepted"),
        unit=row.required("unit"),
        least=None if words else row.number("least"),
        most=None if words else row.number("most"),
        low=low,
        default=default,
        high=high,
        source=row.required("source"),
    )
