"""Part numbers, and what drives report as their model.

`data/model_numbers.csv` has the numbers of vendors, `data/oem_numbers.csv` those under which
builders of servers sell drives of others.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from planner.catalogue.rows import CatalogueRow, CellError, data_folder, read
from planner.catalogue.size_codes import sold_size_gb

_IS_NUMBER = re.compile(r"(?=.*[A-Za-z])(?=.*\d)[\w-]{8,}")  # a word that may be a part number
_LONGEST = 60  # characters of a part number with its vendor; longer texts are none
_COLUMNS = ("model_pattern", "vendor", "model", "capacity_gb", "origin")
_OEM_COLUMNS = (
    "number_pattern", "oem", "vendor", "model", "capacity_gb", "source_id", "locator",
)  # fmt: skip
_PARTS = re.compile(r"[\s_]+")  # between the parts of a model: Micron_5100_MTFDDAK1T9TBY


@dataclass(frozen=True, slots=True)
class ModelNumber:
    """A pattern of model numbers, and the model of the catalogue that it names.

    `sizes_gb` holds the capacity where the digits of the number do not say it.
    """

    pattern: re.Pattern[str]
    vendor: str
    model: str
    sizes_gb: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class PartNumber:
    """A model that a part number names, and the sizes that it may state, in GB.

    `sold_gb` is the size that its code means, as drives are sold; 0 where it has no code.
    """

    vendor: str
    model: str
    sizes_gb: tuple[float, ...]
    sold_gb: float


@functools.cache
def model_numbers() -> tuple[ModelNumber, ...]:
    """Return all patterns, those of OEMs first: the first that matches holds."""
    return (
        *read(data_folder() / "oem_numbers.csv", _OEM_COLUMNS, _oem_row, []),
        *read(data_folder() / "model_numbers.csv", _COLUMNS, _row, []),
    )


@functools.lru_cache(maxsize=4096)
def numbered(text: str) -> tuple[PartNumber, ...]:
    """Return the models of a part number, or of a reported model, by the whole of it or a part.

    A pattern that has several rows names several models.

    >>> [(part.model, part.sold_gb) for part in numbered("5100_MTFDDAK1T9TBY")]
    [('5100 ECO', 1920.0)]
    """
    spellings = _spellings(text)
    for row in model_numbers():
        for written in dict.fromkeys(each for one in spellings for each in _written(one, row)):
            if match := row.pattern.search(written):
                alike = (each for each in model_numbers() if each.pattern == row.pattern)
                return tuple(_part(each, written, match.end()) for each in alike)
    return ()


def _part(row: ModelNumber, written: str, end: int) -> PartNumber:
    whole = _without_model(written, row.model)
    sizes_gb = *_sizes_gb(written[end:]), *_sizes_gb(whole)
    sold_gb = row.sizes_gb[0] if row.sizes_gb else sold_size_gb(written) or 0.0
    return PartNumber(row.vendor, row.model, row.sizes_gb or sizes_gb, sold_gb)


def _spellings(text: str) -> list[str]:
    """Return a text and the parts of it that may be part numbers."""
    words = (word for word in _PARTS.split(text) if len(word) <= _LONGEST)
    whole = [text.strip()] if len(text) <= _LONGEST else []
    return [*whole, *(word for word in words if _IS_NUMBER.search(word))]


def _written(text: str, row: ModelNumber) -> Iterator[str]:
    """Yield a part number as it may be written: in capitals, without dashes, after its vendor."""
    number = text.upper()
    yield from (text, number, number.replace("-", ""), f"{row.vendor.upper()} {number}")


def _without_model(written: str, model: str) -> str:
    """Return a part number less the number of its model, which is no size: 7500 is not 7.68 TB."""
    for word in model.split():
        if word.isdigit():
            written = written.replace(word, "", 1)
    return written


def _sizes_gb(text: str) -> Iterator[float]:
    """Yield the sizes that digits of a part number may mean: 960, 1T9, 040T, 100T, 038.

    The digits may follow others that belong to the model: MZ7L33T8 is of 3.8 TB.
    """
    for digits, dot, decimals in re.findall(r"(\d+)(T?)(\d*)", text):
        for number in (digits[first:] for first in range(len(digits))):
            if dot:
                yield float(f"{number}.{decimals or 0}") * 1e3
                yield from (float(number) * 1e3 / scale for scale in (10, 100))
            if number.startswith("0"):
                yield from (float(number) * 100, float(number) * 10)
            yield float(number)


def _oem_row(row: CatalogueRow) -> ModelNumber:
    for column in ("oem", "source_id", "locator"):
        row.required(column)
    return _row(row, "number_pattern")


def _row(row: CatalogueRow, column: str = "model_pattern") -> ModelNumber:
    try:
        pattern = re.compile(row.required(column))
    except re.error as error:
        raise CellError(f"{column}: {error}") from None
    sizes_gb = (row.number("capacity_gb"),) if row["capacity_gb"] else ()
    return ModelNumber(pattern, row.required("vendor"), row.required("model"), sizes_gb)
