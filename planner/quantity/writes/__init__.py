"""Writes as people state them: "32 cameras x 6 Mbit/s", "35 TB in 270 days", "0.3 DWPD".

Option, field, script, link and file read a sentence by `statement`. One that could mean two things
is refused, with sentences that are read.
"""

from planner.quantity.writes.reading import SEQUENTIAL_SHARE, is_plain, parse_writes, statement
from planner.quantity.writes.stated import Writes
from planner.quantity.writes.words import unambiguous

__all__ = ["SEQUENTIAL_SHARE", "Writes", "is_plain", "parse_writes", "statement", "unambiguous"]
