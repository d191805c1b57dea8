"""The course of a write test: cliff, trough, settling, and its worst moment."""

import math

from models import consistency, queueing, stalls, transient, write_budget
from planner.graph.nodes import Argument, Call, Const, FirstKnown, Leaf, Node, When, none
from planner.sections.datasheet_speed import LONGEST_S, TESTED_DEPTH
from planner.sections.flash import BLOCK_PAGES, ERASE_S, PROGRAM_PAGE_S, PROGRAM_PAGES
from planner.sections.service import DIES, RATED_SIZE
from planner.sections.speed_case import LATENCY_CV, REVIEWED_DEPTH, TEST_DEPTH, SpeedCase

ALIGNED = (
    "Where no worst case is known, all dies are assumed to erase together, as the reviewed "
    "drives seem to; whole blocks collected at once would be far worse."
)
APART = "Dies erase at different times; writes wait for many small steps."
TOGETHER = "Dies erase together; a write waits for an erase and a program with its copies."
WHOLE = "A die is blocked while a whole block is collected; in a saturated test no buffer helps."
EVEN = (
    "Of the queue depth over the latency of each operation, in a saturated test: the stalls of "
    "the longest latency for the share of time that drives of this class stall."
)
COLLECTION = "incremental_latency_s", "aligned_latency_s", "blocking_latency_s"
TURNS = (
    "peak_wa", "lowest_write_iops", "cliff_s", "settling_s", "settling_fills", "user_pages",
)  # fmt: skip
_ABOVE_ONE = Const("wa:above one", math.nextafter(1.0, 2.0))
_NO_RATE, _ENDLESS = Const("iops:none", 0.0), Const("iops:endless", math.inf)
# Operations that were outstanding in the saturated test.
SATURATED_DEPTH = FirstKnown("queue_depth:saturated", (When(LONGEST_S, TESTED_DEPTH), TEST_DEPTH))


def turn_nodes(of: dict[str, Node], case: SpeedCase) -> dict[str, Node]:
    """Return the turning points of the write rate over time, if there are any.

    It does not where writes cost no more than themselves, or keep their rate.
    """
    cleaning = {name: of[name] for name in ("op_ratio", "pages_per_block")}
    fresh, steady, wa = of["fresh_write_iops"], of["deep_steady_write_iops"], of["collection_wa"]
    rates = {"burst_write_iops": fresh, "steady_write_iops": steady, "steady_wa": wa}
    peak = Call("peak_wa", transient.greedy_peak_wa, cleaning)
    settled = Call("settling_fills", transient.greedy_settling_fills, cleaning)
    flash_fills = Call(
        "flash_fills", transient.greedy_flash_fills, {"drive_fills": settled, **cleaning}
    )
    pages = Call(
        "user_pages",
        queueing.iops_at_throughput,
        {"throughput_bytes_per_s": case.touched_bytes, "transfer_bytes": RATED_SIZE},
    )
    pace = Call(
        "fresh_bytes_per_s",
        queueing.throughput_bytes_per_s,
        {"iops": fresh, "transfer_bytes": RATED_SIZE},
    )
    turns = (
        peak,
        Call("lowest_write_iops", consistency.transient_iops, {"wa": peak, **rates}),
        Call(
            "cliff_s",
            consistency.cliff_s,
            {
                "op_ratio": cleaning["op_ratio"],
                "user_bytes": case.touched_bytes,
                "host_bytes_per_s": pace,
            },
        ),
        Call(
            "settling_s",
            consistency.written_s,
            {"drive_fills": settled, "flash_fills": flash_fills, "user_pages": pages, **rates},
        ),
        settled,
        pages,
    )
    most = FirstKnown("fresh_write_iops:or any", (fresh, _ENDLESS))
    least = FirstKnown("steady_write_iops:or none", (steady, _NO_RATE))
    return {
        name: When(wa, When(most, turn, least=least), least=_ABOVE_ONE)
        for name, turn in zip(TURNS, turns, strict=True)
    }


def worst_nodes(of: dict[str, Node], plan: dict[str, Node], case: SpeedCase) -> dict[str, Node]:
    """Return the longest latency and the worst IOPS, known or with aligned erases, and the spread.

    Worst IOPS are those of a saturated test, and those at the queue depth. The longest latency of
    each way of collecting comes beside them, the mildest first.
    """
    program_s = _program_with_copies_s(of)
    ways = dict(zip(COLLECTION, _by_collection(of, case, program_s), strict=True))
    longest, iops = plan["max_latency_s"], plan["worst_case_iops"]
    at_depth = plan["worst_case_at_depth_iops"]
    if not case.is_tested:
        longest = ways["aligned_latency_s"]
        saturated: Node = none("aligned_latency_s:saturated")
        if not case.is_in_place:
            steady = of["any_steady_write_iops"]
            saturated = _aligned(saturated.key, REVIEWED_DEPTH, steady, program_s)
        iops = _worst("modelled_worst_case_iops", REVIEWED_DEPTH, saturated)
        at_depth = _worst("worst_case_at_depth_iops:modelled", TEST_DEPTH, longest)
    spread = Call(
        "second_sd_iops",
        consistency.second_sd_iops,
        {
            "queue_depth": TEST_DEPTH, "iops": of["steady_write_iops"], "latency_cv": LATENCY_CV,
            "max_latency_s": longest, "member_stall_fraction": Leaf("member_stall_fraction"),
        },
        EVEN,
    )  # fmt: skip
    return {
        **ways, "longest_write_s": longest, "worst_write_iops": iops,
        "worst_write_at_depth_iops": at_depth, "second_sd_iops": spread,
    }  # fmt: skip


def _worst(key: str, depth: Node, longest: Node) -> Node:
    return Call(key, queueing.worst_case_iops, {"queue_depth": depth, "max_latency_s": longest})


def _aligned(key: str, depth: Node, steady: Node, program_s: Node) -> Node:
    inputs: dict[str, Argument] = {
        "erase_s": ERASE_S, "program_s": program_s, "queue_depth": depth, "iops": steady,
    }  # fmt: skip
    return Call(key, stalls.aligned_latency_s, inputs, TOGETHER)


def _by_collection(of: dict[str, Node], case: SpeedCase, program_s: Node) -> tuple[Node, ...]:
    """Return the longest write latency of each way of collecting; none where nothing is."""
    if case.is_in_place:
        return tuple(map(none, COLLECTION))
    test: dict[str, Node] = {"queue_depth": TEST_DEPTH, "iops": of["steady_write_iops"]}
    valid = Call("collected_valid_fraction", write_budget.victim_valid_fraction, {"wa": of["wa"]})
    clean = Call(
        "clean_s",
        stalls.clean_s,
        {
            "valid_fraction": valid, "pages_per_block": BLOCK_PAGES,
            "program_page_s": PROGRAM_PAGE_S, "copy_page_s": of["copy_page_s"], "erase_s": ERASE_S,
        },
    )  # fmt: skip
    return (
        Call("incremental_latency_s", stalls.incremental_latency_s,
             {"latency_cv": LATENCY_CV, **test}, APART),
        _aligned("aligned_latency_s", TEST_DEPTH, of["steady_write_iops"], program_s),
        Call(
            "blocking_latency_s",
            stalls.blocking_latency_s,
            {
                "clean_s": clean, "cleaned_blocks": Const("cleaned_blocks", 1.0),
                "buffer_pages": Const("buffer_pages", 0.0), **test,
            },
            WHOLE,
        ),
    )  # fmt: skip


def _program_with_copies_s(of: dict[str, Node]) -> Node:
    """Return the die time per program of host pages: programs under way over the dies' rate."""
    under_way = Call(
        "pages_under_way",
        write_budget.pages_under_way,
        {"dies": DIES, "pages_per_program": PROGRAM_PAGES},
    )
    return Call(
        "program_with_copies_s",
        queueing.latency_s,
        {"queue_depth": under_way, "iops": of["dies_write_iops"]},
    )
