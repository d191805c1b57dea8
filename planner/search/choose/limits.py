"""How far each configuration is from what is required: met from 1 on, unknown as NaN."""

from collections.abc import Mapping

import numpy as np

from planner.reliability.failure_assumptions import Risk, failures_per_s
from planner.search.choose.configurations import Configurations, Floats
from planner.search.choose.question import Need, Requirements

__all__ = ["AT_MOST", "margins"]

LEAST = 1e-300  # stands for a probability that no quick bound is known of
AT_MOST = (Need.READS, Need.LOSS, Need.POWER, Need.SLOTS, Need.BUDGET)


def margins(table: Configurations, requirements: Requirements, risk: Risk) -> Mapping[Need, Floats]:
    """Return available over needed, or needed over available where less is asked for.

    Along drives, spare areas and arrays. IOPS by the upper bound that members' time sets, loss of
    data by the failures of arrays without redundancy; latencies take longer and are not here.
    """
    needed = requirements.needs
    margin_of = {
        Need.USABLE: lambda: table["usable_bytes"] / needed[Need.USABLE],
        Need.IOPS: lambda: _bound(table["budget_iops"]) / needed[Need.IOPS],
        Need.WORST: lambda: table["worst_case_floor_iops"] / needed[Need.WORST],
        Need.LIFE: lambda: life_margin(table, requirements, needed[Need.LIFE]),
        Need.LOSS: lambda: needed[Need.LOSS] / _certain_loss(table, risk),
        Need.POWER: lambda: needed[Need.POWER] / table.power_w,
        Need.SLOTS: lambda: needed[Need.SLOTS] / table.members[None, None, :],
        Need.BUDGET: lambda: needed[Need.BUDGET] / table["total_price_usd"],
        Need.WARRANTY: lambda: table["warranty_s"] / needed[Need.WARRANTY],
    }
    return {need: margin_of[need]() for need in needed if need in margin_of}


def life_margin(table: Configurations, requirements: Requirements, life_s: float) -> Floats:
    """Return the writes that a drive takes over those by a life that is sure to reach `life_s`."""
    return table["host_limit_bytes"] / table.written_bytes(life_s * requirements.life_spread)


def _bound(iops: Floats) -> Floats:
    """Return an upper bound; where a rate of the drive is unknown there is none."""
    return np.where(np.isnan(iops), np.inf, iops)


def _certain_loss(table: Configurations, risk: Risk) -> Floats:
    """Return the least that arrays lose: those without redundancy, by any failure."""
    rates = [failures_per_s(drive, risk).value for drive in table.grid.drives]
    failed_per_s = np.nan_to_num(np.array(rates))
    bare = np.array([array.tolerated_failures == 0 for array in table.arrays])
    expected = failed_per_s[:, None, None] * table.of_arrays("working") * risk.horizon_s
    return np.where(bare, -np.expm1(-expected), LEAST)
