"""Read the files of a fleet in a separate process.

`python -m planner.ui.fleet_process KIND` takes a pickle from standard input and writes one to
standard output: a `Fleet`, or the `Refused` that says why there is none. KIND "files" takes the
names and contents of files, within the limits of what is given to the app; "paths" takes names of
folders and patterns on this machine, without limits.
"""

import io
import pickle
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from models.units import DAY_S
from planner.export.files import write_files
from planner.forecast.fleet import Fleet, fleet
from planner.forecast.fleet.files import files_of
from planner.quantity.door import NO_MEMORY
from planner.telemetry.limited_process import limit
from planner.telemetry.record import Refused

FILES, PATHS = "files", "paths"
LEAD_DAYS = 56  # from an order to its delivery, as the command has it
_MOST_NAME = 200  # bytes of a file's name; systems take 255


def main(arguments: Sequence[str], given: BinaryIO, answer: BinaryIO) -> None:
    """Read a fleet, and write the result."""
    (kind,) = arguments
    if kind == FILES:
        limit()
    statement = pickle.load(given)  # noqa: S301 - written by the app
    try:
        result: Fleet | Refused = _of_files(statement) if kind == FILES else _of_paths(statement)
    except MemoryError:
        sys.exit(NO_MEMORY)
    pickle.dump(result, answer)


def _of_files(given: Iterable[tuple[str, bytes]]) -> Fleet:
    """Read files from a folder of their own, so that they keep their names."""
    contents: dict[Path, bytes] = {}
    for name, data in given:
        kept = _short(name.replace("/", "_").replace("\0", "")).lstrip(".") or "file"
        path = Path(kept)
        while path in contents:
            path = Path(f"{len(contents)} {kept}")
        contents[path] = data
    with TemporaryDirectory() as folder, chdir(folder):
        write_files(contents)
        return _read(contents)


def _short(name: str) -> str:
    """Return the end of a name in as many bytes as systems take.

    >>> len(_short("\N{OPTICAL DISC}" * 120)), _short("a.json")
    (50, 'a.json')
    """
    return name.encode("utf-8", "replace")[-_MOST_NAME:].decode("utf-8", "ignore")


def _of_paths(paths: Sequence[str]) -> Fleet | Refused:
    try:
        return _read(files_of(paths))
    except OSError as error:
        return Refused("reading", str(error))


def _read(paths: Iterable[Path]) -> Fleet:
    return fleet(paths, lead_s=LEAD_DAYS * DAY_S, now_s=time.time())


if __name__ == "__main__":
    stream: BinaryIO = io.BufferedReader(io.FileIO(0))
    main(sys.argv[1:], stream, sys.stdout.buffer)
