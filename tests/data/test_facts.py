"""The catalogue's facts: sound row by row, and in agreement across rows.

A printed figure stands for the interval that its last digit allows: half a unit
of it to either side. Figures that contradict each other stay as printed and are
listed here, one by one, with the reason; a test fails when a listed one agrees.
"""

import csv
import re
from collections import defaultdict
from decimal import Decimal

import pytest

from models import endurance, spare_area
from models.nomenclature import QUANTITIES
from models.units import GB
from planner import catalogue

FOLDER = catalogue.data_folder()
CATALOGUE = catalogue.load()
DRIVES = CATALOGUE.drives


def rows(name):
    with (FOLDER / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def interval(fact):
    """Base-unit values that the digits of a printed figure allow."""
    half = Decimal(1).scaleb(int(Decimal(fact.text).as_tuple().exponent)) / 2
    per_unit = fact.value / float(fact.text)
    return tuple(float(Decimal(fact.text) + side) * per_unit for side in (-half, half))


def test_every_row_loads():
    assert CATALOGUE.problems == ()


def test_every_row_of_facts_is_in_force_or_passed_over():
    held = sum(len(d.facts) + sum(map(len, d.passed_over.values())) for d in DRIVES.values())
    assert held == len(rows("facts.csv"))


def test_every_fact_names_a_source_and_a_place_in_it():
    for row in rows("facts.csv"):
        assert row["source_id"] in CATALOGUE.sources
        assert row["locator"]


def test_every_source_is_used():
    files = (
        "facts.csv", "features.csv", "assumptions.csv", "client_facts.csv", "price_bands.csv",
        "smart_families.csv", "smart_units.csv", "flash_generations.csv", "field_flash.csv",
        "field_life.csv", "measured_reads.csv", "measured_skews.csv", "measured_spans.csv",
        "drive_classes.csv", "oem_numbers.csv", "protocols.csv",
    )  # fmt: skip
    used = {row["source_id"] for name in files for row in rows(name)}
    ids = {row["source_id"] for row in rows("sources.csv")}
    ranges = (*rows("terms.csv"), *rows("assumptions.csv"))  # the other ends stand in notes
    terms = " ".join(f"{row['source_id']} {row['note']}" for row in ranges)
    used |= {source_id for source_id in ids if source_id in re.findall(r"[\w-]+", terms)}
    assert used == {row["source_id"] for row in rows("sources.csv")}


def test_letters_of_confidence_are_those_of_the_readme():
    assert {row["confidence"] for row in rows("facts.csv")} == {"A", "R", "B", "C"}
    assert {row["quality"] for row in rows("sources.csv")} == {"A", "R", "B", "C"}


def test_what_was_recalled_says_so():
    for row in (*rows("facts.csv"), *rows("features.csv")):
        assert (row["kind"] == "recalled") <= (row["source_id"] == "recalled")
        assert (row["source_id"] == "recalled") <= (row["kind"] in ("recalled", "derived"))
    for row in rows("facts.csv"):
        assert (row["source_id"] == "recalled") == (row["kind"] == "recalled")
        assert (row["kind"] == "recalled") <= (row["confidence"] == "C")
        if "c. " in row["condition"]:
            assert "(date recalled, not read)" in row["condition"]


def test_no_price_is_recalled():
    assert all(fact.kind != "recalled" for _, fact in each_fact("price_usd"))


def test_a_rating_of_several_workloads_has_a_row_for_each():
    """The workloads of the 6550 ION, and of drives whose indirection unit is above 8 KiB."""
    printed = {
        "samsung-pm853t-240gb": {"4 KB random writes": 0.3, "64 KB sequential writes": 1.6},
        "micron-6550-ion-61440gb": {
            "16 KiB random writes": 1, "128 KiB sequential writes": 1, "8 KiB random writes": 0.5,
            "4 KiB random writes": 0.25, "JESD219A": 0.3,
            "90 % 16 KiB and 10 % 4 KiB random writes": 0.9,
            "70 % 16 KiB and 30 % 4 KiB random writes": 0.75,
            "50 % 16 KiB and 50 % 4 KiB random writes": 0.6,
        },
        "micron-6600-ion-245760gb": {
            "16 KiB random writes": 0.3, "4 KiB random writes": 0.075,
            "128 KiB sequential writes": 1,
        },
        "kioxia-lc9-245760gb": {"16 KiB random writes": 0.3, "4 KiB random writes": 0.075},
    }  # fmt: skip
    for drive_id, ratings in printed.items():
        drive = DRIVES[drive_id]
        facts = (drive.facts["rated_dwpd"], *drive.passed_over["rated_dwpd"])
        assert {fact.condition: fact.value for fact in facts} == ratings
    for drive, unit in each_fact("unit_bytes"):
        if unit.value > 8192 and "rated_dwpd" in drive.facts:
            assert "writes" in drive.facts["rated_dwpd"].condition, drive.name


def test_every_drive_says_what_it_is():
    unknown = {"i4i.4xlarge instance store", "PE3100"}
    for drive in DRIVES.values():
        assert drive.segment, drive.name
        assert drive.interface, drive.name
        assert (drive.nand_type == "") is (drive.model in unknown), drive.name


def test_every_price_carries_a_date():
    for row in rows("facts.csv"):
        if row["quantity"] == "price_usd":
            assert re.search(r"\b20\d\d", row["condition"])


def test_every_rating_names_its_workload_or_says_that_none_is_printed():
    for row in rows("facts.csv"):
        if row["quantity"] in ("rated_bytes", "rated_dwpd"):
            assert row["condition"]


def test_capacity_of_the_name_is_the_user_capacity():
    for drive in DRIVES.values():
        assert drive.value("user_bytes") == drive.capacity_gb * GB


def test_drive_ids_are_slugs_that_end_in_the_capacity():
    for drive in DRIVES.values():
        slug = re.sub(r"[^a-z0-9]+", "-", f"{drive.vendor} {drive.model} ".lower()).strip("-")
        assert drive.drive_id == f"{slug}-{drive.capacity_gb:g}gb"


def test_names_are_unique():
    assert len({drive.name.casefold() for drive in DRIVES.values()}) == len(DRIVES)


# TBW against DWPD x capacity x rating period ------------------------------------------

EVO = "150 TB per 240 GB over 5 years is 0.342, printed as 0.35"
COVER = "the cover prints 3 DWPD and TBW by capacity that are up to 41 % above it"
TBW_DWPD_EXCEPTIONS = {
    "samsung-845dc-evo-240gb": EVO,
    "samsung-845dc-evo-480gb": EVO,
    "samsung-845dc-evo-960gb": EVO,
    "intel-dc-s3610-400gb": COVER,
    "intel-dc-s3610-480gb": COVER,
    "intel-dc-s3610-800gb": COVER,
    "intel-dc-s3610-1200gb": COVER,
    "intel-dc-s3610-1600gb": COVER,
    "intel-dc-p4500-1000gb": "1,380 TB is 0.756, printed as 0.75: truncated",
    "intel-dc-p4500-4000gb": "4,840 TB is 0.663, printed as 0.65: to the nearest 0.05",
    "sk-hynix-gold-p31-2000gb": "1,200 TB is 0.329, printed as 0.32: truncated",
    "intel-dc-p3520-2000gb": "2.49 PB is 0.68 DWPD, printed as 3",
    "memblaze-pblaze4-3200gb": "17.3 PB is 4.9 DWPD over the 3 years of the table, printed as 3",
    "intel-dc-p3700-re-rated-2015-1600gb": "43.8 PB of a review is 15, with 17 of the family",
    "intel-dc-p4610-1600gb": "rated in PB: 10,613 TB is 3.6, with the class of 3 DWPD",
    "intel-dc-p4610-3200gb": "rated in PB: 21,850 TB is 3.7, with the class of 3 DWPD",
    "intel-dc-s3500-240gb": "140 TB is 0.32, a review prints about 0.35 for the family",
    "intel-dc-s3500-480gb": "275 TB is 0.31, a review prints about 0.35 for the family",
    "intel-dc-s3500-800gb": "450 TB is 0.31, a review prints about 0.35 for the family",
    "solidigm-d5-p5430-30720gb": "32 PB, rounded, is 0.571 with 0.58",
    "synology-snv3410-800gb": "1,022 TB is 0.70, with 0.68 of the 400 GB model",
}


def dwpd_disagrees(drive):
    low, high = (
        endurance.dwpd(
            limit, user_bytes=drive.value("user_bytes"), period_s=drive.value("rating_period_s")
        )
        for limit in interval(drive.facts["rated_bytes"])
    )
    least, most = interval(drive.facts["rated_dwpd"])
    return high < least or low > most


def test_rated_tbw_and_dwpd_agree_within_printed_precision():
    rated = {"rated_bytes", "rated_dwpd", "rating_period_s"}
    both = [drive for drive in DRIVES.values() if rated <= set(drive.facts)]
    assert len(both) > 25
    assert {d.drive_id for d in both if dwpd_disagrees(d)} == set(TBW_DWPD_EXCEPTIONS)


def test_rated_bytes_never_fall_with_capacity_within_a_family():
    families = defaultdict(list)
    for drive in DRIVES.values():
        if "rated_bytes" in drive.facts:
            families[drive.vendor, drive.model].append(drive)
    for family in families.values():
        family.sort(key=lambda drive: drive.capacity_gb)
        ratings = [drive.value("rated_bytes") for drive in family]
        assert ratings == sorted(ratings), family[0].name


# Speed against the interface ----------------------------------------------------------

# Bytes per second of one lane after encoding: 8b/10b, then 128b/130b, then 242/256 (flits).
LANE = {"2.0": 5e9 * 0.8 / 8, "6.0": 64e9 * 242 / 256 / 8} | {
    generation: transfers * 128 / 130 / 8
    for generation, transfers in (("3.0", 8e9), ("4.0", 16e9), ("5.0", 32e9))
}
# SAS of 24 Gb/s is rated with both ports in use.
BUS = {
    "SATA 3Gb/s": 300e6, "SATA 6Gb/s": 600e6, "SAS 6Gb/s": 600e6, "SAS 12Gb/s": 1200e6,
    "SAS 24Gb/s": 2 * 2400e6, "USB 3.2 Gen 2": 10e9 * 128 / 132 / 8,
}  # fmt: skip
BOTH_PORTS = {"PM1643"}  # of 12 Gb/s: printed as 2,100 MB/s, which one port cannot carry
WITHOUT_LANES = {"NVMe", "NVMe PCIe", "NVMe PCIe 3.0", "NVMe PCIe 5.0"}


def interface_bytes_per_s(interface):
    lanes = re.search(r"PCIe (\d\.\d) x(\d+)", interface)
    return LANE[lanes[1]] * int(lanes[2]) if lanes else BUS[interface]


def most_bytes_per_s(drive):
    return interface_bytes_per_s(drive.interface) * (2 if drive.model in BOTH_PORTS else 1)


def test_every_interface_has_a_limit_unless_its_lanes_are_unknown():
    for drive in DRIVES.values():
        assert drive.interface in WITHOUT_LANES or interface_bytes_per_s(drive.interface) > 0


def each_fact(*quantities):
    for drive in DRIVES.values():
        for quantity in quantities:
            if quantity in drive.facts:
                for fact in (drive.facts[quantity], *drive.passed_over.get(quantity, ())):
                    yield drive, fact


def test_random_iops_fit_through_the_interface():
    kinds = ("random_read_iops", "steady_write_iops", "burst_write_iops", "spec_write_iops")
    for drive, fact in each_fact(*kinds):
        if drive.interface not in WITHOUT_LANES:
            assert fact.value * 4096 <= most_bytes_per_s(drive), drive.name


def test_sequential_throughput_fits_through_the_interface():
    kinds = [f"{kind}_bytes_per_s" for kind in ("sequential_read", "sequential_write")]
    for drive, fact in each_fact(*kinds, "folded_write_bytes_per_s"):
        if drive.interface not in WITHOUT_LANES:
            assert fact.value <= most_bytes_per_s(drive), drive.name


def test_worst_case_is_below_every_steady_figure():
    for drive, worst in each_fact("worst_case_iops"):
        assert drive.value("saturated_queue_depth") == 32
        for _, fact in each_fact("steady_write_iops"):
            assert fact.drive_id != drive.drive_id or worst.value < fact.value


def test_a_full_cache_is_slower():
    for drive, fact in each_fact("folded_write_bytes_per_s"):
        cached = drive.value("sequential_write_bytes_per_s")
        assert cached is None or fact.value < cached, drive.name


# Flash against user capacity ----------------------------------------------------------

SPARE_EXCEPTIONS = {
    "intel-ssd-710-200gb": "printed 40 %; 320 and 200 give 37.5 % nominal, 41.8 % with GiB"
}


def test_there_is_at_least_as_much_flash_as_user_capacity():
    for drive, fact in each_fact("raw_bytes"):
        assert fact.value >= drive.value("user_bytes")


@pytest.mark.parametrize(
    ("quantity", "formula"),
    [("spare_fraction", spare_area.spare_fraction), ("op_nominal", spare_area.op_nominal)],
)
def test_printed_spare_area_follows_from_the_flash(quantity, formula):
    checked = 0
    for drive, fact in each_fact(quantity):
        raw_bytes = drive.value("raw_bytes")
        if raw_bytes is None:
            continue
        low, high = interval(fact)
        if fact.rounding == "truncated":
            low, high = fact.value, fact.value + (high - low)
        got = formula(raw_bytes, user_bytes=drive.value("user_bytes"))
        assert (low <= got <= high) is (drive.drive_id not in SPARE_EXCEPTIONS), drive.name
        checked += 1
    assert checked >= 3


def test_no_rating_exceeds_what_the_cycles_allow():
    checked = 0
    for drive, cycles in each_fact("pe_cycles"):
        rated, flash = drive.value("rated_bytes"), drive.value("raw_bytes")
        if rated is not None:
            flash_bytes = flash or drive.value("user_bytes")
            wa = endurance.implied_wa(flash_bytes, pe_cycles=cycles.value, rated_bytes=rated)
            assert wa >= 1, drive.name
            checked += 1
    assert checked >= 10


# Assumptions --------------------------------------------------------------------------


def test_assumptions_are_ordered_ranges_with_a_source():
    for row in rows("assumptions.csv"):
        assert row["quantity"] in QUANTITIES
        assert float(row["low"]) <= float(row["typical"]) <= float(row["high"])
        assert row["source_id"] in CATALOGUE.sources
        assert row["locator"]


def test_assumptions_are_unambiguous():
    keys = [(row["quantity"], row["applies_to"]) for row in rows("assumptions.csv")]
    assert len(keys) == len(set(keys))


# Prices by class and year ---------------------------------------------------------------


def test_dated_prices_have_a_day_a_source_and_a_drive_of_the_catalogue():
    for row in rows("price_series.csv"):
        assert re.fullmatch(r"20\d\d-\d\d(-\d\d)?", row["day"]), row
        ends = [float(row[name]) for name in ("low", "typical", "high") if row[name]]
        assert ends == sorted(ends)
        assert ends[0] > 0
        assert row["unit"] == "USD/TB"
        assert row["source_id"] in CATALOGUE.sources
        assert row["locator"]
        assert not row["drive_id"] or row["drive_id"] in CATALOGUE.drives


def test_price_bands_are_ordered_ranges_with_a_source():
    bands = rows("price_bands.csv")
    for row in bands:
        assert 0 < float(row["low"]) <= float(row["typical"]) <= float(row["high"]), row
        assert row["unit"] == "USD/TB"
        assert row["period"].startswith(row["year"])
        assert row["source_id"] in CATALOGUE.sources
        assert row["locator"]
    assert len({(row["price_class"], row["period"], row["price_kind"]) for row in bands}) == len(
        bands
    )
