r"""Clusters of equal nodes: capacity while nodes fail, and the rebuild of a node.

Base units: bytes, seconds. Copies or chunks of k + m stand on nodes of their own, as in Ceph (the
failure domain `host`), MinIO and HDFS; c copies are k = 1 and m = c - 1. A rack that fails as a
whole counts as a node.

References:
    .. [1] Ceph documentation, "Storage Capacity": near full and full ratio, and the drives that a
       cluster can lose before it reaches them.
    .. [2] Ceph documentation, "Erasure code": k + m chunks on as many failure domains.
    .. [3] M. Holland, G. A. Gibson, "Parity Declustering for Continuous Operation in Redundant Disk
       Arrays", ASPLOS 1992 (every survivor takes part in a rebuild).
"""

import numpy as np

from models import _check


def node_bytes(member_bytes: float, *, node_members: float, node_spares: float) -> float:
    r"""Capacity of a node for copies and chunks.

    .. math:: B = C\,(b - s)

    Args:
        member_bytes: User capacity of one drive, C. [bytes]
        node_members: Drives of a node, b. [1]
        node_spares: Drives' worth of space in which a node makes again what a drive of its own
            held, s. [1]

    Returns:
        Capacity of the node that may be filled. [bytes]

    Raises:
        DomainError: Unless member_bytes is > 0 and finite, the counts are whole numbers,
            node_members >= 1, node_spares >= 0 and fewer than node_members.

    Notes:
        Valid for equal drives. Spares are for clusters with a node for each chunk and no more: what
        a failed drive held has no other node to go to; elsewhere the nodes in reserve take it over.
        Source: a chunk for each failure domain [2]_.

    Examples:
        Three nodes of eight drives of 7.68 TB with three copies:

        >>> node_bytes(7.68e12, node_members=8, node_spares=1) / 1e12
        53.76
    """
    (size,) = _check.finite(member_bytes=member_bytes)
    (members,) = _check.count(node_members=node_members)
    (spares,) = _check.whole(node_spares=node_spares)
    _check.require(np.asarray(spares) < members, "node_spares", "< node_members", spares)
    return _check.plain(size * (np.asarray(members) - spares))


def cluster_usable_bytes(
    node_bytes: float,
    *,
    cluster_nodes: float,
    data_members: float,
    parities: float,
    reserve_nodes: float,
    fill_limit: float,
) -> float:
    r"""Capacity of a cluster for data, held again after some of its nodes are lost.

    .. math:: U = F\,(N - r)\,B\,\frac{k}{k + m}

    Args:
        node_bytes: User capacity of the drives of a node together, B. [bytes]
        cluster_nodes: Nodes of the cluster, N. [1]
        data_members: Data chunks of a stripe, k; 1 for copies. [1]
        parities: Parity chunks of a stripe, m; copies less one. [1]
        reserve_nodes: Nodes whose data the others take over, r, one after the other or at once. [1]
        fill_limit: Fill that no drive may exceed afterwards, F. [1]

    Returns:
        Data of the users. [bytes]

    Raises:
        DomainError: Unless node_bytes is > 0 and finite, the counts are whole numbers,
            reserve_nodes and parities >= 0, the others >= 1, fill_limit in (0, 1], and
            cluster_nodes at least k + m + r: a stripe has a node for each chunk, also after the
            losses.

    Notes:
        Valid for equal nodes that fill evenly; where drives differ by a share u, divide by 1 + u.
        Data outlive m nodes lost at once whatever r is; with r = 0 nothing is rebuilt until a node
        is replaced. Metadata and small objects take more: see `models.application.bluestore_bytes`.
        Source: [1]_, [2]_.

    Examples:
        Six nodes of ten drives of 7.68 TB with three copies, one node in reserve, 85 % full:

        >>> print(cluster_usable_bytes(76.8e12, cluster_nodes=6, data_members=1, parities=2,
        ...                            reserve_nodes=1, fill_limit=0.85) / 1e12)
        108.8
    """
    (size,) = _check.finite(node_bytes=node_bytes)
    nodes, data = _check.count(cluster_nodes=cluster_nodes, data_members=data_members)
    parities, reserve = _check.whole(parities=parities, reserve_nodes=reserve_nodes)
    (limit,) = _check.share(fill_limit=fill_limit)
    width = np.asarray(data) + parities
    enough = np.asarray(nodes) >= width + reserve
    _check.require(enough, "cluster_nodes", ">= k + m + reserve_nodes", nodes)
    return _check.plain(limit * (np.asarray(nodes) - reserve) * size * data / width)


def warning_fraction(fill_limit: float, *, cluster_nodes: float, reserve_nodes: float) -> float:
    r"""Fill of a whole cluster from which its nodes can no longer take over those lost: near full.

    .. math:: f = F\,\frac{N - r}{N}

    Args:
        fill_limit: Fill that no drive may exceed after the losses, F. [1]
        cluster_nodes: Nodes of the cluster, N. [1]
        reserve_nodes: Nodes whose data the others take over, r. [1]

    Returns:
        Share of the raw capacity in use. [1]

    Raises:
        DomainError: Unless fill_limit is in (0, 1], the counts are whole numbers, cluster_nodes >=
            1, reserve_nodes >= 0 and cluster_nodes > reserve_nodes.

    Notes:
        Valid for equal nodes. A near-full ratio above it warns too late. Source: conservation of
        bytes; the ratios are those of [1]_.

    Examples:
        Five nodes that are to hold one more node's data below 95 % warn at:

        >>> print(f"{warning_fraction(0.95, cluster_nodes=5, reserve_nodes=1):.2f}")
        0.76
    """
    (limit,) = _check.share(fill_limit=fill_limit)
    (nodes,) = _check.count(cluster_nodes=cluster_nodes)
    (reserve,) = _check.whole(reserve_nodes=reserve_nodes)
    _check.require(np.asarray(nodes) > reserve, "cluster_nodes", "> reserve_nodes", nodes)
    return limit * (nodes - reserve) / nodes


def node_rebuild_network_bytes(rebuilt_bytes: float, *, data_members: float) -> float:
    r"""Bytes between nodes for the rebuild of a lost one.

    .. math:: V = B\,k

    Args:
        rebuilt_bytes: What the drives of the lost node held, B. [bytes]
        data_members: Chunks read for each one lost, k; 1 for copies. [1]

    Returns:
        Bytes that all nodes receive together. [bytes]

    Raises:
        DomainError: Unless rebuilt_bytes is > 0 and data_members is a whole number >= 1.

    Notes:
        Valid where one of the nodes that hold a chunk gathers the others and sends the rebuilt
        chunk on (Ceph: the primary), or where the new place gathers all k. Source: k - 1 chunks
        gathered and one sent, or k gathered [2]_.

    Examples:
        A node of 10 TB in a pool of 4 + 2 moves 40 TB:

        >>> node_rebuild_network_bytes(10e12, data_members=4) / 1e12
        40.0
    """
    (size,) = _check.positive(rebuilt_bytes=rebuilt_bytes)
    (data,) = _check.count(data_members=data_members)
    return size * data


def node_rebuild_s(
    rebuilt_bytes: float,
    *,
    cluster_nodes: float,
    data_members: float,
    node_link_bytes_per_s: float,
    node_read_bytes_per_s: float,
    node_write_bytes_per_s: float,
) -> float:
    r"""Time until the other nodes have rebuilt what a lost one held.

    .. math:: t = \frac{B}{N - 1} \max\left(\frac{k}{L},\ \frac{k}{R} + \frac{1}{W}\right)

    Args:
        rebuilt_bytes: What the drives of the lost node held, B. [bytes]
        cluster_nodes: Nodes of the cluster, the lost one included, N. [1]
        data_members: Chunks read for each one lost, k; 1 for copies. [1]
        node_link_bytes_per_s: Network of a node in each direction, L. [bytes/s]
        node_read_bytes_per_s: Reads of the drives of a node together, R. [bytes/s]
        node_write_bytes_per_s: Writes of the drives of a node together, W. [bytes/s]

    Returns:
        Time until redundancy is back. [s]

    Raises:
        DomainError: Unless all are > 0, rebuilt_bytes finite, the counts whole numbers and
            cluster_nodes at least 2.

    Notes:
        Valid where the work is spread evenly over nodes and drives and no switch limits it, at the
        rates that are left for the rebuild; without the time to notice the loss (Ceph: 10 minutes
        before a drive counts as out). Source: work of a rebuild over the time of its survivors
        [3]_.

    Examples:
        46 TB of three copies over five others, with half of 25 Gb/s and of the drives:

        >>> t = node_rebuild_s(46e12, cluster_nodes=6, data_members=1, node_link_bytes_per_s=1.55e9,
        ...                    node_read_bytes_per_s=15e9, node_write_bytes_per_s=5e9)
        >>> print(f"{t / 3600:.2f} h")
        1.65 h
    """
    (size,) = _check.finite(rebuilt_bytes=rebuilt_bytes)
    nodes, data = _check.count(cluster_nodes=cluster_nodes, data_members=data_members)
    link, reads, writes = _check.positive(
        node_link_bytes_per_s=node_link_bytes_per_s,
        node_read_bytes_per_s=node_read_bytes_per_s,
        node_write_bytes_per_s=node_write_bytes_per_s,
    )
    _check.require(np.asarray(nodes) >= 2, "cluster_nodes", ">= 2", nodes)
    slowest = np.maximum(np.asarray(data) / link, np.asarray(data) / reads + 1 / np.asarray(writes))
    return _check.plain(size / (np.asarray(nodes) - 1) * slowest)
