"""A drive is matched by the number or the name that it reports, or not at all."""

import csv
import re

import pytest

from planner import catalogue
from planner.catalogue.part_numbers import model_numbers
from planner.catalogue.unlisted import unlisted
from planner.export.measured_options import options_of
from planner.sections.request import plan_of
from planner.telemetry import read
from planner.telemetry.matching import found, match
from tests import drive_logs
from tests import synthetic_drives as made

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
        ("Dell Ent NVMe CM6 1.92TB", 1_600.3),  # R or V
        ("Dell Ent NVMe AGN RI U.2 7.68TB", 7_681.5),  # of several vendors
        ("Samsung SSD 850 120GB", 120.0),  # neither EVO nor PRO
        ("SAMSUNG MZ7TD512HAGM-00000", 512.1),  # PM841, not the 840 of the shops
        ("MZILT1T9HBJR0D3", 1_920.4),  # PM1643a
        ("MZILT800HBHQ0D3", 800.2),  # PM1645a, and no size of the PM1643
        ("MZWLR7T6HBLAAD3", 7_681.5),  # PM1733a
        ("MZ7L31T9HELAAD3", 1_920.4),  # PM893a
        ("MZILG1T6HCJRAD3", 1_600.3),  # PM1655
        ("INTEL SSDPE21K100GA", 100.0),  # P4801X, not a P4800X
        ("Dell Ent NVMe CM", 7_681.5),  # cut off: CM6 or CM7
        ("MTFDDAK1T9TBY", 1_750.0),  # nor one that drives are sold with
        ("MK000480GXNXB", 480.1),  # 5400 PRO or MAX
        ("Patriot P310 Gold 1TB", 1_000.2),
        ("5300", 960.2),
        ("", 960.2),
    ],
)
def test_what_is_not_certain_matches_nothing(model, gigabytes):
    assert match(model, gigabytes * GB) is None


@pytest.mark.parametrize(
    ("model", "gigabytes", "drive_id"),
    [
        ("5100_MTFDDAK1T9TBY", 1_920.4, "micron-5100-eco-1920gb"),
        ("Micron_5100_MTFDDAK960TCC", 960.2, "micron-5100-max-960gb"),
        ("INTEL SSDSC2BB300G4T", 300.1, "intel-dc-s3500-300gb"),
        ("SSDSC2KG480G7K", 480.1, "intel-dc-s4600-480gb"),
        ("SAMSUNG MZWLL6T4HMLA-00005", 6_401.3, "samsung-pm1725b-6400gb"),
        ("Dell NVMe PE8010 RI M.2 480GB", 480.1, "sk-hynix-pe8010-480gb"),
    ],
)
def test_a_size_that_the_catalogue_lacks_is_one_of_the_model(model, gigabytes, drive_id):
    assert match(model, gigabytes * GB) == drive_id
    drive = catalogue.find(catalogue.load(), drive_id)
    assert drive.name.endswith("(size not listed)")
    assert drive == catalogue.find(catalogue.load(), drive.name)
    assert abs(drive.capacity_bytes / (gigabytes * GB) - 1) < 0.01


@pytest.mark.parametrize(
    ("model", "gigabytes", "names"),
    [
        ("MK000480GXNXB", 480.1, ["Micron 5400 PRO 480 GB", "Micron 5400 MAX 480 GB"]),
        ("Micron_5300_MTFD", 1_920.4, ["Micron 5300 MAX 1.92 TB", "Micron 5300 PRO 1.92 TB"]),
        ("Dell DC NVMe PE8", 960.2, ["SK hynix PE8010 960 GB", "SK hynix PE8110 960 GB"]),
        ("INTEL SSDSC2KB96", 960.2, ["Intel DC S4500 960 GB (size not listed)",
         "Intel D3-S4510 960 GB", "Solidigm D3-S4520 960 GB"]),
    ],
)  # fmt: skip
def test_a_name_of_several_drives_lists_them_and_chooses_none(model, gigabytes, names):
    assert match(model, gigabytes * GB) is None
    listed = {drive.name for drive in found(model, gigabytes * GB).drives}
    assert listed == set(names)
    log = made.sata_text(model, capacity=round(gigabytes * GB))
    (note,) = (note for note in read("a.txt", log.encode()).drive.notes if "may be" in note)
    assert all(name in note for name in names)


def test_a_drive_that_the_catalogue_lacks_is_planned_as_its_kind():
    log = made.sata_text("SAMSUNG MZ7KM480HAHP-00005", capacity=480_103_981_056)
    reading = read("a.txt", log.encode())
    assert reading.drive.drive_id is None
    assert "The catalogue has no Samsung SM863: a plan takes it as" in reading.drive.notes[-1]
    options = options_of([reading])
    assert "drive" not in options
    assert options["kind"] == "MLC enterprise SATA mixed-use Samsung"
    assert options["capacity"].value == 480_103_981_056


def test_what_other_sizes_share_is_told_apart_from_what_was_looked_up():
    drive = catalogue.find(catalogue.load(), "5100_MTFDDAK1T9TBY")
    sizes = [catalogue.find(catalogue.load(), f"micron-5100-eco-{gb}gb") for gb in (480, 7680)]
    for name, fact in drive.facts.items():
        if name == "user_bytes":
            assert fact.value == 1.92e12
            continue
        assert {fact.value} == {size.value(name) for size in sizes}
        assert fact.kind == "estimate"
        assert fact.note.startswith("as the model has it at 480, 7680 GB: this size is not in")
    plan = plan_of(drive, writes="1 TB/day")
    assert any("as the model has it at 480, 7680 GB" in note for note in plan.notes)
    assert plan.range_of("rated_dwpd").is_wide  # 1 DWPD at both, and not looked up here


def test_a_rating_in_proportion_to_the_capacity_is_so_at_every_size():
    """The 870 QVO has 360 TB a TB at each of its four sizes."""
    listed = [one for one in catalogue.load().drives.values() if one.model == "870 QVO"]
    assert unlisted(listed, 500).value("rated_bytes") == pytest.approx(180e12)
    assert unlisted(listed, 5_000) is None  # no size that drives are sold with


def test_facts_that_differ_between_sizes_are_not_carried_over():
    listed = [one for one in catalogue.load().drives.values() if one.model == "DC S3610"]
    drive = unlisted(listed, 600)
    for name in drive.facts.keys() - {"user_bytes"}:
        stated = {one.value(name) for one in listed} - {None}
        assert len(stated) == 1 or name == "rated_bytes", name


def test_a_drive_of_another_capacity_is_another_drive():
    assert match("Dell Express Flash NVMe P4610 3.2TB SFF", 2_000 * GB) is None
    assert match("MTFDDAK960TDT", None) is None


def test_the_size_that_a_matched_log_names_is_that_of_its_drive():
    """Of the texts at hand: "960", "1T9", "3.84TB" in the model, against the catalogue."""
    held = 0
    for reading in drive_logs.readings().values():
        drive = reading.drive
        named = re.search(r"(\d+(?:\.\d+)?) ?([TG])B\b", drive.model) if drive.drive_id else None
        if named:
            size = float(named[1]) * (1e12 if named[2] == "T" else GB)
            found_bytes = catalogue.find(catalogue.load(), drive.drive_id).capacity_bytes
            assert abs(found_bytes / size - 1) < 0.03, drive.model
            held += 1
    assert held > 100


def test_more_logs_find_their_drive_than_by_vendors_numbers_alone():
    matched = sum(one.drive.drive_id is not None for one in drive_logs.readings().values())
    assert matched >= 1_150  # 901 by vendors' numbers, 998 with the first of OEMs


def test_every_oem_number_matches_each_capacity_of_its_model():
    with (catalogue.data_folder() / "oem_numbers.csv").open(encoding="utf-8", newline="") as lines:
        patterns = [row["number_pattern"] for row in csv.DictReader(lines)]
    assert [row.pattern.pattern for row in model_numbers()[: len(patterns)]] == patterns
