"""Random reads: how long each takes beside the writes, by percentile.

What a drive writes at most is uncertain: percentiles lie between those of a saturated drive and of
one that is not, by the probability of either.
"""

from models import calibration, latency_tail, queueing
from planner.graph.interval import LEVEL
from planner.graph.nodes import Argument, Call, Const, Fields, FirstKnown, Leaf, Node, When
from planner.graph.reading import Reading
from planner.sections.die_speed import LINK_IOPS
from planner.sections.flash import BLOCK_PAGES, CHANNELS, ERASE_S, PROGRAM_PAGES, PROGRAM_S, READ_S
from planner.sections.service import DIES, TRANSFER_S
from planner.sections.speed_case import (
    ANY,
    LEVELS,
    OFFERED_READS,
    OFFERED_WRITES,
    READERS,
    TEST_DEPTH,
    WRITE_FRACTION,
    SpeedCase,
)

READS, CLOSED_READS = "read_quantiles_s", "closed_read_quantiles_s"
# Of a drive that is not saturated.
BELOW = {READS: "unsaturated_read_quantiles_s", CLOSED_READS: "unsaturated_closed_read_quantiles_s"}
UNLIKELY = 0.05  # probability below which nothing is said of saturation, and what is left is sure
LOAD = (
    "Read latency is at the workload's own rates, not at saturation; reads go before programs "
    "and erases in waiting, and nothing is suspended. No such drive was measured: its range is "
    "that of drives whose reads interrupt writes, by a factor of 1.5 wider either way, assumed, "
    "and that of its flash."
)
INTERRUPTED = (
    "Read latency is at the workload's own rates; reads interrupt programs and erases. On "
    "measured data-center drives of five vendors p99 lay within a factor of 1.5 at 84 % of the "
    "loads, p99.9 at 76 %, both within 2 at all. The median is rough above half of the steady "
    "write rate."
)
CLOSED_INTERRUPTED = (
    "Readers at the queue depth each wait for their last read, beside the workload's own writes, "
    "which they interrupt. Assumed: they come at random, on the safe side where they are as many "
    "as the dies."
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
_OFFERED_LOAD = Fields(latency_tail.ReadLoad, {"read_iops": OFFERED_READS, **_DIE_READ})
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
    of_limit = _limit_nodes(steady)
    if case.is_interrupted:
        beside = _interrupted(steady)
        at_rates = Call(
            "unsaturated_read_quantiles_s",
            latency_tail.typical_read_latency_s,
            {"quantile": LEVELS, "read_load": _OFFERED_LOAD, **beside},
            INTERRUPTED, axis="level", each=True,
        )  # fmt: skip
        closed = Call(
            "unsaturated_closed_read_quantiles_s",
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
            "unsaturated_read_quantiles_s",
            latency_tail.loaded_read_latency_s,
            {"quantile": LEVELS, "read_iops": OFFERED_READS, **beside},
            LOAD, axis="level", each=True,
        )  # fmt: skip
        closed = Call(
            "unsaturated_closed_read_quantiles_s",
            latency_tail.queued_read_latency_s,
            {"quantile": LEVELS, "queue_depth": READERS, "link_s": _LINK_S, **beside},
            CLOSED, axis="level", each=True,
        )  # fmt: skip
    below = {
        key: _uncertain(key, law) for key, law in {READS: at_rates, CLOSED_READS: closed}.items()
    }
    reads, readers = (_through_limit(key, law, of_limit) for key, law in below.items())
    return {
        **{BELOW[key]: law for key, law in below.items()},
        READS: When(WRITE_FRACTION, reads, least=ANY),
        CLOSED_READS: readers,
        **of_limit,
    }


def _uncertain(key: str, law: Call) -> Call:
    """Build the percentiles of a drive that is not saturated, with the error of their model."""
    inputs: dict[str, Argument] = {
        "latency_s": law, "read_error_ratio": Leaf("read_error_ratio", axis="level"),
    }  # fmt: skip
    formula = latency_tail.uncertain_read_latency_s
    return Call(f"{BELOW[key]}:uncertain", formula, inputs, law.note, error="read_error_ratio")


def _limit_nodes(steady: Node) -> dict[str, Node]:
    """Build the limit of the writes beside the reads, and the probability that they exceed it."""
    sd = Leaf("limit_sd")
    printed: dict[str, Argument] = {
        "steady_write_iops": steady, "limit_sd": sd, "limit_ratio": Leaf("limit_ratio"),
    }  # fmt: skip
    ends = (1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2
    names = "low_write_limit_iops", "write_limit_iops", "high_write_limit_iops"
    nodes: dict[str, Node] = {
        name: _limit(name, Const(f"quantile:{name}", end), printed)
        for name, end in zip(names, ends, strict=True)
    }
    nodes["saturation_probability"] = Call(
        "saturation_probability",
        latency_tail.saturation_probability,
        {
            "offered_iops": OFFERED_WRITES, "limit_iops": nodes["write_limit_iops"],
            "limit_sd": sd,
        },
    )  # fmt: skip
    return nodes


def _limit(name: str, quantile: Node, printed: dict[str, Argument]) -> Node:
    """Build a quantile of the limit, beside reads as far as their share of the dies is known."""
    alone: dict[str, Argument] = {"quantile": quantile, **printed}
    beside = Call(
        f"{name}:beside", latency_tail.write_limit_iops, {**alone, "read_load": _OFFERED_LOAD}
    )
    formula = latency_tail.write_limit_iops
    ways = When(WRITE_FRACTION, beside, least=ANY), Call(f"{name}:alone", formula, alone)
    return FirstKnown(name, ways)


def _through_limit(key: str, below: Call, of_limit: dict[str, Node]) -> Node:
    """Build the percentiles of a drive that may be saturated."""
    return Call(
        key,
        latency_tail.read_latency_through_limit_s,
        {
            "quantile": LEVELS, "unsaturated_s": below, "queue_depth": TEST_DEPTH,
            "saturation_probability": of_limit["saturation_probability"],
            "limit_iops": of_limit["write_limit_iops"],
        },
        below.note,
    )  # fmt: skip


def saturation_sentence(reading: Reading) -> str:
    """State the probability that the writes are more than the drive takes; empty if it is low."""
    probability = reading["saturation_probability"]
    if not probability.is_known or probability.value < UNLIKELY:
        return ""
    ends = reading["low_write_limit_iops"], reading["high_write_limit_iops"]
    offered, low, high = (
        f"{float(f'{rate.value:.3g}'):,.0f}" for rate in (reading.answer(OFFERED_WRITES), *ends)
    )
    is_sure = probability.value > 1 - UNLIKELY
    share = "" if is_sure else f" with {100 * probability.value:.0f} %"
    return (
        f"{offered} writes/s: saturated{share} ({100 * LEVEL:.0f} % range of the drive's limit: "
        f"{low} to {high})."
    )


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
    flash: dict[str, Argument] = {
        "flash": Fields(latency_tail.FlashTimings, timings),
        "geometry": Fields(latency_tail.FlashGeometry, {"dies": DIES, "channels": CHANNELS}),
    }  # fmt: skip
    modelled = _modelled_load_iops(of["dies_write_iops"], steady)
    borne = Call(
        "borne_write_iops",
        latency_tail.borne_write_iops,
        {"offered_iops": modelled, "read_iops": OFFERED_READS, "wa": of["wa"], **flash},
    )
    ways = When(WRITE_FRACTION, borne, least=ANY), modelled
    load: dict[str, Node] = {"write_iops": FirstKnown("borne_write_iops:any", ways), "wa": of["wa"]}
    return {**flash, "write_load": Fields(latency_tail.WriteLoad, load)}


def _modelled_load_iops(media: Node, steady: Node) -> Node:
    """Return the writes that load the dies of the model as those offered load the drive's.

    Fewer where the drive writes more than the model has time for, so that no rate below its steady
    one saturates them; at most as many as reads leave time for.
    """
    offered: dict[str, Argument] = {"offered_iops": OFFERED_WRITES, "steady_write_iops": steady}
    formula = latency_tail.carried_write_iops
    beside = Call("carried_write_iops:beside", formula, {**offered, "read_load": _OFFERED_LOAD})
    alone = Call("carried_write_iops:alone", formula, offered)
    ways = When(WRITE_FRACTION, beside, least=ANY), alone, OFFERED_WRITES
    carried = FirstKnown("carried_write_iops", ways)
    fewer = Call(
        "modelled_load_iops",
        calibration.followed_iops,
        {"rated_iops": carried, "modelled_iops": media, "reference_iops": steady},
    )
    return FirstKnown(
        "modelled_load_iops:any",
        (When(media, carried, least=steady), When(carried, fewer, least=ANY), carried),
    )
