"""Files about drives and workloads: bytes in, records out with the place of each number.

`formats.read` detects a format and reads it, or refuses the file with one sentence. Nothing here
opens a path or a connection.
"""

from planner.telemetry.formats import FORMATS, Format, read
from planner.telemetry.record import (
    DriveReading,
    Observed,
    Reading,
    Refused,
    Unused,
    WorkloadReading,
    as_record,
)

__all__ = [
    "FORMATS",
    "DriveReading",
    "Format",
    "Observed",
    "Reading",
    "Refused",
    "Unused",
    "WorkloadReading",
    "as_record",
    "read",
]
