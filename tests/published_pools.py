"""What ZFS reported of real pools, and what the formulas give for them.

Run `python -m tests.published_pools > docs/evidence/pools.md` to write the page.
"""

import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from models import declustered, pools, raidz

SECTOR, UNIT, SLAB = 4096, 512, 2.0**34
TB_3, TB_18 = 3_000_592_982_016, 18_000_207_937_536  # as drives of 3 and 18 TB have them

LOSS = """\
Data loss of pools as planned (RAID-Z1, Z2, Z3 and dRAID of 12 drives) is within 5 % of the lifetime
simulator, with failures so frequent that losses are not rare: `tests/validation/test_failures.py`.
"""


class Row(NamedTuple):
    """A figure of a pool: where it is printed, what was printed, the formula, why they differ."""

    pool: str
    figure: str
    source: str
    printed: float
    formula: float
    why: str = ""


def raidz_available(drive_bytes: float, *, members: int, parities: int, vdevs: int = 1) -> float:
    space = pools.raidz_space_bytes(pools.partition_bytes(drive_bytes), members=members)
    taken = raidz.raidz_sectors(32, members=members, parities=parities)
    share = pools.deflated_fraction(taken, sector_bytes=SECTOR)
    return pools.available_bytes(space, vdevs=vdevs, deflated_fraction=share)


def draid_available(
    partition: float, *, data: int, parities: int, members: int, spares: int
) -> float:
    code = {"data_members": data, "parities": parities}
    space = pools.draid_space_bytes(
        partition, members=members, spares=spares, sector_bytes=SECTOR, **code
    )
    taken = declustered.declustered_sectors(32, **code)
    share = pools.deflated_fraction(taken, sector_bytes=SECTOR)
    return pools.available_bytes(space, vdevs=1, deflated_fraction=share)


def charged(record: int, *, members: int, parities: int, sector: int) -> float:
    """Return the bytes that a record is charged with."""
    one, reference = (
        raidz.raidz_sectors(
            pools.record_sectors(size, sector_bytes=sector), members=members, parities=parities
        )
        for size in (record, 131_072)
    )
    return one * sector * pools.deflated_fraction(reference, sector_bytes=sector)


def rows() -> Iterator[Row]:
    """List what was printed, beside the formulas."""
    stripe = 17 * SECTOR / UNIT * 481
    yield Row(
        "draid2:6d:24c:0s of 1 TB", "used and available", "openzfs/zfs issue 15467",
        2_095_104 + 15_835_676_542_976,
        draid_available(1e12, data=6, parities=2, members=24, spares=0),
    )  # fmt: skip
    yield Row(
        "draid2:6d:24c:0s of 1 TB", "metaslabs of 16 GiB", "openzfs/zfs issue 15467", 1396,
        pools.draid_space_bytes(1e12, members=24, spares=0, data_members=6, parities=2,
                                sector_bytes=SECTOR) / SLAB,
    )  # fmt: skip
    yield Row(
        "draid1:16d:36c:2s of 18 TB", "available", "openzfs/zfs issue 13727",
        574_804_246_033_080,
        draid_available(pools.partition_bytes(TB_18), data=16, parities=1, members=36, spares=2),
        f"the empty pool uses {96 * stripe:,.0f} bytes: 96 stripes",
    )  # fmt: skip
    for parities, tib in ((1, 523), (2, 457)):
        whole = raidz_available(TB_18, members=17, parities=parities, vdevs=2)
        yield Row(
            f"two RAID-Z{parities} of 17 drives of 18 TB", "TiB of df -h, rounded up",
            "openzfs/zfs issue 13727", tib, float(np.ceil(whole / 2**40)),
        )  # fmt: skip
    for name, member, members, asize, source in (
        ("RAID-Z2 of 6 drives of 3 TB", pools.partition_bytes(TB_3), 6, 18_003_470_057_472,
         "pastebin.com/qXBH51mc"),
        ("RAID-Z3 of 11 drives of 3 TB", TB_3, 11, 33_006_468_464_640, "pastebin.com/Wj2DnsMm"),
    ):  # fmt: skip
        yield Row(
            name, "whole GiB of metaslabs in the asize of zdb", source, asize // SLAB * 16,
            pools.raidz_space_bytes(member, members=members) / 2**30,
        )  # fmt: skip
    yield Row(
        "RAID-Z2 of 9, sectors of 512 bytes", "bytes charged to 8 KiB", "openzfs/zfs issue 4544",
        9528, charged(8192, members=9, parities=2, sector=512),
    )  # fmt: skip
    yield Row(
        "RAID-Z2 of 11, sectors of 64 KiB", "sectors of 128 KiB", "openzfs/zfs issue 8163",
        6, raidz.raidz_sectors(2, members=11, parities=2),
    )  # fmt: skip
    yield Row(
        "RAID-Z2 of 6, volume of 10 GiB in 8 KiB", "bytes allocated", "openzfs/zfs issue 1807",
        32_718_569_472, 10 * 2**30 * raidz.raidz_sectors(2, members=6, parities=2) / 2,
        "indirect blocks: 1.6 %",
    )  # fmt: skip


def page() -> str:
    """Return the page."""
    head = (
        "# Pools of ZFS against what pools reported\n\n"
        "Written by `python -m tests.published_pools > docs/evidence/pools.md`. "
        "No pool was run here.\n\n"
        "| pool | figure | source | printed | formula | difference | why |\n"
        "|---|---|---|---:|---:|---:|---|\n"
    )
    table = "".join(
        f"| {row.pool} | {row.figure} | {row.source} | {row.printed:,.0f} | {row.formula:,.0f} "
        f"| {row.formula - row.printed:+,.0f} | {row.why} |\n"
        for row in rows()
    )
    return f"{head}{table}\n{LOSS}"


if __name__ == "__main__":
    sys.stdout.write(page())
