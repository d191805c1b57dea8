"""fio measurements of a drive: compared with predictions, and drive facts fitted to them."""

from planner.simulation.fit.fit import Fit, Fitted, Point, fit
from planner.simulation.fit.probes import Probe, probes

__all__ = ["Fit", "Fitted", "Point", "Probe", "fit", "probes"]
