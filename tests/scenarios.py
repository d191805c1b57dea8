"""Plans that every face must agree on, worked out by hand from printed figures."""

import math
from dataclasses import dataclass

from models import array_tail, cost, endurance, redundancy, spare_area, write_amplification
from models.units import DAY_S, GB, GIB, TB, YEAR_S
from planner.catalogue import find, load
from planner.scenario.workload import Workload
from planner.sections.witnesses import evidence_of


@dataclass(frozen=True)
class Scenario:
    """One case: how each face is asked, and what the formulas say, in shown units."""

    name: str
    arguments: tuple[str, ...]
    query: dict[str, str]
    expected: dict[str, float]


# Mean erases over those of the most worn block, as data/assumptions.csv has them; all writes alike.
LEVELLING = {"low_wear_life_s": 0.85, "typical_wear_life_s": 0.9, "high_wear_life_s": 0.95}


# Copies of hosts in the field over those of uniform writes, as data/assumptions.csv has them.
FIELD_COPY_RATIO = 0.28
REWRITES = 3  # of the capacity a year, by the drive itself, as data/assumptions.csv has them
BASE_FACTOR = 1.03  # of parity and map, as data/assumptions.csv has it


def _in_field(uniform_wa: float) -> float:
    return 1 + FIELD_COPY_RATIO * (uniform_wa - 1)


def _pro_400_raid_5() -> Scenario:
    """12 drives of 512 GiB flash, 400 GB, 40,000 cycles, 7,300 TB, $960; 10,000 GiB a day."""
    wa = _in_field(write_amplification.fifo(spare_area.op_ratio(512 * GIB, user_bytes=400 * GB)))
    rate = 10_000 * GIB / DAY_S * 2 / 12
    worn = wa + REWRITES * 400 * GB / YEAR_S / rate
    wear = endurance.write_limit_bytes(512 * GIB, pe_cycles=40_000, wa=worn)
    # Flash and rating weigh as their errors in the field say; the rating is for 5 years.
    hosts = Workload(host_bytes_per_s=rate, field_copy_ratio=FIELD_COPY_RATIO)
    evidence = evidence_of(find(load(), "845DC PRO 400"), hosts)
    both = endurance.witnessed_limit_bytes(
        wear, field_limit_bytes=7300 * TB * wa / worn, flash_weight=evidence.weight,
        witness_ratio=math.exp(evidence.ratio), life_error_ratio=1.0,
        promised_limit_bytes=min(7300 * TB, rate * 5 * YEAR_S),
    )  # fmt: skip
    wear_life = endurance.lifetime_s(both, host_bytes_per_s=rate) / YEAR_S
    return Scenario(
        name="845DC PRO 400 GB x 12 RAID 5",
        arguments=(
            "--drive", "845DC PRO 400", "--drives", "12", "--raid", "5",
            "--writes", "10000 GiB/day", "--price", "960",
        ),
        query={"drive": "Samsung 845DC PRO 400 GB", "drives": "12", "raid": "5",
               "writes": "10000", "price": "960"},
        expected={
            "workload_wa": wa,
            "wear_life_s": wear_life,
            **{key: part * wear_life for key, part in LEVELLING.items()},
            "rated_life_s": endurance.lifetime_s(7300 * TB, host_bytes_per_s=rate) / YEAR_S,
            "usable_bytes": redundancy.usable_bytes(400 * GB, members=12, parities=1) / TB,
            "worst_case_floor_iops": array_tail.worst_case_iops(5_000, members=12),
            "price_per_usable_byte": cost.usd_per_byte(12 * 960, size_bytes=4.4 * TB) * TB,
            "price_per_written_byte": cost.usd_per_byte(12 * 960, size_bytes=6 * 7300 * TB) * TB,
            "budget_iops": redundancy.budget_iops(
                92_000, write_iops=50_000, members=12, read_fraction=0.7, reads_per_write=2,
                writes_per_write=2,
            ),
        },
    )  # fmt: skip


def _evo_250(*, known_only: bool) -> Scenario:
    """One drive of 256 GiB flash, 250 GB, 1129 cycles, $189.99; 50 GiB a day."""
    uniform = write_amplification.fifo(spare_area.op_ratio(256 * GIB, user_bytes=250 * GB))
    wa = uniform if known_only else _in_field(uniform)
    rate = 50 * GIB / DAY_S
    worn = wa if known_only else wa + REWRITES * 250 * GB / YEAR_S / rate
    wear = endurance.write_limit_bytes(256 * GIB, pe_cycles=1129, wa=worn)
    return Scenario(
        name=f"840 EVO 250 GB at 50 GiB/day{', known facts only' if known_only else ''}",
        arguments=(
            "--drive", "840 EVO 250", "--writes", "50GiB/day", "--price", "189.99",
            *(("--known-only",) if known_only else ()),
        ),
        query={"drive": "Samsung 840 EVO 250 GB", "drives": "1", "raid": "0", "writes": "50",
               "price": "189.99"}
        | ({"known_only": "true"} if known_only else {}),
        expected={
            "workload_wa": wa,
            "wear_life_s": endurance.lifetime_s(wear, host_bytes_per_s=rate) / YEAR_S,
            "usable_bytes": 0.25,
            "price_per_user_byte": cost.usd_per_byte(189.99, size_bytes=250 * GB) * GB,
            **(
                {"price_per_written_byte": cost.usd_per_byte(189.99, size_bytes=wear) * TB}
                if known_only  # else a rating is assumed, which may be used up first
                else {}
            ),
            "required_dwpd": endurance.required_dwpd(rate, user_bytes=250 * GB),
        },
    )  # fmt: skip


def _pro_4tb() -> Scenario:
    """One drive of 4.096 TB, 4,800 TB, $1,899.99, flash unknown; 500 GiB a day."""
    rate = 500 * GIB / DAY_S
    return Scenario(
        name="860 PRO 4 TB",
        arguments=("--drive", "860 PRO 4TB", "--writes", "500 GiB/day", "--price", "1899.99"),
        query={
            "drive": "Samsung 860 PRO 4.096 TB",
            "drives": "1",
            "raid": "0",
            "writes": "500",
            "price": "1899.99",
        },
        expected={
            "rated_life_s": endurance.lifetime_s(4800 * TB, host_bytes_per_s=rate) / YEAR_S,
            "usable_bytes": 4.096,
            "rated_dwpd": endurance.dwpd(4800 * TB, user_bytes=4.096 * TB, period_s=5 * YEAR_S),
            "price_per_usable_byte": cost.usd_per_byte(1899.99, size_bytes=4.096 * TB) * TB,
        },
    )


def _used_pro_4tb() -> Scenario:
    """The same after two years: 900 TB written, which used 30 % of its life, as it says."""
    rate, written, used = 500 * GIB / DAY_S, 900 * TB, 0.3
    wear_left = endurance.lifetime_s(written / used * 0.7, host_bytes_per_s=rate) / YEAR_S
    rating_left = endurance.lifetime_s((4800 - 900) * TB, host_bytes_per_s=rate) / YEAR_S
    statement = {"used": "30%", "written": "900TB", "age": "2 years", "as_of": "2026-05-31"}
    return Scenario(
        name="860 PRO 4 TB, used",
        arguments=(
            "--drive", "860 PRO 4TB", "--writes", "500 GiB/day", "--price", "1899.99",
            *(part for name, text in statement.items()
              for part in (f"--{name.replace('_', '-')}", text)),
        ),
        query={"drive": "Samsung 860 PRO 4.096 TB", "writes": "500", "price": "1899.99"}
        | statement,
        expected={
            "wear_life_s": wear_left,
            **{key: part * wear_left for key, part in LEVELLING.items()},
            "rated_life_s": rating_left,
            "printed_life_s": rating_left,
            "warranty_left_s": 3.0,
            "host_left_bytes": 2100,
            "price_per_written_byte": 1899.99 / 3000,
        },
    )  # fmt: skip


def _d5_p5336() -> Scenario:
    """One drive of 61.44 TB, 65,200 TB at 16 KiB on units of as much: 4 KiB cost four times."""
    rate = 5_000 * GIB / DAY_S
    spare = spare_area.op_ratio(66_000 * GIB, user_bytes=61.44 * TB)
    return Scenario(
        name="D5-P5336 61.44 TB, 4 KiB on units of 16 KiB",
        arguments=(
            "--drive", "D5-P5336 61.44", "--writes", "5000 GiB/day", "--skew", "uniform",
            "--raw", "66000GiB",
        ),
        query={"drive": "Solidigm D5-P5336 61.44 TB", "drives": "1", "raid": "0", "writes": "5000",
               "skew": "uniform", "raw": "66000GiB"},
        expected={
            "workload_wa": 4 * BASE_FACTOR * write_amplification.fifo(spare),
            "rated_life_s": endurance.lifetime_s(65_200 * TB / 4, host_bytes_per_s=rate) / YEAR_S,
            "required_dwpd": endurance.required_dwpd(rate, user_bytes=61.44 * TB),
        },
    )  # fmt: skip


SCENARIOS = (
    _pro_400_raid_5(), _evo_250(known_only=False), _evo_250(known_only=True), _pro_4tb(),
    _used_pro_4tb(), _d5_p5336(),
)  # fmt: skip
