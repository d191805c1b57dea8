"""Assumptions about failures and rebuilds where nothing is stated, each with its ground."""

AFR = 0.01
AFR_GROUND = (
    "No MTBF is known: an annual failure rate of 1 % is assumed, about that of the SSDs of "
    "Backblaze in 2021 and 2022."
)
UBER = 1e-16
UBER_GROUND = "UBER is assumed at the JESD218 limit for enterprise drives; client drives 1e-15."
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
