"""Text of nvme-cli: `nvme smart-log` as it prints without `-o json`."""

import re
from typing import BinaryIO

from planner.telemetry.documents import head_text, whole_text
from planner.telemetry.drive_record import drive_reading
from planner.telemetry.evidence import Evidence
from planner.telemetry.limits import MOST_DRIVES, within
from planner.telemetry.nvme import take_health
from planner.telemetry.record import DriveReading, FileReading, Refused

_HEAD = re.compile(r"(?im)^smart log for nvme device\b.*$")
# Thousands are grouped as the locale of the machine has it.
_LINE = re.compile(
    r"(?m)^[ \t]*([A-Za-z]\w*+(?: \w++)*+)[ \t]*:[ \t]*(\d{1,3}(?:[,.'\u00a0\u202f ]\d{3})+|\d+)"
    r"(?![\d,.'])[ \t]*(%?)"
)
_NO_DIGIT = re.compile(r"\D")


def looks_like(head: bytes) -> bool:
    """Whether a file begins like the log, or holds it after what the shell printed."""
    return _HEAD.search(head_text(head)) is not None


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read the logs of a file: each begins with the name of its device."""
    text = whole_text(stream)
    begins = [match.end() for match in _HEAD.finditer(text)]
    if not begins:
        raise Refused("line 1", "contains no health log")
    within(len(begins), MOST_DRIVES, "line 1", "drives")
    ends = [match.start() for match in _HEAD.finditer(text)][1:]
    parts = zip(begins, [*ends, len(text)], strict=True)
    return FileReading(file=file, drives=tuple(_drive(text[start:end]) for start, end in parts))


def _drive(text: str) -> DriveReading:
    """Read a single log; of a field that is printed twice the first counts."""
    log: dict[str, str] = {}
    for name, number, _ in _LINE.findall(text):
        log.setdefault(name.lower().replace(" ", "_"), _NO_DIGIT.sub("", number))
    evidence = Evidence(protocol="NVMe")
    take_health(evidence, log)
    return drive_reading(evidence)
