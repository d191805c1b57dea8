"""The answer about a fleet: each drive, and the sums over them."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from planner.forecast.fleet.buckets import BucketFile, BucketRange, readings_of
from planner.forecast.fleet.cluster import done_by
from planner.forecast.fleet.dates import Dates, dates_of, joined_dates
from planner.forecast.fleet.files import collected
from planner.forecast.fleet.histories import Histories, histories_of, joined
from planner.forecast.fleet.readings import FileRefusal
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

    `now_s` dates drives whose files state no time; else the newest reading is now. The workers of
    an executor, if there is one, read the tables and forecast the drives of each bucket.
    """
    with (
        TemporaryDirectory(prefix="ssd-planner-") as folder,
        ThreadPoolExecutor(os.cpu_count()) as threads,
    ):
        rows = collected(paths, Path(folder), executor)
        given = [(rows.sources, part) for part in rows.parts]
        forecasts = list(done_by(executor or threads, _forecast, given))
    order = _order([part for part, _ in forecasts])
    histories = joined([part for part, _ in forecasts], order)
    dates = joined_dates([part for _, part in forecasts], order)
    del forecasts
    newest = np.max(histories.last_s[histories.is_dated], initial=-np.inf)
    now = float(newest) if np.isfinite(newest) else now_s
    orders = months_of(histories, dates, now)
    models = models_of(histories, dates)
    spares = spares_of(orders, lead_s, {name: one.drives for name, one in models.items()})
    return Fleet(
        read=rows.read, refused=rows.refused, histories=histories, dates=dates,
        now_s=now, lead_s=lead_s, wa=ratio_of(
            histories.flash_written_bytes, histories.flash_host_bytes
        ),
        by_model=models, orders=orders, spares=spares,
        growth=growth_of(histories), retire_first=order_of_retirement(dates).tolist(),
    )  # fmt: skip


def _forecast(sources: Sequence[BucketFile], part: BucketRange) -> tuple[Histories, Dates]:
    """Forecast the drives of some buckets."""
    histories = histories_of(readings_of(sources, part))
    return histories, dates_of(histories)


def _order(parts: Sequence[Histories]) -> list[int]:
    """Return the drives of all parts in the order of names, whatever bucket they were in."""
    names = [(drive.name, drive.model) for part in parts for drive in part.drives]
    return sorted(range(len(names)), key=names.__getitem__)
