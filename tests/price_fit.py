"""Prices of drives: a curve and dated indices, fitted to every dated price of `data/`.

Run `python -m tests.price_fit` to write `data/price_curve.csv` and `data/price_index.csv` again,
with `--page` the page `docs/evidence/prices.md` too (20 s).

Logarithms of USD per byte are linear in the index of the day, in the steps of cells, buses and
segments and in the logarithm of the drive writes per day; the fixed part of a price is linearised.
Indices walk at random between knots; families of drives and series of listings each have an effect
of their own; prices far from all others count less (Student's t). Where a step would be negative,
it is zero.
"""

import csv
import io
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from models.drive_price import LEAST_DWPD
from models.model_error import conformal_half, joined
from planner.catalogue import load
from planner.catalogue.price_curve import NORMAL, PriceKind, price_kind
from planner.catalogue.prices import price_of

ROOT = Path(__file__).parents[1]
DATA = ROOT / "data"
PAGE = ROOT / "docs" / "evidence" / "prices.md"
PORTABLE = "portable"
# Bus, cells, segment and drive writes per day of the classes of bands and series.
CLASSES = {
    "client NVMe TLC": ("NVMe", "TLC", "client", 0.33),
    "client SATA TLC": ("SATA", "TLC", "client", 0.33),
    "client QLC": ("NVMe", "QLC", "client", 0.2),
    "enterprise SATA RI": ("SATA", "TLC", "enterprise", 1.0),
    "enterprise NVMe RI/MU": ("NVMe", "TLC", "enterprise", 1.3),
    "enterprise QLC": ("NVMe", "QLC", "enterprise", 0.6),
    "SAS": ("SAS", "TLC", "enterprise", 1.0),
}
OFFERS = {
    "new": "street", "list": "list", "used": "used", "street": "street", "deal": "deal",
    "cheapest listing": "floor", "launch": "list", "average listing": "street",
    "street listing": "street", "index": "index", "average (web page)": "page",
}  # fmt: skip
LISTED = {2023: 2023.75, 2024: 2024.25, 2025: 2025.56}  # middle of the snapshots of listings
QUARTERS = np.arange(2019, 2027, 0.25)
YEARLY = np.array([2011.0, *np.arange(2013.5, 2019)])
CLIENT = np.concatenate([YEARLY, QUARTERS])
BESIDE = np.array([2011, 2014.5, 2015.5, 2016.5, 2018.5, 2021.5, 2023.5, 2024.5, 2025.25, 2025.75,
                   2026, 2026.25, 2026.5, 2026.75])  # fmt: skip
OF_INDEX = np.array([2025.25, 2025.75, 2026.125, 2026.6])
# Standard deviations of logarithms: of a year's walk of the client index, of enterprise beside it,
# of deals and of a published index beside what shops ask; of one price, of families, of series.
WALK, WALK_BESIDE, WALK_DEALS, WALK_PUBLISHED = 0.40, 0.25, 0.15, 0.40
OF_PRICE, OF_FAMILY, OF_SERIES = 0.22, 0.18, 0.2
OF_OFFER = 0.1  # of offers of one drive on a day
TAILS = 4.0  # degrees of freedom of Student's t
# Expected before any price is seen: middle and standard deviation.
EXPECTED = {
    "four_bit_step": (0.15, 0.15), "two_bit_step": (0.2, 0.2), "one_bit_step": (0.9, 0.4),
    "xpoint_step": (0.3, 0.5), "client_sata": (0.0, 0.3), "enterprise_sata": (0.0, 0.15),
    "sas": (0.3, 0.4), "nas": (0.1, 0.2), "dwpd_power": (0.2, 0.1), "list": (0.1, 0.2),
    "floor": (-0.2, 0.2), "deal": (-0.3, 0.2), "used": (-0.4, 0.3), "index": (-0.4, 0.3),
    "page": (0.0, 0.3), "fixed_usd": (20.0, 15.0),
}  # fmt: skip
MEANINGS = {
    "four_bit_step": "what four bits per cell save on three, in logarithms",
    "two_bit_step": "what two bits per cell cost over three, in logarithms",
    "one_bit_step": "what one bit per cell costs over two, in logarithms; mostly expected",
    "xpoint_step": "what 3D XPoint costs over one bit per cell, in logarithms; of one price",
    "client_sata": "client SATA beside NVMe, in logarithms",
    "enterprise_sata": "enterprise SATA beside NVMe, in logarithms",
    "sas": "SAS beside enterprise NVMe, in logarithms",
    "nas": "drives for a NAS without power-loss protection beside client ones, in logarithms",
    "dwpd_power": "power of the drive writes per day",
    "list": "list prices beside what shops ask, in logarithms",
    "used": "used drives beside what shops ask for new ones, in logarithms",
    "fixed_usd": "part of a price that no capacity changes, USD",
}
NOT_NEGATIVE = (
    "four_bit_step", "two_bit_step", "one_bit_step", "xpoint_step", "nas", "dwpd_power",
    "fixed_usd",
)  # fmt: skip


@dataclass(frozen=True)
class Observation:
    """A dated price per TB: of one drive of a family, or of a class."""

    log_price: float
    year: float
    kind: PriceKind
    offer: str
    size_tb: float
    family: str
    name: str
    sd: float = OF_PRICE
    is_drive: bool = True


def year_of(day):
    """Return a day as a year with a fraction; a year alone or a month is its middle."""
    parts = [int(part) for part in day.split("-")]
    if len(parts) == 1:
        return parts[0] + 0.5
    return parts[0] + (parts[1] - 1 + (parts[2] if len(parts) > 2 else 15) / 31) / 12


def _kind(drive):
    """Return the kind of a drive; NVMe where no bus is known."""
    kind = price_kind(drive)
    return kind._replace(bus=kind.bus or "NVMe")


def rows_of(name):
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@cache
def observations():
    return (*_of_facts(), *_of_series(), *_of_bands())


def _of_facts():
    for drive in load().drives.values():
        price = price_of(drive)
        if price is not None and PORTABLE not in drive.segment:
            yield Observation(
                math.log(price.usd / drive.capacity_gb * 1000), year_of(price.day),
                _kind(drive), OFFERS[price.kind], drive.capacity_gb / 1000,
                f"{drive.vendor} {drive.model}", f"{drive.name}, {price.day}",
            )  # fmt: skip


def _of_series():
    drives = load().drives
    for row in rows_of("price_series.csv"):
        price, year, offer = math.log(float(row["typical"])), year_of(row["day"]), row["price_kind"]
        if row["drive_id"]:
            drive = drives[row["drive_id"]]
            yield Observation(
                price, year, _kind(drive), OFFERS[offer], drive.capacity_gb / 1000,
                f"{drive.vendor} {drive.model}", f"{drive.name}, {row['day']}",
            )  # fmt: skip
        else:
            yield Observation(
                price, year, PriceKind(*CLASSES[row["price_class"]]), OFFERS[offer], 1.0,
                f"deal {row['price_class']}", f"{row['price_class']}, deals, {row['day']}",
                math.hypot(0.06, 0.3 / math.sqrt(int(row["count"]))), is_drive=False,
            )  # fmt: skip


def _of_bands():
    for row in rows_of("price_bands.csv"):
        offer = OFFERS.get(row["price_kind"])
        if row["source_id"] == "catalogue-prices" or offer in (None, "deal") or _is_of_drive(row):
            continue
        yield Observation(
            math.log(float(row["typical"])), _year_of_band(row),
            PriceKind(*CLASSES[row["price_class"]]), offer, 30.0 if offer == "index" else 1.0,
            f"{row['price_kind']} {row['price_class']}",
            f"{row['price_class']}, {row['period']}",
            math.hypot(0.1, 0.5 / math.sqrt(int(row["count"]))), is_drive=False,
        )  # fmt: skip


def _is_of_drive(row):
    """Whether the prices of the band are in the series, drive by drive."""
    return row["period"].endswith("premium 2TB") or row["period"] == "2026-02"


def _year_of_band(row):
    quarter = re.match(r"(\d{4})Q(\d)", row["period"])
    month = re.match(r"\d{4}-\d\d", row["period"])
    if quarter:
        return int(quarter[1]) + (int(quarter[2]) - 0.5) / 4
    if month:
        return year_of(month[0])
    year = int(row["year"])
    return LISTED[year] if "listings" in row["period"] else year + 0.5


def _weights(knots, year):
    place = np.interp(year, knots, np.arange(knots.size))
    return np.maximum(0.0, 1 - np.abs(np.arange(knots.size) - place))


class Fit:
    """Fit to some observations: what is known of the others is blind."""

    def __init__(self, seen: Iterable[Observation], start: "Fit | None" = None):
        self.seen = tuple(seen)
        self.steps = list(EXPECTED)
        self.walks = [
            ("client", CLIENT, WALK), ("enterprise", BESIDE, WALK_BESIDE),
            ("deal", QUARTERS, WALK_DEALS), ("index", OF_INDEX, WALK_PUBLISHED),
        ]  # fmt: skip
        self.knots = {name: knots for name, knots, _ in self.walks}
        starts = np.cumsum([0] + [knots.size for _, knots, _ in self.walks])
        self.at = {name: slice(*starts[n : n + 2]) for n, (name, *_) in enumerate(self.walks)}
        self.place = {name: int(starts[-1]) + n for n, name in enumerate(self.steps)}
        self.shared = int(starts[-1]) + len(self.steps)
        names = sorted({one.family for one in self.seen if one.offer not in ("deal", "index")})
        self.family = {name: self.shared + n for n, name in enumerate(names)}
        self._solve(start)

    def _row(self, one, *, is_whole=True):
        row = np.zeros(self.shared + len(self.family) if is_whole else self.shared)
        is_enterprise = one.kind.segment == "enterprise"
        row[self.at["client"]] = _weights(CLIENT, one.year)
        if is_enterprise:
            row[self.at["enterprise"]] = _weights(BESIDE, one.year)
        for name in ("deal", "index"):
            if one.offer == name:
                row[self.at[name]] = _weights(self.knots[name], one.year)
        for name, times in steps_of(one.kind).items():
            row[self.place[name]] = times
        if one.offer != "street":
            row[self.place[one.offer]] = 1.0
        if is_whole and one.family in self.family:
            row[self.family[one.family]] = 1.0
        return row

    def _prior(self):
        size = self.shared + len(self.family)
        rows, values = [], []

        def add(places, sd, value=0.0):
            row = np.zeros(size)
            for place, sign in places:
                row[place] = sign / sd
            rows.append(row)
            values.append(value / sd)

        for name, knots, walk in self.walks:
            first = self.at[name].start
            for n in range(1, knots.size):
                add(
                    [(first + n, 1), (first + n - 1, -1)], walk * math.sqrt(knots[n] - knots[n - 1])
                )
        add([(self.at["deal"].start + int(np.searchsorted(QUARTERS, 2024)), 1)], 0.05)
        add([(self.at["index"].start, 1)], 0.05)
        for name, (middle, sd) in EXPECTED.items():
            add([(self.place[name], 1)], sd, middle)
        for name, place in self.family.items():
            is_series = any(name.startswith(word) for word in ("street listing", "average"))
            add([(place, 1)], OF_SERIES if is_series else OF_FAMILY)
        return np.array(rows), np.array(values)

    def _solve(self, start):
        prior, expected = self._prior()
        prior, expected = prior.T @ prior, prior.T @ expected
        rows = np.array([self._row(one) for one in self.seen])
        prices = np.array([one.log_price for one in self.seen])
        sd = np.array([one.sd for one in self.seen])
        sizes = np.array([one.size_tb for one in self.seen])
        fixed_at = self.place["fixed_usd"]
        weights, fixed = np.ones(prices.size), 20.0
        levels = prices.copy()
        if start is not None:
            known = dict(zip(map(id, start.seen), start.weights, strict=True))
            weights = np.array([known[id(one)] for one in self.seen])
            fixed = start.value("fixed_usd")
        for _ in range(25 if start else 40):
            per_tb = np.exp(levels) * sizes
            slope = 1 / (per_tb + fixed)
            rows[:, fixed_at] = slope
            target = prices - np.log1p(fixed / per_tb) + slope * fixed
            root = np.sqrt(weights) / sd
            whole = rows * root[:, None]
            normal, right = prior + whole.T @ whole, expected + whole.T @ (target * root)
            free = np.ones(right.size, bool)
            while True:
                found = np.zeros(right.size)
                found[free] = np.linalg.solve(normal[np.ix_(free, free)], right[free])
                below = [self.place[n] for n in NOT_NEGATIVE if found[self.place[n]] < -1e-12]
                if not below:
                    break
                free[below] = False
            fixed = found[fixed_at]
            before, levels = levels, rows @ found - slope * fixed
            errors = (prices - levels - np.log1p(fixed / (np.exp(levels) * sizes))) / sd
            weights = (TAILS + 1) / (TAILS + errors**2)
            if np.max(np.abs(levels - before)) < (1e-4 if start else 1e-6):
                break
        self.found, self.weights = found, weights
        self.covariance = np.zeros_like(normal)
        self.covariance[np.ix_(free, free)] = np.linalg.inv(normal[np.ix_(free, free)])
        self.covariance = self.covariance[: self.shared, : self.shared]

    def value(self, name):
        return float(self.found[self.place[name]])

    def sd(self, name):
        return math.sqrt(self.covariance[self.place[name], self.place[name]])

    def figure(self, one):
        """Return the logarithm of the price per TB of an observation, and the spread of it.

        The spread is that of index and steps, as if they were independent.
        """
        row = self._row(one, is_whole=False)
        level = row @ self.found[: self.shared]
        index = self.index(one.kind.segment, one.year)
        steps = [times * self.sd(name) for name, times in steps_of(one.kind).items()]
        fixed = self.value("fixed_usd") / (math.exp(level) * one.size_tb)
        return level + math.log1p(fixed), math.hypot(
            math.sqrt(index @ self.covariance @ index), *steps
        )

    def index(self, segment, year):
        """Return the row of the index of a segment."""
        row = np.zeros(self.shared)
        row[self.at["client"]] = _weights(CLIENT, year)
        if segment == "enterprise":
            row[self.at["enterprise"]] = _weights(BESIDE, year)
        return row

    def change(self, segment, before, after):
        """Return the logarithm of an index over that of an earlier day, and the variance of it."""
        row = self.index(segment, after) - self.index(segment, before)
        return float(row @ self.found[: self.shared]), float(row @ self.covariance @ row)


def steps_of(kind: PriceKind):
    """Return the steps that the logarithm of a price per byte has, and how often."""
    steps = {"dwpd_power": math.log(max(kind.dwpd, LEAST_DWPD))}
    steps |= {"four_bit_step": -1.0} if kind.cell == "QLC" else {}
    steps |= {"two_bit_step": 1.0} if kind.cell in ("MLC", "SLC", "XPoint") else {}
    steps |= {"one_bit_step": 1.0} if kind.cell in ("SLC", "XPoint") else {}
    steps |= {"xpoint_step": 1.0} if kind.cell == "XPoint" else {}
    beside = "enterprise_sata" if kind.segment == "enterprise" else "client_sata"
    steps |= {beside: 1.0} if kind.bus == "SATA" else {}
    steps |= {"sas": 1.0} if kind.bus == "SAS" else {}
    return steps | ({"nas": 1.0} if kind.segment == "NAS" else {})


@dataclass(frozen=True)
class LeftOut:
    """A price that a fit had not seen: its error, and how well the indices were known.

    `spread` is that of index and steps; of an offer carried on, `years` are between the two, and
    `of_curve` and `curve_spread` are those of the curve on the later day.
    """

    test: str
    cut: str
    family: str
    name: str
    segment: str
    error: float
    spread: float
    years: float = 0.0
    of_curve: float = 0.0
    curve_spread: float = 0.0


FIELDS = tuple(LeftOut.__dataclass_fields__)
LARGE_TB = 3.8
CUTS = (2014.5, 2015.4, 2016.4, 2017.4, *range(2019, 2026), 2025.75, 2026, 2026.5)
AHEAD = 2.0  # years after a cut that are predicted
APART = 0.25  # years between two offers of a drive
MOST_PAIRS = 8  # offers of a drive beyond which every fourth is taken


@cache
def fitted():
    return Fit(observations())


def families():
    return sorted({one.family for one in observations() if one.is_drive})


def of_family(family):
    """Return the errors of a family that the fit had not seen, and of its carried offers."""
    fit = Fit((one for one in observations() if one.family != family), fitted())
    own = [one for one in observations() if one.family == family and one.is_drive]
    return [*_errors("family", family, fit, own), *_carried(family, fit, own)]


def of_size():
    large = [one for one in observations() if one.is_drive and one.size_tb >= LARGE_TB]
    fit = Fit((one for one in observations() if one not in large), fitted())
    return _errors("size", f"{LARGE_TB} TB", fit, large)


def of_date(cut):
    fit = Fit((one for one in observations() if one.year < cut), fitted())
    later = [one for one in observations() if one.is_drive and cut <= one.year < cut + AHEAD]
    return _errors("date", f"{cut:g}", fit, later)


def _errors(test, cut, fit, held):
    return [
        LeftOut(test, cut, one.family, one.name, one.kind.segment, one.log_price - level, spread)
        for one in held
        for level, spread in (fit.figure(one),)
    ]


def _carried(family, fit, own):
    found = []
    for size in sorted({one.size_tb for one in own}):
        offers = sorted((one for one in own if one.size_tb == size and one.offer == "street"),
                        key=lambda one: one.year)  # fmt: skip
        chosen = offers[::4] if len(offers) > MOST_PAIRS else offers
        for n, first in enumerate(chosen):
            for later in chosen[n + 1 :]:
                years = later.year - first.year
                if years < APART:
                    continue
                moved, variance = fit.change(first.kind.segment, first.year, later.year)
                level, spread = fit.figure(later)
                found.append(LeftOut(
                    "offer", family, family, f"{first.name} to {later.name.split(', ')[1]}",
                    first.kind.segment, later.log_price - first.log_price - moved,
                    math.sqrt(variance), years, later.log_price - level, spread,
                ))  # fmt: skip
    return found


def computed():
    """Return every error of prices that were left out (90 s)."""
    found = [*of_size(), *(one for cut in CUTS for one in of_date(cut))]
    for family in families():
        found += of_family(family)
    return sorted(found, key=lambda one: (one.test, one.cut, one.name))


def stored():
    """Return the errors in `data/price_errors.csv`."""
    return [
        LeftOut(*(float(row[name]) if name in FIELDS[5:] else row[name] for name in FIELDS))
        for row in rows_of("price_errors.csv")
    ]


def of_test(name, left_out):
    return [one for one in left_out if one.test == name]


def drive_spread(left_out):
    """Return the spread of drives around the curve: of the middle half, as of a normal law."""
    return float(np.median([abs(one.error) for one in of_test("family", left_out)]) / 0.6745)


def ends(left_out, *, without=""):
    """Return how many spreads below and above the curve hold 90 % of a new family's drives.

    Each family has the weight one; every side is a split conformal quantile.
    """
    spread = drive_spread(left_out)
    below, above = defaultdict(list), defaultdict(list)
    for one in of_test("family", left_out):
        if one.family != without:
            error = one.error / math.hypot(spread, one.spread)
            below[one.family].append(max(0.0, -error))
            above[one.family].append(max(0.0, error))
    return conformal_half(below, coverage=0.95), conformal_half(above, coverage=0.95)


def offer_drift(left_out, *, without=""):
    """Return the spread that a year adds to an offer beside its class; families weigh the same."""
    by_family = defaultdict(list)
    for one in of_test("offer", left_out):
        if one.family != without:
            excess = one.error**2 - one.spread**2 - 2 * OF_OFFER**2
            by_family[one.family].append(max(0.0, excess) / one.years)
    return math.sqrt(np.mean([np.mean(each) for each in by_family.values()]))


def quarterly(name):
    """Return the logarithm of a series by quarter, weighted by the number of its prices."""
    by_quarter = defaultdict(list)
    for row in rows_of("price_series.csv"):
        if (row["drive_id"] or row["price_class"]) == name and (
            row["drive_id"] or row["price_kind"] == "deal"
        ):
            year, month = map(int, row["day"].split("-")[:2])
            by_quarter[4 * year + (month - 1) // 3].append(
                (float(row["count"]), math.log(float(row["typical"])))
            )
    return {
        quarter: sum(n * price for n, price in each) / sum(n for n, _ in each)
        for quarter, each in by_quarter.items()
    }


TRENDS = ("client NVMe TLC", "client SATA TLC", "samsung-990-pro-2000gb")


def changes(name):
    """Return the changes of a series in pairs of following quarters."""
    prices = quarterly(name)
    return [
        (prices[n] - prices[n - 1], prices[n + 1] - prices[n])
        for n in sorted(prices)
        if n - 1 in prices and n + 1 in prices
    ]


def persistence(names=TRENDS):
    pairs = np.array([pair for name in names for pair in changes(name)])
    return float(np.clip(pairs[:, 0] @ pairs[:, 1] / (pairs[:, 0] @ pairs[:, 0]), 0, 0.9))


def trend_errors():
    """Return by series the errors of expected changes; the share that goes on is of the others."""
    return {
        name: [after - persistence([n for n in TRENDS if n != name]) * before
               for before, after in changes(name)]
        for name in TRENDS
    }  # fmt: skip


def change_spread(errors):
    """Return the spread of a quarter's change: 90 % lie within 1.645 of it."""
    return float(np.quantile(np.abs(np.concatenate([*errors.values()])), 0.9) / NORMAL)


def curve_rows(left_out):
    """Return the rows of `data/price_curve.csv`: name, value, standard deviation, meaning."""
    fit = fitted()
    below, above = ends(left_out)
    trend = trend_errors()
    source = "tests.price_fit: facts.csv, price_series.csv, price_bands.csv"
    rows = [
        (name, fit.value(name), fit.sd(name), MEANINGS[name], source)
        for name in EXPECTED
        if name in MEANINGS
    ]
    blind = "tests.price_fit: price_errors.csv"
    rows += [
        ("drive_spread", drive_spread(left_out), 0, "spread of drives around the curve", blind),
        ("spreads_below", below, 0, "spreads from the curve to the low end", blind),
        ("spreads_above", above, 0, "spreads from the curve to the high end", blind),
        ("offer_spread", OF_OFFER, 0, "spread of the offers of one drive on a day; assumed", blind),
        ("offer_drift", offer_drift(left_out), 0,
         "spread that a year adds to an offer beside its class", blind),
        ("index_walk", WALK, 0, "spread that a year past its end adds to an index; assumed", blind),
        ("trend_persistence", persistence(), 0, "share of a quarter's change that goes on",
         "price_series.csv: quarters of deals and of a drive"),
        ("change_spread", change_spread(trend), 0, "spread of a quarter's change around that",
         "price_series.csv: quarters of deals and of a drive"),
    ]  # fmt: skip
    return rows


def index_rows():
    """Return the rows of `data/price_index.csv`: USD per TB of the reference class by segment."""
    fit, rows = fitted(), []
    for segment in ("client", "enterprise"):
        for year in sorted({*CLIENT, *BESIDE}):
            row = fit.index(segment, year)
            level = float(row @ fit.found[: fit.shared])
            spread = math.sqrt(row @ fit.covariance @ row)
            to_last = math.sqrt(fit.change(segment, year, CLIENT[-1])[1])
            rows.append((segment, f"{year:g}", f"{math.exp(level):.4g}", f"{spread:.3f}",
                         f"{to_last:.3f}"))  # fmt: skip
    return rows


def _text(header, rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def curve_text(left_out):
    return _text(
        ("coefficient", "value", "log_sd", "meaning", "source"),
        [(name, f"{value:.4g}", f"{sd:.3f}" if sd else "", meaning, source)
         for name, value, sd, meaning, source in curve_rows(left_out)],
    )  # fmt: skip


def index_text():
    return _text(("segment", "year", "usd_per_tb", "log_sd", "log_sd_to_last"), index_rows())


def errors_text(left_out):
    numbers = FIELDS[5:]
    return _text(
        FIELDS,
        [[f"{getattr(one, name):.3f}" if name in numbers else getattr(one, name)
          for name in FIELDS] for one in left_out],
    )  # fmt: skip


def page(left_out):
    """Return `docs/evidence/prices.md`."""
    fit, counts = fitted(), Counter(one.offer for one in observations())
    drives = sum(one.is_drive for one in observations())
    spread, drift = drive_spread(left_out), offer_drift(left_out)
    lines = [
        PAGE_HEAD.format(
            drives=drives, families=len(families()), all=len(observations()),
            street=counts["street"], list=counts["list"], deal=counts["deal"],
            rest=sum(counts[name] for name in ("floor", "used", "index", "page")),
            power=fit.value("dwpd_power"), fixed=fit.value("fixed_usd"),
            three=3 ** fit.value("dwpd_power"), qlc=math.exp(-fit.value("four_bit_step")),
            mlc=math.exp(fit.value("two_bit_step")), sas=math.exp(fit.value("sas")),
            sata=math.exp(fit.value("client_sata")),
        ),
        "| left out | prices | median ratio | within the 90 % interval |", "|---|---|---|---|",
        *(_line(*row) for row in _tested(left_out)),
        PAGE_DATES.format(late=_enterprise_since(2022), newest=_enterprise_since(2026)),
        "| cut | prices in the two years after | median ratio | within |", "|---|---|---|---|",
        *(_line(cut, *_summary(_of_cut(left_out, cut), left_out)) for cut in _cuts(left_out)),
        PAGE_OFFERS.format(drift=drift, spread=spread),
        "| of one drive, family left out | pairs | own offer | curve | both | both within |",
        "|---|---|---|---|---|---|",
        *_offer_lines(left_out),
        PAGE_WAITING.format(
            kept=persistence(), half=100 * math.exp(NORMAL * change_spread(trend_errors())) - 100,
            within=_trend_within(), pairs=sum(map(len, trend_errors().values())),
        ),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _enterprise_since(year):
    return sum(
        one.is_drive and one.kind.segment == "enterprise" and one.year >= year
        for one in observations()
    )


def _line(*cells):
    return f"| {' | '.join(map(str, cells))} |"


def _inside(one, sides, spread):
    error = one.error / math.hypot(spread, one.spread)
    return -sides[0] <= error <= sides[1]


def _summary(held, left_out, *, is_nested=False):
    """Return the number of prices, the median of price over curve, and the share inside."""
    spread, whole = drive_spread(left_out), ends(left_out)
    own = {name: ends(left_out, without=name) if is_nested else whole
           for name in {one.family for one in held}}  # fmt: skip
    inside = np.mean([_inside(one, own[one.family], spread) for one in held])
    ratio = math.exp(np.median([one.error for one in held]))
    return len(held), f"{ratio:.2f}", f"{inside:.0%}".replace("%", " %")


def _tested(left_out):
    found = of_test("family", left_out)
    yield "its family", *_summary(found, left_out, is_nested=True)
    for segment in ("client", "NAS", "enterprise"):
        held = [one for one in found if one.segment == segment]
        yield f"its family, {segment}", *_summary(held, left_out, is_nested=True)
    size = of_test("size", left_out)
    yield f"every price of {LARGE_TB} TB or more", *_summary(size, left_out)
    shares = [np.mean([_inside(one, ends(left_out), drive_spread(left_out))
                       for one in _of_cut(left_out, cut)]) for cut in _cuts(left_out)]  # fmt: skip
    dates = of_test("date", left_out)
    number, ratio, _ = _summary(dates, left_out)
    yield (
        "all after a date, dates alike",
        number,
        ratio,
        f"{np.mean(shares):.0%}".replace("%", " %"),
    )


def _of_cut(left_out, cut):
    return [one for one in of_test("date", left_out) if one.cut == cut]


def _cuts(left_out):
    return sorted({one.cut for one in of_test("date", left_out)}, key=float)


def joined_errors(left_out, family):
    """Return errors of own offers, of the curve and of both together, and whether these hold.

    What a year adds is that of the other families.
    """
    drift, spread = offer_drift(left_out, without=family), drive_spread(left_out)
    rows = []
    for one in of_test("offer", left_out):
        if one.family == family:
            own = math.sqrt(2 * OF_OFFER**2 + one.spread**2 + drift**2 * one.years)
            curve = math.hypot(spread, one.curve_spread)
            both = joined([one.error, one.of_curve], halves=[NORMAL * own, NORMAL * curve],
                          degrees=[1e3, 1e3], witness_correlation=0.0)  # fmt: skip
            rows.append((one.error, one.of_curve, both.middle, abs(both.middle) <= both.half))
    return np.array(rows, float)


def offer_families(left_out):
    return sorted({one.family for one in of_test("offer", left_out)})


def _offer_lines(left_out):
    whole = []
    for family in offer_families(left_out):
        rows = joined_errors(left_out, family)
        squares, inside = np.mean(rows[:, :3] ** 2, axis=0), np.mean(rows[:, 3])
        whole.append((*squares, inside))
        yield _line(family, len(rows), *(f"{error:.2f}" for error in np.sqrt(squares)),
                    f"{inside:.0%}".replace("%", " %"))  # fmt: skip
    mean = np.mean(whole, axis=0)
    yield _line("families alike", "", *(f"{error:.2f}" for error in np.sqrt(mean[:3])),
                f"{mean[3]:.0%}".replace("%", " %"))  # fmt: skip


def _trend_within():
    errors = trend_errors()
    inside = [
        abs(error) <= NORMAL * change_spread({other: errors[other] for other in TRENDS
                                              if other != name})
        for name in TRENDS for error in errors[name]
    ]  # fmt: skip
    return f"{np.mean(inside):.0%}".replace("%", " %")


PAGE_HEAD = """# Prices

Written by `python -m tests.price_fit --page`; a test compares it with `data/price_errors.csv`.

A drive without an offer costs P = F + p f D^d C (`models/drive_price.py`). F is fixed. The price
per byte p follows the index of its segment on the day. Bus, cells and segment are factors f, D is
the rating in drive writes per day. So more drive writes per day never cost less, QLC never costs
more than TLC nor TLC more than MLC, and a larger drive never less than a smaller one.

Fitted to {drives} prices of drives in {families} families and to series and bands of classes,
{all} in all: {street} of shops, {list} list prices, {deal} months of deal posts, {rest} others.
Prices far from all others count less (Student's t); each kind of offer has a step beside what shops
ask. Sources: `price_usd` of `data/facts.csv`, `data/price_series.csv`, `data/price_bands.csv`.

Found: F = {fixed:.0f} USD; d = {power:.2f}, so 3 drive writes per day cost {three:.2f} times what 1
does. QLC costs {qlc:.2f} and MLC {mlc:.2f} times TLC, client SATA {sata:.2f} times NVMe. SAS costs
{sas:.2f} times enterprise NVMe, by three old listings.

## Errors on prices that were left out

Ratio is price over curve. The interval is that of one drive: index, factors and drives together;
its ends are quantiles of the errors of other families.
"""
PAGE_DATES = """
Of enterprise drives only {late} prices are later than 2021: their figures rest on prices of 2014 to
2017, on listings of classes to 2025 and on {newest} retail prices of 2026.

Fitted to what was known before a date, and compared with prices after it. The index is carried as
a random walk without a trend, so it misses direction: the fall of 2014 and of 2019, the rise from
late 2025 on. Its width holds most of that.
"""
PAGE_OFFERS = """
## Offers of a drive, carried to a later day

An offer is carried by the index of its class. Beside its class a drive drifts by {drift:.2f} in
logarithms a year (standard deviation); drives spread by {spread:.2f} around the curve. Offer and
curve are joined by inverse variance, which is nearer than either: root mean square errors, in
logarithms.
"""
PAGE_WAITING = """
Only four families have two dated prices, and one of them most of the pairs.

## Waiting

A quarter's change goes on in the next by {kept:.2f} of it; around that, 90 % of quarters lie within
{half:.0f} %. With constants of the other series {within} of {pairs} quarters are inside.
"""


def main():
    """Write the tables; with `--page` the page too."""
    (DATA / "price_errors.csv").write_text(errors_text(computed()), encoding="utf-8")
    left_out = stored()
    (DATA / "price_curve.csv").write_text(curve_text(left_out), encoding="utf-8")
    (DATA / "price_index.csv").write_text(index_text(), encoding="utf-8")
    if "--page" in sys.argv:
        PAGE.write_text(page(left_out), encoding="utf-8")


if __name__ == "__main__":
    main()
