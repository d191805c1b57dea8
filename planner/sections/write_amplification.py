"""How many flash bytes does a host byte of this workload cost on this drive?"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache

import numpy as np

from models import registry, spare_area, write_amplification
from planner.catalogue.drive import Drive
from planner.graph.answer import Answer, walk
from planner.graph.nodes import Argument, Call, Const, FirstKnown, Leaf, Node, When
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.workload import Workload
from planner.sections.structure import IN_FIELD, Structure

__all__ = [
    "BAND",
    "FACTORY_OP_RATIO",
    "UNIFORM",
    "assumptions_of",
    "cleaning_op_ratio",
    "factory_wa",
    "modelled_wa",
    "outside_checked_ranges",
    "placement_ratio",
    "rating_op_ratio",
    "wa_band",
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
TRIMS = (
    "TRIM is taken to hit all data in use alike, as files deleted at random: cold data, seldom "
    "written again, are then in use less. If it follows the writes, as in a cache or a log, write "
    "amplification is higher: the high figure."
)
AS_GIVEN = "How the drive places data was measured or is given."
ALIKE = "All writes are alike: nothing can be kept apart."

# What placement can make of the workload, from the best layout to the plainest.
BAND: Mapping[str, Callable[..., float]] = {
    "low_wa": write_amplification.mixed_apart,
    "typical_wa": write_amplification.mixed_host_gc,
    "high_wa": write_amplification.mixed_in_one_log,
}

SEQUENTIAL_FRACTION = Leaf("sequential_fraction")
PAGES = Leaf("pages_per_block", overrides=True)
_BLOCKS = Leaf("blocks", overrides=True)
MEASURED = Leaf("workload_wa", overrides=True)
# A number of pages where a formula needs one and the drive's is unknown.
PAGES_OR_LARGE = FirstKnown(
    "pages_per_block:any", (PAGES, Const("pages_per_block:large", 512.0, "assumption"))
)
CHOSEN = Const("choices", 10.0, "firmware")

FACTORY_OP_RATIO = Call(
    "op_ratio",
    spare_area.op_ratio,
    {"raw_bytes": Leaf("raw_bytes"), "user_bytes": Leaf("user_bytes")},
)
_PARTITIONED = Call(
    "partitioned_op_ratio",
    spare_area.effective_op_ratio,
    {"op_ratio": FACTORY_OP_RATIO, "fill_fraction": Leaf("partition_fraction")},
)
_FILLED = Call(
    "filled_op_ratio",
    spare_area.effective_op_ratio,
    {"op_ratio": _PARTITIONED, "fill_fraction": Leaf("fill_fraction")},
)


@cache
def spare_area_left(structure: Structure) -> Node:
    """Return the spare bytes per valid byte that this use of the drive leaves."""
    key = "effective_op_ratio"
    spare: dict[str, Node] = {"op_ratio": _FILLED, "trim_share": Leaf("trim_share")}
    if not structure.address_shares:
        return Call(key, write_amplification.trimmed_op_ratio, spare)
    shares: dict[str, Node] = {
        "write_shares": Const("write_shares", structure.write_shares, "workload"),
        "page_shares": Const("page_shares:addresses", structure.address_shares, "workload"),
    }
    return Call(key, write_amplification.trimmed_class_op_ratio, spare | shares, TRIMS)


@cache
def cleaning_op_ratio(structure: Structure) -> Node:
    """Return what the reserve and the open blocks leave of the spare area of this use.

    The spare area itself where the number of the drive's blocks is unknown.
    """
    return _less_reserve("cleaning_op_ratio", spare_area_left(structure), structure)


def rating_op_ratio(structure: Structure) -> Node:
    """Return what they leave of the spare area of the whole, full drive."""
    return _less_reserve("rating_op_ratio", FACTORY_OP_RATIO, structure)


def factory_wa(structure: Structure) -> Node:
    """Return the write amplification of uniform random writes over the whole, full drive."""
    uniform = Structure(policy=structure.policy)
    return _random_wa("rating_wa", rating_op_ratio(structure), uniform)


@cache
def modelled_wa(op_ratio: Node, structure: Structure) -> Node:
    """Return the write amplification by which a rating is converted: what the model gives.

    Of hosts in the field it is that of uniform random writes: what is assumed gives no credit.
    """
    if structure.is_in_field:
        return _random_wa("random_wa", op_ratio, structure)
    return workload_wa(op_ratio, structure)


@cache
def workload_wa(op_ratio: Node, structure: Structure) -> Node:
    """Return the write amplification of this workload: measured, else modelled."""
    key = "workload_wa"
    if structure.is_in_field:
        uniform = modelled_wa(op_ratio, structure)
        in_field: dict[str, Argument] = {
            "random_wa": uniform, "field_copy_ratio": Leaf("field_copy_ratio"),
        }  # fmt: skip
        return Call(f"{key}:field", write_amplification.field_wa, in_field)
    alone = When(
        SEQUENTIAL_FRACTION,
        Const(f"{key}:sequential", 1.0, "definition", "Sequential writes only."),
        (1.0,),
    )
    if structure.policy is Policy.RANDOM:  # copies pages whatever their age: nothing to credit
        modelled = Call(
            f"{key}:modelled", write_amplification.random_victim, {"op_ratio": op_ratio}
        )
    else:
        modelled = Call(
            f"{key}:modelled",
            write_amplification.credited,
            {
                "random_wa": _random_wa("random_wa", op_ratio, structure),
                "sequential_fraction": SEQUENTIAL_FRACTION,
                "sequential_credit": _credit(op_ratio, structure),
            },
        )
    return FirstKnown(f"{key}:any", (MEASURED, modelled, alone))


@cache
def wa_band(structure: Structure) -> dict[str, Node]:
    """Return low, typical and high: what placement can make of the workload.

    High takes trims to follow the writes, the others to hit all data in use alike.
    """
    taken = dict.fromkeys(BAND, structure) | {"high_wa": structure.trimmed_as_written}
    return {
        key: FirstKnown(
            key, _by_pages(key, formula, _mix(cleaning_op_ratio(taken[key]), taken[key]))
        )
        for key, formula in BAND.items()
    }


def placement_ratio(
    key: str, formula: Callable[..., float], op_ratio: Node, structure: Structure
) -> Node:
    """Return write amplification by placement, over that of one log; 1 where it is known."""
    known = Const(f"{key}:known", 1.0, "definition", AS_GIVEN)
    if structure.layout is not Layout.ONE_LOG or structure.policy is not Policy.GREEDY:
        return known
    alike = Const(f"{key}:alike", 1.0, "definition", ALIKE)
    mixed = _by_pages(key, formula, _mix(op_ratio, structure))
    uniform = () if structure.is_skewed else (When(SEQUENTIAL_FRACTION, alike, (0.0, 1.0)),)
    return FirstKnown(key, (When(MEASURED, known), *uniform, *mixed))


@cache
def _less_reserve(key: str, whole: Node, structure: Structure) -> Node:
    """Deduct the reserve and the open blocks, which are those of the spare area of this use."""
    used, frontiers = spare_area_left(structure), structure.frontiers
    own = Call(
        f"{key}:blocks",
        write_amplification.reserved_op_ratio,
        {"op_ratio": whole, **_deducted(frontiers), "unfilled_blocks": _unfilled(used, frontiers)},
    )
    return FirstKnown(key, (When(_BLOCKS, own), whole))


@cache
def _deducted(frontiers: float) -> dict[str, Node]:
    least = Const("reserve:least", frontiers, "definition", "One erased block per frontier.")
    return {
        "blocks": _BLOCKS,
        "reserve": FirstKnown("reserve:any", (Leaf("reserve", overrides=True), least)),
    }


@cache
def _unfilled(op_ratio: Node, frontiers: float) -> Node:
    filled = Call(
        "reserve_op_ratio",
        write_amplification.reserved_op_ratio,
        {
            "op_ratio": op_ratio,
            **_deducted(frontiers),
            "unfilled_blocks": Const("no_unfilled_blocks", 0.0),
        },
    )
    return Call(
        "unfilled_blocks",
        write_amplification.unfilled_blocks,
        {
            "wa": _random_wa("reserve_wa", filled, Structure()),
            "frontiers": Const("frontiers", frontiers, "firmware"),
        },
    )


def _random_wa(key: str, op_ratio: Node, structure: Structure) -> Node:
    """Return the write amplification of random writes on this drive: skewed ones or uniform."""
    spare: dict[str, Node] = {"op_ratio": op_ratio}
    uniform = "" if structure.is_skewed else UNIFORM
    if structure.policy is Policy.RANDOM:
        return Call(f"{key}:random", write_amplification.random_victim, spare, uniform)
    if structure.is_skewed:
        return _skewed_wa(key, spare | _shares(structure), structure)
    fifo = Call(f"{key}:fifo", write_amplification.fifo, spare, UNIFORM)
    if structure.policy is Policy.D_CHOICES:
        numbers: dict[str, Node] = {"choices": CHOSEN, "pages_per_block": PAGES_OR_LARGE}
        return Call(f"{key}:choices", write_amplification.d_choices, spare | numbers, UNIFORM)
    if structure.policy is Policy.FIFO:
        return fifo
    greedy = Call(
        f"{key}:greedy", write_amplification.greedy, spare | {"pages_per_block": PAGES}, UNIFORM
    )
    return FirstKnown(f"{key}:any", (greedy, fifo))


def _skewed_wa(key: str, inputs: dict[str, Node], structure: Structure) -> Node:
    placement = _placement(structure.policy, structure.layout)
    formula: Callable[..., float] = write_amplification.skewed
    if placement == "streams":
        formula = write_amplification.two_streams
        inputs = inputs | {"accuracy": Const("accuracy", structure.accuracy, "firmware")}
    elif placement == "host-gc":
        formula = write_amplification.host_gc
    if structure.policy is Policy.FIFO:
        return Call(f"{key}:large blocks", formula, inputs, _PLACED[placement])
    return FirstKnown(key, _by_pages(key, formula, inputs, _PLACED[placement]))


def _credit(op_ratio: Node, structure: Structure) -> Node:
    key = "sequential_credit"
    none = Const(f"{key}:none", 1.0, "definition", "Nothing is mixed.")
    mixed = _by_pages(key, write_amplification.sequential_credit, _mix(op_ratio, structure))
    return FirstKnown(key, (When(SEQUENTIAL_FRACTION, none, (0.0, 1.0)), *mixed))


def _by_pages(
    key: str, formula: Callable[..., float], inputs: Mapping[str, Node], note: str = ""
) -> tuple[Node, Node]:
    """Return a formula with the pages of a block, and in its limit of large blocks."""
    return (
        Call(f"{key}:pages", formula, {**inputs, "pages_per_block": PAGES}, note),
        Call(f"{key}:large blocks", formula, inputs, note),
    )


def _shares(structure: Structure) -> dict[str, Node]:
    return {
        "write_shares": Const("write_shares", structure.write_shares, "workload"),
        "page_shares": Const("page_shares", structure.page_shares, "workload"),
    }


def _mix(op_ratio: Node, structure: Structure) -> dict[str, Node]:
    return {"op_ratio": op_ratio, "sequential_fraction": SEQUENTIAL_FRACTION, **_shares(structure)}


def outside_checked_ranges(answers: Iterable[Answer]) -> tuple[str, ...]:
    """Say where the plan leaves the range in which its models were checked."""
    complaints: dict[str, None] = {}
    for node in walk(answers).values():
        name = node.formula.rpartition(".")[2]
        complaints |= dict.fromkeys(registry.outside(name, **node.arguments))
    return tuple(complaints)


def assumptions_of(drive: Drive, workload: Workload, firmware: Firmware) -> tuple[str, ...]:
    """Say what the model of write amplification assumes and leaves out."""
    if workload.measured_wa is not None:
        return ()
    sequential = np.asarray(workload.sequential_fraction)
    is_skewed = len(workload.classes[0]) > 1
    notes = {
        UNIFORM: not is_skewed and not workload.is_in_field,
        IN_FIELD: workload.is_in_field,
        SEQUENTIAL: bool(np.any((sequential > 0) & (sequential < 1))),
        WORKING_SET: workload.working_set_fraction < 1,
        _PLACED[_placement(firmware.policy, firmware.layout)]: is_skewed,
        TRIMS: is_skewed and bool(np.any(workload.trim_share)),
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


def _placement(policy: Policy, layout: Layout) -> str:
    """Say which formula of skewed writes a policy and a layout amount to."""
    if layout is Layout.STREAMS:
        return "streams"
    if layout is Layout.ONE_LOG:
        return "one log"
    return "host-gc" if policy is Policy.D_CHOICES else "host-gc as one log"
