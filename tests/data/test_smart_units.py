"""The unit map of counters: every row can be used, names its source, and contradicts none."""

import csv
import re

from planner import catalogue
from planner.telemetry import smart_units

MAP = smart_units.load()
FOLDER = catalogue.data_folder()


def rows(name):
    with (FOLDER / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_row_can_be_used():
    assert MAP.problems == ()
    assert len(MAP.families) == len(rows("smart_families.csv"))
    held = sum(len(rules) for family in MAP.rules.values() for rules in family.values())
    assert held == len(rows("smart_units.csv"))


def test_every_row_names_a_source_and_a_place_in_it():
    sources = catalogue.load().sources
    for name in ("smart_families.csv", "smart_units.csv", "wear_counts.csv", "oem_numbers.csv"):
        assert all(row["source_id"] in sources and row["locator"] for row in rows(name)), name


def test_every_family_has_rules_and_every_rule_a_family():
    logs = {"nvme", "nvme-ocp", "intel-nvme"}  # known by the log, not by the model
    assert {family.name for family in MAP.families} | logs == set(MAP.rules)


def test_what_is_not_used_says_why():
    for row in rows("smart_units.csv"):
        assert (row["status"] == "use") == bool(row["unit"])
        if row["status"] == "ambiguous":
            assert row["note"]


def test_the_order_of_families_decides_between_alike_models():
    assert MAP.family("INTEL SSDSC2KB480G7R", "") == "dell-intel"
    assert MAP.family("INTEL SSDSC2KB480G7", "") == "intel-dc"
    assert MAP.family("INTEL SSDSC2BW240A4", "Intel 53x and Pro 1500/2500 Series SSDs") == (
        "intel-sandforce"
    )
    assert MAP.family("KINGSTON SA400S37240G", "Phison Driven SSDs") == "kingston-a400"
    assert MAP.family("TS512GMTS430S", "Silicon Motion based SSDs") == "silicon-motion"


def test_model_numbers_name_drives_of_the_catalogue():
    known = {(drive.vendor, drive.model) for drive in catalogue.load().drives.values()}
    for row in rows("model_numbers.csv") + rows("oem_numbers.csv"):
        assert re.compile(row.get("model_pattern") or row["number_pattern"])
        assert (row["vendor"], row["model"]) in known
        assert row.get("origin") or row["oem"]
