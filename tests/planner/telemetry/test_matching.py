"""A drive is matched by the number or the name that it reports, or not at all."""

import csv
import re

import pytest

from planner import catalogue
from planner.catalogue.part_numbers import model_numbers
from planner.telemetry.matching import match
from tests import drive_logs

GB = 1e9


@pytest.mark.parametrize(
    ("model", "gigabytes", "drive_id"),
    [
        ("Micron_5100_MTFDDAK480TBY", 480.1, "micron-5100-eco-480gb"),
        ("MTFDDAK480TBY", 480.1, "micron-5100-eco-480gb"),
        ("MTFDDAK1T9TCC-1AR1ZA 01GT751D7A09328LEN", 1_920.4, "micron-5100-max-1920gb"),
        ("Crucial_CT500MX200SSD1", 500.1, "crucial-mx200-500gb"),
        ("SSDSC2BA400G3I       00AJ162 00AJ165IBM", 400.1, "intel-dc-s3700-400gb"),
        ("Dell Express Flash NVMe P4610 3.2TB SFF", 3_200.6, "intel-dc-p4610-3200gb"),
        ("Dell Ent NVMe CM6 MU 3.2TB", 3_200.6, "kioxia-cm6-v-3200gb"),
        ("Dell Ent NVMe CM6 RI 3.84TB", 3_840.8, "kioxia-cm6-r-3840gb"),
        ("VK003840GWSXL", 3_840.8, "micron-5200-eco-3840gb"),
        ("MV001600LYCBT", 1_600.3, "kioxia-cd8p-v-1600gb"),
        ("MTFDDAK960TDT", 960.2, "micron-5300-max-960gb"),
    ],
)
def test_numbers_of_builders_of_servers_name_the_drive_behind_them(model, gigabytes, drive_id):
    assert match(model, gigabytes * GB) == drive_id


@pytest.mark.parametrize(
    ("model", "gigabytes"),
    [
        ("Micron_5100_MTFDDAK1T9TBY", 1_920.4),  # no 5100 ECO of this capacity is known
        ("Dell Ent NVMe CM6 1.92TB", 1_600.3),  # R or V
        ("Dell Ent NVMe AGN RI U.2 7.68TB", 7_681.5),  # of several vendors
        ("Samsung SSD 850 120GB", 120.0),  # neither EVO nor PRO
        ("SAMSUNG MZ7TD512HAGM-00000", 512.1),  # PM841, not the 840 of the shops
        ("MZILT1T9HBJR0D3", 1_920.4),  # PM1643a
        ("MK000480GXNXB", 480.1),  # 5400 PRO or MAX
        ("Patriot P310 Gold 1TB", 1_000.2),
        ("5300", 960.2),
        ("", 960.2),
    ],
)
def test_what_is_not_certain_matches_nothing(model, gigabytes):
    assert match(model, gigabytes * GB) is None


def test_a_drive_of_another_capacity_is_another_drive():
    assert match("Dell Express Flash NVMe P4610 3.2TB SFF", 2_000 * GB) is None
    assert match("MTFDDAK960TDT", None) is None


def test_the_size_that_a_matched_log_names_is_that_of_its_drive():
    """Of the texts at hand: "960", "1T9", "3.84TB" in the model, against the catalogue."""
    drives, held = catalogue.load().drives, 0
    for reading in drive_logs.readings().values():
        drive = reading.drive
        named = re.search(r"(\d+(?:\.\d+)?) ?([TG])B\b", drive.model) if drive.drive_id else None
        if named:
            size = float(named[1]) * (1e12 if named[2] == "T" else GB)
            assert abs(drives[drive.drive_id].capacity_bytes / size - 1) < 0.03, drive.model
            held += 1
    assert held > 100


def test_more_logs_find_their_drive_than_by_vendors_numbers_alone():
    matched = sum(one.drive.drive_id is not None for one in drive_logs.readings().values())
    assert matched >= 980  # 901 before


def test_every_oem_number_matches_each_capacity_of_its_model():
    with (catalogue.data_folder() / "oem_numbers.csv").open(encoding="utf-8", newline="") as lines:
        patterns = [row["number_pattern"] for row in csv.DictReader(lines)]
    assert [row.pattern.pattern for row in model_numbers()[: len(patterns)]] == patterns
