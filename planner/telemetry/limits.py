"""What one reading may take, of any file of anybody: bytes, records, time and memory.

The figures are those of docs/trust.md. A file that goes beyond one of them is refused, with the
limit in the sentence.
"""

from planner.telemetry.record import Refused

__all__ = [
    "MOST_BYTES",
    "MOST_DRIVES",
    "MOST_LINES",
    "MOST_PARTS",
    "MOST_PERIODS",
    "MOST_PIPED_BYTES",
    "MOST_READINGS",
    "MOST_SECONDS",
    "MOST_TAKEN_BYTES",
    "MOST_UPLOADED_BYTES",
    "within",
]

MOST_BYTES = 16 << 20  # of a file that is read as a whole, unpacked; traces and logs of fio stream
MOST_UPLOADED_BYTES = 200 << 20  # of a file given to the app, as its server is set
MOST_PIPED_BYTES = 1 << 30  # of standard input; a file given by its name may be larger
MOST_DRIVES = 10_000  # documents of a file, and drives
MOST_LINES = 1_000_000  # of smartctl's text
MOST_PARTS = 1_000_000  # brackets and texts of JSON
MOST_READINGS = 50_000  # rows of a wear history
MOST_PERIODS = 1_000_000  # seconds of a log of fio, its directions together
MOST_SECONDS = 120  # of a reading in the app
MOST_TAKEN_BYTES = 1 << 30  # of memory


def within(count: int, most: int, place: str, things: str) -> None:
    """Refuse a file that holds more than a limit.

    >>> within(3, 2, "line 7", "drives")
    Traceback (most recent call last):
    planner.telemetry.record.Refused: line 7: the file holds more than 2 drives
    """
    if count > most:
        raise Refused(place, f"the file holds more than {most:,} {things}")
