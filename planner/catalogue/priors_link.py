"""Bandwidth of the interface of a drive: no rate above it is assumed."""

import math
import re
from functools import lru_cache

from models import interface
from models.units import KIB
from planner.catalogue.drive import Drive
from planner.catalogue.priors_kind import KINDS

_PAGE_BYTES = 4.0 * KIB
_SATA_GENERATION = {"1.5": 1, "3": 2, "6": 3}
# Bytes per second of the links that `models.interface` does not have: both ports of SAS, whose
# 24 Gb/s are 22.5 encoded as 128 of 150 bits, and USB at 10 Gb/s, 128 of 132 (recalled).
_CARRIED = {
    "SAS 6Gb/s": 1.2e9, "SAS 12Gb/s": 2.4e9, "SAS 24Gb/s": 4.8e9, "USB 3.2 Gen 2": 1.21e9,
}  # fmt: skip
_IN_ORDER = {
    "random_read_iops": "sequential_read_bytes_per_s",
    "steady_write_iops": "sequential_write_bytes_per_s",
}


def most_rate(drive: Drive, quantity: str) -> float:
    """Return the most that a rate may be: what the interface carries, and is printed in order.

    >>> from planner.catalogue import find, load
    >>> f"{most_rate(find(load(), 'Samsung T7 1TB'), 'random_read_iops'):,.0f}"
    '256,348'
    >>> most_rate(find(load(), "845DC PRO 400"), "warranty_s")
    inf
    """
    if quantity in _IN_ORDER.values():
        return _link_bytes_per_s(drive.interface)
    if quantity not in _IN_ORDER:
        return math.inf
    printed = drive.value(_IN_ORDER[quantity]) or math.inf
    return min(_link_bytes_per_s(drive.interface), printed) / _PAGE_BYTES


@lru_cache(maxsize=KINDS)
def _link_bytes_per_s(text: str) -> float:
    if lanes := re.search(r"PCIe (\d)\.\d x(\d+)", text):
        return interface.pcie_bytes_per_s(float(lanes[1]), lanes=float(lanes[2]))
    if sata := re.match(r"SATA (1\.5|3|6)Gb/s", text):
        return interface.sata_bytes_per_s(_SATA_GENERATION[sata[1]])
    return _CARRIED.get(text, math.inf)
