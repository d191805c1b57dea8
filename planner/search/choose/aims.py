"""Objective of every configuration: the price of the drives, or the cost of owning them."""

from typing import Any

import numpy as np

from planner.graph.read import Reader
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.search.choose.configurations import Configurations, Floats
from planner.search.choose.question import Objective
from planner.sections.ownership import owning_leaves
from planner.sections.owning import owning_graph

NO_ENERGY = (
    "Energy is left out of the order of plans: the power or the rates of {} drives are unknown."
)
AT_ONCE = 50_000  # configurations, so that the years of all of them fit in memory


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
    _, spares, arrays = table.shape
    costs, energy = np.full((2, *table.shape), np.nan)
    priced = np.flatnonzero(~np.isnan(table["total_price_usd"]).all(axis=(1, 2)))
    step = max(1, AT_ONCE // (spares * arrays))
    for begin in range(0, priced.size, step):
        some = priced[begin : begin + step]
        part = None if share is None else np.broadcast_to(share, table.shape)[some]
        places = some, slice(None), slice(None)
        costs[some], energy[some] = _owned(table, places, terms, risk, part)
    lacking = ~np.isnan(costs) & np.isnan(energy)
    if not lacking.any():
        return costs, ()
    left_out = int(lacking.any(axis=(1, 2)).sum())
    return costs - np.nan_to_num(energy), (NO_ENERGY.format(left_out),)


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
    if objective is Objective.PRICE:
        return float(np.broadcast_to(table["total_price_usd"], table.shape)[at])
    one = tuple(slice(place, place + 1) for place in at)
    costs, energy = _owned(table, one, terms, risk, np.full((1, 1, 1), share))
    return float(np.ravel(costs - (np.nan_to_num(energy) if without_energy else 0.0))[0])


def _owned(
    table: Configurations, places: tuple[Any, ...], terms: Terms, risk: Risk, share: Floats | None
) -> tuple[Floats, Floats]:
    """Return the cost of owning some configurations, and of their energy; NaN where unknown."""
    leaves = owning_leaves(terms, risk, axes=len(places))
    values = {**table.values_at(places),
              **{key: leaf.value for key, leaf in leaves.items() if leaf.is_known}}  # fmt: skip
    if share is not None:
        values["host_bytes_per_s"] = values["host_bytes_per_s"] * np.where(share > 0, share, 1.0)
    reader, graph = Reader(values), owning_graph(table.structure)
    keys = ("npv_usd", "energy_present_usd", "yearly_energy_j")
    costs, energy, yearly_j = reader.without_refused(
        [reader.value(graph.answers[key]) for key in keys]
    )
    shape = np.broadcast_shapes(np.shape(costs), np.shape(yearly_j)[1:])
    is_known = ~np.isnan(np.broadcast_to(yearly_j, (len(terms.years), *shape))).any(axis=0)
    return np.asarray(costs), np.where(is_known, energy, np.nan)
