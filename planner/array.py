"""What do many drives give together, and what is their worst case?"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from models import _check, array_tail, declustered, redundancy, spare_area
from models.errors import DomainError
from planner.drive import Drive
from planner.facts import stated
from planner.figures import Answer, Figure, figure, given
from planner.workload import Workload

__all__ = [
    "Array",
    "ArrayAnswer",
    "RaidLevel",
    "array_answer",
    "array_limit_bytes",
    "member_bytes_per_s",
    "parse_level",
]


FLOOR = (
    "Operations of members at the size of the worst-case test, all drives in their worst moment "
    "at once; see its probability."
)
NOTES = (
    "Drives are taken to stall independently; drives that fill in step do not.",
    "Sequential writes are taken to fill whole stripes, other writes single chunks.",
)


class RaidLevel(StrEnum):
    """Redundancy layouts by their usual names."""

    RAID0 = "0"
    RAID1 = "1"
    RAID10 = "10"
    RAID5 = "5"
    RAID6 = "6"
    EC = "ec"


_PARITIES = {RaidLevel.RAID5: 1, RaidLevel.RAID6: 2}
_STRIPED = (*_PARITIES, RaidLevel.EC)
_FEWEST = {
    RaidLevel.RAID0: 1, RaidLevel.RAID1: 2, RaidLevel.RAID10: 4, RaidLevel.RAID5: 3,
    RaidLevel.RAID6: 4, RaidLevel.EC: 2,
}  # fmt: skip
_CODE = re.compile(r"ec:(\d+)\+(\d+)")


def parse_level(field: str, written: str) -> dict[str, Any]:
    """Read a level as people write it: "5", "raid5" or "ec:8+3"; fields of an `Array`.

    >>> parse_level("raid", "ec:8+3")["parity_members"]
    3
    """
    name = written.strip().lower()
    code = _CODE.fullmatch(name)
    if code:
        data, parity = (int(number) for number in code.groups())
        _check.count(data_members=data, parity_members=parity)
        return {"level": RaidLevel.EC, "data_members": data, "parity_members": parity}
    plain = name.removeprefix("raid").strip()
    if plain not in set(RaidLevel) - {RaidLevel.EC}:
        levels = ", ".join(f"raid{level}" for level in RaidLevel if level is not RaidLevel.EC)
        raise DomainError(f"{field} must be one of {levels}, or ec:K+M, got '{written}'")
    return {"level": RaidLevel(plain)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """Drives of one model under one redundancy layout; counts are numbers, or arrays of one level.

    `member_stall_fraction` is the share of time that one drive spends stalled by garbage
    collection; without it the probability of the worst case is missing. An erasure code spreads
    stripes of `data_members` + `parity_members` over all drives of a set; `hot_spares` of the
    drives stand by. Several `sets` are redundant each by itself and striped: RAID 50 and 60.

    >>> Array(members=2, level=RaidLevel.RAID5)
    Traceback (most recent call last):
    models.errors.DomainError: members must be >= 3 for RAID 5, got 2
    """

    members: int = 1
    level: RaidLevel = RaidLevel.RAID0
    member_stall_fraction: float | None = None
    data_members: int | None = None
    parity_members: int | None = None
    hot_spares: int = 0
    sets: int = 1

    def __post_init__(self) -> None:
        """Refuse an impossible layout, by name."""
        _check.count(members=self.members)
        level = RaidLevel(self.level)
        self._check_sets(level)
        spares = np.asarray(self.hot_spares)
        _check.require((spares >= 0) & (spares % 1 == 0), "hot_spares", "a whole number >= 0",
                       spares)  # fmt: skip
        fewest = self._fewest(level) * self.sets
        step = 2 if level is RaidLevel.RAID10 else self.sets
        possible = (self.working >= fewest) & (np.asarray(self.working) % step == 0)
        if not np.all(possible):
            _check.require(possible, "members", self._accepted(fewest, step), self.members)
        if self.member_stall_fraction is not None:
            _check.fraction(member_stall_fraction=self.member_stall_fraction)

    def _accepted(self, fewest: int, step: int) -> str:
        """Say how many drives are possible."""
        if np.ndim(fewest):
            return "enough drives for each level, in equal sets"
        spares = f", {self.hot_spares} hot spares apart" if np.any(self.hot_spares) else ""
        whole = {1: "", 2: " and even"}.get(step, f" and a multiple of {step}")
        return f">= {fewest}{whole} for {self.name}{spares}"

    def _check_sets(self, level: RaidLevel) -> None:
        """Refuse sets of a level without parity: pairs that are striped are RAID 10."""
        _check.count(sets=self.sets)
        if level not in _STRIPED:
            _check.require(np.equal(self.sets, 1), "sets", f"1 for RAID {level}", self.sets)

    def _fewest(self, level: RaidLevel) -> int:
        """Return the least number of drives that a set of the level needs."""
        if level is not RaidLevel.EC:
            return _FEWEST[level]
        if self.data_members is None or self.parity_members is None:
            raise DomainError("data_members must be given for an erasure code, such as ec:8+3")
        _check.count(data_members=self.data_members, parity_members=self.parity_members)
        return self.data_members + self.parity_members

    @property
    def name(self) -> str:
        """The level as people call it."""
        if self.level is RaidLevel.EC:
            name = f"{self.data_members}+{self.parity_members}"
        else:
            name = f"RAID {self.level}"
        if self.sets == 1:
            return name
        striped = "0" if self.level in _PARITIES else ""
        return f"{name}{striped}, {self.sets} sets"

    @property
    def working(self) -> int:
        """Drives that hold data: all but the hot spares."""
        return self.members - self.hot_spares

    @property
    def stripe_members(self) -> int:
        """Drives that one stripe of parity is spread over."""
        if self.level is RaidLevel.EC:
            return (self.data_members or 0) + (self.parity_members or 0)
        return self.working // self.sets

    @property
    def copies(self) -> int:
        """Copies of each byte."""
        mirrored = {RaidLevel.RAID1: self.working, RaidLevel.RAID10: 2}
        return mirrored.get(self.level, 1)

    @property
    def parities(self) -> int:
        """Members' worth of parity in a stripe."""
        if self.level is RaidLevel.EC:
            return self.parity_members or 0
        return _PARITIES.get(self.level, 0)

    @property
    def groups(self) -> int:
        """Sets of drives that lose data independently of each other: the pairs of RAID 10."""
        return self.working // 2 if self.level is RaidLevel.RAID10 else self.sets

    @property
    def group_members(self) -> int:
        """Drives in one of them."""
        return self.working // self.groups

    @property
    def tolerated_failures(self) -> int:
        """Failed drives that a group can do without."""
        return self.parities + self.copies - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayAnswer:
    """Capacity, speed and the three numbers of the worst case."""

    usable_bytes: Answer
    budget_iops: Answer
    worst_case_floor_iops: Answer
    stall_probability: Answer
    aligned_stall_probability: Answer
    member_quantile: Answer
    limit: str | None
    notes: tuple[str, ...]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order in which people read them."""
        return (
            self.usable_bytes,
            self.budget_iops,
            self.worst_case_floor_iops,
            self.stall_probability,
            self.aligned_stall_probability,
            self.member_quantile,
        )


def member_bytes_per_s(workload: Workload, array: Array) -> Answer:
    """Return the host bytes that one drive receives, parity and copies included."""
    return figure(
        "member_bytes_per_s",
        redundancy.member_write_bytes_per_s,
        host_bytes_per_s=given("host_bytes_per_s", workload.host_bytes_per_s, source="workload"),
        members=_layout(array)["members"],
        writes_per_write=_writes_per_write(workload, array),
    )


def array_limit_bytes(workload: Workload, array: Array, member_limit: Answer) -> Answer:
    """Return what applications may write until the drives meet `member_limit`."""
    return figure(
        "array_limit_bytes",
        redundancy.array_limit_bytes,
        member_limit_bytes=member_limit,
        members=_layout(array)["members"],
        writes_per_write=_writes_per_write(workload, array),
    )


def array_answer(
    drive: Drive,
    workload: Workload,
    array: Array,
    *,
    read_iops: Answer,
    write_iops: Answer,
    worst_case_iops: Answer,
    partition_fraction: float = 1.0,
) -> ArrayAnswer:
    """Return what `array.members` drives give under the array's layout."""
    members = _layout(array)["members"]
    stalls = {
        "member_stall_fraction": given(
            "member_stall_fraction", array.member_stall_fraction, source="user"
        ),
        "members": members,
    }
    budget = _budget(workload, array, read_iops, write_iops)
    return ArrayAnswer(
        limit=_limit(budget),
        usable_bytes=_usable(drive, array, partition_fraction),
        budget_iops=budget,
        worst_case_floor_iops=figure(
            "worst_case_floor_iops",
            array_tail.worst_case_iops,
            FLOOR,
            member_worst_iops=worst_case_iops,
            members=members,
        ),
        stall_probability=figure("stall_probability", array_tail.stall_probability, **stalls),
        aligned_stall_probability=figure(
            "aligned_stall_probability", array_tail.aligned_stall_probability, **stalls
        ),
        member_quantile=figure(
            "member_quantile",
            array_tail.member_quantile,
            array_quantile=given("array_quantile", 0.99, source="definition"),
            members=members,
        ),
        notes=NOTES,
    )


def _usable(drive: Drive, array: Array, partition_fraction: float) -> Answer:
    member_bytes = figure(
        "member_bytes",
        spare_area.partition_bytes,
        user_bytes=stated(drive, "user_bytes"),
        partition_fraction=given("partition_fraction", partition_fraction, source="workload"),
    )
    if array.level is RaidLevel.EC:
        return figure(
            "usable_bytes",
            declustered.declustered_usable_bytes,
            member_bytes=member_bytes,
            members=given("members", array.members, source="array"),
            spares=given("hot_spares", array.hot_spares, source="array"),
            data_members=given("data_members", array.data_members, source="array"),
            parities=given("parities", array.parities, source="array"),
        )
    return figure(
        "usable_bytes",
        redundancy.usable_bytes,
        member_bytes=member_bytes,
        **_layout(array),
        groups=_sets(array),
    )


def _budget(workload: Workload, array: Array, read_iops: Answer, write_iops: Answer) -> Answer:
    layout = _layout(array)
    return figure(
        "budget_iops",
        redundancy.budget_iops,
        "Bound by the members' time; reached at deep queues.",
        read_iops=read_iops,
        write_iops=write_iops,
        members=layout["members"],
        read_fraction=given("read_fraction", workload.read_fraction, source="workload"),
        reads_per_write=figure(
            "reads_per_write",
            redundancy.mean_reads_per_write,
            **_stripe(array),
            parities=layout["parities"],
            full_stripe_fraction=_stripes(workload),
        ),
        writes_per_write=_writes_per_write(workload, array),
    )


def _limit(budget: Answer) -> str | None:
    """Name what takes most of the members' time; None where a rate is missing."""
    if not isinstance(budget, Figure) or np.ndim(budget.value):
        return None
    told = {name: node.value for name, node in budget.inputs.items()}
    host_reads = told["read_fraction"] / told["read_iops"]
    share = 1 - told["read_fraction"]
    parity_reads = share * told["reads_per_write"] / told["read_iops"]
    writes = share * told["writes_per_write"] / told["write_iops"]
    demands = {"host reads": host_reads, "reads for parity": parity_reads, "writes": writes}
    return max(demands, key=demands.__getitem__)


def _stripes(workload: Workload) -> Answer:
    return given("sequential_fraction", workload.sequential_fraction, source="workload")


def _writes_per_write(workload: Workload, array: Array) -> Answer:
    return figure(
        "writes_per_write",
        redundancy.mean_writes_per_write,
        **_layout(array) | _stripe(array),
        full_stripe_fraction=_stripes(workload),
    )


def _layout(array: Array) -> dict[str, Answer]:
    working = "working_members" if np.any(array.hot_spares) else "members"
    return {
        "members": given(working, array.working, source="array"),
        "copies": given("copies", array.copies, source="array"),
        "parities": given("parities", array.parities, source="array"),
    }


def _sets(array: Array) -> Answer:
    source = "array" if array.parities else "definition"
    return given("sets", array.sets, source=source)


def _stripe(array: Array) -> dict[str, Answer]:
    """Return the members of a stripe: of erasure codes and of sets fewer than there are drives."""
    members = _layout(array)["members"]
    if array.level is RaidLevel.EC:
        members = given("stripe_members", array.stripe_members, source="array")
    elif array.parities:
        members = figure(
            "set_members", redundancy.set_members, members=members, groups=_sets(array)
        )
    return {"members": members}
