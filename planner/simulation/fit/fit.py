"""The fit: facts of a drive from measurements, and the residuals of the planner.

Printed rates are replaced by measured ones. Read time follows from reads one at a time, program
time from the steady rate: each is solved for, so its own point is met; every other point is a
test of the model.
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
from planner.simulation.fit.probes import Probe, probes
from planner.simulation.fit.search import Asked, Fitted, Search
from planner.speed import Speed, speed
from planner.telemetry.fio import FioTest

__all__ = ["Fit", "Fitted", "Point", "fit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One measured number and the planner's, before the fit and after; None where it has none.

    `is_fitted` says that a fact comes from this very point: its residual proves nothing.
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
        """Relative deviation of the planner's figure from the measured one, before the fit."""
        return _residual(self.before, self.measured)

    @property
    def residual_after(self) -> float | None:
        """Relative deviation of the planner's figure from the measured one."""
        return _residual(self.after, self.measured)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A drive with facts as measured, and the residual of every point."""

    drive: Drive
    facts: tuple[Fitted, ...]
    points: tuple[Point, ...]
    notes: tuple[str, ...]

    @property
    def worst_residual(self) -> float | None:
        """Largest absolute residual among the points that nothing was fitted to."""
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
    """Return the drive fitted to tests that ran on it, filled as the workload says.

    Points that the planner does not predict are left out with a note. Raises DomainError if
    there is none that has one.
    """
    asked = partial(speed, partition_fraction=partition_fraction, firmware=firmware)
    found, notes = probes(tests, workload)
    if not found:
        reason = " ".join(notes) or "It holds no job."
        raise DomainError(f"The test holds nothing that the planner predicts. {reason}")
    search = Search(drive, found, asked, notes)
    is_whole = partition_fraction == 1 and workload.fill_fraction == 1
    search.printed_rates(is_whole)
    search.read_time()
    search.program_time()
    search.worst_case()
    before, after = _figures(drive, found, asked), _figures(search.drive, found, asked)
    return Fit(
        drive=search.drive,
        facts=tuple(search.facts),
        points=tuple(
            Point(
                name=probe.name,
                quantity=probe.quantity,
                measured=probe.measured,
                before=old,
                after=new,
                is_fitted=probe in search.used,
                origin=probe.origin,
            )
            for probe, old, new in zip(found, before, after, strict=True)
        ),
        notes=tuple(notes),
    )


def _figures(drive: Drive, found: Sequence[Probe], asked: Asked) -> list[float | None]:
    """Return the planner's figure for each point; one answer serves all of one workload."""
    answers: dict[Workload, Speed] = {}
    for probe in found:
        if probe.workload not in answers:
            answers[probe.workload] = asked(drive, probe.workload)
    figures = (probe.ask(answers[probe.workload]) for probe in found)
    return [None if value is None or math.isinf(value) else value for value in figures]


def _residual(modelled: float | None, measured: float) -> float | None:
    if modelled is None or modelled <= 0 or measured <= 0:
        return None
    return float(calibration.residual_ratio(modelled, rated_iops=measured))
