"""Configuration of the page simulator for a plan."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from models.simulator import Classes, Config, Mixed, Result, Uniform, handles_of, run
from models.simulator.config import Copies, Frontiers
from models.simulator.config import Policy as VictimPolicy
from models.units import KIB
from models.write_amplification import two_stream_routing, units_per_block
from planner.catalogue.facts import LARGE_BLOCK
from planner.scenario.firmware import BY_CLASS, Firmware, Layout, Policy
from planner.scenario.workload import Workload
from planner.sections.plan import PlanReading

PAGE_BYTES = 4 * KIB
BESIDE = ("unit_factor", "base_factor", "stored_fraction")  # garbage collection
BLOCKS = 512

_POLICIES: dict[Policy, VictimPolicy] = {
    Policy.GREEDY: "greedy",
    Policy.FIFO: "fifo",
    Policy.RANDOM: "random",
    Policy.D_CHOICES: "d-choices",
    Policy.COST_BENEFIT: "cost-benefit",
}
_COPIES: dict[Layout, Copies] = {
    Layout.CLASS: "with-writes",
    Layout.CLASS_COPIES_TOGETHER: "together",
    Layout.CLASS_AND_COPIES: "apart",
}
_FRONTIERS: dict[Layout, Frontiers] = {
    Layout.UNKNOWN: "one",
    Layout.ONE_LOG: "one",
    Layout.HOST_GC: "host-gc",
}


def replay(plan: PlanReading) -> Config | None:
    """Return a small simulated drive with the spare area, workload and firmware of a plan.

    Its pages are the indirection units of the drive. None if the spare area of the plan is unknown,
    or if all writes are sequential. The reserve is already deducted from the spare area.
    """
    spare = plan.nodes.get("filled_op_ratio")
    left, trimmed = plan["cleaning_op_ratio"], plan.nodes.get("effective_op_ratio")
    workload, firmware = plan.workload, plan.firmware
    if spare is None or trimmed is None or not left.is_known:
        return None
    if workload.sequential_fraction == 1:
        return None
    pages, unit_bytes = (plan.drive.value(key) for key in ("pages_per_block", "unit_bytes"))
    held = units_per_block(pages, unit_bytes=unit_bytes or PAGE_BYTES) if pages else LARGE_BLOCK
    stored = _value(plan, "stored_fraction", 1.0)
    writes = _writes(
        workload, _value(plan, "destaged_sequential_fraction", workload.sequential_fraction)
    )
    return Config(
        pages_per_block=int(held),
        blocks=BLOCKS,
        op_ratio=float((1 + spare.value) / stored * (1 + left.value) / (1 + trimmed.value) - 1),
        reserve=1 if firmware.layout in (Layout.UNKNOWN, Layout.ONE_LOG) else 2,
        policy=_POLICIES[firmware.assumed_policy],
        choices=0 if firmware.policy is Policy.COST_BENEFIT else 10,
        **_placed(firmware, workload, writes),
        workload=writes,
        trim_share=float(workload.trim_share),
        trims="as-written" if workload.working_set_fraction < 1 else "mapped",
        warmup_overwrites=30,
        measured_overwrites=10,
    )


def _placed(
    firmware: Firmware, workload: Workload, writes: Uniform | Classes | Mixed
) -> dict[str, Any]:
    """Return the placement of the small drive's writes, and the streams' settings."""
    layout = firmware.layout
    if layout in BY_CLASS:
        handles = handles_of(writes)
        count = max(handles) + 1
        routing = tuple(tuple(float(own == n) for n in range(count)) for own in handles)
        return {"frontiers": "streams", "cleaning": "global", "routing": routing,
                "copies": _COPIES[layout]}  # fmt: skip
    if layout is not Layout.STREAMS:
        return {"frontiers": _FRONTIERS[layout]}
    write_shares, page_shares = workload.classes
    routed, split = two_stream_routing(
        firmware.accuracy, write_shares=write_shares, page_shares=page_shares
    )
    routing = tuple(map(tuple, routed.tolist()))
    return {"frontiers": "streams", "routing": routing, "spare_shares": tuple(split.tolist())}


def simulated(
    plan: PlanReading, config: Config, progress: Callable[[float], object] | None = None
) -> Result:
    """Run the small drive of a plan; write amplification counts all that is beside collection."""
    result, beside = run(config, progress), beside_collection(plan)
    return replace(
        result,
        wa=beside * result.wa, wa_low=beside * result.wa_low, wa_high=beside * result.wa_high,
    )  # fmt: skip


def beside_collection(plan: PlanReading) -> float:
    """Return flash bytes per host byte over what garbage collection alone makes of them."""
    return math.prod(_value(plan, key, 1.0) for key in BESIDE)


def _value(plan: PlanReading, key: str, otherwise: float) -> float:
    node = plan.nodes.get(key)
    return otherwise if node is None else float(node.value)


def _writes(workload: Workload, sequential_fraction: float) -> Uniform | Classes | Mixed:
    write_shares, page_shares = workload.classes
    is_skewed = len(write_shares) > 1
    classes = Classes(write_shares=write_shares, page_shares=page_shares) if is_skewed else None
    if sequential_fraction > 0:
        random = 1 - sequential_fraction
        return Mixed(random_writes=random, random_pages=random, classes=classes)
    return classes or Uniform()
