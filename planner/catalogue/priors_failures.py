"""Assumptions about failures and rebuilds where nothing is stated, each with its ground."""

from planner.catalogue.drive import Drive
from planner.catalogue.priors_kind import words_of

AFR = 0.01
AFR_GROUND = (
    "No MTBF is known: an annual failure rate of 1 % is assumed, about that of the SSDs of "
    "Backblaze in 2021 and 2022."
)
# The most that JESD218B.01, table 1, lets a drive of a class reach: sectors per bit read.
UBER_CLIENT, UBER_ENTERPRISE = 1e-15, 1e-16
UBER_GROUND = (
    "UBER is not stated: assumed at the JESD218 limit of its class, 1e-15 for client drives and "
    "drives of unknown class, 1e-16 for enterprise drives."
)
SPREAD = 0.05
SPREAD_GROUND = (
    "Lives of drives of one batch are assumed to have a standard deviation of 5 % of their mean."
)
REBUILD_SHARE = 0.5
REBUILD_GROUND = "A rebuild is assumed to use half of a drive's sequential write rate."
WRITE_RATE = 400e6
RATE_GROUND = "No write rate is known: 400 MB/s is assumed for rebuilds."
KNOWN_WEAR = "Wear-out is at the end of life by flash wear or rating, whichever is first."
NO_WEAR = "Wear-out is not counted: neither program/erase cycles nor an endurance rating is known."


def assumed_uber(drive: Drive) -> float:
    """Return the uncorrectable bit error ratio that is assumed of drives of a class.

    >>> from planner.catalogue import find, load
    >>> assumed_uber(find(load(), "870 EVO 1TB")), assumed_uber(find(load(), "845DC PRO 400"))
    (1e-15, 1e-16)
    """
    return UBER_ENTERPRISE if "enterprise" in words_of(drive) else UBER_CLIENT
