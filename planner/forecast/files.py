"""Readings of drives from a file, as evidence of a forecast."""

from os import PathLike
from pathlib import Path

from planner.quantity.door import DoorError, opened
from planner.telemetry import DriveReading, read


def readings(name: str | PathLike[str]) -> tuple[DriveReading, ...]:
    """Read the drives of a file, or raise ValueError with the reason why it cannot be read."""
    path = Path(name)
    try:
        with opened(path) as stream:
            reading = read(str(path), stream)
    except DoorError as error:
        raise ValueError(f"{path}: {error}") from None
    if reading.refused is not None:
        raise ValueError(reading.refused)
    return tuple(reading.drives)
