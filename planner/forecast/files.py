"""Readings of drives from a file, as evidence of a forecast."""

from os import PathLike

from planner.telemetry import DriveReading, read_file


def readings(name: str | PathLike[str]) -> tuple[DriveReading, ...]:
    """Read the drives of a file, or raise ValueError with the reason why it cannot be read."""
    reading = read_file(name)
    if reading.refused is not None:
        raise ValueError(reading.refused)
    return tuple(reading.drives)
