"""Uncertainty of the answer: inputs that are not known exactly, sent through the same plan."""

from planner.search.uncertainty.answer import LIFE, Chance, Spread, Uncertain, uncertainty
from planner.search.uncertainty.distributions import (
    Distribution,
    fixed,
    lognormal,
    low_mid_high,
    normal,
    pert,
    triangular,
    uniform,
)
from planner.search.uncertainty.inputs import placed
from planner.search.uncertainty.notation import parse_correlation, parse_input, parse_inputs
from planner.search.uncertainty.regret import (
    Regret,
    least_regret,
    least_regret_by,
    life_shortfall_s,
    usd_per_service_year,
)
from planner.search.uncertainty.sensitivity import Share, Swing, sobol_shares, tornado

__all__ = [
    "LIFE",
    "Chance",
    "Distribution",
    "Regret",
    "Share",
    "Spread",
    "Swing",
    "Uncertain",
    "fixed",
    "least_regret",
    "least_regret_by",
    "life_shortfall_s",
    "lognormal",
    "low_mid_high",
    "normal",
    "parse_correlation",
    "parse_input",
    "parse_inputs",
    "pert",
    "placed",
    "sobol_shares",
    "tornado",
    "triangular",
    "uncertainty",
    "uniform",
    "usd_per_service_year",
]
