r"""Bottlenecks: which resource binds, from which queue depth on, and what remains for others.

Base units: operations per second and seconds. The laws here hold for any steady system, whatever
its discipline [1]_.

References:
    .. [1] P. J. Denning and J. P. Buzen, "The Operational Analysis of Queueing Network Models", ACM
       Computing Surveys 10(3), 1978.
"""

import numpy as np

from models import _check


def utilisation(iops: float, *, servers: float, operation_s: float) -> float:
    r"""Busy share of a resource that serves each operation for a given time.

    .. math:: U = X S / n

    Args:
        iops: Operations per second through the resource. [1/s]
        servers: Equal servers of the resource: dies, channels, or 1 for a link. [1]
        operation_s: Time of one operation on its server, waits not included. [s]

    Returns:
        Mean busy share of the servers; above 1 the rate cannot be sustained. [1]

    Raises:
        DomainError: Unless iops and operation_s are > 0 and finite and servers is a whole number.

    Notes:
        Valid for any steady load; exact. Source: utilisation law [1]_.

    Examples:
        160K reads per second on 16 dies (60 us with their transfer), 4 channels (10 us) and a link
        (2.7 us): the dies will bind.

        >>> busy = utilisation(160e3, servers=[16, 4, 1], operation_s=[60e-6, 10e-6, 2.7e-6])
        >>> [round(share, 3) for share in busy.tolist()]
        [0.6, 0.4, 0.432]
    """
    iops, operation_s = _check.finite(iops=iops, operation_s=operation_s)
    (servers,) = _check.count(servers=servers)
    return iops * operation_s / servers


def bound_iops(queue_depth: float, *, unloaded_s: float, demand_s: float) -> float:
    r"""Bound of the IOPS of a closed queue, for any discipline and variation.

    .. math:: X \le \min(Q / R_0, 1 / D_\mathrm{max})

    Args:
        queue_depth: Operations outstanding, Q. [1]
        unloaded_s: Latency of a single operation in the empty system, R_0. [s]
        demand_s: Largest service demand D_max: time of an operation on a resource, over the number
            of its servers. [s]

    Returns:
        Operations per second that cannot be exceeded. [1/s]

    Raises:
        DomainError: Unless every argument is > 0 and finite.

    Notes:
        Valid for any steady closed queue. Source: asymptotic bounds [1]_.

    Examples:
        >>> round(bound_iops(4, unloaded_s=62.7e-6, demand_s=3.75e-6))
        63796
    """
    queue_depth, unloaded_s, demand_s = _check.finite(
        queue_depth=queue_depth, unloaded_s=unloaded_s, demand_s=demand_s
    )
    return _check.plain(np.minimum(queue_depth / unloaded_s, 1 / np.asarray(demand_s)))


def knee_queue_depth(unloaded_s: float, *, demand_s: float) -> float:
    r"""Queue depth at which the two bounds of a closed queue meet.

    .. math:: Q^* = R_0 / D_\mathrm{max}

    Args:
        unloaded_s: Latency of a single operation in the empty system, R_0. [s]
        demand_s: Largest service demand D_max: time of an operation on a resource, over the number
            of its servers. [s]

    Returns:
        Queue depth from which on operations must wait for each other. [1]

    Raises:
        DomainError: Unless both arguments are > 0 and finite.

    Notes:
        Valid for any steady closed queue; random choice of dies needs a few times this depth to
        come near the limit. Source: asymptotic bounds [1]_.

    Examples:
        >>> print(f"{knee_queue_depth(62.7e-6, demand_s=3.75e-6):.1f}")
        16.7
    """
    unloaded_s, demand_s = _check.finite(unloaded_s=unloaded_s, demand_s=demand_s)
    return unloaded_s / demand_s


def remaining_iops(iops: float, *, other_iops: float, taken_iops: float) -> float:
    r"""IOPS that are left for one class of operations while another one is served.

    .. math:: x = X \max(0, 1 - y / Y)

    Args:
        iops: Rate of the class when it is alone, X. [1/s]
        other_iops: Rate of the other class when it is alone, Y. [1/s]
        taken_iops: Rate that the other class takes, y. [1/s]

    Returns:
        Operations per second of the class; 0 where the other takes all. [1/s]

    Raises:
        DomainError: Unless the first two rates are > 0 and finite and taken_iops >= 0.

    Notes:
        Valid where both compete for the same busy resource. For reads beside a given write load;
        with strict priority for reads put the reads in the place of the other class: at unlimited
        read depth nothing is left for writes. `mixing.mixed_iops` is the point of this line at a
        given mix. Source: utilisation law [1]_, x/X + y/Y = 1.

    Examples:
        97K reads alone, 12K writes alone, of which 3K are written:

        >>> remaining_iops(97e3, other_iops=12e3, taken_iops=3e3)
        72750.0
    """
    iops, other_iops = _check.finite(iops=iops, other_iops=other_iops)
    (taken_iops,) = _check.non_negative(taken_iops=taken_iops)
    return _check.plain(iops * np.maximum(0.0, 1 - taken_iops / other_iops))


def write_iops(
    media_iops: float,
    *,
    bus_iops: float = np.inf,
    controller_iops: float = np.inf,
    link_iops: float = np.inf,
    queue_iops: float = np.inf,
) -> float:
    r"""Write IOPS: the lowest limit of all resources.

    .. math:: X = \min(X_\mathrm{media}, X_\mathrm{bus}, X_\mathrm{ctrl}, X_\mathrm{link}, Q/R_0)

    Args:
        media_iops: What the dies can write, `write_budget.media_write_iops`. [1/s]
        bus_iops: What the flash channels can carry, `write_budget.bus_write_iops`. [1/s]
        controller_iops: What the firmware can process, `calibration.controller_iops`. [1/s]
        link_iops: What the host link can carry, `interface.link_iops`. [1/s]
        queue_iops: What the queue depth asks for, `queueing.iops` of the unloaded latency. [1/s]

    Returns:
        Host writes per second. [1/s]

    Raises:
        DomainError: Unless every argument is > 0.

    Notes:
        Valid as a bound; near a crossing of two limits the rate is below both. This rate over each
        limit is that resource's utilisation, and the one at 1 binds. Source: [1]_.

    Examples:
        A 480 GB 845DC EVO, whose firmware stops at 14K:

        >>> write_iops(20.7e3, controller_iops=14e3, link_iops=87e3)
        14000.0
    """
    limits = _check.positive(
        media_iops=media_iops,
        bus_iops=bus_iops,
        controller_iops=controller_iops,
        link_iops=link_iops,
        queue_iops=queue_iops,
    )
    lowest = limits[0]
    for limit in limits[1:]:
        lowest = _check.plain(np.minimum(lowest, limit))
    return lowest
