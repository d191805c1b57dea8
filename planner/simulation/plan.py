"""The simulation of a plan by the reference simulator."""

from models.simulator import Classes, Config, Mixed, Result, Uniform, run
from models.simulator.config import Frontiers
from models.write_amplification import two_stream_routing
from planner.scenario.firmware import Layout
from planner.scenario.workload import Workload
from planner.sections.plan import Plan

__all__ = ["Result", "replay", "run"]

LARGE_BLOCK = 256  # pages, where the plan's collection block is unknown
BLOCKS = 512

_FRONTIERS: dict[Layout, Frontiers] = {
    Layout.ONE_LOG: "one",
    Layout.HOST_GC: "host-gc",
    Layout.STREAMS: "streams",
}


def replay(answer: Plan) -> Config | None:
    """Return a small drive with the spare area, workload and firmware of a plan.

    None where the plan's spare area is unknown or nothing is written at random. The reserve
    is already deducted from the spare area.
    """
    spare = answer.nodes.get("filled_op_ratio")
    left, trimmed = answer.lifetime.effective_op_ratio, answer.nodes.get("effective_op_ratio")
    workload, firmware = answer.workload, answer.firmware
    if spare is None or trimmed is None or not left.is_known:
        return None
    if workload.sequential_fraction == 1:
        return None
    write_shares, page_shares = workload.classes
    routing, split = two_stream_routing(
        firmware.accuracy, write_shares=write_shares, page_shares=page_shares
    )
    is_streams = firmware.layout is Layout.STREAMS
    return Config(
        pages_per_block=int(answer.drive.value("pages_per_block") or LARGE_BLOCK),
        blocks=BLOCKS,
        op_ratio=float((1 + spare.value) * (1 + left.value) / (1 + trimmed.value) - 1),
        reserve=firmware.frontiers,
        policy=firmware.policy.value,
        frontiers=_FRONTIERS[firmware.layout],
        routing=tuple(map(tuple, routing.tolist())) if is_streams else (),
        spare_shares=tuple(split.tolist()) if is_streams else None,
        workload=_writes(workload),
        trim_share=float(workload.trim_share),
        trims="as-written" if workload.working_set_fraction < 1 else "mapped",
        warmup_overwrites=30,
        measured_overwrites=10,
    )


def _writes(workload: Workload) -> Uniform | Classes | Mixed:
    write_shares, page_shares = workload.classes
    is_skewed = len(write_shares) > 1
    classes = Classes(write_shares=write_shares, page_shares=page_shares) if is_skewed else None
    if workload.sequential_fraction > 0:
        random = 1 - workload.sequential_fraction
        return Mixed(random_writes=random, random_pages=random, classes=classes)
    return classes or Uniform()
