r"""Calibration: internal parameters that a data sheet implies, and the residuals.

Base units: seconds, bytes, operations per second. Each formula inverts one of the performance
formulas at one printed point; `residual_ratio` says how well the other points are then met. The
results are effective values: a program time inferred from the sequential rate holds whatever else
limits that rate. The 845DC PRO gives 14 MB/s per die where its flash was presented with 33 to 50
MB/s [2]_, so that its sequential rate is limited by something else than its dies.

References:
    .. [1] K. Vatto, "Samsung SSD 845DC EVO/PRO Preview", AnandTech 8319, 2014, specifications.
    .. [2] K.-T. Park et al., "Three-dimensional 128Gb MLC vertical NAND Flash-memory with 24-WL
       stacked layers and 50MB/s high-speed programming", ISSCC 2014, paper 19.5.
    .. [3] L. Kleinrock, "Queueing Systems" 1, Wiley, 1975 (Pollaczek-Khinchine formula).
    .. [4] G. Haas et al., "SSD-iq: Uncovering the Hidden Side of SSD Performance", PVLDB 18(11),
       2025.
"""

import numpy as np

from models import _check

_ROUNDING = 1 + 1e-12  # a rate equal to the limit is inside
_UNQUEUED = 0.9  # of the latency at the printed point, the most that passes without waiting


def command_s(iops: float, *, transfer_bytes: float, link_bytes_per_s: float) -> float:
    r"""Time per command on the link, from small and large operations.

    .. math:: t_c = 1/X - s/B

    Args:
        iops: Printed operations per second of small size, X. [1/s]
        transfer_bytes: That size, s. [bytes]
        link_bytes_per_s: Printed sequential throughput, B. [bytes/s]

    Returns:
        Time that each command takes beside its data, t_c. [s]

    Raises:
        DomainError: Unless every argument is > 0 and finite and iops <= link_bytes_per_s /
            transfer_bytes.

    Notes:
        Valid for a link that serves one command at a time; `interface.link_iops` is the inverse.
        Source: solved for the fixed cost.

    Examples:
        845DC PRO, 92K reads of 4 KiB and 530 MB/s [1]_:

        >>> t = command_s(92e3, transfer_bytes=4096, link_bytes_per_s=530e6)
        >>> print(f"{t * 1e6:.2f} us")
        3.14 us
    """
    iops, transfer_bytes, link_bytes_per_s = _check.finite(
        iops=iops, transfer_bytes=transfer_bytes, link_bytes_per_s=link_bytes_per_s
    )
    most = link_bytes_per_s / np.asarray(transfer_bytes)
    _check.require(iops <= most * _ROUNDING, "iops", "<= link_bytes_per_s / transfer_bytes", iops)
    return _check.plain(np.maximum(0.0, 1 / np.asarray(iops) - 1 / most))


def effective_program_s(
    write_bytes_per_s: float,
    *,
    dies: float,
    pages_per_program: float,
    transfer_s: float,
    transfer_bytes: float,
) -> float:
    r"""Program time that makes the dies give a sequential write rate.

    .. math:: t_P = n \left(\frac{D s}{B} - t_x\right)

    Args:
        write_bytes_per_s: Printed sequential write rate, past any write cache, B. [bytes/s]
        dies: Dies, D. [1]
        pages_per_program: Host-sized pages in a program operation: flash page times planes, n. [1]
        transfer_s: Time of one host-sized page on its channel, t_x. [s]
        transfer_bytes: Bytes of a host-sized page, s. [bytes]

    Returns:
        Effective time of a program operation, t_P. [s]

    Raises:
        DomainError: Unless dies and pages_per_program are whole numbers, the others are > 0 and
            finite, and write_bytes_per_s < dies * transfer_bytes / transfer_s.

    Notes:
        Valid as the time of the flash where the dies limit the rate, else as an upper limit that
        makes the steady state come out right to the extent that the same limit acts there. Source:
        `write_budget.program_page_s` at A = 1, solved for the program time.

    Examples:
        845DC PRO 400 GB, 460 MB/s [1]_ from 32 dies, programs of 16 KiB:

        >>> t = effective_program_s(460e6, dies=32, pages_per_program=4, transfer_s=10e-6,
        ...                         transfer_bytes=4096)
        >>> print(f"{t * 1e6:.0f} us")
        1100 us
    """
    write_bytes_per_s, transfer_s, transfer_bytes = _check.finite(
        write_bytes_per_s=write_bytes_per_s, transfer_s=transfer_s, transfer_bytes=transfer_bytes
    )
    dies, pages = _check.count(dies=dies, pages_per_program=pages_per_program)
    page_s = np.asarray(dies * transfer_bytes / write_bytes_per_s - transfer_s)
    _check.require(
        page_s > 0, "write_bytes_per_s", "< dies * transfer_bytes / transfer_s", write_bytes_per_s
    )
    return _check.plain(page_s * pages)


def bus_bytes_per_s(iops: float, *, wa: float, transfer_bytes: float) -> float:
    r"""Rate of the flash channels that makes them the limit of a write rate.

    .. math:: B = X s (2A - 1)

    Args:
        iops: Printed random writes per second in steady state, X. [1/s]
        wa: Write amplification in that state, A. [1]
        transfer_bytes: Size of a write, s. [bytes]

    Returns:
        Bytes per second of all flash channels together. [bytes/s]

    Raises:
        DomainError: Unless every argument is > 0 and finite and wa >= 1.

    Notes:
        Valid where the channels bind; else a lower limit of their rate. Source: inverse of
        `write_budget.bus_write_iops`.

    Examples:
        >>> print(f"{bus_bytes_per_s(50e3, wa=2.04, transfer_bytes=4096) / 1e6:.0f} MB/s")
        631 MB/s
    """
    iops, wa, transfer_bytes = _check.finite(iops=iops, wa=wa, transfer_bytes=transfer_bytes)
    _check.require(np.asarray(wa) >= 1, "wa", ">= 1 and finite", wa)
    return iops * transfer_bytes * (2 * wa - 1)


def controller_iops(rated_iops: float, *, modelled_iops: float, tolerance_ratio: float) -> float:
    r"""Limit of the firmware, if the printed rate is far below what the flash could do.

    .. math:: X_c = \begin{cases} X & X_m > (1 + \epsilon) X \\ \infty & \text{else} \end{cases}

    Args:
        rated_iops: Printed operations per second, X. [1/s]
        modelled_iops: What dies, buses and link would allow, X_m. [1/s]
        tolerance_ratio: Excess that counts as an error of the model, epsilon. [1]

    Returns:
        The printed rate where it must be a limit of its own, else infinity. [1/s]

    Raises:
        DomainError: Unless the rates are > 0 and finite and tolerance_ratio >= 0.

    Notes:
        Valid as an inference: more capacity with no more IOPS is the sign of it. A printed rate
        that is a family's or a rounded figure gives such a limit too. Source: one of the limits of
        `bottleneck.write_iops` must bind.

    Examples:
        845DC EVO 240 and 480 GB, 12K and 14K writes [1]_ where the dies give 13.0K and 20.7K:

        >>> caps = controller_iops([12e3, 14e3], modelled_iops=[13e3, 20.7e3], tolerance_ratio=0.1)
        >>> caps.tolist()
        [inf, 14000.0]
    """
    rated_iops, modelled_iops = _check.finite(rated_iops=rated_iops, modelled_iops=modelled_iops)
    (tolerance_ratio,) = _check.non_negative(tolerance_ratio=tolerance_ratio)
    beyond = modelled_iops > (1 + tolerance_ratio) * np.asarray(rated_iops)
    return _check.plain(np.where(beyond, rated_iops, np.inf))


def followed_iops(rated_iops: float, *, modelled_iops: float, reference_iops: float) -> float:
    r"""Rate elsewhere of a drive whose rate is printed: it follows the model from there.

    .. math:: X = X_0 \frac{X_m}{X_{m,0}}

    Args:
        rated_iops: Printed operations per second, X_0. [1/s]
        modelled_iops: What the model gives at the spare area in question, X_m. [1/s]
        reference_iops: What it gives where the rate is printed: on the full drive, X_{m,0}. [1/s]

    Returns:
        Operations per second. [1/s]

    Raises:
        DomainError: Unless every rate is > 0 and finite.

    Notes:
        Valid where the same resource binds in both places: the dies. What the model does not know
        of the drive (times of its flash, parity) is then the same factor in both. Source: a printed
        rate is one point of the model's curve.

    Examples:
        Printed 50K writes where the dies' time gives 51.6K, and 76.0K with a quarter left empty:

        >>> round(followed_iops(50e3, modelled_iops=76.0e3, reference_iops=51.6e3))
        73643
    """
    rated, modelled, reference = _check.finite(
        rated_iops=rated_iops, modelled_iops=modelled_iops, reference_iops=reference_iops
    )
    return rated * modelled / reference


def followed_write_iops(
    rated_iops: float, *, reference_wa: float, wa: float, burst_write_iops: float
) -> float:
    r"""Steady random writes at another spare area than that of the printed rate.

    .. math:: X = \min\left(X_0 \frac{A_0}{A},\; \max(X_0, X_b)\right)

    Args:
        rated_iops: Printed writes per second of the full drive, X_0. [1/s]
        reference_wa: Write amplification of these writes on the full drive, A_0. [1]
        wa: Their write amplification at the spare area in question, A. [1]
        burst_write_iops: Writes per second of the fresh drive, X_b: what its link, its commands and
            its flash allow before anything is copied. [1/s]

    Returns:
        Writes per second in steady state. [1/s]

    Raises:
        DomainError: Unless every argument is > 0 and finite, and both write amplifications are >=
            1.

    Notes:
        Valid where programs take most of the time of the flash, so that it takes X A bytes per
        second whatever A is. Of 14 pairs of drives that differ in their spare area alone (Micron
        7450, 9200 and 9300 PRO and MAX, Intel P4510 and P4610, 7 to 28 % left empty) the rate of
        the second is met from that of the first with a mean of +3 % and 17 % rms, where a rate that
        stays as printed is 50 % low. Of a 7450 PRO 960 GB, measured with 372.6 to 745.2 GiB in use
        [4]_, six rates are met within 3 % from the printed 85K. Source: conservation of bytes; a
        printed rate is one point of the curve.

    Examples:
        Micron 7450 PRO 3.84 TB prints 180K; with the spare area of the MAX 3.2 TB, of which 390K
        are printed:

        >>> round(followed_write_iops(180e3, reference_wa=3.99, wa=2.05, burst_write_iops=1e6))
        350341
    """
    rated, full, here, most = _check.finite(
        rated_iops=rated_iops, reference_wa=reference_wa, wa=wa, burst_write_iops=burst_write_iops
    )
    for name, factor in (("reference_wa", full), ("wa", here)):
        _check.require(np.asarray(factor) >= 1, name, ">= 1 and finite", factor)
    return _check.plain(np.minimum(rated * (full / np.asarray(here)), np.maximum(rated, most)))


def unloaded_read_s(
    read_s: float,
    *,
    overhead_s: float,
    rated_iops: float,
    rated_queue_depth: float,
    printed_latency_s: float = np.inf,
) -> float:
    r"""Latency of a single read, no longer than what is printed allows.

    .. math:: t_0 = \min\left(t_R + t_o,\, t_p,\, 0.9\,Q / X\right)

    Args:
        read_s: Time to sense a page, t_R. [s]
        overhead_s: Controller, transfer and link of a read, t_o. [s]
        rated_iops: Printed random reads per second, X. [1/s]
        rated_queue_depth: Queue depth at which they are printed, Q. [1]
        printed_latency_s: Printed typical read latency, t_p. [s]

    Returns:
        Latency of a read that meets no other. [s]

    Raises:
        DomainError: Unless every argument is > 0, and all but printed_latency_s finite.

    Notes:
        Valid without the time of the host's own software. A printed typical latency is an upper
        bound: 80 us printed and 66 us measured for one drive. A read that took longer than Q / X
        could not give the printed rate; a tenth of that is left for waiting, which is a choice.
        Source: Little's law.

    Examples:
        >>> t = unloaded_read_s(50e-6, overhead_s=20e-6, rated_iops=92e3, rated_queue_depth=32)
        >>> print(f"{t * 1e6:.0f} us")
        70 us
    """
    read_s, overhead_s, rated_iops, rated_queue_depth = _check.finite(
        read_s=read_s, overhead_s=overhead_s, rated_iops=rated_iops,
        rated_queue_depth=rated_queue_depth,
    )  # fmt: skip
    (printed_latency_s,) = _check.positive(printed_latency_s=printed_latency_s)
    at_most = np.minimum(printed_latency_s, _UNQUEUED * rated_queue_depth / np.asarray(rated_iops))
    return _check.plain(np.minimum(read_s + overhead_s, at_most))


def die_read_s(
    read_s: float,
    *,
    transfer_s: float,
    unloaded_s: float,
    dies: float,
    rated_iops: float,
    rated_queue_depth: float,
) -> float:
    r"""Time for which a read occupies its die, short enough that the dies give the printed rate.

    .. math:: t_r = \min\left(t_R + t_x,\; t_0,\;
              \frac{D}{X}\left(\sqrt{g^2 + 2g} - g\right)\right), \quad g = \frac{Q - X t_0}{D}

    Args:
        read_s: Time to sense a page, t_R. [s]
        transfer_s: Time of the data of a read on its channel, t_x. [s]
        unloaded_s: Latency of a single read, t_0. [s]
        dies: Dies, D. [1]
        rated_iops: Printed random reads per second, X. [1/s]
        rated_queue_depth: Queue depth at which they are printed, Q. [1]

    Returns:
        Time of a read on its die. [s]

    Raises:
        DomainError: Unless every argument is > 0 and finite, dies is a whole number and the printed
            point leaves time to wait: rated_iops * unloaded_s < rated_queue_depth.

    Notes:
        Valid for random reads over dies; the printed rate is then reached at the printed depth by
        `parallelism.operating_point`, whose waits are at most those of the formula. Source:
        Pollaczek-Khinchine formula for fixed times [3]_: the wait of Q - X t_0 reads in all, solved
        for the utilisation X t_r / D.

    Examples:
        8 dies of 100 us would give less than the 97K reads that are printed at depth 32:

        >>> t = die_read_s(90e-6, transfer_s=10e-6, unloaded_s=110e-6, dies=8, rated_iops=97e3,
        ...                rated_queue_depth=32)
        >>> print(f"{t * 1e6:.1f} us")
        71.0 us
    """
    read_s, transfer_s, unloaded_s, rated_iops, rated_queue_depth = _check.finite(
        read_s=read_s, transfer_s=transfer_s, unloaded_s=unloaded_s, rated_iops=rated_iops,
        rated_queue_depth=rated_queue_depth,
    )  # fmt: skip
    (dies,) = _check.count(dies=dies)
    waiting = np.asarray((rated_queue_depth - rated_iops * unloaded_s) / dies)
    _check.require(waiting > 0, "rated_iops", "< rated_queue_depth / unloaded_s", rated_iops)
    busy = 2 * waiting / (np.sqrt(waiting**2 + 2 * waiting) + waiting)
    shortest = np.minimum(unloaded_s, busy * dies / rated_iops)
    return _check.plain(np.minimum(read_s + transfer_s, shortest))


def residual_ratio(modelled_iops: float, *, rated_iops: float) -> float:
    r"""Relative deviation of a model from the printed figure.

    .. math:: e = X_m / X - 1

    Args:
        modelled_iops: What the model gives, X_m. [1/s]
        rated_iops: What is printed, X. [1/s]

    Returns:
        Excess of the model over the figure. [1]

    Raises:
        DomainError: Unless both are > 0 and finite.

    Notes:
        Valid for any pair. Source: definition.

    Examples:
        >>> print(f"{residual_ratio(13.0e3, rated_iops=12e3):+.1%}")
        +8.3%
    """
    modelled_iops, rated_iops = _check.finite(modelled_iops=modelled_iops, rated_iops=rated_iops)
    return modelled_iops / rated_iops - 1
