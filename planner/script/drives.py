"""`drive` and `drives` for scripts: look up drives of the catalogue."""

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING

from models.errors import DomainError
from planner.catalogue import find, load, search
from planner.catalogue.drive import Drive
from planner.catalogue.features import DERIVED
from planner.catalogue.quote_header import COLUMNS
from planner.catalogue.quotes import table_contents
from planner.catalogue.reader import FEATURES
from planner.quantity.parse import parse_bytes
from planner.script.inputs import check_drive, check_names
from planner.search.choose.request import quotes_of

if TYPE_CHECKING:
    import pandas as pd


def drive(name: str | Drive) -> Drive:
    """Return the drive that matches words of a name, or an id; several matches are refused.

    A drive is returned as it is.

    >>> drive("840 evo 250").name
    'Samsung 840 EVO 250 GB'
    """
    if name is None:
        raise DomainError("drive must be named")
    check_drive(name)
    return name if isinstance(name, Drive) else find(load(), name)


def drives(
    words: str = "",
    *,
    vendor: str | None = None,
    interface: str | None = None,
    nand: str | None = None,
    segment: str | None = None,
    min_capacity: str | None = None,
    max_capacity: str | None = None,
    features: Mapping[str, str] | None = None,
) -> tuple[Drive, ...]:
    """Return the drives whose names contain every word, with the filters of the command `drives`.

    `features` are known features that they must have: {"power_loss_protection": "yes"}.

    >>> [one.name for one in drives("845dc pro", max_capacity="500 GB")]
    ['Samsung 845DC PRO 400 GB']
    """
    if not isinstance(words, str):
        raise DomainError(f"words must be a text, got {words!r}")
    return search(
        load(), words, vendor=vendor, interface=interface, nand_type=nand, segment=segment,
        features=_features(features or {}),
        min_bytes=None if min_capacity is None else parse_bytes("min_capacity", min_capacity),
        max_bytes=None if max_capacity is None else parse_bytes("max_capacity", max_capacity),
    )  # fmt: skip


def _features(wanted: Mapping[str, str]) -> Mapping[str, str]:
    check_names(wanted, (*FEATURES, *DERIVED), "drives: features")
    return wanted


def quotes(
    *files: str | PathLike[str], currency: str = "USD", rate: tuple[str, ...] = ()
) -> tuple[Drive, ...]:
    """Return the drives of tables of quotes and drives of your own, with their prices.

    They may be planned, compared, or chosen among; `quotes_table()` is an empty table. `rate` says
    what one unit of a currency is in USD: ("EUR=1.08",). A row with a cell that cannot be used is
    refused; `choose` sets it aside and names it.
    """
    if not files:
        raise DomainError("files must name at least one table; quotes_table() is an empty one")
    return quotes_of(table_contents(files), {"currency": currency, "rate": rate}).checked().drives


def quotes_table() -> "pd.DataFrame":
    """Return an empty table for quotes and drives of your own; values take units: 3.84 TB.

    >>> quotes_table().columns[:4].tolist()
    ['part_number', 'vendor', 'model', 'capacity']
    """
    import pandas as pd  # noqa: PLC0415 - a drive needs none of it

    return pd.DataFrame(columns=[*COLUMNS], dtype=object)
