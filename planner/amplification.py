"""How many flash bytes does a host byte of this workload cost on this drive?"""

import numpy as np

from models import registry, spare_area, write_amplification
from planner.drive import Drive
from planner.facts import stated
from planner.figures import Answer, Figure, Missing, figure, given, walk
from planner.workload import Workload

__all__ = [
    "UNIFORM",
    "factory_op_ratio",
    "left_out",
    "random_wa",
    "spare_area_left",
    "unchecked",
    "workload_wa",
]

UNIFORM = "Assumes uniform random writes of single pages: neither the best nor the worst case."
NO_SEQUENTIAL = (
    "The sequential share is not credited in write amplification unless all writes are sequential."
)
NO_WORKING_SET = (
    "A working set smaller than the data is not modelled yet; its effect depends on how the rest "
    "was laid down."
)
SKEWED = (
    "Skewed writes with host writes and copies in one log, which raises write amplification; "
    "placement that keeps hot and cold data apart lowers it."
)


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
    filled = figure(
        "filled_op_ratio",
        spare_area.effective_op_ratio,
        op_ratio=partitioned,
        fill_fraction=given("fill_fraction", workload.fill_fraction, source="workload"),
    )
    return figure(
        "effective_op_ratio",
        write_amplification.trimmed_op_ratio,
        op_ratio=filled,
        trim_share=given("trim_share", workload.trim_share, source="workload"),
    )


def random_wa(key: str, drive: Drive, op_ratio: Answer, workload: Workload | None = None) -> Answer:
    """Return the write amplification of random writes on this drive: skewed ones or uniform."""
    pages = stated(drive, "pages_per_block")
    known = {} if isinstance(pages, Missing) else {"pages_per_block": pages}
    if workload is not None and len(workload.write_shares) > 1:
        return figure(
            key,
            write_amplification.skewed,
            SKEWED,
            op_ratio=op_ratio,
            write_shares=given("write_shares", workload.write_shares, source="workload"),
            page_shares=given("page_shares", workload.page_shares, source="workload"),
            **known,
        )
    formula = write_amplification.greedy if known else write_amplification.fifo
    return figure(key, formula, UNIFORM, op_ratio=op_ratio, **known)


def workload_wa(drive: Drive, workload: Workload, op_ratio: Answer) -> Answer:
    """Return the write amplification of this workload: measured, else modelled."""
    if workload.measured_wa is not None:
        return given("workload_wa", workload.measured_wa, source="user", note="Measured.")
    if isinstance(op_ratio, Missing) and np.all(np.asarray(workload.sequential_fraction) == 1):
        return given("workload_wa", 1.0, source="definition", note="Sequential writes only.")
    return figure(
        "workload_wa",
        write_amplification.unless_sequential,
        random_wa=random_wa("random_wa", drive, op_ratio, workload),
        sequential_fraction=given(
            "sequential_fraction", workload.sequential_fraction, source="workload"
        ),
    )


def unchecked(wa: Answer) -> tuple[str, ...]:
    """Say where the plan leaves the range in which its models were checked."""
    said: list[str] = []
    for node in walk([wa]).values():
        if isinstance(node, Figure):
            values = {name: part.value for name, part in node.inputs.items()}
            said += registry.outside(node.formula.rpartition(".")[2], **values)
    return tuple(said)


def left_out(workload: Workload) -> tuple[str, ...]:
    """Say what the model of write amplification assumes and leaves out."""
    if workload.measured_wa is not None:
        return ()
    sequential = np.asarray(workload.sequential_fraction)
    notes = {
        UNIFORM: len(workload.write_shares) == 1,
        NO_SEQUENTIAL: bool(np.any((sequential > 0) & (sequential < 1))),
        NO_WORKING_SET: bool(np.any(np.asarray(workload.working_set_fraction) < 1)),
        SKEWED: len(workload.write_shares) > 1,
    }
    return tuple(note for note, applies in notes.items() if applies)
