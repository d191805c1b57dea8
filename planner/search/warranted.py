"""Vendor's guarantee: the printed rating, at the workload that it is printed for, and the time.

A plan ranks only if neither the rated writes nor the warranty of its drives ends within the years
of the question. What a lighter workload or more spare area adds is modelled, and counts on request.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from models.units import KIB
from planner.catalogue.drive import RECALLED, Drive, Fact
from planner.catalogue.priors_kind import words_of
from planner.scenario.workload import Workload
from planner.sections.structure import has_credit_basis

RATINGS = ("rated_bytes", "rated_dwpd")
NOT_PRINTED = ("assumption", "estimate")
PERIOD = "the period of the printed rating"
_BLOCK = re.compile(r"(\d+) Ki?B\b")


def is_rated(drive: Drive) -> bool:
    """Whether a rating is printed, or stated by the user; one that is assumed is no promise."""
    return any(_is_printed(drive.facts.get(name)) for name in RATINGS)


def is_credited(drive: Drive) -> bool:
    """Whether spare area may be credited: never a client rating, of which no workload is known."""
    return is_rated(drive) and has_credit_basis(drive) and "client" not in words_of(drive)


def printed(drive: Drive, workload: Workload) -> Drive:
    """Return the drive with the rating that is printed for such writes, and its warranty.

    Where several ratings are printed, each counts for writes that are no harder than its own; the
    highest of these applies, the lowest of all where no rating covers the writes. A rating holds
    over its period, which is the warranty where none is printed. A period from memory is that of
    the class: no warranty of the drive follows from it.

    >>> from planner.catalogue import find, load
    >>> drive, small = find(load(), "PM853T 480"), Workload(host_bytes_per_s=1e6)
    >>> streamed = Workload(host_bytes_per_s=1e6, sequential_fraction=1.0, transfer_bytes=2.0**20)
    >>> [printed(drive, writes).value("rated_dwpd") for writes in (small, streamed)]
    [0.3, 1.6]
    """
    facts = dict(drive.facts)
    for name in RATINGS:
        ratings = tuple(_printed_ratings(drive, name))
        if len(ratings) > 1:
            facts[name] = _in_force(ratings, workload)
    period = facts.get("rating_period_s")
    is_of_drive = _is_printed(period) and period is not None and period.kind != RECALLED
    if "warranty_s" not in facts and period is not None and is_of_drive:
        facts["warranty_s"] = replace(period, quantity="warranty_s", kind="derived", note=PERIOD)
    return replace(drive, facts=facts)


def _printed_ratings(drive: Drive, name: str) -> Iterator[Fact]:
    """Yield the ratings of the source that is used, each for another workload."""
    first = drive.facts.get(name)
    if first is None or first.kind != "spec":
        return
    yield first
    for fact in drive.passed_over.get(name, ()):
        if fact.kind == "spec" and fact.condition != first.condition:
            yield fact


def _in_force(ratings: tuple[Fact, ...], workload: Workload) -> Fact:
    covering = [fact for fact in ratings if _covers(fact.condition, workload)]
    if covering:
        return max(covering, key=lambda fact: fact.value)
    return min(ratings, key=lambda fact: fact.value)


def _covers(condition: str, workload: Workload) -> bool:
    """Whether the writes are no harder than those that a rating is printed for."""
    if "best case" in condition:
        return False
    if "sequential" in condition:
        return workload.sequential_fraction == 1.0
    blocks = [float(size) * KIB for size in _BLOCK.findall(condition)]
    return workload.sequential_fraction == 1.0 or workload.transfer_bytes >= max(blocks, default=0)


def _is_printed(fact: Fact | None) -> bool:
    return fact is not None and fact.kind not in NOT_PRINTED
