"""Limits of the single components of a drive: checks of its speed by hand."""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from models import (
    calibration,
    consistency,
    energy,
    flash_reads,
    parallelism,
    queueing,
    slc_cache,
    spare_area,
    transient,
    write_amplification,
    write_budget,
)
from models.units import KIB, YEAR_S
from planner.graph.answer import Answer, given
from planner.graph.nodes import Argument, Call, Const, Graph, Leaf, Node, When, none
from planner.scenario.workload import Workload
from planner.sections.flash import CHANNELS, PROGRAM_PAGES, PROGRAM_S, READ_S
from planner.sections.service import DIES, SEQUENTIAL, TRANSFER_S
from planner.sections.speed import SHORT_TEST_S, Speed, speed_graph
from planner.sections.speed_case import READERS, SpeedCase
from planner.sections.write_cache import CACHED, FOLD_RATE, FOLDED
from planner.sections.write_factors import UNIT

PAGE_BYTES = 4.0 * KIB
MINUTE_S = 60.0
BESIDE = "Of this part alone: whatever else binds is left out."
ALL_CACHED = "If every write of the workload passes the cache, and all of it is folded."
OLDEST = "Collected by age after a fill in sequence; by fewest valid pages it is less."
BUFFERED = "Assumed: the drive's buffer holds one in a thousand of its units."
IN_TURN = "If every byte has to wait until folding makes room."
_CACHE = (
    "minute_bytes", "full_cache_write_bytes_per_s", "yearly_cache_cycles", "stream_cached_wa",
    "cached_counted_wa",
)  # fmt: skip
_PAGE, _ONE = Const("transfer_bytes:page", PAGE_BYTES), Const("one", 1.0)
_LEAST_WA = Const("wa:least", 1.0)
_LINK, _PRINTED = Leaf("sequential_read_bytes_per_s"), Leaf("printed_bytes_per_s")
_POWER: dict[str, Argument] = {
    "active_power_w": Leaf("write_power_w"), "idle_power_w": Leaf("idle_power_w"),
}  # fmt: skip
# The rate of one channel, by which a page takes as long as it does.
_CHANNEL = Call(
    "channel_bytes_per_s:page", queueing.throughput_bytes_per_s,
    {
        "iops": Call("channel_iops", queueing.iops,
                     {"queue_depth": _ONE, "latency_s": TRANSFER_S}),
        "transfer_bytes": _PAGE,
    },
)  # fmt: skip
_BUS = Call(
    "bus_bytes_per_s", write_budget.flash_bytes_per_s,
    {"channels": CHANNELS, "channel_bytes_per_s": _CHANNEL, "printed_bytes_per_s": _PRINTED},
)  # fmt: skip
_PROGRAM_BYTES = Call(
    "program_bytes", queueing.throughput_bytes_per_s,
    {"iops": PROGRAM_PAGES, "transfer_bytes": _PAGE},
)  # fmt: skip


@cache
def by_hand_graph(case: SpeedCase) -> Graph:
    """Return every answer of a speed and of the parts of the drive."""
    speed = speed_graph(case).answers
    return Graph(speed | by_hand_nodes(speed, case))


def by_hand_nodes(of: dict[str, Node], case: SpeedCase) -> dict[str, Node]:
    """Return the limits of dies, channels and cache, and the steady share of a short test.

    In the order in which people read them.
    """
    settled = Call(
        "settled_fraction", consistency.settled_fraction,
        {"test_s": Const("test_s", SHORT_TEST_S), "settling_s": of["settling_s"]},
    )  # fmt: skip
    rows = (
        settled, *_reads(), *_writes(of), *_cache(of), *_as_shipped(), *_of_test(of, case),
        *_energy(of), _of_units(),
    )  # fmt: skip
    return {row.key: row for row in rows}


def by_hand(speed: Speed, workload: Workload) -> tuple[Answer, ...]:
    """Read the parts of a drive by themselves, where there are such parts.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.speed import speed
    >>> writes = Workload(host_bytes_per_s=1e6)
    >>> rows = by_hand(speed(find(load(), "845DC PRO 400"), writes), writes)
    >>> [row.key for row in rows if row.is_known][:3]
    ['settled_fraction', 'dies_read_iops', 'freed_dies_read_iops']
    """
    graph = by_hand_graph(speed.case)
    reading = speed.reading.extended(graph, _leaves(speed, workload))
    left_out = set[str]() if reading["cache_bytes"].is_known else set(_CACHE)
    unit = speed.drive.value("unit_bytes")
    if unit is None or unit <= workload.transfer_bytes:
        left_out.add("buffered_unit_factor")
    names = [name for name in graph.answers if name not in speed_graph(speed.case).answers]
    return tuple(reading[name] for name in names if name not in left_out)


def _leaves(speed: Speed, workload: Workload) -> dict[str, Answer]:
    """Return the fastest printed rate, and the writes of the workload as they are asked."""
    rates = (speed.drive.value(leaf.key) for leaf in (_LINK, CACHED))
    fastest = max((rate for rate in rates if rate is not None), default=None)
    writes, pages = workload.classes
    mean = float(np.mean(workload.host_bytes_per_s))
    of_workload: dict[str, ArrayLike] = {
        "yearly_host_bytes": mean * YEAR_S,
        "transfer_bytes:host": workload.transfer_bytes, "write_shares:classes": list(writes),
        "page_shares:classes": list(pages),
    }  # fmt: skip
    return {
        _PRINTED.key: given(_PRINTED.key, fastest, source="catalogue"),
        **{
            key: given(key.partition(":")[0], value, source="workload")
            for key, value in of_workload.items()
        },
    }


def _reads() -> tuple[Node, ...]:
    """Return random reads of dies and channels, that hold their die and that free it."""
    parts: dict[str, Argument] = {
        "queue_depth": READERS, "dies": DIES, "channels": CHANNELS, "read_s": READ_S,
        "transfer_s": TRANSFER_S,
    }  # fmt: skip
    return (
        Call("dies_read_iops", flash_reads.read_iops, parts, BESIDE),
        Call("freed_dies_read_iops", flash_reads.cache_read_iops, parts, BESIDE),
    )


def _writes(of: dict[str, Node]) -> tuple[Node, ...]:
    """Return steady writes of the channels, and of the dies at the depth, alike and at random."""
    wa = When(of["wa"], of["wa"], least=_LEAST_WA)
    pages: dict[str, Argument] = {"wa": wa, "transfer_bytes": _PAGE}
    one = Call(
        "write_die_s", queueing.latency_s, {"queue_depth": DIES, "iops": of["dies_write_iops"]}
    )
    dies: dict[str, Argument] = {"queue_depth": READERS, "dies": DIES, "operation_s": one}
    return (
        Call("channels_write_iops", write_budget.bus_write_iops,
             {"bus_bytes_per_s": _BUS, **pages}, BESIDE),
        Call("needed_bus_bytes_per_s", calibration.bus_bytes_per_s,
             {"iops": of["deep_steady_write_iops"], **pages}, BESIDE),
        Call("dies_program_bytes_per_s", slc_cache.program_bytes_per_s,
             {"dies": DIES, "program_bytes": _PROGRAM_BYTES, "program_s": PROGRAM_S,
              "link_bytes_per_s": _LINK}, BESIDE),
        Call("dies_steady_write_iops", parallelism.dies_iops, dies, BESIDE),
        Call("random_dies_write_iops", parallelism.exponential_dies_iops, dies, BESIDE),
    )  # fmt: skip


def _cache(of: dict[str, Node]) -> tuple[Node, ...]:
    """Return a minute of a burst, the rate of a full cache, and the wear of its blocks."""
    size = of["cache_bytes"]
    return (
        Call("minute_bytes", slc_cache.written_bytes,
             {"elapsed_s": Const("elapsed_s", MINUTE_S), "slc_cache_bytes": size,
              "cached_write_bytes_per_s": CACHED, "folded_write_bytes_per_s": FOLDED}),
        Call("full_cache_write_bytes_per_s", slc_cache.forced_fold_bytes_per_s,
             {"write_bytes_per_s": CACHED, "fold_bytes_per_s": FOLD_RATE}, IN_TURN),
        Call("yearly_cache_cycles", slc_cache.cache_cycles,
             {"host_bytes": Leaf("yearly_host_bytes"), "slc_cache_bytes": size,
              "cached_fraction": Const("cached_fraction", 1.0)}, ALL_CACHED),
        Call("stream_cached_wa", slc_cache.mixed_wa,
             {"cached_wa": Const("cached_wa", 2.0), "direct_wa": of["wa"],
              "cached_fraction": SEQUENTIAL}, ALL_CACHED),
        Call("cached_counted_wa", slc_cache.counted_wa,
             {"fold_wa": Const("fold_wa", 1.0),
              "absorbed_fraction": Const("absorbed_fraction:none", 0.0)}, ALL_CACHED),
    )  # fmt: skip


def _as_shipped() -> tuple[Node, Node]:
    """Return over-provisioning as data sheets count it, and over the user capacity."""
    nominal = Call("shipped_op_nominal", spare_area.op_nominal,
                   {"raw_bytes": Leaf("raw_bytes"), "user_bytes": Leaf("user_bytes")})  # fmt: skip
    ratio = Call("shipped_op_ratio", spare_area.op_ratio_from_op_nominal, {"op_nominal": nominal})
    return nominal, ratio


def _of_test(of: dict[str, Node], case: SpeedCase) -> tuple[Node, ...]:
    """Return the flash writes of two random fills of a drive that collects its oldest blocks.

    Memory that is written in place collects nothing.
    """
    if case.is_in_place:
        return none("second_fill_wa"), none("two_fills_flash")
    fills: dict[str, Argument] = {
        "op_ratio": of["op_ratio"],
        "drive_fills": Const("drive_fills", 2.0),
    }
    return (
        Call("second_fill_wa", transient.fifo_wa, fills, OLDEST),
        Call("two_fills_flash", transient.fifo_flash_fills, fills, OLDEST),
    )


def _energy(of: dict[str, Node]) -> tuple[Node, ...]:
    """Return the energy of a byte in sequence, and of one program of a random write."""
    write = Call(
        "write_j:deep", energy.operation_j, {**_POWER, "iops": of["deep_steady_write_iops"]}
    )
    return (
        Call("written_j_per_byte", energy.transfer_j_per_byte,
             {**_POWER, "throughput_bytes_per_s": CACHED}),
        Call("one_program_j", energy.program_j, {"write_j": write, "wa": of["wa"]}),
    )  # fmt: skip


def _of_units() -> Node:
    """Return the WA that a write buffer leaves for a drive whose map has large units."""
    return Call(
        "buffered_unit_factor",
        write_amplification.buffered_indirection_factor,
        {
            "transfer_bytes": Leaf("transfer_bytes:host"), "unit_bytes": UNIT,
            "alignment_bytes": Const("alignment_bytes:page", PAGE_BYTES),
            "buffered_fraction": Const("buffered_fraction", 1e-3, "assumption", BUFFERED),
            "write_shares": Leaf("write_shares:classes"),
            "page_shares": Leaf("page_shares:classes"),
        },
        BUFFERED, axis="class",
    )  # fmt: skip
