"""Writes at the workload's rate: how long until the buffer has them, and until they are safe."""

from models import array_speed, array_stalls, latency_tail, queueing, stalls
from planner.graph.nodes import Argument, Call, Const, Fields, FirstKnown, Leaf, Node, When
from planner.sections.speed_case import (
    ANY,
    LEVELS,
    OFFERED_WRITES,
    TEST_DEPTH,
    UNPROTECTED,
    SpeedCase,
)
from planner.sections.write_test import SATURATED_DEPTH

BUFFERED = (
    "Writes take the time of the buffer until the flash cannot keep up or stalls: for the pause "
    "of the longest latency and the share of time that drives of this class stall when "
    "saturated, less in proportion to the writes; at most the queue depth of writes waits for "
    "one stall. Of three measured drives two hold writes back as long at p99 already, one hardly "
    "ever."
)
COMMITS = "Every write is a commit; those that wait share the next flush."
IN_STEP = "of the saturated test, in proportion to the writes"
_TAKEN_S, _STALLED = Leaf("write_latency_s"), Leaf("member_stall_fraction")


def write_nodes(of: dict[str, Node], case: SpeedCase) -> dict[str, Node]:
    """Return quantiles of the latency of buffered writes and of commits, and what these wait for.

    Writes stall where a test says for how long and how often, and no less than its queue takes.
    """
    steady, longest = of["deep_steady_write_iops"], of["longest_write_s"]
    test: dict[str, Argument] = {"queue_depth": SATURATED_DEPTH, "iops": steady}
    plain = _quantiles("write_quantiles_s:even", {"write_iops": steady})
    written = FirstKnown(
        "write_quantiles_s:any",
        (
            When(Call("latency_s:saturated", queueing.latency_s, test), plain, least=longest),
            _quantiles("write_quantiles_s:stalled", _stalls(steady, longest, test)),
            plain,
        ),
    )
    quantiles = When(OFFERED_WRITES, written, least=ANY)
    programs = Const("flush_programs", 2.0 if case.protection == UNPROTECTED else 0.0)
    flush: dict[str, Argument] = {
        "write_latency_s": _TAKEN_S, "program_s": Leaf("flush_program_s"),
        "flush_programs": programs,
    }  # fmt: skip
    flush_s = Call("flush_latency_s", latency_tail.flush_latency_s, flush, case.protection)
    held_s = Call("held_s", array_speed.delay_s, {"latency_s": quantiles, "operation_s": _TAKEN_S})
    commits = Call(
        "commit_quantiles_s",
        latency_tail.commit_latency_s,
        {"quantile": LEVELS, "commit_iops": OFFERED_WRITES, "flush_s": flush_s, "held_s": held_s},
        COMMITS,
        axis="level",
    )
    return {
        "write_quantiles_s": quantiles,
        "commit_quantiles_s": When(OFFERED_WRITES, commits, least=ANY),
        "write_latency_s": _TAKEN_S,
        "program_s": Leaf("flush_program_s"),
        "programs": programs,
        "flush_s": flush_s,
        "held_s": held_s,
    }


def _quantiles(key: str, path: dict[str, Node]) -> Node:
    return Call(
        key,
        latency_tail.bounded_write_quantile_s,
        {
            "quantile": LEVELS, "offered_iops": OFFERED_WRITES, "queue_depth": TEST_DEPTH,
            "path": Fields(latency_tail.WritePath, {"write_latency_s": _TAKEN_S, **path}),
        },
        BUFFERED, axis="level", each=True,
    )  # fmt: skip


def _stalls(steady: Node, longest: Node, test: dict[str, Argument]) -> dict[str, Node]:
    """Return stalls and the rate between them."""
    stall_s = Call("stall_s", stalls.implied_pause_s, {"max_latency_s": longest, **test})
    stalled = Call(
        "write_stall_fraction",
        array_stalls.write_stall_fraction,
        {"member_stall_fraction": _STALLED, "offered_iops": OFFERED_WRITES, "iops": steady},
        IN_STEP,
    )
    return {
        "write_iops": Call(
            "unstalled_write_iops",
            array_stalls.stall_free_iops,
            {"iops": steady, "member_stall_fraction": _STALLED},
        ),
        "stall_s": stall_s,
        "stall_interval_s": Call(
            "stall_interval_s",
            array_stalls.stall_interval_s,
            {"stall_s": stall_s, "member_stall_fraction": stalled},
        ),
    }
