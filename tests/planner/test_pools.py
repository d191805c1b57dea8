"""Pools of ZFS in plans: capacity, what small writes cost, loss, sentences for bad ones."""

import numpy as np
import pytest

from models import failures, pools
from models.errors import DomainError
from planner.catalogue import find, load
from planner.scenario.array import Array, parse_level
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.search.array_levels import further_parity, level_grid
from planner.search.choose import Grid
from planner.search.choose.checks import loss_probability, queue_iops
from planner.search.choose.configurations import configurations
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of

DRIVE = "Samsung PM9A3 3.84 TB"
LEVELS = ("raidz1", "raidz2", "raidz3", "draid2:4d:1s", "6")


def pool(raid, **said):
    return plan_of(DRIVE, **{"drives": 12, "writes": "1 TB/day", "reads": 0, **said}, raid=raid)


def test_capacity_is_what_zfs_list_reports_in_records_of_128_kib():
    answer = pool("raidz2", record="128KiB")
    part = pools.partition_bytes(pool("0").drive.capacity_bytes)
    space = pools.raidz_space_bytes(part, members=12)
    reported = pools.available_bytes(space, vdevs=1, deflated_fraction=390 / 512)
    assert answer["pool_available_bytes"].value == reported
    assert answer["usable_bytes"].value == pytest.approx(reported, rel=0.003)  # 1/512 rounded off


# 16 KiB are four sectors: six written on RAID-Z2, in a dRAID stripe of eight and two all ten.
@pytest.mark.parametrize(
    ("raid", "said", "factor"),
    [
        ("raidz2", {}, 6), ("raidz1", {}, 5), ("draid2:8d", {}, 10),
        ("raidz2", {"sequential": "100%"}, 1.5), ("raidz2", {"record": "4KiB"}, 3),
        ("raidz2", {"size": "128KiB", "record": "128KiB"}, 40 / 32),
    ],
)  # fmt: skip
def test_small_writes_cost_whole_records(raid, said, factor):
    answer = pool(raid, **said)
    assert answer.reading["writes_per_write"].value == factor
    each = answer.reading["member_bytes_per_s"].value
    assert each == pytest.approx(answer.workload.host_bytes_per_s * factor / 12)


def test_drives_are_given_columns():
    leaves = pool("raidz2", record="128KiB", drives=6).reading.leaves
    assert leaves["transfer_bytes"].value == 32 * 1024
    assert leaves["operation_bytes"].value == 4096


def test_a_pool_is_as_fast_as_its_budget_in_a_deep_queue():
    answer = pool("raidz2", reads="70%")
    deep = array_queue(answer, queue_depth=6000).iops.value
    assert deep == pytest.approx(answer["budget_iops"].value, rel=0.01)


def test_spare_space_that_all_share_is_rebuilt_sooner():
    alone, shared = (data_loss(pool(f"draid2:4d{spares}")) for spares in ("", ":2s"))
    assert shared["rebuild_s"].value < alone["rebuild_s"].value / 2
    assert shared["array_loss_probability"].value < alone["array_loss_probability"].value


def test_vdevs_lose_data_one_by_one():
    one, two = (data_loss(pool("raidz2", drives=8 * sets, sets=sets)) for sets in (1, 2))
    assert two["array_failed_loss_probability"].value == failures.any_loss_probability(
        one["array_failed_loss_probability"].value, groups=2
    )
    slop = 128 * 2**30  # once for the whole pool
    held, twice = (
        pool("raidz2", drives=8 * sets, sets=sets)["pool_available_bytes"].value + slop
        for sets in (1, 2)
    )
    assert twice == 2 * held


def test_the_search_reads_pools_as_plans_do():
    drive, workload = find(load(), DRIVE), Workload(host_bytes_per_s=2e7, read_fraction=0.5)
    table = configurations(workload, Grid(drives=(drive,), members=(8, 12), levels=LEVELS))
    at = table.places(np.arange(np.prod(table.shape)))
    risk = Risk()
    lost, iops = loss_probability(table, risk, at), queue_iops(table, None, at)
    usable = table.at("usable_bytes", at)
    for place, array in enumerate(table.arrays):
        answer = plan_drive(drive, workload, array=array)
        assert usable[place] == pytest.approx(answer["usable_bytes"].value)
        assert lost[place] == pytest.approx(
            data_loss(answer, risk)["array_loss_probability"].value, rel=1e-6
        )
        assert iops[place] == pytest.approx(array_queue(answer).iops.value, rel=1e-6)


def test_the_grid_of_levels_holds_what_plans_hold():
    answer = pool("raidz2")
    grid = level_grid(answer, Risk(), levels=LEVELS[:3], members=(6, 12))
    for array, usable in zip(grid.arrays, grid.usable_bytes, strict=True):
        said = {"drives": array.members, "raid": array.written}
        assert usable == pytest.approx(pool(**said)["usable_bytes"].value)


@pytest.mark.parametrize(
    ("raid", "more"),
    [("raidz1", "raidz2"), ("raidz2", "raidz3"), ("raidz3", None),
     ("draid1:4d:1s", "draid2:4d:12c:1s"), ("draid2:9d:1s", "draid3:8d:12c:1s")],
)  # fmt: skip
def test_one_more_parity(raid, more):
    further = further_parity(Array(members=12, **parse_level("raid", raid)))
    assert (further and further.written) == more


@pytest.mark.parametrize("raid", ["raidz1", "raidz3", "draid2:8d:24c:1s", "draid1:4d:24c"])
def test_a_level_is_written_as_it_is_read(raid):
    array = Array(members=24, **parse_level("raid", raid))
    assert array.written == raid
    assert array.tolerated_failures == int(raid.removeprefix("raidz").removeprefix("draid")[0])


@pytest.mark.parametrize(
    ("raid", "drives", "why"),
    [
        ("draid2:8d:24c:1s", 12, "members must be >= 24 for dRAID2:8d:24c:1s, got 12"),
        ("draid2:8d:24c:1s", 30, "members must be 24 for dRAID2:8d:24c:1s, got 30"),
        (
            "draid2:8d:9c",
            9,
            "vdev_members must be a vdev of >= 10 drives for 8 data, 2 parity, 0 spares",
        ),
        ("raidz3", 3, "members must be >= 4 for RAID-Z3, got 3"),
        ("raidz4", 8, "raid must be one of raid0"),
        ("draid2:8d:8d", 12, "raid must be one of raid0"),
    ],
)
def test_a_pool_that_cannot_be_is_refused_in_one_sentence(raid, drives, why):
    with pytest.raises(DomainError) as refused:
        pool(raid, drives=drives)
    assert str(refused.value).startswith(why)
