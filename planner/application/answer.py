"""The load of a drive from an application: each figure low, typical and high."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from models.errors import DomainError
from models.units import DAY_S, GB, KIB
from planner.application import clusters, databases, hosts, pool_devices, services, stores
from planner.application.load import BLOCK_BYTES, DeviceLoad
from planner.application.presets import Preset, Values, number, preset_of
from planner.quantity.input import EachDriveText, ValueText
from planner.quantity.show import day_unit
from planner.quantity.writes import unambiguous

MOST_BYTES = 2.0**30  # of an operation, as a plan takes them

LOADS: Mapping[str, Callable[[Values], DeviceLoad]] = {
    "bitcoin": services.bitcoin,
    "btrfs": stores.btrfs,
    "ceph-db": pool_devices.ceph_db,
    "ceph-rbd": clusters.ceph_rbd,
    "containers": services.containers,
    "elasticsearch": services.elasticsearch,
    "etcd": stores.etcd,
    "home-assistant": databases.home_assistant,
    "innodb": services.innodb,
    "kafka": clusters.kafka,
    "kv-cache": hosts.kv_cache,
    "minio": clusters.minio,
    "object-cache": hosts.object_cache,
    "postgres-oltp": databases.postgres_oltp,
    "prometheus": services.prometheus,
    "rocksdb-leveled": stores.rocksdb_leveled,
    "rocksdb-universal": stores.rocksdb_universal,
    "sqlite-rollback": databases.sqlite_rollback,
    "sqlite-wal": databases.sqlite_wal,
    "swap": hosts.swap,
    "video": hosts.video,
    "virtual-disk": hosts.virtual_disk,
    "zfs-l2arc": pool_devices.zfs_l2arc,
    "zfs-log": pool_devices.zfs_log,
    "zfs-special": pool_devices.zfs_special,
    "zfs-vm": stores.zfs_vm,
}
_GROUPS = {
    databases: "Databases", stores: "Stores, file systems and their logs", services: "Services",
    hosts: "Virtual machines, memory and recorders", pool_devices: "Special devices of pools",
    clusters: "Clusters",
}  # fmt: skip
# Stores that keep copies or parity on other nodes, and count them.
OF_POOL = frozenset({"ceph-rbd", "elasticsearch", "kafka", "minio"})
ONE_OF_POOL = (
    "These are the writes of one drive or node, copies and parity included; a plan has them for "
    "each drive of the cluster."
)


def grouped() -> dict[str, list[str]]:
    """List the presets by the group that they belong to.

    >>> grouped()["Clusters"]
    ['ceph-rbd', 'kafka', 'minio']
    """
    module_of = {module.__name__: group for module, group in _GROUPS.items()}
    groups: dict[str, list[str]] = {group: [] for group in _GROUPS.values()}
    for name, build in LOADS.items():
        groups[module_of[build.__module__]].append(name)
    return groups


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


_COUNTED = {"elasticsearch": "nodes", "kafka": "brokers"}  # inputs that count the hosts
_CLUSTERS: Mapping[str, Callable[[Values, frozenset[str]], HostCluster | None]] = {
    "ceph-rbd": _ceph, "elasticsearch": _elasticsearch, "etcd": _etcd, "kafka": _kafka,
    "minio": _minio,
}  # fmt: skip


class Figure(NamedTuple):
    """A figure with its range."""

    low: float
    typical: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Load of an application on a drive, and its inputs."""

    preset: Preset
    inputs: Mapping[str, Values]
    loads: tuple[DeviceLoad, DeviceLoad, DeviceLoad]
    texts: Mapping[str, str] = field(default_factory=dict)

    def figure(self, of: Callable[[DeviceLoad], float]) -> Figure:
        """Return a figure of the load, with its range."""
        low, typical, high = map(of, self.loads)
        return Figure(min(low, typical, high), typical, max(low, typical, high))

    @property
    def is_of_pool(self) -> bool:
        """Whether its figures are of one drive, with copies or parity on other nodes."""
        return self.preset.name in OF_POOL

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the figures."""
        return (self.preset.note, *([ONE_OF_POOL] if self.is_of_pool else []))

    def refuse_copies(self, texts: Mapping[str, Any], option: str = "{}") -> None:
        """Refuse copies and codes over nodes for a store that counts its own.

        >>> answer_of("etcd", {}).refuse_copies({"raid": "ec:4+2"})
        """
        stated = [name for name in ("nodes", "replicas", "ec") if texts.get(name)]
        stated += ["raid"] * bool(re.search(r"\d\+[1-9]", str(texts.get("raid"))))
        if self.is_of_pool and stated:
            raise DomainError(
                f"{option.format(stated[0])} would copy what {self.preset.name} has copied: its "
                "writes are those of one drive, with all copies and parity. State these by its "
                "inputs, and plan one drive"
            )

    @property
    def typical(self) -> DeviceLoad:
        """The load with typical inputs, which a plan takes."""
        return self.loads[1]

    @property
    def figures(self) -> dict[str, Figure]:
        """Bytes and flushes per second, and amplification, for which bytes at the drive stand."""
        return {
            "application_bytes_per_s": self.figure(lambda load: load.application_bytes_per_s),
            "file_bytes_per_s": self.figure(lambda load: load.file_bytes_per_s),
            "device_bytes_per_s": self.figure(lambda load: load.device_bytes_per_s),
            "amplification": self.figure(
                lambda load: load.device_bytes_per_s / load.application_bytes_per_s
            ),
            "flushes_per_s": self.figure(lambda load: load.flushes_per_s),
        }

    @property
    def by_layer(self) -> dict[str, Figure]:
        """Bytes per second at the drive by the part that writes them."""
        names = dict.fromkeys(part.name for load in self.loads for part in load.streams)
        return {name: self.figure(partial(_bytes_of, name)) for name in names}

    @property
    def plan_inputs(self) -> dict[str, ValueText]:
        """The load as inputs of a plan: writes and their ends, size, and where they go.

        What is written to one space again and again, the log too, is a working set, and its order
        does not matter to the drive; what runs through new places has a sequential share.

        >>> load = answer_of("etcd", {"puts_per_s": "50"}).plan_inputs
        >>> load["writes"], load["writes_between"], load["working_set"]
        ('65.829024 GB/day', '52.663219 GB/day..85.577731 GB/day', '2.128 GB')
        """
        load, (low, typical, high) = self.typical, self.figures["device_bytes_per_s"]
        ends = f"{_rate_text(low)}..{_rate_text(high)}"
        blocks = max(round(load.transfer_bytes / BLOCK_BYTES), 1)  # file systems write whole ones
        size = min(blocks * BLOCK_BYTES, MOST_BYTES)
        order, span = load.sequential_fraction, load.span_bytes
        return {
            "writes": ValueText(_rate_text(typical), typical),
            **({"writes_between": ValueText(ends, (low, high))} if low != high else {}),
            "size": ValueText(f"{size / KIB:g} KiB", size),
            **(
                {"sequential": ValueText(f"{order:.12g}", order)}
                if span is None
                else {"working_set": ValueText(f"{span / GB:.6g} GB", span)}
            ),
        }

    @property
    def stated(self) -> frozenset[str]:
        """The inputs that are stated."""
        return frozenset(self.texts)

    @property
    def cluster(self) -> HostCluster | None:
        """The hosts of a store that copies or codes its data over them; None for others."""
        build = _CLUSTERS.get(self.preset.name)
        _, typical, _ = self.inputs.values()
        return None if build is None else build(typical, self.stated)

    def over_hosts(self) -> "Application":
        """Return the load with as many brokers or nodes as the cluster has hosts.

        >>> answer_of("kafka", {}).over_hosts().texts
        {'brokers': '4'}
        """
        name = _COUNTED.get(self.preset.name)
        if name is None or name in self.stated or self.cluster is None:
            return self
        return answer_of(self.preset.name, {**self.texts, name: f"{self.cluster.hosts}"})

    @property
    def cluster_inputs(self) -> dict[str, str]:
        """The cluster as inputs of a plan: its hosts and drives, and the writes to each drive.

        >>> answer_of("ceph-rbd", {}).cluster_inputs["keep"]
        '3 copies on 4 hosts'
        """
        cluster, rate = self.cluster, self.figures["device_bytes_per_s"].typical
        if cluster is None:
            return {}
        each = EachDriveText(f"{_rate_text(rate)} per drive", rate)
        return {"keep": cluster.keep, "drives": f"{cluster.drives}", "writes": each}

    @property
    def sizes(self) -> dict[str, Figure]:
        """Capacities of a pool, available and needed, of the pool or a device, by quantity."""
        names = dict.fromkeys(name for load in self.loads for name in load.sizes)
        return {name: self.figure(partial(_size_of, name)) for name in names}

    @property
    def sentence(self) -> str:
        """Sentence on the writes of the application and those of its drive.

        >>> answer_of("etcd", {"puts_per_s": "50"}).sentence
        'etcd writes 4.42 GB/day; its drive receives 65.8 GB/day (52.7 to 85.6), 14.9 times as \
much, with 50 flushes a second.'
        """
        own, device = self.typical.application_bytes_per_s, self.figures["device_bytes_per_s"]
        unit, size = _unit_of(device.typical)
        low, typical, high = (three_digits(rate / size) for rate in device)
        ends = f" ({low} to {high})" if low != high else ""
        own_unit, own_size = _unit_of(own)
        written = f"{three_digits(own / own_size)} {own_unit}/day"
        times, flushes = self.figures["amplification"].typical, self.typical.flushes_per_s
        flushed = f", with {three_digits(flushes)} flushes a second" if flushes else ""
        if self.is_of_pool:
            wrote = f"{self.preset.name} writes {written} for each drive; each drive receives"
        else:
            wrote = f"{self.preset.name} writes {written}; its drive receives"
        return f"{wrote} {typical} {unit}/day{ends}, {three_digits(times)} times as much{flushed}."

    @property
    def record(self) -> dict[str, Any]:
        """The answer in base units, as it is written in JSON."""
        used = {
            name: {level: values[name] for level, values in self.inputs.items()}
            for name in self.preset.inputs
        }
        return {
            "preset": self.preset.name,
            "inputs": used,
            **{name: figure._asdict() for name, figure in self.figures.items()},
            "by_layer": {name: figure._asdict() for name, figure in self.by_layer.items()},
            "sizes": {name: figure._asdict() for name, figure in self.sizes.items()},
            "request_bytes": self.typical.transfer_bytes,
            "sequential_fraction": self.typical.sequential_fraction,
            "span_bytes": self.typical.span_bytes,
            "sentence": self.sentence,
        }


def _rate_text(bytes_per_s: float) -> str:
    """Write bytes per second as the writes of a plan."""
    unit, size = _unit_of(bytes_per_s)
    return unambiguous(f"{bytes_per_s / size:.8g} {unit}/day")


def _unit_of(bytes_per_s: float) -> tuple[str, float]:
    """Return GB a day, or a smaller unit of which there is at least one, with its size."""
    is_small = 0 < bytes_per_s < GB / DAY_S
    return day_unit(bytes_per_s) if is_small else ("GB", GB / DAY_S)


def three_digits(value: float) -> str:
    """Write a number with three digits, and all of those before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _bytes_of(name: str, load: DeviceLoad) -> float:
    """Return the bytes per second of a part of a load."""
    return sum(part.bytes_per_s for part in load.streams if part.name == name)


def _size_of(name: str, load: DeviceLoad) -> float:
    return load.sizes[name]


def answer_of(name: str, texts: Mapping[str, str]) -> Application:
    """Return the load of a preset with some inputs stated, as texts in base units.

    >>> answer = answer_of("sqlite-wal", {"transactions_per_s": "100"})
    >>> round(answer.typical.device_bytes_per_s / 100)
    11632
    """
    preset = preset_of(name)
    levels = preset.levels(texts)
    low, typical, high = (LOADS[name](values) for values in levels.values())
    return Application(preset=preset, inputs=levels, loads=(low, typical, high), texts=dict(texts))
