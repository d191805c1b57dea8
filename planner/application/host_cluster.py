"""Hosts and drives of stores that keep copies or chunks on several nodes."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from planner.application.presets import Values, number

ETCD_COPIES = 3  # members that are advised for production


class HostCluster(NamedTuple):
    """Copies or chunks of a store on its hosts, and the drives of all of them."""

    data_members: int
    parity_members: int
    drives: int
    hosts: int

    @property
    def keep(self) -> str:
        """The place of the data, as an input of a plan.

        >>> HostCluster(1, 2, 12, 4).keep, HostCluster(12, 4, 17, 17).keep
        ('3 copies on 4 hosts', '12+4 on 17 hosts')
        """
        chunks = self.data_members + self.parity_members
        code = f"{self.data_members}+{self.parity_members}"
        name = f"{chunks} copies" if self.data_members == 1 else code
        return f"{name} on {self.hosts} hosts"


def _spread(data: float, parity: float, drives: float, hosts: float = 0) -> HostCluster | None:
    """Return a cluster with one host more than copies, unless its hosts are stated."""
    chunks, drives = int(data + parity), int(drives)
    if parity < 1:
        return None
    counts = [count for count in range(chunks + 1, drives + 1) if drives % count == 0]
    found = int(hosts) or (counts[0] if counts else max(chunks + 1, drives))
    if drives % found:
        drives = found
    return HostCluster(int(data), int(parity), drives, found)


def _ceph(values: Values, stated: frozenset[str]) -> HostCluster | None:
    hosts = number(values, "failure_domains") if "failure_domains" in stated else 0
    data, parity = number(values, "data_members"), number(values, "parities")
    return _spread(data, parity, number(values, "drives"), hosts)


def _kafka(values: Values, stated: frozenset[str]) -> HostCluster | None:
    brokers = number(values, "brokers")
    hosts = brokers if "brokers" in stated else 0
    return _spread(1, number(values, "replicas") - 1, brokers, hosts)


def _elasticsearch(values: Values, stated: frozenset[str]) -> HostCluster | None:
    nodes = number(values, "nodes")
    return _spread(1, number(values, "replicas"), nodes, nodes if "nodes" in stated else 0)


def _minio(values: Values, _: frozenset[str]) -> HostCluster | None:
    data, parity = number(values, "data_members"), number(values, "parities")
    return _spread(data, parity, data + parity + 1)


def _etcd(_: Values, __: frozenset[str]) -> HostCluster | None:
    return _spread(1, ETCD_COPIES - 1, ETCD_COPIES + 1)


COUNTED = {"elasticsearch": "nodes", "kafka": "brokers"}  # inputs that count the hosts
CLUSTERS: Mapping[str, Callable[[Values, frozenset[str]], HostCluster | None]] = {
    "ceph-rbd": _ceph, "elasticsearch": _elasticsearch, "etcd": _etcd, "kafka": _kafka,
    "minio": _minio,
}  # fmt: skip
