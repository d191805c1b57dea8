"""How many flash bytes does a host byte of this workload cost on this drive?"""

from collections.abc import Callable, Mapping

import numpy as np

from models import registry, spare_area, write_amplification
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure, first_known, given, walk
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.workload import Workload

__all__ = [
    "BAND",
    "UNIFORM",
    "cleaning_op_ratio",
    "factory_op_ratio",
    "left_out",
    "less_reserve",
    "placed",
    "random_wa",
    "spare_area_left",
    "unchecked",
    "wa_band",
    "wa_when_rated",
    "workload_wa",
]

UNIFORM = "Assumes uniform random writes of single pages: neither the best nor the worst case."
SEQUENTIAL = (
    "Sequential writes are credited as one stream around their own share of the data, at the "
    "highest level at which greedy cleaning was seen to stay; the low figure keeps them apart."
)
WORKING_SET = (
    "Data outside the working set is taken to lie among the rest, in the same blocks, where it is "
    "copied over and over: an estimate, from 16 % low at 28 % spare area to 63 % high at 100 %, "
    "since greedy cleaning parts them in time. The low figure has it in blocks of its own."
)
SKEWED = (
    "Skewed writes with host writes and copies in one log, which raises write amplification; "
    "placement that keeps hot and cold data apart lowers it."
)
HOST_GC = (
    "Skewed writes with host writes and copies apart: an estimate from a simulated table for ten "
    "random choices, between one log and full separation."
)
HOST_GC_AS_ONE_LOG = (
    "Host writes and copies apart help this policy little or not at all: taken as one log."
)
STREAMS = "Skewed writes in a hot and a cold stream, each with a fixed share of the spare area."
CHOICES = "Ten random choices; under skew in one log taken as greedy, from which it differs by 3 %."
NO_RESERVE = (
    "Blocks that the drive keeps erased and blocks being filled are not deducted from the spare "
    "area: their number is unknown (collection blocks, blocks in reserve). With 330 superblocks "
    "and 4 in reserve, write amplification at 12.7 % is 12 % higher."
)
LARGE_BLOCK = 512.0  # pages, where the choice needs a number and the drive's is unknown
CHOSEN = 10.0

# What placement can make of the workload, from the best layout to the plainest.
BAND: Mapping[str, Callable[..., float]] = {
    "low_wa": write_amplification.mixed_apart,
    "typical_wa": write_amplification.mixed_host_gc,
    "high_wa": write_amplification.mixed_in_one_log,
}


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


def cleaning_op_ratio(drive: Drive, left: Answer, firmware: Firmware) -> Answer:
    """Return what the reserve and the open blocks leave of the spare area `left`.

    The spare area itself where the number of the drive's blocks is unknown.
    """
    return less_reserve("cleaning_op_ratio", drive, left, left, firmware)


def random_wa(
    key: str, drive: Drive, op_ratio: Answer, workload: Workload | None, firmware: Firmware
) -> Answer:
    """Return the write amplification of random writes on this drive: skewed ones or uniform."""
    if workload is not None and len(workload.classes[0]) > 1:
        return _skewed_wa(key, drive, op_ratio, workload, firmware)
    pages = _block_size(drive)
    match firmware.policy:
        case Policy.RANDOM:
            return figure(key, write_amplification.random_victim, UNIFORM, op_ratio=op_ratio)
        case Policy.D_CHOICES:
            size = stated(drive, "pages_per_block")
            return figure(
                key,
                write_amplification.d_choices,
                UNIFORM,
                op_ratio=op_ratio,
                choices=given("choices", CHOSEN, source="firmware"),
                pages_per_block=first_known(
                    size, given("pages_per_block", LARGE_BLOCK, source="assumption")
                ),
            )
        case Policy.GREEDY if pages:
            return figure(key, write_amplification.greedy, UNIFORM, op_ratio=op_ratio, **pages)
    return figure(key, write_amplification.fifo, UNIFORM, op_ratio=op_ratio)


def wa_when_rated(drive: Drive, left: Answer, firmware: Firmware) -> Answer:
    """Return the write amplification of uniform random writes over the whole, full drive."""
    full = less_reserve("rating_op_ratio", drive, factory_op_ratio(drive), left, firmware)
    return random_wa("rating_wa", drive, full, None, firmware)


def workload_wa(drive: Drive, workload: Workload, op_ratio: Answer, firmware: Firmware) -> Answer:
    """Return the write amplification of this workload: measured, else modelled."""
    if workload.measured_wa is not None:
        return given("workload_wa", workload.measured_wa, source="user", note="Measured.")
    if not op_ratio.is_known and np.all(np.asarray(workload.sequential_fraction) == 1):
        return given("workload_wa", 1.0, source="definition", note="Sequential writes only.")
    random = random_wa("random_wa", drive, op_ratio, workload, firmware)
    if firmware.policy is Policy.RANDOM:  # copies pages whatever their age: nothing to credit
        return figure("workload_wa", write_amplification.random_victim, op_ratio=op_ratio)
    return figure(
        "workload_wa",
        write_amplification.credited,
        random_wa=random,
        sequential_fraction=_sequential(workload),
        sequential_credit=_credit(drive, workload, op_ratio),
    )


def wa_band(drive: Drive, workload: Workload, op_ratio: Answer) -> tuple[Answer, ...]:
    """Return low, typical and high: what placement can make of the workload."""
    return tuple(placed(key, formula, drive, workload, op_ratio) for key, formula in BAND.items())


def placed(
    key: str, formula: Callable[..., float], drive: Drive, workload: Workload, op_ratio: Answer
) -> Answer:
    """Return what `formula` makes of random and sequential writes under a placement."""
    return figure(key, formula, **_mix(drive, workload, op_ratio))


def unchecked(*answers: Answer) -> tuple[str, ...]:
    """Say where the plan leaves the range in which its models were checked."""
    said: dict[str, None] = {}
    for node in walk(answers).values():
        if node.is_computed:
            values = {name: part.value for name, part in node.inputs.items()}
            said |= dict.fromkeys(registry.outside(node.formula.rpartition(".")[2], **values))
    return tuple(said)


def left_out(drive: Drive, workload: Workload, firmware: Firmware) -> tuple[str, ...]:
    """Say what the model of write amplification assumes and leaves out."""
    if workload.measured_wa is not None:
        return ()
    sequential = np.asarray(workload.sequential_fraction)
    is_skewed = len(workload.classes[0]) > 1
    notes = {
        UNIFORM: not is_skewed,
        SEQUENTIAL: bool(np.any((sequential > 0) & (sequential < 1))),
        WORKING_SET: workload.working_set_fraction < 1,
        _PLACED[_placement(firmware)]: is_skewed,
        CHOICES: firmware.policy is Policy.D_CHOICES,
        NO_RESERVE: drive.value("blocks") is None,
    }
    return tuple(note for note, applies in notes.items() if applies)


_PLACED = {
    "one log": SKEWED,
    "host-gc": HOST_GC,
    "host-gc as one log": HOST_GC_AS_ONE_LOG,
    "streams": STREAMS,
}


def _placement(firmware: Firmware) -> str:
    """Say which formula of skewed writes a policy and a layout amount to."""
    if firmware.layout is Layout.STREAMS:
        return "streams"
    if firmware.layout is Layout.ONE_LOG:
        return "one log"
    return "host-gc" if firmware.policy is Policy.D_CHOICES else "host-gc as one log"


def _skewed_wa(
    key: str, drive: Drive, op_ratio: Answer, workload: Workload, firmware: Firmware
) -> Answer:
    if firmware.policy is Policy.RANDOM:
        return figure(key, write_amplification.random_victim, op_ratio=op_ratio)
    placement = _placement(firmware)
    pages = {} if firmware.policy is Policy.FIFO else _block_size(drive)
    inputs = {"op_ratio": op_ratio, **_shares(workload), **pages}
    if placement == "streams":
        accuracy = given("accuracy", firmware.accuracy, source="firmware")
        return figure(key, write_amplification.two_streams, STREAMS, accuracy=accuracy, **inputs)
    if placement == "host-gc":
        return figure(key, write_amplification.host_gc, HOST_GC, **inputs)
    return figure(key, write_amplification.skewed, _PLACED[placement], **inputs)


def less_reserve(key: str, drive: Drive, whole: Answer, left: Answer, firmware: Firmware) -> Answer:
    """Deduct the reserve and the open blocks from `whole`; the open blocks are those of `left`."""
    if drive.value("blocks") is None:
        return whole
    frontiers = float(firmware.frontiers)
    least = given("reserve", frontiers, source="definition", note="One erased block per frontier.")
    deducted = {
        "blocks": stated(drive, "blocks"),
        "reserve": first_known(stated(drive, "reserve"), least),
    }
    filled = figure(
        "reserve_op_ratio",
        write_amplification.reserved_op_ratio,
        op_ratio=left,
        **deducted,
        unfilled_blocks=given("no_unfilled_blocks", 0.0, source="definition"),
    )
    return figure(
        key,
        write_amplification.reserved_op_ratio,
        op_ratio=whole,
        **deducted,
        unfilled_blocks=figure(
            "unfilled_blocks",
            write_amplification.unfilled_blocks,
            wa=random_wa("reserve_wa", drive, filled, None, Firmware()),
            frontiers=given("frontiers", frontiers, source="firmware"),
        ),
    )


def _credit(drive: Drive, workload: Workload, op_ratio: Answer) -> Answer:
    if np.all(np.isin(workload.sequential_fraction, (0, 1))):
        return given("sequential_credit", 1.0, source="definition", note="Nothing is mixed.")
    return figure(
        "sequential_credit",
        write_amplification.sequential_credit,
        **_mix(drive, workload, op_ratio),
    )


def _block_size(drive: Drive) -> dict[str, Answer]:
    pages = stated(drive, "pages_per_block")
    return {} if not pages.is_known else {"pages_per_block": pages}


def _shares(workload: Workload) -> dict[str, Answer]:
    write_shares, page_shares = workload.classes
    return {
        "write_shares": given("write_shares", write_shares, source="workload"),
        "page_shares": given("page_shares", page_shares, source="workload"),
    }


def _sequential(workload: Workload) -> Answer:
    return given("sequential_fraction", workload.sequential_fraction, source="workload")


def _mix(drive: Drive, workload: Workload, op_ratio: Answer) -> dict[str, Answer]:
    return {
        "op_ratio": op_ratio,
        "sequential_fraction": _sequential(workload),
        **_shares(workload),
        **_block_size(drive),
    }
