"""The fleet in files that were given to the app, or that are on this machine.

These functions are for reader processes, which do not load the app.
"""

import os
import time
from collections.abc import Iterable, Sequence
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from models.units import DAY_S
from planner.forecast.fleet import Fleet, fleet
from planner.forecast.fleet.files import files_of
from planner.telemetry.record import Refused

LEAD_DAYS = 56  # from an order to its delivery, as the command has it
_MOST_NAME = 200  # bytes of a file's name; systems take 255


def fleet_of_files(files: Iterable[tuple[str, str]]) -> Fleet:
    """Read files, by name and path, from a folder of their own, so that they have their names."""
    with TemporaryDirectory() as folder, chdir(folder):
        names: dict[Path, None] = {}
        for name, path in files:
            kept = _short(name.replace("/", "_").replace("\0", "")).lstrip(".") or "file"
            given = Path(kept)
            while given in names:
                given = Path(f"{len(names)} {kept}")
            names[given] = None
            os.link(path, given)
        return _read(names)


def fleet_of_paths(paths: Sequence[str]) -> Fleet:
    """Read folders, files and patterns of this machine."""
    try:
        return _read(files_of(paths))
    except OSError as error:
        raise Refused("reading", str(error)) from None


def _short(name: str) -> str:
    """Return the end of a name in as many bytes as systems take.

    >>> len(_short("\N{OPTICAL DISC}" * 120)), _short("a.json")
    (50, 'a.json')
    """
    return name.encode("utf-8", "replace")[-_MOST_NAME:].decode("utf-8", "ignore")


def _read(paths: Iterable[Path]) -> Fleet:
    return fleet(paths, lead_s=LEAD_DAYS * DAY_S, now_s=time.time())
