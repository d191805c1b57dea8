"""The search: cheap needs of every configuration, the others of the best ones in order."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from planner.scenario.risk import Risk
from planner.search.choose import checks
from planner.search.choose.configurations import Configurations, Floats, Numbers, Places
from planner.search.choose.limits import margins
from planner.search.choose.question import Need, Requirements

SLOW = (Need.LOSS, Need.IOPS, Need.READS)
SPARE_WORTH = 0.02  # of the objective, for which it pays to leave capacity unpartitioned
_FIRST_OF_READS, _FIRST_BATCH, _LAST_BATCH = 32, 256, 16_384

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Result of a search: the plans by number in the grid, and the margin of each configuration.

    `margin` is the lowest over all needs so far, `need` the index of its need in `needs`; unknown
    ones are minus infinity. `cheap` are the margins of the needs that every configuration is
    checked against.
    """

    found: tuple[int, ...]
    requirements: Requirements
    objective: Floats
    cheap: Mapping[Need, Floats]
    needs: tuple[Need, ...]
    margin: Floats
    need: NDArray[np.int8]
    holding: int


@dataclass(slots=True)
class Slow:
    """Needs that take longer, computed once for each configuration that is asked for."""

    table: Configurations
    requirements: Requirements
    risk: Risk
    known: dict[Need, Floats] = field(default_factory=dict)
    _idle_s: dict[int, float] = field(default_factory=dict)
    _halved: dict[tuple[float, ...], tuple[float, float, float]] = field(default_factory=dict)

    @property
    def needs(self) -> tuple[Need, ...]:
        """Needs that are required, the quickest first."""
        return tuple(need for need in SLOW if need in self.requirements.needs)

    def available(self, need: Need, flat: Numbers) -> Floats:
        """Return the available amount of a requirement for each configuration."""
        kept = self.known.setdefault(need, np.full(np.prod(self.table.shape), -1.0))
        fresh = flat[kept[flat] == -1.0]
        if fresh.size:
            kept[fresh] = self._computed(need)(self.table.places(fresh))
        return kept[flat]

    def margin(self, need: Need, requirements: Requirements, flat: Numbers) -> Floats:
        """Return the ratio of available to needed."""
        there, needed = self.available(need, flat), requirements.needs[need]
        if need is Need.IOPS:
            return there / needed
        with np.errstate(divide="ignore"):
            return needed / there

    def bounded(self, requirements: Requirements, flat: Numbers) -> Floats:
        """Return an upper bound of the margin of read latencies: that of drives without writes."""
        drives = self.table.places(flat).drive
        fresh = [drive for drive in np.unique(drives).tolist() if drive not in self._idle_s]
        if fresh:
            firsts = np.array([flat[drives == drive][0] for drive in fresh])
            idle_s = checks.idle_p999_s(self.table, self.table.places(firsts))
            self._idle_s.update(zip(fresh, idle_s.tolist(), strict=True))
        idle = np.array([self._idle_s[drive] for drive in drives.tolist()])
        with np.errstate(divide="ignore"):
            return requirements.needs[Need.READS] / idle

    def read_margin(self, requirements: Requirements, flat: Numbers) -> Floats:
        """Return the margin of read latencies, exact where it decides.

        Reads of one drive at one spare area wait the longer the more it is written: among its
        configurations the most written that is fast enough is found by halving. A margin that is
        not computed is 1 if it is enough, and else that of a configuration that is written less.
        """
        at, needed = self.table.places(flat), requirements.needs[Need.READS]
        rates, sizes = self.table.at("member_bytes_per_s", at), self.table.drive_bytes[at.array]
        margins = np.empty(flat.size)
        groups, which = np.unique(
            np.array([at.drive, at.spare, sizes, np.isnan(rates)]), axis=1, return_inverse=True
        )
        for number, group in enumerate(groups.T.tolist()):
            own = np.flatnonzero(which.ravel() == number)
            own = own[np.argsort(rates[own], kind="stable")]
            key = (needed, *group)
            self._halved[key] = self._halve(requirements, flat[own], rates[own], key)
            passed, _, margin = self._halved[key]
            margins[own] = np.where(rates[own] <= passed, 1.0, margin)
        return margins

    def _halve(
        self, requirements: Requirements, flat: Numbers, rates: Floats, key: tuple[float, ...]
    ) -> tuple[float, float, float]:
        """Return the most written that is fast enough, the least that is not, and its margin."""
        passed, failed, margin = self._halved.get(key, (-np.inf, np.inf, -np.inf))
        left = np.flatnonzero(~((rates <= passed) | (rates >= failed)))
        place = 0  # the least written first: mostly it decides
        while left.size:
            place = int(left[place])
            there = float(self.margin(Need.READS, requirements, flat[place : place + 1])[0])
            if there >= 1:
                passed = float(rates[place])
            else:
                failed, margin = float(rates[place]), float(np.nan_to_num(there, nan=-np.inf))
            if np.isnan(rates[place]):
                break
            left = left[(rates[left] > passed) & (rates[left] < failed)]
            place = left.size // 2
        return passed, failed, margin

    def _computed(self, need: Need) -> Callable[[Places], Floats]:
        table = self.table
        return {
            Need.LOSS: partial(checks.loss_probability, table, self.risk),
            Need.IOPS: partial(checks.queue_iops, table, self.requirements.queue_depth),
            Need.READS: partial(checks.read_p999_s, table),
        }[need]


def search(
    slow: Slow,
    requirements: Requirements,
    objective: Floats,
    *,
    top: int,
    progress: Progress | None = None,
) -> Search:
    """Return the best configurations, one for each drive and level, in order.

    `objective` is by drive, spare area and array, NaN where unknown.
    """
    table = slow.table
    cheap = margins(table, requirements, slow.risk)
    needs, margin, need = _nearest(table.shape, cheap)
    needs = (*needs, *(other for other in slow.needs if other not in needs))
    holds = np.flatnonzero((margin >= 1) & ~np.isnan(objective.ravel()))
    so_far = Search(
        found=(), requirements=requirements, objective=objective, cheap=cheap, needs=needs,
        margin=margin, need=need, holding=holds.size,
    )  # fmt: skip
    kinds = _kinds(table)
    found: list[int] = []
    seen = 0
    first = _FIRST_OF_READS if Need.READS in slow.needs else _FIRST_BATCH
    for batch in _batches(table, objective, holds, first):
        new = batch[~np.isin(kinds[batch], kinds[found])]
        passed = new[hold_to(slow, so_far, new)]
        _, firsts = np.unique(kinds[passed], return_index=True)
        found.extend(int(place) for place in passed[np.sort(firsts)])
        seen += batch.size
        if progress is not None:
            progress(seen, holds.size)
        if len(found) >= top:
            break
    ranked = _partitioned(slow, so_far, np.array(found[:top], int))
    return replace(so_far, found=tuple(ranked.tolist()))


def hold_to(slow: Slow, results: Search, flat: Numbers) -> NDArray[np.bool_]:
    """Hold configurations to the needs that take longer; note how far each is, say which hold."""
    for other in slow.needs:
        if other is Need.READS:
            left = flat[results.margin[flat] >= 1]
            _note(results, other, left, slow.bounded(results.requirements, left))
        left = flat[results.margin[flat] >= 1]
        margin = slow.read_margin if other is Need.READS else partial(slow.margin, other)
        _note(results, other, left, margin(results.requirements, left))
    return results.margin[flat] >= 1


def _note(results: Search, need: Need, flat: Numbers, margin: Floats) -> None:
    """Note how far configurations are by one more need."""
    further = np.nan_to_num(margin, nan=-np.inf)
    results.margin[flat] = np.minimum(results.margin[flat], further)
    results.need[flat] = np.where(further < 1, results.needs.index(need), results.need[flat])


def _in_order(table: Configurations, objective: Floats, flat: Numbers) -> Numbers:
    """Sort configurations: least objective, fewest drives, most usable, place in the grid."""
    usable = np.broadcast_to(table["usable_bytes"], table.shape).ravel()[flat]
    members = np.broadcast_to(table.members, table.shape).ravel()[flat]
    return flat[np.lexsort((flat, -usable, members, objective.ravel()[flat]))]


def _partitioned(slow: Slow, results: Search, found: Numbers) -> Numbers:
    """Return plans that use the whole of their drives unless spare area is needed or pays.

    Capacity that is left unpartitioned where all of it would do must save `SPARE_WORTH`.
    """
    table, fractions = slow.table, np.array(slow.table.grid.partition_fractions)
    whole = np.flatnonzero(fractions == 1)
    if not whole.size or not found.size:
        return found
    at = table.places(found)
    full = np.ravel_multi_index((at.drive, np.full_like(at.spare, whole[0]), at.array), table.shape)
    objective = results.objective.ravel()
    close = np.flatnonzero(
        (results.margin[full] >= 1) & (objective[full] <= (1 + SPARE_WORTH) * objective[found])
    )
    holds = close[hold_to(slow, results, full[close])]
    chosen = found.copy()
    chosen[holds] = full[holds]
    return _in_order(table, results.objective, chosen)


def _kinds(table: Configurations) -> Numbers:
    """Give each configuration the number of its drive and level."""
    names = [
        (
            array.level,
            array.data_members,
            array.parity_members,
            array.spread_spares if array.nodes is None else 0,
        )
        for array in table.arrays
    ]
    levels = np.array([names.index(name) for name in names])
    drives = np.arange(table.shape[0]) * len(names)
    return np.broadcast_to(drives[:, None, None] + levels, table.shape).ravel()


def _batches(
    table: Configurations, objective: Floats, flat: Numbers, first: int
) -> Iterator[Numbers]:
    """Yield configurations in order, each batch sorted once it is its turn: mostly few are."""
    size, least = first, objective.ravel()[flat]
    while flat.size:
        is_next = np.ones(flat.size, bool)
        if size < flat.size:
            is_next = least <= np.partition(least, size - 1)[size - 1]  # with all that are equal
        yield _in_order(table, objective, flat[is_next])
        flat, least, size = flat[~is_next], least[~is_next], min(2 * size, _LAST_BATCH)


def _nearest(
    shape: tuple[int, int, int], known: Mapping[Need, Floats]
) -> tuple[tuple[Need, ...], Floats, NDArray[np.int8]]:
    """Return the lowest margin of each configuration, and its need."""
    least, need = np.full(shape, np.inf), np.full(shape, -1, np.int8)
    for place, margin in enumerate(known.values()):
        numbers = np.nan_to_num(margin, nan=-np.inf, posinf=np.inf)
        need = np.where(numbers < least, np.int8(place), need)
        least = np.minimum(least, numbers)
    return tuple(known), least.ravel(), need.ravel()
