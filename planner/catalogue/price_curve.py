"""Prices by the curve of a kind, and offers carried to another day by the index of their class.

The coefficients of `price_curve.csv` and the indices of `price_index.csv` are fitted to every dated
price of the data (`python -m tests.price_fit`). The ranges hold 90 % of the drives of families that
no fit had seen.
"""

import csv
import math
from datetime import date
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from models._check import plain
from models.drive_price import (
    LEAST_DWPD,
    QUARTER_S,
    cell_price_factor,
    drive_price,
    offer_weight,
    price_spread,
    waiting_factor,
)
from models.units import TB, YEAR_S
from planner.catalogue.drive import Drive
from planner.catalogue.offers import PriceRange
from planner.catalogue.priors_kind import NAS, cell_of, dwpd_of, words_of
from planner.catalogue.rows import data_folder

NORMAL = 1.645  # spreads that hold 90 % of a normal law
BITS = {"SLC": 1, "MLC": 2, "TLC": 3, "QLC": 4, "XPoint": 1}
USUAL_DWPD = {"client": 0.3, "NAS": 0.7, "enterprise": 1.0}  # where no rating is known
OFFSETS = {"list": "list", "used": "used"}  # coefficients of kinds of offers that shops do not ask
KINDS = 8192  # figures that are computed once, far more than a catalogue has
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


class PriceKind(NamedTuple):
    """Properties that a price per byte follows; empty words are unknown."""

    bus: str
    cell: str
    segment: str
    dwpd: float


class CurveFigure(NamedTuple):
    """Typical price by the curve, and the spread of its logarithm by index and steps alone."""

    usd: float
    spread: float


class PriceChange(NamedTuple):
    """Factor on a price between two days, with its interval of 90 %."""

    low: float
    typical: float
    high: float


def price_kind(drive: Drive) -> PriceKind:
    """Return the properties that a price follows; 3 bits per cell where they are unknown.

    >>> from planner.catalogue import find, load
    >>> price_kind(find(load(), "PM893 7.68"))
    PriceKind(bus='SATA', cell='TLC', segment='enterprise', dwpd=1.0)
    """
    words = words_of(drive)
    is_plain_nas = NAS in drive.segment and "client" in words
    segment = (
        "NAS" if is_plain_nas else next((s for s in ("client", "enterprise") if s in words), "")
    )
    dwpd = dwpd_of(drive)
    if dwpd is None:
        dwpd = USUAL_DWPD[segment or "client"]
    rated = dwpd if isinstance(dwpd, float) else float(np.mean(dwpd))
    bus = next((each for each in ("SATA", "SAS", "NVMe") if each in words), "")
    return PriceKind(bus, cell_of(drive) or "TLC", segment, round(rated, 3))


def curve_range(drive: Drive, today: date | None = None) -> PriceRange:
    """Return the price of such a drive by the curve on a day, by default that of the last price.

    >>> from planner.catalogue import find, load
    >>> by_curve = curve_range(find(load(), "7450 PRO 7.68"), date(2026, 10, 1))
    >>> by_curve.low < 0.7 * by_curve.typical < by_curve.typical < 0.5 * by_curve.high
    True
    >>> by_curve.ground
    'No offer known: curve of enterprise NVMe TLC prices to September 2026'
    """
    kind = price_kind(drive)
    low, typical, high = _span(kind, drive.capacity_bytes, today)
    return PriceRange(
        low=low, typical=typical, high=high, ground=curve_words(drive),
        basis=f"the curve of {_what(kind)}",
    )  # fmt: skip


def curve_words(drive: Drive) -> str:
    """Name the prices behind the curve, where no offer is known.

    >>> from planner.catalogue import find, load
    >>> curve_words(find(load(), "7450 PRO 7.68"))
    'No offer known: curve of enterprise NVMe TLC prices to September 2026'
    """
    return f"No offer known: curve of {_what(price_kind(drive))}"


def carried_range(drive: Drive, usd: float, kind: str, day: str, today: date) -> PriceRange:
    """Return a dated offer of a drive carried to today, with the curve as a second witness.

    Each weighs by the inverse variance of its logarithm: on drives that were left out the two
    together were nearer than either.

    >>> from planner.catalogue import find, load
    >>> drive = find(load(), "870 EVO 4TB")
    >>> near, far = (carried_range(drive, 265, "new", "2025-07-23", day)
    ...              for day in (date(2025, 9, 1), date(2026, 9, 1)))
    >>> near.high / near.low < far.high / far.low
    True
    """
    what = price_kind(drive)
    then, now = year_of(first_day(day)), year_of(today)
    figure = _figure(_kinds(what)[0], drive.capacity_bytes, today)
    offset = OFFSETS.get(kind)
    moved, index_spread = _moved(what.segment, then, now)
    own = math.log(usd) - (_coefficient(offset) if offset else 0.0) + moved
    spread = price_spread(
        abs(now - then) * YEAR_S, drive_spread=math.sqrt(2) * _coefficient("offer_spread"),
        index_spread=math.hypot(index_spread, _log_sd(offset) if offset else 0.0),
        drift_spread=_coefficient("offer_drift"),
    )  # fmt: skip
    weight = offer_weight(spread, curve_spread=_one_drive(figure.spread))
    middle = weight * own + (1 - weight) * math.log(float(np.mean(figure.usd)))
    half = NORMAL * spread * math.sqrt(weight)
    curve, own_price = f"curve of {_what(what)}", f"{kind} price of {said_day(day)}"
    return PriceRange(
        low=math.exp(middle - half),
        typical=math.exp(middle),
        high=math.exp(middle + half),
        ground=f"{own_price}, {usd:,.0f} USD, adjusted to today, and the {curve}",
        basis=f"its {own_price} and the {curve}",
        is_carried=True,
    )  # fmt: skip


def waiting(segment: str, wait_s: float, today: date | None = None) -> PriceChange:
    """Return the factor on prices that is expected after waiting, from the change of a quarter.

    >>> quarter = waiting("client", QUARTER_S)
    >>> quarter.low < 1 < quarter.high
    True
    """
    end = last_year(segment) if today is None else min(year_of(today), last_year(segment))
    moved, _ = _moved(segment, end - 0.25, end)
    typical = waiting_factor(
        wait_s, quarter_factor=math.exp(moved),
        trend_persistence=_coefficient("trend_persistence"),
    )  # fmt: skip
    half = NORMAL * _coefficient("change_spread") * math.sqrt(wait_s / QUARTER_S)
    return PriceChange(typical * math.exp(-half), typical, typical * math.exp(half))


def waiting_text(drive: Drive) -> str:
    """Describe the change of the price of such drives over a quarter, by the trend of its segment.

    >>> from planner.catalogue import find, load
    >>> waiting_text(find(load(), "7450 PRO 7.68")).partition(" (")[0]
    'A quarter later: +4 %'
    """
    quarter = waiting(price_kind(drive).segment, QUARTER_S)
    return f"A quarter later: {change_text(quarter)}, by the trend of such prices"


def change_text(change: PriceChange) -> str:
    """Write the change of a price, and its interval of 90 %.

    >>> change_text(PriceChange(0.86, 1.04, 1.26))
    '+4 % (-14 to +26 %)'
    """
    low, typical, high = (f"{100 * each - 100:+.0f}" for each in change)
    return f"{typical} % ({low} to {high} %)"


def said_day(day: str) -> str:
    """Write a date as month and year.

    >>> said_day("2025-07-23"), said_day("2025")
    ('July 2025', '2025')
    """
    year, *month = day.split("-")
    return f"{_MONTHS[int(month[0]) - 1]} {year}" if month else year


def first_day(text: str) -> date:
    """Return the first day of a date that may be a month or a year."""
    parts = [int(part) for part in text.split("-")]
    return date(*[*parts, 1, 1][:3])


def year_of(day: date) -> float:
    """Return a day as a year with a fraction."""
    return day.year + (day.month - 1 + day.day / 31) / 12


@cache
def last_day(segment: str) -> str:
    """Return the month of the last price that the index of a segment rests on."""
    wanted = segment if segment in ("client", "enterprise") else "client"
    with (data_folder() / "price_series.csv").open(encoding="utf-8", newline="") as lines:
        days = [row["day"][:7] for row in csv.DictReader(lines)
                if row["price_class"].startswith(wanted)]  # fmt: skip
    return max(days)


@cache
def last_year(segment: str) -> float:
    """Return the end of the index of a segment, as a year."""
    return float(_index("enterprise" if segment == "enterprise" else "client")[0][-1])


def _kinds(kind: PriceKind) -> list[PriceKind]:
    """Return the kinds that a drive may be of, where words are unknown."""
    segments = (kind.segment,) if kind.segment else ("client", "enterprise")
    buses = (kind.bus,) if kind.bus else ("SATA", "NVMe")
    return [kind._replace(segment=segment, bus=bus) for segment in segments for bus in buses]


def _span(kind: PriceKind, user_bytes: float, today: date | None) -> tuple[float, float, float]:
    """Return the 90 % ends and the middle of what a drive costs; of unknown words, of all kinds."""
    below, above = (_coefficient(name) for name in ("spreads_below", "spreads_above"))
    spans = [
        (each.usd * math.exp(-below * spread), each.usd, each.usd * math.exp(above * spread))
        for each in (_figure(one, user_bytes, today) for one in _kinds(kind))
        for spread in (_one_drive(each.spread),)
    ]
    if len(spans) == 1:
        return spans[0]
    lows, middles, highs = (np.array(each) for each in zip(*spans, strict=True))
    middle = np.exp(np.log(middles).mean(axis=0))
    return plain(lows.min(axis=0)), plain(middle), plain(highs.max(axis=0))


@lru_cache(maxsize=KINDS)
def _what(kind: PriceKind) -> str:
    name = " ".join(part for part in (kind.segment, kind.bus, kind.cell) if part)
    return f"{name} prices to {said_day(last_day(kind.segment))}"


def _one_drive(spread: float) -> float:
    return math.hypot(spread, _coefficient("drive_spread"))


def _figure(kind: PriceKind, user_bytes: float, today: date | None) -> CurveFigure:
    """Return the price of a drive of a kind, and how well index and steps are known."""
    year = last_year(kind.segment) if today is None else year_of(today)
    figure = _computed if np.ndim(user_bytes) else _kept
    return figure(kind, user_bytes, year)


def _computed(kind: PriceKind, user_bytes: float, year: float) -> CurveFigure:
    per_tb, index_spread = _level(kind.segment, year)
    steps = _steps(kind)
    beyond = max(0.0, year - last_year(kind.segment))
    usd = drive_price(
        user_bytes, curve_price_per_user_byte=per_tb / TB, rated_dwpd=kind.dwpd,
        class_factor=_class_factor(kind), dwpd_power=_coefficient("dwpd_power"),
        fixed_usd=_coefficient("fixed_usd"),
    )  # fmt: skip
    of_steps = math.hypot(*(times * _log_sd(name) for name, times in steps.items()))
    spread = price_spread(
        beyond * YEAR_S,
        drive_spread=of_steps,
        index_spread=index_spread,
        drift_spread=_coefficient("index_walk"),
    )
    return CurveFigure(usd, spread)


_kept = lru_cache(maxsize=KINDS)(_computed)


def _steps(kind: PriceKind) -> dict[str, float]:
    """Return the coefficients that are in the price of a kind, and how often."""
    steps = {"dwpd_power": math.log(max(kind.dwpd, LEAST_DWPD))}
    bits = BITS[kind.cell]
    steps |= {"four_bit_step": 1.0} if bits == BITS["QLC"] else {}
    steps |= {"two_bit_step": 1.0} if bits <= BITS["MLC"] else {}
    steps |= {"one_bit_step": 1.0} if bits == BITS["SLC"] else {}
    return steps | dict.fromkeys(_class_steps(kind), 1.0)


def _class_steps(kind: PriceKind) -> list[str]:
    """Return the coefficients of bus, segment and memory that a kind has beside its cells."""
    is_enterprise = kind.segment == "enterprise"
    wanted = {
        "xpoint_step": kind.cell == "XPoint", "sas": kind.bus == "SAS",
        "client_sata": kind.bus == "SATA" and not is_enterprise,
        "enterprise_sata": kind.bus == "SATA" and is_enterprise, "nas": kind.segment == NAS,
    }  # fmt: skip
    return [name for name, is_there in wanted.items() if is_there]


@lru_cache(maxsize=KINDS)
def _class_factor(kind: PriceKind) -> float:
    cells = cell_price_factor(
        BITS[kind.cell],
        **{name: _coefficient(name) for name in ("four_bit_step", "two_bit_step", "one_bit_step")},
    )
    return cells * math.exp(sum(_coefficient(name) for name in _class_steps(kind)))


@lru_cache(maxsize=KINDS)
def _level(segment: str, year: float) -> tuple[float, float]:
    """Return the price of a TB of the reference class, and the spread of the index."""
    years, levels, spreads, _ = _index("enterprise" if segment == "enterprise" else "client")
    return (
        math.exp(float(np.interp(year, years, levels))), float(np.interp(year, years, spreads)),
    )  # fmt: skip


@lru_cache(maxsize=KINDS)
def _moved(segment: str, then: float, now: float) -> tuple[float, float]:
    """Return the logarithm of an index over that of another day, and the spread of it.

    Variances add up along a walk; past its end it goes on as `index_walk` says.
    """
    years, levels, _, to_last = _index("enterprise" if segment == "enterprise" else "client")
    before, after = (float(np.interp(year, years, levels)) for year in (then, now))
    known = [float(np.interp(year, years, to_last)) ** 2 for year in (then, now)]
    beyond = max(0.0, now - max(then, float(years[-1])))
    walked = _coefficient("index_walk") ** 2 * beyond
    return after - before, math.sqrt(abs(known[0] - known[1]) + walked)


@cache
def _index(segment: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    with (data_folder() / "price_index.csv").open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["segment"] == segment]
    names = ("year", "usd_per_tb", "log_sd", "log_sd_to_last")
    years, levels, spreads, to_last = (
        np.array([float(row[name]) for row in rows]) for name in names
    )
    return years, np.log(levels), spreads, np.maximum.accumulate(to_last[::-1])[::-1]


@cache
def _coefficients() -> dict[str, tuple[float, float]]:
    with (data_folder() / "price_curve.csv").open(encoding="utf-8", newline="") as lines:
        return {
            row["coefficient"]: (float(row["value"]), float(row["log_sd"] or 0))
            for row in csv.DictReader(lines)
        }


def _coefficient(name: str) -> float:
    return _coefficients()[name][0]


def _log_sd(name: str) -> float:
    return _coefficients()[name][1]
