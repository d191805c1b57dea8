"""The curve of a write test through cliff, trough and settling."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models import _check, consistency, transient
from planner.sections.speed import Speed

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedCurve:
    """Write IOPS and write amplification over the seconds of the test."""

    seconds: Points
    iops: Points
    wa: Points


def speed_curve(speed: Speed, *, fills: Points | None = None) -> SpeedCurve | None:
    """Return the course of the test that a speed is about; None where it is unknown.

    `fills` are host writes in user capacities; without them the curve runs to twice the
    settling.
    """
    if not speed.settling_s.is_known:
        return None
    op_ratio = speed.op_ratio.value
    drive = {"op_ratio": op_ratio, "pages_per_block": speed.pages_per_block.value}
    if fills is None:
        fills = np.linspace(0, 2 * max(speed.settling_fills.value, op_ratio), 600)
    rates = {
        "burst_write_iops": speed.fresh_write_iops.value,
        "steady_write_iops": speed.steady_write_iops.value,
        "steady_wa": speed.collection_wa.value,
    }
    written = _check.plain(fills)
    levels = transient.greedy_wa(drive_fills=written, **drive)
    seconds = consistency.written_s(
        written,
        flash_fills=transient.greedy_flash_fills(drive_fills=written, **drive),
        user_pages=speed.user_pages.value,
        **rates,
    )
    return SpeedCurve(
        seconds=np.asarray(seconds),
        iops=np.asarray(consistency.transient_iops(levels, **rates)),
        wa=np.asarray(levels * (speed.wa.value / speed.collection_wa.value)),
    )
