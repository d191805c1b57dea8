r"""Idle states: residency, mean power, and the wait of the first operation.

Base units: watts and seconds. A drive that has been idle for some time changes to a lighter, then
to a deeper sleep: slumber and DevSleep of a SATA link, states such as PS3 and PS4 of NVMe by
autonomous power state transition (APST). Idle gaps end at random.

References:
    .. [1] NVM Express, "Base Specification", revision 1.4, 2019, sections 5.21.1.12 (APST: idle
       time prior to transition) and figure 248 (entry and exit latency of a power state).
    .. [2] A. Lutomirski, "nvme: Enable autonomous power state transitions", Linux, 2017-02-07: at
       most 2 % of the time is spent on transitions if the drive waits 50 times their latency.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.errors import DomainError


class IdleShares(NamedTuple):
    """Shares of idle states, the awake one first.

    Attributes:
        time_fraction: Share of the idle time in each state. [1]
        woken_fraction: Share of the idle gaps that end in each state. [1]
    """

    time_fraction: NDArray[np.float64]
    woken_fraction: NDArray[np.float64]


def transition_s(entry_latency_s: float, *, exit_latency_s: float, patience_ratio: float) -> float:
    r"""Idle time after which a host lets a drive change to a power state.

    .. math:: \tau = k\,(t_{en} + t_{ex})

    Args:
        entry_latency_s: Longest time to enter the state, t_en. [s]
        exit_latency_s: Longest time to leave it, t_ex. [s]
        patience_ratio: Idle time over both latencies, k. [1]

    Returns:
        Idle time before the transition. [s]

    Raises:
        DomainError: Unless the latencies are >= 0 and finite, and patience_ratio is > 0 and finite.

    Notes:
        Valid for hosts that use this rule; Linux takes k = 50 [2]_. Source: [2]_.

    Examples:
        Printed by a Linux host for states of 0.5 + 5 and of 2 + 22 ms: 275 and 1,200 ms.

        >>> transition_s([5e-4, 2e-3], exit_latency_s=[5e-3, 22e-3], patience_ratio=50)
        array([0.275, 1.2  ])
    """
    entry, leave = _check.from_zero(entry_latency_s=entry_latency_s, exit_latency_s=exit_latency_s)
    (patience,) = _check.finite(patience_ratio=patience_ratio)
    return _check.plain(patience * np.add(entry, leave))


def asleep_fraction(transition_s: float, *, mean_gap_s: float) -> float:
    r"""Share of the idle time that is spent beyond a transition, where gaps are exponential.

    .. math:: q = e^{-\tau / m}

    Args:
        transition_s: Idle time before the transition, tau. [s]
        mean_gap_s: Mean length of an idle gap, m. [s]

    Returns:
        Share of the idle time, and of the gaps that end, in this state or a deeper one. [1]

    Raises:
        DomainError: Unless transition_s is >= 0, and mean_gap_s is > 0 and finite.

    Notes:
        Valid for exponential gaps, of which nobody knows how long they still last, so that both
        shares are equal; for others see `idle_shares`. Source: the mean of what exceeds tau, over
        m.

    Examples:
        >>> round(asleep_fraction(0.1, mean_gap_s=1.0), 3)
        0.905
    """
    (wait,) = _check.non_negative(transition_s=transition_s)
    (mean,) = _check.finite(mean_gap_s=mean_gap_s)
    return _check.plain(np.exp(-np.divide(wait, mean)))


def idle_shares(gaps_s: Sequence[float], *, transitions_s: Sequence[float]) -> IdleShares:
    r"""Shares of idle states over gaps that were measured.

    .. math::
        q_k = \frac{\sum_i \min(g_i, \tau_{k+1}) - \min(g_i, \tau_k)}{\sum_i g_i}, \quad
        w_k = \frac{1}{n}\,\#\{i: \tau_k \le g_i < \tau_{k+1}\}

    Args:
        gaps_s (sequence of s): Lengths of the idle gaps, g. [s]
        transitions_s (sequence of s): Idle times before the transitions, rising, tau from 1. [s]

    Returns:
        Shares of the time in each state, and of the gaps that end in it; one state more than there
        are transitions. [1]

    Raises:
        DomainError: Unless gaps_s are some numbers > 0 and finite, and transitions_s are >= 0 and
            rise.

    Notes:
        Valid for transitions that take no time; exact. Source: definition.

    Examples:
        Gaps of 1, 2 and 7 s, slumber after 1.5 and DevSleep after 5 s:

        >>> shares = idle_shares([1.0, 2.0, 7.0], transitions_s=[1.5, 5.0])
        >>> shares.time_fraction.round(2), shares.woken_fraction.round(2)
        (array([0.4, 0.4, 0.2]), array([0.33, 0.33, 0.33]))
    """
    gaps, after = (np.asarray(each, float) for each in (gaps_s, transitions_s))
    _check.require((gaps > 0) & (gaps < np.inf), "gaps_s", "> 0 and finite", gaps)
    _check.require(after >= 0, "transitions_s", ">= 0", after)
    if gaps.ndim != 1 or not gaps.size:
        raise DomainError("gaps_s must be a list of numbers > 0 and finite, not empty")
    if after.ndim != 1 or np.any(np.diff(after) < 0):
        raise DomainError("transitions_s must be a list of numbers >= 0 that rise")
    edges = np.concatenate([[0.0], after, [np.inf]])
    spent = np.minimum.outer(gaps, edges)
    ends = np.searchsorted(edges, gaps, side="right") - 1
    counts = np.bincount(ends, minlength=len(edges) - 1)
    return IdleShares(np.diff(spent.sum(axis=0)) / gaps.sum(), counts / gaps.size)


def mean_idle_power_w(
    idle_power_w: float,
    *,
    light_power_w: float,
    deep_power_w: float,
    light_fraction: float,
    deep_fraction: float,
) -> float:
    r"""Mean power of a drive while it is idle, awake at first and then in two states of sleep.

    .. math:: P = P_0 - q_1 (P_0 - P_1) - q_2 (P_1 - P_2)

    Args:
        idle_power_w: Power when idle and awake, P_0. [W]
        light_power_w: Power in the lighter sleep, P_1. [W]
        deep_power_w: Power in the deeper sleep, P_2. [W]
        light_fraction: Share of the idle time in the lighter sleep or a deeper one, q_1. [1]
        deep_fraction: Share of the idle time in the deeper sleep, q_2. [1]

    Returns:
        Mean power. [W]

    Raises:
        DomainError: Unless the powers are >= 0, and the shares in [0, 1].

    Notes:
        Valid for transitions that take little time and energy, and a deeper sleep only after the
        lighter. Source: mean over the states.

    Examples:
        Half of the time in slumber at 30 mW, a quarter in DevSleep at 5 mW:

        >>> round(mean_idle_power_w(0.3, light_power_w=0.03, deep_power_w=0.005,
        ...                         light_fraction=0.75, deep_fraction=0.25), 5)
        0.09125
    """
    awake, light, deep = _check.non_negative(
        idle_power_w=idle_power_w, light_power_w=light_power_w, deep_power_w=deep_power_w
    )
    asleep, deeper = _check.fraction(light_fraction=light_fraction, deep_fraction=deep_fraction)
    saved = asleep * np.subtract(awake, light) + deeper * np.subtract(light, deep)
    return _check.plain(np.subtract(awake, saved))


def mean_wake_s(
    light_wake_s: float, *, deep_wake_s: float, light_fraction: float, deep_fraction: float
) -> float:
    r"""Mean time by which the first operation after an idle gap waits for the drive to wake up.

    .. math:: w = (q_1 - q_2)\,w_1 + q_2\,w_2

    Args:
        light_wake_s: Time to wake up from the lighter sleep, w_1. [s]
        deep_wake_s: Time to wake up from the deeper sleep, w_2. [s]
        light_fraction: Share of the gaps that end in the lighter sleep or a deeper one, q_1. [1]
        deep_fraction: Share of the gaps that end in the deeper sleep, q_2, at most q_1. [1]

    Returns:
        Mean wait of the first operation. [s]

    Raises:
        DomainError: Unless the times are >= 0, and the shares in [0, 1].

    Notes:
        Valid where few operations arrive while a drive falls asleep; one that does waits for the
        entry as well. Source: mean over the gaps.

    Examples:
        >>> round(mean_wake_s(1e-3, deep_wake_s=20e-3, light_fraction=0.9, deep_fraction=0.1), 5)
        0.0028
    """
    light, deep = _check.non_negative(light_wake_s=light_wake_s, deep_wake_s=deep_wake_s)
    asleep, deeper = _check.fraction(light_fraction=light_fraction, deep_fraction=deep_fraction)
    lighter = np.maximum(np.subtract(asleep, deeper), 0.0)
    return _check.plain(lighter * light + np.multiply(deeper, deep))


def battery_s(battery_j: float, *, power_w: float) -> float:
    r"""Time for which a battery alone feeds a drive.

    .. math:: t = E / P

    Args:
        battery_j: Energy of the battery, E. [J]
        power_w: Mean power of the drive, P. [W]

    Returns:
        Time; inf at no power. [s]

    Raises:
        DomainError: Unless battery_j is > 0 and power_w is >= 0.

    Notes:
        Valid for the drive alone: what a host takes shortens it. Source: definition.

    Examples:
        50 Wh at 50 mW, in hours:

        >>> battery_s(50 * 3600.0, power_w=0.05) / 3600
        1000.0
    """
    (energy,) = _check.positive(battery_j=battery_j)
    (power,) = _check.non_negative(power_w=power_w)
    with np.errstate(divide="ignore"):
        return _check.plain(np.divide(energy, power))
