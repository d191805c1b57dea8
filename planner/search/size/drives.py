"""How many drives must be bought, if the array is to hold and do enough?"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.graph.answer import Answer, unknown
from planner.scenario.array import Array
from planner.search.size.answer import Margin, Sizing, lacking, searched, target
from planner.sections.array_queue import array_queue
from planner.sections.plan import PlanReading
from planner.sections.structure import array_leaves

MOST_DRIVES = 10_000
SMALL = 12  # layouts from the smallest that are looked at one by one
# The answer that each target is held to; the slowest windows are asked of the array's queue.
_WINDOW = "array_window_iops"
_KEYS: Mapping[str, str] = {
    "usable_bytes": "usable_bytes", "budget_iops": "budget_iops",
    "worst_case_floor_iops": "worst_case_floor_iops", _WINDOW: _WINDOW,
    "wear_out_life_s": "endurance_life_s",
}  # fmt: skip


def drives_for(plan: PlanReading, **targets: float) -> Sizing:
    """Return the fewest drives of the plan's layout that meet every target.

    Targets are `usable_bytes`; `budget_iops`, the operations of the mix per second;
    `worst_case_floor_iops`, with every drive in its worst moment at once; `array_window_iops`, the
    slowest hundredth of windows of 10 ms while drives stall at random; and `wear_out_life_s`, until
    the first limit of endurance. Drives come in whole layouts, up to 10,000; `unrounded` is the
    need before that, between neighbouring layouts in proportion.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> plan = plan_drive(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e7))
    >>> needed = drives_for(plan, worst_case_floor_iops=58_000, usable_bytes=3e12)
    >>> print(f"{needed.value:g} drives, {needed.unrounded.value:.1f} needed")
    12 drives, 11.6 needed
    """
    wanted = {name: target(**{name: value}) for name, value in targets.items()}
    for name in wanted.keys() - _KEYS.keys():
        raise DomainError(f"{name} must be one of {', '.join(_KEYS)}")
    if not wanted:
        raise DomainError(f"one of {', '.join(_KEYS)} must be given")
    counts = _DriveCounts(plan)
    missing = [part for name in wanted if not (part := counts.read(name, 0)).is_known]
    if missing:
        return Sizing(answer=unknown(key="members", lacking=lacking(missing)), plan=plan)
    return _sized(counts, wanted)


def _sized(counts: "_DriveCounts", wanted: dict[str, float]) -> Sizing:
    """Take the fewest drives with which every target is met."""
    places = {name: counts.first(name, value) for name, value in wanted.items()}
    place = max(places.values())
    while place < SMALL and not all(
        counts.margin(name, value, place).fits for name, value in wanted.items()
    ):
        place += 1
    margins = tuple(counts.margin(name, value, place) for name, value in wanted.items())
    rejected = tuple(margin for margin in margins if not margin.fits)
    needs = {name: counts.need(name, value, places[name]) for name, value in wanted.items()}
    binding = max(needs, key=needs.__getitem__)
    chosen = counts.plan(place)
    by_limit: dict[str, Answer] = {
        QUANTITIES[name].label: searched("members", counts.members(where))
        for name, where in places.items()
        if counts.margin(name, wanted[name], where).fits
    }
    return Sizing(
        answer=None if rejected else searched("members", chosen.array.members),
        limit=rejected[0].limit if rejected else QUANTITIES[binding].label,
        unrounded=None if rejected else searched("members_needed", needs[binding]),
        by_limit=by_limit,
        margins=margins,
        rejected=rejected,
        details=(chosen["member_quantile"], chosen["aligned_stall_probability"]),
        plan=chosen,
        notes=chosen.array_notes,
    )


class _DriveCounts:
    """Counts of drives that make up whole layouts, and what the array gives at each."""

    def __init__(self, plan: PlanReading) -> None:
        self._plan = plan
        stated = plan.array.vdev_members
        _check.require(stated is None, "vdev_members",
                       "left open to count drives, as in draid2:8d:1s", stated or 0)  # fmt: skip
        first, second = islice(_layouts(plan.array), 2)
        self._first, self._step = first, second - first
        self.last = (MOST_DRIVES - first) // self._step
        self._plans: dict[int, PlanReading] = {}
        self._numbers: dict[str, NDArray[np.float64]] = {}

    def members(self, place: int) -> int:
        return self._first + place * self._step

    def plan(self, place: int) -> PlanReading:
        if place not in self._plans:
            array = replace(self._plan.array, members=self.members(place))
            self._plans[place] = self._plan.again(array=array)
        return self._plans[place]

    def read(self, name: str, place: int) -> Answer:
        plan = self.plan(place)
        answer = (array_queue(plan) if name == _WINDOW else plan)[_KEYS[name]]
        is_life = name == "wear_out_life_s"  # of which the facts of the flash are told, if unknown
        return plan["wear_life_s"] if is_life and not answer.is_known else answer

    def margin(self, name: str, needed: float, place: int) -> Margin:
        return Margin(
            limit=QUANTITIES[name].label, key=name, needed=needed, available=self._at(name, place)
        )

    def first(self, name: str, needed: float) -> int:
        """Return the first place at which there is enough; the last where there never is.

        In small arrays one more drive may cost more reads for parity than it brings: these are
        looked at one by one.
        """
        for place in range(min(SMALL, self.last)):
            if self._fits(name, needed, place):
                return place
        high = SMALL
        while high < self.last and not self._fits(name, needed, high):
            high *= 2
        low, high = min(SMALL, self.last), min(high, self.last)
        while low < high:
            middle = (low + high) // 2
            is_met = self._fits(name, needed, middle)
            low, high = (low, middle) if is_met else (middle + 1, high)
        return low

    def need(self, name: str, needed: float, place: int) -> float:
        """Return the drives needed, in proportion between this layout and the one below."""
        low = max(place - 1, 0)
        below, above = self._at(name, low), self._at(name, low + 1)
        if not np.isfinite(above) or above <= below:
            return float(self.members(place))
        return self.members(low) + self._step * (needed - below) / (above - below)

    def _at(self, name: str, place: int) -> float:
        part = self.read(name, place)
        return 0.0 if not part.is_known else float(part.value)

    def _fits(self, name: str, needed: float, place: int) -> bool:
        """Whether there is enough, by one reading of every count where the graph has the answer."""
        margin = partial(Margin, limit=QUANTITIES[name].label, key=name, needed=needed)
        if name == _WINDOW:
            return margin(available=self._at(name, place)).fits
        if name not in self._numbers:
            self._numbers[name] = self._of_all(name)
        return margin(available=float(self._numbers[name][place])).fits

    def _of_all(self, name: str) -> NDArray[np.float64]:
        """Return a number for arrays of every count, 0 where unknown, without planning each."""
        members = self._first + self._step * np.arange(self.last + 1)
        arrays = replace(self._plan.array, members=members)  # type: ignore[arg-type] # of all counts
        layout = {
            key: leaf.value for key, leaf in array_leaves(arrays, self._plan.workload).items()
        }
        (values,) = self._plan.reading.swept(_KEYS[name], **layout)
        return np.asarray(np.nan_to_num(np.broadcast_to(values, members.shape), posinf=np.inf))


def _layouts(array: Array) -> Iterator[int]:
    """Count the drives of layouts that can be built, the smallest first."""
    for members in range(1, MOST_DRIVES):
        try:
            replace(array, members=members)
        except DomainError:
            continue
        yield members
