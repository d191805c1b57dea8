"""Limits of reading a file: bytes, records, time and memory.

docs/evidence/trust.md lists the same figures. A file beyond a limit is refused with a sentence that
names the limit. Of a file that is named on the command line only memory and time are limited.
"""

from planner.quantity.door import UPLOADED, is_bounded
from planner.telemetry.record import Refused

MOST_BYTES = 16 << 20  # decompressed file that is read as a whole; traces and fio logs are streamed
MOST_UPLOADED_BYTES = int(UPLOADED.most_bytes)  # file given to the app, as configured there
MOST_PIPED_BYTES = 1 << 30  # standard input; a file given by its name may be larger
MOST_DRIVES = 10_000  # documents or drives in a file
MOST_LINES = 1_000_000  # lines of smartctl's text
MOST_PARTS = 1_000_000  # brackets and strings in JSON
MOST_READINGS = 50_000  # rows of a wear history
MOST_PERIODS = 1_000_000  # seconds in a fio log, all directions together


def within(count: int, most: int, place: str, things: str) -> None:
    """Refuse a file that contains more things than a limit.

    >>> within(3, 2, "line 7", "drives")
    Traceback (most recent call last):
    planner.telemetry.record.Refused: line 7: the file contains more than 2 drives
    """
    if count > most and is_bounded():
        raise Refused(place, f"the file contains more than {most:,} {things}")
