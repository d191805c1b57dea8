"""The door: files from outside are opened here, and read by libraries here and nowhere else.

`parsed` gives an opened file to a function: in this process if it is short, else in a reader
process with limits. The other modules call the libraries that unpack and parse: `packing` (gzip,
xz, zstd), `workbook` (XLSX), `tables` (Parquet, columns of text) and `texts` (JSON, CSV).
"""

from planner.quantity.door.parsing import is_bounded, parsed, parsed_together
from planner.quantity.door.reader import (
    FOLDERS,
    MOST_READERS,
    MOST_WAITING,
    NAMED,
    NO_MEMORY,
    OUT_OF_MEMORY,
    SEARCHES,
    SHORT_BYTES,
    STEP_S,
    UPLOADED,
    DoorError,
    FileLimits,
    Progress,
    ReaderCall,
    aside,
    content,
    enter_reader,
    is_short,
    opened,
)

__all__ = [
    "FOLDERS", "MOST_READERS", "MOST_WAITING", "NAMED", "NO_MEMORY", "OUT_OF_MEMORY",
    "SEARCHES", "SHORT_BYTES", "STEP_S", "UPLOADED", "DoorError", "FileLimits", "Progress",
    "ReaderCall", "aside", "content", "enter_reader", "is_bounded", "is_short", "opened", "parsed",
    "parsed_together",
]  # fmt: skip
