"""Match a model string to a drive of the catalogue."""

from planner.catalogue import load
from planner.catalogue.drive import Drive
from planner.catalogue.part_numbers import model_numbers

_NEAR = 0.03  # "1 TB" may mean 1,000 or 1,024 GB


def match(model: str, user_bytes: float | None) -> str | None:
    """Return the id of the drive of the catalogue with this model and capacity, or None.

    >>> match("INTEL SSDPEDMD400G4", 400088457216.0)
    'intel-dc-p3700-400gb'
    """
    if not model or not user_bytes:
        return None
    for row in model_numbers():
        if row.pattern.search(model):
            return _of_size(row.vendor, row.model, user_bytes)
    return None


def _of_size(vendor: str, name: str, user_bytes: float) -> str | None:
    def off(drive: Drive) -> float:
        return abs(drive.capacity_bytes / user_bytes - 1)

    alike = [d for d in load().drives.values() if d.vendor == vendor and d.model == name]
    nearest = min(alike, key=off, default=None)
    return nearest.drive_id if nearest is not None and off(nearest) <= _NEAR else None
