"""Drives that could stand in for the planned one, cheapest first, as `choose` ranks them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from models.errors import DomainError
from planner.catalogue import load
from planner.catalogue.drive import RECALLED, Drive
from planner.catalogue.prices import PriceTerms, is_on_offer, priced
from planner.catalogue.priors import field_copying, with_assumptions
from planner.catalogue.priors_kind import year_of
from planner.scenario.workload import Workload
from planner.search.verdict.lasts import YES, lasts, used_share, written_to
from planner.sections.life import ratings_of
from planner.sections.plan import PlanReading

if TYPE_CHECKING:
    from planner.search.choose.question import Grid

MARGIN = 0.8  # of a rating that an advised drive uses at most
SOLD_SINCE = 2020  # year of launch of drives that can be bought
AS_LARGE = 1.25  # capacity of an advised drive over that of the planned one
MOST_TRIES = 8
_RANK = (("enterprise", 2), ("cloud", 2), ("nas", 1))  # of a segment; 0 for the others
_FORMS = re.compile(r"m\.2(?: \d{4,5}(?:/\d{4,5})*)?|msata|u\.[23]|e[13]\.[sl]|aic|2\.5|usb|nf1")


def stand_ins(
    plan: PlanReading, horizon_s: float, accepts: Callable[[Drive], bool] = lambda _: True
) -> Iterator[PlanReading]:
    """Yield the plans of drives that last with a margin, the lowest price of all drives first.

    They have the same interface and form factor, are made for the same or a higher segment, have
    0 to 25 % more capacity, a rating that was looked up, and are sold.
    """
    drives = [
        with_assumptions(drive)
        for drive in _alike(plan.drive)
        if accepts(drive) and _is_rated_for(drive, plan, horizon_s)
    ]
    for drive in _ranked(plan, drives)[:MOST_TRIES]:
        try:
            other = plan.again(drive=drive, workload=_on(drive, plan.workload))
        except DomainError:  # a fact of the drive contradicts the workload
            continue
        if lasts(other, horizon_s).word == YES and used_share(other, horizon_s) <= MARGIN:
            yield other


def _on(drive: Drive, workload: Workload) -> Workload:
    """Return a workload with the GC writes that hosts of the class of a drive typically have."""
    if workload.field_copy_ratio is None:
        return workload
    return replace(workload, field_copy_ratio=field_copying(drive).typical)


def _is_rated_for(drive: Drive, plan: PlanReading, horizon_s: float) -> bool:
    """Whether a rating that was looked up suffices with the margin."""
    facts = [drive.facts.get(name) for name in ("rated_bytes", "rated_dwpd")]
    is_sourced = any(fact is not None and fact.kind not in (RECALLED, "estimate", "assumption")
                     for fact in facts)  # fmt: skip
    if not is_sourced:
        return False
    rated = ratings_of(drive)["rated_bytes"]
    return rated.is_known and float(rated.value) * MARGIN >= written_to(plan, horizon_s)


def _alike(drive: Drive) -> Iterator[Drive]:
    """Yield the drives of the catalogue that fit where a drive was, and are sold."""
    forms, terms = _forms(drive), PriceTerms(today=date.today())
    for other in load().drives.values():
        is_as_large = drive.capacity_gb <= other.capacity_gb <= AS_LARGE * drive.capacity_gb
        if not is_as_large or other.interface != drive.interface:
            continue
        is_same_form = not forms or not forms.isdisjoint(_forms(other))
        keeps_protection = drive.power_loss_protection != "yes" or _protects(other)
        is_sold = (year_of(other) or 0) >= SOLD_SINCE or is_on_offer(other, terms)
        if is_same_form and keeps_protection and is_sold and _rank(other) >= _rank(drive):
            yield priced(other, terms)


def _protects(drive: Drive) -> bool:
    return drive.power_loss_protection == "yes"


def _rank(drive: Drive) -> int:
    """Return 2 for enterprise, 1 for NAS and 0 for client drives."""
    segment = drive.segment.lower()
    return next((rank for word, rank in _RANK if word in segment), 0)


def _forms(drive: Drive) -> frozenset[str]:
    """Return the form factors of a drive; U.2 and U.3 are bays of 2.5 inches.

    >>> from planner.catalogue import find, load
    >>> sorted(_forms(find(load(), "7450 PRO 960")))
    ['2.5', 'e1.s', 'm.2 22110', 'm.2 2280']
    """
    found = set()
    for name in _FORMS.findall(drive.form_factor.lower()):
        if name.startswith("u."):
            found.add("2.5")
        elif name.startswith("m.2") and " " in name:
            found.update(f"m.2 {size}" for size in name.removeprefix("m.2 ").split("/"))
        else:
            found.add(name)
    return frozenset(found)


def _ranked(plan: PlanReading, drives: list[Drive]) -> list[Drive]:
    """Return drives by the price of the array, as `choose` ranks plans that hold everything."""
    if not drives:
        return []
    from planner.search.choose.choice import choose  # noqa: PLC0415 - few plans need another drive
    from planner.search.choose.question import Objective, Requirements  # noqa: PLC0415 - as above

    grid = _grid(plan, drives)
    found = choose(
        plan.workload, Requirements(), grid, objective=Objective.PRICE, top=len(drives),
        firmware=plan.firmware,
    )  # fmt: skip
    return [each.plan.drive for each in found.candidates]


def _grid(plan: PlanReading, drives: list[Drive]) -> "Grid":
    """Build the grid of a choice: one array, so many drives."""
    from planner.search.choose.nodes import Nodes  # noqa: PLC0415 - few plans need another drive
    from planner.search.choose.question import Grid  # noqa: PLC0415 - as above

    array, nodes, hosts = plan.array, None, plan.array.nodes or 1
    if array.nodes is not None:
        nodes = Nodes((array.nodes,), (array.written,), array.reserve_nodes or 1,
                      array.fill_limit, float("inf"))  # fmt: skip
    return Grid(
        drives=tuple(drives), members=(array.members // hosts,), levels=(array.written,),
        sets=(array.sets,), partition_fractions=(plan.partition_fraction,),
        hot_spares=array.hot_spares, record_bytes=array.record_bytes, nodes=nodes,
    )  # fmt: skip
