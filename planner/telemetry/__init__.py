"""Readers of files about drives and workloads; each number keeps the field that it came from.

`formats.read` detects the format of a file and reads it, or refuses the file with one sentence.
This package opens no connections, and files by the door only.
"""

from planner.telemetry.formats import FORMATS, Format, read, read_file
from planner.telemetry.record import (
    DriveReading,
    FileReading,
    Observed,
    Refused,
    Unused,
    WorkloadReading,
    as_record,
)

__all__ = [
    "FORMATS", "DriveReading", "FileReading", "Format", "Observed", "Refused", "Unused",
    "WorkloadReading", "as_record", "read", "read_file",
]  # fmt: skip
