"""Nomenclature: one row per quantity, one name and one unit across the tree.

Labels and tooltips of every face come from here. The rows are `models/nomenclature.csv`.
"""

import csv
import pkgutil
from typing import NamedTuple


class Quantity(NamedTuple):
    """A quantity of the nomenclature; the fields are the columns of the table.

    Attributes:
        unit: Base unit, in which formulas compute.
        shown_in: Unit in which people see the quantity.
        topic: Group of quantities; the rows of a group follow each other.
    """

    name: str
    label: str
    symbol: str
    unit: str
    shown_in: str
    meaning: str
    topic: str


def _read() -> dict[str, Quantity]:
    table = pkgutil.get_data("models", "nomenclature.csv") or b""
    _, *rows = csv.reader(table.decode("utf-8").splitlines())
    return {row[0]: Quantity(*row) for row in rows}


QUANTITIES = _read()
