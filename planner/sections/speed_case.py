"""Properties of a drive that pick the formulas of its speed, and the inputs from its workload."""

import math
from dataclasses import dataclass

import numpy as np

from models import mixing, spare_area, stalls, write_amplification
from planner.catalogue.drive import ASSUMPTION, Drive
from planner.catalogue.facts import gives_way, stated
from planner.catalogue.priors_flash import generation_of
from planner.catalogue.priors_kind import cell_of, is_written_in_place, words_of, year_of
from planner.catalogue.write_limit import write_limit
from planner.graph.answer import Answer, given
from planner.graph.nodes import Argument, Call, Const, FirstKnown, Leaf, Node, When
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.sections.flash import PROGRAM_PAGES
from planner.sections.service import RATED_SIZE, READS
from planner.sections.structure import Structure, structure_of
from planner.sections.write_factors import PAGE_UNIT_FACTOR, UNIT_FACTOR

SUSPENDING_SINCE = 2018  # year from which firmware is taken to let reads go first
QUANTILES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
TESTED_DEPTH = 32.0  # of the reviews' write test, where none is printed or asked for
CACHED_PROGRAM_S = 200e-6  # with one bit per cell: 150 to 300 us, assumed for flash of layers
SPREAD = (
    "Relative spread of latency between 0.1 and 0.3 in simulated drives, less in deep queues; "
    "assumed 0.2, at most the root of pages per program over queue depth."
)
PROTECTED = "With power-loss protection a flush is complete as soon as the buffer has the data."
TAKEN_AS_PROTECTED = (
    f"{PROTECTED} Assumed: an enterprise drive is protected where its data sheet is not known."
)
UNPROTECTED = (
    "Without power-loss protection, or where it is unknown of a client drive, a flush programs the "
    "data and then the map."
)
AS_COMPUTED = "As computed; the range is that of drives to which nothing was fitted."

ANY = Const("one:any", math.ulp(0.0))  # the least number above 0
TEST_DEPTH, READERS = Leaf("queue_depth:test"), Leaf("queue_depth:whole")
REVIEWED_DEPTH = Const("queue_depth:reviews", TESTED_DEPTH)
LEVELS, WRITE_FRACTION = Leaf("level"), Leaf("write_fraction")
LATENCY_CV = Call(
    "latency_cv",
    stalls.latency_cv,
    {"queue_depth": TEST_DEPTH, "pages_per_program": PROGRAM_PAGES},
    SPREAD,
)
_WRITTEN: dict[str, Argument] = {
    "host_bytes_per_s": Leaf("host_bytes_per_s"), "transfer_bytes": RATED_SIZE,
}  # fmt: skip
OFFERED_READS = Call("offered_read_iops", mixing.reads_beside_iops,
                     {**_WRITTEN, "read_fraction": READS})  # fmt: skip
# Random writes of 4 KiB that cost the dies what the workload's do.
OFFERED_WRITES = FirstKnown(
    "offered_write_iops:any",
    (
        When(READS, Const("offered_write_iops:none", 0.0, "workload"), (1.0,)),
        Call(
            "offered_write_iops",
            write_amplification.page_write_iops,
            {**_WRITTEN, "unit_factor": UNIT_FACTOR, "rated_unit_factor": PAGE_UNIT_FACTOR},
        ),
    ),
)
_USED_BYTES = Call(
    "used_bytes",
    write_amplification.fill_bytes,
    {
        "user_bytes": Leaf("user_bytes"), "fill_fraction": Leaf("fill_fraction"),
        "partition_fraction": Leaf("partition_fraction"), "rated_unit_factor": PAGE_UNIT_FACTOR,
    },
)  # fmt: skip


_TOUCHED_BYTES = Call(
    "span_bytes:overwritten",
    spare_area.partition_bytes,
    {"user_bytes": _USED_BYTES, "partition_fraction": Leaf("dynamic_fraction")},
)


@dataclass(frozen=True, slots=True)
class SpeedCase:
    """Properties that pick the formulas of a drive's speed: fixed when its graph is built."""

    structure: Structure
    is_in_place: bool  # nothing is collected
    is_interrupted: bool  # reads go before programs and erases that are under way
    is_tested: bool  # its worst case is known
    is_rate_assumed: bool
    gives_way: bool  # its write cache shrinks as it fills
    protection: str

    @property
    def touched_bytes(self) -> Node:
        """The data that the write test overwrites: all in use, or the working set."""
        return _TOUCHED_BYTES if self.structure.has_static_data else _USED_BYTES


def case_of(drive: Drive, workload: Workload, firmware: Firmware) -> SpeedCase:
    """Sort a drive and its use."""
    suspends = generation_of(drive).suspends and (year_of(drive) or 0) >= SUSPENDING_SINCE
    return SpeedCase(
        structure=structure_of(workload, firmware, drive),
        is_in_place=is_written_in_place(drive),
        is_interrupted=suspends,
        is_tested=drive.value("worst_case_iops") is not None,
        is_rate_assumed=stated(drive, "steady_write_iops").source == ASSUMPTION.source_id,
        gives_way=gives_way(drive),
        protection=_protection(drive),
    )


def _protection(drive: Drive) -> str:
    """Return the note on the power-loss protection of the buffer."""
    if drive.power_loss_protection == "yes":
        return PROTECTED
    is_unknown = not drive.power_loss_protection
    return TAKEN_AS_PROTECTED if is_unknown and "enterprise" in words_of(drive) else UNPROTECTED


def speed_leaves(drive: Drive, workload: Workload) -> dict[str, Answer]:
    """Return the leaves of the speed of one drive beside those of its plan."""
    depth = workload.queue_depth or TESTED_DEPTH
    generation = generation_of(drive)
    by_generation = {"source": "assumption", "note": generation.ground}
    is_beside_reads = bool(np.any(np.greater(workload.read_fraction, 0)))
    limit = write_limit(drive, is_beside_reads=is_beside_reads)
    of_workload = {
        TEST_DEPTH.key: depth, READERS.key: float(max(1, round(depth))),
        WRITE_FRACTION.key: 1 - workload.read_fraction,
    }  # fmt: skip
    return {
        **{
            key: given(key.partition(":")[0], value, source="workload")
            for key, value in of_workload.items()
        },
        LEVELS.key: given(LEVELS.key, QUANTILES, source="definition"),
        "one_shot_s": given("one_shot_s", generation.one_shot_s[1], **by_generation),
        "programs_per_block": given(
            "programs_per_block", generation.programs_per_block, **by_generation
        ),
        "flush_program_s": _flushed_program_s(drive, **by_generation),
        "dynamic_limit_bytes": _dynamic_limit(drive),
        "limit_ratio": given("limit_ratio", limit.ratio, source="assumption", note=limit.note),
        "limit_sd": given("limit_sd", limit.sd, source="assumption", note=limit.note),
    }


def _flushed_program_s(drive: Drive, *, source: str, note: str) -> Answer:
    """Return the time of a program that a flush waits for: with one bit per cell on client TLC."""
    seconds = generation_of(drive).one_shot_s[1]
    if cell_of(drive) in ("TLC", "QLC") and "enterprise" not in words_of(drive):
        seconds, note = CACHED_PROGRAM_S, "written with one bit per cell first"
    return given("flush_program_s", seconds, source=source, note=note)


def _dynamic_limit(drive: Drive) -> Answer:
    """Return the part of the printed write cache of an empty drive that its user area holds."""
    printed, static = stated(drive, "slc_cache_bytes"), drive.value("static_cache_bytes")
    limit = float(np.subtract(printed.value, static or 0.0)) if printed.is_known else None
    return given("dynamic_limit_bytes", limit, source=printed.source)
