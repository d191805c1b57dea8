r"""Random reads through dies, channels and the host link at a constant queue depth.

Base units: operations per second and seconds. A read waits for its die, is sensed, moves over
the channel that the die shares with others, and then over the one link to the host. Whether the
die is free again after the sense (cache read: the page waits in a second register) or only when
its page has left it, makes two formulas. Mean latency is `queueing.latency_s` of these IOPS;
`bottleneck.utilisation` says how busy each resource is, the busiest one binds.

Both are mean-value analysis [1]_ with the residual of fixed service times [2]_. Where a die is
held, one correction comes from comparison with simulation: fixed times lock neighbours into
step, so that dies that stay busy take turns on their channel without a conflict.

References:
    .. [1] M. Reiser and S. S. Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing
       Networks", Journal of the ACM 27(2), 1980.
    .. [2] M. Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window
       Flow Control", IEEE Transactions on Communications 27(8), 1979 (residual service).
    .. [3] "Open NAND Flash Interface Specification" (Read and Read Cache operations).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.parallelism import MOST_DEPTH

Floats = NDArray[np.float64]


def read_iops(
    queue_depth: float,
    *,
    dies: float,
    channels: float,
    read_s: float,
    transfer_s: float,
    link_s: float = 0.0,
) -> float:
    r"""IOPS of random reads that hold their die until the page has left it.

    .. math:: R_k = (t_R + r)\left(1 + \frac{X}{n}\Big(R_d - \frac{t_R + r}{2}\Big)\right) + R_h,
              \quad X_k = k / R_k

    with r the time on the channel, wait included: for z = (n/C - 1) U other dies at work on the
    channel, the root of :math:`r^2 + (t_R - t_x - z t_x)\,r = t_x t_R - z t_x^2/2`, and the turn
    of :math:`\max(t_x, (1+z) t_x - t_R)` once they are in step, weighed by 1 - U^2 and U^2.

    Args:
        queue_depth: Reads kept outstanding, Q. [1]
        dies: Dies, n. [1]
        channels: Channels that the dies share equally, C; not more than dies are of use. [1]
        read_s: Sense of a page on its die, t_R. [s]
        transfer_s: Time of the data of one read on its channel, t_x. [s]
        link_s: Time of one read on the host link, t_h. [s]

    Returns:
        Completed reads per second, at most Q/(t_R + t_x + t_h), n/(t_R + t_x), C/t_x and 1/t_h.
            [1/s]

    Raises:
        DomainError: Unless queue_depth is a whole number from 1 to 65,536, dies and channels are
            whole numbers, read_s and transfer_s are > 0 and finite, and link_s is >= 0 and finite.

    Notes:
        Valid for fixed times and random dies. Against simulation of 1,200 cases (4 to 32 dies, 1 to
        8 of them on a channel, transfers of 5 to 100 % of the sense): off by 1.1 % on average and
        by at most 8 %; by more than 5 % in 2 of the 720 cases from 8 dies on where the transfer
        takes up to half of the sense. Grows with depth, channels and dies, but for one more die on
        a channel whose transfer is as slow as the sense, which may cost 2 %. Source: [1]_, [2]_,
        with the correction for dies in step; timing as in [3]_.

    Examples:
        16 dies of 50 us on 4 channels of 10 us, a link of 2.7 us:

        >>> round(read_iops(32, dies=16, channels=4, read_s=50e-6, transfer_s=10e-6, link_s=2.7e-6))
        203706
    """
    net = _network(queue_depth, dies, channels, read_s, transfer_s, link_s)

    def flash(rate: Floats, die_s: Floats, _: Floats) -> tuple[Floats, Floats]:
        busy = np.minimum(1, rate * die_s / net.dies)
        moving = net.transfer_s * (net.dies / net.channels - 1) * busy
        slack = net.read_s - net.transfer_s - moving
        root = np.sqrt(slack**2 + 4 * net.transfer_s * net.read_s - 2 * net.transfer_s * moving)
        turn = np.maximum(net.transfer_s, moving + net.transfer_s - net.read_s)
        moved = (1 - busy**2) * (root - slack) / 2 + busy**2 * turn
        return net.read_s + moved, np.zeros_like(rate)

    return _capped(_mean_values(net, flash), net, die_s=net.read_s + net.transfer_s)


def cache_read_iops(
    queue_depth: float,
    *,
    dies: float,
    channels: float,
    read_s: float,
    transfer_s: float,
    link_s: float = 0.0,
) -> float:
    r"""IOPS of random reads that free their die after the sense.

    .. math:: R_k = t_R\Big(1 + \frac{X}{n}\big(R_d - \tfrac{t_R}{2}\big)\Big)
              + t_x\Big(1 + \frac{X}{C}\big(R_c - \tfrac{t_x}{2}\big)\Big) + R_h, \quad
              X_k = k / R_k

    and not less than `read_iops`.

    Args:
        queue_depth: Reads kept outstanding, Q. [1]
        dies: Dies, n. [1]
        channels: Channels that the dies share equally, C; not more than dies are of use. [1]
        read_s: Sense of a page on its die, t_R. [s]
        transfer_s: Time of the data of one read on its channel, t_x. [s]
        link_s: Time of one read on the host link, t_h. [s]

    Returns:
        Completed reads per second, at most Q/(t_R + t_x + t_h), n/t_R, C/t_x and 1/t_h. [1/s]

    Raises:
        DomainError: Unless queue_depth is a whole number from 1 to 65,536, dies and channels are
            whole numbers, read_s and transfer_s are > 0 and finite, and link_s is >= 0 and finite.

    Notes:
        Valid for fixed times, random dies and registers that never run out. Against simulation of
        the 1,200 cases of `read_iops`: off by 2.0 % on average, up to 7 % high and 14 % low; from 8
        dies on where the transfer takes up to half of the sense at most 8.4 % low, in 27 of 720
        cases by more than 5 %. Low where channels and dies have about equal work: fixed times then
        pass without the waits that are counted here. Source: [1]_, [2]_; timing as in [3]_; never
        below `read_iops` because a die that is free earlier is no loss.

    Examples:
        >>> round(cache_read_iops(32, dies=16, channels=4, read_s=50e-6, transfer_s=10e-6,
        ...                       link_s=2.7e-6))
        238046
    """
    net = _network(queue_depth, dies, channels, read_s, transfer_s, link_s)

    def flash(rate: Floats, _: Floats, channel_s: Floats) -> tuple[Floats, Floats]:
        ahead = rate / net.channels * (channel_s - net.transfer_s / 2)
        return net.read_s, net.transfer_s * (1 + ahead)

    held = read_iops(
        queue_depth,
        dies=dies,
        channels=channels,
        read_s=read_s,
        transfer_s=transfer_s,
        link_s=link_s,
    )
    return _capped(np.maximum(held, _mean_values(net, flash)), net, die_s=net.read_s)


class _Network(NamedTuple):
    """A drive and its queue, all of the shape of the result."""

    depth: Floats
    dies: Floats
    channels: Floats
    read_s: Floats
    transfer_s: Floats
    link_s: Floats


def _network(
    queue_depth: float,
    dies: float,
    channels: float,
    read_s: float,
    transfer_s: float,
    link_s: float,
) -> _Network:
    depth, dies, channels = _check.count(queue_depth=queue_depth, dies=dies, channels=channels)
    inside = np.asarray(depth) <= MOST_DEPTH
    _check.require(inside, "queue_depth", f"a whole number from 1 to {MOST_DEPTH:.0f}", depth)
    times = _check.finite(read_s=read_s, transfer_s=transfer_s)
    (link_s,) = _check.non_negative(link_s=link_s)
    _check.require(np.asarray(link_s) < np.inf, "link_s", ">= 0 and finite", link_s)
    used = np.minimum(dies, channels)
    return _Network(*map(np.asarray, np.broadcast_arrays(depth, dies, used, *times, link_s)))


def _mean_values(
    net: _Network, flash: Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]
) -> Floats:
    """Rate after adding one read at a time; `flash` gives time on the die and on the channel."""
    rate, die_s, wait_s, channel_s, host_s = np.zeros((5, *net.depth.shape))
    for held in range(int(np.max(net.depth))):
        ahead = rate / net.dies * (wait_s - die_s / 2)
        host_s = net.link_s * (1 + rate * (host_s - net.link_s / 2))
        die_s, channel_s = flash(rate, die_s, channel_s)
        wait_s = die_s * (1 + ahead)
        more = np.maximum(rate, (held + 1) / (wait_s + channel_s + host_s))
        rate = np.where(held < net.depth, more, rate)
    return np.asarray(rate)


def _capped(rate: Floats, net: _Network, *, die_s: Floats) -> float:
    """Keep a rate below the capacity of every resource."""
    for demand_s in (die_s / net.dies, net.transfer_s / net.channels, net.link_s):
        rate = rate / np.maximum(1, rate * demand_s)
    return _check.plain(rate)
