"""Rows for the charts of the array and for their download."""

import re
from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.units import TB, YEAR_S
from planner.graph.answer import Answer
from planner.quantity.show import odds, text
from planner.scenario.array import Array
from planner.search.array_levels import LevelGrid
from planner.sections.array_queue import CURVE_DEPTHS, ArrayQueue
from planner.sections.data_loss import DataLoss, Remedy
from planner.sections.plan import PlanReading
from planner.ui.array_charts import CAUSES, LEAST

Points = NDArray[np.float64]

_QUARTER_S = YEAR_S / 4
_MOST_BARS = 24


def short_name(array: Array) -> str:
    """Return the level as the axis names it: of any number of drives, which the other axis has.

    >>> from planner.scenario.array import RaidLevel
    >>> short_name(Array(members=12, level=RaidLevel.RAID6))
    '6'
    """
    return re.sub(r":\d+c\b", "", array.written.removeprefix("ec:"))


def iops_rows(plan: PlanReading, queue: ArrayQueue) -> pd.DataFrame:
    """Return the curve of IOPS, its place at the workload's depth, and the bound."""
    if not queue.iops.is_known or not queue.curve_iops.is_known:
        return pd.DataFrame()
    now = queue.iops.value
    curve = pd.DataFrame(
        {"kind": "curve", "queue_depth": CURVE_DEPTHS, "iops": np.ravel(queue.curve_iops.value)}
    )
    marks = [{"kind": "now", "queue_depth": queue.queue_depth, "iops": now,
              "label": text("array_iops", now)}]  # fmt: skip
    budget = plan["budget_iops"]
    if budget.is_known:
        label = f"bound by the drives' time {text('budget_iops', budget.value)}"
        marks.append({"kind": "budget", "queue_depth": CURVE_DEPTHS[0], "iops": budget.value,
                      "label": label})  # fmt: skip
    return pd.concat([curve, pd.DataFrame(marks)])


def causes(lost: DataLoss) -> dict[str, float]:
    """Return the probability of loss by cause, where it is known."""
    causes = ("failed_", "unreadable_", "wear_out_", "")
    parts = tuple(lost[f"array_{cause}loss_probability"] for cause in causes)
    return {cause: part.value for cause, part in zip(CAUSES, parts, strict=True) if part.is_known}


def floor(changes: Iterable[Remedy]) -> float:
    """Return the decade below the smallest probability that is worth a bar."""
    known = [loss for change in changes for loss in causes(change.data_loss).values()]
    least = min([loss for loss in known if loss >= LEAST], default=LEAST)
    return float(max(LEAST, 10.0 ** (np.ceil(np.log10(least)) - 1)))


def loss_rows(changes: Iterable[Remedy], least: float) -> pd.DataFrame:
    """Return loss by change of plan and by cause; below `least` a label without a bar."""
    return pd.DataFrame(
        [
            {
                "change": _broken(change.name),
                "cause": cause,
                "probability": loss,
                "shown": max(loss, least),
                "label": odds(loss),
            }
            for change in changes
            for cause, loss in causes(change.data_loss).items()
        ]
    )


def _broken(name: str) -> str:
    """Break a label into lines, at a bar."""
    words, lines = name.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 17:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "|".join(lines)


def level_rows(grid: LevelGrid, current: Array) -> pd.DataFrame:
    """Return capacity and loss by level and number of drives."""
    usable = grid.usable_bytes / TB
    return pd.DataFrame(
        {
            "level": [short_name(array) for array in grid.arrays],
            "name": [array.name for array in grid.arrays],
            "members": [array.members for array in grid.arrays],
            "usable_tb": usable,
            "label": [_three(size) for size in usable],
            "loss_probability": grid.loss_probability,
            "chance": [odds(loss) for loss in grid.loss_probability],
            "is_current": [array == current for array in grid.arrays],
        }
    )


def _three(size: float) -> str:
    return "" if np.isnan(size) else f"{size:.0f}" if size >= 100 else f"{size:.3g}"


def ends_s(horizon_s: float) -> Points:
    """Return the ends of the quarters of a horizon, or of longer periods where it is long."""
    quarters = horizon_s / _QUARTER_S
    longer = next(step for step in (1, 2, 4, 20, 100, 400) if quarters <= step * _MOST_BARS)
    count = int(np.ceil(quarters / longer - 1e-9))
    return np.asarray(np.minimum(np.arange(1, count + 1) * longer * _QUARTER_S, horizon_s))


def course_rows(ends: Points, replaced: Points) -> pd.DataFrame:
    """Return the drives replaced in each period."""
    starts = np.concatenate([[0.0], ends[:-1]])
    drives = np.maximum(np.diff(replaced, prepend=0.0), 0.0)
    return pd.DataFrame(
        {"from_years": starts / YEAR_S, "until_years": ends / YEAR_S, "drives": drives,
         "so_far": replaced}
    )  # fmt: skip


def table(answers: Iterable[Answer], frames: dict[str, pd.DataFrame]) -> list[dict[str, object]]:
    """Lay out the figures and everything on the charts in one table."""
    figures = pd.DataFrame(
        [
            {"kind": "figure", "quantity": item.key, "value": item.value}
            for item in answers
            if item.is_known
        ]
    )
    drawn = [
        rows.drop(columns=["kind", "label", "shown", "chance"], errors="ignore").assign(kind=kind)
        for kind, rows in frames.items()
        if len(rows)
    ]
    rows = pd.concat([figures, *drawn])
    if "change" in rows:
        rows["change"] = rows["change"].str.replace("|", " ")
    records = rows.astype(object).where(rows.notna(), "").to_dict("records")
    return [{str(name): value for name, value in record.items()} for record in records]
