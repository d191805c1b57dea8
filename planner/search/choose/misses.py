"""Shortfalls of the drives that are not chosen, and the best that any plan reaches.

A near miss keeps the limits that nothing bends: slots, power and budget. Needs that take longer
are computed of the drives that come nearest; of the others those that are quick to check.
"""

from collections.abc import Collection, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from planner.catalogue.drive import Drive
from planner.search.choose import checks
from planner.search.choose.answer import Met, Rejected
from planner.search.choose.configurations import Configurations, Floats, Numbers
from planner.search.choose.limits import AT_MOST
from planner.search.choose.question import Need, Requirements
from planner.search.choose.search import Search, Slow

FIXED = (Need.SLOTS, Need.POWER, Need.BUDGET, Need.LANES, Need.NODE_POWER)
NEAREST = 12  # drives of which needs that take longer are computed too, where no plan holds all
BESIDE_BEST = 3  # of many, where one does
AT_ONCE = 16  # configurations of which IOPS at a queue depth are computed together


def met(slow: Slow, requirements: Requirements, results: Search, need: Need, place: int) -> Met:
    """Compare the available amount of a need in one configuration with the required one."""
    needed, flat = requirements.needs[need], np.array([place])
    if need in slow.needs:
        margin = float(slow.margin(need, requirements, flat)[0])
        available = float(slow.available(need, flat)[0])
    else:
        margin = _one(results.cheap[need], slow.table, place)
        available = needed / margin if need in AT_MOST else needed * margin
    if need is Need.LIFE:  # in time, where writes may grow, not in bytes
        available = life_s(slow.table, place) / requirements.life_spread
        margin = available / needed
    if need is Need.RATED:
        at = slow.table.places(flat)
        available = float(checks.rated_life_s(slow.table, requirements, at)[0])
        margin = available / needed
    known = not np.isnan(margin)
    return Met(
        need=need,
        needed=needed,
        available=available if known else None,
        margin=margin if known else -np.inf,
    )


def life_s(table: Configurations, place: int) -> float:
    """Return the life of the drives of one configuration."""
    return float(checks.life_s(table, table.places(np.array([place])))[0])


def rejected(
    slow: Slow, requirements: Requirements, results: Search, cheaper: NDArray[np.bool_]
) -> tuple[Rejected, ...]:
    """Return for each drive the nearest that it comes, the least of the objective first."""
    is_answered = bool(results.holding) and len(slow.table.grid.drives) > NEAREST
    nearest = BESIDE_BEST if is_answered else NEAREST
    size = int(np.prod(slow.table.shape[1:]))
    within = _within(slow.table, results)
    priceless, places = list[Rejected](), dict[int, int]()
    for number, drive in enumerate(slow.table.grid.drives):
        own = np.arange(number * size, (number + 1) * size)
        if np.isnan(results.objective.ravel()[own]).all():
            priceless.append(_priceless(drive, size))
        elif cheaper[own].any():
            places[number] = _nearest(results, own[cheaper[own]], within)
    by_margin = sorted(places, key=lambda number: -results.margin[places[number]])
    enough = _enough(slow, results, within)
    rows = [
        _row(slow, requirements, results, number, places[number], cheaper, within,
             is_whole=rank < nearest,
             enough=[need for need, drives in enough.items() if drives[number]])
        for rank, number in enumerate(by_margin)
    ]  # fmt: skip
    return (*sorted(rows, key=lambda row: row.objective or 0.0), *priceless)


def reach(
    slow: Slow, requirements: Requirements, results: Search, rows: tuple[Rejected, ...]
) -> tuple[Met, ...]:
    """Return the best of each need that any plan reaches; slow needs, that the nearest drives do.

    Where no plan meets everything it shows which need to relax, and by how much.
    """
    every = np.arange(int(np.prod(slow.table.shape)))
    within = _within(slow.table, results)
    quick = _bests(slow, requirements, results, every, within, with_slow=False)
    best = {each.need: each for each in quick}
    for need in slow.needs:
        best.pop(need, None)  # of which the quick figure is a bound
    size = int(np.prod(slow.table.shape[1:]))
    places = {drive.drive_id: number for number, drive in enumerate(slow.table.grid.drives)}
    for row in rows:
        if row.is_whole:
            own = np.arange(size) + places[row.drive.drive_id] * size
            for need in slow.needs:
                each = _best_slow(slow, requirements, results, need, _kept(own, within))
                best[need] = max(best.get(need, each), each, key=lambda one: one.margin)
    return tuple(best[need] for need in requirements.needs if need in best)


def _of(numbers: Floats, table: Configurations, flat: Numbers) -> Floats:
    """Return the numbers of some configurations, without a copy of all of them."""
    return np.asarray(np.broadcast_to(numbers, table.shape)[table.places(flat)])


def _one(numbers: Floats, table: Configurations, place: int) -> float:
    return float(_of(numbers, table, np.array(place)))


def _within(table: Configurations, results: Search) -> NDArray[np.bool_]:
    """Say of every configuration whether it keeps the limits that nothing bends."""
    within = np.ones(table.shape, bool)
    for need in FIXED:
        if need in results.cheap:
            within &= results.cheap[need] >= 1
    return within.ravel()


def _enough(
    slow: Slow, results: Search, within: NDArray[np.bool_]
) -> dict[Need, NDArray[np.bool_]]:
    """Say of every drive whether one of its configurations has enough of each quick need."""
    table = slow.table
    rows = within.reshape(table.shape[0], -1)
    rows = rows | ~rows.any(axis=1, keepdims=True)
    every = np.ones_like(rows)
    enough: dict[Need, NDArray[np.bool_]] = {}
    for need, margin in results.cheap.items():
        if need not in slow.needs:
            has = np.broadcast_to(margin >= 1, table.shape).reshape(rows.shape)
            enough[need] = np.any(has & (every if need in FIXED else rows), axis=1)
    return enough


def _kept(flat: Numbers, within: NDArray[np.bool_]) -> Numbers:
    """Return the configurations that keep the fixed limits; all of them where none does."""
    kept = flat[within[flat]]
    return kept if kept.size else flat


def _priceless(drive: Drive, configurations: int) -> Rejected:
    return Rejected(
        drive=drive,
        array=None,
        partition_fraction=None,
        objective=None,
        lacks=Met(need=Need.BUDGET, needed=np.inf, available=None, margin=-np.inf),
        configurations=configurations,
    )


def _nearest(results: Search, flat: Numbers, within: NDArray[np.bool_]) -> int:
    """Return the configuration that comes nearest to what is required, within fixed limits."""
    kept = _kept(flat, within)
    order = np.lexsort((kept, results.objective.ravel()[kept], -results.margin[kept]))
    return int(kept[order[0]])


def _row(
    slow: Slow, requirements: Requirements, results: Search, number: int, place: int,
    cheaper: NDArray[np.bool_], within: NDArray[np.bool_], *, is_whole: bool,
    enough: Collection[Need],
) -> Rejected:  # fmt: skip
    """Say of one drive how near it comes, and what none of its configurations meets."""
    table = slow.table
    size = int(np.prod(table.shape[1:]))
    own = np.arange(number * size, (number + 1) * size)
    drive, spare, array = np.unravel_index(place, table.shape)
    need = results.needs[results.need[place]]
    compared = met if is_whole else _quick
    best = _bests(slow, requirements, results, own, within, with_slow=is_whole, enough=enough)
    return Rejected(
        drive=table.grid.drives[drive],
        array=table.arrays[array],
        partition_fraction=table.grid.partition_fractions[spare],
        objective=float(results.objective.ravel()[place]),
        lacks=compared(slow, requirements, results, need, place),
        configurations=int(cheaper[own].sum()),
        fails=tuple(each for each in best if each.margin < 1),
        is_whole=is_whole,
    )


def _quick(slow: Slow, requirements: Requirements, results: Search, need: Need, place: int) -> Met:
    """Compare by quick bounds what takes longer, where it has not been computed yet."""
    if need not in slow.needs:
        return met(slow, requirements, results, need, place)
    return _quick_best(requirements, need, float(results.margin[place]))


def _bests(
    slow: Slow,
    requirements: Requirements,
    results: Search,
    flat: Numbers,
    within: NDArray[np.bool_],
    *,
    with_slow: bool,
    enough: Collection[Need] = (),
) -> Iterator[Met]:
    """Yield the best of each need that some configurations have, unknown where none is known.

    Needs of which one is known to have enough are left out.
    """
    for need, margin in results.cheap.items():
        if need in enough:
            continue
        kept = flat if need in FIXED else _kept(flat, within)
        own = _of(margin, slow.table, kept)
        best = 0 if np.isnan(own).all() else int(np.nanargmax(own))
        place = int(kept[best])
        if need not in slow.needs:
            yield met(slow, requirements, results, need, place)
        elif with_slow:
            yield _best_slow(slow, requirements, results, need, kept)
        elif (bound := _one(margin, slow.table, place)) < 1:
            yield _quick_best(requirements, need, bound)
    if with_slow and Need.READS in slow.needs:
        yield _best_slow(slow, requirements, results, Need.READS, _kept(flat, within))


def _quick_best(requirements: Requirements, need: Need, margin: float) -> Met:
    """Return the best of a need by its quick bound."""
    needed = requirements.needs[need]
    available = needed / margin if need in AT_MOST else needed * margin
    return Met(need=need, needed=needed, available=available, margin=margin)


def _best_slow(
    slow: Slow, requirements: Requirements, results: Search, need: Need, flat: Numbers
) -> Met:
    """Return the best that configurations of one drive have of a need that takes longer."""
    margin = partial(slow.margin, need, requirements)
    if need is Need.IOPS:
        place = _by_bound(slow, margin, results.cheap[need], flat)
    elif need is Need.READS:
        place = _best(margin, _least_loaded(slow.table, flat))
    else:
        safest = _safest(slow.table, flat)
        place = safest if margin(np.array([safest]))[0] >= 1 else _best(margin, flat)
    return met(slow, requirements, results, need, place)


def _best(margin: partial[Floats], flat: Numbers) -> int:
    known = np.nan_to_num(margin(flat), nan=-np.inf)
    return int(flat[int(np.argmax(known))])


def _by_bound(slow: Slow, margin: partial[Floats], bound: Floats, flat: Numbers) -> int:
    """Return the place of the most IOPS: in order of their bound, until no bound is above it."""
    bounds = _of(bound, slow.table, flat)
    order = np.argsort(-np.nan_to_num(bounds, nan=-np.inf), kind="stable")
    place, most = int(flat[order[0]]), -np.inf
    for start in range(0, order.size, AT_ONCE):
        batch = order[start : start + AT_ONCE]
        if bounds[batch[0]] <= most:
            break
        known = np.nan_to_num(margin(flat[batch]), nan=-np.inf)
        if known.max() > most:
            place, most = int(flat[batch[int(np.argmax(known))]]), float(known.max())
    return place


def _least_loaded(table: Configurations, flat: Numbers) -> Numbers:
    """Return at each spare area the configuration of which one drive is written least.

    Reads wait for writes alone, so that the others are not read faster.
    """
    at = table.places(flat)
    rates = np.nan_to_num(table.at("member_bytes_per_s", at), nan=np.inf)
    firsts = (np.flatnonzero(at.spare == spare) for spare in np.unique(at.spare))
    least = [int(place[int(np.argmin(rates[place]))]) for place in firsts]
    return np.asarray(flat[np.array(least)])


def _safest(table: Configurations, flat: Numbers) -> int:
    """Return the configuration of most tolerated failures, the fewest drives and the most spare."""
    at = table.places(flat)
    tolerated = table.of_arrays("tolerated_failures")[at.array]
    part = np.array(table.grid.partition_fractions)[at.spare]
    return int(flat[np.lexsort((part, table.members[at.array], -tolerated))[0]])
