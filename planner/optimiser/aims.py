"""What is made least, of every configuration: price of the drives, or cost of owning them."""

from dataclasses import replace

import numpy as np

from models import _check
from planner.array import Array
from planner.figures import Missing
from planner.optimiser.columns import Columns, Floats
from planner.optimiser.question import Objective
from planner.ownership import Terms, ownership
from planner.plan import plan
from planner.risk import Risk

__all__ = ["aim"]


def aim(
    table: Columns, objective: Objective, terms: Terms, risk: Risk, *, share: Floats | None = None
) -> Floats:
    """Return the objective by drive, spare area and array; NaN where a price is unknown.

    Each takes its `share` of the workload's writes, all of them without it.
    """
    if objective is Objective.PRICE:
        return np.broadcast_to(table.total_price_usd[:, None, :], table.shape)
    found = np.full(table.shape, np.nan)
    for drive in np.flatnonzero(~np.isnan(table.price_usd)).tolist():
        for chosen in _by_level(table):
            taken = None if share is None else share[drive][:, chosen]
            found[drive][:, chosen] = _cost_usd(table, drive, chosen, terms, risk, taken)
    return found


def _by_level(table: Columns) -> list[list[int]]:
    """Gather the places of arrays that differ in their counts only."""
    gathered: dict[object, list[int]] = {}
    for place, array in enumerate(table.arrays):
        kind = (array.level, array.data_members, array.parity_members)
        gathered.setdefault(kind, []).append(place)
    return list(gathered.values())


def _cost_usd(
    table: Columns, drive: int, chosen: list[int], terms: Terms, risk: Risk, share: Floats | None
) -> Floats | float:
    """Return the net present cost of one drive in arrays of one level, at every spare area."""
    alone, workload = table.plans[drive], table.workload
    if share is not None:
        rate = workload.host_bytes_per_s * np.where(share > 0, share, 1.0)
        workload = replace(workload, host_bytes_per_s=_check.plain(rate))
    answer = plan(
        alone.drive,
        workload,
        array=_together([table.arrays[place] for place in chosen]),
        partition_fraction=_check.plain(np.array(table.grid.partition_fractions)[:, None]),
        firmware=alone.firmware,
    )
    cost = ownership(answer, terms, risk).npv_usd
    return np.nan if isinstance(cost, Missing) else np.asarray(cost.value)


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
