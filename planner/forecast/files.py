"""Readings of drives from a file, as evidence of a forecast."""

from os import PathLike
from pathlib import Path

from planner.telemetry import DriveReading, read


def readings(name: str | PathLike[str]) -> tuple[DriveReading, ...]:
    """Read the drives of a file, or raise ValueError with the reason why it cannot be read."""
    path = Path(name)
    with path.open("rb") as stream:
        reading = read(str(path), stream)
    if reading.refused is not None:
        raise ValueError(reading.refused)
    return tuple(reading.drives)
