"""How long drives keep data without power, and what reads and refreshing cost."""

import pytest

from models.units import DAY_S, HOUR_S, YEAR_S
from planner.catalogue import find, load
from planner.cli import main
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.plan import plan_drive

AT_REST = "May it lie without power, and does reading wear it?"
KEYS = ("rated_wear_retention_s", "retention_s", "read_disturb_wa", "read_rewrite_s",
        "refresh_bytes_per_s")  # fmt: skip


def answers(name, risk, *, host_bytes_per_s=1e6, **workload):
    drive = find(load(), name)
    written = plan_drive(drive, Workload(host_bytes_per_s=host_bytes_per_s, **workload))
    rows = data_loss(written, risk).by_question[AT_REST]
    return dict(zip(KEYS, rows, strict=True))


# JESD218 as published by drive vendors: client 500 hours at 52 C, enterprise 96 hours at 66 C.
@pytest.mark.parametrize(
    ("name", "celsius", "published_s"),
    [("870 EVO 1 TB", 30, YEAR_S), ("870 EVO 1 TB", 52, 500 * HOUR_S),
     ("PM9A3 3.84", 40, YEAR_S / 4), ("PM9A3 3.84", 66, 96 * HOUR_S)],
)  # fmt: skip
def test_a_spent_drive_keeps_its_data_as_the_standard_asks(name, celsius, published_s):
    got = answers(name, Risk(temperature_k=celsius + 273.15))
    assert got["rated_wear_retention_s"].value == pytest.approx(published_s, rel=0.05)


def test_wear_shortens_it_from_a_tenth_of_the_rating_on():
    """The 870 EVO of 1 TB is rated for 600 TB."""
    for share, factor in ((0.01, 10.0), (0.1, 10.0), (0.5, 2.0), (2.0, 0.5)):
        rate = share * 600e12 / (5 * YEAR_S)
        got = answers("870 EVO 1 TB", Risk(), host_bytes_per_s=rate, write_shares=(1.0,))
        ratio = got["retention_s"].value / got["rated_wear_retention_s"].value
        assert ratio == pytest.approx(factor, rel=0.02)


def test_reads_rewrite_blocks_and_refreshing_writes_all():
    """Each of N blocks is rewritten once per 100,000 reads, whatever the pages of a block are."""
    read_mostly = answers("870 EVO 1 TB", Risk(), read_fraction=0.9, fill_fraction=0.5)
    reads = 9 * 1e6 / 4096
    block = read_mostly["read_disturb_wa"].arguments["pages_per_block"] * 4096
    each_s = 1e5 / (reads / (0.5e12 // block))
    assert read_mostly["read_rewrite_s"].value == pytest.approx(each_s)
    rewritten = 0.5e12 / block * block / each_s
    assert read_mostly["read_disturb_wa"].value * 1e6 == pytest.approx(rewritten, rel=1e-3)
    assert read_mostly["refresh_bytes_per_s"].value == pytest.approx(0.5e12 / (90 * DAY_S))
    assert not answers("870 EVO 1 TB", Risk(), read_fraction=1.0)["read_rewrite_s"].is_known


def test_half_of_a_raid_5_reads_on_with_a_drive_lost():
    eight = plan_drive(find(load(), "870 EVO 1 TB"), Workload(host_bytes_per_s=1e6),
                 array=Array(members=8, level=RaidLevel.RAID5))  # fmt: skip
    further = {part.key: part for part in array_queue(eight).further}
    assert further["degraded_read_iops"].value == pytest.approx(4 * 98_000)
    knee, bound = further["knee_queue_depth"].value, further["bound_iops"].value
    at_knee = {part.key: part for part in array_queue(eight, queue_depth=round(knee)).answers}
    assert 0.5 * bound < at_knee["array_iops"].value < bound
    assert not further["survivor_write_bytes"].is_known


def test_a_temperature_outside_storage_is_refused(capsys):
    assert main(["array", "--drive", "870 EVO 1 TB", "--storage-temperature", "90 C"]) == 2
    said = capsys.readouterr().err
    assert "--storage-temperature must be from -40 to 70 C, got '90 C'" in said


def test_memory_written_in_place_leaks_no_charge_and_no_read_disturbs_it():
    """3D XPoint holds no charge in floating gates: no formula of flash says how long it keeps."""
    written = plan_drive(find(load(), "P5800X 400"), Workload(host_bytes_per_s=1e6))
    assert data_loss(written, Risk()).by_question[AT_REST] == ()
