"""Place of the data besides its drives, power supply and synchronous writes."""

from dataclasses import dataclass
from enum import StrEnum

from planner.quantity.keep import Place


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
