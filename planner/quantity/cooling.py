"""Cooling of a drive, as people write it: "server", "2 m/s", "desktop heatsink"."""

import re
from typing import NamedTuple

from models.errors import DomainError
from planner.quantity.parse import parse_number, quoted

PLACES = ("still", "desktop", "server")
HEAT_SINK = "heatsink"
FASTEST_M_PER_S = 20.0
_SPEEDS = {"m/s": 1.0, "lfm": 0.3048 / 60, "ft/min": 0.3048 / 60}
_SPEED = re.compile(r"([\d.,]+)\s*(m/s|lfm|ft/min)(?!\S)")
_ACCEPTED = (
    f"{', '.join(PLACES)}, a speed of the air such as 2 m/s or 400 LFM, {HEAT_SINK}, or several of "
    "them: 'server 3 m/s', 'desktop heatsink'"
)


class Cooling(NamedTuple):
    """Place of a drive, speed of its air, and its heat sink.

    Attributes:
        place: One of `PLACES`, empty for where its kind usually is.
        speed_m_per_s: Speed of the air; None for what is usual at the place. [m/s]
        has_heat_sink: Whether an M.2 module has a heat sink.
    """

    place: str = ""
    speed_m_per_s: float | None = None
    has_heat_sink: bool = False


def parse_cooling(name: str, text: str) -> Cooling:
    """Parse a place, a speed of the air and a heat sink, in any order.

    >>> parse_cooling("cooling", "desktop heat sink")
    Cooling(place='desktop', speed_m_per_s=None, has_heat_sink=True)
    >>> parse_cooling("cooling", "400 LFM").speed_m_per_s
    2.032
    >>> parse_cooling("cooling", "water")
    Traceback (most recent call last):
    models.errors.DomainError: cooling must be still, desktop, server, a speed of the air such as \
2 m/s or 400 LFM, heatsink, or several of them: 'server 3 m/s', 'desktop heatsink', got 'water'
    """
    rest = re.sub(r"heat[- ]sink", HEAT_SINK, text.strip().lower())
    speeds = _SPEED.findall(rest)
    words = _SPEED.sub(" ", rest).replace(",", " ").split()
    places = [word for word in words if word in PLACES]
    others = [word for word in words if word not in (*PLACES, HEAT_SINK)]
    if others or len(places) > 1 or len(speeds) > 1 or not (words or speeds):
        raise DomainError(f"{name} must be {_ACCEPTED}, got {quoted(text)}")
    speed = None
    if speeds:
        (number, unit), *_ = speeds
        speed = parse_number(name, number) * _SPEEDS[unit]
        if not 0 <= speed <= FASTEST_M_PER_S:
            raise DomainError(
                f"{name} must be a speed from 0 to {FASTEST_M_PER_S:g} m/s, got {quoted(text)}"
            )
    return Cooling("".join(places), speed, HEAT_SINK in words)
