"""A birth-death chain that ends in one of two ways, by squaring of its transition matrix.

Every number on the way is >= 0 and nothing is subtracted, so that a probability of 1e-30 is as
exact, relatively, as one of 1/2: rows of the matrix of a short step come from a series of
positive terms, and squared matrices are sums of positive products.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEP = 0.5  # fastest rate times the first step
_TERMS = 12  # of the series beyond the first that reaches the end


def ended(horizon_s: Floats, up: Floats, down: Floats, aside: Floats) -> Floats:
    """Probability of either end by a time, on a last axis of two.

    `up` leads from state j to j + 1, and from the last state to the first end; `down` from state
    j + 1 to j; `aside` from the last state to the second end. States are on the last axis.
    """
    rates = _rates(up, down, aside)
    leaving = rates.sum(-1)
    fastest = leaving.max(-1)
    doublings = max(0, int(np.ceil(np.log2(np.max(fastest * horizon_s, initial=_STEP) / _STEP))))
    step = _short_step(rates, leaving, fastest, horizon_s * 0.5**doublings)
    for _ in range(doublings):
        step = _stochastic(step @ step)
    return step[..., 0, -2:]


def _rates(up: Floats, down: Floats, aside: Floats) -> Floats:
    """Rates between the states and the two ends."""
    states = up.shape[-1]
    shape = np.broadcast_shapes(up.shape[:-1], down.shape[:-1], aside.shape)
    rates = np.zeros((*shape, states + 2, states + 2))
    for state in range(states):
        rates[..., state, state + 1] = up[..., state]
        if state:
            rates[..., state, state - 1] = down[..., state - 1]
    rates[..., states - 1, states + 1] = aside
    return rates


def _short_step(rates: Floats, leaving: Floats, fastest: Floats, step_s: Floats) -> Floats:
    """Transition probabilities of a step in which at most a change or so is to be expected."""
    staying = np.eye(rates.shape[-1]) * (fastest[..., None] - leaving)[..., None]
    jumps = (rates + staying) * step_s[..., None, None]
    total = one = np.broadcast_to(np.eye(rates.shape[-1]), jumps.shape)
    for term in range(rates.shape[-1] + _TERMS, 0, -1):
        total = one + jumps @ total / term
    return _stochastic(total)


def _stochastic(matrix: Floats) -> Floats:
    """Rows that add up to 1, which their rounding errors do not."""
    return np.asarray(matrix / matrix.sum(-1, keepdims=True))
