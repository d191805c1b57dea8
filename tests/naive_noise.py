"""Greedy cleaning of K classes to first order in 1/b, found slowly.

Independent of the shipped K x K system: the covariance Sigma of the class counts of a fresh
block is the fixed point of Sigma = Q (S Sigma S + E) Q' + Z (diag(r) - r r'), reached by
doubling the number of generations, and the age tau by halving an interval.
"""

import numpy as np


def kappa(age: float, writes, pages) -> float:
    """Bias of the survivors, times b, when blocks are cleaned at this age."""
    r, f = np.asarray(writes, float), np.asarray(pages, float)
    rates = r / f
    dead, alive = -np.expm1(-rates * age), np.exp(-rates * age)
    fill = 1 / np.sum(r / dead)
    fresh = fill * r / dead
    hazard = np.sum(rates * fresh * alive)
    pull = rates * fresh * alive / hazard
    project = np.eye(r.size) - np.outer(pull, np.ones(r.size))
    deaths = np.diag(fresh * alive * dead)
    step = project @ np.diag(alive)
    sigma = project @ deaths @ project.T + fill * (np.diag(r) - np.outer(r, r))
    for _ in range(60):
        sigma = sigma + step @ sigma @ step.T
        step = step @ step
    psi = (np.diag(alive) @ sigma @ np.diag(alive) + deaths) @ np.ones(r.size)
    bias = rates * (psi - pull * psi.sum()) / hazard
    bias += 0.5 * rates**2 * fresh * alive * psi.sum() / hazard**2
    return float(np.sum(bias / dead))


def write_amplification(op_ratio: float, writes, pages, size: int) -> float:
    """Write amplification of one log with K classes, greedy."""
    r, f = np.asarray(writes, float), np.asarray(pages, float)

    def at(age: float) -> float:
        return np.sum(r / -np.expm1(-r / f * age)) / (1 + kappa(age, r, f) / size)

    low, high = 1e-6, 1e3
    for _ in range(70):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if middle * at(middle) < 1 + op_ratio else (low, middle)
    return float(at(low))
