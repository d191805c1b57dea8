"""Drives of one model under one redundancy layout."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from models import _check
from models.errors import DomainError
from planner.quantity.parse import parse_level_name

__all__ = ["Array", "RaidLevel", "parse_level"]


class RaidLevel(StrEnum):
    """Redundancy layouts by their usual names."""

    RAID0 = "0"
    RAID1 = "1"
    RAID10 = "10"
    RAID5 = "5"
    RAID6 = "6"
    EC = "ec"


_PARITIES = {RaidLevel.RAID5: 1, RaidLevel.RAID6: 2}
_STRIPED = (*_PARITIES, RaidLevel.EC)
_FEWEST = {
    RaidLevel.RAID0: 1, RaidLevel.RAID1: 2, RaidLevel.RAID10: 4, RaidLevel.RAID5: 3,
    RaidLevel.RAID6: 4, RaidLevel.EC: 2,
}  # fmt: skip


def parse_level(field: str, written: str) -> dict[str, Any]:
    """Parse a RAID level or erasure code, such as "5", "raid5" or "ec:8+3", into `Array` fields.

    >>> parse_level("raid", "ec:8+3")["parity_members"]
    3
    """
    level, _, code = parse_level_name(field, written).partition(":")
    if not code:
        return {"level": RaidLevel(level)}
    data, parity = (int(number) for number in code.split("+"))
    _check.count(data_members=data, parity_members=parity)
    return {"level": RaidLevel.EC, "data_members": data, "parity_members": parity}


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """Drives of one model under one redundancy layout; counts may be numpy arrays.

    `member_stall_fraction` is the share of time that one drive is stalled by garbage collection;
    without it the probability of the worst case is unknown. An erasure code spreads stripes of
    `data_members` + `parity_members` over all drives of a set. `hot_spares` of the `members` hold
    no data until a drive fails. Data is striped over `sets`, each with its own parity: RAID 50, 60.

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

    def __post_init__(self) -> None:
        """Refuse an impossible layout, by name."""
        _check.count(members=self.members)
        level = RaidLevel(self.level)
        self._check_sets(level)
        spares = np.asarray(self.hot_spares)
        _check.require((spares >= 0) & (spares % 1 == 0), "hot_spares", "a whole number >= 0",
                       spares)  # fmt: skip
        fewest = self._fewest(level) * self.sets
        step = 2 if level is RaidLevel.RAID10 else self.sets
        possible = (self.working >= fewest) & (np.asarray(self.working) % step == 0)
        if not np.all(possible):
            _check.require(possible, "members", self._accepted(fewest, step), self.members)
        if self.member_stall_fraction is not None:
            _check.fraction(member_stall_fraction=self.member_stall_fraction)

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

    def _fewest(self, level: RaidLevel) -> int:
        """Return the least number of drives in a set of the level."""
        if level is not RaidLevel.EC:
            return _FEWEST[level]
        if self.data_members is None or self.parity_members is None:
            raise DomainError("data_members must be given for an erasure code, such as ec:8+3")
        _check.count(data_members=self.data_members, parity_members=self.parity_members)
        return self.data_members + self.parity_members

    @property
    def name(self) -> str:
        """The usual name of the level."""
        if self.level is RaidLevel.EC:
            name = f"{self.data_members}+{self.parity_members}"
        else:
            name = f"RAID {self.level}"
        if self.sets == 1:
            return name
        striped = "0" if self.level in _PARITIES else ""
        return f"{name}{striped}, {self.sets} sets"

    @property
    def working(self) -> int:
        """Drives that hold data: all but the hot spares."""
        return self.members - self.hot_spares

    @property
    def stripe_members(self) -> int:
        """Drives in one stripe, data and parity."""
        if self.level is RaidLevel.EC:
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
        if self.level is RaidLevel.EC:
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
