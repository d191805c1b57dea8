"""Drives of one model under one redundancy layout."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from models import _check
from models.errors import DomainError
from models.units import KIB
from planner.quantity.parse import parse_level_name

VOLUME_BYTES = 16 * KIB  # volblocksize where nothing else is said, since OpenZFS 2.2
USUAL_DATA = 8  # data chunks of a dRAID stripe where nothing else is said


class RaidLevel(StrEnum):
    """Redundancy layouts by their usual names."""

    RAID0 = "0"
    RAID1 = "1"
    RAID10 = "10"
    RAID5 = "5"
    RAID6 = "6"
    EC = "ec"
    RAIDZ1 = "raidz1"
    RAIDZ2 = "raidz2"
    RAIDZ3 = "raidz3"
    DRAID = "draid"


_PARITIES = {
    RaidLevel.RAID5: 1, RaidLevel.RAID6: 2, RaidLevel.RAIDZ1: 1, RaidLevel.RAIDZ2: 2,
    RaidLevel.RAIDZ3: 3,
}  # fmt: skip
_CODED = (RaidLevel.EC, RaidLevel.DRAID)
_POOLS = (RaidLevel.RAIDZ1, RaidLevel.RAIDZ2, RaidLevel.RAIDZ3, RaidLevel.DRAID)
_STRIPED = (*_PARITIES, *_CODED)
_FEWEST = {
    RaidLevel.RAID0: 1, RaidLevel.RAID1: 2, RaidLevel.RAID10: 4, RaidLevel.RAID5: 3,
    RaidLevel.RAID6: 4, RaidLevel.RAIDZ1: 2, RaidLevel.RAIDZ2: 3, RaidLevel.RAIDZ3: 4,
}  # fmt: skip


def parse_level(field: str, written: str) -> dict[str, Any]:
    """Parse a RAID level, such as "5", "raid5", "ec:8+3" or "raidz2", into `Array` fields.

    >>> parse_level("raid", "ec:8+3")["parity_members"]
    3
    >>> parse_level("raid", "draid2:8d:24c:1s")["vdev_members"]
    24
    """
    level, _, code = parse_level_name(field, written).partition(":")
    if level.startswith("draid"):
        return _parse_draid(f"{level}:{code}")
    if not code:
        return {"level": RaidLevel(level)}
    data, parity = (int(number) for number in code.split("+"))
    _check.count(data_members=data, parity_members=parity)
    return {"level": RaidLevel.EC, "data_members": data, "parity_members": parity}


def _parse_draid(written: str) -> dict[str, Any]:
    """Parse a dRAID vdev; what it does not say is as ZFS takes it."""
    level, *parts = written.strip(":").split(":")
    numbers = {part[-1]: int(part[:-1]) for part in parts}
    data = numbers.get("d", USUAL_DATA)
    _check.count(data_members=data)
    return {
        "level": RaidLevel.DRAID,
        "data_members": data,
        "parity_members": int(level.removeprefix("draid") or 1),
        "spread_spares": numbers.get("s", 0),
        "vdev_members": numbers.get("c"),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """Drives of one model under one redundancy layout; counts may be numpy arrays.

    `member_stall_fraction` is the share of time that one drive is stalled by garbage collection;
    without it the probability of the worst case is unknown. An erasure code spreads stripes of
    `data_members` + `parity_members` over all drives of a set. `hot_spares` of the `members` hold
    no data until a drive fails. Data is striped over `sets`, each with its own parity: RAID 50,
    60, the vdevs of a pool. A pool of ZFS stores records of `record_bytes`; dRAID spreads
    `spread_spares` drives' worth of spare space over each vdev, of `vdev_members` if that is said.
    A cluster spreads its code over equal `nodes`, see `of_nodes`.

    >>> Array(members=2, level=RaidLevel.RAID5)
    Traceback (most recent call last):
    models.errors.DomainError: members must be >= 3 for RAID 5, got 2
    """

    members: int = 1
    level: RaidLevel = RaidLevel.RAID0
    member_stall_fraction: float | None = None
    data_members: int | None = None
    parity_members: int | None = None
    hot_spares: int = 0
    sets: int = 1
    record_bytes: float = VOLUME_BYTES
    spread_spares: int = 0
    vdev_members: int | None = None
    nodes: int | None = None
    reserve_nodes: int = 0
    node_spares: int = 0
    fill_limit: float = 1.0

    @classmethod
    def of_nodes(
        cls, nodes: int, node_members: int, *, data_members: int, parity_members: int,
        lost_nodes: int = 1, fill_limit: float = 1.0,
    ) -> "Array":  # fmt: skip
        """Return a cluster that makes again on its other nodes what `lost_nodes` held.

        Where a node for each chunk is left, further ones have nowhere to go; a cluster that never
        has a node more makes what a failed drive held again on the others of its node.

        >>> cluster = Array.of_nodes(5, 8, data_members=1, parity_members=2)
        >>> cluster.name, cluster.reserve_nodes, cluster.node_spares
        ('3 copies on 5 hosts', 1, 0)
        """
        _check.require(lost_nodes <= parity_members, "lost_nodes",
                       f"at most {parity_members}, which leave the data readable",
                       lost_nodes)  # fmt: skip
        others = nodes - data_members - parity_members
        reserve = min(lost_nodes, others)
        is_alone = lost_nodes > 0 and not others and node_members > 1
        return cls(
            members=nodes * node_members, level=RaidLevel.EC, data_members=data_members,
            parity_members=parity_members, spread_spares=reserve * node_members, nodes=nodes,
            reserve_nodes=reserve, node_spares=int(is_alone), fill_limit=fill_limit,
        )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse an impossible layout, by name."""
        _check.count(members=self.members)
        level = RaidLevel(self.level)
        self._check_sets(level)
        spares = np.asarray(self.hot_spares)
        _check.require((spares >= 0) & (spares % 1 == 0), "hot_spares", "a whole number >= 0",
                       spares)  # fmt: skip
        fewest = self.fewest_members * self.sets
        step = 2 if level is RaidLevel.RAID10 else self.sets
        possible = (self.working >= fewest) & (np.asarray(self.working) % step == 0)
        if not np.all(possible):
            _check.require(possible, "members", self._accepted(fewest, step), self.members)
        if self.member_stall_fraction is not None:
            _check.fraction(member_stall_fraction=self.member_stall_fraction)
        self._check_pool()

    def _check_pool(self) -> None:
        """Refuse a record that ZFS does not have, and a dRAID vdev of other than its drives."""
        is_power = np.log2(np.maximum(self.record_bytes, 1.0)) % 1 == 0
        _check.require(is_power, "record_bytes", "a power of two", self.record_bytes)
        if self.vdev_members is not None:
            needed = self.vdev_members * self.sets + self.hot_spares
            _check.require(np.equal(self.members, needed), "members", f"{needed} for {self.name}",
                           self.members)  # fmt: skip

    def _accepted(self, fewest: int, step: int) -> str:
        """Describe the possible numbers of drives."""
        if np.ndim(fewest):
            return "enough drives for each level, in equal sets"
        spares = f" besides {self.hot_spares} hot spares" if np.any(self.hot_spares) else ""
        whole = {1: "", 2: " and even"}.get(step, f" and a multiple of {step}")
        return f">= {fewest}{whole} for {self.name}{spares}"

    def _check_sets(self, level: RaidLevel) -> None:
        """Refuse sets of a level without parity: striped mirrors are RAID 10."""
        _check.count(sets=self.sets)
        if level not in _STRIPED:
            _check.require(np.equal(self.sets, 1), "sets", f"1 for RAID {level}", self.sets)

    @property
    def fewest_members(self) -> int:
        """Minimum number of drives in a set of the level."""
        level = RaidLevel(self.level)
        if level not in _CODED:
            return _FEWEST[level]
        if self.data_members is None or self.parity_members is None:
            raise DomainError("data_members must be given for an erasure code, such as ec:8+3")
        _check.count(data_members=self.data_members, parity_members=self.parity_members)
        fewest = self.data_members + self.parity_members + self.spread_spares
        if self.vdev_members is None:
            return fewest
        parts = (
            f"{self.data_members} data, {self.parity_members} parity, {self.spread_spares} spares"
        )
        _check.require(self.vdev_members >= fewest, "vdev_members",
                       f"a vdev of >= {fewest} drives for {parts}", self.vdev_members)  # fmt: skip
        return self.vdev_members

    @property
    def is_pool(self) -> bool:
        """Whether it is a pool of ZFS, which stores whole records."""
        return self.level in _POOLS

    @property
    def written(self) -> str:
        """The level as people type it: the text of the input `raid`."""
        if self.level is RaidLevel.EC:
            return f"ec:{self.data_members}+{self.parity_members}"
        if self.level is not RaidLevel.DRAID:
            return str(self.level)
        spares = f":{self.spread_spares}s" if self.spread_spares else ""
        children = f":{self.vdev_members or self.group_members}c"
        return f"draid{self.parity_members}:{self.data_members}d{children}{spares}"

    @property
    def layout(self) -> str:
        """Number of drives and level, as people say it.

        >>> Array(members=13, level=RaidLevel.RAID6, hot_spares=1).layout
        '13 x RAID 6, 1 spare'
        """
        spares = f", {self.hot_spares} spare" if self.hot_spares else ""
        return f"{self.members} x {self.name}{spares}"

    @property
    def name(self) -> str:
        """The usual name of the level."""
        name = f"RAID {self.level}"
        if self.nodes is not None:
            return f"{self._code} on {self.nodes} hosts"
        if self.level is RaidLevel.EC:
            name = self._code
        elif self.level is RaidLevel.DRAID:
            name = self.written.replace("draid", "dRAID")
        elif self.is_pool:
            name = f"RAID-Z{self.parities}"
        if self.sets == 1:
            return name
        if self.is_pool:
            return f"{name}, {self.sets} vdevs"
        striped = "0" if self.level in _PARITIES else ""
        return f"{name}{striped}, {self.sets} sets"

    @property
    def _code(self) -> str:
        """The erasure code; of one data chunk the copies that it amounts to."""
        if self.nodes is not None and self.data_members == 1:
            return f"{self.stripe_members} copies"
        return f"{self.data_members}+{self.parity_members}"

    @property
    def working(self) -> int:
        """Drives that hold data: all but the hot spares."""
        return self.members - self.hot_spares

    @property
    def stripe_members(self) -> int:
        """Drives in one stripe, data and parity."""
        if self.level in _CODED:
            return (self.data_members or 0) + (self.parity_members or 0)
        return self.working // self.sets

    @property
    def copies(self) -> int:
        """Copies of each byte."""
        mirrored = {RaidLevel.RAID1: self.working, RaidLevel.RAID10: 2}
        return mirrored.get(self.level, 1)

    @property
    def parities(self) -> int:
        """Parity drives in one stripe."""
        if self.level in _CODED:
            return self.parity_members or 0
        return _PARITIES.get(self.level, 0)

    @property
    def groups(self) -> int:
        """Redundancy groups, which lose data independently: the sets, or the pairs of RAID 10."""
        return self.working // 2 if self.level is RaidLevel.RAID10 else self.sets

    @property
    def group_members(self) -> int:
        """Drives in one redundancy group."""
        return self.working // self.groups

    @property
    def tolerated_failures(self) -> int:
        """Failed drives that a group tolerates without data loss."""
        return self.parities + self.copies - 1
