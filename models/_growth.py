"""Clocks of a changing rate: a smooth one for growth and phase-in, made piecewise linear by steps.

Times are in seconds; a clock counts seconds of writing at today's full rate. Steps are along the
last axis.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.units import YEAR_S

Floats = NDArray[np.float64]

_STEADY = 1e-15  # relative change of the rate below which none is seen
_SMALL = 0.5  # exponent below which the ramp is a series
_TERMS = 16
_NEWTON_STEPS = 200  # of which a handful is used, but for writes that all but stop
_EXACT = 1e-15
_NO_STEPS: Floats = np.empty(0)


class Course(NamedTuple):
    """Exponent of growth per second, phase-in, and sorted steps along a last axis."""

    exponent_per_s: Floats
    phase_in_s: Floats
    step_times_s: Floats
    step_factors: Floats


def course_of(
    growth_per_year: float, step_times_s: ArrayLike, step_factors: ArrayLike, phase_in_s: float
) -> Course:
    """Check the course of the rate, and sort its steps."""
    (growth,) = _check.above(-1, growth_per_year=growth_per_year)
    _check.require(np.asarray(growth) < np.inf, "growth_per_year", "> -1 and finite", growth)
    (phase_in,) = _check.non_negative(phase_in_s=phase_in_s)
    _check.require(np.asarray(phase_in) < np.inf, "phase_in_s", ">= 0 and finite", phase_in)
    times, factors = _steps(step_times_s, step_factors)
    return Course(np.log1p(growth) / YEAR_S, np.asarray(phase_in), times, factors)


def _steps(step_times_s: Any, step_factors: Any) -> tuple[Floats, Floats]:
    if all(isinstance(given, tuple) and not given for given in (step_times_s, step_factors)):
        return _NO_STEPS, _NO_STEPS
    (time,) = _check.non_negative(step_times_s=step_times_s)
    (factor,) = _check.finite(step_factors=step_factors)
    times, factors = np.atleast_1d(time), np.atleast_1d(factor)
    _check.require(times < np.inf, "step_times_s", ">= 0 and finite", times)
    _check.require(
        times.shape[-1] == factors.shape[-1],
        "step_factors",
        "as many as step_times_s",
        factors.shape[-1],
    )
    times, factors = np.broadcast_arrays(times, factors)
    order = np.argsort(times, axis=-1, kind="stable")
    return np.take_along_axis(times, order, -1), np.take_along_axis(factors, order, -1)


def knots_of(course: Course) -> tuple[Floats, Floats]:
    """Return the smooth clock at 0, at every step and at the end, and the slopes between."""
    last = Course(course.exponent_per_s[..., None], course.phase_in_s[..., None], *course[2:])
    inner = smooth_s(course.step_times_s, last)
    ends = (*inner.shape[:-1], 1)
    slopes = np.cumprod(course.step_factors, axis=-1)
    slopes = np.concatenate([np.ones((*slopes.shape[:-1], 1)), slopes], axis=-1)
    knots = np.concatenate([np.zeros(ends), inner, np.full(ends, np.inf)], axis=-1)
    return knots, np.asarray(slopes)


def bent(clock: Floats, knots: Floats, slopes: Floats) -> Floats:
    """Integrate slopes, each from one knot to the next, up to `clock`."""
    upto = clock[..., None]
    with np.errstate(invalid="ignore", over="ignore"):
        pieces = (np.minimum(upto, knots[..., 1:]) - knots[..., :-1]) * slopes
    return np.asarray(np.sum(np.where(upto > knots[..., :-1], pieces, 0.0), axis=-1))


def straightened(clock: Floats, knots: Floats, slopes: Floats) -> Floats:
    """Undo `bent`."""
    inner = bent(knots[..., 1:-1], knots[..., None, :], slopes[..., None, :])
    ends = np.full((*inner.shape[:-1], 1), np.inf)
    return bent(clock, np.concatenate([np.zeros_like(ends), inner, ends], axis=-1), 1 / slopes)


def smooth_s(time_s: Floats, course: Course) -> Floats:
    """Return the seconds at today's full rate that a time with growth and phase-in amounts to."""
    exponent, phase_in = course.exponent_per_s, course.phase_in_s
    if not phase_in.any():
        return np.asarray(time_s * _exprel(exponent * time_s))
    rising = np.minimum(time_s, phase_in)
    whole = time_s - rising
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        grown = np.exp(exponent * phase_in) * whole * _exprel(exponent * whole)
        ramp = rising * (rising / phase_in) * _ramp(exponent * rising)
    return np.where(phase_in > 0, ramp, 0.0) + np.where(whole > 0, grown, 0.0)


def _exprel(exponent: Floats) -> Floats:
    """Return (e^x - 1) / x, which is 1 at 0."""
    if not exponent.any():
        return np.ones_like(exponent)
    from scipy.special import exprel  # noqa: PLC0415 - slow to import

    return np.asarray(exprel(exponent))


def _ramp(exponent: Floats) -> Floats:
    """Integrate x e^(u x) over x from 0 to 1."""
    small = np.abs(exponent) < _SMALL
    u = np.where(small, 1.0, exponent)
    closed = (np.exp(u) * (u - 1) + 1) / u**2
    series = np.zeros_like(u)
    term = np.where(small, 1.0, 0.0)
    for power in range(_TERMS):
        series += term / (power + 2)
        term = term * exponent / (power + 1)
    return np.where(small, series, closed)


def time_of_s(clock_s: Floats, course: Course) -> Floats:
    """Return the time at which growth and phase-in amount to given seconds at today's rate."""
    exponent, phase_in = course.exponent_per_s, course.phase_in_s
    if not phase_in.any():
        return _grown_s(clock_s, exponent)
    ramped = smooth_s(phase_in, course)
    with np.errstate(over="ignore", invalid="ignore"):
        whole = np.maximum(clock_s - ramped, 0.0) * np.exp(-exponent * phase_in)
    after = phase_in + _grown_s(whole, exponent)
    return np.where(clock_s < ramped, _within_phase_in(clock_s, course), after)


def _grown_s(clock_s: Floats, exponent_per_s: Floats) -> Floats:
    """Return the time at which growth alone has made so many seconds at today's rate."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        spent = exponent_per_s * clock_s
        grown = np.log1p(np.maximum(spent, -1.0)) / exponent_per_s
    is_itself = (np.abs(spent) < _STEADY) | np.isinf(clock_s)
    return np.where(is_itself, clock_s, grown)


def _within_phase_in(clock_s: Floats, course: Course) -> Floats:
    """Newton's method on logarithms, from the side on which it cannot overshoot."""
    exponent, phase_in = course.exponent_per_s, course.phase_in_s
    inside = clock_s < smooth_s(phase_in, course)
    if not inside.any():
        return np.zeros_like(clock_s)
    wanted = np.where(inside, clock_s * phase_in, 1.0)
    exponent = np.where(inside, exponent, 0.0)
    with np.errstate(divide="ignore", over="ignore"):
        steep = np.maximum(2.0, np.log1p(exponent**2 * wanted)) / np.maximum(exponent, 0.0)
    time = np.minimum(np.sqrt(2 * wanted), steep)
    for _ in range(_NEWTON_STEPS):
        ramp = _ramp(exponent * time)
        miss = np.log(time * (time / wanted) * ramp)
        move = miss * ramp * np.exp(-exponent * time)
        time = time * np.exp(-move)
        if np.all(np.abs(move) <= _EXACT):
            break
    return np.asarray(time)
