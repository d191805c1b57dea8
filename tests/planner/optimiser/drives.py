"""Drives of which enough is known to choose among them."""

from dataclasses import replace

from models.units import GB, YEAR_S
from planner.catalogue.drive import own_drive, with_user_facts

__all__ = [
    "DRIVES",
    "FAST",
    "LARGE",
    "RATED",
    "SMALL",
    "UNPRICED",
    "UNRATED",
    "WRITE_ONLY",
    "a_drive",
]


def a_drive(number, gb, **facts):
    """A drive with facts of its own; None leaves one out."""
    facts = {
        "raw_bytes": 1.1 * gb * GB, "pe_cycles": 3000.0, "price_usd": 100.0,
        "random_read_iops": 90e3, "steady_write_iops": 20e3, "worst_case_iops": 3e3,
        "sequential_read_bytes_per_s": 5e8, "sequential_write_bytes_per_s": 4e8,
        "write_power_w": 4.0, "warranty_s": 5 * YEAR_S, "saturated_queue_depth": 32.0,
        "uber": 1e-16,
    } | facts  # fmt: skip
    known = {name: value for name, value in facts.items() if value is not None}
    drive = with_user_facts(own_drive(gb * GB), **known)
    return replace(drive, drive_id=f"drive-{number}", model=f"drive {number}")


SMALL, LARGE = a_drive(1, 400), a_drive(2, 960, price_usd=210.0, pe_cycles=1000.0)
FAST = a_drive(3, 400, price_usd=260.0, steady_write_iops=60e3, pe_cycles=8000.0)
UNRATED = a_drive(4, 800, price_usd=90.0, pe_cycles=None)
WRITE_ONLY = a_drive(
    6, 800, price_usd=80.0, random_read_iops=None, sequential_read_bytes_per_s=None
)
RATED = a_drive(7, 480, price_usd=110.0, rated_bytes=8e14, rating_period_s=5 * YEAR_S)
UNPRICED = a_drive(5, 800, price_usd=None)
DRIVES = (SMALL, LARGE, FAST, UNRATED, UNPRICED)
