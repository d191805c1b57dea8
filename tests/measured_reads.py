"""Read latency beside writes: formulas against drives that were measured.

Run `python -m tests.measured_reads > docs/evidence/measured-reads.md` to write the page.

Every load of `data/measured_reads.csv` below saturation, three percentiles each: with what the
data sheet prints and the flash by generation alone; with the constants fitted to the other
vendors' drives; and with slices fitted to a few of the drive's own percentiles. Each drive is of
another vendor.
"""

import csv
import sys
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from models import latency_tail
from models.latency_tail import Suspension, suspended_reads
from models.model_error import new_family
from models.units import GB, US
from planner.catalogue import data_folder, load
from planner.catalogue.drive import Drive, own_drive, with_user_facts
from planner.catalogue.priors import with_assumptions
from planner.catalogue.priors_flash import generation_of
from planner.catalogue.priors_kind import of_kind

LEVELS = (0.5, 0.99, 0.999)
NAMES = ("p50", "p99", "p99.9")
BELOW = 0.94  # of the measured saturation: the next load of each drive is saturated
OUTSTANDING = 448  # writes: 7 threads of 64
BANDS = ((0.0, 0.3), (0.3, 0.6), (0.6, BELOW))
# What the list of `ssdiq` prints of the drive whose model it does not disclose: row "WD DC ??".
UNDISCLOSED = "960 GB TLC enterprise NVMe, vendor WD, model not disclosed"
PRINTED = {"steady_write_iops": 49e3, "read_latency_s": 78 * US}


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
def undisclosed():
    """Return the drive that is known by its kind, and by what is printed of it."""
    drive = of_kind(own_drive(960 * GB), "TLC enterprise NVMe WD")
    named = replace(drive, drive_id="undisclosed-960gb", model="(model not disclosed)")
    return with_user_facts(named, **PRINTED)


@cache
def measured():
    """Return every load of every drive, saturated ones too."""
    with (data_folder() / "measured_reads.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    most = {}
    for row in rows:
        most[row["drive_id"]] = max(most.get(row["drive_id"], 0.0), float(row["write_iops"]))
    return [
        Load(
            load().drives[row["drive_id"]] if row["drive_id"] else undisclosed(),
            float(row["write_iops"]), float(row["read_iops"]),
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

# Waiting ratio, slices of programs and of erases over their times, growth: before there were five
# vendors, and how far from there the fit goes without cost. Errors are as large as vendors differ.
FORMER = (1.40, 0.055, 0.20, 0.40)
FORMER_SD, ERROR_SD = 0.5, 0.35
STARTS = (1.2, 1.4, 1.6, 1.8, 2.0)  # of the waiting ratio: the median has steps


def shipped():
    """Return the constants as shipped."""
    return (
        suspended_reads.WAITING_RATIO, suspended_reads.SLICE_RATIO,
        suspended_reads.ERASE_SLICE_RATIO, suspended_reads.SLICE_GROWTH,
    )  # fmt: skip


def fitted_constants(drive_ids):
    """Return the constants that fit some drives best.

    Least squares of the logarithm with equal weight to each drive, near the former values.
    """
    former = np.log(FORMER)
    parts = [[case for case in loads() if case.drive.drive_id == name] for name in drive_ids]

    def misses(logs):
        drawn = (logs - former) / FORMER_SD
        off = [_misses(part, np.exp(logs)) / ERROR_SD / len(part) ** 0.5 for part in parts]
        return np.concatenate([drawn, *off])

    starts = [np.log([start, *FORMER[1:]]) for start in STARTS]
    found = [least_squares(misses, start, diff_step=1e-3) for start in starts]
    return tuple(np.exp(min(found, key=lambda one: one.cost).x))


def _misses(cases, constants):
    """Logarithms of formula over measurement, where reads hardly wait for each other."""
    drive_id = cases[0].drive.drive_id
    at = np.array([case.fraction for case in cases])[:, None]
    mean, erase_s, waits, erasing = suspended_reads._slices_at_load(
        at, with_constants(drive_id, constants)
    )
    formula = latency_tail.suspended_read_latency_s(
        LEVELS, unloaded_s=flash(drive_id).unloaded_s, slice_s=mean, waiting_share=waits,
        erase_slice_s=erase_s, erasing_share=erasing,
    )  # fmt: skip
    return np.log(formula / np.array([case.read_s for case in cases])).ravel()


def with_constants(drive_id, constants):
    """Return the slices of a drive by other constants."""
    own, before = typical(drive_id), shipped()
    waiting, program, erase, growth = constants
    return Suspension(
        waiting_ratio=waiting, slice_s=own.slice_s * program / before[1], slice_growth=growth,
        erase_slice_s=own.erase_slice_s * erase / before[2], erasing_share=own.erasing_share,
    )  # fmt: skip


@cache
def constants():
    """Return the constants that all drives give."""
    return fitted_constants(drives())


@cache
def without(drive_id):
    """Return the constants that the other drives give."""
    return fitted_constants([name for name in drives() if name != drive_id])


@cache
def left_out(drive_id):
    """Return the ratios of formula over measurement with the constants of the other drives."""
    suspension = with_constants(drive_id, without(drive_id))
    own = [case for case in loads() if case.drive.drive_id == drive_id]
    return np.array([modelled(case, suspension) / np.array(case.read_s) for case in own])


# Errors on drives of vendors that the constants do not know

BETWEEN_BEFORE = 0.25  # spread of vendors before any is seen
LIMIT_RATIO = 1.07  # of what drives take at most, over the printed rate: writes alone, four vendors


@cache
def blind_errors():
    """Return the logarithms of measured over computed, by percentile and vendor.

    Each vendor is computed with all constants fitted to the others.
    """
    return _by_vendor({name: -np.log(left_out(name)) for name in drives()})


def saturated_errors():
    """Return the same at the loads at which drives are saturated, from the printed rate."""
    found = {}
    for drive_id, drive in drives().items():
        formula = latency_tail.saturated_read_latency_s(
            LEVELS, unsaturated_s=at_the_limit(drive_id), queue_depth=OUTSTANDING,
            limit_iops=LIMIT_RATIO * drive.value("steady_write_iops"),
        )  # fmt: skip
        found[drive_id] = np.log([case.read_s for case in saturated(drive_id)] / formula)
    return _by_vendor(found)


def saturated(drive_id):
    """Return the loads at which a drive is saturated."""
    return [
        case for case in measured() if case.drive.drive_id == drive_id and case.share >= BELOW
    ]  # fmt: skip


def limit_iops(drive_id):
    """Return the most writes per second that a drive ran."""
    return max(case.write_iops for case in saturated(drive_id))


def at_the_limit(drive_id):
    """Return the percentiles at the printed rate by the constants of the others, without queue."""
    own, reads = flash(drive_id), saturated(drive_id)[0].read_iops
    return latency_tail.read_latency_beside_writes_s(
        LEVELS, load_fraction=1.0, unloaded_s=own.unloaded_s,
        suspension=with_constants(drive_id, without(drive_id)),
        read_load=latency_tail.ReadLoad(reads, own.dies, own.die_read_s),
    )  # fmt: skip


def _by_vendor(errors):
    return {
        name: {drives()[key].vendor: rows[:, column].tolist() for key, rows in errors.items()}
        for column, name in enumerate(NAMES)
    }


def blind_range(errors):
    """Return the range of a new vendor: errors by vendor."""
    return new_family(errors, prior_sd=BETWEEN_BEFORE)


def covered(errors):
    """Return the share of each vendor's errors in the range that the other vendors give."""
    found = {}
    for vendor, own in errors.items():
        error = blind_range({key: rest for key, rest in errors.items() if key != vendor})
        found[vendor] = float(np.mean(np.abs(np.array(own) - error.middle) <= error.half))
    return found


def near(errors, most=1.5):
    """Return the share of each vendor's errors that are within a factor."""
    return {vendor: float(np.mean(factors(np.exp(own)) <= most)) for vendor, own in errors.items()}


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


if __name__ == "__main__":
    from tests.measured_reads_page import page

    sys.stdout.write(page())
