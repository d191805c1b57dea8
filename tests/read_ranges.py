"""Ranges of read percentiles as the planner prints them, each measured vendor left out.

Constants, errors of percentiles and the limit of writes beside reads are those of the others. Then
each drive with some of its own loads, as fio would have measured them: the ranges of the others.
"""

import csv
import io
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from models.latency_tail import suspended_reads
from models.model_error import new_family
from planner.catalogue import data_folder, write_limit
from planner.catalogue.drive import with_user_facts
from planner.catalogue.model_error import model_error
from planner.quantity.writes import unambiguous
from planner.sections import read_error
from planner.sections.ranges import Range
from planner.sections.read_error import OWN, OWN_LOADS
from planner.sections.request import plan_of
from planner.sections.speed import speed_of
from planner.sections.speed_ranges import speed_ranges_of
from planner.simulation.fit import fit
from planner.telemetry import read
from tests import blind_cases
from tests import measured_reads as evidence
from tests import synthetic_fio as fio

PAGE_BYTES = 4096
PERCENTS = (50.0, 99.0, 99.9)
CONSTANTS = ("WAITING_RATIO", "SLICE_RATIO", "ERASE_SLICE_RATIO", "SLICE_GROWTH")


class Planned(NamedTuple):
    """A measured load, the probability of saturation, and the ranges of three percentiles."""

    load: evidence.Load
    probability: float
    ranges: tuple[Range, ...]

    @property
    def is_inside(self):
        """Whether each percentile was measured inside its range."""
        return [each.low <= seen <= each.high
                for each, seen in zip(self.ranges, self.load.read_s, strict=True)]  # fmt: skip


@cache
def planned():
    """Return every load of every drive, its own vendor left out."""
    with (data_folder() / "measured_reads.csv").open(encoding="utf-8", newline="") as lines:
        offered = [float(row["offered_write_iops"]) for row in csv.DictReader(lines)]
    cases = list(zip(evidence.measured(), offered, strict=True))
    found = []
    for drive_id in evidence.drives():
        with without(drive_id):
            found += [at(load, rate) for load, rate in cases if load.drive.drive_id == drive_id]
    return found


@cache
def planned_by_own(*shares):
    """Return the loads below saturation but those nearest to these shares of it, given those.

    What fio would have said of those goes through the fit, the vendor of the drive left out.
    """
    cases = [row.load for row in below()]
    found = []
    for drive_id in evidence.drives():
        rest = [load for load in cases if load.drive.drive_id == drive_id]
        own = [rest.pop(_nearest(rest, share)) for share in shares]
        with without(drive_id):
            drive = measured_itself(own)
            found += [at(load._replace(drive=drive), load.write_iops) for load in rest]
    return found


def _nearest(cases, share):
    return min(range(len(cases)), key=lambda place: abs(cases[place].share - share))


def measured_itself(own):
    """Return a drive with what fio says of its reads at some loads."""
    drive = own[0].drive
    plan = plan_of(drive, writes="1 MB/s", queue_depth=str(evidence.OUTSTANDING))
    jobs = [job for group, load in enumerate(own) for job in _jobs(group, load)]
    test = read("own.json", io.BytesIO(fio.encoded(fio.run(*jobs)))).workload
    facts = fit(plan.drive, [test], plan.workload).drive.facts
    names = facts.keys() & {*OWN.values(), OWN_LOADS}  # none at a load that may saturate it
    return with_user_facts(drive, **{name: facts[name].value for name in names})


def _jobs(group, load):
    quantiles = dict(zip(PERCENTS, load.read_s, strict=True))
    return (
        fio.job(f"writes-{group}", group=group, rw="randwrite", iodepth=64, numjobs=7,
                rate_iops=round(load.write_iops / 7),
                write=fio.direction(load.write_iops, mean_s=load.write_s[0])),
        fio.job(f"reads-{group}", group=group, rw="randread", iodepth=64,
                rate_iops=round(load.read_iops),
                read=fio.direction(load.read_iops, mean_s=load.read_s[0], quantiles=quantiles)),
    )  # fmt: skip


def below():
    """Return the loads below saturation."""
    return [row for row in planned() if row.load.share < evidence.BELOW]


def saturated():
    """Return the loads at which drives were saturated."""
    return [row for row in planned() if row.load.share >= evidence.BELOW]


def at(load, write_iops):
    """Plan a load."""
    plan = plan_of(
        load.drive, writes=unambiguous(f"{write_iops * PAGE_BYTES} B/s"), block_size="4 KiB",
        reads=f"{100 * load.read_iops / (write_iops + load.read_iops)}%",
        queue_depth=str(evidence.OUTSTANDING),
    )  # fmt: skip
    speed = speed_of(plan, with_readers=False)
    reads = speed_ranges_of(plan, speed, with_readers=False).reads
    return Planned(load, speed.saturation_probability.value, tuple(reads[p] for p in PERCENTS))


@contextmanager
def without(drive_id):
    """Leave a drive's vendor out of all that was learnt from measured reads."""
    vendor = evidence.drives()[drive_id].vendor
    errors = {name: _others(vendor, each) for name, each in evidence.blind_errors().items()}
    beside = _others(vendor, blind_cases.steady_writes_beside())

    def known(quantity, regime="", kind=""):
        error = model_error(quantity, regime, kind)
        if quantity == "read_quantiles_s":
            found = new_family(errors[regime], prior_sd=evidence.BETWEEN_BEFORE)
        elif regime == "beside reads":
            found = new_family(beside, prior_sd=0.1)
        else:
            return error
        return replace(
            error, middle=found.middle, half=found.half, between=found.between,
            within=found.within, families=len(errors.get(regime, beside)),
        )  # fmt: skip

    with ExitStack() as stack:
        for name, value in zip(CONSTANTS, evidence.without(drive_id), strict=True):
            stack.enter_context(patch.object(suspended_reads, name, float(value)))
        stack.enter_context(patch.object(read_error, "model_error", known))
        stack.enter_context(patch.object(read_error, "_measured", lambda _: ()))
        stack.enter_context(patch.object(write_limit, "model_error", known))
        yield


def _others(vendor, errors):
    return {name: own for name, own in errors.items() if not name.startswith(vendor)}


def near(rows, most=1.5):
    """Return the share of typical percentiles within a factor of what was measured."""
    off = [np.log([each.typical for each in row.ranges]) - np.log(row.load.read_s) for row in rows]
    return np.mean(np.abs(off) <= np.log(most), axis=0)


def widths(rows):
    """Return the median of high over low of each percentile."""
    return np.median([[each.high / each.low for each in row.ranges] for row in rows], axis=0)
