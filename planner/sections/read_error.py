"""Between what percentiles of reads beside writes lie: errors on drives of vendors left out."""

import csv
import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from models import _check
from planner.catalogue.drive import ASSUMPTION, Drive
from planner.catalogue.model_error import ModelError, model_error, of_family
from planner.catalogue.priors import Assumption
from planner.catalogue.priors_kind import words_of
from planner.catalogue.reader import data_folder
from planner.sections.read_tail import BELOW
from planner.sections.speed_case import QUANTILES, SpeedCase

Floats = NDArray[np.float64]

ANCHORS = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}  # percentiles whose errors were measured
PER_DECADE = 0.1  # of the logarithm, beyond the last: assumed
UNMEASURED = math.log(1.5)  # more where no drive of the kind was measured: assumed
ANOTHER_UNIT, SIBLING = 0.12, 0.2  # standard deviations around what was measured: assumed
RATE = "steady_write_iops"
MEASURED = (
    "Measured over computed read percentiles on NVMe drives of {families} vendors, each left out "
    "of the fit (docs/accuracy.md); beyond p99.9 0.1 a decade more is assumed."
)
NOT_MEASURED = (
    "As on NVMe drives whose reads interrupt writes ({families} vendors, docs/accuracy.md), and a "
    "factor of 1.5 more, assumed: no drive of this kind was measured."
)


def read_error(drive: Drive, case: SpeedCase) -> Assumption:
    """Return the error of the percentiles of a drive's reads, by percentile.

    Where the drive is of no kind that was measured, its flash counts beside the error too.
    """
    errors = [_of_anchor(drive, name) for name in ANCHORS]
    is_measured = case.is_interrupted and "NVMe" in words_of(drive)
    ground = MEASURED if is_measured else NOT_MEASURED
    middle, half = _by_level([error.middle for error in errors]), _halves(errors)
    half = half if is_measured else half + UNMEASURED
    families = min(error.families for error in errors)
    return Assumption(
        quantity="read_error_ratio", typical=_check.plain(np.ones(len(QUANTILES))),
        low=_check.plain(np.exp(middle - half)), high=_check.plain(np.exp(middle + half)),
        ground=ground.format(families=families), basis="drives whose reads were measured",
        is_model=True, families=families, acts_on=frozenset(BELOW.values()),
        inside=_inside(drive, errors) if case.is_interrupted else frozenset(),
    )  # fmt: skip


def _inside(drive: Drive, errors: Sequence[ModelError]) -> frozenset[str]:
    """Return the facts that the measured drives lacked, and what was printed of them alike."""
    fact = drive.facts.get(RATE)
    is_printed = fact is not None and fact.kind != ASSUMPTION.source_id
    facts = frozenset[str]().union(*(error.facts_inside for error in errors))
    return facts | ({RATE} if is_printed else set())


def _of_anchor(drive: Drive, name: str) -> ModelError:
    """Return the error of a measured percentile, of a drive whose vendor was measured or not.

    A sibling is known no worse than a drive of another vendor.
    """
    error, words = model_error("read_quantiles_s", name), words_of(drive)
    for drive_id, vendor, own in _measured(name):
        if drive.drive_id == drive_id:
            return of_family(error, own, unit_sd=ANOTHER_UNIT)
        if {vendor, "enterprise", "NVMe"} <= words:
            known = of_family(error, own, unit_sd=SIBLING)
            return min(known, error, key=lambda each: each.half)
    return error


@cache
def _measured(name: str) -> tuple[tuple[str, str, tuple[float, ...]], ...]:
    """Return drive, vendor and errors of each drive that was measured."""
    with (data_folder() / "read_errors.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(
            (row["drive_id"], row["vendor"], (float(row["error"]),) * int(row["loads"]))
            for row in csv.DictReader(lines) if row["regime"] == name
        )  # fmt: skip


def _places(levels: Sequence[float]) -> Floats:
    return np.asarray(-np.log1p(-np.array(levels)))


def _by_level(values: Sequence[float]) -> Floats:
    """Return values at the measured percentiles at every one, straight in ln(1/(1-q))."""
    return np.asarray(np.interp(_places(QUANTILES), _places(tuple(ANCHORS.values())), values))


def _halves(errors: Sequence[ModelError]) -> Floats:
    """Return half widths by percentile."""
    last = _places(tuple(ANCHORS.values()))[-1]
    decades = np.maximum(0.0, _places(QUANTILES) - last) / math.log(10)
    return np.asarray(_by_level([error.half for error in errors]) + PER_DECADE * decades)
