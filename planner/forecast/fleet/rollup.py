"""Sums over the drives of a fleet: models, orders by month, spares, writes and their growth.

Ratios are computed from sums of bytes, never as means of ratios.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from models.units import DAY_S, WEEK_S, YEAR_S
from planner.forecast.fleet.dates import Dates
from planner.forecast.fleet.histories import Histories
from planner.forecast.fleet.readings import Floats

Rows = NDArray[np.intp]

MONTHS = 36
_NORMAL_95 = 1.6448536269514722
_WIDEST_SD = 3.0  # of the logarithm of time, where no late end is known
_DEPARTS = 1.25  # ratio to the peers, and by how many standard deviations
_DEPARTS_SDS = 3.0
_FEWEST = 3  # drives of a model, and of its peers
_MONTH_S = YEAR_S / 12
_TOGETHER = 50_000  # drives whose months are in memory at once
_COMMON = 1e5  # orders beyond which counting noise is nothing


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of sums, with a 90 % interval from how it differs between its parts."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Writes of the drives of one model, and their departures from their peers.

    Sums count the drives that state the number, NaN where none does.
    """

    drives: int
    host_bytes: float
    flash_bytes: float
    wa: Ratio
    points_per_host_byte: Ratio
    host_bytes_per_s: float
    dwpd: float
    departs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Month:
    """Drives whose life ends in a month: expected, and 5 % and 95 % of what chance makes of it."""

    month: str
    expected: float
    low: int
    high: int
    by_model: dict[str, float]
    by_site: dict[str, float]


@dataclass(frozen=True, slots=True)
class Spares:
    """Drives of a model to hold so that a lead time passes without a lack, 95 % of the time."""

    model: str
    expected: float
    spares: int


@dataclass(frozen=True, slots=True)
class Growth:
    """Growth of the fleet's writes per year, with a 90 % interval, from weeks in common."""

    per_year: float
    low: float
    high: float
    weeks: int
    drives: int


def ratio_of(over: Floats, under: Floats) -> Ratio:
    """Return the ratio of two sums; the interval is open for a single part."""
    good = np.isfinite(over) & np.isfinite(under) & (under > 0)
    over, under = over[good], under[good]
    if not under.size:
        return Ratio(np.nan, np.nan, np.nan)
    value = float(over.sum() / under.sum())
    if under.size == 1:
        return Ratio(value, np.nan, np.nan)
    share = under.size / (under.size - 1)
    sd = float(np.sqrt(share * np.sum((over - value * under) ** 2)) / under.sum())
    return Ratio(value, max(value - _NORMAL_95 * sd, 0.0), value + _NORMAL_95 * sd)


def wa_of(histories: Histories) -> tuple[Floats, Floats, Floats]:
    """Return flash writes over host writes of each drive, with an interval from its blocks."""
    flash, host = _flash_and_host(histories)
    with np.errstate(divide="ignore", invalid="ignore"):
        wa = np.where(host > 0, flash / host, np.nan)
    low, high = np.full((2, wa.size), np.nan)
    for blocks in histories.blocks:
        wrote, burnt = blocks.host_bytes, blocks.flash_bytes
        total = wrote.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = burnt.sum(axis=1) / total
            number = wrote.shape[1]
            spread = np.sum((burnt - ratio[:, None] * wrote) ** 2, axis=1) * number / (number - 1)
            sd = np.sqrt(spread) / total
        low[blocks.drives] = np.maximum(ratio - _NORMAL_95 * sd, 0.0)
        high[blocks.drives] = ratio + _NORMAL_95 * sd
    return wa, np.minimum(low, wa), np.maximum(high, wa)


def _flash_and_host(histories: Histories) -> tuple[Floats, Floats]:
    """Return flash and host bytes between the readings, else over the life."""
    between = (histories.flash_written_bytes > 0) & (histories.flash_host_bytes > 0)
    flash = np.where(between, histories.flash_written_bytes, histories.flash_bytes)
    host = np.where(between, histories.flash_host_bytes, histories.host_bytes)
    return flash, np.where(np.isfinite(flash), host, np.nan)


def models_of(histories: Histories, dates: Dates) -> dict[str, Model]:
    """Sum up the drives of each model, and compare it with all others."""
    names, of = _groups([drive.model or "unknown" for drive in histories.drives])
    flash, host = _flash_and_host(histories)
    capacity = np.array([drive.user_bytes for drive in histories.drives])
    models = {}
    for number, name in enumerate(names):
        mine = of == number
        wa = ratio_of(flash[mine], host[mine])
        wear = ratio_of(histories.points_used[mine], histories.points_host_bytes[mine])
        known = mine & np.isfinite(dates.rate) & np.isfinite(capacity)
        departs = [
            *_departure("write amplification", flash, host, mine),
            *_departure("wear per host byte and capacity", histories.points_used * capacity,
                        histories.points_host_bytes, mine),
        ]  # fmt: skip
        held = float(capacity[known].sum())
        models[name] = Model(
            drives=int(mine.sum()),
            host_bytes=_total(histories.life_host_bytes[mine]),
            flash_bytes=_total(histories.flash_bytes[mine]),
            wa=wa,
            points_per_host_byte=wear,
            host_bytes_per_s=_total(dates.rate[mine]),
            dwpd=float(dates.rate[known].sum()) * DAY_S / held if held else np.nan,
            departs=tuple(departs),
        )
    return models


def _total(column: Floats) -> float:
    """Return the sum of what is known; NaN where nothing is."""
    return float(np.nansum(column)) if np.isfinite(column).any() else np.nan


def _departure(what: str, over: Floats, under: Floats, mine: NDArray[np.bool_]) -> list[str]:
    """Say by how much a model's ratio departs from that of all others, if it does."""
    good = np.isfinite(over) & np.isfinite(under) & (under > 0)
    if min(np.sum(good & mine), np.sum(good & ~mine)) < _FEWEST:
        return []
    own, others = ratio_of(over[mine], under[mine]), ratio_of(over[~mine], under[~mine])
    if own.value <= 0 or others.value <= 0:
        return []
    sd = np.hypot(own.high - own.value, others.high - others.value) / _NORMAL_95
    if abs(own.value - others.value) < _DEPARTS_SDS * sd:
        return []
    times = own.value / others.value
    return [f"{what} is {times:.3g} times that of the others"] if (
        max(times, 1 / times) >= _DEPARTS
    ) else []  # fmt: skip


def _groups(names: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    found, of = np.unique(np.array(names, dtype=object), return_inverse=True)
    return [str(name) for name in found], of


def months_of(histories: Histories, dates: Dates, now_s: float) -> list[Month]:
    """Return the drives to order in each of the next months, replacements of these among them."""
    models, of_model = _groups([drive.model or "unknown" for drive in histories.drives])
    sites, of_site = _groups([drive.site or "unknown" for drive in histories.drives])
    life = _life_months(histories, dates)
    expected = np.zeros((len(models), MONTHS))
    by_site = np.zeros((len(sites), MONTHS))
    for number in range(len(models)):
        mine = of_model == number
        known = life[mine][np.isfinite(life[mine])]
        again = int(np.median(known)) if known.size else MONTHS
        drives = np.flatnonzero(mine)
        for first in range(0, drives.size, _TOGETHER):
            some = drives[first : first + _TOGETHER]
            renewed = _renewed(_ending(histories, dates, now_s, some), again)
            expected[number] += renewed.sum(axis=0)
            np.add.at(by_site, of_site[some], renewed)
    total = expected.sum(axis=0)
    return [
        Month(
            name, float(total[at]), _quantile(0.05, total[at]), _quantile(0.95, total[at]),
            {model: float(expected[row, at]) for row, model in enumerate(models)},
            {site: float(by_site[row, at]) for row, site in enumerate(sites)},
        )
        for at, name in enumerate(_month_names(now_s))
    ]  # fmt: skip


def spares_of(months: Sequence[Month], lead_s: float, drives: Mapping[str, int]) -> list[Spares]:
    """Return the spares of each model for the worst lead time of the next year.

    They are at most the drives in use, unless more than these wear out within the lead time.
    """
    window = max(lead_s / _MONTH_S, 1e-9)
    found = []
    for model in months[0].by_model if months else ():
        monthly = np.array([month.by_model[model] for month in months])
        done = np.append(0.0, np.cumsum(monthly))
        begin = np.arange(0, 12 + 1)
        within = np.interp(begin + window, np.arange(done.size), done) - done[begin]
        most = float(within.max())
        enough = max(drives[model], int(np.ceil(most)))
        found.append(Spares(model, most, min(_quantile(0.95, most), enough)))
    return found


def _quantile(probability: float, expected: float) -> int:
    """Return a quantile of a Poisson number."""
    from scipy.special import pdtr  # noqa: PLC0415 - slow to import

    if expected <= 0:
        return 0
    if expected > _COMMON:
        sign = 1 if probability > 0.5 else -1
        return int(expected + sign * _NORMAL_95 * np.sqrt(expected))
    near = np.arange(
        max(int(expected - 6 * np.sqrt(expected) - 6), 0), int(expected + 6 * expected**0.5 + 12)
    )
    return int(near[np.argmax(pdtr(near, expected) >= probability)])


def _ending(histories: Histories, dates: Dates, now_s: float, drives: Rows) -> Floats:
    """Return the probability that some drives end in each month, those due in the first."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    last = histories.read_at_s(now_s)[drives]
    early_s, middle_s, late_s = (
        column[drives] for column in (dates.early_s, dates.middle_s, dates.late_s)
    )
    edges = _month_edges(now_s)[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = np.log(middle_s)
        below = np.clip((middle - np.log(early_s)) / _NORMAL_95, 1e-6, _WIDEST_SD)
        above = np.clip((np.log(late_s) - middle) / _NORMAL_95, 1e-6, _WIDEST_SD)
        at = np.log(np.maximum(edges - last[:, None], 1.0)) - middle[:, None]
        done = ndtr(at / np.where(at < 0, below[:, None], above[:, None]))
    done[middle_s <= 0] = 1.0
    done[~np.isfinite(middle_s)] = 0.0
    return np.diff(done, axis=1, prepend=0.0)


def _life_months(histories: Histories, dates: Dates) -> Floats:
    """Return the life of a new drive in months, at the rate of the drive it replaces."""
    left = np.clip(100 - histories.points, 1.0, 100.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = np.where(
            np.isfinite(left),
            dates.middle_s * 100 / left,
            dates.middle_s + histories.host_bytes / dates.rate,
        )
        rated = np.fmin(dates.rated_bytes, histories.host_bytes) / dates.rate
        whole = np.where(dates.past, rated, whole)
    return np.asarray(np.where(whole > 0, whole / _MONTH_S, np.nan))


def _renewed(ends: Floats, again: int) -> Floats:
    """Add the ends of the replacements, each a life after that of the drive before."""
    total = ends.copy()
    for month in range(max(again, 1), ends.shape[1]):
        total[:, month] += total[:, month - max(again, 1)]
    return total


def _month_edges(now_s: float) -> Floats:
    start = datetime.fromtimestamp(now_s, UTC)
    first = start.year * 12 + start.month - 1
    return np.array([
        datetime((first + k) // 12, (first + k) % 12 + 1, 1, tzinfo=UTC).timestamp()
        for k in range(MONTHS + 1)
    ])  # fmt: skip


def _month_names(now_s: float) -> list[str]:
    return [
        datetime.fromtimestamp(edge, UTC).strftime("%Y-%m") for edge in _month_edges(now_s)[:-1]
    ]


def growth_of(histories: Histories) -> Growth | None:
    """Return the growth of the writes, of drives with a reading in the fleet's last week."""
    if not histories.blocks:
        return None
    newest = float(np.nanmax(histories.last_s))
    weekly = [b for b in histories.blocks if b.block_s == WEEK_S and b.host_bytes.shape[1] >= 8]
    if not weekly:
        return None
    number = int(np.median(np.concatenate([
        np.full(b.drives.size, b.host_bytes.shape[1]) for b in weekly
    ])))  # fmt: skip
    sums, drives = np.zeros(number), 0
    for blocks in weekly:
        recent = histories.last_s[blocks.drives] > newest - WEEK_S
        if blocks.host_bytes.shape[1] >= number and recent.any():
            sums += blocks.host_bytes[recent][:, -number:].sum(axis=0)
            drives += int(recent.sum())
    if not drives or np.any(sums <= 0):
        return None
    years = (np.arange(number) - (number - 1) / 2) * WEEK_S / YEAR_S
    logs = np.log(sums)
    slope = float(years @ logs / (years @ years))
    rest = logs - logs.mean() - slope * years
    sd = float(np.sqrt(rest @ rest / (number - 2) / (years @ years)))
    low, value, high = np.expm1([slope - _NORMAL_95 * sd, slope, slope + _NORMAL_95 * sd])
    return Growth(float(value), float(low), float(high), number, drives)


def order_of_retirement(dates: Dates) -> NDArray[np.intp]:
    """Return the drives that have dates, the one whose early date comes first in front."""
    known = np.flatnonzero(np.isfinite(dates.early_s))
    late = np.nan_to_num(dates.middle_s[known], nan=np.inf)
    return known[np.lexsort((late, dates.early_s[known]))]
