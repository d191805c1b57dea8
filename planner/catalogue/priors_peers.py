"""Facts of drives of the same class: ranges over the catalogue for unprinted ones."""

from functools import cache
from typing import NamedTuple

import numpy as np

from planner.catalogue.drive import Drive
from planner.catalogue.priors_kind import CLASSES, dwpd_of, words_of, year_of
from planner.catalogue.reader import load

FEWEST = 8  # models that make a range
FEWEST_ALIKE = 5  # of models that are alike by their class or cells
FEWEST_IN_PLACE = 2  # of models written in place, of which there are few
QUANTILES = (0.05, 0.5, 0.95)
YEARS = 4  # before and after, within which drives are of one time
# Words that say what is comparable, the closest first; the last is every drive.
_BUS, _SEGMENT = ("SATA", "SAS", "NVMe"), ("client", "enterprise")
_KINDS = (_BUS, _SEGMENT), (_SEGMENT,), (_BUS,), ()
# A class of endurance says what a rating is, and so do cells of four bits, and of one.
_CELLS = ("QLC", "SLC")
_IN_PLACE = ("XPoint",)
_OF_WHOLE_YEARS = ("warranty_s",)  # which none has between three and five
_OF_RATING = (
    (_BUS, _SEGMENT, CLASSES, _CELLS), (_SEGMENT, _CELLS), (_BUS, _SEGMENT, CLASSES),
    (_SEGMENT, CLASSES), *_KINDS,
)  # fmt: skip


class Peers(NamedTuple):
    """5, 50 and 95 % of the drives of a kind that have a fact, and which these are."""

    low: float
    typical: float
    high: float
    kind: str


def peers(drive: Drive, quantity: str) -> Peers | None:
    """Return the range of a fact over drives of the same kind and time; every family counts once.

    Of ratings the kind is that of the class of endurance too, and of cells of four bits or one. Of
    what is written in place it is every such drive, of any time.

    >>> from planner.catalogue import find
    >>> sata = peers(find(load(), "840 EVO 250"), "random_read_iops")
    >>> sata.low < sata.typical < sata.high < 110_000
    True
    """
    words, year = words_of(drive), year_of(drive)
    if words.issuperset(_IN_PLACE):  # no drive of flash says anything of it
        return _range(quantity, _IN_PLACE, None, FEWEST_IN_PLACE)
    for groups in _OF_RATING if quantity == "rated_dwpd" else _KINDS:
        kind = tuple(sorted(word for group in groups for word in group if word in words))
        for years in ((year - YEARS, year + YEARS), None) if year else (None,):
            is_alike = bool({*kind} & {*CLASSES, *_CELLS})
            peers_range = _range(quantity, kind, years, FEWEST_ALIKE if is_alike else FEWEST)
            if peers_range is not None:
                return peers_range
    return None


@cache
def _range(
    quantity: str, kind: tuple[str, ...], years: tuple[int, int] | None, fewest: int
) -> Peers | None:
    families: dict[tuple[str, str], list[float]] = {}
    for family, value, words, year in _having(quantity):
        is_near = years is None or (year is not None and years[0] <= year <= years[1])
        if is_near and words.issuperset(kind):
            families.setdefault(family, []).append(value)
    if len(families) < fewest:
        return None
    values = [_median(each) for each in families.values()]
    ends = np.quantile(
        values, QUANTILES, method="nearest" if quantity in _OF_WHOLE_YEARS else "linear"
    )
    low, typical, high = (float(each) for each in ends)
    when = "" if years is None else f" of {years[0]} to {years[1]}"
    return Peers(low, typical, high, f"{' '.join((*kind, 'drives'))}{when}")


def _median(values: list[float]) -> float:
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


@cache
def _having(quantity: str) -> list[tuple[tuple[str, str], float, frozenset[str], int | None]]:
    """Return family, fact, words and year of the drives that have a fact."""
    read = dwpd_of if quantity == "rated_dwpd" else lambda drive: drive.value(quantity)
    return [
        ((drive.vendor, drive.model), value, words, year)
        for drive, words, year in _drives()
        if (value := read(drive)) is not None
    ]


@cache
def _drives() -> list[tuple[Drive, frozenset[str], int | None]]:
    return [(drive, words_of(drive), year_of(drive)) for drive in load().drives.values()]
