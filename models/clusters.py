r"""Clusters of equal servers that keep copies or coded chunks of data on different servers.

Base units: bytes; counts of servers and of drives. Ceph, MinIO and vSAN are such: each of the k + m
chunks of an object is on a server of its own, and three copies are the code 1 + 2. Space is left
free, so that chunks lost with servers can be made again on those that are left.

References
----------
.. [1] Ceph documentation, "Monitor Config Reference", section "Storage Capacity": free space for
       the hosts whose loss a cluster is to survive; `mon_osd_nearfull_ratio` 0.85.
.. [2] Ceph documentation, "Erasure code" and "CRUSH maps": a chunk per failure domain; without
       another domain a placement group stays degraded.
"""

import numpy as np

from models import _check
from models.declustered import declustered_usable_bytes

__all__ = ["cluster_usable_bytes", "reserved_members"]


def reserved_members(
    cluster_servers: float, *, server_members: float, lost_servers: float, stripe_members: float
) -> float:
    r"""Drives' worth of free space in which all that is lost with some servers is made again.

    .. math:: r = \min(l,\ n - w)\,b \quad (n > w,\ l > 0), \qquad
              r = n \quad (n = w,\ l > 0,\ b > 1), \qquad 0 \text{ otherwise}

    Parameters
    ----------
    cluster_servers : float or array
        Servers of the cluster, n. [1]
    server_members : float or array
        Drives of a server, b. [1]
    lost_servers : float or array
        Servers that may be lost, l; 0 reserves nothing. [1]
    stripe_members : float or array
        Chunks of a stripe, data and parity, w, each on a server of its own. [1]

    Returns
    -------
    float or array
        Drives' worth of space to keep free, spread over all of them. [1]

    Raises
    ------
    DomainError
        Unless all are whole numbers, cluster_servers >= stripe_members, server_members and
        stripe_members >= 1 and lost_servers >= 0.

    Notes
    -----
    Valid for equal servers. Where as many servers as chunks are left, further losses cannot be made
    again elsewhere and need no space: data is kept with fewer chunks until a server is back. A
    cluster that never has a server more than chunks keeps the space of one drive of each server,
    on the others of which a failed drive is made again. Source: [1]_, [2]_.

    Examples
    --------
    Three copies on five servers of eight drives, of which one may be lost, and on three:

    >>> layout = {"server_members": 8, "lost_servers": 1, "stripe_members": 3}
    >>> reserved_members(5, **layout), reserved_members(3, **layout)
    (8.0, 3.0)
    """
    servers, drives, width = _check.count(
        cluster_servers=cluster_servers,
        server_members=server_members,
        stripe_members=stripe_members,
    )
    (lost,) = _check.non_negative(lost_servers=lost_servers)
    _check.require(np.asarray(lost) % 1 == 0, "lost_servers", "a whole number >= 0", lost)
    others = np.asarray(servers) - width
    _check.require(others >= 0, "cluster_servers", ">= stripe_members", servers)
    within = np.where(np.asarray(drives) > 1, servers, 0.0)
    kept = np.where(others > 0, np.minimum(lost, others) * drives, within)
    return _check.plain(np.where(np.asarray(lost) > 0, kept, 0.0))


def cluster_usable_bytes(
    member_bytes: float,
    *,
    members: float,
    spares: float,
    data_members: float,
    parities: float,
    fill_limit: float,
) -> float:
    r"""Capacity of a cluster that stays below its fill limit after servers are lost.

    .. math:: U = f\,C\,(n - r)\,\frac{k}{k + m}

    Parameters
    ----------
    member_bytes : float or array
        User capacity of one drive, C. [bytes]
    members : float or array
        Drives of all servers, n. [1]
    spares : float or array
        Drives' worth of space that is reserved, r; see `reserved_members`. [1]
    data_members : float or array
        Data chunks of a stripe, k; 1 for copies. [1]
    parities : float or array
        Further chunks of a stripe, m; copies less one. [1]
    fill_limit : float or array
        Share of its capacity up to which a drive is filled, f. [1]

    Returns
    -------
    float or array
        Capacity for data. [bytes]

    Raises
    ------
    DomainError
        As `models.declustered.declustered_usable_bytes`, and unless fill_limit is in (0, 1].

    Notes
    -----
    Valid for data that is spread evenly; a placement that is not leaves more free on most drives,
    for which the limit is. Without metadata. Source: [1]_.

    Examples
    --------
    Forty drives of 3.84 TB, eight of them reserved, three copies, filled to 85 %:

    >>> usable = cluster_usable_bytes(3.84e12, members=40, spares=8, data_members=1, parities=2,
    ...                               fill_limit=0.85)
    >>> print(f"{usable / 1e12:.3f}")
    34.816
    """
    (share,) = _check.share(fill_limit=fill_limit)
    whole = declustered_usable_bytes(
        member_bytes, members=members, spares=spares, data_members=data_members, parities=parities
    )
    return share * whole
