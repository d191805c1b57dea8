"""Facts that are about right, what stands in after a write cache, and 3D XPoint among its own."""

import math
from dataclasses import replace

import pytest

from models.slc_cache import usual_folded_bytes_per_s
from planner.catalogue import find, load
from planner.catalogue.drive import own_drive, with_user_facts
from planner.catalogue.fact_widths import COUNTED, uncertain_facts
from planner.catalogue.priors import assumptions
from planner.catalogue.priors_kind import is_written_in_place, of_kind, words_of
from planner.catalogue.priors_peers import peers
from planner.quantity.units import FACTORS
from planner.sections.request import plan_of

YEAR_S = FACTORS["years"]


def widths(drive):
    return {item.quantity: item.high / item.low for item in uncertain_facts(drive)}


@pytest.mark.parametrize(
    ("name", "quantity", "width"),
    [
        ("850 PRO 256", "pe_cycles", 1.03 / 0.97),  # printed
        ("845DC EVO 240", "pe_cycles", 1.25 / 0.8),  # tests by others, quoted
        ("845DC PRO 400", "pe_cycles", 1.25 / 0.8),  # counted, how long is not said
        ("Crucial P1 1TB", "folded_write_bytes_per_s", 1.15**2),
        ("990 PRO 2TB", "folded_write_bytes_per_s", 1.25 / 0.8),  # from memory
    ],
)
def test_a_fact_is_as_wide_as_its_kind(name, quantity, width):
    assert widths(find(load(), name))[quantity] == pytest.approx(width)


def test_what_is_counted_or_stated_by_the_user_has_no_width():
    for drive in load().drives.values():
        assert not COUNTED & widths(drive).keys()
    own = with_user_facts(find(load(), "845DC EVO 240"), pe_cycles=2000)
    assert "pe_cycles" not in widths(own)


def test_a_steady_rate_of_the_user_is_as_wide_as_its_test_and_the_law():
    """3 % of a reading and 5 % of the law, either way: never below 1.1."""
    own = with_user_facts(find(load(), "PM9A3 960"), steady_write_iops=70e3)
    width = widths(own)["steady_write_iops"]
    assert width == pytest.approx(math.exp(2 * math.hypot(math.log(1.03), math.log(1.05))))
    assert 1.1 < width < widths(find(load(), "PM9A3 960"))["steady_write_iops"]
    each = plan_of(own, writes="1 TB/day").ranges["write_iops"]
    assert each.high / each.low == pytest.approx(width)


@pytest.mark.parametrize(
    ("quantity", "width"),
    [("random_read_iops", 1.03**2), ("folded_write_bytes_per_s", 1.03**2),
     ("worst_case_iops", 1.2**2), ("read_s", None), ("dies", None)],
)  # fmt: skip
def test_a_rate_of_the_user_is_as_wide_as_its_reading(quantity, width):
    found = widths(with_user_facts(find(load(), "990 PRO 2TB"), **{quantity: 64.0}))
    assert found.get(quantity) == (width and pytest.approx(width))


def test_every_uncertain_fact_lies_around_its_figure():
    for drive in load().drives.values():
        for item in uncertain_facts(drive):
            assert item.low < item.typical == drive.value(item.quantity) < item.high
            assert item.is_measured


def folded(drive, **stated):
    cached = with_user_facts(drive, slc_cache_bytes=1e11, **stated)
    return next(i for i in assumptions(cached) if i.quantity == "folded_write_bytes_per_s")


def test_after_a_cache_a_usual_rate_is_assumed_and_never_above_the_printed_one():
    drive = of_kind(own_drive(1e12), "TLC client NVMe 2021")
    item = folded(drive, sequential_write_bytes_per_s=7e9)
    usual = usual_folded_bytes_per_s(1e12, bits_per_cell=3)
    assert item.low < usual < item.high
    assert item.typical == pytest.approx(usual, rel=0.05)
    assert item.high / item.low == pytest.approx(5.8, rel=0.1)
    slow = folded(drive, sequential_write_bytes_per_s=4e8)
    assert (slow.typical, slow.high) == (4e8, 4e8)
    quad = folded(of_kind(own_drive(1e12), "QLC client NVMe 2021"))
    assert quad.typical < item.typical / 5


def test_3d_xpoint_is_assumed_from_its_own_kind_alone():
    unrated = replace(own_drive(4e11), nand_type="3D XPoint", segment="enterprise")
    offered = {item.quantity: item for item in assumptions(unrated)}
    rating = offered["rated_dwpd"]
    assert (rating.low, rating.typical, rating.high) == (10, 20, 100)
    assert offered["rating_period_s"].low == offered["rating_period_s"].high == 5 * YEAR_S
    of_xpoint = [drive for drive in load().drives.values() if is_written_in_place(drive)]
    for quantity in ("random_read_iops", "sequential_write_bytes_per_s"):
        own = peers(unrated, quantity)
        known = [drive.value(quantity) for drive in of_xpoint if drive.value(quantity)]
        assert min(known) <= own.low <= own.high <= max(known)
        assert own.kind == "XPoint drives"
    assert "XPoint" in words_of(unrated)
