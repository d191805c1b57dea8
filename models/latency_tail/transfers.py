"""Transfers of the other dies on a channel, and the wait of a transfer for it.

Base units: seconds, operations per second. Rates are those that one die sees of all others.

References:
    .. [1] L. Kleinrock, "Queueing Systems" 1, Wiley 1975.
"""

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.latency_tail.operations import (
    FlashTimings,
    Operations,
    Streams,
    _check_flash,
    _rate_and_wa,
    _stacked,
    _streams,
)
from models.write_budget import harvested_pages

Floats = NDArray[np.float64]


def channel_transfers(
    die_read_iops: float,
    *,
    die_write_iops: float,
    wa: float,
    flash: FlashTimings,
    dies_per_channel: float,
) -> Operations:
    r"""Transfers of the other dies, which a read meets on its channel.

    .. math:: (m-1)\left(r,\; \frac{wA}{n},\; \frac{w(A-1)}{h}\right)

    with durations t_x, n t_x and h t_x, in the symbols of `background_operations`.

    Args:
        die_read_iops: Reads that arrive at one die per second, r. [1/s]
        die_write_iops: Pages that the host writes to one die per second, w. [1/s]
        wa: Write amplification, A; >= 1. [1]
        flash: Times of the die; pages per read and per program n. [1]
        dies_per_channel: Dies that share the channel, m. [1]

    Returns:
        Operations, shape (..., 3): Rates and durations of transfers for reads, programs and
            collection. [1/s, s]

    Raises:
        DomainError: As `background_operations`; also unless die_read_iops is >= 0 and finite and
            dies_per_channel is a whole number >= 1.

    Notes:
        Valid for dies of equal load. A die's own transfers never meet its own reads, which wait for
        the die. Source: count of operations.

    Examples:
        >>> flash = FlashTimings(read_s=50e-6, program_s=700e-6, erase_s=4e-3, transfer_s=10e-6,
        ...                      pages_per_read=4, pages_per_program=4, pages_per_block=1024)
        >>> transfers = channel_transfers(2e3, die_write_iops=300.0, wa=2.0, flash=flash,
        ...                               dies_per_channel=4)
        >>> transfers.rates_per_s.round(1)
        array([6000. ,  450. ,  421.9])
    """
    (reads,) = _check.from_zero(die_read_iops=die_read_iops)
    rate, wa = _rate_and_wa(die_write_iops, wa)
    (dies,) = _check.count(dies_per_channel=dies_per_channel)
    _check_flash(flash)
    harvest = harvested_pages(wa, pages_per_read=flash.pages_per_read)
    programs, copies = rate * wa / flash.pages_per_program, rate * (wa - 1) / harvest
    others = dies - 1
    return _stacked(
        (others * reads, flash.transfer_s),
        (others * programs, flash.pages_per_program * flash.transfer_s),
        (others * copies, harvest * flash.transfer_s),
    )


def mean_channel_wait_s(transfers: Operations) -> float:
    r"""Mean wait of a transfer for its channel.

    .. math:: c = \frac{\sum_i \lambda_i d_i^2}{2 (1 - \sum_i \lambda_i d_i)}

    Args:
        transfers (Operations, shape (..., K)): Rates lambda and durations d of the transfers of
            other dies. [1]

    Returns:
        float or array, shape (...): Mean wait; infinite if the channel would be busy for all of the
            time. [s]

    Raises:
        DomainError: Unless rates are >= 0, durations > 0, and both finite.

    Notes:
        Valid for transfers at random times, first come, first served. Source: [1]_,
        Pollaczek-Khinchine formula.

    Examples:
        >>> wait = mean_channel_wait_s(Operations([9000.0, 450.0], [10e-6, 40e-6]))
        >>> print(f"{wait * 1e6:.2f} us")
        0.91 us
    """
    wait, load = _channel_wait(_streams("transfers", transfers))
    return _check.plain(np.where(load < 1, wait, np.inf))


def _channel_wait(checked: Streams) -> tuple[Floats, Floats]:
    """Mean wait for the channel, 0 if it never comes, and the share of time that it is busy."""
    shares = checked.rates * checked.durations
    load = np.sum(shares, axis=-1)
    residual = np.sum(shares * checked.durations, axis=-1) / 2
    return residual / np.where(load < 1, 1 - load, np.inf), load
