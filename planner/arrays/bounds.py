"""Bounds of an array by hand, and what is left of it: with a drive lost, under stalls, at worst."""

from models import (
    array_freeze,
    array_windows,
    bottleneck,
    latency_tail,
    queueing,
    rebuild,
    stall_exposure,
)
from models.units import HOUR_S
from planner.arrays.stalls import WINDOW_S, Stalls
from planner.graph.answer import Answer, figure, given, unknown
from planner.reliability.at_rest import member_page_writes
from planner.reliability.failure_assumptions import rebuilt_bytes
from planner.sections.plan import Plan

ONE_OF_CHUNKS = "For reads of single chunks, spread evenly, before a rebuild takes its share."
BESIDE_WRITES = "Reads that one drive has time for beside the writes of the workload."
UNBUFFERED = "Writes that are acknowledged without a buffer in front of the flash."


def queue_bounds(depth: Answer, alone: Answer, deep: Answer) -> tuple[Answer, ...]:
    """Return the bound of the IOPS, and the depth from which more no longer helps.

    `alone` are the IOPS of one operation after the other, `deep` those of a deep queue.
    """
    one = given("one", 1.0, source="definition")
    times = {
        "unloaded_s": figure("array_alone_s", queueing.latency_s, queue_depth=one, iops=alone),
        "demand_s": figure("array_demand_s", queueing.latency_s, queue_depth=one, iops=deep),
    }
    return (
        figure("bound_iops", bottleneck.bound_iops, queue_depth=depth, **times),
        figure("knee_queue_depth", bottleneck.knee_queue_depth, **times),
    )


def left_over(answer: Plan) -> tuple[Answer, ...]:
    """Return reads beside the writes, reads with a drive lost, and what a rebuild writes."""
    array, speed = answer.array, answer.performance
    beside = figure(
        "remaining_read_iops", bottleneck.remaining_iops, BESIDE_WRITES,
        iops=speed.rated_read_iops, other_iops=speed.rated_write_iops,
        taken_iops=member_page_writes(answer),
    )  # fmt: skip
    degraded = unknown("degraded_read_iops", ())
    if array.tolerated_failures and not array.is_pool:
        degraded = figure(
            "degraded_read_iops", rebuild.degraded_read_iops, ONE_OF_CHUNKS,
            member_read_iops=speed.rated_read_iops,
            members=given("group_members", array.group_members, source="array"),
            data_members=given(
                "data_members", array.stripe_members - array.parities if array.parities else 1,
                source="array",
            ),
        )  # fmt: skip
    written = unknown("survivor_write_bytes", ())
    if array.spread_spares:
        written = figure(
            "survivor_write_bytes", rebuild.survivor_write_bytes,
            rebuilt_bytes=rebuilt_bytes(answer),
            members=given("group_members", array.group_members, source="array"),
        )  # fmt: skip
    return beside, degraded, written


def of_a_stall(answer: Plan, depth: Answer, stalls: Stalls) -> tuple[Answer, ...]:
    """Return what one stall costs: the array, an hour, a second of a test, a write."""
    speed = answer.performance
    member = {"members": answer.reading["working_members"], "operation_s": stalls.operation_s}
    stall = {"stall_s": stalls.stall_s}
    between = {"stall_interval_s": stalls.interval_s}
    rate = {"iops": speed.rated_write_iops}
    each = answer.reading.leaves["queue_depth"]
    lowest = figure(
        "lowest_window_level", array_windows.lowest_window_quantile,
        windows=given("windows", HOUR_S / WINDOW_S, source="definition"),
        probability=given("probability", 0.5, source="definition"),
    )  # fmt: skip
    return (
        figure("array_frozen_s", array_freeze.frozen_s, queue_depth=depth, **member, **stall),
        figure("array_lowest_window_iops", array_windows.window_iops, quantile=lowest,
               **stalls.window),
        figure(
            "second_stall_probability", stall_exposure.stall_probability, **between,
            interval_s=given("interval_s", 1.0, source="definition"),
        ),
        figure("latency_spread_s", stall_exposure.latency_spread_s, queue_depth=each, **rate,
               **stall, **between),
        figure("absorbing_pages", stall_exposure.absorbing_pages, iops=member_page_writes(answer),
               **stall),
        figure(
            "longest_write_s", latency_tail.longest_buffered_write_latency_s, UNBUFFERED,
            offered_iops=member_page_writes(answer), write_iops=speed.rated_write_iops,
            write_latency_s=answer.reading["write_alone_s"], queue_depth=each,
            buffer_pages=given("buffer_pages", 0.0, source="definition"), **stall,
        ),
    )  # fmt: skip
