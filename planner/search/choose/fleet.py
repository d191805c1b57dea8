"""Mixed fleets: how many arrays of which kinds together give everything for the least?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from models import growth
from planner.catalogue.drive import Drive
from planner.scenario.array import Array
from planner.scenario.firmware import Firmware
from planner.scenario.growth import course_of
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.search.choose import checks
from planner.search.choose.aims import aim, aim_of
from planner.search.choose.configurations import Configurations, Floats, Numbers, configurations
from planner.search.choose.limits import AT_MOST, life_margin, rated_margin
from planner.search.choose.mix_solver import (
    ENOUGH,
    MOST_ARRAYS,
    ROUNDING,
    SOLVER_S,
    SolverTime,
    cheapest,
)
from planner.search.choose.question import Grid, Need, Objective, Requirements

STEPS = 12
MORE_LIFE = 1.05  # each time that drives wearing out together would lose too much
SHARED = (
    "Host writes are shared out as the arrays can take them, so that all drives last as long; "
    "IOPS are the maximum of the drives, at deep queues. Latency is not checked."
)
NOT_FOUND = (
    "No fleet of one kind holds everything, and no mix was found that does; with a limit on the "
    "loss of data the search of mixes is not complete."
)


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
class MixedFleet:
    """Pools that hold everything together; no pools where nothing does.

    `available` is what they have of each need; `kinds` how many arrays there were to choose from.
    `gap` is the share by which a mix may cost less than the best that was found: 0 where the search
    of mixes was completed, None where its time was over before it found one.
    """

    objective: float | None
    pools: tuple[Pool, ...]
    available: Mapping[Need, float]
    kinds: int
    gap: float | None
    notes: tuple[str, ...]


def mixed_fleet(
    workload: Workload,
    requirements: Requirements,
    grid: Grid,
    *,
    objective: Objective = Objective.PRICE,
    risk: Risk | None = None,
    terms: Terms | None = None,
    firmware: Firmware | None = None,
    solver_s: float = SOLVER_S,
) -> MixedFleet:
    """Return the arrays, of one kind or several, that meet every requirement for the least.

    The grid's arrays are the kinds, of each as many as it takes. Capacity, IOPS, writes that the
    life required allows, power, slots and prices add up; so do probabilities of loss, closely
    and from above. Mixes are searched by the cost of owning arrays that take all the writes they
    can, and shown, as fleets of one kind are, by that of the writes that they do take. After
    `solver_s` the search ends with the best mix so far, its gap and a note.
    """
    risk, terms = risk or Risk(), terms or Terms()
    table = configurations(workload, grid, firmware=firmware)
    taken = _taken(table, requirements, risk)
    least, left_out = aim(table, objective, terms, risk, share=taken)
    flat, amounts = _kinds(table, requirements, risk, least, taken)
    found, solver = [], SolverTime(solver_s)
    for counts in (
        _together(table, requirements, risk, flat, amounts, least.ravel()[flat], solver),
        _alone(
            table, requirements, risk, flat, amounts, partial(aim, table, objective, terms, risk)
        ),
    ):
        if counts is not None:
            available = _available(table, requirements, risk, flat, amounts, counts)
            price = partial(aim_of, table, objective=objective, terms=terms, risk=risk,
                            without_energy=bool(left_out))  # fmt: skip
            pools = _pools(table, flat, amounts[Need.LIFE], counts, price)
            found.append((sum(pool.objective for pool in pools), pools, available))
    total, pools, available = min(found, key=lambda one: one[0], default=(None, (), {}))
    return MixedFleet(
        objective=total,
        pools=pools,
        available=available,
        kinds=flat.size,
        gap=solver.gap,
        notes=(SHARED, *solver.notes(), *table.refusals, *(left_out if found else (NOT_FOUND,))),
    )


def _taken(table: Configurations, requirements: Requirements, risk: Risk) -> Floats:
    """Return the writes that one array takes for as long as required, over all that there are."""
    life_s, rated_s = requirements.life_s, requirements.rated_s
    if rated_s is None:
        return life_margin(table, requirements, life_s or risk.horizon_s)
    rated = rated_margin(table, requirements, rated_s)
    return rated if life_s is None else np.minimum(rated, life_margin(table, requirements, life_s))


def _bounds_writes(requirements: Requirements) -> bool:
    return requirements.life_s is not None or requirements.rated_s is not None


def _together(
    table: Configurations,
    requirements: Requirements,
    risk: Risk,
    flat: Numbers,
    amounts: Amounts,
    price: Floats,
    solver: SolverTime,
) -> Numbers | None:
    """Return the mix that costs the least, with more endurance where wear-out would lose data."""
    life = 1.0
    for _ in range(STEPS if _bounds_writes(requirements) else 1):
        counts = _solved(price, amounts, requirements, life, solver)
        if counts is None:
            return None
        lost = _available(table, requirements, risk, flat, amounts, counts).get(Need.LOSS, 0.0)
        if lost <= (requirements.loss_probability or 1.0):
            return counts
        if solver.is_over:
            return None
        life *= MORE_LIFE
    return None


def _alone(
    table: Configurations,
    requirements: Requirements,
    risk: Risk,
    flat: Numbers,
    amounts: Amounts,
    aim_at: Callable[..., tuple[Floats, tuple[str, ...]]],
) -> Numbers | None:
    """Return the fleet of arrays of one kind that costs the least, all that it loses counted."""
    needed = {need: requirements.needs[need] for need in amounts if need in requirements.needs}
    needed |= {Need.LIFE: 1.0} if _bounds_writes(requirements) else {}
    lost = needed.pop(Need.LOSS, None)
    arrays = np.ones(flat.size)
    for need, figure in needed.items():
        if need not in AT_MOST:
            arrays = np.maximum(arrays, np.ceil(figure / amounts[need] * (1 - ROUNDING)))
    holds = arrays <= MOST_ARRAYS
    short = holds.copy()
    for _ in range(STEPS if lost is not None else 0):
        more = np.flatnonzero(short & holds)  # only these have changed
        if not more.size:
            break
        at = table.places(flat[more])
        alike = checks.loss_probability(table, risk, at, share=1 / arrays[more])
        lost_of_any = -np.expm1(arrays[more] * np.log1p(-np.minimum(alike, 1 - ROUNDING)))
        short[more] = lost_of_any > (lost or 1.0)
        arrays[more] += short[more]
    else:
        holds &= lost is None or ~short
    for need, figure in needed.items():
        if need in AT_MOST:
            holds &= arrays * amounts[need] <= figure * (1 + ROUNDING)
    if not holds.any():
        return None
    share = np.ones(np.prod(table.shape))
    share[flat] = 1 / arrays
    price = aim_at(share=share.reshape(table.shape))[0].ravel()[flat]
    best = int(np.argmin(np.where(holds, arrays * price, np.inf)))
    counts = np.zeros(flat.size, np.int64)
    counts[best] = int(arrays[best])
    return counts


def _kinds(
    table: Configurations, requirements: Requirements, risk: Risk, least: Floats, taken: Floats
) -> tuple[Numbers, Amounts]:
    """Return the arrays whose required quantities are known, and the contribution of each."""
    added = _amounts(table, requirements) | {Need.LIFE: taken}
    known = ~np.isnan(least)
    for each in added.values():
        known = known & ~np.isnan(each)
    if requirements.warranty_s is not None:
        known &= table["warranty_s"] >= requirements.warranty_s
    flat = np.flatnonzero(known)
    amounts = {
        need: np.broadcast_to(each, table.shape).ravel()[flat] for need, each in added.items()
    }
    if Need.LOSS in requirements.needs:
        lost = checks.loss_probability(table, risk, table.places(flat), share=0.0)
        amounts[Need.LOSS] = -np.log1p(-np.minimum(lost, 1 - 1e-16))
    return flat, amounts


def _amounts(table: Configurations, requirements: Requirements) -> dict[Need, Floats]:
    """Return the amounts that one array adds, by drive, spare area and array."""
    whole: dict[Need, Floats] = {
        Need.USABLE: table["usable_bytes"],
        Need.IOPS: table["budget_iops"],
        Need.WORST: table["worst_case_floor_iops"],
        Need.POWER: table.power_w,
        Need.SLOTS: table.members[None, None, :],
        Need.BUDGET: table.dearest_usd,
    }
    return {need: each for need, each in whole.items() if need in requirements.needs}


def _solved(
    price: Floats, amounts: Amounts, requirements: Requirements, life: float, solver: SolverTime
) -> Numbers | None:
    """Return the cheapest number of arrays of each kind; None where none suffice."""
    if not price.size:
        return None
    needed = {need: requirements.needs[need] for need in amounts if need in requirements.needs}
    if _bounds_writes(requirements):
        needed[Need.LIFE] = life
    if requirements.loss_probability is not None:
        needed[Need.LOSS] = -np.log1p(-requirements.loss_probability)
    shares = {
        need: amounts[need] / figure
        if need in AT_MOST
        else np.minimum(amounts[need] / figure, ENOUGH)
        for need, figure in needed.items()
    }
    return cheapest(price, shares, solver)


def _available(
    table: Configurations,
    requirements: Requirements,
    risk: Risk,
    flat: Numbers,
    amounts: Amounts,
    counts: Numbers,
) -> dict[Need, float]:
    """Return the amounts that the fleet has of each requirement, loss by wear-out included."""
    available = {need: float(each @ counts) for need, each in amounts.items()}
    used = counts > 0
    share = amounts[Need.LIFE][used] / available[Need.LIFE]
    taken = available[Need.LIFE]
    if requirements.life_s is not None:
        spread = requirements.life_spread
        available[Need.LIFE] = _lasting_s(table, requirements.life_s, taken, spread=spread)
    if requirements.rated_s is not None:
        available[Need.RATED] = _lasting_s(table, requirements.rated_s, taken, spread=1.0)
    if Need.LOSS in available:
        at = table.places(flat[used])
        lost = checks.loss_probability(table, risk, at, share=share)
        available[Need.LOSS] = float(-np.expm1(np.log1p(-np.minimum(lost, 1.0)) @ counts[used]))
    return {need: value for need, value in available.items() if need in requirements.needs}


def _lasting_s(table: Configurations, needed_s: float, margin: float, *, spread: float) -> float:
    """Return the life with the required confidence, with the fleet at so many times the writes."""
    course = course_of(table.workload)
    rate = table.workload.host_bytes_per_s
    written = growth.written_bytes(needed_s * spread, host_bytes_per_s=rate, **course)
    whole = growth.growing_lifetime_s(margin * written, host_bytes_per_s=rate, **course)
    return float(whole / spread)


def _pools(
    table: Configurations, flat: Numbers, life: Floats, counts: Numbers, price: Callable[..., float]
) -> tuple[Pool, ...]:
    taken = life / (life @ counts)
    pools = []
    for place in np.flatnonzero(counts).tolist():
        drive, spare, array = (int(axis) for axis in np.unravel_index(flat[place], table.shape))
        share = float(taken[place])
        pools.append(
            Pool(
                drive=table.grid.drives[drive],
                array=table.arrays[array],
                partition_fraction=table.grid.partition_fractions[spare],
                arrays=int(counts[place]),
                objective=float(counts[place] * price((drive, spare, array), share=share)),
                write_share=float(counts[place] * share),
            )
        )
    return tuple(pools)
