"""The numbers of one drive in a file, as collected by the reader of any format."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from models.units import HOUR_S
from planner.telemetry.numerals import Counters
from planner.telemetry.record import Observed

LONGEST_S = 30 * 8766 * HOUR_S  # longest plausible power-on time: `planner.telemetry.gate`
_MORE_THAN = 255  # a percentage used of 255 means "more than 254 %"
MOST_POINTS = 255  # of a percentage used, in standard logs and raw numbers of indicators
_UNITS = {"host_bytes": " B", "flash_bytes": " B"}
STANDARD = "standard"  # counter of the indicators that a standard defines


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """An indicator of wear: the share of life used under each way to read it.

    Which way holds may depend on the firmware: the same raw number counts life left on one drive
    and life used on another.
    """

    counter: str
    readings: Mapping[str, Observed]


@dataclass(kw_only=True)
class Evidence:
    """Numbers of one drive; `used` holds every indicator of wear, that of a standard log first.

    `firmware` is the family of `data/smart_families.csv`, else that which smartctl prints.
    `tool_released_s` is the release date of the program that wrote the file, if known.
    `host_by_standard` is True if the host writes are from a log whose unit a standard defines.
    """

    counters: Counters = field(default_factory=Counters)
    model: str = ""
    family: str = ""
    firmware: str = ""
    serial: str = ""
    protocol: str = ""
    compresses: bool = False
    read_at_s: float | None = None
    tool_released_s: float | None = None
    user_bytes: Observed | None = None
    power_on_s: Observed | None = None
    host_bytes: Observed | None = None
    host_by_standard: bool = False
    flash_bytes: Observed | None = None
    wa: Observed | None = None
    used: list[Witness] = field(default_factory=list)
    spare_fraction: Observed | None = None
    erase_cycles: Observed | None = None
    media_errors: Observed | None = None

    def hours(self, value: object, name: str) -> None:
        """Take power-on hours, unless they are longer than any drive has run."""
        hours = self.counters.take(value, name)
        if hours is None:
            return
        if hours * HOUR_S > LONGEST_S:
            self.counters.skip(name, value, "is longer than any drive has run")
            return
        self.power_on_s = Observed(
            value=hours * HOUR_S, field=name, low=hours * HOUR_S, high=(hours + 1) * HOUR_S
        )

    def state_used(self, points: float, name: str) -> None:
        """Add the percentage used of a standard log, before the indicators of vendors."""
        if points > MOST_POINTS:
            self.counters.skip(name, f"{points:.6g}", "is more than the field of one byte can hold")
            return
        readings = {"stated": percent_used(points, name)}
        self.used.insert(0, Witness(counter=STANDARD, readings=readings))

    def exact(self, value: object, name: str, scale: float = 1.0) -> Observed | None:
        """Take an exact number, one without a counting step."""
        number = self.counters.take(value, name)
        if number is None:
            return None
        scaled = number * scale
        return Observed(value=scaled, field=name, low=scaled, high=scaled)

    def take_back(self, name: str, reason: str) -> None:
        """Discard a number that was read, and list it as unused with the reason."""
        number: Observed = getattr(self, name)
        self.counters.skip(number.field, f"{number.value:.6g}{_UNITS.get(name, '')}", reason)
        setattr(self, name, None)


def percent_used(points: float, name: str) -> Observed:
    """Return life used from whole percentage points, uncertain by one point to each side.

    >>> percent_used(255, "percentage_used").high
    inf
    """
    if points >= _MORE_THAN:
        return Observed(
            value=points / 100, field=name, low=2.54, high=math.inf, note="more than 254 %"
        )
    return Observed(
        value=points / 100, field=name, low=max(points - 1, 0) / 100, high=(points + 1) / 100
    )
