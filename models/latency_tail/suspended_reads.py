r"""Reads beside writes on flash that lets reads interrupt programs and erases.

Base units: seconds, operations per second; quantiles are fractions. An operation that can be
suspended blocks a read only for the rest of its current slice: a pulse, a verify, a step of an
erase. The lengths of slices stand on no data sheet. Those of programs are assumed to be
exponential, so that what is left of one is exponential too; those of erases fixed. The typical
lengths follow the times of the flash by their root and were fitted to drives of five vendors;
`fitted_suspension` replaces them by a drive's own.

References:
    .. [1] S. W. Fuhrmann, R. B. Cooper, "Stochastic Decompositions in the M/G/1 Queue with
       Generalized Vacations", Operations Research 33(5), 1985.
    .. [2] G. Wu, X. He, "Reducing SSD Read Latency via NAND Flash Program and Erase Suspension",
       FAST 2012.
    .. [3] G. Haas, B. Lee, P. Bonnet, V. Leis, "SSD-iq: Uncovering the Hidden Side of SSD
       Performance", PVLDB 18(11), 2025: read percentiles of five data-center drives against the
       rate of uniform random writes; aggregates in `data/measured_reads.csv`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import _check
from models.latency_tail._law import levels_of
from models.latency_tail._slices import exponential_slices
from models.latency_tail.open_reads import read_latency_s
from models.latency_tail.operations import Operations

Floats = NDArray[np.float64]

# Least squares of the logarithm over 45 loads of the five drives of [3], vendors alike, up to 0.94
# of their saturation: 1.47, 0.048, 0.179, 0.40; docs/evidence/measured-reads.md says how these do,
# and each drive without itself.
WAITING_RATIO = 1.5  # reads that wait for a program, over the load
SLICE_RATIO = 0.05  # mean slice of a program at no load, over the time of the program
SLICE_GROWTH = 0.40  # of the slice at the steady rate: a busy drive lets go later
ERASE_SLICE_RATIO = 0.18  # slice of an erase, over the time of the erase
USUAL_PROGRAM_S, USUAL_ERASE_S = 1.45e-3, 5.5e-3  # of which a drive's times count by the root
MOST_WAIT = 0.98  # of the reads, at any load

CONTROLLER_S = 20e-6  # controller, transfer and link of one read: 16 to 20 us on three drives

_HALVINGS = 60


class Suspension(NamedTuple):
    """Suspension of the writes of a drive by reads.

    `waiting_ratio` is the share of reads that wait for a program, over the load; `slice_s` the
    mean slice of a program at no load, which grows by the share `slice_growth` up to the steady
    rate; `erase_slice_s` the slice of an erase; `erasing_share` the share of time in which a die
    erases at the steady rate.
    """

    waiting_ratio: float
    slice_s: float
    slice_growth: float
    erase_slice_s: float
    erasing_share: float


class ReadLoad(NamedTuple):
    """Reads of a drive per second, its dies, and the time for which a read holds its die."""

    read_iops: float = 0.0
    dies: float = 1.0
    die_read_s: float = 50e-6


class WriteTimes(NamedTuple):
    """Times of the program of a word line and of an erase, and programs that fill a block."""

    program_s: float
    erase_s: float
    programs_per_block: float


_NO_READS = ReadLoad()


def unloaded_read_s(read_s: float, *, printed_s: float = np.inf) -> float:
    r"""Latency of a read of an idle drive.

    .. math:: t_0 = \min(t_{printed},\; t_R + 20\,\mu s)

    Args:
        read_s: Time in which a die senses a page, t_R. [s]
        printed_s: Typical read latency of the data sheet; infinite if none is printed. [s]

    Returns:
        Latency. [s]

    Raises:
        DomainError: Unless read_s is > 0 and finite and printed_s > 0.

    Notes:
        Valid for NVMe drives; 20 us for controller, transfer and link is assumed, from 16 to 20 us
        on the drives of [3]_. A printed latency is an upper limit: 80 us printed, 66 us measured.
        Source: sum of the parts.

    Examples:
        >>> print(unloaded_read_s([45e-6, 70e-6], printed_s=80e-6) * 1e6)
        [65. 80.]
    """
    (read_s,) = _check.finite(read_s=read_s)
    (printed_s,) = _check.positive(printed_s=printed_s)
    return _check.plain(np.minimum(printed_s, read_s + CONTROLLER_S))


def write_load_fraction(offered_iops: float, *, steady_write_iops: float) -> float:
    r"""Load of random writes over what the drive sustains.

    .. math:: x = \lambda / X

    Args:
        offered_iops: Random writes per second, lambda. [1/s]
        steady_write_iops: Steady rate of the data sheet, or of the model, X. [1/s]

    Returns:
        Load. [1]

    Raises:
        DomainError: Unless offered_iops is >= 0 and finite and steady_write_iops > 0 and finite.

    Notes:
        Valid for writes of one size. Source: definition.

    Examples:
        >>> write_load_fraction(40e3, steady_write_iops=80e3)
        0.5
    """
    (offered,) = _check.from_zero(offered_iops=offered_iops)
    (steady,) = _check.finite(steady_write_iops=steady_write_iops)
    return offered / steady


def erasing_share(erase_s: float, *, program_s: float, programs_per_block: float) -> float:
    r"""Share of the time of writing a block that erasing it takes.

    .. math:: e = \frac{t_E}{t_E + n t_P}

    Args:
        erase_s: Time to erase a block, t_E. [s]
        program_s: Time of one program operation, all pages of its word line, t_P. [s]
        programs_per_block: Program operations that fill the block, n. [1]

    Returns:
        Share in (0, 1). [1]

    Raises:
        DomainError: Unless every argument is > 0 and finite.

    Notes:
        Valid for a die that does nothing but write; reads and copies make the share smaller.
        Source: count of operations.

    Examples:
        >>> round(erasing_share(3.5e-3, program_s=1.17e-3, programs_per_block=512), 5)
        0.00581
    """
    erase_s, program_s, programs = _check.finite(
        erase_s=erase_s, program_s=program_s, programs_per_block=programs_per_block
    )
    return erase_s / (erase_s + programs * program_s)


def typical_suspension(
    program_s: float, *, erase_s: float, programs_per_block: float
) -> Suspension:
    r"""Suspension of writes by reads for a drive known by its flash alone.

    .. math:: a = 1.5, \quad \tau_0 = 0.05\, t_P', \quad g = 0.40, \quad s_E = 0.18\, t_E', \quad
              t_P' = \sqrt{1.45\,ms \cdot t_P}, \quad t_E' = \sqrt{5.5\,ms \cdot t_E}

    Args:
        program_s: Time of one program operation, all pages of its word line, t_P. [s]
        erase_s: Time to erase a block, t_E. [s]
        programs_per_block: Program operations that fill a block. [1]

    Returns:
        Waiting ratio a, slice tau_0, its growth g, slice of an erase s_E, share of erasing
            (`erasing_share`). [1]

    Raises:
        DomainError: Unless every argument is > 0 and finite.

    Notes:
        Valid for flash of many layers whose firmware suspends, and less so the fewer drives are
        like the five of [3]_, on which the four ratios rest. The times of a generation are not
        those of a drive: p99.9 of vendors that the fit does not know spreads least with their roots
        (0.35 in the logarithm; 0.36 with the times, 0.38 with one time for all). Source: fit to
        [3]_; times of the flash by generation.

    Examples:
        >>> mine = typical_suspension(1.17e-3, erase_s=3.5e-3, programs_per_block=512)
        >>> print(f"{mine.slice_s * 1e6:.0f} us, {mine.erase_slice_s * 1e6:.0f} us")
        65 us, 790 us
    """
    share = erasing_share(erase_s, program_s=program_s, programs_per_block=programs_per_block)
    program_s, erase_s = _check.finite(program_s=program_s, erase_s=erase_s)
    return Suspension(
        waiting_ratio=WAITING_RATIO,
        slice_s=SLICE_RATIO * _towards(USUAL_PROGRAM_S, program_s),
        slice_growth=SLICE_GROWTH,
        erase_slice_s=ERASE_SLICE_RATIO * _towards(USUAL_ERASE_S, erase_s),
        erasing_share=share,
    )


def suspended_read_latency_s(
    quantile: ArrayLike,
    *,
    unloaded_s: float,
    slice_s: float,
    waiting_share: float,
    erase_slice_s: float = 1e-3,
    erasing_share: float = 0.0,
) -> float:
    r"""Quantile of the latency of reads that wait for slices of programs and of erases.

    .. math:: P(R > t_0 + x) = u\,e^{-x/\tau} + e \left(1 - \frac{x}{s_E}\right)^+

    so that without erases

    .. math:: R_q = t_0 + \tau \max\left(0, \ln\frac{u}{1-q}\right)

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        unloaded_s: Latency of a read that waits for nothing, t_0. [s]
        slice_s: Mean slice of a program, tau. [s]
        waiting_share: Share of the reads that wait for a program, u. [1]
        erase_slice_s: Slice of an erase, s_E. [s]
        erasing_share: Share of the reads that wait for an erase, e. [1]

    Returns:
        Latency. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9], the times are > 0 and finite and the
            shares in [0, 1].

    Notes:
        Valid while reads take less than 5 % of the time of a die, so that they hardly wait for each
        other, and for programs of many slices. Against a simulation with exponential slices of 85
        us in programs of 1.2 ms up to 8 % high at p99.9, because the last slice ends with the
        program; `sliced_read_latency_s` counts both. Source: [1]_ for the residual of what is in
        progress, [2]_ for suspension.

    Examples:
        A read in four waits for slices of 70 us, one in 250 for an erase, in microseconds:

        >>> latency = suspended_read_latency_s([0.5, 0.99, 0.999], unloaded_s=65e-6, slice_s=70e-6,
        ...                                    waiting_share=0.25, erase_slice_s=7e-4,
        ...                                    erasing_share=0.004)
        >>> print((latency * 1e6).round())
        [ 65. 311. 609.]
    """
    levels = levels_of(quantile)
    times = _check.finite(unloaded_s=unloaded_s, slice_s=slice_s, erase_slice_s=erase_slice_s)
    shares = _check.fraction(waiting_share=waiting_share, erasing_share=erasing_share)
    late, unloaded, mean, erase, waiting, erasing = np.broadcast_arrays(1 - levels, *times, *shares)
    low = np.zeros(late.shape)
    high = mean * np.log(np.maximum(1.0, 2 * waiting / late)) + erase
    high = np.where(waiting + erasing > late, high, 0.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        above = waiting * np.exp(-middle / mean) + erasing * np.maximum(0, 1 - middle / erase)
        low, high = np.where(above > late, middle, low), np.where(above > late, high, middle)
    return _check.plain(unloaded + high)


def read_latency_beside_writes_s(
    quantile: ArrayLike,
    *,
    load_fraction: float,
    unloaded_s: float,
    suspension: Suspension,
    read_load: ReadLoad = _NO_READS,
) -> float:
    r"""Quantile of read latency at a rate of random writes, where reads interrupt these.

    .. math:: P(V > v) = u\,e^{-v/\tau} + y e \left(1 - \frac{v}{s_E}\right)^+, \quad
              u = \min(0.98 (1 - y e), a y), \quad \tau = \tau_0 (1 + g y), \quad
              y = \min(1, x)

    and R = t_0 + V + W with the wait W for other reads, as in `read_latency_s`.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        load_fraction: Random writes per second over the steady rate of the data sheet, x. [1]
        unloaded_s: Latency of a read of the idle drive, t_0: `unloaded_read_s`. [s]
        suspension: Waiting ratio a, slice tau_0, growth g, slice of an erase s_E, share of erasing
            e: `typical_suspension` or `fitted_suspension`. [1]
        read_load: Reads per second, dies, and the time that a read holds its die: no longer than
            unloaded_s counts. Without it reads do not wait for each other. [1]

    Returns:
        Latency; infinite if reads alone take all of the time of the dies. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9], load_fraction and read_iops are >= 0 and
            finite, dies a whole number, the times > 0 and finite, erasing_share in [0, 1],
            waiting_ratio and slice_growth >= 0.

    Notes:
        Valid while writes do not queue: what a drive takes at most is uncertain, and beyond it
        reads wait for part of the queue; `read_latency_through_limit_s` counts both. Nothing here
        grows beyond the printed rate. With typical slices, up to 0.94 of measured saturation: p99
        within a factor of 1.5 at 84 % of the loads of five drives, p99.9 at 76 %, all within 2; on
        drives of a vendor that the fit does not know, with each vendor weighing the same, p99 at 83
        %, p99.9 at 70 %. Above half of saturation the median is rough, low by a factor of up to
        2.7. Firmware may change its ways between two loads, which no data sheet says. Source: as
        `suspended_read_latency_s`.

    Examples:
        PM9A3 960 GB at 40,000 of 70,000 printed writes, where 348 and 487 us were measured [3]_:

        >>> mine = typical_suspension(1.17e-3, erase_s=3.5e-3, programs_per_block=512)
        >>> latency = read_latency_beside_writes_s([0.99, 0.999], load_fraction=4 / 7,
        ...                                        unloaded_s=65e-6, suspension=mine)
        >>> print((latency * 1e6).round())
        [437. 695.]
    """
    load, rate = _check.from_zero(load_fraction=load_fraction, read_iops=read_load.read_iops)
    unloaded, held = _check.finite(unloaded_s=unloaded_s, die_read_s=read_load.die_read_s)
    (dies,) = _check.count(dies=read_load.dies)
    held = _check.plain(np.minimum(held, unloaded))
    mean, erase_s, waiting, erasing = _slices_at_load(load, suspension)
    die_iops = np.asarray(rate) / dies
    free = np.maximum(0.0, 1 - die_iops * held)
    pieces, weights = exponential_slices()
    lengths = np.append(mean[..., None] * pieces, erase_s[..., None], axis=-1)
    shares = np.append(waiting[..., None] * weights, erasing[..., None], axis=-1)
    latency_s = read_latency_s(
        quantile,
        die_read_iops=_check.plain(die_iops),
        die_read_s=held,
        background=Operations(free[..., None] * shares / lengths, lengths),
    )
    return _check.plain(np.asarray(unloaded) - held + latency_s)


def typical_read_latency_s(
    quantile: ArrayLike,
    *,
    load_fraction: float,
    unloaded_s: float,
    write_times: WriteTimes,
    read_load: ReadLoad = _NO_READS,
) -> float:
    r"""Quantile of read latency at a rate of random writes, where nothing but the flash is known.

    .. math:: R_q = R_q(x, t_0, S(t_P, t_E, n))

    with `read_latency_beside_writes_s` R and `typical_suspension` S.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        load_fraction: Random writes per second over the steady rate of the data sheet, x. [1]
        unloaded_s: Latency of a read of the idle drive, t_0: `unloaded_read_s`. [s]
        write_times: Time of one program of a word line t_P, of an erase t_E, programs of a block n.
            [1]
        read_load: As in `read_latency_beside_writes_s`. [1]

    Returns:
        Latency; infinite as there. [s]

    Raises:
        DomainError: As `read_latency_beside_writes_s` and `typical_suspension`.

    Notes:
        Valid as these are. Source: composition of the formulas named.

    Examples:
        >>> flash = WriteTimes(program_s=1.17e-3, erase_s=3.5e-3, programs_per_block=512)
        >>> latency = typical_read_latency_s([0.99, 0.999], load_fraction=4 / 7, unloaded_s=65e-6,
        ...                                  write_times=flash)
        >>> print((latency * 1e6).round())
        [437. 695.]
    """
    return read_latency_beside_writes_s(
        quantile,
        load_fraction=load_fraction,
        unloaded_s=unloaded_s,
        suspension=typical_suspension(
            write_times.program_s,
            erase_s=write_times.erase_s,
            programs_per_block=write_times.programs_per_block,
        ),
        read_load=read_load,
    )


def _towards(usual_s: float, own_s: float) -> float:
    """Return the geometric mean of the usual time and a drive's own."""
    return _check.plain(np.sqrt(usual_s * np.asarray(own_s)))


def _slices_at_load(
    load: ArrayLike, suspension: Suspension
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return slices of programs and of erases at a load, and the shares of reads that wait."""
    ratio, growth = _check.non_negative(
        waiting_ratio=suspension.waiting_ratio, slice_growth=suspension.slice_growth
    )
    slice_s, erase_s = _check.finite(
        slice_s=suspension.slice_s, erase_slice_s=suspension.erase_slice_s
    )
    (share,) = _check.fraction(erasing_share=suspension.erasing_share)
    x = np.minimum(1.0, load)
    erasing = x * share
    waiting = np.minimum(MOST_WAIT * (1 - erasing), ratio * x)
    mean, erase, waiting, erasing = np.broadcast_arrays(
        slice_s * (1 + growth * x), erase_s, waiting, erasing
    )
    return mean, erase, waiting, erasing
