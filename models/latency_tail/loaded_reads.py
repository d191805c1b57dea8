r"""Random reads of a whole drive beside its writes: at random, or by readers at a queue depth.

Base units: seconds, operations per second; quantiles are fractions. Reads and writes are spread
evenly over the dies. What one die and its channel do is in `open_reads`, for reads at random, and
in `closed_reads`, for readers that each wait for their last read; here it is put together for a
drive: the writes make the background of each die, the other dies share its channel, and readers
pass a host link.

References:
    .. [1] L. Kleinrock, "Queueing Systems" 1, Wiley 1975 (M/D/1).
    .. [2] M. Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window
       Flow Control", IEEE Transactions on Communications 27(8), 1979 (arrivals see the others).
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from models import _check
from models.latency_tail._law import levels_of
from models.latency_tail.closed_reads import closed_read_iops, closed_read_latency_s
from models.latency_tail.open_reads import busy_fraction, mean_read_latency_s, read_latency_s
from models.latency_tail.operations import FlashTimings, Operations, background_operations
from models.latency_tail.transfers import channel_transfers, mean_channel_wait_s

_FOREVER_S = 1e6  # wait for a channel that is busy for all of the time
_READERS_PER_DIE = 2  # at most, for readers one by one
_PRECISION = 1e-6  # of a rate, relatively
_JUMP = 0.01  # of the readers under way, where a rate just below leaves so many out


class FlashGeometry(NamedTuple):
    """Dies of a drive, and the channels that they share equally, as numbers or arrays [1]."""

    dies: float
    channels: float


class WriteLoad(NamedTuple):
    """Pages that the host writes per second [1/s], and their write amplification [1]."""

    write_iops: float
    wa: float


def loaded_read_latency_s(
    quantile: ArrayLike,
    *,
    read_iops: float,
    flash: FlashTimings,
    geometry: FlashGeometry,
    write_load: WriteLoad,
) -> float:
    r"""Quantile of the latency of reads that arrive at random at a drive that is written to.

    .. math:: R_q = R_q\left(\frac{r}{D},\, t_R + t_x,\, B(w/D, A),\, C(r/D, w/D, A)\right)

    with `read_latency_s` R of one die, its background B, `background_operations` with the mean
    wait for the channel, and the transfers C of the other dies, `channel_transfers`.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        read_iops: Reads that arrive at the drive per second, r. [1/s]
        flash: Times of one die, t_R and t_x among them, and its geometry in pages. [1]
        geometry: Dies, D, and channels. [1]
        write_load: Pages written per second, w, and write amplification, A. [1]

    Returns:
        Latency of a read from its arrival at the die; infinite if a die or a channel would be busy
            for all of the time. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9], read_iops and write_iops are >= 0 and
            finite, wa is >= 1 and finite, dies and channels are whole numbers, and as
            `background_operations`.

    Notes:
        Valid as `read_latency_s`, for reads and writes spread evenly over dies and collection in
        small steps; reads go before programs and erases in waiting, and nothing is suspended.
        Source: composition of the formulas named.

    Examples:
        16 dies on 8 channels, 20,000 reads and 5,000 writes per second, in microseconds:

        >>> flash = FlashTimings(read_s=50e-6, program_s=700e-6, erase_s=4e-3, transfer_s=10e-6,
        ...                      pages_per_read=4, pages_per_program=4, pages_per_block=1024)
        >>> latency = loaded_read_latency_s([0.5, 0.999], read_iops=20e3, flash=flash,
        ...                                 geometry=FlashGeometry(16, 8),
        ...                                 write_load=WriteLoad(5e3, 2.0))
        >>> print((latency * 1e6).round())
        [  60. 2548.]
    """
    dies, channels = _check.count(dies=geometry.dies, channels=geometry.channels)
    rate, writes = _check.from_zero(read_iops=read_iops, write_iops=write_load.write_iops)
    whole, load = FlashGeometry(dies, channels), WriteLoad(writes, write_load.wa)
    transfers, background = _beside(rate, flash, whole, load)
    return read_latency_s(
        quantile,
        die_read_iops=rate / dies,
        die_read_s=flash.read_s + flash.transfer_s,
        background=background,
        transfers=transfers,
    )


def queued_read_iops(
    queue_depth: float,
    *,
    link_s: float,
    flash: FlashTimings,
    geometry: FlashGeometry,
    write_load: WriteLoad,
) -> float:
    r"""Rate of readers at a constant queue depth, through the host link, beside writes.

    .. math:: X = \frac{Q}{t_l + R}, \quad
              t_l = t_h \frac{1 - \rho/2}{1 - \rho}, \quad
              \rho = X t_h \frac{Q - 1}{Q}

    where R is the mean latency of a read at its die: up to two readers for each die that of
    `closed_read_iops`, for more readers that of `mean_read_latency_s` at the rate X / D.

    Args:
        queue_depth (float): Readers, Q, each with one read under way. [1]
        link_s (float): Time of one read on the host link, t_h. [s]
        flash (FlashTimings of float): Times of one die, without transfers, and its geometry in
            pages. [1]
        geometry (FlashGeometry of float): Dies and channels. [1]
        write_load (WriteLoad of float): Pages written per second and write amplification. [1]

    Returns:
        float: Reads per second, at most 1/t_h; 0 without a steady state: the writes outrun what the
            readers leave of the drive. [1/s]

    Raises:
        DomainError: Unless queue_depth, dies and channels are single whole numbers, link_s is > 0
            and finite, and as `loaded_read_latency_s`.

    Notes:
        Valid as `closed_read_iops`, each reader's next die drawn at random and a link that carries
        the reads alone: within 7 % of simulated drives up to a reader for four dies; 16 % high with
        three readers for two dies, 7 % low with three for each. Source: Little's law; mean wait at
        the link as that of a queue at random [1]_ of the other readers [2]_.

    Examples:
        >>> flash = FlashTimings(read_s=50e-6, program_s=700e-6, erase_s=4e-3, transfer_s=10e-6,
        ...                      pages_per_read=4, pages_per_program=4, pages_per_block=1024)
        >>> drive = {"flash": flash, "geometry": FlashGeometry(16, 8)}
        >>> for writes in (0, 5e3):
        ...     x = queued_read_iops(4, link_s=8e-6, **drive, write_load=WriteLoad(writes, 2.0))
        ...     print(round(x))
        53426
        34480
    """
    loop = _checked(queue_depth, link_s, flash, geometry, write_load)
    rate, host_s = _settled(loop)
    return rate if math.isfinite(host_s) else 0.0


def queued_read_latency_s(
    quantile: ArrayLike,
    *,
    queue_depth: float,
    link_s: float,
    flash: FlashTimings,
    geometry: FlashGeometry,
    write_load: WriteLoad,
) -> float:
    r"""Quantile of the latency of readers at a constant queue depth, beside writes.

    .. math:: L_q = t_l + R_q

    where R_q is up to two readers for each die `closed_read_latency_s`, the mean wait for the
    channel added, and for more readers `loaded_read_latency_s` at the rate of
    `queued_read_iops`, with t_l from there.

    Args:
        quantile: Required quantile, in (0, 1 - 1e-9]: 0.999 for p99.9. [1]
        queue_depth (float): Readers, Q, each with one read under way. [1]
        link_s (float): Time of one read on the host link, t_h. [s]
        flash (FlashTimings of float): Times of one die, without transfers, and its geometry in
            pages. [1]
        geometry (FlashGeometry of float): Dies and channels. [1]
        write_load (WriteLoad of float): Pages written per second and write amplification. [1]

    Returns:
        Latency that the reader sees; infinite without a steady state. [s]

    Raises:
        DomainError: Unless quantile is in (0, 1 - 1e-9]; else as `queued_read_iops`.

    Notes:
        Valid as `closed_read_latency_s`; a read that an erase stops is one read late, so that these
        percentiles are lower than those of reads at random. The link counts with its mean. Up to a
        reader for four dies within 6 % of simulation at p99 and p99.9, within 12 % at the median; a
        quantile on the step between two kinds of operation may be far off. With more readers than
        dies, reads wait for each other more than is counted: the median comes out up to 23 % low,
        p99.9 within 4 %. Source: as `queued_read_iops`.

    Examples:
        >>> flash = FlashTimings(read_s=50e-6, program_s=700e-6, erase_s=4e-3, transfer_s=10e-6,
        ...                      pages_per_read=4, pages_per_program=4, pages_per_block=1024)
        >>> latency = queued_read_latency_s([0.5, 0.999], queue_depth=4, link_s=8e-6, flash=flash,
        ...                                 geometry=FlashGeometry(16, 8),
        ...                                 write_load=WriteLoad(5e3, 2.0))
        >>> print((latency * 1e6).round())
        [ 69. 852.]
    """
    levels = levels_of(quantile)
    loop = _checked(queue_depth, link_s, flash, geometry, write_load)
    rate, host_s = _settled(loop)
    if not math.isfinite(host_s):
        return _check.plain(np.full(levels.shape, math.inf))
    if loop.is_crowded:
        latency_s = loaded_read_latency_s(quantile, read_iops=rate, **loop.drive)
        return _check.plain(host_s + np.asarray(latency_s))
    transfers, background = _beside(rate * (loop.depth - 1) / loop.depth, **loop.drive)
    host_s = host_s + _channel_wait_s(transfers)
    return closed_read_latency_s(quantile, host_s=host_s, background=background, **loop.readers)


class _Loop(NamedTuple):
    """Readers at a queue depth, the link, the drive and its writes, all single numbers."""

    depth: float
    link_s: float
    flash: FlashTimings
    geometry: FlashGeometry
    write_load: WriteLoad

    @property
    def is_crowded(self) -> bool:
        """Whether there are too many readers to follow them one by one."""
        return self.depth > _READERS_PER_DIE * self.geometry.dies

    @property
    def drive(self) -> dict[str, Any]:
        """The drive and its writes, as `loaded_read_latency_s` takes them."""
        return {"flash": self.flash, "geometry": self.geometry, "write_load": self.write_load}

    @property
    def readers(self) -> dict[str, float]:
        """The readers and their reads, as `closed_read_iops` takes them."""
        die_read_s = self.flash.read_s + self.flash.transfer_s
        return {"queue_depth": self.depth, "dies": self.geometry.dies, "die_read_s": die_read_s}


def _checked(
    queue_depth: float,
    link_s: float,
    flash: FlashTimings,
    geometry: FlashGeometry,
    write_load: WriteLoad,
) -> _Loop:
    counts = {"queue_depth": queue_depth, "dies": geometry.dies, "channels": geometry.channels}
    depth, dies, channels = _check.count(**counts)
    (link_s,) = _check.finite(link_s=link_s)
    (writes,) = _check.from_zero(write_iops=write_load.write_iops)
    rest = {"link_s": link_s, "write_iops": writes, "wa": write_load.wa}
    for name, value in (counts | rest).items():
        _check.require(np.ndim(value) == 0, name, "a single number", value)
    load = WriteLoad(writes, write_load.wa)
    return _Loop(depth, link_s, flash, FlashGeometry(dies, channels), load)


def _settled(loop: _Loop) -> tuple[float, float]:
    """Return the rate of the readers and the time of a read on the link; that is infinite if none.

    Readers are followed one by one while there are dies for them; else they come at random, at
    the rate at which as many as there are readers are under way.
    """
    if loop.is_crowded:
        return _through_link(loop, partial(_random_s, loop))
    host_s, rate = loop.link_s, 0.0
    for _ in range(2):
        _, background = _beside(rate, **loop.drive)
        alone = closed_read_iops(host_s=host_s, background=background, **loop.readers)
        if alone == 0:
            return 0.0, math.inf
        away_s = loop.depth / alone - host_s
        rate, host_s = _through_link(loop, partial(_always, away_s))
    return rate, host_s


def _always(seconds: float, _: float) -> float:
    return seconds


def _random_s(loop: _Loop, rate: float) -> float:
    """Mean latency at the die of reads that arrive at random at a rate."""
    transfers, background = _beside(rate, **loop.drive)
    return mean_read_latency_s(
        rate / loop.geometry.dies,
        die_read_s=loop.flash.read_s + loop.flash.transfer_s,
        background=background,
        transfers=transfers,
    )


def _through_link(loop: _Loop, away_s: Callable[[float], float]) -> tuple[float, float]:
    """Find the rate of a closed loop through the link and `away_s`, and the time on the link.

    Infinite time where no rate fills the loop: readers then leave the writes no time.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to import

    depth, link_s = loop.depth, loop.link_s

    def on_link_s(rate: float) -> float:
        others = rate * link_s * (depth - 1) / depth
        return link_s * (1 - others / 2) / (1 - others)

    def excess(rate: float) -> float:
        return min(1.0, rate * (on_link_s(rate) + away_s(rate)) / depth - 1)

    most = 1 / link_s
    if excess(most * 1e-9) > 0:
        return 0.0, math.inf
    if excess(most) < 0:
        return most, depth * link_s - away_s(most)
    rate = brentq(excess, most * 1e-9, most, rtol=_PRECISION)
    if excess(rate * (1 - 1e-4)) < -_JUMP:
        return rate, math.inf
    return rate, on_link_s(rate)


def _busy_share(
    read_iops: float, flash: FlashTimings, geometry: FlashGeometry, write_load: WriteLoad
) -> float:
    """Share of time for which a die of the drive is busy: `busy_fraction`."""
    dies, channels = _check.count(dies=geometry.dies, channels=geometry.channels)
    rate, writes = _check.from_zero(read_iops=read_iops, write_iops=write_load.write_iops)
    transfers, background = _beside(
        rate, flash, FlashGeometry(dies, channels), WriteLoad(writes, write_load.wa)
    )
    return busy_fraction(
        _check.plain(rate / np.asarray(dies)), die_read_s=flash.read_s + flash.transfer_s,
        background=background, transfers=transfers,
    )  # fmt: skip


def _beside(
    read_iops: float, flash: FlashTimings, geometry: FlashGeometry, write_load: WriteLoad
) -> tuple[Operations, Operations]:
    """Return the other operations on the channel and on the die of a read."""
    dies = np.asarray(geometry.dies)
    die_write_iops = _check.plain(write_load.write_iops / dies)
    transfers = channel_transfers(
        _check.plain(read_iops / dies),
        die_write_iops=die_write_iops,
        wa=write_load.wa,
        flash=flash,
        dies_per_channel=_check.plain(np.maximum(1.0, np.round(dies / geometry.channels))),
    )
    background = background_operations(
        die_write_iops, wa=write_load.wa, flash=flash, channel_wait_s=_channel_wait_s(transfers)
    )
    return transfers, background


def _channel_wait_s(transfers: Operations) -> float:
    """Mean wait for the channel; so long that nothing ever ends if it is saturated."""
    return _check.plain(np.minimum(_FOREVER_S, mean_channel_wait_s(transfers)))
