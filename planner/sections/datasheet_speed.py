"""How fast is the drive for this mix, by its specification?"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from models import mixing, queueing
from models.units import KIB
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure, first_known, given
from planner.scenario.workload import Workload

NO_SEQUENTIAL_RATE = "No sequential rate is known; sequential operations are taken as random ones."

__all__ = ["Performance", "Side", "performance"]


class Side(StrEnum):
    """What takes most of the drive's time."""

    READS = "reads"
    WRITES = "writes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """Specification-level speed of one drive; steady state where the source says so."""

    read_iops: Answer
    write_iops: Answer
    iops: Answer
    throughput_bytes_per_s: Answer
    latency_s: Answer
    worst_case_latency_s: Answer
    worst_case_iops: Answer
    read_fraction: float
    notes: tuple[str, ...]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order in which people read them."""
        return (
            self.iops,
            self.throughput_bytes_per_s,
            self.latency_s,
            self.read_iops,
            self.write_iops,
            self.worst_case_latency_s,
            self.worst_case_iops,
        )

    @property
    def limit(self) -> Side | None:
        """The side that takes most of the time; None where a rate is missing or many are asked."""
        if not self.iops.is_known or np.ndim(self.iops.value):
            return None
        if not self.read_iops.is_known or not self.write_iops.is_known:
            return None
        read_s = self.read_fraction / self.read_iops.value
        write_s = (1 - self.read_fraction) / self.write_iops.value
        return Side.READS if read_s > write_s else Side.WRITES


def performance(drive: Drive, workload: Workload) -> Performance:
    """Return the drive's speed for `workload` from its specified rates.

    Random IOPS are rated at 4 KiB. Larger reads move their extra bytes at the sequential
    rate; larger random writes are taken to move no faster than the 4 KiB ones do.
    """
    size = given("transfer_bytes", workload.transfer_bytes, source="workload")
    sequential = given("sequential_fraction", workload.sequential_fraction, source="workload")
    depth = given("queue_depth", workload.queue_depth, source="workload")
    random_write = first_known(
        *(stated(drive, f"{state}_write_iops") for state in ("steady", "spec", "burst"))
    )
    read_iops = _read_iops(drive, sequential, size)
    write_iops = _write_iops(drive, sequential, size, random_write)
    iops = _mixed(
        read_iops, write_iops, given("read_fraction", workload.read_fraction, source="workload")
    )
    worst = stated(drive, "worst_case_iops")
    return Performance(
        read_iops=read_iops,
        write_iops=write_iops,
        iops=iops,
        throughput_bytes_per_s=_bytes_per_s("drive_throughput_bytes_per_s", iops, size),
        latency_s=figure("latency_s", queueing.latency_s, queue_depth=depth, iops=iops),
        worst_case_latency_s=_worst_case_latency_s(drive, worst),
        worst_case_iops=worst,
        read_fraction=workload.read_fraction,
        notes=_notes(random_write),
    )


def _read_iops(drive: Drive, sequential: Answer, size: Answer) -> Answer:
    at_random, in_sequence = (
        stated(drive, "random_read_iops"), stated(drive, "sequential_read_bytes_per_s")
    )  # fmt: skip
    return _blend(
        "read_iops", sequential, size, at_random,
        random_bytes_per_s=first_known(
            in_sequence, _bytes_per_s("random_read_bytes_per_s", at_random, _rated_size())
        ),
        sequential_bytes_per_s=in_sequence,
    )  # fmt: skip


def _write_iops(drive: Drive, sequential: Answer, size: Answer, at_random: Answer) -> Answer:
    return _blend(
        "write_iops", sequential, size, at_random,
        random_bytes_per_s=_bytes_per_s("random_write_bytes_per_s", at_random, _rated_size()),
        sequential_bytes_per_s=first_known(
            stated(drive, "folded_write_bytes_per_s"), stated(drive, "sequential_write_bytes_per_s")
        ),
    )  # fmt: skip


def _rated_size() -> Answer:
    return given("rated_transfer_bytes", 4 * KIB, source="definition")


def _worst_case_latency_s(drive: Drive, worst: Answer) -> Answer:
    tested = worst if not worst.is_known else stated(drive, "saturated_queue_depth")
    return figure("max_latency_s", queueing.latency_s, queue_depth=tested, iops=worst)


def _blend(
    key: str,
    sequential: Answer,
    size: Answer,
    random_iops: Answer,
    *,
    random_bytes_per_s: Answer,
    sequential_bytes_per_s: Answer,
) -> Answer:
    """Mix random and sequential operations of one direction by their share of time."""
    side = key.removesuffix("_iops")
    share = sequential.value if sequential.is_given else 0.0
    at_size = figure(
        f"random_{side}_at_size_iops",
        queueing.resized_iops,
        iops=random_iops,
        rated_transfer_bytes=_rated_size(),
        transfer_bytes=size,
        throughput_bytes_per_s=random_bytes_per_s,
    )
    in_sequence = figure(
        f"sequential_{side}_at_size_iops",
        queueing.iops_at_throughput,
        throughput_bytes_per_s=sequential_bytes_per_s,
        transfer_bytes=size,
    )
    if not at_size.is_known and np.all(np.asarray(share) == 1):
        return in_sequence
    return figure(
        key,
        mixing.blended_iops,
        "" if in_sequence.is_computed else NO_SEQUENTIAL_RATE,
        sequential_iops=first_known(in_sequence, at_size),
        random_iops=at_size,
        sequential_fraction=sequential,
    )


def _mixed(read_iops: Answer, write_iops: Answer, reads: Answer) -> Answer:
    """Mix reads and writes; a side of which there is none need not be known."""
    share = np.asarray(reads.value) if reads.is_given else np.array(0.5)
    if not read_iops.is_known and np.all(share == 0):
        return write_iops
    if not write_iops.is_known and np.all(share == 1):
        return read_iops
    return figure(
        "drive_iops",
        mixing.mixed_iops,
        read_iops=read_iops,
        write_iops=write_iops,
        read_fraction=reads,
    )


def _bytes_per_s(key: str, iops: Answer, size: Answer) -> Answer:
    return figure(key, queueing.throughput_bytes_per_s, iops=iops, transfer_bytes=size)


def _notes(random_write: Answer) -> tuple[str, ...]:
    notes = ["Speeds are specification figures; nothing is simulated in time."]
    if random_write.key == "burst_write_iops":
        notes.append(
            "Random write IOPS are a burst figure of a fresh or cached drive; "
            "steady state is lower and not in the catalogue."
        )
    if random_write.key == "spec_write_iops":
        notes.append("The source does not say whether random write IOPS are steady state.")
    return tuple(notes)
