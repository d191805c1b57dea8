"""fio measurements of a drive: compared with predictions, and drive facts fitted to them."""

from planner.simulation.fit.fit import Fit, FitPoint, fit
from planner.simulation.fit.probes import Probe, probes
from planner.simulation.fit.search import Fitted

__all__ = ["Fit", "FitPoint", "Fitted", "Probe", "fit", "probes"]
