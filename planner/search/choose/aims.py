"""What is made least, of every configuration: price of the drives, or cost of owning them."""

from dataclasses import replace

import numpy as np

from models import _check
from planner.graph.answer import Answer
from planner.ownership import Ownership, Terms, ownership
from planner.reliability.failure_assumptions import Risk
from planner.scenario.array import Array
from planner.search.choose.configurations import Configurations, Floats
from planner.search.choose.question import Objective
from planner.sections.plan import plan

__all__ = ["aim", "aim_of"]

NO_ENERGY = (
    "Energy is left out of the order of plans: the power or the rates of {} drives are unknown."
)


def aim(
    table: Configurations,
    objective: Objective,
    terms: Terms,
    risk: Risk,
    *,
    share: Floats | None = None,
) -> tuple[Floats, tuple[str, ...]]:
    """Return the objective by drive, spare area and array, and what was left out of it.

    NaN where a price is unknown. Each configuration takes its `share` of the workload's writes,
    all of them without it. Energy is left out for all if it is unknown of one: a drive must not
    be the cheaper for what is not known of it.
    """
    if objective is Objective.PRICE:
        return np.broadcast_to(table["total_price_usd"], table.shape), ()
    found, energy = np.full(table.shape, np.nan), np.full(table.shape, np.nan)
    for drive in _priced(table):
        for chosen in _by_level(table):
            taken = None if share is None else share[drive][:, chosen]
            owned = _owned(table, drive, chosen, terms, risk, taken)
            found[drive][:, chosen] = _known(owned.npv_usd)
            energy[drive][:, chosen] = _energy_usd(owned)
    priced = ~np.isnan(found)
    unknown = priced & np.isnan(energy)
    if not unknown.any():
        return found, ()
    drives = int(unknown.any(axis=(1, 2)).sum())
    return found - np.nan_to_num(energy), (NO_ENERGY.format(drives),)


def aim_of(
    table: Configurations,
    at: tuple[int, int, int],
    objective: Objective,
    terms: Terms,
    risk: Risk,
    *,
    share: float,
    without_energy: bool,
) -> float:
    """Return the objective of one configuration that takes a share of the writes."""
    drive, spare, array = at
    if objective is Objective.PRICE:
        return float(np.broadcast_to(table["total_price_usd"], table.shape)[at])
    taken = np.full((table.shape[1], 1), share)
    owned = _owned(table, drive, [array], terms, risk, taken)
    energy = np.nan_to_num(_energy_usd(owned)) if without_energy else 0.0
    return float(np.broadcast_to(_known(owned.npv_usd) - energy, taken.shape)[spare, 0])


def _known(answer: Answer) -> Floats | float:
    return np.nan if not answer.is_known else np.asarray(answer.value)


def _energy_usd(owned: Ownership) -> Floats | float:
    """Return the energy in the net present cost; NaN where it is unknown and counted as none."""
    if not owned.energy.yearly_j.is_known:
        return np.nan
    return _known(owned.present["energy_present_usd"])


def _priced(table: Configurations) -> list[int]:
    """List the drives with a price."""
    priced = ~np.isnan(table["total_price_usd"])
    return np.flatnonzero(priced.any(axis=(1, 2))).tolist()


def _by_level(table: Configurations) -> list[list[int]]:
    """Gather the places of arrays that differ in their counts only."""
    gathered: dict[object, list[int]] = {}
    for place, array in enumerate(table.arrays):
        kind = (array.level, array.data_members, array.parity_members)
        gathered.setdefault(kind, []).append(place)
    return list(gathered.values())


def _owned(
    table: Configurations,
    drive: int,
    chosen: list[int],
    terms: Terms,
    risk: Risk,
    share: Floats | None,
) -> Ownership:
    """Return what owning one drive in arrays of one level costs, at every spare area."""
    workload = table.workload
    if share is not None:
        rate = workload.host_bytes_per_s * np.where(share > 0, share, 1.0)
        workload = replace(workload, host_bytes_per_s=_check.plain(rate))
    answer = plan(
        table.grid.drives[drive],
        workload,
        array=_together([table.arrays[place] for place in chosen]),
        partition_fraction=_check.plain(np.array(table.grid.partition_fractions)[:, None]),
        firmware=table.firmware,
    )
    return ownership(answer, terms, risk)


def _together(arrays: list[Array]) -> Array:
    """Return arrays of one level as one of several counts."""
    first = arrays[0]
    return Array(
        members=np.array([array.members for array in arrays]),  # type: ignore[arg-type]
        level=first.level,
        data_members=first.data_members,
        parity_members=first.parity_members,
        hot_spares=first.hot_spares,
        sets=np.array([array.sets for array in arrays]),  # type: ignore[arg-type]
    )
