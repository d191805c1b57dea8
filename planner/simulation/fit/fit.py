"""Fit drive facts to measurements, and list the residuals of the predictions.

Printed rates are replaced by measured ones. The page read time is fitted to reads at queue depth 1,
the program time to the steady-state write rate, each so that its own point is met exactly. Of
percentiles of reads beside writes the mean over the computed ones is kept, which narrows the error
of their model (`planner.sections.read_error`). Every other point is a test of the model.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from models import calibration
from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.sections.speed import Speed, speed
from planner.simulation.fit.contradictions import contradictions
from planner.simulation.fit.drive_of_test import drive_of_test
from planner.simulation.fit.probes import Probe, probes
from planner.simulation.fit.search import FitSearch, Fitted, Predict
from planner.telemetry.fio import FioTest


@dataclass(frozen=True, slots=True, kw_only=True)
class FitPoint:
    """A measured number and its predictions before and after the fit, None if not predicted.

    If `is_fitted`, a fact was fitted to this point, and its residual is no test of the model.
    """

    name: str
    quantity: str
    measured: float
    before: float | None
    after: float | None
    is_fitted: bool
    origin: str

    @property
    def residual_before(self) -> float | None:
        """Relative error of the prediction before the fit."""
        return _residual(self.before, self.measured)

    @property
    def residual_after(self) -> float | None:
        """Relative error of the prediction after the fit."""
        return _residual(self.after, self.measured)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A drive with fitted facts, and every point with its residuals."""

    drive: Drive
    facts: tuple[Fitted, ...]
    points: tuple[FitPoint, ...]
    notes: tuple[str, ...]

    @property
    def worst_residual(self) -> float | None:
        """Largest absolute residual among the points that were not used for the fit."""
        misses = [
            abs(point.residual_after)
            for point in self.points
            if not point.is_fitted and point.residual_after is not None
        ]
        return max(misses, default=None)


def fit(
    drive: Drive,
    tests: Sequence[FioTest],
    workload: Workload,
    *,
    partition_fraction: float = 1.0,
    firmware: Firmware | None = None,
) -> Fit:
    """Return the drive fitted to tests that ran on it, with the fill of the workload.

    Measurements that the planner does not predict are left out with a note. Raises DomainError if
    no measurement is left, or if the tests cannot have run on the drive.
    """
    if wrong := contradictions(drive, tests):
        raise DomainError(f"The test is not of {drive.name}. {wrong[0]}")
    predict = partial(speed, partition_fraction=partition_fraction, firmware=firmware)
    measured, notes = probes(tests, workload)
    if not measured:
        reason = " ".join(notes) or "It contains no job."
        raise DomainError(f"The test contains nothing that the planner predicts. {reason}")
    named = drive_of_test(tests, "")
    if named and drive.drive_id not in {one.drive_id for one in named.drives}:
        other = named.drives[0]
        notes.append(f"{other.vendor} {other.model} by {named.where}, not {drive.name}.")
    search = FitSearch(drive, measured, predict, notes)
    is_whole = partition_fraction == 1 and workload.fill_fraction == 1
    search.printed_rates(is_whole)
    search.read_time()
    search.program_time()
    search.worst_case()
    search.own_reads()
    before, after = (_predictions(each, measured, predict) for each in (drive, search.drive))
    return Fit(
        drive=search.drive,
        facts=tuple(search.facts),
        points=tuple(
            FitPoint(
                name=probe.name,
                quantity=probe.quantity,
                measured=probe.measured,
                before=old,
                after=new,
                is_fitted=probe in search.used,
                origin=probe.origin,
            )
            for probe, old, new in zip(measured, before, after, strict=True)
        ),
        notes=tuple(notes),
    )


def _predictions(drive: Drive, measured: Sequence[Probe], predict: Predict) -> list[float | None]:
    """Return the prediction for each point; points of one workload share one answer."""
    answers: dict[Workload, Speed] = {}
    for probe in measured:
        if probe.workload not in answers:
            answers[probe.workload] = predict(drive, probe.workload)
    values = (probe.prediction(answers[probe.workload]) for probe in measured)
    return [None if value is None or math.isinf(value) else value for value in values]


def _residual(modelled: float | None, measured: float) -> float | None:
    if modelled is None or modelled <= 0 or measured <= 0:
        return None
    return float(calibration.residual_ratio(modelled, rated_iops=measured))
