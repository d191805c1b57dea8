r"""Cost of one stall of one drive to an array: the work of the other drives during the stall.

Base units: operations per second and seconds. The other members continue until all outstanding
operations wait at the stalled one: a deep queue hides part of a stall, while an array with a short
queue freezes.

References:
    .. [1] L. Kleinrock, "Queueing Systems" 1, Wiley, 1975 (Pollaczek-Khinchine formula).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.array_speed import HostOperations, MemberTimes, array_speed

Floats = NDArray[np.float64]

ALONE = HostOperations(stripe_members=1, reads_per_write=0, writes_per_write=1)
STEPS = 40  # of Newton's method, which needs fewer than ten unless the queue is very deep


def completions_during_stall(
    stall_s: float, *, queue_depth: float, members: float, operation_s: float
) -> float:
    r"""Operations that an array completes while one of its members stalls.

    .. math:: C = n (n-1) (a_0 - a_T), \quad a_0 = Q/n, \quad
              \Psi(a_T) = \Psi(a_0) - \frac{T}{n s}, \quad
              \Psi(a) = \ln a + \frac{a + r - \ln(1 + r)}{2}, \quad r = \sqrt{1 + a^2}

    Args:
        stall_s: Length of the stall, T. [s]
        queue_depth: Operations kept outstanding at the array, Q. [1]
        members: Drives in the array, n. [1]
        operation_s: Time of an operation on a member, s. [s]

    Returns:
        Operations completed during the stall; at most (n - 1) Q, if all wait for the member. [1]

    Raises:
        DomainError: Unless stall_s and operation_s are > 0 and finite, queue_depth and members
            whole numbers.

    Notes:
        Valid for operations on random single members, and stalls that do not overlap. Source: 1 of
        n completions goes to the stalled member; the others, with a operations each, complete (n -
        1)(1 + a - sqrt(1 + a^2)) / s per second [1]_; integrated in closed form.

    Examples:
        12 drives of 50K IOPS at queue depth 32 each, a stall of 5.76 ms:

        >>> round(completions_during_stall(5.76e-3, queue_depth=384, members=12, operation_s=20e-6))
        3079
    """
    stall_s, operation_s = _check.finite(stall_s=stall_s, operation_s=operation_s)
    depth, members = _check.count(queue_depth=queue_depth, members=members)
    start = np.asarray(depth / members)
    lapse = np.asarray(stall_s / (members * operation_s))
    drained = _drained(*np.broadcast_arrays(start, lapse))
    return _check.plain(depth * (np.asarray(members) - 1) * drained)


def frozen_s(stall_s: float, *, queue_depth: float, members: float, operation_s: float) -> float:
    r"""Time that an array loses by one stall of one member.

    .. math:: F = \max(0,\; T - C / X_N)

    Args:
        stall_s: Length of the stall, T. [s]
        queue_depth: Operations kept outstanding at the array, Q. [1]
        members: Drives in the array, n. [1]
        operation_s: Time of an operation on a member, s. [s]

    Returns:
        Time for which the array effectively stops. [s]

    Raises:
        DomainError: Unless stall_s and operation_s are > 0 and finite, queue_depth is a whole
            number from 1 to 65,536 and members one from 1 to 10^12.

    Notes:
        Valid where `completions_during_stall`, C, is; X_N is `array_speed` without stalls. After a
        stall that a deep queue hides, the queue is unevenly spread over the members for a while,
        which costs more time: `array_stalls.stalled_iops` includes that. Source: operations lost
        during the stall, over the rate outside of it.

    Examples:
        Most of the stall is lost at queue depth 4 each, a tenth at 32:

        >>> for depth in (48, 384):
        ...     lost_s = frozen_s(5.76e-3, queue_depth=depth, members=12, operation_s=20e-6)
        ...     print(f"{lost_s * 1e3:.2f} ms")
        4.77 ms
        0.55 ms
    """
    known = {"queue_depth": queue_depth, "members": members, "operation_s": operation_s}
    done = completions_during_stall(stall_s, **known)
    return _check.plain(np.maximum(0.0, stall_s - np.asarray(done) / _steady_iops(**known)))


def _steady_iops(queue_depth: float, members: float, operation_s: float) -> float:
    """IOPS of an array without stalls."""
    one = np.ndim(queue_depth) == np.ndim(members) == 0
    operations = _kept_operations if one else _operations_per_operation_time
    return _check.plain(np.asarray(operations(queue_depth, members)) / operation_s)


def _operations_per_operation_time(queue_depth: float, members: float) -> float:
    """Operations of arrays in the time of one: the queue is the same at every speed."""
    return array_speed(
        queue_depth, members=members, read_fraction=1.0, times=MemberTimes(1.0, 1.0),
        host_operations=ALONE,
    ).iops  # fmt: skip


_kept_operations = lru_cache(maxsize=1024)(_operations_per_operation_time)


def _drained(start: Floats, lapse: Floats) -> Floats:
    """Share of the operations at each of the other members that is gone after a time `lapse`.

    Newton's method for the logarithm of what is left over `start`; see Psi.
    """
    root = np.hypot(1, start)
    change = np.zeros(start.shape)
    for _ in range(STEPS):
        left, gone = start * np.exp(change), -start * np.expm1(change)
        left_root = np.hypot(1, left)
        nearer = gone * ((start + left) / (root + left_root))  # root - left_root
        passed = change - (gone + nearer - np.log1p(nearer / (1 + left_root))) / 2
        step = (passed + lapse) * 2 / (1 + left + left_root)
        change = change - step
        if np.all(np.abs(step) <= 1e-13 * np.abs(change)):
            break
    return np.asarray(-np.expm1(change))
