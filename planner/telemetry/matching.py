"""Match a model string to a drive of the catalogue, by its number or by the model that it names."""

import functools
import re

from planner.catalogue import LookupFailed, find, load
from planner.catalogue.drive import Drive
from planner.catalogue.part_numbers import reported

_NEAR = 0.03  # "1 TB" may mean 1,000 or 1,024 GB
_WORD = re.compile(r"[a-z0-9]{3,}")  # shorter ones are put before and after models: DC, D7, R


@functools.lru_cache(maxsize=4096)
def match(model: str, user_bytes: float | None) -> str | None:
    """Return the id of the drive of the catalogue with this model and capacity, or None.

    A number that `data/model_numbers.csv` and `data/oem_numbers.csv` do not have may be followed or
    preceded by the name of a model, as servers report it; all of that name must be there.

    >>> match("INTEL SSDPEDMD400G4", 400088457216.0)
    'intel-dc-p3700-400gb'
    >>> match("Dell Express Flash NVMe P4610 1.6TB SFF", 1600321314816.0)
    'intel-dc-p4610-1600gb'
    """
    if not model or not user_bytes:
        return None
    row = reported(model)
    alike = _named(model) if row is None else _of_model(row.vendor, row.model)
    nearest = min(alike, key=lambda one: _off(one, user_bytes), default=None)
    return nearest.drive_id if nearest is not None and _off(nearest, user_bytes) <= _NEAR else None


def _of_model(vendor: str, model: str) -> list[Drive]:
    return [one for one in load().drives.values() if (one.vendor, one.model) == (vendor, model)]


def _named(model: str) -> list[Drive]:
    """Return the drive that a text names by all words of its model, if there is one."""
    if len(model.split()) < 2:  # a number that is not known
        return []
    try:
        drive = find(load(), model)
    except LookupFailed:
        return []
    said = set(_WORD.findall(model.casefold()))
    return [drive] if set(_WORD.findall(drive.model.casefold())) <= said else []


def _off(drive: Drive, user_bytes: float) -> float:
    return abs(drive.capacity_bytes / user_bytes - 1)
