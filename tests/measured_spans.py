"""Calibration: curves through a few points of a drive against all that was measured of it.

Run `python -m tests.measured_spans > docs/evidence/measured-spans.md` to write the page.

Every row of `data/measured_spans.csv`, with the constants that the planner takes; and 2,000 drives
drawn from the prior, each read with the errors that the prior states.
"""

import csv
import math
import sys
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from models.calibration import IopsPoint, Prior, WaPoint, calibrated
from models.errors import DomainError
from models.units import GIB
from models.write_amplification import fifo, fifo_op_ratio
from planner.catalogue import data_folder, load

SWEPT = "micron-7450-pro-960gb"  # measured over seven spans
NOMINAL = 1024 * GIB
FULL, PART = 894.3 * GIB, 596.2 * GIB
LEAST = 447 * GIB  # spans of half of the drive and more
DRAWS, SEED = 2000, 20
DESIGNS = {
    "write amplification, full": ([FULL], []),
    "two rates": ([], [FULL, PART]),
    "both": ([FULL], [FULL, PART]),
    "four rates": ([], [FULL, 745 * GIB, PART, 447 * GIB]),
}
QUANTITIES = ("raw_bytes", "base_factor", "copy_cost", "program_iops")


@cache
def measured():
    """Points by drive, readings of one span as they are."""
    points = {}
    with (data_folder() / "measured_spans.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            span = float(row["span_gib"]) * GIB
            is_wa = bool(row["wa"])
            value = float(row["wa"] or row["write_iops"])
            point = WaPoint(value, span) if is_wa else IopsPoint(value, span)
            points.setdefault(row["drive_id"], []).append(point)
    return points


@cache
def swept():
    """The mean rate of the swept drive by span."""
    rates = {}
    for point in measured()[SWEPT]:
        if isinstance(point, IopsPoint):
            rates.setdefault(point.span_bytes, []).append(point.iops)
    return {span: float(np.mean(values)) for span, values in sorted(rates.items())}


def rate(span):
    return IopsPoint(swept()[span], span)


def full_wa():
    return next(point for point in measured()[SWEPT] if isinstance(point, WaPoint))


def given():
    """What is taken of the swept drive, by what the table calls it."""
    return {
        "nothing": [],
        "write amplification, full": [full_wa()],
        "one rate, full": [rate(FULL)],
        "write amplification and rate, full": [full_wa(), rate(FULL)],
        "rates, full and 596 GiB": [rate(FULL), rate(PART)],
        "all three": [full_wa(), rate(FULL), rate(PART)],
    }


class Missed(NamedTuple):
    """By how much a curve misses a measured rate, and whether the rate is in its interval."""

    span: float
    error: float
    is_inside: bool


@cache
def fitted(name):
    return calibrated(given()[name], nominal_raw_bytes=NOMINAL)


def missed(fit):
    """How a curve meets every measured rate; none without a rate among its points."""
    if math.isnan(fit.program_iops):
        return []
    curve = {span: fit.iops(span) for span in swept()}
    return [
        Missed(span, at.typical / swept()[span] - 1, at.low <= swept()[span] <= at.high)
        for span, at in curve.items()
    ]


@cache
def pairs():
    """Every two of the seven rates, and how their curve meets the other five."""
    found = {}
    for spans in combinations(swept(), 2):
        fit = calibrated([rate(span) for span in spans], nominal_raw_bytes=NOMINAL)
        found[spans] = [one for one in missed(fit) if one.span not in spans]
    return found


class Drawn(NamedTuple):
    """A drive from the prior."""

    raw_bytes: float
    base_factor: float
    copy_cost: float
    program_iops: float


def drawn(rng, prior):
    """A drive with room for the full span; the grid of the posterior takes no part."""
    while True:
        raw = NOMINAL * rng.normal(prior.raw_ratio, prior.raw_ratio_sd)
        base = rng.normal(prior.base_factor, prior.base_factor_sd)
        if raw > 1.01 * FULL and 1 <= base <= 1.08:
            cost = prior.copy_cost * math.exp(prior.copy_cost_log_sd * rng.normal())
            return Drawn(raw, base, cost, 3e5)


def read(rng, drive, was, rates, prior):
    """Points of a drive, each with the error of its reading and that of the law."""

    def at(span, point):
        law = fifo(drive.raw_bytes / span - 1)
        cost = drive.base_factor * law + drive.copy_cost * (law - 1)
        exact = drive.base_factor * law if isinstance(point, WaPoint) else drive.program_iops / cost
        off = math.exp(math.hypot(prior.law_error, point.error) * rng.normal())
        return type(point)(max(1.0, off * exact), span)

    return [at(span, WaPoint(1.0, span)) for span in was] + [
        at(span, IopsPoint(1.0, span)) for span in rates
    ]


def coverage(design, draws, seed=SEED):
    """Share of drawn drives that lie in their interval of 90 %, by quantity."""
    rng, prior = np.random.default_rng(seed), Prior()
    inside = dict.fromkeys(QUANTITIES if DESIGNS[design][1] else QUANTITIES[:3], 0)
    for _ in range(draws):
        drive = drawn(rng, prior)
        points = read(rng, drive, *DESIGNS[design], prior)
        try:
            fit = calibrated(points, nominal_raw_bytes=NOMINAL)
        except DomainError:
            continue  # readings so far off that they are refused count as outside
        for name in inside:
            low, _, high = fit.spread(name)
            inside[name] += low <= getattr(drive, name) <= high
    return {name: count / draws for name, count in inside.items()}


def page():
    parts = (_head(), curve_table(), _pairs(), cause(), _flash(), _coverage())
    return "".join(f"{line}\n" for part in parts for line in part)


def _head():
    yield from (
        "# Curves through measured points", "",
        "Written by `python -m tests.measured_spans > docs/evidence/measured-spans.md`; the rows",
        "are those of `data/measured_spans.csv`, computed from the logs of SSD-iq (PVLDB 18(11),",
        "2025).",
        "Constants are those of `models.calibration.Prior`. None was fitted to the rates of the",
        "swept drive; its write amplification is one of the three from which the prior of the",
        "flash comes.", "",
        "## Micron 7450 PRO 960 GB over seven spans", "",
        "Errors in % of the measured steady rate; the points that were given are among them. An",
        "exclamation mark: the measured rate lies outside the interval of 90 %.", "",
    )  # fmt: skip


def curve_table():
    spans = list(swept())
    names = " | ".join(f"{span / GIB:.0f} GiB" for span in spans)
    yield (
        f"| given | flash, GiB | copy cost | write amplification, full | {names} "
        "| mean from 447 GiB | worst from 447 GiB |"
    )
    yield f"|---|---|---|---|{'---|' * len(spans)}---|---|"
    for name in given():
        fit = fitted(name)
        flash, wa = fit.spread("raw_bytes"), fit.wa(FULL)
        errors = missed(fit)
        cells = " | ".join(
            f"{100 * one.error:+.1f}{'' if one.is_inside else ' !'}" for one in errors
        )
        off = [abs(one.error) for one in errors if one.span >= LEAST]
        ends = f"{100 * np.mean(off):.1f} | {100 * max(off):.1f}" if off else " | "
        yield (
            f"| {name} | {flash.typical / GIB:.0f} ({flash.low / GIB:.0f} to "
            f"{flash.high / GIB:.0f}) | {fit.copy_cost:.2f} | {wa.typical:.2f} ({wa.low:.2f} to "
            f"{wa.high:.2f}) | {cells or ' | ' * (len(spans) - 1)} | {ends} |"
        )


def _pairs():
    every = [one for others in pairs().values() for one in others]
    whole = [one for spans, others in pairs().items() if FULL in spans for one in others]
    yield from (
        "", "One rate alone identifies no curve.", "",
        "## From any two rates to the other five", "",
        "| of the pairs | rates | mean error | worst error | inside 90 % |",
        "|---|---:|---:|---:|---:|",
        _row("all 21", every), _row("6 with the full drive", whole), "",
        "Without the full drive the flash stays open, and with it the rate of the full drive; its",
        "interval says so.",
    )  # fmt: skip


def without_prior(raw_bytes=None):
    """Fit flash, copy cost and program rate to all rates, with nothing assumed of any.

    Returns flash, copy cost, and the worst error; the flash may be given.
    """
    spans, rates = np.array(list(swept())), np.array(list(swept().values()))
    flash = np.linspace(1.01 * FULL, 1.3 * FULL, 300) if raw_bytes is None else [raw_bytes]
    fits = []
    for raw in flash:
        law = fifo(raw / spans - 1)
        for copy_cost in np.linspace(0, 2, 201):
            ratio = np.log(rates * (law + copy_cost * (law - 1)))  # the program rate is its middle
            fits.append(((ratio.max() - ratio.min()) / 2, raw, copy_cost))
    worst, raw, copy_cost = min(fits)
    return raw, copy_cost, worst


def cause():
    raw, copy_cost, worst = without_prior()
    of_wa = FULL * (1 + fifo_op_ratio(full_wa().wa / Prior().base_factor))
    _, other_cost, other = without_prior(of_wa)
    yield ""
    yield "Two rates leave one of flash, copy cost and program rate to the prior. With nothing"
    yield f"assumed, all seven rates are met within {100 * worst:.1f} % by {raw / GIB:,.0f} GiB"
    yield f"and a copy cost of {copy_cost:.2f}; but of that flash the full drive would have a write"
    yield f"amplification of {fifo(raw / FULL - 1):.2f}, and {full_wa().wa:g} were measured. The"
    yield f"{of_wa / GIB:,.0f} GiB of that reading meet the rates within {100 * other:.1f} %"
    yield f"at best (copy cost {other_cost:.2f}). No curve meets both measurements of"
    yield "this drive: the prior follows the write amplification, and a curve through two rates"
    yield "carries what it misses of both to the others."


def _row(name, others):
    off = [abs(one.error) for one in others]
    inside = np.mean([one.is_inside for one in others])
    return (
        f"| {name} | {len(off)} | {100 * np.mean(off):.1f} % | {100 * max(off):.1f} % "
        f"| {100 * inside:.0f} % |"
    )


def _flash():
    yield from (
        "", "## Flash from one write amplification", "",
        "| drive | measured over the full drive | flash over its power of two | 90 % |",
        "|---|---:|---:|---|",
    )  # fmt: skip
    for drive_id, points in measured().items():
        point = next(one for one in points if isinstance(one, WaPoint))
        power = GIB * 2.0 ** math.ceil(math.log2(point.span_bytes / GIB))
        low, typical, high = calibrated([point], nominal_raw_bytes=power).spread("raw_bytes")
        yield (
            f"| {load().drives[drive_id].name} | {point.wa:g} | {typical / power:.3f} "
            f"| {low / power:.3f} to {high / power:.3f} |"
        )


def _coverage():
    yield from (
        "", f"## {DRAWS:,} drives drawn from the prior", "",
        "Share in its interval of 90 %; 88 to 92 % is three standard errors.", "",
        f"| given | {' | '.join(QUANTITIES)} |", f"|---|{'---:|' * len(QUANTITIES)}",
    )  # fmt: skip
    for design in DESIGNS:
        shares = coverage(design, DRAWS)
        cells = (f"{100 * shares[name]:.1f} %" if name in shares else "" for name in QUANTITIES)
        yield f"| {design} | {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.stdout.write(page())
