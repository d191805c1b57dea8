r"""Points measured on a drive, and the curve through them.

A drive whose span s is written at random writes to flash

.. math:: A(s) = \beta F(R/s - 1), \qquad X(s) = \frac{c}{\beta F + k (F - 1)}

with F the law of write amplification of its garbage collection, R the flash that this law sees,
beta what even a sequential write costs (parity, metadata), k the time to read a copied page over
that to program it, and c the rate of programs alone. `calibrated` fits R, beta, k and c.

References:
    .. [1] G. Haas, T. Neumann, V. Leis, "SSD-iq: Uncovering the Hidden Side of SSD Performance",
       PVLDB 18(11), 2025: steady rates over spans, write amplification of the full drive.
    .. [2] P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions on Storage
       10(2), 2014.
"""

from typing import NamedTuple

import numpy as np

from models import _check
from models.units import GIB

_SAME = 1e-12  # of copies: the same spare area, reached by other sums
_READING = 0.02  # relative error of a reading of write amplification beside its rounding


class WaPoint(NamedTuple):
    """A write amplification measured under random writes over a span, and its relative error."""

    wa: float
    span_bytes: float
    error: float = _READING

    def __str__(self) -> str:
        """Name the point as people do."""
        return f"write amplification {self.wa:.4g} at {self.span_bytes / GIB:.4g} GiB"


class IopsPoint(NamedTuple):
    """A steady rate measured under random writes over a span, and its relative error."""

    iops: float
    span_bytes: float
    error: float = 0.03

    def __str__(self) -> str:
        """Name the point as people do."""
        return f"{self.iops:,.0f} IOPS at {self.span_bytes / GIB:.4g} GiB"


def counted_wa(
    flash_written_bytes: float, *, host_bytes: float, span_bytes: float, flash_unit_bytes: float,
    host_unit_bytes: float,
) -> WaPoint:  # fmt: skip
    r"""Write amplification from counters of a drive, with what their rounding leaves open.

    .. math::
        A = \frac{f}{h}, \qquad
        \sigma^2 = 0.02^2 + \frac{1}{12 A^2} \left(\frac{f + u_f}{h - u_h}
        - \frac{f - u_f}{h + u_h}\right)^2

    Args:
        flash_written_bytes: Flash bytes between two readings, f. [bytes]
        host_bytes: Host bytes between them, h. [bytes]
        span_bytes: Span that was written. [bytes]
        flash_unit_bytes: Unit in which flash bytes are counted, u_f. [bytes]
        host_unit_bytes: Unit in which host bytes are counted, u_h. [bytes]

    Returns:
        Write amplification, span and relative error. [1]

    Raises:
        DomainError: Unless every argument is > 0 and finite and host_bytes > host_unit_bytes.

    Notes:
        Valid as a reading of uniform random writes only if the writes were such; of others it is
        the write amplification of those. Each difference of two rounded readings is off by one unit
        at most; what lies between is assumed to be equally likely. Source: definition, and the
        variance of an even distribution.

    Examples:
        32 GiB units of the flash and of the host, 3.1 and 1 TiB:

        >>> point = counted_wa(100 * 32 * GIB, host_bytes=32 * 32 * GIB, span_bytes=894 * GIB,
        ...                    flash_unit_bytes=32 * GIB, host_unit_bytes=32 * GIB)
        >>> print(f"{point.wa:.3f}, to {point.error:.1%}")
        3.125, to 3.1%
    """
    flash, host, span, flash_unit, host_unit = _check.finite(
        flash_written_bytes=flash_written_bytes, host_bytes=host_bytes, span_bytes=span_bytes,
        flash_unit_bytes=flash_unit_bytes, host_unit_bytes=host_unit_bytes,
    )  # fmt: skip
    _check.require(np.asarray(host) > host_unit, "host_bytes", "> host_unit_bytes", host)
    wa = flash / host
    width = (flash + flash_unit) / (host - host_unit) - (flash - flash_unit) / (host + host_unit)
    error = np.hypot(_READING, width / wa / np.sqrt(12))
    return WaPoint(*(_check.plain(part) for part in np.broadcast_arrays(wa, span, error)))


def fitted_wa(random_wa: float, *, base_factor: float, curve_ratio: float) -> float:
    r"""Write amplification of a fitted drive, from the law at its spare area.

    .. math:: A = e \beta F

    Args:
        random_wa: Write amplification by the law alone, F; below 1 where data compresses. [1]
        base_factor: What a sequential write costs, beta. [1]
        curve_ratio: Write amplification over that of the typical curve, e. [1]

    Returns:
        Flash bytes per host byte. [1]

    Raises:
        DomainError: Unless random_wa > 0, base_factor >= 1 and curve_ratio > 0, all finite.

    Notes:
        Valid for the spare area of the flash that was fitted, not of that which is printed. Source:
        definition of the base factor.

    Examples:
        >>> print(f"{fitted_wa(3.0, base_factor=1.03, curve_ratio=1.0):.2f}")
        3.09
    """
    random_wa, base_factor, curve_ratio = _check.finite(
        random_wa=random_wa, base_factor=base_factor, curve_ratio=curve_ratio
    )
    _check.require(np.asarray(base_factor) >= 1, "base_factor", ">= 1 and finite", base_factor)
    return random_wa * base_factor * curve_ratio


def fitted_write_iops(
    random_wa: float, *, base_factor: float, copy_cost: float, program_iops: float,
    rate_ratio: float,
) -> float:  # fmt: skip
    r"""Steady random writes of a fitted drive, from the law at its spare area.

    .. math:: X = \frac{e\, c}{\beta F + k (F - 1)}

    Args:
        random_wa: Write amplification by the law alone, F. [1]
        base_factor: What a sequential write costs, beta. [1]
        copy_cost: Time to read a copied page over that to program it, k. [1]
        program_iops: Rate of programs alone, c. [1/s]
        rate_ratio: Rate over that of the typical curve, e. [1]

    Returns:
        Host writes per second in steady state. [1/s]

    Raises:
        DomainError: Unless random_wa >= 1, base_factor >= 1 and the others > 0, all finite.

    Notes:
        Valid where programs and copies of the flash limit writes, not the link or the controller.
        Source: time of a host write, its programs and the reads of its copies, over that of a
        program.

    Examples:
        >>> rate = fitted_write_iops(3.0, base_factor=1.03, copy_cost=0.2, program_iops=330e3,
        ...                          rate_ratio=1.0)
        >>> print(f"{rate:,.0f}")
        94,556
    """
    random_wa, base_factor, copy_cost, program_iops, rate_ratio = _check.finite(
        random_wa=random_wa, base_factor=base_factor, copy_cost=copy_cost,
        program_iops=program_iops, rate_ratio=rate_ratio,
    )  # fmt: skip
    _check.require(np.asarray(random_wa) >= 1, "random_wa", ">= 1 and finite", random_wa)
    _check.require(np.asarray(base_factor) >= 1, "base_factor", ">= 1 and finite", base_factor)
    programs = base_factor * np.asarray(random_wa) + copy_cost * (np.asarray(random_wa) - 1)
    return _check.plain(rate_ratio * program_iops / programs)


def followed_wa(measured_wa: float, *, modelled_wa: float, reference_wa: float) -> float:
    r"""Write amplification of a workload at another spare area than where it was measured.

    .. math:: A' = 1 + (A - 1) \frac{M' - 1}{M - 1}, \quad
              A' = A \frac{M'}{M} \text{ if } \min(M, M') < 1

    Args:
        measured_wa: Write amplification where it was measured, A. [1]
        modelled_wa: What the model of the workload gives here, M'. [1]
        reference_wa: What the model gives where it was measured, M. [1]

    Returns:
        Write amplification here; as measured where the model gives the same in both places. [1]

    Raises:
        DomainError: Unless all are > 0 and finite.

    Notes:
        Valid for a pattern of writes that stays as it is: what the model has wrong of it, such as
        locality that is not stated, scales the copies alike at every spare area. Where nothing is
        copied, or less than one page is measured per page, the measured figure stays. Where data
        compresses to less than a page per page by the model, all scales alike. Source: copies per
        written page, scaled; `write_amplification.field_wa` is the same law.

    Examples:
        Half of the modelled copies on the full drive, and on one with more spare area:

        >>> print(f"{followed_wa(2.0, modelled_wa=1.5, reference_wa=3.0):.2f}")
        1.25
    """
    measured, modelled, reference = _check.finite(
        measured_wa=measured_wa, modelled_wa=modelled_wa, reference_wa=reference_wa
    )
    copies = np.asarray(reference) - 1
    scale = np.where(
        copies > 0, (np.asarray(modelled) - 1) / np.where(copies > 0, copies, 1.0), 1.0
    )
    scale = np.where(np.abs(scale - 1) < _SAME, 1.0, scale)
    followed = 1 + (np.asarray(measured) - 1) * scale
    copied = np.where(np.asarray(measured) > 1, followed, measured)
    in_proportion = np.minimum(modelled, reference) < 1
    return _check.plain(np.where(in_proportion, measured * (modelled / reference), copied))
