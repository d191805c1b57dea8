"""What a host byte costs beside garbage collection: units, parity, cache, compression."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.calibration import WaPoint
from models.units import DAY_S, GIB, KIB
from models.write_amplification import fifo, greedy, rain_factor
from models.write_amplification.factors import LEAST_COPIES
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors import assumptions
from planner.quantity.input import InputError
from planner.sections.calibration import with_points
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of
from tests.published import Printed

DRIVE = "845DC PRO 400"
FULL = 512 * GIB / 400e9 - 1  # spare over user bytes of that drive


def wa(drive=DRIVE, **texts):
    return known(drive, **texts)["workload_wa"].value


def known(drive=DRIVE, **texts):
    return plan_of(drive, **{"writes": "1 TB/day", "skew": "uniform", "known_only": True} | texts)


def rated_dwpd(drive, **texts):
    answer = known(drive, **texts)
    period_s = answer.drive.value("rating_period_s")
    written = answer.reading["rated_limit_bytes"].value
    return written / answer.drive.capacity_bytes / (period_s / DAY_S)


@pytest.mark.parametrize(
    ("size", "factor"),
    [("512 B", 32), ("4 KiB", 4), ("8 KiB", 2), ("16 KiB", 1), ("24 KiB", 4 / 3), ("1 MiB", 1)],
)
def test_small_writes_cost_a_unit(size, factor):
    got = known(size=size, fact=["unit_bytes=16KiB"])
    assert got["workload_wa"].value == pytest.approx(factor * fifo(FULL), rel=1e-12)
    plain = known(size=size)
    for key in ("wear_life_s", "rated_life_s"):  # the rating is of writes that fill units
        assert got.reading[key].value == pytest.approx(plain.reading[key].value / factor, rel=1e-12)


def test_an_unknown_unit_changes_nothing_by_known_facts():
    assert wa(size="512 B") == wa(size="1 MiB") == fifo(FULL)


def test_sequential_writes_fill_their_units():
    assert wa(sequential="100%", fact=["unit_bytes=64KiB"]) == 1
    mixed = [wa(sequential=share, fact=["unit_bytes=64KiB"]) for share in ("0%", "50%", "90%")]
    assert mixed[0] > mixed[1] > mixed[2] > 1
    # Half of the bytes at random touch 16 times as much: 1/17 of the written units is sequential.
    collected = wa(sequential=f"{100 / 17}%")
    assert mixed[1] == pytest.approx(8.5 * collected, rel=1e-9)


def test_writes_that_start_anywhere_touch_more_units():
    facts = ["unit_bytes=16KiB", "alignment_bytes=4KiB"]
    assert wa(size="64 KiB", fact=facts) == pytest.approx((1 + 12 / 64) * fifo(FULL), rel=1e-12)


def test_a_block_of_garbage_collection_holds_fewer_units():
    got = wa(pages=256, fact=["unit_bytes=64KiB"])
    assert got == pytest.approx(16 * greedy(FULL, pages_per_block=16), rel=1e-12)


# Ratings that vendors print at two sizes of writes, reproduced from the one in force.
@pytest.mark.parametrize(
    ("drive", "size", "printed"),
    [
        ("6550 ION 61.44", "16 KiB", "1.00"),
        ("6550 ION 61.44", "8 KiB", "0.50"),
        ("6550 ION 61.44", "4 KiB", "0.25"),
        ("6600 ION 245", "16 KiB", "0.3"),
        ("6600 ION 245", "4 KiB", "0.075"),
        ("LC9 245", "16 KiB", "0.3"),
        ("LC9 245", "4 KiB", "0.075"),
        ("D5-P5336 61.44", "16 KiB", "0.58"),
    ],
)
def test_ratings_printed_at_two_sizes(drive, size, printed):
    rated = find(load(), drive)
    ratings = (rated.facts["rated_dwpd"], *rated.passed_over.get("rated_dwpd", ()))
    assert any(
        rating.value == float(printed) and rating.condition == f"{size} random writes"
        for rating in ratings
    )
    assert Printed(printed).admits(rated_dwpd(drive, size=size))


# Shares are of operations, and printed rounded down to 0.05: 14.8, 12.4 and 10 KiB for every unit.
@pytest.mark.parametrize(("large", "printed"), [(0.9, 0.90), (0.7, 0.75), (0.5, 0.60)])
def test_mixed_ratings_of_the_6550_ion(large, printed):
    bytes_per_unit = large * 16 + (1 - large) * 4
    sizes = {16: rated_dwpd("6550 ION 61.44", size="16 KiB"),
             4: rated_dwpd("6550 ION 61.44", size="4 KiB")}  # fmt: skip
    share = large * 16 / bytes_per_unit  # of the bytes
    mixed = 1 / (share / sizes[16] + (1 - share) / sizes[4])
    assert printed <= mixed < printed + 0.05


def test_what_is_left_of_the_d5_p5336_after_five_years_at_full_speed():
    """The vendor prints no rating at 4 KiB but what is left: 5 % at 32 KiB, 12 % at 4 KiB.

    A write of 4 KiB costs a unit of 32 KiB. At the printed 25,000 IOPS, rounded to thousands,
    both leave what is printed at 32 KiB; the 7 points more at 4 KiB are a rate lower by 7 %, of
    which nothing is printed: each such write must first read the rest of its unit.
    """
    drive = "D5-P5336 122.88"
    seconds = 5 * 365 * DAY_S
    left = {}
    for size, iops in ((32 * KIB, 24_500), (32 * KIB, 25_500), (4 * KIB, 24_500)):
        limit = known(drive, size=f"{size} B").reading["rated_limit_bytes"].value
        left[size, iops] = 1 - iops * size * seconds / limit
    assert left[32 * KIB, 25_500] < 0.05 < left[32 * KIB, 24_500]
    assert left[4 * KIB, 24_500] == pytest.approx(left[32 * KIB, 24_500], abs=1e-12)
    assert (1 - 0.12) / (1 - left[32 * KIB, 24_500]) == pytest.approx(0.93, abs=0.01)


def test_parity_across_dies_is_written_and_takes_its_flash():
    got = wa(fact=["stripe=32"])
    left = 512 * GIB * 31 / 32 / 400e9 - 1
    assert got == pytest.approx(rain_factor(32) * fifo(left), rel=1e-12)


def test_the_log_of_the_map_is_written_beside_the_data():
    facts = ["unit_bytes=4KiB", "entry_bytes=8B"]
    assert wa(fact=facts) == pytest.approx((1 + 8 / 4096) * fifo(FULL), rel=1e-12)


def test_a_stated_base_factor_stands_for_parity_and_map():
    assert wa(fact=["base_factor=1.05"]) == pytest.approx(1.05 * fifo(FULL), rel=1e-12)


def test_a_static_cache_takes_native_flash():
    """The 845DC PRO is MLC: a byte of the cache takes two of native flash."""
    left = (512 * GIB - 2 * 8e9) / 400e9 - 1
    assert wa(fact=["static_cache_bytes=8GB"]) == pytest.approx(fifo(left), rel=1e-12)


def test_a_cache_in_the_same_blocks_wears_them():
    plain, through = known(), known(fact=["relative_wear=0.05", "absorbed_fraction=20%"])
    per_byte = (0.8 * fifo(FULL) + 2 * 0.05) / fifo(FULL)
    ratio = plain.reading["wear_life_s"].value / through.reading["wear_life_s"].value
    assert ratio == pytest.approx(per_byte, rel=1e-12)
    assert plain.reading["rated_life_s"].value == through.reading["rated_life_s"].value


def test_data_that_compresses_leaves_spare_area_and_writes_less():
    got = wa(fact=["stored_fraction=50%"])
    assert got == pytest.approx(0.5 * fifo(2 * (1 + FULL) - 1), rel=1e-12)
    assert got < 1


@pytest.mark.parametrize(
    ("drive", "kib"),
    [
        ("870 EVO 1TB", (4, 4, 4)), ("PM9A3 3.84", (4, 4, 4)), ("CD8P-R 30", (4, 4, 4)),
        ("BM1743 61", (4, 16, 64)), ("D5-P4320", (4, 4, 16)),
    ],
)  # fmt: skip
def test_an_unknown_unit_is_assumed_by_class_and_capacity(drive, kib):
    unit = {item.quantity: item for item in assumptions(find(load(), drive))}["unit_bytes"]
    assert (unit.low, unit.typical, unit.high) == tuple(KIB * each for each in kib)


def test_the_range_of_an_assumed_unit_holds_its_ends():
    band = plan_of("BM1743 61", writes="1 TB/day", skew="uniform").ranges["rated_life_s"]
    assert band.high / band.typical == pytest.approx(4, rel=1e-9)
    assert band.typical / band.low == pytest.approx(4, rel=1e-9)


def measured(**texts):
    scene = {"writes": "1 TB/day", "skew": "uniform", "measured_wa": "9.57@894GiB"}
    return plan_of("7450 PRO 960", **scene | {"fact": ["unit_bytes=16KiB"]} | texts)


def test_a_measured_point_is_of_4_kib_writes_on_the_units_of_the_drive():
    """3.19 per unit, which is what the drive was read at: four times it, less the 3 % apart."""
    in_pages = plan_of("7450 PRO 960", writes="1 TB/day", skew="uniform", measured_wa="3.19@894GiB")
    four = measured(measured_wa=f"{4 * 3.19}@894GiB")
    for name in ("effective_raw_bytes", "base_factor"):
        assert four.drive.value(name) == pytest.approx(in_pages.drive.value(name), rel=1e-9)
    expected = 4 * in_pages["workload_wa"].value
    assert four["workload_wa"].value == pytest.approx(expected, rel=1e-9)
    sixteen = measured(measured_wa=f"{4 * 3.19}@894GiB", size="16 KiB")
    assert sixteen["workload_wa"].value == pytest.approx(expected / 4, rel=1e-9)


def test_the_fitted_base_factor_counts_once():
    """All of a sequential write, and nothing of parity beside it, even of a catalogue's drive."""
    fitted = measured(sequential="100%")
    beta = fitted.drive.value("base_factor")
    assert fitted["workload_wa"].value == pytest.approx(beta, rel=1e-12)
    with_parity = with_points(
        with_user_facts(fitted.drive, stripe=16.0), [WaPoint(9.57, 894 * GIB)]
    )
    again = replace(fitted.workload, sequential_fraction=0.0)
    both = [plan_drive(drive, again)["workload_wa"].value for drive in (fitted.drive, with_parity)]
    assert both[0] == both[1]


def test_a_drive_of_an_assumed_unit_is_fitted_as_one_of_pages():
    got = plan_of("BM1743 61", writes="1 TB/day", skew="uniform", measured_wa="2.5@57220GiB")
    assert got["workload_wa"].value == pytest.approx(2.5, rel=0.05)
    assert "unit_bytes" not in {item.quantity for item in got.assumed}


@pytest.mark.parametrize("fact", ["stripe=16", "base_factor=1.05", "static_cache_bytes=3GB"])
def test_what_a_fit_takes_together_is_stated_once(fact):
    statement = r"measured_wa fits what .* says too: state one of the two"
    with pytest.raises(InputError, match=statement):
        measured(fact=[fact])


def test_a_measured_wa_of_the_workload_follows_the_units():
    """The whole drive was measured, half of it is partitioned: copies scale as by the model."""
    scene = {"writes": "1 TB/day", "skew": "80/20", "fact": ["unit_bytes=16KiB"]}
    modelled, got = (
        [plan_of(DRIVE, spare=spare, **scene, **wa)["workload_wa"].value
         for spare in ("0%", "50%")]
        for wa in ({}, {"wa": 13.0})
    )  # fmt: skip
    assert modelled[0] > 4
    copies = (modelled[1] - 1) / (modelled[0] - 1)
    assert got == pytest.approx([13.0, 1 + 12 * copies], rel=1e-12)


def test_a_measured_wa_of_the_workload_joins_a_steady_rate():
    """Fitted to the rate alone the curve is that of other drives; the reading moves it."""
    scene = {"writes": "1 TB/day", "skew": "uniform", "measured_iops": ["94204@894GiB"]}
    alone, joined = (plan_of("7450 PRO 960", **scene, **wa) for wa in ({}, {"wa": 3.19}))
    assert (len(alone.drive.fit.points), len(joined.drive.fit.points)) == (1, 2)


def test_what_parity_and_map_write_is_a_range_where_nothing_is_said_of_them():
    statement = {"writes": "1 TB/day", "skew": "uniform", "raw": "512GiB"}
    band = plan_of(DRIVE, **statement).ranges["workload_wa"]
    copies = [math.log(factor * fifo(FULL) - 1 + LEAST_COPIES) for factor in (1, 1.03, 1.08)]
    assert band.typical == pytest.approx(1.03 * fifo(FULL), rel=1e-12)
    assert band.facts["base_factor"] == pytest.approx(max(np.diff(copies)), rel=1e-9)
    assert band.low < fifo(FULL) < 1.08 * fifo(FULL) < band.high  # with the error of the law
    for fact in ("stripe=32", "base_factor=1.05"):
        given = plan_of(DRIVE, **statement, fact=[fact]).ranges["workload_wa"]
        assert "base_factor" not in given.facts


def test_hosts_in_the_field_were_measured_with_parity_and_map():
    field, apart = (
        plan_of(DRIVE, writes="1 TB/day", fact=facts)["workload_wa"].value
        for facts in ([], ["base_factor=1.08"])
    )
    assert field == apart


def test_what_a_cache_may_take_is_said_until_it_is_stated():
    statement = known("840 EVO 250").life_notes
    assert any(
        "cache shrinks" in note and "up to 3 GB, takes 3 bytes of spare area" in note
        for note in statement
    )
    stated = known("840 EVO 250", fact=["static_cache_bytes=3GB"])
    assert not any("cache shrinks" in note for note in stated.life_notes)
    left = (256 * GIB - 3 * 3e9) / 250e9 - 1
    assert stated["cleaning_op_ratio"].value == pytest.approx(left, rel=1e-12)


@pytest.mark.parametrize(
    ("size", "iops"), [("512 B", 1), ("4 KiB", 1), ("16 KiB", 1), ("64 KiB", 4)]
)
def test_writes_that_touch_as_many_units_are_as_many_a_second(size, iops):
    """38,000 are printed for 16 KiB, the unit of the drive: 4 KiB are no faster."""
    got = known("D5-P5336 61.44", size=size, reads="0%")["write_iops"].value
    assert got == pytest.approx(38_000 / iops, rel=1e-12)
