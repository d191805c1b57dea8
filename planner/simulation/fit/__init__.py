"""fio measurements of a drive: compared with predictions, and drive facts fitted to them."""

from planner.simulation.fit.contradictions import contradictions
from planner.simulation.fit.drive_of_test import DriveOfTest, drive_of_test
from planner.simulation.fit.fit import Fit, FitPoint, fit
from planner.simulation.fit.probes import Probe, probes
from planner.simulation.fit.search import Fitted

__all__ = [
    "DriveOfTest", "Fit", "FitPoint", "Fitted", "Probe", "contradictions", "drive_of_test", "fit",
    "probes",
]  # fmt: skip
