"""The small drives that stand beside the answer about speed, and what they measure."""

from dataclasses import replace

import numpy as np
import pytest

from models.errors import Cancelled
from planner.catalogue import find
from planner.catalogue.drive import own_drive, with_user_facts
from planner.scenario.workload import Workload
from planner.sections.speed import speed
from planner.sections.speed_curve import speed_curve
from planner.simulation.speed import (
    BELOW_DIES,
    CACHE,
    ERASED_SINGLY,
    FEW_WRITES,
    NO_READS,
    SATURATED,
    simulate,
    speed_replay,
)
from tests.families import one_per_family

LOAD = Workload(host_bytes_per_s=12e6)


@pytest.fixture(scope="module")
def answer(pro_400):
    return speed(pro_400, LOAD)


@pytest.fixture(scope="module")
def told():
    return []


@pytest.fixture(scope="module")
def simulated(answer, told):
    return simulate(speed_replay(answer), told.append)


def test_the_small_drive_is_the_drive_with_fewer_pages(answer):
    got = speed_replay(answer)
    small, nodes = got.writes, answer.nodes
    assert (small.dies, small.channels) == (nodes["dies"].value, nodes["channels"].value)
    times = {name: nodes[name].value for name in ("read_s", "program_s", "erase_s", "transfer_s")}
    assert {name: getattr(small, name) for name in times} == times
    assert small.link_s == 1 / answer.fresh_write_iops.value
    assert small.queue_depth == 32
    assert got.scale * small.pages == pytest.approx(400e9 / 4096)


def test_its_spare_area_is_that_of_the_formula_beside_the_block_being_filled(answer):
    small = speed_replay(answer).writes
    stripe = small.pages_per_block * small.dies
    # A block that takes its copies at once and the host's pages evenly is 1/(2 A) empty.
    empty = 0.5 / answer.wa.value
    room = (small.blocks_per_die - small.reserve - empty) * stripe
    assert room / small.pages - 1 == pytest.approx(answer.op_ratio.value, rel=1e-3)


def test_a_part_of_a_window_is_a_second_of_the_drive(answer):
    got = speed_replay(answer)
    assert got.scale * got.writes.window_s / got.writes.parts == pytest.approx(1)


def test_one_channel_stands_for_all_under_its_share_of_the_workload(answer):
    reads, nodes = speed_replay(answer).reads, answer.nodes
    channels = nodes["channels"].value
    assert reads.channels == 1
    assert reads.dies * channels == nodes["dies"].value
    load = nodes["modelled_load_iops"]  # of dies with time for 0.6 % less than printed
    assert load.inputs["rated_iops"].value == 12e6 / 4096
    assert reads.write_iops * channels == pytest.approx(load.value)
    assert reads.read_iops * channels == pytest.approx(12e6 / 4096 * 0.7 / 0.3)
    assert reads.pages_per_block == nodes["erase_block_pages"].value


# Formulas and simulator share no code: bounds are what was seen, 1.2 % and 4 %, and some room.
def test_the_simulation_meets_the_formulas(answer, simulated):
    assert simulated.steady_iops == pytest.approx(answer.steady_write_iops.value, rel=0.02)
    assert simulated.steady_wa == pytest.approx(answer.wa.value, rel=0.02)
    at = {round(percent, 3): seconds for percent, seconds in simulated.read_latency_s.items()}
    for percent in (90.0, 99.0, 99.9, 99.99, 99.999):
        assert at[percent] == pytest.approx(answer.read_latency_s[percent], rel=0.06), percent
    assert simulated.warnings == ()


def test_the_course_of_the_simulation_is_that_of_the_formula(answer, simulated):
    curve = speed_curve(answer)
    inside = simulated.seconds < answer.settling_s.value
    fresh = simulated.seconds < 0.95 * answer.cliff_s.value
    after = inside & (simulated.seconds > 1.1 * answer.cliff_s.value)
    expected = np.interp(simulated.seconds, curve.seconds, curve.iops)
    np.testing.assert_allclose(simulated.average_iops[fresh], expected[fresh], rtol=0.002)
    np.testing.assert_allclose(simulated.average_iops[after], expected[after], rtol=0.07)
    assert np.mean(simulated.average_iops[after]) == pytest.approx(
        np.mean(expected[after]), rel=0.03
    )


def test_least_and_spread_lie_around_the_average(simulated):
    assert np.all(simulated.minimum_iops <= simulated.average_iops * (1 + 1e-9))
    assert np.all(simulated.spread_iops >= 0)
    assert np.any(simulated.minimum_iops < 0.9 * simulated.average_iops)


def test_progress_covers_both_runs(simulated, told):
    assert told == sorted(told)
    assert told[0] < 0.2
    assert told[-1] == 1
    assert any(0.5 < done < 0.6 for done in told)


@pytest.mark.parametrize("stop_at", [0.0, 0.6])
def test_a_run_can_be_cancelled_in_either_half(answer, stop_at):
    with pytest.raises(Cancelled):
        simulate(speed_replay(answer), lambda done: done < stop_at)


@pytest.mark.parametrize(
    ("name", "workload", "note"),
    [
        ("845DC EVO 480", LOAD, BELOW_DIES),
        ("845DC PRO 400", LOAD, ERASED_SINGLY),
        ("845DC EVO 240", replace(LOAD, host_bytes_per_s=80e6), SATURATED),
        ("845DC PRO 400", replace(LOAD, read_fraction=0.0), NO_READS),
        ("845DC PRO 400", replace(LOAD, host_bytes_per_s=1e3), FEW_WRITES),
        ("845DC PRO 400", replace(LOAD, host_bytes_per_s=1e5, read_fraction=0.999), FEW_WRITES),
    ],
)
def test_what_is_not_simulated_is_said(catalogue, name, workload, note):
    got = speed_replay(speed(find(catalogue, name), workload))
    assert note in got.notes
    assert (got.reads is None) == (note in (SATURATED, NO_READS, FEW_WRITES))


def test_a_burst_faster_than_the_dies_is_not_simulated(pro_400, answer):
    burst = speed(with_user_facts(pro_400, burst_write_iops=300_000), LOAD)
    assert CACHE in speed_replay(burst).notes
    assert CACHE not in speed_replay(answer).notes


def test_a_superblock_is_collected_over_all_dies(pro_400):
    told = with_user_facts(pro_400, pages_per_block=32 * 512)
    assert speed_replay(speed(told, LOAD)).writes.scope == "superblock"
    assert speed_replay(speed(pro_400, LOAD)).writes.scope == "die"


def test_without_flash_facts_there_is_no_simulation(pro_4tb, pro_400):
    assert speed_replay(speed(pro_4tb, LOAD)) is None
    assert speed_replay(speed(own_drive(1e12), LOAD)) is None
    assert speed_replay(speed(with_user_facts(pro_400, dies=2000), LOAD)) is None


def test_every_drive_with_a_course_has_small_drives_within_bounds(catalogue):
    known = one_per_family(d for d in catalogue.drives.values() if "raw_bytes" in d.facts)
    found = [speed_replay(speed(drive, LOAD)) for drive in known]
    runs = [replay for replay in found if replay is not None]
    assert len(runs) > 10
    for replay in runs:
        assert 1e5 < replay.writes.pages < 1e6
        assert replay.scale > 1
        if replay.reads is not None:
            seconds = replay.reads.warmup_s + replay.reads.measured_s
            assert seconds * (replay.reads.read_iops + replay.reads.write_iops) < 1.2e7
