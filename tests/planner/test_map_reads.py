"""Random reads of drives whose map is not all in memory."""

import math

import pytest

from models.units import KIB, MIB
from planner.sections.request import plan_of

BARE = "SN770 1TB"  # without memory of its own
SCENE = {"writes": "100 GB/day", "reads": "100%", "known_only": True}


def reads(drive=BARE, **texts):
    return plan_of(drive, **SCENE | texts)["read_iops"].value


def test_memory_for_the_map_says_how_many_reads_read_it_first():
    held = 64 * MIB / 4 * 4 * KIB / 1e12
    assert reads(fact=["map_cache_bytes=64MiB"]) == pytest.approx(reads() / (2 - held), rel=1e-12)
    small = reads(fact=["map_cache_bytes=64MiB"], fill="5%")
    assert small == reads()  # 50 GB in use, of 68.7 GB mapped


def test_a_larger_unit_maps_more():
    facts = ["map_cache_bytes=64MiB", "unit_bytes=64KiB"]
    assert reads(fact=facts) == reads()


def test_a_stated_share_is_taken():
    assert reads(fact=["map_read_fraction=25%"]) == pytest.approx(reads() / 1.25, rel=1e-12)


def test_drives_without_memory_have_a_range_from_none_to_all_of_the_drive():
    answer = plan_of(BARE, writes="100 GB/day", reads="100%")
    band = answer.ranges["read_iops"]
    assert band.typical == reads()
    held = 32 * MIB / 4 * 4 * KIB / 1e12
    assert band.facts["map_read_fraction"] == pytest.approx(math.log(2 - held), rel=1e-9)
    assert band.low < reads() / (2 - held)  # and what drives read over what is printed
    assert any(reason.startswith("Reads of the map 0 to 96.56 %") for reason in answer.wide)


def test_drives_with_memory_have_none():
    answer = plan_of("990 PRO 1TB", writes="100 GB/day", reads="100%")
    assert "map_read_fraction" not in {item.quantity for item in answer.assumed}
