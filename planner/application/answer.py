"""The load of a drive from an application: each figure low, typical and high."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from models.errors import DomainError
from planner.application import databases, stores
from planner.application.load import DeviceLoad
from planner.application.presets import Preset, Values, load

__all__ = ["Answer", "Figure", "answer_of"]

LOADS: Mapping[str, Callable[[Values], DeviceLoad]] = {
    "btrfs": stores.btrfs,
    "etcd": stores.etcd,
    "home-assistant": databases.home_assistant,
    "postgres-oltp": databases.postgres_oltp,
    "rocksdb-leveled": stores.rocksdb_leveled,
    "rocksdb-universal": stores.rocksdb_universal,
    "sqlite-rollback": databases.sqlite_rollback,
    "sqlite-wal": databases.sqlite_wal,
    "zfs-vm": stores.zfs_vm,
}
NOTES = {
    "btrfs": "Blocks per sync were counted with metadata kept twice.",
    "etcd": "Five loads were counted on ext4; compaction of the history is not included.",
    "home-assistant": "Counted with SQLite, not with Home Assistant; deleting old rows is not "
    "included.",
    "postgres-oltp": "For buffers that hold the working set, and updates that change no indexed "
    "column and find room on their page; vacuum is not included.",
    "rocksdb-leveled": "For random keys and compaction that keeps up.",
    "rocksdb-universal": "For random keys and compaction that keeps up.",
    "sqlite-rollback": "Counted on ext4.",
    "sqlite-wal": "For one writer, and checkpoints that no reader holds back.",
    "zfs-vm": "ZFS was never run here: its structure is known, its constants are assumed.",
}


class Figure(NamedTuple):
    """A figure with its range."""

    low: float
    typical: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an application does to a drive, and the inputs behind it."""

    preset: Preset
    inputs: Mapping[str, Values]
    loads: tuple[DeviceLoad, DeviceLoad, DeviceLoad]
    note: str

    def figure(self, of: Callable[[DeviceLoad], float]) -> Figure:
        """Return a figure of the load, with its range."""
        low, typical, high = map(of, self.loads)
        return Figure(min(low, typical, high), typical, max(low, typical, high))

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


def _bytes_of(name: str, load: DeviceLoad) -> float:
    """Return the bytes per second of a part of a load."""
    return sum(part.bytes_per_s for part in load.streams if part.name == name)


def answer_of(name: str, texts: Mapping[str, str]) -> Answer:
    """Return the load of a preset with some inputs stated, as texts in base units.

    >>> answer = answer_of("sqlite-wal", {"transactions_per_s": "100"})
    >>> round(answer.typical.device_bytes_per_s / 100)
    11632
    """
    presets = load()
    if name not in presets:
        shown = name if len(name) <= 60 else f"{name[:60]}..."
        raise DomainError(f"PRESET must be one of {', '.join(presets)}, got {shown!r}")
    levels = presets[name].levels(texts)
    low, typical, high = (LOADS[name](values) for values in levels.values())
    return Answer(preset=presets[name], inputs=levels, loads=(low, typical, high), note=NOTES[name])
