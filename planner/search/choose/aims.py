"""What is made least, of every configuration: price of the drives, or cost of owning them."""

from collections.abc import Iterator, Mapping

import numpy as np

from planner.graph.answer import Answer, given, unknown
from planner.ownership import FACTS, Ownership, Purchase, Terms, cost_of
from planner.reliability.failure_assumptions import Risk
from planner.search.choose.configurations import Configurations, Floats, Numbers
from planner.search.choose.question import Objective

NO_ENERGY = (
    "Energy is left out of the order of plans: the power or the rates of {} drives are unknown."
)
AT_ONCE = 50_000  # configurations, so that the years of all of them fit in memory
_ANSWERS = (
    "working_members", "reads_per_write", "writes_per_write", "member_bytes_per_s",
    "host_limit_bytes", "usable_bytes", "rated_read_iops", "rated_write_iops",
    "budget_iops",
)  # fmt: skip


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
    prices = np.broadcast_to(table["total_price_usd"], table.shape).ravel()
    priced = np.flatnonzero(~np.isnan(prices))
    part = np.broadcast_to(1.0 if share is None else share, table.shape).ravel()[priced]
    costs, energy = np.full((2, prices.size), np.nan)
    costs[priced], energy[priced] = _owned(table, priced, part, terms, risk)
    lacking = (~np.isnan(costs) & np.isnan(energy)).reshape(table.shape)
    if not lacking.any():
        return costs.reshape(table.shape), ()
    drives = int(lacking.any(axis=(1, 2)).sum())
    return (costs - np.nan_to_num(energy)).reshape(table.shape), (NO_ENERGY.format(drives),)


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
    flat = np.array([np.ravel_multi_index(at, table.shape)])
    costs, energy = _owned(table, flat, np.array([share]), terms, risk)
    return float(costs[0] - (np.nan_to_num(energy[0]) if without_energy else 0.0))


def _owned(
    table: Configurations, flat: Numbers, share: Floats, terms: Terms, risk: Risk
) -> tuple[Floats, Floats]:
    """Return what owning each configuration costs, and the energy in it; NaN where unknown."""
    columns = _columns(table, risk)
    costs, energy = np.full((2, flat.size), np.nan)
    for begin in range(0, flat.size, AT_ONCE):
        here = slice(begin, begin + AT_ONCE)
        each = {name: column.ravel()[flat[here]] for name, column in columns.items()}
        rate = np.where(share[here] > 0, share[here], 1.0)
        each["member_bytes_per_s"] = each["member_bytes_per_s"] * rate
        each["host_bytes_per_s"] = table.workload.host_bytes_per_s * rate
        for alike in _alike(each):
            numbers = {name: column[alike] for name, column in each.items()}
            owned = cost_of(_purchase(table, numbers), terms, risk)
            costs[here][alike], energy[here][alike] = _known(owned.npv_usd), _energy_usd(owned)
    return costs, energy


def _columns(table: Configurations, risk: Risk) -> dict[str, Floats]:
    """Return every number that the cost of owning takes, by drive, spare area and array."""
    drives = table.grid.drives
    of_drives = {name: [drive.value(name) for drive in drives] for name in FACTS}
    columns = {
        **{name: np.array(facts, float)[:, None, None] for name, facts in of_drives.items()},
        "failures_per_s": table.failures_per_s(risk),
        "price_usd": table.price_usd,
        **{name: table[name] for name in _ANSWERS},
        **{name: table.of_arrays(name) for name in ("members", "hot_spares")},
    }
    return {name: np.broadcast_to(column, table.shape) for name, column in columns.items()}


def _alike(columns: Mapping[str, Floats]) -> Iterator[Numbers]:
    """List the places of configurations of which the same numbers are known."""
    unknown_at = np.array([np.isnan(column) for column in columns.values()], np.int64)
    codes = np.left_shift(unknown_at, np.arange(len(columns))[:, None]).sum(axis=0)
    return (np.flatnonzero(codes == code) for code in np.unique(codes))


def _purchase(table: Configurations, numbers: Mapping[str, Floats]) -> Purchase:
    """Return configurations of which the same numbers are known as one purchase."""

    def answer(name: str, column: Floats) -> Answer:
        if np.isnan(column).any():
            return unknown(name, (name,))
        return given(name, column, source="configurations")

    return Purchase(
        workload=table.workload, **{name: answer(name, column) for name, column in numbers.items()}
    )


def _known(answer: Answer) -> Floats | float:
    return np.nan if not answer.is_known else np.asarray(answer.value)


def _energy_usd(owned: Ownership) -> Floats | float:
    """Return the energy in the net present cost; NaN where it is unknown and counted as none."""
    if not owned.energy.yearly_j.is_known:
        return np.nan
    return _known(owned.present["energy_present_usd"])
