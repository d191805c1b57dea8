"""Compiled: random lifetimes and times."""

import math

import numpy as np

from models.simulator._jit import jit
from models.simulator.kernel import _draw
from models.simulator.lifetimes import state as at
from models.simulator.lifetimes.state import Bits, Number, Trials

U11 = np.uint64(11)
MOST_TRIES = 1_000_000
STREAM = np.int64(0)  # a plain 0 would have its function compiled for it alone


@jit
def unit(bits: Bits) -> Number:
    """Draw a number in [0, 1)."""
    return np.float64(_draw(bits, STREAM) >> U11) * 2.0**-53


@jit
def exponential(bits: Bits, mean: Number) -> Number:
    """Draw an exponential time."""
    return -math.log1p(-unit(bits)) * mean


@jit
def normal(bits: Bits) -> Number:
    """Draw a standard normal number, by Box and Muller."""
    radius = math.sqrt(-2.0 * math.log1p(-unit(bits)))
    return radius * math.cos(2.0 * math.pi * unit(bits))


@jit
def wear_out(s: Trials) -> Number:
    """Draw the age at which a drive wears out."""
    law, first, second = s.sys[at.WEAR_LAW], s.real[at.WEAR_FIRST], s.real[at.WEAR_SECOND]
    if law == at.WEIBULL:
        return first * exponential(s.bits, 1.0) ** (1.0 / second)
    if law == at.LOGNORMAL:
        return first * math.exp(second * normal(s.bits))
    if law == at.NORMAL:
        return first + second * normal(s.bits)
    return math.inf


@jit
def life(s: Trials) -> Number:
    """Draw the age at which a drive fails, of whatever cause; it may be below 0."""
    age = wear_out(s)
    if s.real[at.FAILURE_GAP] < math.inf:
        age = min(age, exponential(s.bits, s.real[at.FAILURE_GAP]))
    if s.sys[at.ANY_WEAK] and unit(s.bits) < s.real[at.WEAK_FRACTION]:
        power = 1.0 / s.real[at.WEAK_SHAPE]
        age = min(age, s.real[at.WEAK_SCALE] * exponential(s.bits, 1.0) ** power)
    return age


@jit
def life_beyond(s: Trials, age: Number) -> Number:
    """Draw the age at which a drive fails that has reached an age."""
    for _ in range(MOST_TRIES):
        drawn = life(s)
        if drawn > age:
            return drawn
    s.sys[at.STUCK] = 1
    return math.inf
