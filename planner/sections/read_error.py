"""Ranges of read percentiles beside writes: errors on drives of vendors left out."""

import csv
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from models import _check
from planner.catalogue.drive import ASSUMPTION, USER, Drive
from planner.catalogue.model_error import ModelError, model_error, of_family
from planner.catalogue.priors import Assumption
from planner.catalogue.priors_kind import words_of
from planner.catalogue.rows import data_folder
from planner.graph.answer import Answer, given
from planner.sections.read_tail import BELOW
from planner.sections.speed_case import AS_COMPUTED, QUANTILES, SpeedCase

Floats = NDArray[np.float64]

ANCHORS = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}  # percentiles whose errors were measured
PER_DECADE = 0.1  # of the logarithm, beyond the last: assumed
UNMEASURED = math.log(1.5)  # more where no drive of the kind was measured: assumed
ITSELF, ANOTHER_UNIT, SIBLING = 0.05, 0.12, 0.2  # deviations around what was measured: assumed
SDS_OF_90 = 1.6449  # standard deviations of a normal distribution to its 95 % point
# Facts of what was measured on the drive itself, by percentile, and at how many loads.
OWN = {"p50": "own_p50_read_ratio", "p99": "own_p99_read_ratio", "p99.9": "own_p99_9_read_ratio"}
OWN_LOADS = "own_read_loads"
RATE = "steady_write_iops"
MEASURED = (
    "Measured over computed read percentiles on NVMe drives of {families} vendors, each left out "
    "of the fit (docs/evidence/accuracy.md); beyond p99.9 0.1 a decade more is assumed."
)
NOT_MEASURED = (
    "As on NVMe drives whose reads interrupt writes ({families} vendors, "
    "docs/evidence/accuracy.md), and a factor of 1.5 more, assumed: no drive of "
    "this kind was measured."
)


OWN_READS = (
    "Your own measurement of this drive, reads beside writes at {loads}: over computed {ratios}. "
    "The typical percentiles moved by as much of it as is not likely to be of these loads alone."
)
BY_OTHERS, BY_ITSELF = "drives whose reads were measured", "your own measurement of this drive"


def read_error(drive: Drive, case: SpeedCase) -> Assumption:
    """Return the error of the percentiles of a drive's reads, by percentile.

    Where the drive is of no kind that was measured, its flash counts beside the error too; not
    where it was measured itself.
    """
    is_of_kind, is_own = _is_of_kind(drive, case), is_measured_itself(drive)
    before = [_of_others(drive, name, is_of_kind=is_of_kind)[0] for name in ANCHORS]
    errors = _errors(drive, case)
    middle, half = _by_level([error.middle for error in errors]), _halves(errors)
    families = min(error.families for error in errors)
    ground = (MEASURED if is_of_kind else NOT_MEASURED).format(families=families)
    return Assumption(
        quantity="read_error_ratio", typical=_check.plain(_typical(drive, errors)),
        low=_check.plain(np.exp(middle - half)), high=_check.plain(np.exp(middle + half)),
        ground=own_ground(drive) or ground, basis=BY_ITSELF if is_own else BY_OTHERS,
        is_model=True, is_measured=is_own, families=families, acts_on=frozenset(BELOW.values()),
        inside=_inside(drive, errors) if case.is_interrupted or is_own else frozenset(),
        half_before=_check.plain(_halves(before)) if is_own else 0.0,
    )  # fmt: skip


def read_error_leaf(drive: Drive, case: SpeedCase) -> dict[str, Answer]:
    """Return the typical error of the percentiles as a leaf: none unless it was measured."""
    name = "read_error_ratio"
    if not is_measured_itself(drive):
        return {name: given(name, 1.0, source=ASSUMPTION.source_id, note=AS_COMPUTED)}
    typical = _check.plain(_typical(drive, _errors(drive, case)))
    return {name: given(name, typical, source=USER.source_id, note=own_ground(drive))}


def is_measured_itself(drive: Drive) -> bool:
    """Whether reads of the drive itself were measured beside writes."""
    return any(_own(drive, name) for name in ANCHORS)


def own_ground(drive: Drive) -> str:
    """Describe the drive's own reads over the computed ones; empty if none were measured."""
    found = {name: drive.value(fact) for name, fact in OWN.items()}
    ratios = ", ".join(f"{name} {np.median(ratio):.2f}" for name, ratio in found.items() if ratio)
    loads = _own_loads(drive)
    said = f"{loads} loads" if loads > 1 else "one load"
    return OWN_READS.format(loads=said, ratios=ratios) if ratios else ""


def _own_loads(drive: Drive) -> int:
    return round(float(np.median(drive.value(OWN_LOADS) or 1.0)))


def _own(drive: Drive, name: str) -> tuple[float, ...]:
    """Return the mean error that was measured of the drive itself, once for each load."""
    ratio = drive.value(OWN[name])
    return () if ratio is None else (math.log(float(np.median(ratio))),) * _own_loads(drive)


def _is_of_kind(drive: Drive, case: SpeedCase) -> bool:
    """Whether drives of its class were measured."""
    return case.is_interrupted and "NVMe" in words_of(drive)


def _errors(drive: Drive, case: SpeedCase) -> list[ModelError]:
    """Return the error of each measured percentile, by the drive itself where it was measured."""
    is_of_kind = _is_of_kind(drive, case)
    return [_of_anchor(drive, name, is_of_kind=is_of_kind) for name in ANCHORS]


def _typical(drive: Drive, errors: Sequence[ModelError]) -> Floats:
    """Return measured over computed that is typical, by percentile: 1 unless it was measured."""
    moved = zip(ANCHORS, errors, strict=True)
    return np.exp(_by_level([error.middle if _own(drive, name) else 0.0 for name, error in moved]))


def _inside(drive: Drive, errors: Sequence[ModelError]) -> frozenset[str]:
    """Return the facts that the measured drives lacked, and what was printed of them alike."""
    fact = drive.facts.get(RATE)
    is_printed = fact is not None and fact.kind != ASSUMPTION.source_id
    facts = frozenset[str]().union(*(error.facts_inside for error in errors))
    return facts | ({RATE} if is_printed else set())


def _of_anchor(drive: Drive, name: str, *, is_of_kind: bool) -> ModelError:
    """Return the error of a measured percentile, given what was measured of the drive itself."""
    error, unit_sd = _of_others(drive, name, is_of_kind=is_of_kind)
    own = _own(drive, name)
    if not own:
        return error
    around = replace(error, between=math.hypot(error.between, unit_sd))
    return of_family(around, own, unit_sd=ITSELF)


def _of_others(drive: Drive, name: str, *, is_of_kind: bool) -> tuple[ModelError, float]:
    """Return the error by other drives, and how far a drive may lie from what they tell."""
    error, unit_sd = _of_vendor(drive, name)
    if is_of_kind:
        return error, unit_sd
    unlike = replace(error, half=error.half + UNMEASURED)
    return unlike, math.hypot(unit_sd, UNMEASURED / SDS_OF_90)


def _of_vendor(drive: Drive, name: str) -> tuple[ModelError, float]:
    """Return the error of a drive whose vendor was measured or not, and the spread of units in it.

    A sibling is known no worse than a drive of another vendor.
    """
    error, words = model_error("read_quantiles_s", name), words_of(drive)
    for drive_id, vendor, errors in _measured(name):
        if drive.drive_id == drive_id:
            return of_family(error, errors, unit_sd=ANOTHER_UNIT), ANOTHER_UNIT
        if {vendor, "enterprise", "NVMe"} <= words:
            known = of_family(error, errors, unit_sd=SIBLING)
            return min(((known, SIBLING), (error, 0.0)), key=lambda each: each[0].half)
    return error, 0.0


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
