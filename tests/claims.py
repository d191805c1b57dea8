"""Figures of five published reviews, and the formulas that give them.

`CLAIMS` reproduce to the printed digits, or to a stated tolerance with its reason.
`CONTRADICTIONS` do not: there the source disagrees with itself or with arithmetic.
Inputs of a computation are printed in the same source unless a comment says otherwise; those that
are facts of a drive are read from the catalogue, so that the page and the product say the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from models import (
    array_tail,
    cost,
    endurance,
    flash_geometry,
    queueing,
    redundancy,
    spare_area,
    wear_indicator,
)
from models.units import DAY_S, GB, GIB, KB, KIB, MB, MIB, MS, TB, US, YEAR_S
from planner.catalogue import load
from tests.published import Printed

EVO = "AnandTech 7173"  # Samsung SSD 840 EVO review, 2013
MSATA = "AnandTech, 840 EVO mSATA review"  # 2014
DC = "AnandTech 8319"  # Samsung SSD 845DC EVO/PRO preview, 2014
PCPER = "PC Perspective, 850 EVO 4TB review"  # 2016
PRO = "AnandTech, 860 PRO review"  # 2018

ARITHMETIC = "arithmetic"
LIFE = "endurance.write_limit_bytes, endurance.lifetime_s"


@dataclass(frozen=True)
class Claim:
    """A figure, where it is printed, and how it is computed in the printed unit."""

    claim_id: str
    drive: str
    quantity: str
    printed: Printed
    unit: str
    source: str
    formula: str
    compute: Callable[[], float]
    kind: Literal["printed", "derived"] = "printed"
    tolerance: float | None = None
    reason: str = ""

    def holds(self) -> bool:
        """Whether the computed value is the printed one, to its digits or stated tolerance."""
        value = self.compute()
        if self.tolerance is None:
            return self.printed.admits(value)
        return abs(value / float(self.printed.text) - 1) <= self.tolerance


@dataclass(frozen=True)
class Contradiction:
    """A printed figure that its own source does not bear out."""

    claim_id: str
    drive: str
    quantity: str
    printed: Printed
    shows: Printed  # what the computation gives
    unit: str
    source: str
    formula: str
    compute: Callable[[], float]
    reason: str


DRIVES = load().drives


def fact(drive_id: str, quantity: str, condition: str = "") -> float:
    """Return the catalogue's fact, the first under a condition, in base units."""
    drive = DRIVES[drive_id]
    facts = (drive.facts[quantity], *drive.passed_over.get(quantity, ()))
    return next(one.value for one in facts if condition in one.condition)


def evo(gb: float) -> str:
    """Return the id of an 840 EVO."""
    return f"samsung-840-evo-{gb:g}gb"


def nearest(text: str) -> Printed:
    return Printed(text)


def truncated(text: str) -> Printed:
    return Printed(text, "truncated")


# AnandTech 7173: dies of the NAND comparison --------------------------------------------------

DENSITY_TABLE = f'{EVO}, "IMFT vs. Samsung NAND Comparison"'
GBIT = GIB / 8
MM2 = 1e-6


def dies() -> Iterator[Claim]:
    for block_id, density_id, gbit, page_kib, pages, mm2, block, density in (
        ("S0-005", "S0-010", 64, 8, 256, 118, "2.0", "0.542"),
        ("S0-016", "S0-021", 128, 16, 512, 202, "8.0", "0.634"),
    ):
        drive = f"IMFT 20nm MLC {gbit}Gbit"
        yield Claim(
            block_id,
            drive,
            "block size",
            nearest(block),
            "MB",
            DENSITY_TABLE,
            "flash_geometry.block_bytes",
            lambda page_kib=page_kib, pages=pages: (
                flash_geometry.block_bytes(page_kib * KIB, pages_per_block=pages) / MIB
            ),
            kind="derived",
        )
        yield Claim(
            density_id,
            drive,
            "density",
            nearest(density),
            "Gbit/mm2",
            DENSITY_TABLE,
            "flash_geometry.bit_density_per_m2",
            lambda gbit=gbit, mm2=mm2: (
                flash_geometry.bit_density_per_m2(gbit * GBIT, die_area_m2=mm2 * MM2) * MM2 / GIB
            ),
        )


# AnandTech 7173: memory and endurance tables of the 840 EVO -----------------------------------

DIE_GIB = 16
MEMORY = f'{EVO}, "Samsung SSD 840 EVO Memory"'
ENDURANCE = f'{EVO}, "Endurance"'
# Drive, user GB, packages, dies per package (6 where the table slips, see S0-064), spare area.
EVO_MEMORY = [
    ("840 EVO 120GB", 120, 2, 4, "12.7"),
    ("840 EVO 250GB", 250, 2, 8, "9.05"),
    ("840 EVO 500GB", 500, 4, 8, "9.05"),
    ("840 EVO 750GB", 750, 8, 6, "9.05"),
    ("840 EVO 1000GB", 1000, 8, 8, "9.05"),
]


def evo_memory() -> Iterator[Claim]:
    for column, (drive, user_gb, packages, per_package, spare) in enumerate(EVO_MEMORY):
        first = 40 + 8 * column
        drive_id = evo(user_gb)
        nand_gib = DIE_GIB * per_package * packages
        if drive != "840 EVO 750GB":
            yield Claim(
                f"S0-{first:03}",
                drive,
                "dies per package",
                nearest(str(per_package)),
                "",
                MEMORY,
                ARITHMETIC,
                lambda nand_gib=nand_gib, packages=packages: nand_gib / packages / DIE_GIB,
            )
            yield Claim(
                f"S0-{first + 1:03}",
                drive,
                "NAND per package",
                nearest(str(DIE_GIB * per_package)),
                "GiB",
                MEMORY,
                "flash_geometry.raw_bytes",
                lambda per_package=per_package: (
                    flash_geometry.raw_bytes(DIE_GIB * GIB, dies_per_package=per_package) / GIB
                ),
            )
        yield Claim(
            f"S0-{first + 2:03}",
            drive,
            "total NAND",
            nearest(str(nand_gib)),
            "GiB",
            MEMORY,
            "flash_geometry.raw_bytes",
            lambda per_package=per_package, packages=packages: (
                flash_geometry.raw_bytes(
                    DIE_GIB * GIB, dies_per_package=per_package, packages=packages
                )
                / GIB
            ),
        )
        yield Claim(
            f"S0-{first + 3:03}",
            drive,
            "spare area",
            nearest(spare),
            "%",
            MEMORY,
            "spare_area.spare_fraction",
            lambda drive_id=drive_id: (
                100
                * spare_area.spare_fraction(
                    fact(drive_id, "raw_bytes"), user_bytes=fact(drive_id, "user_bytes")
                )
            ),
        )


def life_days(raw_bytes: float, pe_cycles: float, gib_per_day: float) -> float:
    limit = endurance.write_limit_bytes(raw_bytes, pe_cycles=pe_cycles, wa=1)
    return endurance.lifetime_s(limit, host_bytes_per_s=gib_per_day * GIB / DAY_S) / DAY_S


# Days per cycle, days and years at 50 GiB/day, years at 100 GiB/day; 1129 cycles. The tables
# truncate: 11560.96 prints as 11560, and 7.918 years as 7.91.
EVO_LIFE = [
    ("840 EVO 120GB", 120, "2.56", "2890", "7.91", "3.95"),
    ("840 EVO 250GB", 250, "5.12", "5780", "15.83", "7.91"),
    ("840 EVO 500GB", 500, "10.24", "11560", "31.67", "15.83"),
    ("840 EVO 750GB", 750, "15.36", "17341", "47.51", "23.75"),
    ("840 EVO 1000GB", 1000, "20.48", "23121", "63.34", "31.67"),
]


def evo_life() -> Iterator[Claim]:
    year_d = YEAR_S / DAY_S
    for column, (drive, user_gb, *printed) in enumerate(EVO_LIFE):
        one = evo(user_gb)
        for row, (quantity, unit, cycles, gib_per_day, divisor) in enumerate(
            (
                ("days per P/E cycle", "day", 1, 50, 1),
                ("lifespan at 50 GiB/day", "day", None, 50, 1),
                ("lifespan at 50 GiB/day", "year", None, 50, year_d),
                ("lifespan at 100 GiB/day", "year", None, 100, year_d),
            )
        ):
            yield Claim(
                f"S0-{100 + 4 * column + row}",
                drive,
                quantity,
                truncated(printed[row]) if row else nearest(printed[row]),
                unit,
                ENDURANCE,
                LIFE,
                lambda one=one, cycles=cycles, rate=gib_per_day, divisor=divisor: (
                    life_days(fact(one, "raw_bytes"), cycles or fact(one, "pe_cycles"), rate)
                    / divisor
                ),
            )


EVO_ENDURANCE = [
    Claim(
        "S0-093",
        "840 120GB (XtremeSystems)",
        "implied cycles at WA 1",
        nearest("3143"),
        "cycles",
        ENDURANCE,
        "wear_indicator.pe_cycles",
        lambda: wear_indicator.pe_cycles(432 * TB, raw_bytes=128 * GIB, points_used=100),
        kind="derived",
    ),
    Claim(
        "S0-097",
        "840 EVO 120GB",
        "estimated total writes",
        nearest("144632.81"),
        "GiB",
        ENDURANCE,
        ARITHMETIC,
        lambda: 4338.98 / 0.03,
        tolerance=1.2e-6,
        reason="The 4338.98 GiB that it is computed from are printed rounded, to 1.2e-6.",
    ),
    Claim(
        "S0-098",
        "840 EVO 120GB",
        "estimated rated P/E",
        truncated("1129"),  # 1129.94, in a section whose next table truncates too
        "cycles",
        ENDURANCE,
        "wear_indicator.pe_cycles",
        lambda: wear_indicator.pe_cycles(
            4338.98 * GIB, raw_bytes=fact(evo(120), "raw_bytes"), points_used=3
        ),
    ),
    Claim(
        "S0-099",
        "840 EVO 120GB",
        "rated P/E from the raw counter",
        nearest("1166.67"),
        "cycles",
        ENDURANCE,
        "wear_indicator.pe_cycles",
        lambda: wear_indicator.pe_cycles(
            35 * 128 * GIB, raw_bytes=fact(evo(120), "raw_bytes"), points_used=3
        ),
        kind="derived",
    ),
]

# AnandTech 7173: RAPID and storage benches ----------------------------------------------------

RAPID = f'{EVO}, "RAPID: PCIe-like Performance from a SATA SSD"'
BELOW_LITTLE = "About 1 % of a test at queue depth 1 passes between operations."


def rapid() -> Iterator[Claim]:
    for first, state, iops, throughput, latency_ms in (
        (122, "disabled", 22769.31, "93.26", "0.0435"),
        (128, "enabled", 73466.28, "300.92", "0.0135"),
    ):
        drive = f"840 EVO 250GB RAPID {state}"
        yield Claim(
            f"S0-{first}",
            drive,
            "throughput",
            nearest(throughput),
            "MB/s",
            RAPID,
            "queueing.throughput_bytes_per_s",
            lambda iops=iops: queueing.throughput_bytes_per_s(iops, transfer_bytes=4 * KIB) / MB,
        )
        yield Claim(
            f"S0-{first + 1}",
            drive,
            "average latency",
            nearest(latency_ms),
            "ms",
            RAPID,
            "queueing.latency_s",
            lambda iops=iops: queueing.latency_s(1, iops=iops) / MS,
            tolerance=0.01,
            reason=BELOW_LITTLE,
        )
        yield Claim(
            f"S0-{first + 2}",
            drive,
            "effective queue depth",
            nearest("1"),
            "",
            RAPID,
            "queueing.queue_depth",
            lambda iops=iops, ms=float(latency_ms): queueing.queue_depth(iops, latency_s=ms * MS),
            tolerance=0.01,
            reason=BELOW_LITTLE,
        )


BENCHES = f'{EVO}, "AnandTech Storage Bench 2013" and "2011"'
EVO_BENCHES = [
    Claim(
        "S0-089",
        "840 EVO 1TB vs M500 960GB",
        "price premium",
        nearest("50"),
        "USD",
        f'{EVO}, "Pricing"',
        ARITHMETIC,
        lambda: fact(evo(1000), "price_usd") - fact("crucial-m500-960gb", "price_usd"),
    ),
    Claim(
        "S0-134",
        "840 EVO 250GB RAPID",
        "PCMark 7 score gain",
        nearest("10.4"),
        "%",
        RAPID,
        ARITHMETIC,
        lambda: 100 * (5977 / 5414 - 1),
    ),
    Claim(
        "S0-135",
        "840 EVO 250GB RAPID",
        "ATSB Heavy 2011 data rate gain",
        nearest("34.0"),
        "%",
        RAPID,
        ARITHMETIC,
        lambda: 100 * (307.7 / 229.6 - 1),
    ),
    Claim(
        "S0-140",
        "840 EVO 250GB RAPID",
        "ATTO sequential read with boost",
        nearest("700"),
        "MB/s",
        RAPID,
        ARITHMETIC,
        lambda: 540 * 1.34,
        tolerance=0.035,
        reason='The text says "beyond" 700: a bound, which 34 % on 540 MB/s passes by 3.4 %.',
    ),
    Claim(
        "S0-148",
        "Destroyer 2013",
        "total IO",
        nearest("49.8"),
        "million IO",
        BENCHES,
        ARITHMETIC,
        lambda: 38.83 + 10.98,
    ),
    Claim(
        "S0-149",
        "Heavy 2011",
        "reads",
        nearest("2.17"),
        "million IO",
        BENCHES,
        ARITHMETIC,
        lambda: 2_168_893 / 1e6,
    ),
    Claim(
        "S0-150",
        "Heavy 2011",
        "writes",
        nearest("1.78"),
        "million IO",
        BENCHES,
        ARITHMETIC,
        lambda: 1_783_447 / 1e6,
    ),
    Claim(
        "S0-156",
        "Destroyer 2013",
        "mean read size",
        nearest("40.77"),
        "KB",
        BENCHES,
        ARITHMETIC,
        lambda: 1583.02 * GB / 38.83e6 / KB,
        kind="derived",
    ),
    Claim(
        "S0-157",
        "Destroyer 2013",
        "mean write size",
        nearest("79.75"),
        "KB",
        BENCHES,
        ARITHMETIC,
        lambda: 875.62 * GB / 10.98e6 / KB,
        kind="derived",
    ),
    Claim(
        "S0-159",
        "Heavy 2011",
        "average queue depth",
        nearest("4.6"),
        "",
        BENCHES,
        ARITHMETIC,
        lambda: 4.625,  # as the text prints it; the table has 4.6
    ),
]

# AnandTech, 840 EVO mSATA: clean 180.4, dirty 69.3, after TRIM 126.2 MB/s ----------------------

RESILIENCY = f'{MSATA}, "Resiliency - Iometer Sequential Write"'
MSATA_CLAIMS = [
    Claim(
        "S1-004",
        "840 EVO mSATA 120GB",
        "recovery after TRIM",
        nearest("69.96"),
        "% of clean",
        RESILIENCY,
        ARITHMETIC,
        lambda: 100 * 126.2 / 180.4,
        kind="derived",
    ),
    Claim(
        "S1-005",
        "840 EVO mSATA 120GB",
        "dirty over clean",
        nearest("38.41"),
        "%",
        RESILIENCY,
        ARITHMETIC,
        lambda: 100 * 69.3 / 180.4,
        kind="derived",
    ),
]

# AnandTech 8319: what latency, IOPS and throughput mean ----------------------------------------

EXPLAINED = f'{DC}, "Explaining Throughput, IOPS, and Latency"'
WORST = f'{DC}, "Performance Consistency - Worst-Case IOPS"'


def saturated_ms(drive_id: str) -> float:
    """Longest latency of a drive in its saturated test."""
    worst_iops = fact(drive_id, "worst_case_iops")
    return queueing.latency_s(fact(drive_id, "saturated_queue_depth"), iops=worst_iops) / MS


DC_QUEUEING = [
    Claim(
        "S2-001",
        "any",
        "IOPS at 1 ms, queue depth 1",
        nearest("1000"),
        "IOPS",
        EXPLAINED,
        "queueing.iops",
        lambda: queueing.iops(1, latency_s=1 * MS),
    ),
    Claim(
        "S2-002",
        "any serial device",
        "latency of the second IO at queue depth 2",
        nearest("2"),
        "ms",
        EXPLAINED,
        "queueing.latency_s",
        lambda: queueing.latency_s(2, iops=1000) / MS,
    ),
    Claim(
        "S2-003",
        "any",
        "4 KiB equivalent of 1000 IOPS of 512 B",
        nearest("125"),
        "IOPS",
        EXPLAINED,
        "queueing.iops_at_throughput",
        lambda: queueing.iops_at_throughput(1000 * 512, transfer_bytes=4 * KIB),
    ),
    Claim(
        "S2-005",
        "any",
        "throughput at 90K IOPS of 4 KiB",
        nearest("370"),
        "MB/s",
        EXPLAINED,
        "queueing.throughput_bytes_per_s",
        lambda: queueing.throughput_bytes_per_s(90_000, transfer_bytes=4 * KIB) / MB,
        tolerance=0.004,
        reason='Printed as "~370": rounded to two digits.',
    ),
    Claim(
        "S2-006",
        "any",
        "IOPS at 20 us, queue depth 32",
        nearest("1600000"),
        "IOPS",
        EXPLAINED,
        "queueing.iops",
        lambda: queueing.iops(32, latency_s=20 * US),
    ),
    Claim(
        "S2-060",
        "845DC PRO vs S3700",
        "difference of steady 4K writes",
        nearest("15000"),
        "IOPS",
        f'{DC}, "Performance Consistency"',
        ARITHMETIC,
        lambda: (
            fact("samsung-845dc-pro-400gb", "steady_write_iops")
            - fact("intel-dc-s3700-400gb", "steady_write_iops")
        ),
    ),
    Claim(
        "S2-063",
        "array of 12",
        "average IOPS",
        nearest("600000"),
        "IOPS",
        WORST,
        "redundancy.budget_iops",
        lambda: redundancy.budget_iops(
            92_000,
            write_iops=fact("samsung-845dc-pro-400gb", "steady_write_iops"),
            members=12,
            read_fraction=0,
            reads_per_write=0,
            writes_per_write=1,
        ),
    ),
    Claim(
        "S2-064",
        "array of 12",
        "worst-case IOPS",
        nearest("60000"),
        "IOPS",
        WORST,
        "array_tail.worst_case_iops",
        lambda: array_tail.worst_case_iops(
            fact("samsung-845dc-pro-400gb", "worst_case_iops"), members=12
        ),
    ),
    Claim(
        "S2-066",
        "845DC EVO/PRO",
        "worst-case latency",
        nearest("6.4"),
        "ms",
        WORST,
        "queueing.latency_s",
        lambda: saturated_ms("samsung-845dc-evo-240gb"),
    ),
    Claim(
        "S2-070",
        "M500DC",
        "worst-case latency",
        nearest("16"),
        "ms",
        WORST,
        "queueing.latency_s",
        lambda: saturated_ms("micron-m500dc-480gb"),
        kind="derived",
    ),
]

# AnandTech 8319: ratings, flash and prices ------------------------------------------------------


def rating_dwpd(drive_id: str, years: float | None = None) -> float:
    """Drive writes per day of a rating in bytes, over its own period or over some years."""
    period_s = fact(drive_id, "rating_period_s") if years is None else years * YEAR_S
    return endurance.dwpd(
        fact(drive_id, "rated_bytes"), user_bytes=fact(drive_id, "user_bytes"), period_s=period_s
    )


def model_id(drive: str) -> str:
    """Return the id of a Samsung or Intel drive from its name on the page."""
    vendor = "intel" if drive.startswith("DC S") else "samsung"
    return f"{vendor}-{drive.lower().replace(' ', '-')}"


def dc_ratings() -> Iterator[Claim]:
    for claim_id, drive, printed in (
        ("S2-008", "845DC EVO 240GB", "0.35"),
        ("S2-010", "845DC EVO 480GB", "0.35"),
        ("S2-012", "845DC EVO 960GB", "0.35"),
        ("S2-027", "845DC PRO 400GB", "10"),
        ("S2-029", "845DC PRO 800GB", "10"),
    ):
        rounded_up = printed == "0.35"
        drive_id = model_id(drive)
        yield Claim(
            claim_id,
            drive,
            "DWPD over 5 years",
            nearest(printed),
            "DWPD",
            f"{DC}, specifications",
            "endurance.dwpd",
            lambda drive_id=drive_id: rating_dwpd(drive_id),
            tolerance=0.022 if rounded_up else None,
            reason="The data sheet rounds 0.342 up to a step of 0.05." if rounded_up else "",
        )


def dc_pro_flash() -> Iterator[Claim]:
    source = f'{DC}, "Samsung SSD 845DC PRO"'
    for ids, user_gb, packages, raw_gib in (
        (("S2-038", "S2-039", "S2-040", "S2-047"), 400, 4, "512"),
        (("S2-041", "S2-042", "S2-043", "S2-048"), 800, 8, "1024"),
    ):
        drive = f"845DC PRO {user_gb}GB"
        one = model_id(drive)
        yield Claim(
            ids[0],
            drive,
            "raw NAND",
            nearest(raw_gib),
            "GiB",
            source,
            "flash_geometry.raw_bytes",
            lambda packages=packages: (
                flash_geometry.raw_bytes(DIE_GIB * GIB, dies_per_package=8, packages=packages) / GIB
            ),
        )
        yield Claim(
            ids[1],
            drive,
            "over-provisioning (nominal)",
            nearest("28"),
            "%",
            source,
            "spare_area.op_nominal",
            lambda one=one: (
                100
                * spare_area.op_nominal(fact(one, "raw_bytes"), user_bytes=fact(one, "user_bytes"))
            ),
        )
        yield Claim(
            ids[2],
            drive,
            "spare area (share of raw)",
            nearest("27.24"),
            "%",
            source,
            "spare_area.spare_fraction",
            lambda one=one: (
                100
                * spare_area.spare_fraction(
                    fact(one, "raw_bytes"), user_bytes=fact(one, "user_bytes")
                )
            ),
            kind="derived",
        )
        yield Claim(
            ids[3],
            drive,
            "implied WA at the rating",
            nearest("3.01"),
            "x",
            source,
            "endurance.implied_wa",
            lambda one=one: implied_wa(one),
            kind="derived",
        )


def implied_wa(drive_id: str) -> float:
    """Write amplification at which a drive's cycles last for its rating."""
    return endurance.implied_wa(
        fact(drive_id, "raw_bytes"),
        pe_cycles=fact(drive_id, "pe_cycles"),
        rated_bytes=fact(drive_id, "rated_bytes"),
    )


def pm853t_tbw(workload: str) -> float:
    """Host bytes of a rating of the 240 GB PM853T."""
    drive_id = "samsung-pm853t-240gb"
    return endurance.tbw_bytes(
        fact(drive_id, "rated_dwpd", workload),
        user_bytes=fact(drive_id, "user_bytes"),
        period_s=fact(drive_id, "rating_period_s"),
    )


DC_FLASH = [
    Claim(
        "S2-044",
        "845DC EVO",
        "spare area",
        nearest("12.7"),
        "%",
        f'{DC}, "Performance Consistency"',
        "spare_area.spare_fraction",
        lambda: (
            100
            * spare_area.spare_fraction(
                fact("samsung-845dc-evo-240gb", "raw_bytes"),
                user_bytes=fact("samsung-845dc-evo-240gb", "user_bytes"),
            )
        ),
    ),
    Claim(
        "S2-049",
        "845DC EVO 240GB",
        "implied WA at the rating",
        nearest("5.5"),
        "x",
        f'{DC}, "Samsung SSD 845DC EVO"',
        "endurance.implied_wa",
        lambda: implied_wa("samsung-845dc-evo-240gb"),
        kind="derived",
    ),
    Claim(
        "S2-053",
        "PM853T",
        "implied WA, random over sequential",
        nearest("5.333"),
        "x",
        f'{DC}, "Samsung PM853T"',
        "endurance.tbw_bytes, endurance.implied_wa",
        lambda: (
            endurance.implied_wa(256 * GIB, pe_cycles=3_000, rated_bytes=pm853t_tbw("random"))
            / endurance.implied_wa(256 * GIB, pe_cycles=3_000, rated_bytes=pm853t_tbw("sequential"))
        ),
        kind="derived",
    ),
    Claim(
        "S2-057",
        "PM853T 240GB",
        "implied P/E at sequential WA 1",
        nearest("1530"),
        "cycles",
        f'{DC}, "Samsung PM853T"',
        "endurance.tbw_bytes, wear_indicator.pe_cycles",
        lambda: wear_indicator.pe_cycles(
            pm853t_tbw("sequential"), raw_bytes=256 * GIB, points_used=100
        ),
        kind="derived",
    ),
]


def prices() -> Iterator[Claim]:
    for claim_id, drive, printed in (
        ("S2-073", "845DC PRO 400GB", "2.4"),
        ("S2-075", "845DC PRO 800GB", "2.29"),
        ("S2-077", "DC S3700 400GB", "1.82"),
        ("S2-079", "DC S3700 800GB", "1.82"),
        ("S2-081", "845DC EVO 240GB", "1.04"),
        ("S2-083", "845DC EVO 480GB", "1.02"),
        ("S2-085", "845DC EVO 960GB", "1.01"),
        ("S2-087", "DC S3500 240GB", "0.91"),
        ("S2-089", "DC S3500 480GB", "0.91"),
        ("S2-091", "DC S3500 800GB", "0.91"),
    ):
        one = model_id(drive)
        yield price_per_gb(
            claim_id,
            drive,
            printed,
            f"{DC}, prices",
            lambda one=one: (fact(one, "price_usd"), fact(one, "user_bytes")),
        )
    comment = f"{PCPER}, reader comment"
    two = "samsung-850-evo-2000gb"
    yield price_per_gb(
        "S3-020",
        "850 EVO 2x2TB",
        "0.32",
        comment,
        lambda: (2 * fact(two, "price_usd"), 2 * fact(two, "user_bytes")),
    )
    yield price_per_gb("S3-022", "EVO 250GB", "0.31", comment, lambda: (78, 250 * GB))


def price_per_gb(
    claim_id: str,
    drive: str,
    printed: str,
    source: str,
    price_and_size: Callable[[], tuple[float, float]],
) -> Claim:
    """Return the claim of a price per GB; price and size are read when it is computed."""

    def compute() -> float:
        price_usd, size_bytes = price_and_size()
        return cost.usd_per_byte(price_usd, size_bytes=size_bytes) * GB

    return Claim(
        claim_id,
        drive,
        "price per GB",
        nearest(printed),
        "USD/GB",
        source,
        "cost.prices.usd_per_byte",
        compute,
    )


# PC Perspective, 850 EVO 4TB -------------------------------------------------------------------

MIXED_BURST = f'{PCPER}, "Mixed Burst R/W Throughput"'


def drive_writes(drive_id: str) -> float:
    """Full writes of a drive that its rating allows."""
    return wear_indicator.pe_cycles(
        fact(drive_id, "rated_bytes"), raw_bytes=fact(drive_id, "user_bytes"), points_used=100
    )


PCPER_CLAIMS = [
    Claim(
        "S3-009",
        "mid-pack SATA SSDs",
        "implied read rate",
        nearest("400"),
        "MB/s",
        MIXED_BURST,
        "queueing.throughput_bytes_per_s",
        lambda: queueing.throughput_bytes_per_s(10 / 5, transfer_bytes=200 * MB) / MB,
        kind="derived",
    ),
    Claim(
        "S3-017",
        "850 EVO 4TB",
        "drive writes in 300 TBW",
        nearest("75"),
        "cycles",
        f"{PCPER}, reader comment",
        "wear_indicator.pe_cycles",
        lambda: drive_writes("samsung-850-evo-4000gb"),
    ),
    Claim(
        "S3-019",
        "850 EVO 2x2TB",
        "price of two",
        nearest("1270"),
        "USD",
        f"{PCPER}, reader comment",
        "cost.prices.total_usd",
        lambda: cost.total_usd(fact("samsung-850-evo-2000gb", "price_usd"), members=2),
    ),
]

# AnandTech, 860 PRO: the table names 1 TB what it prices as 1024 GB ------------------------------

PRO_SPECIFICATIONS = f"{PRO}, specifications"
PRO_860 = [
    ("860 PRO 256GB", 256, "55"),
    ("860 PRO 512GB", 512, "49"),
    ("860 PRO 1TB", 1024, "47"),
    ("860 PRO 2TB", 2048, "46"),
    ("860 PRO 4TB", 4096, "46"),
]


def pro_860() -> Iterator[Claim]:
    for column, (drive, gb, cents) in enumerate(PRO_860):
        first = 3 + 5 * column
        drive_id = f"samsung-860-pro-{gb}gb"
        yield Claim(
            f"S4-{first:03}",
            drive,
            "price per GB",
            nearest(cents),
            "cent/GB",
            PRO_SPECIFICATIONS,
            "cost.prices.usd_per_byte",
            lambda one=drive_id: (
                100
                * GB
                * cost.usd_per_byte(fact(one, "price_usd"), size_bytes=fact(one, "user_bytes"))
            ),
        )
        yield Claim(
            f"S4-{first + 1:03}",
            drive,
            "full drive writes",
            nearest("1171.875"),
            "cycles",
            PRO_SPECIFICATIONS,
            "wear_indicator.pe_cycles",
            lambda one=drive_id: drive_writes(one),
            kind="derived",
        )
        yield Claim(
            f"S4-{first + 2:03}",
            drive,
            "DWPD over 5 years",
            nearest("0.642"),
            "DWPD",
            PRO_SPECIFICATIONS,
            "endurance.dwpd",
            lambda one=drive_id: rating_dwpd(one),
            kind="derived",
        )


def bursts() -> Iterator[Claim]:
    for claim_id, kind, total_mib, burst_mib, printed in (
        ("S4-040", "random read", 1024, 32, "32"),
        ("S4-041", "random write", 128, 4, "32"),
        ("S4-042", "sequential", 1024, 128, "8"),
    ):
        yield Claim(
            claim_id,
            "test method",
            f"{kind} bursts",
            nearest(printed),
            "",
            f"{PRO}, test method",
            ARITHMETIC,
            lambda total=total_mib, burst=burst_mib: total / burst,
        )


PRO_CLAIMS = [
    Claim(
        "S4-033",
        "860 PRO",
        "4K random read as throughput",
        nearest("409.6"),
        "MB/s",
        PRO_SPECIFICATIONS,
        "queueing.throughput_bytes_per_s",
        lambda: (
            queueing.throughput_bytes_per_s(
                fact("samsung-860-pro-512gb", "random_read_iops"), transfer_bytes=4 * KIB
            )
            / MB
        ),
        kind="derived",
    )
]

CLAIMS = sorted(
    (
        *dies(),
        *evo_memory(),
        *EVO_ENDURANCE,
        *evo_life(),
        *rapid(),
        *EVO_BENCHES,
        *MSATA_CLAIMS,
        *DC_QUEUEING,
        *dc_ratings(),
        *dc_pro_flash(),
        *DC_FLASH,
        *prices(),
        *PCPER_CLAIMS,
        *pro_860(),
        *PRO_CLAIMS,
        *bursts(),
    ),
    key=lambda claim: claim.claim_id,
)

CONTRADICTIONS = [
    Contradiction(
        "S0-064",
        "840 EVO 750GB",
        "dies per package",
        nearest("4"),
        nearest("6"),
        "",
        MEMORY,
        ARITHMETIC,
        lambda: 96 / DIE_GIB,
        "A package of 96 GiB holds six dies of 16 GiB, and 8 x 6 x 16 is the printed 768 GiB.",
    ),
    Contradiction(
        "S0-065",
        "840 EVO 750GB",
        "NAND per package",
        nearest("96"),
        nearest("64"),
        "GiB",
        MEMORY,
        "flash_geometry.raw_bytes",
        lambda: flash_geometry.raw_bytes(DIE_GIB * GIB, dies_per_package=4) / GIB,
        "Four dies, as the row above it prints, are 64 GiB: the same slip seen from the other row.",
    ),
    Contradiction(
        "S0-091",
        "840 250GB",
        "writes in 1000 P/E cycles",
        nearest("242"),
        nearest("250"),
        "TB",
        ENDURANCE,
        "endurance.write_limit_bytes",
        lambda: (
            endurance.write_limit_bytes(
                fact("samsung-840-250gb", "user_bytes"), pe_cycles=1000, wa=1
            )
            / TB
        ),
        "1000 cycles are 250 TB of user capacity or 274.9 TB of 256 GiB; 242 fits no capacity.",
    ),
    Contradiction(
        "S0-136",
        "840 EVO 250GB RAPID",
        "ATSB Light 2011 data rate gain",
        nearest("75.0"),
        nearest("76.7"),
        "%",
        RAPID,
        ARITHMETIC,
        lambda: 100 * (597.7 / 338.3 - 1),
        "The two rates printed above the gain give 76.7 %.",
    ),
    Contradiction(
        "S0-151",
        "Heavy 2011",
        "total IO",
        nearest("3.99"),
        nearest("3.95"),
        "million IO",
        BENCHES,
        ARITHMETIC,
        lambda: 2.17 + 1.78,
        "Reads and writes sum to 3.95; the exact counts of the text to 3,952,340.",
    ),
    Contradiction(
        "S1-006",
        "840 EVO mSATA",
        "torture duration",
        nearest("60"),
        nearest("40"),
        "min",
        RESILIENCY,
        ARITHMETIC,
        lambda: 40,
        "The text says 60 minutes, the head of its table 40.",
    ),
    Contradiction(
        "S2-004",
        "sequential 128KB",
        "IOPS at 500 MB/s",
        nearest("4000"),
        nearest("3815"),
        "IOPS",
        EXPLAINED,
        "queueing.iops_at_throughput",
        lambda: queueing.iops_at_throughput(500 * MB, transfer_bytes=128 * KIB),
        '"~4,000" is loose: 3,815 with 128 KiB, 3,906 with 128 kB.',
    ),
    Contradiction(
        "S2-023",
        "840 / 840 EVO",
        "P/E cycles",
        nearest("1000"),
        truncated("1129"),
        "cycles",
        f'{DC}, "Samsung SSD 845DC EVO"',
        "wear_indicator.pe_cycles",
        lambda: wear_indicator.pe_cycles(
            4338.98 * GIB, raw_bytes=fact(evo(120), "raw_bytes"), points_used=3
        ),
        "The measurement of AnandTech 7173 gave 1129; this review rounds it down to 1,000.",
    ),
    Contradiction(
        "S2-025",
        "DC S3500 240GB",
        "DWPD over 5 years",
        nearest("0.35"),
        nearest("0.32"),
        "DWPD",
        f"{DC}, conclusion",
        "endurance.dwpd",
        lambda: rating_dwpd("intel-dc-s3500-240gb", years=5),
        "140 TB on 240 GB in five years are 0.32 drive writes per day.",
    ),
    Contradiction(
        "S2-061",
        "845DC EVO",
        "steady 4K write measured",
        nearest("10000"),
        nearest("12000"),
        "IOPS",
        f'{DC}, "Performance Consistency"',
        ARITHMETIC,
        lambda: fact("samsung-845dc-evo-240gb", "steady_write_iops"),
        "The measured ~10K is below the 12K of its own specification, and later given as ~15K.",
    ),
    Contradiction(
        "S3-002",
        "BitTorrent capture",
        "average download",
        nearest("30"),
        nearest("37.5"),
        "MB/s",
        MIXED_BURST,
        ARITHMETIC,
        lambda: 300e6 / 8 / MB,
        "A bound, not an equality: 30 MB/s is 80 % of the 37.5 MB/s of the 300 Mbit/s link.",
    ),
    Contradiction(
        "S3-004",
        "background write",
        "rate",
        nearest("30"),
        nearest("20"),
        "MB/s",
        MIXED_BURST,
        "queueing.throughput_bytes_per_s",
        lambda: queueing.throughput_bytes_per_s(1 / 2, transfer_bytes=40 * MB) / MB,
        "40 MB every 2 s are 20 MB/s; the text calls it a 30 MB/s download.",
    ),
    Contradiction(
        "S3-007",
        "read burst",
        "total read",
        nearest("2"),
        nearest("0.002"),
        "TB",
        MIXED_BURST,
        ARITHMETIC,
        lambda: 10 * 200 * MB / TB,
        "Ten reads of 200 MB are 2 GB; 2 TB is a slip by 1000.",
    ),
    Contradiction(
        "S3-013",
        "SSD 750",
        "time per 40 MB burst",
        nearest("0.5"),
        nearest("0.05"),
        "s",
        MIXED_BURST,
        ARITHMETIC,
        lambda: 40 / 800,
        '"Less than 0.5 s" is true and ten times too loose: 40 MB at 800 MB/s take 0.05 s.',
    ),
]
