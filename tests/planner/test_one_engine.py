"""One figure for the IOPS of a drive at a queue depth, whichever face is asked."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

import planner as ssd
from models.units import GIB
from planner.catalogue import data_folder, load
from planner.cli import cli
from planner.search.choose.checks import queue_iops
from planner.search.choose.configurations import Places, configurations
from planner.search.choose.question import Grid
from planner.search.size import spare_for_iops
from planner.sections.array_queue import array_queue
from planner.sections.request import plan_of
from planner.sections.speed import speed, speed_of
from planner.sections.speed_by_hand import by_hand

DRIVES = (
    "845DC PRO 400", "845DC EVO 480", "840 EVO 250", "850 PRO 256", "870 QVO 1TB", "DC S3700 400",
    "990 PRO 1TB", "7450 PRO 960", "PM9A3 3.84", "P4510 2TB",
)  # fmt: skip
DEPTHS = (None, 1, 2, 4, 8, 32, 256)


def iops(drive, depth, share):
    """IOPS by the plan, of an array of one in both ways, by the speed, and a member's of four."""
    answer = plan_of(drive, depth=depth, reads=share)
    four = plan_of(drive, depth=depth, reads=share, drives=4, raid="0")
    one = speed(answer.drive, answer.workload, with_readers=False)
    return [
        answer["drive_iops"].value, array_queue(answer).iops.value,
        answer["budget_iops"].value, one.iops.value,
        four["budget_iops"].value / 4,
    ]  # fmt: skip


@pytest.mark.parametrize("drive", DRIVES)
def test_plan_array_of_one_and_speed_agree_and_no_depth_loses(drive):
    for share in (0, 0.7, 1):
        by_depth = []
        for depth in DEPTHS:
            first, *others = iops(drive, depth, share)
            assert others == pytest.approx([first] * 4, rel=1e-9), (depth, share)
            by_depth.append(first)
        printed, *below = by_depth
        assert below == pytest.approx(sorted(below), rel=1e-12)
        assert below[-1] == pytest.approx(printed, rel=1e-9)


def test_command_and_script_say_the_same():
    arguments = ["plan", "--drive", "845DC PRO 400", "--depth", "1", "--reads", "100%", "--json"]
    result = CliRunner().invoke(cli, arguments)
    by_command = json.loads(result.stdout)["answers"]["drive_iops"]
    by_script = ssd.plan("845DC PRO 400", depth=1, reads=1).drive_iops
    assert by_command == pytest.approx(by_script.base, rel=1e-9)
    assert by_command < 20_000  # 92,000 are printed, at queue depth 32


def test_printed_rates_are_reached_at_the_printed_depth_and_not_at_one():
    for drive in DRIVES:
        printed = plan_of(drive, reads=1)
        alone = plan_of(drive, reads=1, depth=1)
        rate = printed.drive.value("random_read_iops")
        assert printed["drive_iops"].value == rate
        assert alone["drive_iops"].value < rate / 3
        assert alone["latency_s"].value * alone["drive_iops"].value == pytest.approx(1)


# AnandTech 7173, table of RAPID mode: 22,769 random writes per second at queue depth 1.
def test_buffered_writes_one_at_a_time():
    for known_only in (True, False):
        answer = plan_of("840 EVO 250", depth=1, reads=0, known_only=known_only)
        assert answer["drive_iops"].value == pytest.approx(22_769, rel=0.01)


def test_facts_that_are_unknown_leave_the_rate_unknown_below_the_printed_depth():
    """Of a drive of which nothing but its rates is said."""
    statement = {"capacity": "1TB", "known_only": True, "random_read_iops": "90000", "reads": 1}
    assert plan_of(**statement)["drive_iops"].value == 90_000
    assert not plan_of(**statement, depth=1)["drive_iops"].is_known


def test_members_of_raid_5_share_their_queue_among_reads_for_parity_and_writes():
    """A host write reads two and writes two: alone, one after the other, they take 4 operations."""
    answer = plan_of("845DC PRO 400", depth=1, reads=0, drives=8, raid="5")
    one = answer.reading
    read_s, write_s = (one[f"{side}_alone_s"].value for side in ("read", "write"))
    by_members = 8 / (2 * read_s + 2 * write_s)
    assert answer["budget_iops"].value == pytest.approx(by_members, rel=1e-9)


def test_an_array_of_one_answers_at_its_own_depth():
    answer = plan_of("845DC PRO 400", reads=1)
    at_four = replace(answer.workload, queue_depth=4.0)
    by_array = array_queue(answer, queue_depth=4).iops.value
    by_speed = speed(answer.drive, at_four, with_readers=False).iops.value
    assert by_array == pytest.approx(by_speed, rel=1e-9)


OPTIONS = {
    "spare": ("0%", "7%", "20%", "45%"), "fill": ("100%", "90%", "60%", "10%"),
    "depth": (None, 1, 4, 32, 256), "trim": ("0%", "20%"), "size": ("4KiB", "16KiB"),
    "sequential": ("0%", "30%"), "reads": (0, 0.3), "skew": (None, "90/10"),
}  # fmt: skip


def drawn(seed, drives):
    """Return drives of the catalogue, each with options drawn at random."""
    draw = np.random.default_rng(seed)
    for drive in draw.choice(sorted(load().drives), drives, replace=False):
        options = {name: values[draw.integers(len(values))] for name, values in OPTIONS.items()}
        yield str(drive), {name: value for name, value in options.items() if value is not None}


def test_spare_area_fill_and_trim_change_the_rate_on_every_face_alike():
    """Of 40 drives at random options: IOPS, and steady writes of 4 KiB alone."""
    for drive, options in drawn(16, 40):
        answer = plan_of(drive, **options)
        by_speed = speed_of(answer, with_readers=False)
        faces = [
            by_speed.iops.value, array_queue(answer).iops.value,
            answer["budget_iops"].value,
        ]  # fmt: skip
        iops = answer["drive_iops"].value
        assert faces == pytest.approx([iops] * 3, rel=1e-9), (drive, options)
        alone = plan_of(drive, **options | {"size": "4KiB", "sequential": "0%", "reads": 0})
        steady = alone["write_iops"].value
        assert by_speed.steady_write_iops.value == pytest.approx(steady, rel=1e-9), (drive, options)


def steady(drive, **options):
    return plan_of(drive, reads=0, **options)["write_iops"].value


def test_more_spare_area_never_lowers_the_steady_rate_and_most_drives_write_faster():
    gains = []
    for drive, _ in drawn(17, 40):
        by_spare = [steady(drive, spare=f"{part}%") for part in (0, 3, 10, 25, 60)]
        by_fill = [steady(drive, fill=f"{part}%", trim="10%") for part in (100, 95, 70, 20)]
        assert by_spare == sorted(by_spare), drive
        assert by_fill == sorted(by_fill), drive
        gains.append(by_spare[-1] / by_spare[0])
    assert np.median(gains) > 2


def test_the_printed_rate_leads_to_those_measured_with_less_in_use():
    """Of seven spans of a 7450 PRO; its 85,000 are 10 % below what it wrote when it was full."""
    with (data_folder() / "measured_spans.csv").open() as lines:
        rows = [row for row in csv.DictReader(lines) if row["write_iops"]]
    assert len(rows) == 8
    for row in rows:
        part = float(row["span_gib"]) * GIB / load().drives[row["drive_id"]].capacity_bytes
        got = steady(row["drive_id"], fill=f"{100 * min(part, 1):.6f}%")
        within = 0.05 if part < 0.99 else 0.1
        assert got == pytest.approx(float(row["write_iops"]), rel=within), row["span_gib"]


def test_a_choice_and_a_size_know_the_rate_of_each_spare_area():
    """The spare area that `size` finds for a rate gives that rate in the plan and in the grid."""
    scene = plan_of("7450 PRO 960", reads=0)
    part = spare_for_iops(scene, 130_000).value
    grid = Grid(drives=(scene.drive,), members=(1,), levels=("0",), partition_fractions=(1.0, part))
    table = configurations(scene.workload, grid)
    expected = [scene["write_iops"].value, 130_000]
    np.testing.assert_allclose(np.ravel(table["rated_write_iops"]), expected, rtol=1e-6)
    places = Places(drive=np.zeros(2, int), spare=np.arange(2), array=np.zeros(2, int))
    np.testing.assert_allclose(queue_iops(table, None, places), expected, rtol=1e-6)


@pytest.mark.parametrize("drive", ["Optane 905P 480", "P4800X 375", "P5800X 400"])
def test_what_is_written_in_place_keeps_its_rate_on_every_face(drive):
    answer = plan_of(drive, reads=0)
    got = speed(answer.drive, answer.workload, with_readers=False)
    rate = answer["drive_iops"].value
    kept = [got.fresh_write_iops.value, got.steady_write_iops.value]
    assert kept == pytest.approx([rate, rate], rel=1e-9)
    ends = (got.cliff_s, got.settling_s, got.lowest_write_iops, *got.collection)
    assert {part.absence for part in ends} == {"none"}
    parts = {row.key: row for row in by_hand(got, answer.workload)}
    assert parts["second_fill_wa"].absence == parts["two_fills_flash"].absence == "none"
    assert "dies" not in " ".join(got.binding.values())
