"""Workloads that a drive is rated for: their size and order, by the conditions of its ratings."""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from models.units import DAY_S, KIB, YEAR_S
from planner.catalogue.drive import Drive, Fact
from planner.catalogue.priors_kind import is_written_in_place

RATINGS = ("rated_bytes", "rated_dwpd")
JEDEC = "JESD21"  # JESD218 rates under the workload of JESD219
UNSTATED = ("best case", "not printed", "not recalled")
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([KM])i?B\b")
_SHARE = re.compile(r"(\d+) ?% (?=\d)")


class RatedBytes(NamedTuple):
    """Rated host writes of a drive in bytes: least, usual and most."""

    low: float
    value: float
    high: float


def rated_bytes_of(drive: Drive) -> RatedBytes | None:
    """Return the rated host writes: as printed, or drive writes per day over their period.

    A rating without a period, of a drive without a warranty, runs over three to five years.

    >>> from planner.catalogue import find, load
    >>> rated_bytes_of(find(load(), "870 EVO 1TB")).value / 1e12
    600.0
    """
    fact = drive.facts.get("rated_bytes") or drive.facts.get("rated_dwpd")
    if fact is None:
        return None
    limit = _limit_bytes(drive, fact)
    if limit is not None:
        return RatedBytes(limit, limit, limit)
    daily = fact.value * drive.capacity_bytes / DAY_S
    least, usual = (daily * period_s for period_s in rating_periods_s(drive))
    return RatedBytes(least, usual, usual)


def rating_periods_s(drive: Drive) -> tuple[float, float]:
    """Return the least and the usual period of a rating that states none: most run five years."""
    return (5 if is_written_in_place(drive) else 3) * YEAR_S, 5 * YEAR_S


class RatedWorkload(NamedTuple):
    """A rating with the workload that it is printed for.

    `transfer_bytes` is the mean size of a write, None where none is printed; `limit_bytes` the
    rating in host bytes, None where its period is unknown.
    """

    fact: Fact
    limit_bytes: float | None
    transfer_bytes: float | None
    is_sequential: bool
    is_jedec: bool

    @property
    def name(self) -> str:
        """Workload as it is printed."""
        return self.fact.condition


def rated_workloads(drive: Drive) -> tuple[RatedWorkload, ...]:
    """Return the ratings that are printed for a drive, each for another workload.

    The one that is used is first. Nothing where the rating is stated by the user, or names no
    workload.

    >>> from planner.catalogue import find, load
    >>> for rated in rated_workloads(find(load(), "PM853T 240")):
    ...     print(rated.name, round(rated.limit_bytes / 1e12, 1), rated.is_sequential)
    4 KB random writes 78.8 False
    64 KB sequential writes 420.5 True
    """
    facts: dict[str, Fact] = {}
    for name in RATINGS:
        first = drive.facts.get(name)
        if first is not None and first.kind == "user":
            return ()
        for fact in _printed(drive, name):
            facts.setdefault(fact.condition, fact)
    return tuple(
        _workload(drive, fact)
        for condition, fact in facts.items()
        if not any(words in condition for words in UNSTATED)
    )


def write_size(condition: str) -> float | None:
    """Return the mean size of the writes that a condition names, None where it names none.

    >>> [write_size(text) for text in ("64 KB sequential writes", "random writes")]
    [65536.0, None]
    >>> write_size("90 % 16 KiB and 10 % 4 KiB random writes") / KIB
    14.8
    """
    sizes = [
        float(number) * (KIB if prefix == "K" else KIB**2)
        for number, prefix in _SIZE.findall(condition)
    ]
    shares = [float(share) / 100 for share in _SHARE.findall(condition)]
    if len(shares) == len(sizes) > 1:
        return sum(share * size for share, size in zip(shares, sizes, strict=True))
    return max(sizes, default=None)


def _printed(drive: Drive, name: str) -> Iterator[Fact]:
    """Yield the printed ratings of a quantity, the one that is used first."""
    for fact in (drive.facts.get(name), *drive.passed_over.get(name, ())):
        if fact is not None and fact.kind == "spec":
            yield fact


def _workload(drive: Drive, fact: Fact) -> RatedWorkload:
    is_jedec = JEDEC in fact.condition
    return RatedWorkload(
        fact=fact,
        limit_bytes=_limit_bytes(drive, fact),
        transfer_bytes=jedec_bytes() if is_jedec else write_size(fact.condition),
        is_sequential="sequential" in fact.condition,
        is_jedec=is_jedec,
    )


def jedec_bytes() -> float:
    """Return the mean size of a write of the enterprise workload of JESD219.

    >>> jedec_bytes() / KIB
    7.635
    """
    from models.rating_class import ENTERPRISE_SIZES  # noqa: PLC0415 - few ratings are by it

    return math.fsum(size * share for size, share in ENTERPRISE_SIZES.items())


def _limit_bytes(drive: Drive, fact: Fact) -> float | None:
    if fact.quantity == "rated_bytes":
        return fact.value
    period_s = drive.value("rating_period_s") or drive.value("warranty_s")
    return None if period_s is None else fact.value * drive.capacity_bytes * (period_s / DAY_S)
