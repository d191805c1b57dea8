"""The door: files from outside are opened here, and read by libraries here and nowhere else.

`parsed` gives an opened file to a function: in this process if it is short, else in a reader
process with limits. The other modules call the libraries that unpack and parse: `packing` (gzip,
xz, zstd), `workbook` (XLSX), `tables` (Parquet, columns of text) and `texts` (JSON, CSV).
"""

from planner.quantity.door.parsing import parsed, parsed_together
from planner.quantity.door.reader import (
    NAMED,
    NO_MEMORY,
    OUT_OF_MEMORY,
    SHORT_BYTES,
    UPLOADED,
    DoorError,
    FileLimits,
    aside,
    content,
    enter_reader,
    is_short,
    opened,
    report,
)

__all__ = [
    "NAMED", "NO_MEMORY", "OUT_OF_MEMORY", "SHORT_BYTES", "UPLOADED", "DoorError", "FileLimits",
    "aside", "content", "enter_reader", "is_short", "opened", "parsed", "parsed_together", "report",
]  # fmt: skip
