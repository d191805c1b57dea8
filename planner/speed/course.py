"""The course of the write test: cliff, trough, settling, and the curve through them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models import _check, consistency, queueing, transient
from planner.graph.answer import Answer, figure, unknown
from planner.speed.answer import Speed
from planner.speed.rates import page

__all__ = ["SpeedCurve", "Turns", "no_turns", "speed_curve", "turns"]

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Where the course of the test turns."""

    peak_wa: Answer
    lowest_write_iops: Answer
    cliff_s: Answer
    settling_s: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedCurve:
    """Write IOPS and write amplification over the seconds of the test."""

    seconds: Points
    iops: Points
    wa: Points


def no_turns(lacking: tuple[str, ...]) -> Turns:
    """Return the turns of a course that has none, or of one that is unknown."""
    names = ("peak_wa", "lowest_write_iops", "cliff_s", "settling_s")
    return Turns(**{name: unknown(key=name, lacking=lacking) for name in names})


def turns(used_bytes: Answer, cleaning: Mapping[str, Answer], rates: Mapping[str, Answer]) -> Turns:
    """Return cliff, trough and settling time.

    `cleaning` is spare area and unit of collection; `rates` are fresh and steady write IOPS and
    the steady write amplification.
    """
    peak = figure("peak_wa", transient.greedy_peak_wa, **cleaning)
    return Turns(
        peak_wa=peak,
        lowest_write_iops=figure("lowest_write_iops", consistency.transient_iops, wa=peak, **rates),
        cliff_s=_cliff_s(used_bytes, cleaning["op_ratio"], rates["burst_write_iops"]),
        settling_s=_settling_s(used_bytes, cleaning, rates),
    )


def _cliff_s(used_bytes: Answer, op_ratio: Answer, fresh: Answer) -> Answer:
    pace = figure(
        "fresh_bytes_per_s", queueing.throughput_bytes_per_s, iops=fresh, transfer_bytes=page()
    )
    return figure(
        "cliff_s",
        consistency.cliff_s,
        op_ratio=op_ratio,
        user_bytes=used_bytes,
        host_bytes_per_s=pace,
    )


def _settling_s(
    used_bytes: Answer, cleaning: Mapping[str, Answer], rates: Mapping[str, Answer]
) -> Answer:
    settled = figure("settling_fills", transient.greedy_settling_fills, **cleaning)
    return figure(
        "settling_s",
        consistency.written_s,
        drive_fills=settled,
        flash_fills=figure(
            "flash_fills", transient.greedy_flash_fills, drive_fills=settled, **cleaning
        ),
        user_pages=figure(
            "user_pages",
            queueing.iops_at_throughput,
            throughput_bytes_per_s=used_bytes,
            transfer_bytes=page(),
        ),
        **rates,
    )


def speed_curve(answer: Speed, *, fills: Points | None = None) -> SpeedCurve | None:
    """Return the course of the test that the answer is about; None where it is unknown.

    `fills` are host writes in user capacities; without them the curve runs to twice the
    settling.
    """
    settling = answer.settling_s
    settled = settling.inputs["drive_fills"] if settling.is_computed else None
    if settled is None or not settled.is_computed:
        return None
    drive = _values(settled.inputs)
    if fills is None:
        fills = np.linspace(0, 2 * max(settled.value, drive["op_ratio"]), 600)
    names = ("burst_write_iops", "steady_write_iops", "steady_wa")
    rates = _values({name: settling.inputs[name] for name in names})
    written = _check.plain(fills)
    levels = transient.greedy_wa(drive_fills=written, **drive)
    seconds = consistency.written_s(
        written,
        flash_fills=transient.greedy_flash_fills(drive_fills=written, **drive),
        user_pages=settling.inputs["user_pages"].value,
        **rates,
    )
    return SpeedCurve(
        seconds=np.asarray(seconds),
        iops=np.asarray(consistency.transient_iops(levels, **rates)),
        wa=np.asarray(levels),
    )


def _values(nodes: Mapping[str, Answer]) -> dict[str, float]:
    return {name: node.value for name, node in nodes.items()}
