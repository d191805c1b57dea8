"""Measurements of a drive by fio: compared with the planner's figures, and the drive fitted."""

from planner.simulation.fit.fit import Fit, Fitted, Point, fit
from planner.simulation.fit.probes import Probe, probes

__all__ = ["Fit", "Fitted", "Point", "Probe", "fit", "probes"]
