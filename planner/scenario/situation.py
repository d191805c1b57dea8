"""Place of the data besides its drives, power supply and synchronous writes."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from models.errors import DomainError
from planner.quantity.parse import parse_level_name, quoted

KEEP_EXPECTED = (
    "single, scratch, mirror, raid6, '3 copies on 5 hosts', '4+2 on 8 hosts' or '500 single drives'"
)
MOST_DRIVES = 1_000_000
_HOSTS = r"(?:on|over|across) (\d{1,5}) (?:hosts?|nodes?|servers?|machines?)"
_COPIES = re.compile(rf"(\d{{1,2}}) ?(?:x|copies|replicas)(?: {_HOSTS})?")
_CODE = re.compile(rf"(?:ec:? ?)?(\d{{1,2}}) ?\+ ?(\d{{1,2}})(?: {_HOSTS})?")
_FLEET = re.compile(r"(?:fleet of )?(\d{1,7}) (?:single|separate|independent) drives|"
                    r"fleet of (\d{1,7})(?: (?:single )?drives)?")  # fmt: skip
_SINGLE = ("single", "single drive", "a single drive", "one drive", "single drives")
_SCRATCH = ("scratch", "nothing", "no copy", "no copies", "cache")


class Place(StrEnum):
    """Place of the data."""

    DRIVES = "drives"  # on the drives of one machine, in the layout of `raid`
    SCRATCH = "scratch"  # nowhere else, as asked
    HOSTS = "hosts"  # copies or coded chunks, each on a host of its own
    FLEET = "fleet"  # on single drives, each with data of its own


class Power(StrEnum):
    """Reliability of the power supply."""

    UNKNOWN = "unknown"
    CAN_FAIL = "can fail"
    UPS = "ups"


class Sync(StrEnum):
    """Writes that an application must find after a power failure."""

    UNKNOWN = "unknown"
    NEVER = "never"
    EACH_COMMIT = "each commit"


class Keep(NamedTuple):
    """Place of the data: level of an array, copies or chunks over hosts, or single drives."""

    written: str
    place: Place = Place.DRIVES
    level: str = ""
    data_members: int = 1
    parity_members: int = 0
    hosts: int = 0
    drives: int = 0  # of a fleet; 0 where it is not stated


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Place of the data, power supply, and how synchronous writes are.

    A fleet has so many single `drives`, each under the writes of the plan. Data that is kept for
    `kept_s` must fit. `heading` adds to the heading of a plan, which shows writes stated to each
    drive as such.
    """

    place: Place = Place.DRIVES
    drives: int = 1
    power: Power = Power.UNKNOWN
    sync: Sync = Sync.UNKNOWN
    commit_p99_s: float | None = None
    kept_s: float | None = None
    heading: str = ""
    is_to_each: bool = False


def parse_keep(field: str, written: str) -> Keep:
    """Parse the place of the data.

    >>> keep = parse_keep("keep", "3 copies on 5 hosts")
    >>> keep.place.value, keep.parity_members, keep.hosts
    ('hosts', 2, 5)
    >>> parse_keep("keep", "RAID 6").level, parse_keep("keep", "300 single drives").drives
    ('6', 300)
    """
    said = " ".join(str(written).lower().replace(",", "").split())
    if said in _SINGLE:
        return Keep(said, Place.FLEET if said.endswith("drives") else Place.DRIVES, level="0")
    if said in _SCRATCH:
        return Keep(said, Place.SCRATCH)
    if match := _FLEET.fullmatch(said):
        return Keep(said, Place.FLEET, level="0", drives=_count(field, match[1] or match[2]))
    if match := _COPIES.fullmatch(said):
        copies = int(match[1])
        _require(copies >= 2, field, "at least 2 copies, or single", written)
        return _on_hosts(field, written, 1, copies - 1, match[2])
    if match := _CODE.fullmatch(said):
        data, parity = int(match[1]), int(match[2])
        _require(data >= 1 and parity >= 1, field, "a code such as 4+2 on 8 hosts", written)
        return _on_hosts(field, written, data, parity, match[3])
    try:
        return Keep(said, level=parse_level_name(field, said))
    except DomainError:
        raise DomainError(f"{field} must be {KEEP_EXPECTED}, got {quoted(written)}") from None


def _on_hosts(field: str, written: str, data: int, parity: int, hosts: str | None) -> Keep:
    """Return copies or chunks, each of which needs a host of its own."""
    chunks = data + parity
    name = f"{chunks} copies" if data == 1 else f"{data}+{parity}"
    example = f"'{name} on {chunks + 1} hosts'"
    _require(hosts is not None, field, f"with its hosts, such as {example}", written)
    count = int(hosts or 0)
    _require(count >= chunks, field, f"on at least {chunks} hosts, such as {example}", written)
    return Keep(f"{name} on {count} hosts", Place.HOSTS, data_members=data, parity_members=parity,
                hosts=count)  # fmt: skip


def _count(field: str, digits: str) -> int:
    count = int(digits)
    _require(1 <= count <= MOST_DRIVES, field, f"of 1 to {MOST_DRIVES:,} drives", digits)
    return count


def _require(holds: bool, field: str, accepted: str, written: object) -> None:
    if not holds:
        raise DomainError(f"{field} must be {accepted}, got {quoted(written)}")
