"""Latency of writes and commits, and the spread within a second, of `speed`."""

import json
from dataclasses import replace

import numpy as np
import pytest

from models import queueing
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors import with_assumptions
from planner.cli import main
from planner.scenario.workload import Workload
from planner.sections.speed import speed
from planner.sections.speed_case import QUANTILES

PRO_7450 = with_assumptions(find(load(), "7450 PRO 960"))
DRIVE = with_user_facts(PRO_7450, write_latency_s=15e-6, member_stall_fraction=0.02)
PERCENTS = [round(100 * level, 6) for level in QUANTILES]


def at(drive, write_iops, depth=32):
    workload = Workload(host_bytes_per_s=write_iops * 4096, queue_depth=depth)
    return speed(drive, workload, with_readers=False)


def test_buffered_writes_take_the_time_of_the_buffer_until_they_outrun_the_flash():
    calm = with_user_facts(DRIVE, member_stall_fraction=1e-9)
    steady = at(calm, 1e3).steady_write_iops.value
    assert at(calm, 0.9 * steady).write_latency_s == dict.fromkeys(PERCENTS, 15e-6)
    beyond = queueing.latency_s(32, iops=steady)
    got = at(calm, 1.5 * steady).write_latency_s
    assert list(got.values()) == pytest.approx([beyond] * len(PERCENTS), rel=1e-8)


def test_few_writes_meet_a_stall_and_more_of_them_the_more_the_drive_writes():
    """Stalled for 2 % of a saturated test, for a hundredth of that at a hundredth of its rate."""
    steady = at(DRIVE, 1e3).steady_write_iops.value
    longest_s = at(DRIVE, 1e3).max_latency_s.value
    calm, busy = (at(DRIVE, load * steady).write_latency_s for load in (0.01, 0.7))
    assert calm[99.9] == 15e-6
    assert busy[50.0] == 15e-6
    assert 15e-6 < busy[99.0] <= 32 / steady
    assert 0.8 * longest_s < busy[99.99] < longest_s
    commits = at(DRIVE, 0.7 * steady).commit_latency_s
    assert commits[99.99] > busy[99.99]


def test_a_protected_drive_answers_a_flush_and_others_program_twice():
    protected = at(DRIVE, 10.0).commit_latency_s
    bare = at(replace(DRIVE, power_loss_protection="no"), 10.0).commit_latency_s
    assert protected[50.0] == pytest.approx(30e-6)
    assert bare[50.0] == pytest.approx(30e-6 + 2 * 3 * 502e-6)  # pages of a word line: three
    unknown = replace(DRIVE, power_loss_protection="")
    assert at(unknown, 10.0).commit_latency_s == protected  # as enterprise drives are
    assert (
        at(replace(unknown, segment="client"), 10.0).commit_latency_s[50.0] > 10 * protected[50.0]
    )


def test_commits_that_share_a_flush_take_at_most_two():
    calm = with_user_facts(DRIVE, member_stall_fraction=1e-9)
    alone, many = (at(calm, rate).commit_latency_s for rate in (10.0, 60e3))
    assert alone[99.0] == pytest.approx(30e-6, rel=1e-9)
    assert 1.9 * alone[99.0] < many[99.0] <= 2 * alone[99.0]


def test_a_drive_that_hardly_stalls_is_even():
    calm = with_user_facts(DRIVE, member_stall_fraction=1e-9)
    spread, rough = (at(drive, 1e3).second_sd_iops.value for drive in (calm, DRIVE))
    assert spread == pytest.approx(0.2 * at(calm, 1e3).steady_write_iops.value, rel=1e-3)
    assert rough > spread


def test_json_has_the_keys(capsys):
    assert main(["speed", "--drive", "7450 PRO 960", "--writes", "40MB/s", "--json"]) == 0
    got = json.loads(capsys.readouterr().out)
    for name in ("write_latency_s", "commit_latency_s"):
        assert list(got[name]) == ["p50", "p90", "p99", "p99.9", "p99.99", "p99.999"]
        assert list(got["ranges"][name]) == list(got[name])
    assert list(got["per_second"]) == ["mean", "min", "sd"]
    assert got["per_second"]["mean"] == got["steady_write_iops"]
    assert got["per_second"]["min"] == got["worst_case_at_depth_iops"]
    assert np.isfinite(got["per_second"]["sd"])
