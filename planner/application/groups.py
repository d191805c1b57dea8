"""Presets by group: where their loads are computed, and their uses; nothing is computed here."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from planner.catalogue.rows import CatalogueRow, data_folder, read

if TYPE_CHECKING:
    from planner.application.load import DeviceLoad

# Module of this package, and its function, by preset.
LOADS: Mapping[str, str] = {
    "appended-file": "files.appended_file",
    "bitcoin": "services.bitcoin",
    "btrfs": "stores.btrfs",
    "cassandra": "stores.cassandra",
    "ceph-db": "pool_devices.ceph_db",
    "ceph-rbd": "clusters.ceph_rbd",
    "clickhouse": "services.clickhouse",
    "containers": "services.containers",
    "elasticsearch": "services.elasticsearch",
    "etcd": "stores.etcd",
    "geth": "services.geth",
    "home-assistant": "sqlite.home_assistant",
    "influxdb": "services.influxdb",
    "innodb": "databases.innodb",
    "kafka": "clusters.kafka",
    "kv-cache": "hosts.kv_cache",
    "mariadb": "databases.mariadb",
    "minio": "clusters.minio",
    "mongodb": "databases.mongodb",
    "mysql-8": "databases.mysql_8",
    "object-cache": "hosts.object_cache",
    "oracle": "databases.oracle",
    "page-store": "databases.page_store_of",
    "pbs": "files.pbs",
    "pmxcfs": "sqlite.pmxcfs",
    "postgres-insert": "databases.postgres_oltp",
    "postgres-oltp": "databases.postgres_oltp",
    "prometheus": "services.prometheus",
    "redis-aof": "files.redis_aof",
    "restic": "files.restic",
    "rocksdb-leveled": "stores.rocksdb_leveled",
    "rocksdb-universal": "stores.rocksdb_universal",
    "scylla": "stores.cassandra",
    "small-files": "files.small_files",
    "solana": "services.solana",
    "sql-server": "databases.sql_server",
    "sqlite-ring": "sqlite.sqlite_ring",
    "sqlite-rollback": "sqlite.sqlite_rollback",
    "sqlite-wal": "sqlite.sqlite_wal",
    "swap": "hosts.swap",
    "systemd-journal": "files.systemd_journal",
    "video": "hosts.video",
    "virtual-disk": "hosts.virtual_disk",
    "zfs-l2arc": "pool_devices.zfs_l2arc",
    "zfs-log": "pool_devices.zfs_log",
    "zfs-special": "pool_devices.zfs_special",
    "zfs-vm": "stores.zfs_vm",
}
_GROUPS = {  # by module
    "databases": "Databases", "sqlite": "Databases", "files": "Files and logs",
    "stores": "Stores, file systems and their logs", "services": "Services",
    "hosts": "Virtual machines, memory and recorders",
    "pool_devices": "Special devices of pools", "clusters": "Clusters",
}  # fmt: skip


class PresetUse(NamedTuple):
    """Use of a preset, and a note on its basis."""

    name: str
    use: str
    note: str


def grouped() -> dict[str, list[str]]:
    """List the presets by the group that they belong to.

    >>> grouped()["Clusters"]
    ['ceph-rbd', 'kafka', 'minio']
    """
    groups: dict[str, list[str]] = {group: [] for group in _GROUPS.values()}
    for name, place in LOADS.items():
        groups[_GROUPS[place.partition(".")[0]]].append(name)
    return groups


def load_function(name: str) -> "Callable[[Mapping[str, Any]], DeviceLoad]":
    """Return the function of the load of a preset.

    >>> load_function("etcd").__name__
    'etcd'
    """
    module, _, function = LOADS[name].partition(".")
    found: Callable[[Mapping[str, Any]], DeviceLoad] = getattr(
        import_module(f"planner.application.{module}"), function
    )
    return found


@cache
def uses(
    folder: Path | None = None, table: str = "application_uses.csv"
) -> Mapping[str, PresetUse]:
    """Read the uses of the presets, by default those of the package.

    >>> uses()["etcd"].use
    'etcd, the control plane of Kubernetes'
    """
    problems: list[str] = []
    path = (folder or data_folder()) / table
    found = {row.name: row for row in read(path, PresetUse._fields, _use, problems)}
    if problems:
        raise ValueError(problems[0])
    return found


def _use(row: CatalogueRow) -> PresetUse:
    return PresetUse(*(row.required(name) for name in PresetUse._fields))
