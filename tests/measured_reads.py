"""Read latency beside writes: formulas against drives that were measured.

Run `python -m tests.measured_reads > docs/measured-reads.md` to write the page.

Every load of `data/measured_reads.csv` below saturation, three percentiles each: with what the
data sheet prints and the flash by generation alone; with the constants fitted to the other drives;
and with slices fitted to a few of the drive's own percentiles.
"""

import csv
import sys
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from models import latency_tail
from models.latency_tail import suspended_reads
from models.units import US
from planner.catalogue import data_folder, load
from planner.catalogue.drive import Drive
from planner.catalogue.priors import with_assumptions
from planner.catalogue.priors_flash import generation_of

LEVELS = (0.5, 0.99, 0.999)
NAMES = ("p50", "p99", "p99.9")
BELOW = 0.94  # of the measured saturation: the next load of each drive is saturated
OUTSTANDING = 448  # writes: 7 threads of 64
BANDS = ((0.0, 0.3), (0.3, 0.6), (0.6, BELOW))


class Load(NamedTuple):
    """One load of one drive; `share` is that of the measured saturation."""

    drive: Drive
    write_iops: float
    read_iops: float
    share: float
    read_s: tuple[float, ...]
    write_s: tuple[float, ...]

    @property
    def fraction(self):
        """Load over the printed steady rate."""
        return self.write_iops / self.drive.value("steady_write_iops")


class Flash(NamedTuple):
    """What is taken of a drive's flash."""

    unloaded_s: float
    die_read_s: float
    dies: float
    program_s: float
    erase_s: float
    programs_per_block: float


@cache
def measured():
    """Return every load of every drive, saturated ones too."""
    with (data_folder() / "measured_reads.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    most = {row["drive_id"]: 0.0 for row in rows}
    for row in rows:
        most[row["drive_id"]] = max(most[row["drive_id"]], float(row["write_iops"]))
    return [
        Load(
            load().drives[row["drive_id"]], float(row["write_iops"]), float(row["read_iops"]),
            float(row["write_iops"]) / most[row["drive_id"]],
            *(tuple(float(row[f"{kind}_{p}_us"]) * US for p in ("p50", "p99", "p999"))
              for kind in ("read", "write")),
        )
        for row in rows
    ]  # fmt: skip


@cache
def loads():
    """Return the loads below saturation."""
    return [load for load in measured() if load.share < BELOW]


@cache
def drives():
    """Return the drives measured, by their ids."""
    return {load.drive.drive_id: load.drive for load in measured()}


@cache
def flash(drive_id):
    """Return times of a drive's flash by generation, and its read latency as printed."""
    drive = drives()[drive_id]
    generation, assumed = generation_of(drive), with_assumptions(drive)
    read_s, erase_s = (generation.spans[name][1] for name in ("read_s", "erase_s"))
    printed_s = drive.value("read_latency_s") or np.inf
    return Flash(
        latency_tail.unloaded_read_s(read_s, printed_s=printed_s), read_s,
        max(1.0, round(assumed.value("raw_bytes") / assumed.value("die_bytes"))),
        generation.one_shot_s[1], erase_s, generation.programs_per_block,
    )  # fmt: skip


def typical(drive_id):
    """Return the slices that a drive is taken to have."""
    own = flash(drive_id)
    return latency_tail.typical_suspension(
        own.program_s, erase_s=own.erase_s, programs_per_block=own.programs_per_block
    )


def modelled(load, suspension=None):
    """Return the percentiles of a load by formula."""
    own = flash(load.drive.drive_id)
    return latency_tail.read_latency_beside_writes_s(
        LEVELS, load_fraction=load.fraction, unloaded_s=own.unloaded_s,
        suspension=suspension or typical(load.drive.drive_id),
        read_load=latency_tail.ReadLoad(load.read_iops, own.dies, own.die_read_s),
    )  # fmt: skip


@cache
def ratios():
    """Return formula over measurement: a row for each load, a column for each percentile."""
    return np.array([modelled(load) / np.array(load.read_s) for load in loads()])


def factors(values):
    """Return how far off, up or down."""
    return np.exp(np.abs(np.log(values)))


# Constants fitted without a drive


def fitted_constants(those):
    """Return waiting ratio, slices of programs and of erases that fit best, as ratios.

    Least squares of the logarithm with equal weight to each drive. The growth of slices stays as
    it is: two drives do not tell it from the slice itself.
    """
    ids = {load.drive.drive_id for load in those}
    weights = {name: sum(load.drive.drive_id == name for load in those) ** -0.5 for name in ids}
    shipped = np.array([
        suspended_reads.WAITING_RATIO, suspended_reads.SLICE_RATIO,
        suspended_reads.ERASE_SLICE_RATIO,
    ])  # fmt: skip

    def misses(logs):
        return np.concatenate([
            weights[load.drive.drive_id]
            * np.log(_quick(load, *np.exp(logs)) / np.array(load.read_s))
            for load in those
        ])  # fmt: skip

    return np.exp(least_squares(misses, np.log(shipped), diff_step=1e-3).x)


def with_constants(drive_id, waiting, program, erase):
    """Return the slices of a drive by other constants."""
    own = flash(drive_id)
    return typical(drive_id)._replace(
        waiting_ratio=waiting, slice_s=program * own.program_s, erase_slice_s=erase * own.erase_s
    )


def _quick(load, waiting, program, erase):
    """Percentiles of a load where reads hardly wait for each other."""
    drive_id = load.drive.drive_id
    mean, erase_s, waits, erasing = suspended_reads._slices_at_load(
        load.fraction, with_constants(drive_id, waiting, program, erase)
    )
    return latency_tail.suspended_read_latency_s(
        LEVELS, unloaded_s=flash(drive_id).unloaded_s, slice_s=float(mean),
        waiting_share=float(waits), erase_slice_s=float(erase_s), erasing_share=float(erasing),
    )  # fmt: skip


@cache
def without(drive_id):
    """Return the constants that the other drives give."""
    return fitted_constants([load for load in loads() if load.drive.drive_id != drive_id])


@cache
def left_out(drive_id, erase_s=None):
    """Return the constants that the other drives give, and the ratios of this one with them."""
    constants = without(drive_id)
    suspension = with_constants(drive_id, *constants)
    if erase_s is not None:
        suspension = suspension._replace(erase_slice_s=constants[-1] * erase_s)
    own = [load for load in loads() if load.drive.drive_id == drive_id]
    return constants, np.array([modelled(load, suspension) / np.array(load.read_s) for load in own])


# Slices fitted to a drive's own percentiles


@cache
def fitted(drive_id, shares, levels):
    """Return ratios at every load with slices fitted to the loads nearest to these shares."""
    own = [load for load in loads() if load.drive.drive_id == drive_id]
    near = [min(own, key=lambda load: abs(load.share - share)) for share in shares]
    columns = [LEVELS.index(level) for level in levels]
    suspension = latency_tail.fitted_suspension(
        [load.fraction for load in near], quantiles=list(levels),
        latencies_s=[[load.read_s[column] for column in columns] for load in near],
        unloaded_s=flash(drive_id).unloaded_s, prior=typical(drive_id),
    )  # fmt: skip
    return np.array([modelled(load, suspension) / np.array(load.read_s) for load in own])


THREE = ((0.2, 0.5, 0.8), LEVELS)
ONE = ((0.3,), (0.99,))


# The page

OPENING = """# Read latency beside writes: formulas against measured drives

Generated by `python -m tests.measured_reads > docs/measured-reads.md`; a test holds what it says.
Every load of `data/measured_reads.csv` up to 0.94 of the rate at which the drive saturated: uniform
random writes of 4 KiB to the full drive beside some 5,000 reads per second. The formula is
`latency_tail.read_latency_beside_writes_s` with what the data sheet prints (steady write rate, read
latency) and the flash by generation (`data/flash_generations.csv`); nothing of the measurement goes
into it but the load. *Ratio* is formula over measurement, *factor* the same up or down.

The four ratios of `typical_suspension` were fitted to these three drives, then taken from the round
numbers near by: accuracy here is that of a fit. What they are worth elsewhere is shown by leaving
each drive out. How often a die erases, and which drive erases for longer, comes from the flash;
without erases as a part of their own, with as many constants fitted, p99.9 was within 1.5 at 70 %.
"""


def page():
    """Return the page of documentation."""
    lines = [OPENING, *_summary(), *limits(), *_left_out(), *_fitted(), *_writes(), *_every_load()]
    return "\n".join(lines) + "\n"


def _summary():
    yield from ("## Formula and measurement, by load", "")
    yield (
        "| load over saturation | loads | "
        + " | ".join(f"{name}: median ratio, within 1.15 / 1.5 / 2, worst factor" for name in NAMES)
        + " |"
    )
    yield "|---|---:|---|---|---|"
    for low, high in (*BANDS, (0.0, BELOW)):
        rows = [low <= load.share < high for load in loads()]
        yield (
            f"| {low:g} to {high:g} | {sum(rows)} | "
            + " | ".join(_accuracy(ratios()[rows, column]) for column in range(3))
            + " |"
        )


def _accuracy(values):
    off = factors(values)
    shares = " / ".join(f"{100 * np.mean(off <= most):.0f} %" for most in (1.15, 1.5, 2))
    return f"{np.median(values):.2f}, {shares}, {off.max():.2f}"


def targets():
    """Return what is required of all loads together: words, figure reached, figure required."""
    off = factors(ratios())
    three = {name: factors(fitted(name, *THREE))[:, 1:].max() for name in drives()}
    return (
        ("p99 within 1.5, share of loads", np.mean(off[:, 1] <= 1.5), 0.8),
        ("p99.9 within 1.5, share of loads", np.mean(off[:, 2] <= 1.5), 0.7),
        ("p99 and p99.9 within 2, share of loads", np.mean(off[:, 1:] <= 2), 1.0),
        ("p50 within 1.15, share of loads", np.mean(off[:, 0] <= 1.15), 0.55),
        ("p50, worst factor", off[:, 0].max(), 2.7),
        ("three loads known: p99 and p99.9, worst factor", max(three.values()), 1.5),
    )


def is_met(words, figure, required):
    """Whether a target is met: shares from below, factors from above."""
    return figure <= required if "worst" in words else figure >= required - 1e-9


def limits():
    """Yield the table of what is required."""
    yield from ("", "| required | reached | limit | |", "|---|---:|---:|---|")
    for words, figure, required in targets():
        verdict = "met" if is_met(words, figure, required) else "**missed**"
        yield f"| {words} | {figure:.2f} | {required:.2f} | {verdict} |"


def _left_out():
    yield from (
        "", "## Each drive without itself", "",
        "The three ratios fitted to the other two drives (least squares of the logarithm, all",
        "percentiles alike), the growth of slices as shipped; then this drive with them.", "",
        "| left out | waiting | program slice | erase slice | loads | p50 | p99 | p99.9 |",
        "|---|---:|---:|---:|---:|---|---|---|",
    )  # fmt: skip
    for drive_id, drive in drives().items():
        constants, values = left_out(drive_id)
        yield (
            f"| {drive.name} | "
            + " | ".join(f"{value:.3f}" for value in constants)
            + (
                f" | {len(values)} | "
                + " | ".join(_accuracy(values[:, column]) for column in range(3))
                + " |"
            )
        )
    yield from (
        "", "p99.9 is that of reads that meet an erase, and as uncertain as its time, which the",
        "generation gives as a range. The same with the erase of the drive left out at either end:",
        "", "| left out | erase | p99.9 |", "|---|---:|---|",
    )  # fmt: skip
    for (drive_id, drive), end in product(drives().items(), (0, 2)):
        erase_s = generation_of(drive).spans["erase_s"][end]
        yield (
            f"| {drive.name} | {erase_s * 1e3:g} ms | "
            f"{_accuracy(left_out(drive_id, erase_s)[1][:, 2])} |"
        )


def _fitted():
    yield from (
        "", "## Slices fitted to a drive's own percentiles", "",
        "`fitted_suspension` from p99 of the load nearest to 0.3 of saturation, and from all three",
        "percentiles at the loads nearest to 0.2, 0.5 and 0.8; accuracy at every load.", "",
        "| drive | fitted to | p50 | p99 | p99.9 |", "|---|---|---|---|---|",
    )  # fmt: skip
    for (drive_id, drive), (words, how) in product(
        drives().items(), (("one p99", ONE), ("three loads", THREE))
    ):
        values = fitted(drive_id, *how)
        cells = " | ".join(_accuracy(values[:, column]) for column in range(3))
        yield f"| {drive.name} | {words} | {cells} |"


def _writes():
    yield from (
        "", "## Writes", "",
        f"Saturated, {OUTSTANDING} writes outstanding wait by Little's law for {OUTSTANDING} over",
        "their rate. Below, a write takes the time of the buffer: the median shows it, p99 does",
        "not: two of the three drives hold writes back for milliseconds far below saturation,",
        "which no printed fact announces and no formula here claims to know.", "",
        "| drive | saturated p50, by law | measured | ratio | p50 below half of it | p99 there |",
        "|---|---:|---:|---:|---|---|",
    )  # fmt: skip
    for drive_id, drive in drives().items():
        own = [load for load in measured() if load.drive.drive_id == drive_id]
        last = own[-1]
        law = OUTSTANDING / last.write_iops
        below = [load.write_s for load in own if load.share < 0.5]
        medians, tails = ([1e6 * times[k] for times in below] for k in (0, 1))
        yield (
            f"| {drive.name} | {1e3 * law:.2f} ms | {1e3 * last.write_s[0]:.2f} ms "
            f"| {law / last.write_s[0]:.2f} | {min(medians):.0f} to {max(medians):.0f} us "
            f"| {min(tails):.0f} to {max(tails):.0f} us |"
        )


def _every_load():
    yield from (
        "", "## Every load and percentile, worst first", "",
        "| drive | writes/s | over saturation | over printed | | measured | formula | ratio |",
        "|---|---:|---:|---:|---|---:|---:|---:|",
    )  # fmt: skip
    cells = [
        (case, column, ratios()[row, column])
        for row, case in enumerate(loads()) for column in range(3)
    ]  # fmt: skip
    for case, column, ratio in sorted(cells, key=lambda cell: -abs(np.log(cell[2]))):
        seen = 1e6 * case.read_s[column]
        yield (
            f"| {case.drive.name} | {case.write_iops:.0f} | {case.share:.2f} "
            f"| {case.fraction:.2f} | {NAMES[column]} | {seen:.0f} us | {seen * ratio:.0f} us "
            f"| {ratio:.2f} |"
        )


if __name__ == "__main__":
    sys.stdout.write(page())
