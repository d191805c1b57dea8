"""How many flash bytes does a host byte of this workload cost on this drive?"""

import numpy as np

from models import spare_area, write_amplification
from planner.drive import Drive
from planner.facts import stated
from planner.figures import Answer, Missing, figure, given
from planner.workload import Workload

__all__ = ["UNIFORM", "factory_op_ratio", "left_out", "random_wa", "spare_area_left", "workload_wa"]

UNIFORM = "Assumes uniform random writes of single pages: neither the best nor the worst case."
NO_SEQUENTIAL = (
    "The sequential share is not credited in write amplification unless all writes are sequential."
)
NO_WORKING_SET = (
    "A working set smaller than the data is not modelled yet; its effect depends on how the rest "
    "was laid down."
)
NO_SKEW = "Skewed writes are not modelled yet; in one log they raise write amplification."


def factory_op_ratio(drive: Drive) -> Answer:
    """Return the spare bytes per user byte with the drive full."""
    return figure(
        "op_ratio",
        spare_area.op_ratio,
        raw_bytes=stated(drive, "raw_bytes"),
        user_bytes=stated(drive, "user_bytes"),
    )


def spare_area_left(drive: Drive, workload: Workload, *, partition_fraction: float) -> Answer:
    """Return the spare bytes per valid byte that this use of the drive leaves."""
    partitioned = figure(
        "partitioned_op_ratio",
        spare_area.effective_op_ratio,
        op_ratio=factory_op_ratio(drive),
        fill_fraction=given("partition_fraction", partition_fraction, source="workload"),
    )
    return figure(
        "effective_op_ratio",
        spare_area.effective_op_ratio,
        op_ratio=partitioned,
        fill_fraction=given("fill_fraction", workload.fill_fraction, source="workload"),
    )


def random_wa(key: str, drive: Drive, op_ratio: Answer) -> Answer:
    """Return the write amplification of uniform random writes on this drive."""
    pages = stated(drive, "pages_per_block")
    if isinstance(pages, Missing):
        return figure(key, write_amplification.fifo, UNIFORM, op_ratio=op_ratio)
    return figure(
        key, write_amplification.greedy, UNIFORM, op_ratio=op_ratio, pages_per_block=pages
    )


def workload_wa(drive: Drive, workload: Workload, op_ratio: Answer) -> Answer:
    """Return the write amplification of this workload: measured, else modelled."""
    if workload.measured_wa is not None:
        return given("workload_wa", workload.measured_wa, source="user", note="Measured.")
    return figure(
        "workload_wa",
        write_amplification.unless_sequential,
        UNIFORM,
        random_wa=random_wa("random_wa", drive, op_ratio),
        sequential_fraction=given(
            "sequential_fraction", workload.sequential_fraction, source="workload"
        ),
    )


def left_out(workload: Workload) -> tuple[str, ...]:
    """Say what the model of write amplification assumes and leaves out."""
    if workload.measured_wa is not None:
        return ()
    sequential = np.asarray(workload.sequential_fraction)
    notes = {
        UNIFORM: True,
        NO_SEQUENTIAL: bool(np.any((sequential > 0) & (sequential < 1))),
        NO_WORKING_SET: bool(np.any(np.asarray(workload.working_set_fraction) < 1)),
        NO_SKEW: len(workload.write_shares) > 1,
    }
    return tuple(note for note, applies in notes.items() if applies)
