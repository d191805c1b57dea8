"""Vendor's guarantee: the printed rating, at the workload that it is printed for, and the time.

A plan ranks only if neither the rated writes nor the warranty of its drives ends within the years
of the question. What a lighter workload or more spare area adds is modelled, and counts on request.
"""

from dataclasses import replace

from planner.catalogue.drive import RECALLED, Drive, Fact
from planner.catalogue.priors_kind import words_of
from planner.catalogue.rated import RATINGS
from planner.scenario.workload import Workload
from planner.sections.rating import rating_pair
from planner.sections.structure import has_credit_basis

NOT_PRINTED = ("assumption", "estimate")
PERIOD = "the period of the printed rating"


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
    pair = rating_pair(drive, workload)
    if pair is not None:
        drive = _in_force(drive, pair.harder.fact)
    facts = dict(drive.facts)
    period = facts.get("rating_period_s")
    is_of_drive = _is_printed(period) and period is not None and period.kind != RECALLED
    if "warranty_s" not in facts and period is not None and is_of_drive:
        facts["warranty_s"] = replace(period, quantity="warranty_s", kind="derived", note=PERIOD)
    return replace(drive, facts=facts)


def _in_force(drive: Drive, rating: Fact) -> Drive:
    """Return the drive with one of its printed ratings as the one that is used."""
    facts, passed = dict(drive.facts), dict(drive.passed_over)
    for name in RATINGS:
        every = (*([facts.pop(name)] if name in facts else []), *passed.get(name, ()))
        passed[name] = tuple(fact for fact in every if fact is not rating)
    facts[rating.quantity] = rating
    return replace(drive, facts=facts, passed_over={k: v for k, v in passed.items() if v})


def _is_printed(fact: Fact | None) -> bool:
    return fact is not None and fact.kind not in NOT_PRINTED
