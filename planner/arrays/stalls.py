"""What do stalls of the members cost the array, at random and all at once?"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from models import array_stalls, array_windows, queueing, stalls
from planner.graph.answer import Answer, figure, first_known, given, unknown
from planner.graph.nodes import Leaf
from planner.sections.plan import Plan, plan

SINGLE = (
    "Stalls are modelled for operations on single members; other layouts lose the same share of "
    "their IOPS, which is not checked by simulation."
)
WINDOW_S = 0.01
TESTED_DEPTH = 32.0
SLOW = 0.01  # of windows, the slowest hundredth


class Stalls(NamedTuple):
    """IOPS under stalls, and what they follow from: a stall, an operation, a window of a test."""

    answers: tuple[Answer, ...]
    stall_s: Answer
    interval_s: Answer
    operation_s: Answer
    window: Mapping[str, Answer]


def stalled_share(answer: Plan) -> Answer:
    """Return the share of time that one drive stalls, stated or assumed."""
    reading = answer.reading
    return reading.answer(reading.graph.nodes["member_stall_fraction"])


def stalled(answer: Plan, depth: Answer, iops: Answer) -> Stalls:
    """Return IOPS with random stalls, with all together, and in the slowest hundredth of 10 ms.

    Unknown where the share of time that a member stalls, or its longest latency, is unknown.
    """
    working, operation_s = answer.reading["working_members"], _operation_s(answer)
    stall = {
        "stall_s": _pause_s(answer), "member_stall_fraction": stalled_share(answer),
    }  # fmt: skip
    apart = figure(
        "array_stalled_iops", array_stalls.independent_stalled_iops, SINGLE,
        iops=iops, queue_depth=depth, members=working, operation_s=operation_s, **stall,
    )  # fmt: skip
    free = figure(
        "array_stall_free_iops", array_stalls.stall_free_iops,
        iops=iops, member_stall_fraction=stall["member_stall_fraction"],
    )  # fmt: skip
    interval_s = figure("stall_interval_s", array_stalls.stall_interval_s, **stall)
    together = figure(
        "array_synchronised_iops", array_stalls.synchronised_iops,
        iops=free, stall_s=stall["stall_s"], stall_interval_s=interval_s,
    )  # fmt: skip
    window = {
        "iops": apart, "stall_free_iops": free,
        "stall_interval_s": figure(
            "array_stall_interval_s", array_stalls.stall_interval_s, **stall, members=working
        ),
        "interval_s": given("window_s", WINDOW_S, source="definition"),
    }  # fmt: skip
    slowest = figure(
        "array_window_iops", array_windows.window_iops,
        quantile=given("window_level", SLOW, source="definition"), **window,
    )  # fmt: skip
    return Stalls((apart, together, slowest), stall["stall_s"], interval_s, operation_s, window)


def _pause_s(answer: Plan) -> Answer:
    """Return how long a member stops, from its longest latency in a saturated test."""
    depth = answer.reading.answer(Leaf("saturated_queue_depth"))
    writes = answer.performance.rated_write_iops
    longest = answer.reading["max_latency_s"]
    if longest.is_known and writes.is_known:
        mean_s = depth.value / writes.value if depth.is_known else np.inf
        if longest.value <= mean_s:
            return unknown(key="stall_s", lacking=())
    return figure(
        "stall_s", stalls.implied_pause_s, max_latency_s=longest, queue_depth=depth, iops=writes
    )


def _operation_s(answer: Plan) -> Answer:
    one = given("one", 1.0, source="definition")
    speed = answer.performance
    rate = first_known(speed.rated_iops, speed.rated_write_iops)
    return figure("member_operation_s", queueing.latency_s, queue_depth=one, iops=rate)


def once_a_second(scene: Plan) -> Plan:
    """Return the plan with one stall per second and drive if the share of stalls is unknown."""
    worst = scene.reading.answer(scene.reading.graph.nodes["worst_case_iops"])
    iops = scene.performance.rated_write_iops
    if stalled_share(scene).is_known or not worst.is_known or not iops.is_known:
        return scene
    longest_s = queueing.latency_s(TESTED_DEPTH, iops=worst.value)
    if longest_s * iops.value < TESTED_DEPTH:
        return scene
    pause_s = stalls.implied_pause_s(longest_s, queue_depth=TESTED_DEPTH, iops=iops.value)
    return plan(
        scene.drive,
        scene.workload,
        array=replace(scene.array, member_stall_fraction=min(1.0, float(pause_s))),
        partition_fraction=scene.partition_fraction,
        rating_wa=scene.rating_wa,
        firmware=scene.firmware,
    )
