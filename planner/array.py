"""What do many drives give together, and what is their worst case?"""

from dataclasses import dataclass
from enum import StrEnum

from models import _check, array_tail, redundancy, spare_area
from models.errors import DomainError
from planner.drive import Drive
from planner.facts import stated
from planner.figures import Answer, figure, given
from planner.workload import Workload

__all__ = ["Array", "ArrayAnswer", "RaidLevel", "array_answer", "member_bytes_per_s"]


class RaidLevel(StrEnum):
    """Redundancy layouts by their usual names."""

    RAID0 = "0"
    RAID1 = "1"
    RAID10 = "10"
    RAID5 = "5"
    RAID6 = "6"


_PARITIES = {RaidLevel.RAID5: 1, RaidLevel.RAID6: 2}
_FEWEST = {
    RaidLevel.RAID0: 1, RaidLevel.RAID1: 2, RaidLevel.RAID10: 4, RaidLevel.RAID5: 3,
    RaidLevel.RAID6: 4,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """Drives of one model under one redundancy layout.

    `member_stall_fraction` is the share of time that one drive spends stalled by garbage
    collection; without it the probability of the worst case is missing.

    >>> Array(members=2, level=RaidLevel.RAID5)
    Traceback (most recent call last):
    models.errors.DomainError: members must be >= 3 for RAID 5, got 2
    """

    members: int = 1
    level: RaidLevel = RaidLevel.RAID0
    member_stall_fraction: float | None = None

    def __post_init__(self) -> None:
        """Refuse an impossible layout, by name."""
        _check.count(members=self.members)
        level = RaidLevel(self.level)
        fewest = _FEWEST[level]
        if self.members < fewest:
            raise DomainError(f"members must be >= {fewest} for RAID {level}, got {self.members:g}")
        if level is RaidLevel.RAID10 and self.members % 2:
            raise DomainError(f"members must be even for RAID 10, got {self.members:g}")
        if self.member_stall_fraction is not None:
            _check.fraction(member_stall_fraction=self.member_stall_fraction)

    @property
    def copies(self) -> int:
        """Copies of each byte."""
        mirrored = {RaidLevel.RAID1: self.members, RaidLevel.RAID10: 2}
        return mirrored.get(self.level, 1)

    @property
    def parities(self) -> int:
        """Members' worth of parity."""
        return _PARITIES.get(self.level, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayAnswer:
    """Capacity, speed and the three numbers of the worst case."""

    usable_bytes: Answer
    budget_iops: Answer
    worst_case_floor_iops: Answer
    stall_probability: Answer
    aligned_stall_probability: Answer
    member_quantile: Answer
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
        full_stripe_fraction=given(
            "sequential_fraction", workload.sequential_fraction, source="workload"
        ),
        **_layout(array),
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
    layout = _layout(array)
    members, parities, copies = layout["members"], layout["parities"], layout["copies"]
    stalled = given("member_stall_fraction", array.member_stall_fraction, source="user")
    member_bytes = figure(
        "member_bytes",
        spare_area.partition_bytes,
        user_bytes=stated(drive, "user_bytes"),
        partition_fraction=given("partition_fraction", partition_fraction, source="workload"),
    )
    return ArrayAnswer(
        usable_bytes=figure(
            "usable_bytes", redundancy.usable_bytes, member_bytes=member_bytes, **layout
        ),
        budget_iops=figure(
            "budget_iops",
            redundancy.budget_iops,
            "Bound by the members' time at small writes; reached at deep queues.",
            read_iops=read_iops,
            write_iops=write_iops,
            members=members,
            read_fraction=given("read_fraction", workload.read_fraction, source="workload"),
            reads_per_write=figure(
                "reads_per_write", redundancy.reads_per_write, members=members, parities=parities
            ),
            writes_per_write=figure(
                "writes_per_write", redundancy.writes_per_write, copies=copies, parities=parities
            ),
        ),
        worst_case_floor_iops=figure(
            "worst_case_floor_iops",
            array_tail.worst_case_iops,
            "All drives in their worst moment at once; see its probability.",
            member_worst_iops=worst_case_iops,
            members=members,
        ),
        stall_probability=figure(
            "stall_probability",
            array_tail.stall_probability,
            member_stall_fraction=stalled,
            members=members,
        ),
        aligned_stall_probability=figure(
            "aligned_stall_probability",
            array_tail.aligned_stall_probability,
            member_stall_fraction=stalled,
            members=members,
        ),
        member_quantile=figure(
            "member_quantile",
            array_tail.member_quantile,
            array_quantile=given("array_quantile", 0.99, source="definition"),
            members=members,
        ),
        notes=(
            "Drives are taken to stall independently; drives that fill in step do not.",
            "Bytes of sequential writes are taken to fill whole stripes.",
        ),
    )


def _layout(array: Array) -> dict[str, Answer]:
    return {
        "members": given("members", array.members, source="array"),
        "copies": given("copies", array.copies, source="array"),
        "parities": given("parities", array.parities, source="array"),
    }
