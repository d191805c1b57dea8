"""Greedy cleaning, found slowly: walk the levels, then halve the interval.

Independent of the shipped table inversion. In units of one block of `pages` pages,
greedy cleaning settles at a mean of x valid pages per victim where

    H_b - H(x) = alpha (1 - x/b),   WA = b / (b - x),   alpha = 1 + op_ratio,

with harmonic numbers H interpolated linearly between whole x.
"""

import mpmath
from mpmath import mpf

DIGITS = 50


def write_amplification(op_ratio: float, pages: int) -> float:
    """Write amplification of greedy cleaning, to about 45 digits before the last rounding."""
    with mpmath.workdps(DIGITS):
        alpha = 1 + mpf(op_ratio)
        harmonic = [mpf(0)]
        for n in range(1, pages + 1):
            harmonic.append(harmonic[-1] + 1 / mpf(n))
        if alpha >= harmonic[pages]:
            return 1.0

        def surplus(valid: mpf) -> mpf:
            level = min(int(valid), pages - 1)
            below = harmonic[level] + (valid - level) / (level + 1)
            return harmonic[pages] - below - alpha * (1 - valid / pages)

        # Divided by b - x, the surplus falls from x = 0 to x = b: its sign changes once.
        low, high = mpf(0), mpf(pages)
        for level in range(pages):
            if surplus(mpf(level)) < 0:
                high = mpf(level)
                break
            low = mpf(level)
        for _ in range(4 * DIGITS):
            middle = (low + high) / 2
            if surplus(middle) >= 0:
                low = middle
            else:
                high = middle
        return float(pages / (pages - low))
