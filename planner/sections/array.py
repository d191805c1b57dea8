"""What do many drives give together, and what is their worst case?"""

from dataclasses import dataclass

import numpy as np

from models import array_tail, declustered, redundancy, spare_area
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure, given
from planner.scenario.array import Array, RaidLevel
from planner.scenario.workload import Workload

__all__ = ["ArrayAnswer", "array_answer", "array_limit_bytes", "member_bytes_per_s"]


FLOOR = (
    "Operations of members at the size of the worst-case test, all drives in their worst moment "
    "at once; see its probability."
)
NOTES = (
    "Drives are taken to stall independently; drives that fill in step do not.",
    "Sequential writes are taken to fill whole stripes, other writes single chunks.",
)


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
    if not budget.is_computed or np.ndim(budget.value):
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
