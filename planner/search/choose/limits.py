"""Margin of each configuration to each requirement: met from 1 on, unknown as NaN."""

from collections.abc import Mapping

import numpy as np

from planner.scenario.risk import Risk
from planner.search.choose.configurations import Configurations, Floats
from planner.search.choose.question import Need, Requirements

LEAST = 1e-300  # stands for a probability that no quick bound is known of
AT_MOST = (
    Need.READS, Need.LOSS, Need.POWER, Need.SLOTS, Need.BUDGET, Need.LANES, Need.NODE_POWER,
)  # fmt: skip


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
        Need.LANES: lambda: _over(needed[Need.LANES], table.node_lanes),
        Need.NODE_POWER: lambda: needed[Need.NODE_POWER] / (table.power_w / table.nodes),
        Need.BUDGET: lambda: needed[Need.BUDGET] / table.dearest_usd,
        Need.WARRANTY: lambda: table["warranty_s"] / needed[Need.WARRANTY],
        Need.RATED: lambda: rated_margin(table, requirements, needed[Need.RATED]),
    }
    return {need: margin_of[need]() for need in needed if need in margin_of}


def life_margin(table: Configurations, requirements: Requirements, life_s: float) -> Floats:
    """Return the writes that a drive takes over those by a life that is sure to reach `life_s`."""
    with np.errstate(divide="ignore"):  # drives that nobody writes last without end
        return table["host_limit_bytes"] / table.written_bytes(life_s * requirements.life_spread)


def rated_margin(table: Configurations, requirements: Requirements, rated_s: float) -> Floats:
    """Return the writes that a drive is rated for over those by `rated_s`; NaN where unrated.

    Credited spare area counts where the modelled life is longer than that of the rating.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        as_printed = table.rated_bytes / table.written_bytes(rated_s)
    if requirements.allows_unrated or requirements.credits_spare_area:
        modelled = life_margin(table, requirements, rated_s)
    if requirements.allows_unrated:
        as_printed = np.where(np.isnan(as_printed), _bound(modelled), as_printed)
    else:
        as_printed = np.where(table.is_rated, as_printed, np.nan)
    if not requirements.credits_spare_area:
        return as_printed
    return np.where(table.is_credited, np.fmax(as_printed, modelled), as_printed)


def _over(needed: float, taken: Floats) -> Floats:
    """Return the ratio of needed to used, infinite where nothing is used."""
    with np.errstate(divide="ignore"):
        return needed / taken


def _bound(known: Floats) -> Floats:
    """Return an upper bound; infinite where the quantity is unknown."""
    return np.where(np.isnan(known), np.inf, known)


def _certain_loss(table: Configurations, risk: Risk) -> Floats:
    """Return the least that arrays lose: those without redundancy, by any failure."""
    failed_per_s = np.nan_to_num(table.failures_per_s(risk))
    bare = np.array([array.tolerated_failures == 0 for array in table.arrays])
    expected = failed_per_s * table.of_arrays("working") * risk.horizon_s
    return np.where(bare, -np.expm1(-expected), LEAST)
