"""The course of the write test: cliff, trough, settling, and the curve through them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from models import _check, consistency, queueing, transient
from planner.graph.answer import Answer, figure, unknown
from planner.speed.answer import Speed
from planner.speed.rates import page

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Where the course of the test turns."""

    peak_wa: Answer
    lowest_write_iops: Answer
    cliff_s: Answer
    settling_s: Answer
    settling_fills: Answer
    user_pages: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedCurve:
    """Write IOPS and write amplification over the seconds of the test."""

    seconds: Points
    iops: Points
    wa: Points


def no_turns(lacking: tuple[str, ...]) -> Turns:
    """Return the turns of a course that has none, or of one that is unknown."""
    return Turns(**{turn.name: unknown(key=turn.name, lacking=lacking) for turn in fields(Turns)})


def turns(used_bytes: Answer, cleaning: Mapping[str, Answer], rates: Mapping[str, Answer]) -> Turns:
    """Return cliff, trough and settling time.

    `cleaning` is spare area and unit of collection; `rates` are fresh and steady write IOPS and
    the steady write amplification.
    """
    peak = figure("peak_wa", transient.greedy_peak_wa, **cleaning)
    settled = figure("settling_fills", transient.greedy_settling_fills, **cleaning)
    pages = figure(
        "user_pages",
        queueing.iops_at_throughput,
        throughput_bytes_per_s=used_bytes,
        transfer_bytes=page(),
    )
    return Turns(
        peak_wa=peak,
        lowest_write_iops=figure("lowest_write_iops", consistency.transient_iops, wa=peak, **rates),
        cliff_s=_cliff_s(used_bytes, cleaning["op_ratio"], rates["burst_write_iops"]),
        settling_s=_settling_s(settled, pages, cleaning, rates),
        settling_fills=settled,
        user_pages=pages,
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
    settled: Answer, pages: Answer, cleaning: Mapping[str, Answer], rates: Mapping[str, Answer]
) -> Answer:
    return figure(
        "settling_s",
        consistency.written_s,
        drive_fills=settled,
        flash_fills=figure(
            "flash_fills", transient.greedy_flash_fills, drive_fills=settled, **cleaning
        ),
        user_pages=pages,
        **rates,
    )


def speed_curve(answer: Speed, *, fills: Points | None = None) -> SpeedCurve | None:
    """Return the course of the test that the answer is about; None where it is unknown.

    `fills` are host writes in user capacities; without them the curve runs to twice the
    settling.
    """
    if not answer.settling_s.is_known:
        return None
    op_ratio = answer.op_ratio.value
    drive = {"op_ratio": op_ratio, "pages_per_block": answer.pages_per_block.value}
    if fills is None:
        fills = np.linspace(0, 2 * max(answer.settling_fills.value, op_ratio), 600)
    rates = {
        "burst_write_iops": answer.fresh_write_iops.value,
        "steady_write_iops": answer.steady_write_iops.value,
        "steady_wa": answer.collection_wa.value,
    }
    written = _check.plain(fills)
    levels = transient.greedy_wa(drive_fills=written, **drive)
    seconds = consistency.written_s(
        written,
        flash_fills=transient.greedy_flash_fills(drive_fills=written, **drive),
        user_pages=answer.user_pages.value,
        **rates,
    )
    return SpeedCurve(
        seconds=np.asarray(seconds),
        iops=np.asarray(consistency.transient_iops(levels, **rates)),
        wa=np.asarray(levels * (answer.wa.value / answer.collection_wa.value)),
    )
