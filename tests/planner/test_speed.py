"""Speed over time against what reviews printed, then against its own laws."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.catalogue import find, load
from planner.catalogue.drive import own_drive, with_user_facts
from planner.catalogue.model_error import model_error
from planner.catalogue.priors import with_assumptions
from planner.cli import main
from planner.scenario.workload import Workload
from planner.sections.request import plan_of
from planner.sections.speed import NO_GEOMETRY, SpeedLimit, speed, speed_of
from planner.sections.speed_curve import speed_curve
from planner.sections.speed_ranges import speed_ranges_of
from tests.families import one_per_family

GENTLE = Workload(host_bytes_per_s=1e6)


@pytest.fixture
def evo_1tb(catalogue):
    return find(catalogue, "840 EVO 1000")


# AnandTech 8319, steady state by class of drive and what the review measured.
@pytest.mark.parametrize(
    ("name", "printed", "within", "limit"),
    [
        ("845DC PRO 400", 50_000, 0.05, SpeedLimit.DIES),
        ("845DC PRO 800", 51_000, 0.05, SpeedLimit.DIES),
        ("845DC EVO 240", 12_000, 0.10, SpeedLimit.DIES),
        ("845DC EVO 480", 14_000, 0.0, SpeedLimit.PRINTED),
        ("845DC EVO 960", 14_000, 0.0, SpeedLimit.PRINTED),
    ],
)
def test_steady_write_iops_of_the_845dc_drives(catalogue, name, printed, within, limit):
    got = speed(find(catalogue, name), GENTLE)
    assert got.steady_write_iops.value == pytest.approx(printed, rel=within)
    assert got.binding["steady_write_iops"] is limit


def test_twice_the_dies_that_the_firmware_cannot_use_leave_a_residual(catalogue):
    got = speed(find(catalogue, "845DC EVO 480"), GENTLE)
    assert 0.4 < got.steady_residual.value < 0.6


# AnandTech 8319: about 400 s at full rate, steady from 1,400 s; AnandTech 7173: 90K, 1 TiB.
def test_cliff_and_settling_of_the_consistency_test(pro_400, evo_1tb):
    got = speed(pro_400, GENTLE)
    assert got.cliff_s.value == pytest.approx(406, rel=0.03)
    assert 1400 <= got.settling_s.value <= 1600
    assert got.is_too_short(2000) is False
    client = speed(evo_1tb, GENTLE)
    assert client.cliff_s.value == pytest.approx(270, rel=0.005)
    assert client.is_too_short(2000) is True


def test_a_measured_worst_case_is_a_latency_first(pro_400):
    got = speed(pro_400, GENTLE)
    assert (got.max_latency_s.value, got.worst_case_iops.value) == (0.0064, 5000)


def test_a_modelled_worst_case_waits_for_an_erase_and_a_program_with_its_copies(evo_1tb):
    got = speed(evo_1tb, GENTLE)
    queue_s = 32 / got.steady_write_iops.value
    program_s = got.nodes["program_s"].value
    waits_s = got.max_latency_s.value - queue_s - 3.8e-3
    assert program_s < waits_s < 2 * got.wa.value * program_s
    assert got.worst_case_iops.value == pytest.approx(32 / got.max_latency_s.value)


def test_the_lowest_rate_comes_right_after_the_cliff(pro_400):
    got = speed(pro_400, GENTLE)
    course = speed_curve(got)
    low = int(np.argmin(course.iops))
    assert course.iops[low] == pytest.approx(got.lowest_write_iops.value, rel=0.002)
    assert got.cliff_s.value <= course.seconds[low] <= 1.3 * got.cliff_s.value
    before = course.seconds < 0.99 * got.cliff_s.value
    np.testing.assert_allclose(course.iops[before], got.fresh_write_iops.value)
    assert course.iops[-1] == pytest.approx(got.steady_write_iops.value, rel=0.03)
    assert np.all(np.diff(course.seconds) > 0)


def test_the_course_passes_the_settling_time(pro_400):
    got = speed(pro_400, GENTLE)
    course = speed_curve(got)
    settled = np.interp(got.settling_s.value, course.seconds, course.wa)
    assert abs(settled / got.wa.value - 1) == pytest.approx(0.05, abs=0.003)


def test_reads_see_programs_and_erases_of_the_workload(pro_400):
    idle = speed(pro_400, replace(GENTLE, host_bytes_per_s=1.0, read_fraction=0.5))
    busy = speed(pro_400, replace(GENTLE, host_bytes_per_s=1e8))
    base = 50e-6 + 4096 / 400e6
    assert idle.read_latency_s[50.0] == pytest.approx(base, rel=1e-3)
    assert list(busy.read_latency_s) == pytest.approx([50, 90, 99, 99.9, 99.99, 99.999])
    values = list(busy.read_latency_s.values())
    assert values == sorted(values)
    assert values[3] > 500e-6


def test_reads_of_a_drive_that_cannot_keep_up_wait_for_part_of_the_queue(catalogue):
    evo = find(catalogue, "845DC EVO 240")
    drowned = speed(evo, replace(GENTLE, host_bytes_per_s=80e6, queue_depth=256))
    assert drowned.saturation_probability.value > 0.999
    assert "writes/s: saturated (90 % range of the drive's limit: " in drowned.saturation
    queue_s = 256 / drowned.nodes["write_limit_iops"].value
    for percent, share in ((50.0, 0.38), (99.0, 0.6), (99.9, 0.75)):
        assert drowned.read_latency_s[percent] == pytest.approx(share * queue_s, rel=1e-3)


def test_saturation_is_told_by_its_probability(pro_400):
    steady = pro_400.value("steady_write_iops")
    said = [
        speed(pro_400, replace(GENTLE, host_bytes_per_s=share * steady * 4096, read_fraction=0.0))
        for share in (0.7, 1.0, 1.4)
    ]
    said = [got.saturation for got in said]
    assert said[0] == ""
    assert said[1].startswith("50,000 writes/s: saturated with 51 % (90 % range of the drive's")
    assert said[2].startswith("70,000 writes/s: saturated (90 % range of the drive's limit: ")
    error = model_error("steady_write_iops", "other")
    low, high = (steady * np.exp(error.middle + side * error.half) for side in (-1, 1))
    assert said[2].endswith(f"{float(f'{low:.3g}'):,.0f} to {float(f'{high:.3g}'):,.0f}).")


def test_one_reader_beside_hardly_any_writes_waits_for_nothing(pro_400):
    idle = speed(pro_400, replace(GENTLE, host_bytes_per_s=1.0, queue_depth=1))
    link_s = idle.nodes["link_s"].value
    assert idle.closed_read_latency_s[99.0] == pytest.approx(50e-6 + 4096 / 400e6 + link_s)


@given(st.integers(1, 60), st.integers(1, 60))
@settings(max_examples=10, deadline=None)
def test_more_readers_never_wait_less_at_the_median(pro_400, one, other):
    few, many = (
        speed(pro_400, replace(GENTLE, host_bytes_per_s=2e7, queue_depth=float(depth)))
        for depth in sorted((one, other))
    )
    assert few.closed_read_latency_s[50.0] <= many.closed_read_latency_s[50.0] * (1 + 1e-6)


def test_readers_beyond_the_dies_starve_the_writes(catalogue):
    evo = find(catalogue, "845DC EVO 240")
    crowded = speed(evo, replace(GENTLE, host_bytes_per_s=3.5e7, queue_depth=256))
    assert set(crowded.closed_read_latency_s.values()) == {math.inf}


def test_a_workload_of_reads_alone_has_readers_at_the_queue_depth(pro_400):
    alone = speed(pro_400, replace(GENTLE, read_fraction=1.0, queue_depth=1))
    assert alone.read_latency_s == {}
    assert len(set(alone.closed_read_latency_s.values())) == 1


def test_collecting_whole_blocks_is_the_worst_and_apart_the_mildest(pro_400):
    apart, together, whole = speed(pro_400, GENTLE).collection
    assert apart.value < together.value < whole.value


@pytest.mark.parametrize("rate", [1e10, 1e12, 1e15])
def test_reads_that_no_channel_carries_have_no_end(pro_400, rate):
    flooded = speed(pro_400, replace(GENTLE, host_bytes_per_s=rate))
    assert flooded.saturation_probability.value == 1
    assert set(flooded.read_latency_s.values()) == {math.inf}
    assert set(flooded.closed_read_latency_s.values()) == {math.inf}


def test_without_flash_facts_rates_are_the_printed_ones(pro_4tb):
    unknown = replace(pro_4tb, nand_type="", nand_process="")
    got = speed(unknown, GENTLE)
    assert got.fresh_write_iops.value == 90_000
    assert got.binding["fresh_write_iops"] is SpeedLimit.PRINTED
    assert not got.cliff_s.is_known
    assert got.read_latency_s == {}
    assert speed_curve(got) is None
    assert got.is_too_short(2000) is None
    assert NO_GEOMETRY in got.notes
    assert "raw_bytes" in got.lacking


def test_nothing_known_gives_no_crash():
    got = speed(own_drive(1e12), GENTLE)
    assert all(not answer.is_known for answer in got.answers)


def test_steady_writes_below_the_printed_rate_never_saturate_the_dies(catalogue):
    """The dies of a P5520, as they are assumed, would have time for 102,000 of its 114,000."""
    for name in ("845DC PRO 800", "P4610 1600", "P5520 1920"):
        drive = with_assumptions(find(catalogue, name))
        printed = drive.value("steady_write_iops")
        got = speed(drive, GENTLE, with_readers=False)
        assert got.steady_write_iops.value == pytest.approx(printed, rel=1e-12)
        rate = Workload(host_bytes_per_s=0.9 * printed * 4096, read_fraction=0.1)
        assert np.isfinite(speed(drive, rate, with_readers=False).read_latency_s[99.9])


def test_spare_area_changes_nothing_about_the_printed_rate(pro_400):
    got = speed(pro_400, GENTLE, partition_fraction=0.9)
    assert got.binding["steady_write_iops"] is SpeedLimit.DIES
    assert got.steady_residual.value == speed(pro_400, GENTLE).steady_residual.value


def test_a_drive_of_each_family_has_an_answer(catalogue):
    for drive in one_per_family(catalogue.drives.values()):
        got = speed(drive, GENTLE)
        for answer in got.answers:
            assert not answer.is_known or not np.any(np.isnan(answer.value)), drive.name


def test_what_was_assumed_of_the_flash_is_said(pro_400):
    got = speed(pro_400, GENTLE)
    assert sum(note.startswith("Assumed for speed") for note in got.notes) == 7
    told = with_user_facts(pro_400, read_s=60e-6)
    assert sum(note.startswith("Assumed for speed") for note in speed(told, GENTLE).notes) == 6


@pytest.mark.parametrize("depth", [1, 2, 8, 31, 32, 256])
def test_writes_at_a_depth_are_those_of_the_plan(depth):
    """A fresh write at depth 1 takes the 43.9 us of the review, not what is printed for 32."""
    for name in ("840 EVO 250", "845DC PRO 400", "P5520 1920"):
        plan = plan_of(name, reads=0, writes="5 MB/s", depth=depth)
        got = speed_of(plan, with_readers=False)
        assert got.steady_write_iops.value == pytest.approx(plan["write_iops"].value)
        assert got.fresh_write_iops.value >= got.steady_write_iops.value * (1 - 1e-12)
        if depth == 1:
            accepted_s = plan.drive.value("write_latency_s")
            assert got.fresh_write_iops.value == pytest.approx(1 / accepted_s)
            assert got.binding["fresh_write_iops"] is SpeedLimit.QUEUE


@given(st.integers(1, 256), st.integers(1, 256))
@settings(max_examples=30)
def test_a_deeper_queue_never_slows_reads(pro_400, one, other):
    shallow, deep = sorted((one, other))
    rates = [
        speed(pro_400, replace(GENTLE, queue_depth=depth)).random_read_iops.value
        for depth in (shallow, deep)
    ]
    assert rates[0] <= rates[1] * (1 + 1e-9)


@given(st.floats(0.3, 1.0), st.floats(0.3, 1.0))
@settings(max_examples=30)
def test_more_spare_area_never_slows_writes(pro_400, one, other):
    small, large = sorted((one, other))
    spared, full = (
        speed(pro_400, GENTLE, partition_fraction=fraction, with_readers=False)
        for fraction in (small, large)
    )
    assert spared.steady_write_iops.value >= full.steady_write_iops.value * (1 - 1e-12)
    assert spared.cliff_s.value >= full.cliff_s.value * (1 - 1e-12)


def test_the_command_prints_and_gives_json(capsys):
    assert main(["speed", "--drive", "845DC PRO 400"]) == 0
    assert ", then the write cliff." in capsys.readouterr().out
    assert main(["speed", "--drive", "845DC PRO 400", "--writes", "50MB/s", "--json"]) == 0
    got = json.loads(capsys.readouterr().out)
    assert {
        "fresh_write_iops", "steady_write_iops", "random_read_iops", "cliff_s", "settle_s",
        "worst_case_iops", "read_latency_s", "binding",
    } <= set(got)  # fmt: skip
    assert list(got["read_latency_s"]) == ["p50", "p90", "p99", "p99.9", "p99.99", "p99.999"]
    assert got["binding"]["steady_write_iops"] == "dies"
    assert main(["speed"]) == 2


def test_a_full_slc_cache_ends_the_fresh_rate_before_the_cliff(capsys):
    """870 QVO 1 TB: 42 GB of cache, 80 MB/s behind it (data sheet)."""
    assert main(["speed", "870 QVO 1TB"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "until its SLC cache is full, then at most 19,500 IOPS." in words


def test_a_write_cache_lasts_and_drains_at_the_printed_rates(catalogue):
    drive = find(catalogue, "860 QVO 1TB")
    lasts, drains = speed(drive, GENTLE).cache
    size, folded = drive.value("slc_cache_bytes"), drive.value("folded_write_bytes_per_s")
    assert lasts.value == pytest.approx(size / drive.value("sequential_write_bytes_per_s"))
    assert size / folded < drains.value < 1.3 * size / folded


def test_a_drive_without_a_write_cache_says_nothing_of_one(pro_400):
    assert speed(pro_400, GENTLE).cache == ()


def test_a_dynamic_write_cache_is_as_large_as_the_fill_leaves_it():
    """Cells with three bits hold a third of what is free, up to the printed 226 GB."""

    def lasts(**texts):
        answer = plan_of("990 PRO 2TB", **texts)
        of_drive = speed_of(answer, with_readers=False)
        (lasts_s,) = (item for item in of_drive.cache if item.key == "cached_s")
        return lasts_s, speed_ranges_of(answer, of_drive, with_readers=False).answers["cached_s"]

    empty, between = lasts()
    rate = find(load(), "990 PRO 2TB").value("sequential_write_bytes_per_s")
    assert empty.value == pytest.approx(226e9 / rate)
    assert between.facts["free_bytes"] == pytest.approx(math.log(1 / 0.03))
    assert between.low < 0.03 * empty.value  # printed rates are about right
    for fill, spare, left in (("95%", "0%", 0.05), ("90%", "10%", 0.19)):
        stated, range_ = lasts(fill=fill, spare=spare)
        assert stated.value == pytest.approx(left * 2e12 / 3 / rate)
        assert "free_bytes" not in range_.facts
    assert lasts(fill="50%")[0].value == empty.value
    assert lasts(fill="95%", known_only=True)[0].value == pytest.approx(0.05 * 2e12 / 3 / rate)


def test_a_sweep_gives_what_speeds_give_one_by_one(pro_400):
    """Rates of writes and spare areas at once, percentiles along an axis of their own."""
    drive, mixed = with_assumptions(pro_400), replace(GENTLE, read_fraction=0.5)
    rates, shares = np.array([1e4, 1e6, 2e7, 5e7]), np.array([1.0, 0.9, 0.75, 0.5])
    names = (
        "cliff_s", "lowest_write_iops", "settling_s", "second_sd_iops", "blocking_latency_s",
        "read_quantiles_s", "closed_read_quantiles_s", "write_quantiles_s", "commit_quantiles_s",
    )  # fmt: skip
    swept = speed(drive, mixed).reading.swept(
        *names, host_bytes_per_s=rates, partition_fraction=shares
    )
    for place, (rate, share) in enumerate(zip(rates, shares, strict=True)):
        alone = speed(drive, replace(mixed, host_bytes_per_s=rate), partition_fraction=share)
        for name, values in zip(names, swept, strict=True):
            np.testing.assert_allclose(values[..., place], alone.reading[name].value, rtol=1e-12)
