"""Form factors by capacity: against the part numbers they were read with, and printed limits."""

import csv
import re
from dataclasses import replace

import pytest

from planner.catalogue import load
from planner.catalogue.drive import Drive, Feature
from planner.catalogue.forms import OF_MODEL, fits, forms_of
from planner.catalogue.rows import data_folder
from planner.catalogue.unverified import unverified
from planner.search.choose.filters import filtered

DRIVES = load().drives
with (data_folder() / "features.csv").open(encoding="utf-8", newline="") as lines:
    ROWS = [row for row in csv.DictReader(lines) if row["feature"] == "form_factor"]
OF_CAPACITY = [row for row in ROWS if row["capacity_gb"]]
# How vendors write a size and a form into a part number.
PART = re.compile(r"\b(MTFD\w+|KCM\w+|KCD\w+|KPM\w+|MZ\w+|HFS\w+|SSD[SP]\w+)")
OF_PART = {
    "MTFDKB": "M.2", "MTFDKCC": '2.5"', "MTFDLAL": '2.5"', "MTFDDAK": '2.5"', "MZ7L": '2.5"',
    "MZQL": '2.5"', "MZWL": '2.5"', "MZ3L": "E3.S", "MZILG": '2.5"', "SSDSC2K": '2.5"',
    "SSDPF2": '2.5"',
}  # fmt: skip
INTEL = {"019": 1920, "038": 3840, "076": 7680, "307": 30720}


def size_gb(part):
    """Return the capacity that a part number names: 3T8, 15T3, 960."""
    if part.startswith("SSD"):
        return INTEL[re.search(r"(?:2K[BGX]|2NV)(\d{3})", part)[1]]
    for text, of in (("30T7", 30720), ("15T3", 15360), ("15T", 15360), ("7T6", 7680),
                     ("6T4", 6400), ("3T8", 3840), ("3T2", 3200), ("1T9", 1920), ("1T6", 1600),
                     ("960", 960), ("800", 800)):  # fmt: skip
        if text in part[3:]:
            return of
    return None


READ_WITH_A_PART = [
    (row, part)
    for row in OF_CAPACITY
    for part in PART.findall(f"{row['locator']} {row['note']}")
    if len(part) > 8
]


@pytest.mark.parametrize(("row", "part"), READ_WITH_A_PART, ids=lambda each: str(each)[:40])
def test_a_part_number_is_of_the_capacity_and_form_of_its_row(row, part):
    assert size_gb(part) == float(row["capacity_gb"])
    checked = row["value"].partition(OF_MODEL)[0].replace("U.2", '2.5" U.2')
    for start, form in OF_PART.items():
        if part.startswith(start):
            assert form in checked
    if part.startswith("K") and not part.startswith("KPM"):
        assert {"U": '2.5"', "J": "E3.S"}[part[6]] in checked


def test_part_numbers_are_compared():
    assert len(READ_WITH_A_PART) > 80


def test_a_capacity_stands_in_its_column_and_not_in_the_words():
    for row in ROWS:
        assert not re.search(r"\(\s*(\d{3,}|by|other)|\d TB| / ", row["value"]), row


# Printed or handed over: at which capacities a model has a form, and at which it has not.
LIMITS = [
    ("Solidigm", "D3-S4520", "M.2", (240, 480, 960), (1920, 3840, 7680)),
    ("Samsung", "PM9A3", "M.2", (960, 1920, 3840), (7680, 15360)),
    ("Samsung", "PM9A3", "E1.S", (960, 1920, 3840, 7680), ()),
    ("Micron", "7450 PRO", "M.2", (960, 1920, 3840), (7680, 15360)),
    ("Micron", "7400 PRO", "M.2", (960, 1920, 3840), (7680,)),
    ("Micron", "5400 PRO", "M.2", (240, 480, 960), (1920, 3840, 7680)),
    ("Micron", "5300 PRO", "M.2", (240, 480, 960, 1920), (3840, 7680)),
    ("Samsung", "PM983", "M.2", (960, 1920, 3840), (7680,)),
    ("Kioxia", "CM7-R", "E3.S", (3840, 7680, 15360), ()),
]


@pytest.mark.parametrize(("vendor", "model", "form", "has", "lacks"), LIMITS)
def test_a_filter_offers_a_form_only_at_the_capacities_that_have_it(
    vendor, model, form, has, lacks
):
    family = [one for one in DRIVES.values() if (one.vendor, one.model) == (vendor, model)]
    kept, excluded = filtered(family, {"form_factor": form}, is_waived=lambda *_: False)
    sizes = {one.capacity_gb for one in kept}
    assert sizes >= set(has)
    assert not sizes & set(lacks)
    assert {one.drive.capacity_gb for one in excluded} >= set(lacks)


def made(value, *, is_of_capacity, kind="spec"):
    feature = Feature("form_factor", value, kind, "s", "p. 1", "", is_of_capacity)
    return Drive(drive_id="a", vendor="A", model="B", capacity_gb=1, form_factor=value,
                 features={"form_factor": feature})  # fmt: skip


@pytest.mark.parametrize(
    ("drive", "checked", "of_model"),
    [
        (made('2.5"; M.2', is_of_capacity=False), (), ('2.5"', "M.2")),
        (made('2.5"; M.2', is_of_capacity=True), ('2.5"', "M.2"), ()),
        (made('2.5"; of the model: M.2', is_of_capacity=True), ('2.5"',), ("M.2",)),
        (made("of the model: M.2; E1.S", is_of_capacity=True), (), ("M.2", "E1.S")),
        (made("M.2 2280", is_of_capacity=False), ("M.2 2280",), ()),
    ],
)
def test_forms_of_a_list_of_the_model_are_told_apart_and_named(drive, checked, of_model):
    assert forms_of(drive) == (checked, of_model)
    said = [each for each in unverified(drive) if each.fact == "form factor"]
    assert bool(said) == bool(of_model)
    for form in of_model:
        assert form in said[0].why
        assert "not checked for this capacity" in said[0].why
    assert all(fits(drive, form) for form in (*checked, *of_model))


def test_words_of_a_mark_are_no_form():
    assert not fits(made('2.5"; of the model: M.2', is_of_capacity=True), "model")


def test_a_form_of_ones_own_needs_no_confirmation():

    drive = next(one for one in DRIVES.values() if forms_of(one).of_model)
    own = replace(drive, form_factor="E1.S; U.2")
    assert forms_of(own) == (("E1.S", "U.2"), ())
    assert "form factor" not in {each.fact for each in unverified(own)}
