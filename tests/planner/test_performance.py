"""Specified speed: which rate is taken, and how size and mix change it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import mixing
from planner.catalogue import find, load
from planner.catalogue.drive import own_drive, with_user_facts
from planner.graph.answer import unknown
from planner.scenario.workload import Workload
from planner.sections.datasheet_speed import Side, speed_limit, speed_notes
from planner.sections.plan import plan_drive

ANY = Workload(host_bytes_per_s=1e6)
PRO_400 = find(load(), "845DC PRO 400")


def performance(drive, workload):
    return plan_drive(drive, workload)


def test_small_random_operations_run_at_the_specified_rates(pro_400):
    speed = performance(pro_400, ANY)
    assert (speed["read_iops"].value, speed["write_iops"].value) == pytest.approx((92_000, 50_000))
    mixed = mixing.mixed_iops(92_000, write_iops=50_000, read_fraction=0.7)
    assert speed["drive_iops"].value == pytest.approx(mixed)
    assert speed["latency_s"].value == pytest.approx(32 / mixed)
    assert speed["drive_throughput_bytes_per_s"].value == pytest.approx(4096 * mixed)


def test_sequential_operations_run_at_the_sequential_rate(pro_400):
    wide = replace(ANY, transfer_bytes=131072, sequential_fraction=1.0, read_fraction=1.0)
    assert performance(pro_400, wide)["drive_throughput_bytes_per_s"].value == pytest.approx(530e6)


def test_larger_random_writes_move_no_faster_than_small_ones(pro_400):
    wide = replace(ANY, transfer_bytes=65536, read_fraction=0.0)
    assert performance(pro_400, wide)["drive_throughput_bytes_per_s"].value == pytest.approx(
        50_000 * 4096
    )


def test_steady_state_is_preferred_and_a_burst_figure_is_called_one(pro_400, catalogue):
    assert not any("burst" in note for note in speed_notes(performance(pro_400, ANY).reading))
    burst = performance(find(catalogue, "840 EVO 250"), ANY)
    assert burst["write_iops"].value == pytest.approx(66_000)
    assert any("burst figure" in note for note in speed_notes(burst.reading))
    unsaid = performance(find(catalogue, "PM1733 1.92TB"), ANY)
    assert any("does not say" in note for note in speed_notes(unsaid.reading))


def test_worst_case_is_a_latency_first(pro_400, pro_4tb):
    speed = performance(pro_400, ANY)
    assert speed["max_latency_s"].value == pytest.approx(6.4e-3)
    assert speed["worst_case_iops"].value == 5_000
    nothing_known = performance(pro_4tb, ANY)
    assert nothing_known["max_latency_s"] == unknown(
        key="max_latency_s", lacking=("worst_case_iops",)
    )


def test_the_side_that_takes_the_time_is_named(pro_400, catalogue):
    assert speed_limit(performance(pro_400, replace(ANY, read_fraction=0.3)).reading) is Side.WRITES
    assert speed_limit(performance(pro_400, replace(ANY, read_fraction=0.9)).reading) is Side.READS
    assert speed_limit(performance(own_drive(240e9), ANY).reading) is None


def test_without_a_sequential_rate_throughput_stays_at_that_of_small_operations(pro_400):
    facts = {k: v for k, v in pro_400.facts.items() if not k.startswith("sequential")}
    bare = replace(pro_400, facts=facts)
    wide = replace(ANY, transfer_bytes=16384, sequential_fraction=0.5, read_fraction=1.0)
    assert performance(bare, wide)["drive_throughput_bytes_per_s"].value == pytest.approx(
        92_000 * 4096
    )


@given(st.floats(512, 1e6), st.floats(0, 1), st.floats(0, 1), st.floats(1, 4))
def test_larger_transfers_never_raise_iops_and_faster_drives_never_lower_them(
    size, reads, sequential, factor
):
    workload = replace(
        ANY, transfer_bytes=size, read_fraction=reads, sequential_fraction=sequential
    )
    speed = performance(PRO_400, workload)
    larger = performance(PRO_400, replace(workload, transfer_bytes=size * factor))
    assert larger["drive_iops"].value <= speed["drive_iops"].value * (1 + 1e-12)
    faster = with_user_facts(PRO_400, steady_write_iops=50_000 * factor)
    assert performance(faster, workload)["drive_iops"].value >= speed["drive_iops"].value * (
        1 - 1e-12
    )


def test_a_side_of_which_there_is_none_need_not_be_known(catalogue):
    drive = find(catalogue, "DC S3700 400")
    assert not performance(drive, ANY)["drive_iops"].is_known
    writes_only = performance(drive, replace(ANY, read_fraction=0.0))
    assert writes_only["drive_iops"].value == pytest.approx(35_000)


def test_sequential_writes_only_need_no_random_rate(pro_400):
    facts = {k: v for k, v in pro_400.facts.items() if "_write_iops" not in k}
    bare = replace(pro_400, facts=facts)
    wide = replace(ANY, transfer_bytes=131072, sequential_fraction=1.0, read_fraction=0.0)
    assert performance(bare, wide)["drive_throughput_bytes_per_s"].value == pytest.approx(460e6)
