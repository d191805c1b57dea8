"""Random writes of 4 KiB: what link, dies and firmware allow, fresh and in steady state."""

from models import bottleneck, calibration, interface, queueing, write_amplification, write_budget
from planner.catalogue.facts import LARGE_BLOCK
from planner.graph.nodes import Argument, Call, Const, FirstKnown, Leaf, Named, Node, When, none
from planner.sections.flash import BLOCK_PAGES, ERASE_S, PROGRAM_PAGE_S, copy_page_s
from planner.sections.service import DEPTH, DIES, RATED_DEPTH, RATED_SIZE
from planner.sections.speed_case import SpeedCase
from planner.sections.write_amplification import rating_op_ratio, touched_op_ratio
from planner.sections.write_factors import BASE, BASE_FACTOR, UNIT, of_page_writes

IN_PLACE = (
    "3D XPoint is written in place and erases nothing: writes keep their rate. Latencies of reads "
    "beside writes are those of single-level flash, which is slower: upper ends, no more."
)
_PRINTED, _LINK = Leaf("steady_write_iops"), Leaf("sequential_read_bytes_per_s")
_READS = Leaf("random_read_iops")
_READ_BYTES = Call(
    "random_read_bytes_per_s:pages", queueing.throughput_bytes_per_s,
    {"iops": _READS, "transfer_bytes": RATED_SIZE},
)  # fmt: skip
_SIZES: dict[str, Argument] = {"transfer_bytes": RATED_SIZE, "link_bytes_per_s": _LINK}
# Its data rate, less the time per command where printed reads leave any beside their data.
LINK_IOPS = Call(
    "link_iops",
    interface.link_iops,
    {
        **_SIZES,
        "command_s": FirstKnown(
            "command_s:any",
            (
                When(_LINK, Call("command_s", calibration.command_s, {**_SIZES, "iops": _READS}),
                     least=_READ_BYTES),
                Const("command_s:none", 0.0),
            ),
        ),
    },
)  # fmt: skip
# The unit of collection in units of the map.
_PAGES = FirstKnown(
    "pages_per_block:collected",
    (
        Leaf("pages_per_block", overrides=True),
        BLOCK_PAGES,
        Const("pages_per_block:superblock", LARGE_BLOCK),
    ),
)
_UNITS = FirstKnown(
    "units_per_block:collected",
    (
        Call(
            "units_per_block:whole", write_amplification.units_per_block,
            {"pages_per_block": _PAGES, "unit_bytes": UNIT},
        ),
        _PAGES,
    ),
)  # fmt: skip
_ACCEPTED = Call(
    "accepted_write_iops:page",
    queueing.iops,
    {"queue_depth": DEPTH, "latency_s": Leaf("write_latency_s")},
)
_KEPT = FirstKnown(
    "steady_write_iops:in place",
    tuple(Leaf(f"{state}_write_iops") for state in ("steady", "spec", "burst")),
)


def die_nodes(of: dict[str, Node], case: SpeedCase) -> dict[str, Node]:
    """Return the rates of the drive, and the write amplification of the test."""
    cleaning = {"op_ratio": touched_op_ratio(case.structure), "pages_per_block": _UNITS}
    collected, wa = _wa(cleaning, case)
    copy_s = copy_page_s("modelled_write_iops_copy_s", wa)
    media = _media_iops("modelled_write_iops", wa, copy_s, case)
    fresh, steady = _in_deep_queue(of, media, case)
    return {
        **cleaning,
        "collection_wa": collected,
        "wa": wa,
        "copy_page_s": copy_s,
        "dies_write_iops": media,
        "steady_residual": _residual(cleaning["pages_per_block"], case),
        **_at_depth("fresh_write_iops", "deep_burst_write_iops", "fresh_write_iops", fresh),
        **_at_depth(
            "steady_write_iops", "deep_steady_write_iops", "modelled_steady_write_iops", steady
        ),
    }


def _wa(cleaning: dict[str, Node], case: SpeedCase) -> tuple[Node, Node]:
    """Return the write amplification of the test: of collection alone, and all of it."""
    if case.is_in_place:
        return (
            Const("uniform_wa:in place", 1.0, "definition", IN_PLACE),
            Const("speed_wa:in place", 1.0, "definition", IN_PLACE),
        )
    collected = Call("uniform_wa:test", write_amplification.greedy, cleaning)
    if not case.structure.is_fitted:
        return collected, of_page_writes("speed_wa", collected, BASE)
    fitted: dict[str, Argument] = {
        "random_wa": of_page_writes("collection_wa:test", collected),
        "base_factor": BASE_FACTOR, "curve_ratio": Leaf("curve_ratio"),
    }  # fmt: skip
    return collected, Call("speed_wa", calibration.fitted_wa, fitted)


def _media_iops(key: str, wa: Node, copy_s: Node, case: SpeedCase) -> Node:
    """Return host writes per second that the dies have time for at this write amplification.

    Of memory that is written in place the printed ones say.
    """
    if case.is_in_place:
        return none(key)
    host_page_s = Call(
        f"{key}_page_s",
        write_budget.host_page_s,
        {
            "wa": wa, "program_page_s": PROGRAM_PAGE_S, "copy_page_s": copy_s, "erase_s": ERASE_S,
            "pages_per_block": BLOCK_PAGES,
        },
    )  # fmt: skip
    return Call(key, write_budget.media_write_iops, {"dies": DIES, "host_page_s": host_page_s})


def _residual(units: Node, case: SpeedCase) -> Node:
    """Return the residual of the steady rate by the dies of the full drive over the printed one.

    Of a rate that is assumed, nothing.
    """
    if case.is_rate_assumed:
        return none("steady_residual")
    full = {"op_ratio": rating_op_ratio(case.structure), "pages_per_block": units}
    collected = Call("rating_collection_wa:test", write_amplification.greedy, full)
    wa = of_page_writes("speed_rating_wa", collected, BASE)
    media = _media_iops("rated_media_iops", wa, copy_page_s("rated_media_iops_copy_s", wa), case)
    return Call(
        "steady_residual",
        calibration.residual_ratio,
        {"modelled_iops": media, "rated_iops": _PRINTED},
    )


def _in_deep_queue(of: dict[str, Node], media: Node, case: SpeedCase) -> tuple[Node, Node]:
    """Return the rates before collection and in steady state, where the queue is no limit.

    Random writes may be printed as fast in steady state as any. Where no steady rate is printed,
    it is what dies and link allow. Memory that is written in place keeps its rate.
    """
    if case.is_in_place:
        return _KEPT, _KEPT
    fresh = of["deep_burst_write_iops"]
    fastest = FirstKnown(
        "fresh_write_iops:deep", (When(fresh, fresh, least=_PRINTED), When(fresh, _PRINTED), fresh)
    )
    by_dies = Call(
        "modelled_steady_write_iops",
        bottleneck.write_iops,
        {"media_iops": media, "link_iops": fastest},
    )
    return fastest, FirstKnown("steady_write_iops:deep", (of["deep_steady_write_iops"], by_dies))


def _at_depth(name: str, deep: str, key: str, rate: Node) -> dict[str, Node]:
    """Return a rate of writes, or what the buffer takes at the queue depth, if that is less.

    Beside it that of a deep queue, which then has a name of its own.
    """
    unlimited = (When(DEPTH, rate, least=RATED_DEPTH), When(_ACCEPTED, rate, least=rate))
    of_deep = FirstKnown(
        f"{deep}:queue", (*unlimited, When(_ACCEPTED, Named(f"{deep}:named", rate)), rate)
    )
    reached = Call(
        f"{key}:at depth", bottleneck.write_iops, {"media_iops": of_deep, "queue_iops": _ACCEPTED}
    )
    return {
        f"any_{name}": rate,
        f"deep_{name}": of_deep,
        name: FirstKnown(f"{key}:reached", (*unlimited, reached, rate)),
    }
