"""Classes that represent any of their drives, for budgets.

A class has a size, a rating and a warranty; everything else, its price too, is assumed from the
class.
"""

import csv
from functools import cache

from models.units import GB, YEAR_S
from planner.catalogue.drive import Drive, with_user_facts
from planner.catalogue.rows import data_folder

WARRANTY_S = 5 * YEAR_S
VENDOR = "Any"


@cache
def classes() -> tuple[Drive, ...]:
    """Return one drive for each class and size.

    >>> [drive.name for drive in classes()][3]
    'Any 1 DWPD TLC U.2 7.68 TB'
    """
    with (data_folder() / "drive_classes.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return tuple(_of(row, float(size)) for row in rows for size in row["sizes_gb"].split())


def _of(row: dict[str, str], size_gb: float) -> Drive:
    bus = row["form_factor"].split()[-1] if "NVMe" in row["interface"] else "SATA"
    place = "M.2" if row["form_factor"].startswith("M.2") else bus
    model = f"{row['rated_dwpd']} DWPD {row['nand_type']} {place}"
    drive = Drive(
        drive_id=f"any-{model}-{size_gb:.0f}gb".lower().replace(" ", "-").replace(".", ""),
        vendor=VENDOR, model=model, capacity_gb=size_gb, launch_year=int(row["launch_year"]),
        nand_type=row["nand_type"], interface=row["interface"], form_factor=row["form_factor"],
        segment=row["segment"], power_loss_protection=row["power_loss_protection"],
    )  # fmt: skip
    return with_user_facts(
        drive, user_bytes=size_gb * GB, rated_dwpd=float(row["rated_dwpd"]), warranty_s=WARRANTY_S
    )
