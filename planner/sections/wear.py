"""How much may be written until the flash is worn, if wear is even and if it is not?"""

from collections.abc import Callable

import numpy as np

from models import endurance, wear_levelling, write_amplification
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.catalogue.priors import levelling_efficiency
from planner.graph.answer import Answer, figure, given
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.workload import Workload
from planner.sections.write_amplification import placed

__all__ = ["EVEN_WEAR", "uneven_wear_limits", "wear_limit"]

EVEN_WEAR = (
    "The date of flash wear takes all blocks to wear alike. Its range is until the most worn block "
    "meets the rated cycles, with a range of wear-levelling efficiency, and with what the drive "
    "may keep apart as it writes: nothing (low), host writes from copies (typical), all (high)."
)
AS_TOLD = "How the drive places data was measured or told."
ALIKE = "All writes are alike: nothing can be kept apart."

PLACEMENTS: dict[str, Callable[..., float]] = {
    "host_gc_ratio": write_amplification.host_gc_ratio,
    "apart_ratio": write_amplification.apart_ratio,
}


def wear_limit(drive: Drive, wa: Answer) -> Answer:
    """Return the host bytes until mean wear meets the rated cycles."""
    return figure(
        "wear_limit_bytes",
        endurance.write_limit_bytes,
        raw_bytes=stated(drive, "raw_bytes"),
        pe_cycles=stated(drive, "pe_cycles"),
        wa=wa,
    )


def uneven_wear_limits(
    drive: Drive, workload: Workload, op_ratio: Answer, firmware: Firmware, even: Answer
) -> dict[str, Answer]:
    """Return low, typical and high host bytes until the most worn block meets its rating."""
    assumed = levelling_efficiency()
    efficiencies = {"low": assumed.low, "typical": assumed.typical, "high": assumed.high}
    ratios = {
        "low": given("one_log_ratio", 1.0, source="definition"),
        "typical": _placement("host_gc_ratio", drive, workload, op_ratio, firmware),
        "high": _placement("apart_ratio", drive, workload, op_ratio, firmware),
    }
    return {
        level: figure(
            f"{level}_wear_limit_bytes",
            wear_levelling.uneven_limit_bytes,
            wear_limit_bytes=even,
            levelling_efficiency=given(
                f"{level}_levelling_efficiency", value, source="assumption", note=assumed.ground
            ),
            placement_ratio=ratios[level],
        )
        for level, value in efficiencies.items()
    }


def _placement(
    key: str, drive: Drive, workload: Workload, op_ratio: Answer, firmware: Firmware
) -> Answer:
    """Return write amplification by placement, over that of one log; 1 where it is known."""
    told = firmware.layout is not Layout.ONE_LOG or firmware.policy is not Policy.GREEDY
    if told or workload.measured_wa is not None:
        return given(key, 1.0, source="definition", note=AS_TOLD)
    if len(workload.classes[0]) == 1 and np.all(np.isin(workload.sequential_fraction, (0, 1))):
        return given(key, 1.0, source="definition", note=ALIKE)
    return placed(key, PLACEMENTS[key], drive, workload, op_ratio)
