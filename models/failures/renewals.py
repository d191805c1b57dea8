"""Drives to replace, in closed form: life by a normal law, failures at a constant rate.

Dimensionless: time is counted in generations of drives: bytes written over the write limit of one
drive. A slot holds one drive after the other. Each drive ends by failure or by wear, whichever
comes first. Failures of a slot are Poisson whatever the ages of its drives; a drive wears out if it
was installed one life ago - at the start, after a failure or after another wear-out - and has not
failed since. Wear-outs thus form the renewal equation v = (delta + f/x + v) * g with
g(u) = phi((u - 1)/c)/c e^(-f u/x), and powers of g under convolution are normal laws again.
`mean_replacements` counts the same for any law, on a lattice.

References:
    .. [1] D. R. Cox, "Renewal Theory", Methuen 1962: renewal function of normal lives.
"""

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.failures.lives import _checked_cv

Floats = NDArray[np.float64]

_REACH = 6.5  # standard deviations before a mean sum of lives, no drive is worn out yet
_OFTEN = 0.5  # failures per life times squared spread, from which hardly a drive wears out
_MANY = 100.0  # generations after which they are no longer distinguished
_BLOCK = 8192
_ROOT = np.sqrt(2 * np.pi)
_LATE = 8.0  # standard deviations after the mean, no drive is left
_SHARP = 1e-4
_RARE = 1e-5  # failures per life, from which on closed forms keep their digits


def closed_form_replacements(lives: float, *, expected_failures: float, life_cv: float) -> float:
    r"""Mean number of replacements of one slot, by failures and wear.

    .. math:: M = f + \sum_{k \ge 1} w_k \left[\Phi(z_k) + \frac{f}{x}
              \left((x - m_k) \Phi(z_k) + s_k \varphi(z_k)\right)\right], \quad
              s_k = c \sqrt{k}, \quad m_k = k - \frac{f}{x} s_k^2, \quad
              z_k = \frac{x - m_k}{s_k}, \quad
              \ln w_k = \frac{f^2 s_k^2}{2 x^2} - \frac{f k}{x}

    Args:
        lives: Generations of drives used, x: bytes written over the write limit of one drive, or
            time over mean life. [1]
        expected_failures: Failures of the slot that are expected in that time, f: rate times time.
            [1]
        life_cv: Standard deviation of life over its mean, c. [1]

    Returns:
        Mean number of replacements of one slot; times the drives, that of a fleet. [1]

    Raises:
        DomainError: Unless lives and expected_failures are >= 0 and finite and life_cv is in (0,
            0.15].

    Notes:
        Valid for drives that are new at the start, wear at a constant rate and are replaced at
        once: within 1.2e-4 of `mean_replacements`, which is the error of its lattice, up to 30
        generations and one failure. Where the rate changes over the time it counts too few, by up
        to 1 % for 0.05 failures and 3.5 % for 0.25. From 100 generations on by the asymptote of the
        renewal function, within one replacement. Source: [1]_, derivation in the module.

    Examples:
        Two and a half generations, 1 % of drives failing in that time:

        >>> print(f"{closed_form_replacements(2.5, expected_failures=0.01, life_cv=0.05):.4f}")
        2.0060
    """
    lives, failures = _check.non_negative(lives=lives, expected_failures=expected_failures)
    for name, value in {"lives": lives, "expected_failures": failures}.items():
        _check.require(np.less(value, np.inf), name, ">= 0 and finite", value)
    spread = _checked_cv(life_cv)
    x, f, c = np.broadcast_arrays(*(np.asarray(part) for part in (lives, failures, spread)))
    shape = x.shape
    worn = np.zeros(x.size)
    some = np.flatnonzero((x > 1 - _REACH * c) & (x > 0) & (f * c**2 <= _OFTEN * x))
    x, f, c = (part.ravel() for part in (x, f, c))
    many = x[some] > _MANY
    worn[some[~many]] = _by_generation(*(part[some[~many]] for part in (x, f, c)))
    worn[some[many]] = _on_average(*(part[some[many]] for part in (x, f, c)))
    return _check.plain((f + worn).reshape(shape))


def _by_generation(x: Floats, f: Floats, c: Floats) -> Floats:
    """Wear-outs by generation, in blocks that stay in a processor's cache."""
    worn = np.zeros(x.size)
    for start in range(0, x.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        worn[block] = _of_block(x[block], f[block], c[block])
    return worn


def _of_block(x: Floats, f: Floats, c: Floats) -> Floats:
    """Wear-outs by the number of consecutive generations without a failure that end in them."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    worn = np.zeros(x.size)
    here, rate = np.arange(x.size), np.divide(f, x)
    k = 1
    while here.size:
        spread = c * np.sqrt(k)
        tilt = rate * spread**2
        z = (x - k + tilt) / spread
        by_now = ndtr(z)
        passed = spread * (z * by_now + np.exp(-(z**2) / 2) / _ROOT)
        worn[here] += np.exp(rate * (tilt / 2 - k)) * (by_now + rate * passed)
        k += 1
        stay = x > k - _REACH * c * np.sqrt(k)
        here, x, c, rate = here[stay], x[stay], c[stay], rate[stay]
    return worn


def _on_average(x: Floats, f: Floats, c: Floats) -> Floats:
    """Wear-outs of many generations, by the straight line that the renewal function nears."""
    rate = f / x
    few = rate < _RARE
    rate = np.where(few, _RARE, rate)
    lost = -np.expm1(rate * (rate * c**2 / 2 - 1))  # share of drives that fail before they wear out
    mean = np.where(few, 1 - f / x * (1 + c**2) / 2, lost / rate)
    square = (lost - rate * (1 - rate * c**2) * (1 - lost)) / lost**2
    return x / mean + np.where(few, (1 + c**2) / 2, square) - 1 - f


def expected_failures(failures_per_s: float, *, time_s: float) -> float:
    r"""Mean number of failures of one slot by a time, for any ages of its drives.

    .. math:: f = \lambda t

    Args:
        failures_per_s: Failures per drive and second of its life, at a constant rate. [1/s]
        time_s: Time from now, t. [s]

    Returns:
        Mean number of failures. [1]

    Raises:
        DomainError: Unless both are >= 0.

    Notes:
        Valid for drives that are replaced at once. Source: mean of a Poisson process.

    Examples:
        >>> expected_failures(0.01, time_s=5)
        0.05
    """
    rate, time = _check.non_negative(failures_per_s=failures_per_s, time_s=time_s)
    return rate * time


def early_mean_life(replaced_fraction: float, *, life_cv: float) -> float:
    r"""Mean life of drives that are replaced at a fixed age unless worn out before.

    .. math:: \mu_c = c_r - c \left(z \Phi(z) + \varphi(z)\right), \quad z = \frac{c_r - 1}{c}

    Args:
        replaced_fraction: Share of the mean life at which drives are replaced anyway, c_r. [1]
        life_cv: Standard deviation of life over its mean, c. [1]

    Returns:
        Mean over that of drives left to wear out. [1]

    Raises:
        DomainError: Unless replaced_fraction > 0 and life_cv is in (0, 0.15].

    Notes:
        Valid for life by a normal law. Source: mean of the smaller of a normal number and a
        constant.

    Examples:
        >>> print(f"{early_mean_life(0.95, life_cv=0.05):.4f}")
        0.9458
    """
    return _check.plain(_early(replaced_fraction, life_cv)[0])


def early_life_cv(replaced_fraction: float, *, life_cv: float) -> float:
    r"""Relative spread of life of drives that are replaced at a fixed age unless worn out before.

    .. math:: c_c = \frac{c}{\mu_c} \sqrt{(1 + z^2) \Phi(z) + z \varphi(z)
              - \left(z \Phi(z) + \varphi(z)\right)^2}, \quad z = \frac{c_r - 1}{c}

    Args:
        replaced_fraction: Share of the mean life at which drives are replaced anyway, c_r. [1]
        life_cv: Standard deviation of life over its mean, c. [1]

    Returns:
        Standard deviation over the mean of `early_mean_life`, at least 1e-4. [1]

    Raises:
        DomainError: Unless replaced_fraction > 0 and life_cv is in (0, 0.15].

    Notes:
        Valid for life by a normal law. Source: variance of the smaller of a normal number and a
        constant.

    Examples:
        >>> print(f"{early_life_cv(1.0, life_cv=0.05):.4f}")
        0.0298
    """
    mean, spread = _early(replaced_fraction, life_cv)
    return _check.plain(np.maximum(spread / mean, _SHARP))


def early_limit_bytes(limit_bytes: float, *, early_life_ratio: float) -> float:
    r"""Mean host bytes that a drive receives if it is replaced before it wears out.

    .. math:: L_c = \mu_c L

    Args:
        limit_bytes: Host bytes that a drive may be written, L. [bytes]
        early_life_ratio: Mean life over that of drives left to wear out, mu_c of `early_mean_life`.
            [1]

    Returns:
        Host bytes. [bytes]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid for a constant rate of writes. Source: definition.

    Examples:
        >>> early_limit_bytes(100e12, early_life_ratio=0.9) / 1e12
        90.0
    """
    limit, ratio = _check.positive(limit_bytes=limit_bytes, early_life_ratio=early_life_ratio)
    return limit * ratio


def _early(replaced_fraction: float, life_cv: float) -> tuple[Floats, Floats]:
    """Mean and standard deviation of the smaller of a normal life and an age."""
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    (last,) = _check.positive(replaced_fraction=replaced_fraction)
    spread = _checked_cv(life_cv)
    z = np.minimum(np.divide(np.subtract(last, 1), spread), _LATE)
    density = np.exp(-(z**2) / 2) / _ROOT
    cut = z * ndtr(z) + density
    square = (1 + z**2) * ndtr(z) + z * density - cut**2
    mean = np.where(z < _LATE, last - spread * cut, 1.0)
    return mean, spread * np.sqrt(np.maximum(square, 0.0))
