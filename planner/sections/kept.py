"""The array and the situation of a plan, from inputs as people write them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from models.units import DAY_S, YEAR_S
from planner.quantity.input import InputError
from planner.quantity.inputs import INPUTS, stated
from planner.quantity.keep import Keep, Place
from planner.scenario.array import Array, parse_level
from planner.scenario.situation import Power, Situation, Sync

_OF_ARRAY = ("drives", "hot_spares", "sets", "stalled", "record")
_INSIDE = ("hot_spares", "sets", "stalled")  # of an array inside one machine
_MIRROR = "1"


class MeanWrites(NamedTuple):
    """Writes to each drive so far, as a mean rate and a heading."""

    bytes_per_s: float
    heading: str


def mean_writes(texts: Mapping[str, Any]) -> MeanWrites | None:
    """Return the mean writes of a used drive where no other rate is stated.

    >>> mean_writes({"written": "24 TB", "age": "300 days"}).heading
    'the mean of 300 days'
    >>> mean_writes({"written": "24 TB", "age": "300 days", "writes": "30 GB/day"})
    """
    if texts.get("writes") not in (None, ""):
        return None
    said = stated(texts, ["written", "age"])
    written, age_s = said.get("host_bytes"), said.get("age_s")
    if not written or not age_s:
        return None
    return MeanWrites(written / age_s, f"the mean of {_time(age_s)}")


def assumed_rate(texts: Mapping[str, Any]) -> str:
    """Return a note on the default rate of a used drive; empty if its rate is known.

    >>> assumed_rate({"written": "40 TB"}), assumed_rate({"written": "40 TB", "writes": "0"})
    ('assumed, state the writes or the age', '')
    >>> assumed_rate({"written": "0 TB", "age": "3 years"})
    'assumed, state the writes'
    """
    is_used = any(texts.get(name) not in (None, "") for name in ("written", "used"))
    if not is_used or texts.get("writes") not in (None, "") or mean_writes(texts) is not None:
        return ""
    has_mean = bool(stated(texts, ["written"]).get("host_bytes"))  # once its age is known
    return f"assumed, state the writes{' or the age' if has_mean else ''}"


def _time(age_s: float) -> str:
    """Write an age in years, or in days where it is shorter than two years."""
    years, days = age_s / YEAR_S, age_s / DAY_S
    return f"{days:.3g} days" if years < 2 else f"{years:.3g} years"


def keep_of(texts: Mapping[str, Any]) -> Keep | None:
    """Return the stated place of the data; None where it is the array alone."""
    written = texts.get("keep")
    return None if written in (None, "") else INPUTS["keep"].value(written)


def array_of(texts: Mapping[str, Any]) -> Array:
    """Return the array of a plan; `keep` and `raid` must not contradict each other.

    >>> array_of({"keep": "3 copies on 4 hosts", "drives": "12"}).name
    '3 copies on 4 hosts'
    >>> array_of({"keep": "mirror", "drives": "4", "raid": "5"})
    Traceback (most recent call last):
    planner.quantity.input.InputError: keep must agree with raid, got keep 'mirror' and raid 'raid5'
    """
    keep = keep_of(texts)
    if keep is None or keep.place is Place.SCRATCH:
        return _in_one_machine(texts)
    level = _level_name(texts)
    if level != INPUTS["raid"].default and level != keep.level:
        got = f"got keep '{keep.written}' and raid 'raid{level.removeprefix('raid')}'"
        raise InputError(INPUTS["keep"], f"must agree with raid, {got}")
    if keep.place is Place.HOSTS:
        return _over_hosts(keep, texts)
    if keep.place is Place.FLEET:
        return Array()
    drives = _drives(texts)
    if keep.level == "0" and drives > 1:
        either = f"'{drives} single drives', or leave it out for RAID 0"
        raise InputError(INPUTS["keep"], f"must be {either}, got '{keep.written}'")
    if keep.level == _MIRROR and drives == 1:
        texts = {**texts, "drives": "2"}
    return _in_one_machine({**texts, "raid": keep.level})


def situation_of(texts: Mapping[str, Any]) -> Situation:
    """Return the place of the data, the power supply, and how synchronous writes are."""
    keep, said = keep_of(texts), stated(texts, ["power", "sync", "commit_p99"])
    place = Place.DRIVES if keep is None else keep.place
    return Situation(
        place=place,
        drives=_fleet(keep, texts) if keep and place is Place.FLEET else 1,
        power=Power(said["power"]),
        sync=Sync(said["sync"]),
        commit_p99_s=said.get("commit_p99_s"),
    )


def _in_one_machine(texts: Mapping[str, Any]) -> Array:
    return Array(**stated(texts, _OF_ARRAY), **parse_level("raid", _level_name(texts)))


def _over_hosts(keep: Keep, texts: Mapping[str, Any]) -> Array:
    """Return copies or chunks over hosts: what a lost host held is made again on the others."""
    for name in _INSIDE:
        if texts.get(name) not in (None, "", INPUTS[name].default):
            raise InputError(INPUTS[name], f"must be left out with keep '{keep.written}'")
    drives = _drives(texts)
    if drives == 1:
        drives = keep.hosts  # one drive in each, as long as nothing is said
    if drives % keep.hosts:
        fewer = max(drives // keep.hosts, 1) * keep.hosts
        equal = f"the same for each of {keep.hosts} hosts, such as {fewer} or {fewer + keep.hosts}"
        raise InputError(INPUTS["drives"], f"must be {equal}, got {drives}")
    return Array.of_nodes(
        keep.hosts, drives // keep.hosts, data_members=keep.data_members,
        parity_members=keep.parity_members, fill_limit=stated(texts, ["fill_limit"])["fill_limit"],
    )  # fmt: skip


def _fleet(keep: Keep, texts: Mapping[str, Any]) -> int:
    """Return the drives of a fleet: those of `keep`, or of `drives`."""
    drives = _drives(texts)
    if keep.drives and drives not in (1, keep.drives):
        got = f"got keep '{keep.written}' and drives {drives}"
        raise InputError(INPUTS["drives"], f"must agree with keep, {got}")
    return keep.drives or drives


def _drives(texts: Mapping[str, Any]) -> int:
    drives: int = stated(texts, ["drives"])["members"]
    return drives


def _level_name(texts: Mapping[str, Any]) -> str:
    row = INPUTS["raid"]
    level: str = row.value(str(texts.get(row.name, row.default)))
    return level
