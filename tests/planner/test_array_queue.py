"""Speed of an array at a queue depth: wiring of members, layouts and mixes."""

import numpy as np
import pytest

from planner.catalogue.drive import own_drive, with_user_facts
from planner.scenario.array import Array, RaidLevel
from planner.scenario.workload import Workload
from planner.sections.array_queue import CURVE_DEPTHS, array_queue
from planner.sections.plan import plan_drive

MEMBER = with_user_facts(own_drive(1e12), random_read_iops=5e4, steady_write_iops=5e4)
MIX = Workload(host_bytes_per_s=1e6, read_fraction=0.5)


def speed(workload=MIX, drive=MEMBER, depth=None, **array):
    return array_queue(plan_drive(drive, workload, array=Array(**array)), queue_depth=depth)


def test_one_operation_at_a_time_sees_one_member():
    alone = speed(members=12, depth=1)
    assert alone.iops.value == pytest.approx(5e4)
    parity = speed(members=12, level=RaidLevel.RAID5, depth=1)
    assert parity.read_latency_s.value == pytest.approx(20e-6)
    assert parity.write_latency_s.value == pytest.approx(40e-6)


def test_deep_queues_reach_the_budget_of_the_plan():
    answer = plan_drive(MEMBER, MIX, array=Array(members=8, level=RaidLevel.RAID6))
    budget = answer["budget_iops"].value
    assert array_queue(answer, queue_depth=4096).iops.value == pytest.approx(budget, rel=0.01)


def test_little_holds_and_the_curve_rises():
    got = speed(members=8, level=RaidLevel.RAID10)
    mean_s = 0.5 * got.read_latency_s.value + 0.5 * got.write_latency_s.value
    assert got.iops.value * mean_s == pytest.approx(got.queue_depth, rel=1e-6)
    rates = np.asarray(got.curve_iops.value)
    assert rates.shape == (len(CURVE_DEPTHS),)
    assert np.all(np.diff(rates) >= 0)


def test_full_stripes_are_cheaper_than_small_writes():
    writes = Workload(host_bytes_per_s=1e6, read_fraction=0)
    stripes = Workload(host_bytes_per_s=1e6, read_fraction=0, sequential_fraction=1)
    small, whole = (
        speed(load, members=6, level=RaidLevel.RAID5).iops.value for load in (writes, stripes)
    )
    assert whole > 2 * small


def test_latency_at_depth_one_is_printed_or_said_to_be_unknown(pro_400):
    known = speed(drive=pro_400, members=4, depth=1, workload=MIX)
    assert known.read_latency_s.value >= 50e-6 * (1 - 1e-9)
    assert len(speed(members=4).notes) > len(known.notes)


def test_an_unknown_rate_is_missing():
    assert not speed(drive=own_drive(1e12), members=4).iops.is_known


STALLING = with_user_facts(MEMBER, worst_case_iops=5000.0, saturated_queue_depth=32.0)


def test_stalls_of_twelve_drives():
    """Random ones cost an array more than those of all at once, and freeze it for moments."""
    got = speed(drive=STALLING, members=12, member_stall_fraction=0.023)
    apart, together, window = (part.value for part in got.stalled)
    assert window < apart < together <= got.iops.value * (1 + 1e-9)
    assert together == pytest.approx(got.iops.value)  # a measured rate has its own stalls in it
    pause = got.stalled[1].inputs["stall_s"].value
    assert pause == pytest.approx(32 / 5e3 - 32 / 5e4)


def test_hidden_stalls_cost_nothing_and_unknown_ones_are_missing():
    calm = speed(drive=STALLING, members=12, member_stall_fraction=0.0)
    assert [part.value for part in calm.stalled] == pytest.approx([calm.iops.value] * 3)
    assert all(not part.is_known for part in speed(members=12).stalled)
