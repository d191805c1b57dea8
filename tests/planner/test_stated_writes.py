"""What the sentence of the writes says of a plan beside their rate, on every face."""

import json

import pytest

import planner as ssd
from models.errors import DomainError
from models.units import DAY_S
from planner.cli import main
from planner.quantity.input import ValueText
from planner.sections.request import request

EVO = "870 EVO 1TB"
CAMERAS = "32 cameras x 6 Mbit/s"
READ = "read as 2.07 TB a day = 757 TB a year; sequential (90 % of the operations)"


def workload(writes, drive=EVO, **texts):
    return request(drive, writes=writes, **texts)["workload"]


@pytest.mark.parametrize(
    ("writes", "beside", "sequential", "size"),
    [
        (CAMERAS, {}, 0.9, 4096), (CAMERAS, {"sequential": "0%"}, 0.0, 4096),
        (CAMERAS, {"sequential": "50%", "size": "64k"}, 0.5, 65536),
        ("500 IOPS of 16 KiB", {}, 0.0, 16384), ("500 IOPS of 16 KiB", {"size": "8k"}, 0.0, 8192),
        ("20 MB/s random", {}, 0.0, 4096), ("30 GB/day", {}, 0.0, 4096),
        ("10 commits per second of 100 B", {}, 0.0, 4096),
    ],
)  # fmt: skip
def test_order_and_size_are_those_of_the_sentence_unless_stated(writes, beside, sequential, size):
    load = workload(writes, **beside)
    assert (load.sequential_fraction, load.transfer_bytes) == (sequential, size)


def test_a_client_says_the_pattern_before_the_sentence_does():
    names = {"client": next(iter(_clients()))}
    assert (
        workload(CAMERAS, **names).sequential_fraction
        == workload("2 TB/day", **names).sequential_fraction
    )


def _clients():
    from planner.scenario import client_workloads
    from planner.sections.request import DomainError as Refused

    for name in client_workloads.load().workloads:
        try:
            workload("2 TB/day", client=name)
        except Refused:
            continue
        yield name


def test_a_range_is_that_of_the_writes():
    load = workload("30 to 120 GB/day")
    assert load.host_bytes_per_s * DAY_S == pytest.approx(60e9)
    assert load.host_bytes_ratios == pytest.approx((0.5, 2.0))
    own = workload("30 to 120 GB/day", writes_between="50 to 70 GB/day")
    assert own.host_bytes_ratios == pytest.approx((50 / 60, 70 / 60))
    with pytest.raises(DomainError, match="writes_between must hold the writes"):
        workload("30 to 120 GB/day", writes_between="70 GB/day..90 GB/day")


@pytest.mark.parametrize("layout", [{"raid": 5}, {"raid": 10}, {"raid": 0}, {"raid": "raidz2"}])
@pytest.mark.parametrize(("writes", "a_day"), [("40 GB a day per drive", 40e9),
                                               ("0.5 DWPD per drive", 0.5 * 372e9)])  # fmt: skip
def test_writes_per_drive_are_what_each_drive_receives(layout, writes, a_day):
    plan = ssd.plan("845DC PRO 400", drives=8, spare=0.07, writes=writes, **layout)
    assert plan["member_bytes_per_s"].base * DAY_S == pytest.approx(a_day, rel=1e-9)


def test_writes_per_drive_of_one_drive_are_its_writes():
    assert workload("40 GB a day per drive") == workload("40 GB/day")


@pytest.mark.parametrize(
    "ask",
    [
        lambda: ssd.choose(["845DC PRO 400"], usable="4 TB", writes="40 GB/day per drive"),
        lambda: ssd.plan(EVO, writes="40 GB/day per node"),
        lambda: ssd.uncertainty(EVO, {"writes": "20..40..80 GB/day per drive"}),
    ],
)
def test_writes_of_each_of_how_many_are_refused_with_a_total(ask):
    with pytest.raises(DomainError, match=r"must be of all \w+s together such as 8 x [24]0 GB/day"):
        ask()


def test_the_reading_is_shown_where_the_sentence_is_not_plain(capsys):
    plan = ssd.plan(EVO, writes=CAMERAS)
    assert plan.writes_read_as == READ
    assert json.loads(plan.to_json())["writes_read_as"] == READ
    for command in ("plan", "array", "speed", "compare", "cost", "size writes"):
        assert main([*command.split(), "--drive", EVO, "--writes", CAMERAS]) == 0
        assert f"Writes {READ}\n" in capsys.readouterr().out
        assert main([*command.split(), "--drive", EVO, "--writes", "2 TB/day"]) == 0
        assert "Writes read as" not in capsys.readouterr().out


@pytest.mark.parametrize("writes", ["30 GB/day", "0.3 DWPD", "0", ValueText("1.5 TB in a", 1.0)])
def test_a_plain_rate_is_not_read_back(writes):
    assert not workload(writes).writes_read_as


@pytest.mark.parametrize("command", ["plan", "array", "speed", "cost", "compare"])
def test_what_cannot_be_read_leaves_no_verdict(capsys, command):
    assert main([command, "--drive", EVO, "--writes", "1.500 GB/day"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert "--writes must be a rate such as 1500 GB/day or 1.5 GB/day" in err


def test_a_sweep_plans_each_sentence_as_by_itself():
    sentences = ["1 TB/day", CAMERAS, "0.5 to 2 TB/day", "200 IOPS of 64 KiB", "2 TB/day"]
    frame = ssd.sweep(EVO, writes=sentences)
    alone = [ssd.plan(EVO, writes=each) for each in sentences]
    assert frame["wear"].tolist() == pytest.approx([float(plan.wear) for plan in alone])
    assert frame["wear_high"].tolist() == pytest.approx([plan.wear.high for plan in alone])


def test_a_number_with_its_unit_is_never_asked_back():
    plan = ssd.plan(EVO, writes=(1.234, "TB/day"))
    assert plan.record.workload.host_bytes_per_s * DAY_S == pytest.approx(1.234e12)
