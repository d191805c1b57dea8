r"""Posterior of the parameters of a drive from measured points, over a grid.

What measurements leave open is decided by a prior, from three drives of 2021 to 2023 [1]_: flash
by their write amplification over nominal flash was 0.995, 1.002 and 1.054; the cost of a copy by
the times of their flash is 0.16 to 0.21 with 16 slots per read, 0.4 with four. One die of parity
in 32 makes a base factor of 1.032.

References:
    .. [1] G. Haas, T. Neumann, V. Leis, "SSD-iq: Uncovering the Hidden Side of SSD Performance",
       PVLDB 18(11), 2025: write amplification of the full drive.
    .. [2] A. Gelman et al., "Bayesian Data Analysis", 3rd edition 2013, section 3.7: a posterior
       over a grid.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.calibration.points import IopsPoint, WaPoint
from models.errors import DomainError
from models.units import GIB
from models.write_amplification import fifo

Floats = NDArray[np.float64]
Axes = tuple[Floats, Floats, Floats]
Law = Callable[..., float]
Point = WaPoint | IopsPoint

LEAST_SPREAD = 0.05  # of a point of the curve, to either side: the law's own error
NO_CURVE = (
    "One steady rate alone identifies no curve: it sets the scale, and the shape is that of other "
    "drives. Measure a second span, best two thirds of the first, or a write amplification."
)
_BASE_FACTORS = (1.0, 1.08)
_REACH = 6.0  # standard deviations of a prior that the grid spans to either side
_COARSE, _FINE = (161, 9, 13), (101, 17, 31)  # cells by flash, base factor and copy cost
_NODES = np.linspace(-2.5, 2.5, 11)  # standard deviations at which the scale is taken
_NARROW = 1e-6  # of a logarithm
_TOO_FAR = 4.0  # standard deviations by which the best fit may miss a point
_Q05_Q95 = (0.05, 0.95)
_AXES = ("raw_bytes", "base_factor", "copy_cost")


class Prior(NamedTuple):
    """Prior of a drive before it is measured: means and standard deviations.

    Of effective over nominal flash, of the base factor, which lies in [1, 1.08], and of the
    logarithm of the copy cost; `law_error` is the relative error of the law at one span.
    """

    raw_ratio: float = 1.02
    raw_ratio_sd: float = 0.04
    base_factor: float = 1.03
    base_factor_sd: float = 0.02
    copy_cost: float = 0.25
    copy_cost_log_sd: float = 0.8
    law_error: float = 0.03


class Spread(NamedTuple):
    """A number with its 90 % interval."""

    low: float
    typical: float
    high: float


class _Grid(NamedTuple):
    """Centres of cells, and for each cell its weight and the logarithm of the scale."""

    axes: Axes  # flash, base factor, logarithm of the copy cost
    weight: Floats
    log_scale: Floats
    log_scale_sd: float


@dataclass(frozen=True, eq=False, slots=True)
class Posterior:
    """Posterior of a drive by its points, as `calibrated` makes it.

    `raw_bytes`, `base_factor`, `copy_cost` and `program_iops` are those of one typical drive: the
    means, and the scale that meets the measured rates with them, NaN without a rate.
    """

    points: tuple[Point, ...]
    raw_bytes: float
    base_factor: float
    copy_cost: float
    program_iops: float
    wa_law: Law
    grid: _Grid

    @property
    def identifies_curve(self) -> bool:
        """Whether the points say more than the scale of the curve."""
        spans = {point.span_bytes for point in self.points}
        return len(spans) > 1 or any(isinstance(point, WaPoint) for point in self.points)

    def quantile(self, quantity: str, q: float) -> float:
        """Return a quantile of raw_bytes, base_factor, copy_cost or program_iops."""
        if quantity == "program_iops":
            return self._rate(np.zeros((1, 1, 1)), q)
        axis = _AXES.index(quantity)
        found = _between(self.grid.axes[axis], _marginal(self.grid.weight, axis), q)
        return math.exp(found) if quantity == "copy_cost" else found

    def spread(self, quantity: str) -> Spread:
        """Return one of these quantities with its interval of 90 %."""
        low, high = (self.quantile(quantity, q) for q in _Q05_Q95)
        return Spread(low, getattr(self, quantity), high)

    def wa(self, span_bytes: float) -> Spread:
        """Return the write amplification of uniform random writes over a span."""
        span = self._span(span_bytes)
        raw, base, _ = self.grid.axes
        values = _law_at(self.wa_law, raw, span)[:, None] * base
        weights = self.grid.weight.sum(axis=2)
        typical = self.base_factor * _law_at(self.wa_law, np.array([self.raw_bytes]), span)[0]
        low, typical, high = _around(typical, [_sorted(values, weights, q) for q in _Q05_Q95])
        return Spread(max(1.0, low), typical, high)

    def iops(self, span_bytes: float) -> Spread:
        """Return the steady rate of uniform random writes over a span; NaN without a rate."""
        span = self._span(span_bytes)
        raw, base, log_cost = self.grid.axes
        law = _law_at(self.wa_law, np.array([self.raw_bytes]), span)[0]
        cost = self.base_factor * law + self.copy_cost * (law - 1)
        shift = -np.log(_costs(_law_at(self.wa_law, raw, span), base, log_cost))
        return _around(self.program_iops / cost, [self._rate(shift, q) for q in _Q05_Q95])

    def _rate(self, shift: Floats, q: float) -> float:
        """Return a quantile of the scale times e^shift of each cell."""
        grid = self.grid
        if math.isnan(self.program_iops):
            return math.nan
        logs = np.broadcast_to(grid.log_scale + shift, grid.weight.shape)
        known = (grid.weight > 0) & np.isfinite(logs)  # of drives that have room for the span
        logs, weights = logs[known], grid.weight[known]
        ends = (float(logs.min()) - _NARROW, float(logs.max()) + _NARROW)
        weights, edges = np.histogram(logs, bins=400, range=ends, weights=weights)
        centres = (edges[:-1] + edges[1:]) / 2
        values = centres[:, None] + grid.log_scale_sd * _NODES
        return math.exp(_sorted(values, weights[:, None] * np.exp(-(_NODES**2) / 2), q))

    def _span(self, span_bytes: float) -> float:
        (span,) = _check.finite(span_bytes=span_bytes)
        _check.require(span < self.raw_bytes, "span_bytes", "< raw_bytes", span)
        return span


def calibrated(
    points: Sequence[Point],
    *,
    nominal_raw_bytes: float,
    prior: Prior | None = None,
    wa_law: Law = fifo,
) -> Posterior:
    r"""Posterior over effective flash, base factor, copy cost and scale of a drive.

    .. math::
        P(R, \beta, k) \propto p(R)\, p(\beta)\, p(k) \prod_i
        \exp\left(-\frac{(\ln y_i - \ln m_i)^2}{2 (\sigma_i^2 + \sigma_L^2)}\right)

    where m is the curve of `models.calibration.points`, sigma_L the error of its law, and ln c the
    weighted mean of what the rates leave for it.

    Args:
        points (sequence of WaPoint and IopsPoint): What was measured under uniform random writes of
            single pages; may be empty. [1]
        nominal_raw_bytes (float): Flash by its nominal size, such as the power of two GiB. [bytes]
        prior: What is known before; the defaults of `Prior` without it. [1]
        wa_law: Write amplification by spare bytes per valid byte, F. [1]

    Returns:
        Quantiles of raw_bytes, base_factor, copy_cost and program_iops, and the curves. [1]

    Raises:
        DomainError: Unless readings are finite, wa >= 1, spans are below the flash, and the points
            agree with each other and with the flash.

    Notes:
        Valid for uniform random writes in steady state. One steady rate alone identifies no curve;
        a write amplification of a half-empty drive hardly identifies the flash. Points of the
        curves have a spread of 5 % at least to either side. Source: equations of
        `models.calibration.points`, over a grid [2]_.

    Examples:
        Micron 7450 PRO 960 GB, two of the steady rates of [1]_; its write amplification was 3.19:

        >>> points = [IopsPoint(94_204, 894.3 * GIB), IopsPoint(225_848, 596.2 * GIB)]
        >>> wa = calibrated(points, nominal_raw_bytes=1024 * GIB).wa(894.3 * GIB)
        >>> print(f"{wa.low:.1f} to {wa.high:.1f}, typically {wa.typical:.2f}")
        2.8 to 3.6, typically 3.14
    """
    (nominal,) = _check.finite(nominal_raw_bytes=nominal_raw_bytes)
    before = prior or Prior()
    joined = _joined([_checked(point) for point in points])
    coarse = _weighed(_axes(nominal, before, _COARSE), joined, nominal, before, wa_law)
    fine = _axes(nominal, before, _FINE, _ends(coarse))
    grid = _weighed(fine, joined, nominal, before, wa_law)
    raw, base, log_cost = (
        float(axis @ _marginal(grid.weight, place)) for place, axis in enumerate(grid.axes)
    )
    one = (np.array([raw]), np.array([base]), np.array([log_cost]))
    typical = _weighed(one, joined, nominal, before, wa_law)
    _agree(grid, joined, nominal, before, wa_law)
    return Posterior(
        tuple(points), raw, base, math.exp(log_cost), math.exp(typical.log_scale.item()), wa_law,
        grid,
    )  # fmt: skip


def _checked(point: Point) -> Point:
    reading = {"wa" if isinstance(point, WaPoint) else "iops": point[0]}
    _check.finite(**reading, span_bytes=point.span_bytes)
    _check.non_negative(error=point.error)
    if isinstance(point, WaPoint):
        _check.require(point.wa >= 1, "wa", ">= 1", point.wa)
    return point


def _joined(points: Sequence[Point]) -> list[Point]:
    """Take readings of one kind over one span as one: the law's error there is the same."""
    groups: dict[tuple[type, float], list[Point]] = {}
    for point in points:
        groups.setdefault((type(point), point.span_bytes), []).append(point)
    return [_mean(group) for group in groups.values()]


def _mean(group: Sequence[Point]) -> Point:
    first = group[0]
    if len(group) == 1:
        return first
    logs = np.log([point[0] for point in group])
    errors = np.maximum([point.error for point in group], 1e-6)
    weights = errors**-2.0
    value = math.exp(float(np.average(logs, weights=weights)))
    for point, log, error in zip(group, logs, errors, strict=True):
        if abs(log - math.log(value)) > _TOO_FAR * error:
            other = max(group, key=lambda one: abs(math.log(one[0] / point[0])))
            raise _contradiction(point, [other], other[0])
    return type(first)(value, first.span_bytes, float(weights.sum() ** -0.5))


def _axes(
    nominal: float,
    prior: Prior,
    cells: Sequence[int],
    ends: Sequence[tuple[float, float]] | None = None,
) -> Axes:
    """Return the centres of the cells, over what the prior spans and within some ends."""
    flash, spread = nominal * prior.raw_ratio, _REACH * nominal * prior.raw_ratio_sd
    cost, factor = math.log(prior.copy_cost), _REACH * prior.copy_cost_log_sd
    wide = [(flash - spread, flash + spread), _BASE_FACTORS, (cost - factor, cost + factor)]
    axes = []
    for number, (low, high), (least, most) in zip(cells, wide, ends or wide, strict=True):
        start, end = max(low, least), min(high, most)
        axes.append(start + (end - start) * (np.arange(number) + 0.5) / number)
    raw, base, log_cost = axes
    return raw, base, log_cost


def _ends(grid: _Grid) -> list[tuple[float, float]]:
    """Return the range of almost all of the weight, with a margin of one cell."""
    ends = []
    for place, centres in enumerate(grid.axes):
        weight = _marginal(grid.weight, place)
        mean = float(centres @ weight)
        sd = math.sqrt(float((centres - mean) ** 2 @ weight))
        reach = _REACH * sd + 2 * float(centres[1] - centres[0])
        ends.append((mean - reach, mean + reach))
    return ends


def _weighed(axes: Axes, points: Sequence[Point], nominal: float, prior: Prior, law: Law) -> _Grid:
    """Return the cells with their weights, which sum to 1, and the scale that each leaves."""
    raw, base, log_cost = axes
    log_weight = -(
        ((raw / nominal - prior.raw_ratio) / prior.raw_ratio_sd)[:, None, None] ** 2
        + ((base - prior.base_factor) / prior.base_factor_sd)[:, None] ** 2
        + ((log_cost - math.log(prior.copy_cost)) / prior.copy_cost_log_sd) ** 2
    )
    scales: list[tuple[Floats, float]] = []
    for point in points:
        precision = 1 / (point.error**2 + prior.law_error**2)
        expected = _law_at(law, raw, point.span_bytes)
        if isinstance(point, WaPoint):
            missed = np.log(point.wa) - np.log(expected[:, None] * base)
            log_weight = log_weight - precision * missed[:, :, None] ** 2
        else:
            left = np.log(point.iops) + np.log(_costs(expected, base, log_cost))
            scales.append((left, precision))
    total = sum(precision for _, precision in scales)
    log_scale = np.full_like(log_weight, np.nan)
    if scales:
        log_scale = np.sum([left * precision for left, precision in scales], axis=0) / total
        for left, precision in scales:
            log_weight = log_weight - precision * (left - log_scale) ** 2
    log_weight = np.where(np.isfinite(log_weight), log_weight / 2, -np.inf)
    if not np.any(np.isfinite(log_weight)):
        widest = max(points, key=lambda point: point.span_bytes)
        _check.require(False, "span_bytes", "< raw_bytes", widest.span_bytes)
    weight = np.exp(log_weight - log_weight.max())
    sd = total**-0.5 if scales else math.nan
    return _Grid(axes, weight / weight.sum(), log_scale, sd)


def _law_at(law: Law, raw: Floats, span_bytes: float) -> Floats:
    """Return the law at a span by flash; NaN where the flash has no room for it."""
    spare = raw / span_bytes - 1
    values = np.full_like(raw, np.nan)
    fits = spare > 0
    values[fits] = law(spare[fits])
    return values


def _costs(law: Floats, base: Floats, log_cost: Floats) -> Floats:
    """Return programs per host write, copies read counted as parts of a program."""
    by_flash = law[:, None, None]
    return by_flash * base[:, None] + np.exp(log_cost) * (by_flash - 1)


def _marginal(weight: Floats, axis: int) -> Floats:
    rest = tuple({0, 1, 2} - {axis})
    return np.asarray(weight.sum(axis=rest))


def _between(centres: Floats, weight: Floats, q: float) -> float:
    """Return a quantile of cells of equal width, even within a cell."""
    half = (centres[1] - centres[0]) / 2
    edges = np.append(centres - half, centres[-1] + half)
    return float(np.interp(q, np.append(0.0, np.cumsum(weight)), edges))


def _sorted(values: Floats, weights: Floats, q: float) -> float:
    """Return a quantile of weighted numbers."""
    known = np.isfinite(values)
    flat, weight = values[known], weights[known]
    order = np.argsort(flat)
    below = np.cumsum(weight[order]) - weight[order] / 2
    return float(np.interp(q * weight.sum(), below, flat[order]))


def _around(typical: float, ends: Sequence[float]) -> Spread:
    """Return a point of the curve with its ends, at least the law's own error away."""
    low, high = ends
    least, most = typical * (1 - LEAST_SPREAD), typical * (1 + LEAST_SPREAD)
    return Spread(float(min(low, least)), float(typical), float(max(high, most)))


def _agree(grid: _Grid, points: Sequence[Point], nominal: float, prior: Prior, law: Law) -> None:
    """Refuse points that contradict each other: the best fit misses by more than their errors."""
    missed = _missed(grid, points, prior, law)
    if not points or max(missed.values()) <= _TOO_FAR:
        return
    worst, *others = sorted(points, key=lambda point: -missed[point])
    if others:
        raise _contradiction(worst, others, _expected(worst, others, nominal, prior, law).typical)
    usual = _expected(worst, [], nominal, prior, law)
    raise DomainError(
        f"points must agree with {nominal / GIB:.4g} GiB of flash, got {worst}, where such drives "
        f"have {usual.low:.3g} to {usual.high:.3g}"
    )


def _expected(
    point: Point, others: Sequence[Point], nominal: float, prior: Prior, law: Law
) -> Spread:
    """Return the prediction of one point from the others, if these agree with each other."""
    found = calibrated(others, nominal_raw_bytes=nominal, prior=prior, wa_law=law)
    of_kind = found.wa if isinstance(point, WaPoint) else found.iops
    return of_kind(point.span_bytes)


def _missed(grid: _Grid, points: Sequence[Point], prior: Prior, law: Law) -> dict[Point, float]:
    """Return by how many standard deviations the best fit misses each point."""
    best = np.unravel_index(np.argmax(grid.weight), grid.weight.shape)
    raw, base, log_cost = (axis[[place]] for axis, place in zip(grid.axes, best, strict=True))
    missed = {}
    for point in points:
        expected = _law_at(law, raw, point.span_bytes)
        fitted = expected[0] * base[0]
        if isinstance(point, IopsPoint):
            fitted = math.exp(grid.log_scale[best]) / _costs(expected, base, log_cost).item()
        error = math.hypot(point.error, prior.law_error)
        missed[point] = abs(math.log(point[0] / fitted)) / error
    return missed


def _contradiction(point: Point, others: Sequence[Point], expected: float) -> DomainError:
    makes = f"{' and '.join(map(str, others))} {'makes' if len(others) == 1 else 'make'}"
    there = f"{expected:.4g}" if isinstance(point, WaPoint) else f"{expected:,.0f}"
    off = f"{100 * (point[0] / expected - 1):+.0f} % off"
    got = f"got {point}, where {makes} {there}: {off}"
    return DomainError(f"points must agree with each other, {got}")
