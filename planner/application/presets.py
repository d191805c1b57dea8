"""Presets: inputs with defaults and priors, from `data/applications.csv`, and their uses."""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from models.errors import DomainError
from models.units import DAY_S
from planner.application.groups import uses
from planner.application.priors import KINDS, Prior, around
from planner.catalogue import data_folder
from planner.catalogue.rows import CatalogueRow, CellError, read
from planner.quantity import parse
from planner.quantity.writes import parse_writes

Value = float | str
Values = Mapping[str, Any]  # numbers and words, or arrays of draws where nothing is stated
COLUMNS = (
    "name", "input", "accepted", "unit", "least", "most", "low", "default", "high", "prior",
    "source",
)  # fmt: skip
FLUSH = "flush_s"  # the input that a drive answers
USES = "application_uses.csv"
SHOWN = 60
_EXAMPLES = {"bytes": "2.2KiB", "bytes/s": "1.7 TB a day", "s": "5 minutes", "days": "2 weeks"}


def number(values: Values, name: str) -> Any:
    """Return an input that is a number, or an array of them."""
    return values[name]


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
    """An input: what is accepted, its default and a prior where it is uncertain.

    An input without a default follows from others unless it is stated.
    """

    name: str
    accepted: str
    unit: str
    least: float | None
    most: float | None
    default: Value | None
    prior: Prior
    source: str

    @property
    def low(self) -> Value | None:
        """The lowest value where it is not stated."""
        return self._ends()[0]

    @property
    def high(self) -> Value | None:
        """The highest value where it is not stated."""
        return self._ends()[1]

    def _ends(self) -> tuple[Value | None, Value | None]:
        if not self.prior.kind or isinstance(self.default, str):
            return self.default, self.default
        if self.prior.kind == "shares":
            numbers = [*map(float, self.prior.shares)]
            return min(numbers), max(numbers)
        return self.prior.low, self.prior.high

    def value(self, text: str) -> Value | Prior:
        """Parse a text with or without its unit, or refuse it with the accepted range.

        A number may have two ends, `LOW..HIGH`, between which it is drawn.

        >>> inputs = load()["rocksdb-leveled"].inputs
        >>> inputs["row_bytes"].value("2.2KiB"), inputs["bytes_per_s"].value("1.7 TB a day")
        (2252.8, 19675925.925925925)
        >>> inputs["updated_fraction"].value("80%")
        0.8
        >>> inputs["row_bytes"].value("100..400")
        Prior(kind='log-normal', low=100.0, high=400.0, shares={})
        """
        if "|" in self.accepted:
            word = text.strip().lower()
            return word if word in self.accepted.split("|") else self._refuse(text)
        if ".." in text and self.accepted == "number":
            return self._between(text)
        try:
            number = self._parsed(text)
        except (DomainError, ValueError):
            return self._refuse(text)
        return number if self._holds(number) else self._refuse(text)

    def _between(self, text: str) -> Prior:
        """Parse two ends, between which 90 % of the draws of the input lie."""
        ends = [self.value(end) for end in text.split("..", 1)]
        low, high = (end if isinstance(end, float) else math.nan for end in ends)
        if not low <= high:
            return self._refuse(text)
        return Prior("log-normal" if low > 0 else "uniform", low, high)

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

    def _refuse(self, text: str) -> NoReturn:
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

    def stated(self, texts: Mapping[str, str]) -> dict[str, Value | Prior]:
        """Return the inputs that are stated; refuse what is none, or has no such value."""
        for name in texts:
            if name not in self.inputs:
                known = ", ".join(self.inputs)
                raise DomainError(f"{name[:SHOWN]} is not an input of {self.name}: {known}")
        return {name: self.inputs[name].value(text) for name, text in texts.items()}

    def draws(self, stated: Values, flush_s: float | None = None) -> dict[str, Any]:
        """Return every input: as it is stated, else drawn; `flush_s` is that of the drive.

        Inputs of one name are drawn alike, those of several applications by their own names.
        """
        priors = {name: row.prior for name, row in self.inputs.items()}
        if flush_s is not None and FLUSH in priors:
            priors[FLUSH] = around(flush_s)
        drawn = {}
        for name, row in self.inputs.items():
            value = stated.get(name, priors[name])
            if isinstance(value, Prior):
                value = value.drawn(name, row.default)
                if name in stated and np.ndim(value):
                    value = np.clip(value, row.least, row.most)
            drawn[name] = value
        return drawn


@functools.cache
def load(
    folder: Path | None = None, rows_of: str = "applications.csv", uses_of: str = USES
) -> Mapping[str, Preset]:
    """Read the presets, by default those of the package.

    >>> sorted(load())[:3]
    ['appended-file', 'bitcoin', 'btrfs']
    """
    problems: list[str] = []
    folder = folder or data_folder()
    rows = [*read(folder / rows_of, COLUMNS, _input, problems)]
    if problems:
        raise ValueError(problems[0])
    names = dict.fromkeys(name for name, _ in rows)
    return {
        name: Preset(
            **uses(folder, uses_of)[name]._asdict(),
            inputs={row.name: row for of, row in rows if of == name},
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


def _input(row: CatalogueRow) -> tuple[str, PresetInput]:
    words = "|" in row["accepted"]
    default: Value | None = row["default"] or None
    if default is not None and not words:
        default = row.number("default")
    return row.required("name"), PresetInput(
        name=row.required("input"),
        accepted=row.required("accepted"),
        unit=row.required("unit"),
        least=None if words else row.number("least"),
        most=None if words else row.number("most"),
        default=default,
        prior=_prior(row),
        source=row.required("source"),
    )


def _prior(row: CatalogueRow) -> Prior:
    """Read the prior of an input; ends without a kind are a range around the default."""
    kind, *shares = row["prior"].split() or ["range" if row["low"] else ""]
    if kind not in KINDS:
        raise CellError(f"prior: {kind} is not known: {', '.join(KINDS[1:])}")
    if kind == "shares":
        parts = dict(part.split(":") for part in shares)
        return Prior(kind, shares={value: float(part) for value, part in parts.items()})
    return Prior(kind, row.number("low"), row.number("high")) if kind else Prior()
