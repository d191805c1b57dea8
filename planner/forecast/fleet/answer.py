"""The answer about a fleet: each drive, and the sums over them."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from planner.forecast.fleet.dates import Dates, dates_of, joined_dates
from planner.forecast.fleet.files import collected
from planner.forecast.fleet.histories import Histories, histories_of, joined
from planner.forecast.fleet.readings import Collection, FileRefusal
from planner.forecast.fleet.rollup import (
    Growth,
    Model,
    Month,
    Ratio,
    Spares,
    growth_of,
    models_of,
    months_of,
    order_of_retirement,
    ratio_of,
    spares_of,
)

_TOGETHER = 25_000  # drives of a thread whose readings are in memory at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """Drives with their dates, models, months, spares, and the files that were not used."""

    read: int
    refused: Sequence[FileRefusal]
    histories: Histories
    dates: Dates
    now_s: float
    lead_s: float
    wa: Ratio
    by_model: dict[str, Model]
    orders: Sequence[Month]
    spares: Sequence[Spares]
    growth: Growth | None
    retire_first: Sequence[int]


def fleet(
    paths: Iterable[Path], *, lead_s: float, now_s: float, executor: Executor | None = None
) -> Fleet:
    """Read files of drives and forecast them all.

    `now_s` dates drives whose files state no time; else the newest reading is now. An executor
    takes the sums over large tables, if there is one.
    """
    collection = collected(paths, executor)
    firsts = range(0, max(collection.drives, 1), _TOGETHER)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        forecasts = list(threads.map(partial(_forecast, collection), firsts))
    read, refused = collection.read, collection.refused
    del collection  # frees the readings
    histories = joined([part for part, _ in forecasts])
    dates = joined_dates([part for _, part in forecasts])
    del forecasts
    newest = np.max(histories.last_s[histories.is_dated], initial=-np.inf)
    now = float(newest) if np.isfinite(newest) else now_s
    orders = months_of(histories, dates, now)
    models = models_of(histories, dates)
    spares = spares_of(orders, lead_s, {name: one.drives for name, one in models.items()})
    return Fleet(
        read=read, refused=refused, histories=histories, dates=dates,
        now_s=now, lead_s=lead_s, wa=ratio_of(
            histories.flash_written_bytes, histories.flash_host_bytes
        ),
        by_model=models, orders=orders, spares=spares,
        growth=growth_of(histories), retire_first=order_of_retirement(dates).tolist(),
    )  # fmt: skip


def _forecast(collection: Collection, first: int) -> tuple[Histories, Dates]:
    end = min(first + _TOGETHER, collection.drives)
    histories = histories_of(collection.readings(first, end))
    return histories, dates_of(histories)
