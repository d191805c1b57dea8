"""What a choice is asked, from inputs as people write them: the one way of commands and scripts."""

from collections.abc import Iterable
from typing import Any, TypedDict

from planner.catalogue.drive import Drive, own_drive
from planner.catalogue.priors import Level, field_copying, with_assumptions
from planner.ownership.request import risk_of, terms_of
from planner.ownership.terms import Terms
from planner.quantity.input import InputError
from planner.quantity.inputs import GRID, INPUTS, LOAD, NEEDS, OWNING, stated
from planner.reliability.failure_assumptions import Risk
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.search.choose.question import Grid, Objective, Requirements
from planner.sections.request import firmware_of, level_of, workload_of

__all__ = ["CHOICE", "GRID_OF", "OBJECTIVES", "ChoiceRequest", "choice_request", "drives_at"]

# Inputs of a choice, and what is tried where nothing is said.
CHOICE = (*NEEDS, *GRID, "hot_spares", "assumed", "known_only", *LOAD, *OWNING)
GRID_OF = {"drives": "1-24", "raid": "0,1,10,5,6", "spare": "0%,7%,14%,28%"}
OBJECTIVES = {"price": Objective.PRICE, "cost": Objective.COST}
MOST_DRIVES = 10_000


class ChoiceRequest(TypedDict):
    """What `choose` and `mixed_fleet` take."""

    workload: Workload
    requirements: Requirements
    grid: Grid
    objective: Objective
    risk: Risk
    terms: Terms
    firmware: Firmware


def choice_request(among: Iterable[Drive], /, *, minimise: str, **texts: Any) -> ChoiceRequest:
    """Return what `choose` takes, from inputs by the names of `planner.quantity.inputs`.

    Counts, layouts, spare areas and sets take lists and ranges. What is not known of a drive is
    assumed at its cautious end, by `assumed` at typical figures; by `known_only` it is left open.

    >>> request = choice_request((), minimise="price", usable="10 TB", drives="4-6", raid="5,10")
    >>> request["grid"].members, request["requirements"].usable_bytes
    ((4, 5, 6), 10000000000000.0)
    """
    required, level = Requirements(**stated(texts, NEEDS)), level_of(texts)
    return {
        "workload": _workload(texts, required.usable_bytes, level),
        "requirements": required,
        "grid": _grid(drives_at(among, level), level, texts),
        "objective": OBJECTIVES[minimise],
        "risk": risk_of(texts),
        "terms": terms_of(texts),
        "firmware": firmware_of(texts),
    }


def drives_at(among: Iterable[Drive], level: Level | None) -> tuple[Drive, ...]:
    """Return drives with what is not known of them assumed; without a level, as they are."""
    if level is None:
        return tuple(among)
    return tuple(with_assumptions(drive, level=level) for drive in among)


def _workload(texts: dict[str, Any], usable_bytes: float | None, level: Level | None) -> Workload:
    """Return the workload; a DWPD and a skew by size are those of the capacity required.

    What hosts in the field make a drive copy is that of any drive.
    """
    if usable_bytes is None and "DWPD" in str(texts.get("writes")).upper():
        usable = INPUTS["usable"].option
        raise InputError(INPUTS["writes"], f"in DWPD is of {usable}, which is not given")
    size = usable_bytes or 1.0
    copied = None if level is None else getattr(field_copying(own_drive(size)), level)
    return workload_of(texts, capacity_bytes=size, dwpd_bytes=size, field_copy_ratio=copied)


def _grid(drives: tuple[Drive, ...], level: Level | None, texts: dict[str, Any]) -> Grid:
    texts = GRID_OF | texts
    values = {row.name: row.values(texts.get(row.name, row.default))
              for row in (INPUTS[name] for name in GRID)}  # fmt: skip
    if max(values["drives"]) > MOST_DRIVES:
        raise InputError(INPUTS["drives"], f"must rise to at most {MOST_DRIVES}")
    return Grid(
        drives=drives,
        members=values["drives"],
        partition_fractions=tuple(1 - spare for spare in values["spare"]),
        levels=values["raid"],
        sets=values["sets"],
        assumed=level,
        **stated(texts, ["hot_spares"]),
    )
