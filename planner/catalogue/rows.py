"""Rows of a CSV file: one that cannot be used is named and left out, the rest is read.

A complaint says file, line as a text editor counts it, column and reason:
"facts.csv:17: value: 'abc' is not a number".
"""

import csv
import math
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TypeVar

from planner.quantity.parse import LARGEST, quoted, shortened

T = TypeVar("T")


def data_folder() -> Path:
    """Folder of the catalogue's files: in the installed package, else in the checkout."""
    installed = Path(__file__).parents[1] / "data"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "data"


class CellError(ValueError):
    """A cell that cannot be used; the message names its column and the reason."""


class CatalogueRow(dict[str, str]):
    """Cells by column, with the checks that most columns need."""

    def required(self, column: str) -> str:
        """Return a cell that must not be empty."""
        if cell := self[column]:
            return cell
        raise CellError(f"{column}: is empty")

    def number(self, column: str) -> float:
        """Return a cell that must be a finite number >= 0."""
        try:
            value = float(self.required(column))
        except ValueError as error:
            reason = str(error) if isinstance(error, CellError) else None
            raise CellError(reason or f"{column}: {quoted(self[column])} is not a number") from None
        if not 0 <= value < math.inf:
            raise CellError(f"{column}: {quoted(self[column])} is not a finite number >= 0")
        if value > LARGEST:
            raise CellError(f"{column}: {quoted(self[column])} is larger than any quantity")
        return value

    def choice(self, column: str, known: Collection[str]) -> str:
        """Return a cell that must be one of `known`; few are listed, many are not."""
        if (cell := self[column]) in known:
            return cell
        listed = f": {shortened(', '.join(known))}" if len(known) <= 6 else ""
        raise CellError(f"{column}: {quoted(self.required(column))} is not known{listed}")


def read(
    path: Path, columns: Collection[str], make: Callable[[CatalogueRow], T], problems: list[str]
) -> Iterator[T]:
    """Yield the result of `make` for each row that has all `columns`; add to `problems`."""
    try:
        for line, row in _rows(path, columns):
            try:
                yield make(row if isinstance(row, CatalogueRow) else _refuse(row))
            except CellError as error:
                problems.append(f"{path.name}:{line}: {error}")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        problems.append(f"{path.name}: cannot be read: {error}")


def _refuse(reason: str) -> CatalogueRow:
    raise CellError(reason)


def _rows(path: Path, columns: Collection[str]) -> Iterator[tuple[int, CatalogueRow | str]]:
    """Yield first line and cells of each row, or what is wrong with its shape."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.reader(lines, strict=True)
        header = next(reader, [])
        if absent := [column for column in columns if column not in header]:
            yield 1, f"{absent[0]}: the column is missing"
            return
        line = reader.line_num + 1
        try:
            for cells in reader:
                if len(cells) == len(header):
                    yield line, CatalogueRow(zip(header, map(str.strip, cells), strict=True))
                elif cells:
                    yield (
                        line,
                        f"{shortened(header[-1])}: {len(cells)} cells under {len(header)} columns",
                    )
                line = reader.line_num + 1
        except csv.Error as error:
            yield line, f"{shortened(header[0])}: the rest cannot be read: {error}"
