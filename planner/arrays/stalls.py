"""What do stalls of the members cost the array, at random and all at once?"""

from functools import partial

import numpy as np

from models import array_stalls, array_windows, queueing, stalls
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, composed, figure, first_known, given, unknown
from planner.sections.plan import Plan

__all__ = ["SINGLE", "stalled"]

SINGLE = (
    "Stalls are modelled for operations on single members; other layouts lose the same share of "
    "their IOPS, which is not checked by simulation."
)
WINDOW_S = 0.01
SLOW = 0.01  # of windows, the slowest hundredth


def stalled(answer: Plan, depth: Answer, iops: Answer) -> tuple[Answer, ...]:
    """Return IOPS with random stalls, with all together, and in the slowest hundredth of 10 ms.

    Answer where the share of time that a member stalls, or its longest latency, is unknown.
    """
    pause = _pause_s(answer)
    share = given("member_stall_fraction", answer.array.member_stall_fraction, source="array")
    member = {
        "members": given("members", answer.array.working, source="array"),
        "operation_s": _operation_s(answer),
        "stall_s": pause,
        "stall_fraction": share,
    }
    apart = composed(
        "array_stalled_iops", array_stalls.stalled_iops, _apart,
        SINGLE, queue_depth=depth, iops=iops, **member,
    )  # fmt: skip
    free = figure("array_stall_free_iops", _stall_free, iops=iops, stall_fraction=share)
    every = figure("stall_interval_s", _interval_s, stall_s=pause, stall_fraction=share)
    return (
        apart,
        composed(
            "array_synchronised_iops", array_stalls.synchronised_iops, _together, iops=free,
            stall_s=pause, stall_interval_s=every,
        ),
        composed(
            "array_window_iops", array_windows.window_iops, partial(_window, answer.array.working),
            iops=apart, stall_free_iops=free, stall_interval_s=every,
        ),
    )  # fmt: skip


def _pause_s(answer: Plan) -> Answer:
    """Return how long a member stops, from its longest latency in a saturated test."""
    measured = stated(answer.drive, "worst_case_iops")
    depth = stated(answer.drive, "saturated_queue_depth")
    writes = answer.performance.write_iops
    longest = figure("max_latency_s", queueing.latency_s, queue_depth=depth, iops=measured)
    if longest.is_known and writes.is_known:
        mean_s = depth.value / writes.value if depth.is_known else np.inf
        if longest.value <= mean_s:
            return unknown(key="stall_s", lacking=())
    return figure(
        "stall_s", stalls.implied_pause_s, max_latency_s=longest, queue_depth=depth, iops=writes
    )


def _operation_s(answer: Plan) -> Answer:
    one = given("one", 1.0, source="definition")
    rate = first_known(answer.performance.iops, answer.performance.write_iops)
    return figure("member_operation_s", queueing.latency_s, queue_depth=one, iops=rate)


def _interval_s(*, stall_s: float, stall_fraction: float) -> float:
    return stall_s / stall_fraction if stall_fraction else np.inf


def _together(*, iops: float, stall_s: float, stall_interval_s: float) -> float:
    if not np.isfinite(stall_interval_s):
        return iops
    return array_stalls.synchronised_iops(iops, stall_s=stall_s, stall_interval_s=stall_interval_s)


def _stall_free(*, iops: float, stall_fraction: float) -> float:
    """Return the IOPS between stalls: a member's measured rate has its stalls in it."""
    return iops / (1 - stall_fraction) if stall_fraction < 1 else iops


def _apart(
    *,
    queue_depth: float,
    members: float,
    operation_s: float,
    stall_s: float,
    stall_fraction: float,
    iops: float,
) -> float:
    """Scale the array's IOPS by what random stalls leave of single operations."""
    alone = {"queue_depth": queue_depth, "members": members, "stall_s": stall_s}
    serving_s = operation_s * (1 - stall_fraction)
    per_operation = operation_s * stall_fraction / stall_s
    free, held = (
        array_stalls.stalled_iops(**alone, operation_s=serving_s, stalls_per_operation=often)
        for often in (0.0, min(1.0, per_operation))
    )
    return _stall_free(iops=iops, stall_fraction=stall_fraction) * held / free


def _window(members: int, *, iops: float, stall_free_iops: float, stall_interval_s: float) -> float:
    if not np.isfinite(stall_interval_s):
        return iops
    return array_windows.window_iops(
        SLOW,
        iops=min(iops, stall_free_iops),
        stall_free_iops=stall_free_iops,
        stall_interval_s=stall_interval_s / members,
        interval_s=WINDOW_S,
    )
