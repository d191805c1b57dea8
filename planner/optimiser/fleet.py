"""Mixed fleets: how many arrays of which kinds together give everything for the least?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from planner.array import Array
from planner.drive import Drive
from planner.firmware import Firmware
from planner.optimiser import checks
from planner.optimiser.aims import aim
from planner.optimiser.columns import Columns, Floats, columns
from planner.optimiser.limits import AT_MOST, life_margin
from planner.optimiser.question import Grid, Need, Objective, Requirements
from planner.ownership import Terms
from planner.risk import Risk
from planner.workload import Workload

__all__ = ["Fleet", "Pool", "mixed_fleet"]

MOST_ARRAYS = 10_000  # of one kind
TOLERANCE = 2e-6  # the solver lets constraints be missed by half of it
ROUNDING = 1e-13
STEPS = 12
MORE_LIFE = 1.05  # each time that drives wearing out together would lose too much
SHARED = (
    "Host writes are shared out as the arrays can take them, so that all drives last as long; "
    "IOPS are those that the members' time allows, at deep queues. Latency is not held to."
)
WORN = "More endurance than the life asked for is bought, so that drives do not wear out together."

Amounts = Mapping[Need, Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """So many alike arrays of one drive, and the share of host writes that goes to them."""

    drive: Drive
    array: Array
    partition_fraction: float
    arrays: int
    objective: float
    write_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """Pools that hold everything together; no pools where nothing does.

    `available` is what they have of each need; `kinds` how many arrays there were to choose from.
    """

    objective: float | None
    pools: tuple[Pool, ...]
    available: Mapping[Need, float]
    kinds: int
    notes: tuple[str, ...]


def mixed_fleet(
    workload: Workload,
    asked: Requirements,
    grid: Grid,
    *,
    objective: Objective = Objective.PRICE,
    risk: Risk | None = None,
    terms: Terms | None = None,
    firmware: Firmware | None = None,
) -> Fleet:
    """Return the arrays, of one kind or several, that hold everything asked for the least.

    The grid's arrays are the kinds, of each as many as it takes. Capacity, IOPS, writes that the
    life asked for allows, power, slots and prices add up; so do probabilities of loss, closely
    and from above. The cost of owning is that of arrays that take all the writes they can.
    """
    risk, terms = risk or Risk(), terms or Terms()
    table = columns(workload, grid, firmware=firmware)
    taken = life_margin(table, asked, asked.life_s or risk.horizon_s)
    least = aim(table, objective, terms, risk, share=taken)
    flat, amounts = _kinds(table, asked, risk, least, taken)
    price, life = least.ravel()[flat], 1.0
    for _ in range(STEPS):
        counts = _solved(price, amounts, asked, life)
        if counts is None:
            break
        told = _told(table, asked, risk, flat, amounts, counts)
        lost = told.get(Need.LOSS, 0.0)
        if lost <= (asked.loss_probability or 1.0):
            return Fleet(
                objective=float(counts @ price),
                pools=_pools(table, flat, amounts[Need.LIFE], price, counts),
                available=told,
                kinds=flat.size,
                notes=(SHARED, WORN) if life > 1 else (SHARED,),
            )
        life *= MORE_LIFE
    return Fleet(objective=None, pools=(), available={}, kinds=flat.size, notes=(SHARED,))


def _kinds(
    table: Columns, asked: Requirements, risk: Risk, least: Floats, taken: Floats
) -> tuple[checks.Numbers, Amounts]:
    """Return the arrays of which what is needed is known, and what each adds."""
    added = _amounts(table, asked) | {Need.LIFE: taken}
    known = ~np.isnan(least)
    for each in added.values():
        known = known & ~np.isnan(each)
    if asked.warranty_s is not None:
        known &= (table.warranty_s >= asked.warranty_s)[:, None, None]
    flat = np.flatnonzero(known)
    amounts = {
        need: np.broadcast_to(each, table.shape).ravel()[flat] for need, each in added.items()
    }
    if Need.LOSS in asked.asked:
        lost = checks.loss_probability(table, risk, checks.places(table, flat), share=0.0)
        amounts[Need.LOSS] = -np.log1p(-np.minimum(lost, 1 - 1e-16))
    return flat, amounts


def _amounts(table: Columns, asked: Requirements) -> dict[Need, Floats]:
    """Return what one array adds, by drive, spare area and array."""
    whole: dict[Need, Floats] = {
        Need.USABLE: table.usable_bytes,
        Need.IOPS: table.budget_iops[:, None, :],
        Need.WORST: table.worst_floor_iops[:, None, :],
        Need.POWER: table.power_w[:, None, None] * table.members,
        Need.SLOTS: table.members[None, None, :],
        Need.BUDGET: table.total_price_usd[:, None, :],
    }
    return {need: each for need, each in whole.items() if need in asked.asked}


def _solved(
    price: Floats, amounts: Amounts, asked: Requirements, life: float
) -> NDArray[np.int64] | None:
    """Return how many arrays of each kind cost the least; None where none suffice."""
    if not price.size:
        return None
    needed = {need: asked.asked[need] for need in amounts if need in asked.asked}
    if asked.life_s is not None:
        needed[Need.LIFE] = life
    if asked.loss_probability is not None:
        needed[Need.LOSS] = -np.log1p(-asked.loss_probability)
    shares = {need: amounts[need] / figure for need, figure in needed.items()}
    tight: dict[Need, float] = {}
    while True:
        counts = _least(price, [_row(need, share, tight) for need, share in shares.items()])
        missed = [need for need, share in shares.items() if _misses(need, counts, share)]
        if counts is None or not set(missed) - set(tight):
            return None if missed else counts
        tight |= dict.fromkeys(missed, TOLERANCE)


def _least(price: Floats, rows: Sequence[LinearConstraint]) -> NDArray[np.int64] | None:
    some = LinearConstraint(np.ones((1, price.size)), 1, np.inf)
    found = milp(
        price / price.min(),
        constraints=[some, *rows],
        integrality=np.ones(price.size),
        bounds=Bounds(0, MOST_ARRAYS),
    )
    return None if found.x is None else np.round(found.x).astype(np.int64)


def _row(need: Need, share: Floats, tight: Mapping[Need, float]) -> LinearConstraint:
    """Return one constraint, scaled so that what is needed is 1."""
    least = 1 + tight.get(need, 0.0)
    within = (-np.inf, 1 / least) if need in AT_MOST else (least, np.inf)
    return LinearConstraint(share[None, :], *within)


def _misses(need: Need, counts: NDArray[np.int64] | None, share: Floats) -> bool:
    """Whether a fleet falls short by what the solver lets pass."""
    if counts is None:
        return False
    there = float(counts @ share)
    return there > 1 + ROUNDING if need in AT_MOST else there < 1 - ROUNDING


def _told(
    table: Columns,
    asked: Requirements,
    risk: Risk,
    flat: checks.Numbers,
    amounts: Amounts,
    counts: NDArray[np.int64],
) -> dict[Need, float]:
    """Return what the fleet has of each need, loss by wear-out included."""
    told = {need: float(each @ counts) for need, each in amounts.items()}
    used = counts > 0
    share = amounts[Need.LIFE][used] / told[Need.LIFE]
    if asked.life_s is not None:
        told[Need.LIFE] *= asked.life_s
    if Need.LOSS in told:
        at = checks.places(table, flat[used])
        lost = checks.loss_probability(table, risk, at, share=share)
        told[Need.LOSS] = float(-np.expm1(np.log1p(-np.minimum(lost, 1.0)) @ counts[used]))
    return {need: value for need, value in told.items() if need in asked.asked}


def _pools(
    table: Columns, flat: checks.Numbers, life: Floats, price: Floats, counts: NDArray[np.int64]
) -> tuple[Pool, ...]:
    taken = life * counts / (life @ counts)
    pools = []
    for place in np.flatnonzero(counts):
        drive, spare, array = np.unravel_index(flat[place], table.shape)
        pools.append(
            Pool(
                drive=table.grid.drives[drive],
                array=table.arrays[array],
                partition_fraction=table.grid.partition_fractions[spare],
                arrays=int(counts[place]),
                objective=float(counts[place] * price[place]),
                write_share=float(taken[place]),
            )
        )
    return tuple(pools)
