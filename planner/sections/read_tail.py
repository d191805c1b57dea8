"""Random reads: how long each takes beside the writes, by percentile."""

from models import calibration, latency_tail, queueing
from planner.graph.nodes import Argument, Call, Const, Fields, FirstKnown, Leaf, Node, When
from planner.sections.die_speed import LINK_IOPS
from planner.sections.flash import BLOCK_PAGES, CHANNELS, ERASE_S, PROGRAM_PAGES, PROGRAM_S, READ_S
from planner.sections.service import DIES, TRANSFER_S
from planner.sections.speed_case import (
    ANY,
    LEVELS,
    OFFERED_READS,
    OFFERED_WRITES,
    READERS,
    WRITE_FRACTION,
    SpeedCase,
)

LOAD = (
    "Read latency is at the workload's own rates, not at saturation; reads go before programs "
    "and erases in waiting, and nothing is suspended."
)
INTERRUPTED = (
    "Read latency is at the workload's own rates; reads interrupt programs and erases. On measured "
    "data-center drives of five vendors p99 lay within a factor of 1.5 at 84 % of the loads, p99.9 "
    "at 76 %, both within 2 at all; the median is rough above half of the steady write rate."
)
CLOSED_INTERRUPTED = (
    "Readers at the queue depth each wait for their last read, beside the workload's own writes, "
    "which they interrupt; they are taken to come at random, on the safe side where they are as "
    "many as the dies."
)
CROWDED = (
    "With more readers than dies, reads wait for each other more than is counted: against "
    "simulation the median comes out up to 23 % low, p99.9 and beyond within 4 %; percentiles on "
    "the step from reads that wait for a program to those that do not may be far off."
)
CLOSED = (
    "Readers at the queue depth each wait for their last read, beside the workload's own writes; "
    "a read that an erase stops is one read late, so their percentiles are lower."
)
_LINK_S = Call("link_s", queueing.latency_s, {"queue_depth": Const("one", 1.0), "iops": LINK_IOPS})
_DIE_READ: dict[str, Node] = {"dies": DIES, "die_read_s": READ_S}
_UNLOADED_S = FirstKnown(
    "unloaded_read_s",
    (
        Call(
            "unloaded_read_s:printed",
            latency_tail.unloaded_read_s,
            {"read_s": READ_S, "printed_s": Leaf("read_latency_s", overrides=True)},
        ),
        Call("unloaded_read_s:flash", latency_tail.unloaded_read_s, {"read_s": READ_S}),
    ),
)


def read_nodes(of: dict[str, Node], case: SpeedCase) -> dict[str, Node]:
    """Return quantiles of the latency of reads beside the writes.

    At the workload's own rates, spread evenly over the dies, where it writes; and of readers at the
    queue depth.
    """
    steady = of["deep_steady_write_iops"]
    if case.is_interrupted:
        beside, offered = _interrupted(steady), {"read_iops": OFFERED_READS, **_DIE_READ}
        at_rates = Call(
            "read_quantiles_s",
            latency_tail.typical_read_latency_s,
            {
                "quantile": LEVELS, "read_load": Fields(latency_tail.ReadLoad, offered), **beside,
            },
            INTERRUPTED, axis="level", each=True,
        )  # fmt: skip
        closed = Call(
            "closed_read_quantiles_s",
            latency_tail.queued_typical_read_latency_s,
            {
                "quantile": LEVELS, "queue_depth": READERS,
                "read_load": Fields(latency_tail.ReadLoad, _DIE_READ), **beside,
            },
            CLOSED_INTERRUPTED, axis="level", each=True,
        )  # fmt: skip
    else:
        beside = _waiting(of, steady)
        at_rates = Call(
            "read_quantiles_s",
            latency_tail.loaded_read_latency_s,
            {"quantile": LEVELS, "read_iops": OFFERED_READS, **beside},
            LOAD, axis="level", each=True,
        )  # fmt: skip
        closed = Call(
            "closed_read_quantiles_s",
            latency_tail.queued_read_latency_s,
            {"quantile": LEVELS, "queue_depth": READERS, "link_s": _LINK_S, **beside},
            CLOSED, axis="level", each=True,
        )  # fmt: skip
    return {
        "read_quantiles_s": When(WRITE_FRACTION, at_rates, least=ANY),
        "closed_read_quantiles_s": closed,
    }


def _interrupted(steady: Node) -> dict[str, Argument]:
    """Return load, unloaded latency and times of the flash where reads interrupt the writes."""
    load = Call(
        "load_fraction",
        latency_tail.write_load_fraction,
        {"offered_iops": OFFERED_WRITES, "steady_write_iops": steady},
    )
    times: dict[str, Node] = {
        "program_s": Leaf("one_shot_s"), "erase_s": ERASE_S,
        "programs_per_block": Leaf("programs_per_block"),
    }  # fmt: skip
    return {
        "load_fraction": load,
        "unloaded_s": _UNLOADED_S,
        "write_times": Fields(latency_tail.WriteTimes, times),
    }


def _waiting(of: dict[str, Node], steady: Node) -> dict[str, Argument]:
    """Return the arguments of the wait of a read: the flash and the writes on it."""
    timings: dict[str, Node] = {
        "read_s": READ_S, "program_s": PROGRAM_S, "erase_s": ERASE_S, "transfer_s": TRANSFER_S,
        "pages_per_read": PROGRAM_PAGES, "pages_per_program": PROGRAM_PAGES,
        "pages_per_block": BLOCK_PAGES,
    }  # fmt: skip
    load = {"write_iops": _modelled_load_iops(of["dies_write_iops"], steady), "wa": of["wa"]}
    return {
        "flash": Fields(latency_tail.FlashTimings, timings),
        "geometry": Fields(latency_tail.FlashGeometry, {"dies": DIES, "channels": CHANNELS}),
        "write_load": Fields(latency_tail.WriteLoad, load),
    }


def _modelled_load_iops(media: Node, steady: Node) -> Node:
    """Return the writes that load the dies of the model as those offered load the drive's.

    Fewer where the drive writes more than the model has time for, so that none below its steady
    rate saturates them.
    """
    fewer = Call(
        "modelled_load_iops",
        calibration.followed_iops,
        {"rated_iops": OFFERED_WRITES, "modelled_iops": media, "reference_iops": steady},
    )
    ways = (
        When(media, OFFERED_WRITES, least=steady), When(OFFERED_WRITES, fewer, least=ANY),
        OFFERED_WRITES,
    )  # fmt: skip
    return FirstKnown("modelled_load_iops:any", ways)
