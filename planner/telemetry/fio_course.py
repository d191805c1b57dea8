"""Consistency of a log over time: cliff, steady state by SNIA's criterion, variation."""

import numpy as np
from numpy.typing import NDArray

from models import steady_state
from planner.telemetry.fio import Consistency

Floats = NDArray[np.float64]

ROUND_S = 60.0  # round of SNIA's write saturation test
ROUNDS = 5
CLIFF = 1.25  # smallest ratio of medians before and after a cliff
_LEAST = 1e-9  # replaces zero in ratios and logarithms


def consistency(values: Floats, *, period_s: float, falls: bool = True) -> Consistency:
    """Analyse a log of equal periods; `falls` is False for a latency, which rises at the cliff.

    Rounds last a minute, or a fifth of a log shorter than five minutes. A rate may also meet SNIA's
    criterion before the cliff, so steady state is searched for only after it.

    >>> import numpy as np
    >>> course = np.r_[np.full(300, 90e3), np.full(900, 30e3)]
    >>> got = consistency(course, period_s=1.0)
    >>> got.cliff_s, got.is_steady, got.steady_from_s, got.steady_mean
    (300.0, True, 300.0, 30000.0)
    """
    per_round = max(1, min(round(ROUND_S / period_s), values.size // ROUNDS))
    cliff = _cliff(values if falls else 1 / np.maximum(values, _tiny(values)))
    first_round = -(-(cliff or 0) // per_round)
    rounds = _rounds(values, per_round)
    start = _steady_from(rounds[first_round:])
    begin = None if start is None else (first_round + start) * per_round
    part = values if begin is None else values[begin:]
    mean, spread = float(part.mean()), float(part.std())
    enough = rounds.size >= ROUNDS
    return Consistency(
        mean=float(values.mean()),
        minimum=float(part.min()),
        deviation=spread,
        variation=spread / mean if mean > 0 else None,
        cliff_s=None if cliff is None else cliff * period_s,
        before_cliff=None if cliff is None else float(values[:cliff].mean()),
        round_s=per_round * period_s,
        is_steady=steady_state.is_steady(rounds) if enough else None,
        steady_from_s=None if begin is None else begin * period_s,
        steady_mean=None if begin is None else _window_mean(rounds, start or 0, first_round),
        range_ratio=steady_state.steady_range_ratio(rounds) if enough else None,
        slope_ratio=steady_state.steady_slope_ratio(rounds) if enough else None,
    )


def _tiny(values: Floats) -> float:
    return max(float(values.max()) * _LEAST, 1e-300)


def _rounds(values: Floats, per_round: int) -> Floats:
    """Return the means of whole rounds; that of a round without operations is nearly zero."""
    whole = values.size // per_round
    means = values[: whole * per_round].reshape(whole, per_round).mean(axis=1)
    return np.asarray(np.maximum(means, _tiny(values)))


def _steady_from(rounds: Floats) -> int | None:
    if rounds.size < ROUNDS:
        return None
    first = steady_state.first_steady_round(rounds)
    return None if np.isinf(first) else int(first) - ROUNDS


def _window_mean(rounds: Floats, start: int, first_round: int) -> float:
    """Return the mean of the last five rounds if they are steady, else of the first steady five.

    Five rounds meet the criterion while they still drift by a tenth, so later ones are preferred.
    """
    last = rounds[-ROUNDS:]
    early = rounds[first_round + start :][:ROUNDS]
    return float((last if steady_state.is_steady(last) else early).mean())


def _cliff(values: Floats) -> int | None:
    """Return the number of periods before the largest lasting drop, by the best two-level fit."""
    if values.size < 2 * ROUNDS:
        return None
    level = np.log(np.maximum(values, _tiny(values)))
    before = np.arange(1, values.size)
    sums = np.cumsum(level)
    left, right = sums[:-1] / before, (sums[-1] - sums[:-1]) / (values.size - before)
    gain = before * (values.size - before) * np.maximum(left - right, 0.0) ** 2
    cut = int(np.argmax(gain)) + 1
    fell = float(np.median(values[:cut])) > CLIFF * float(np.median(values[cut:]))
    return cut if fell else None
