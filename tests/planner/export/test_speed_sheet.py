"""The speed of each drive on a sheet of its own: values as exported, and a chart."""

import io

import openpyxl
import pytest

from models.nomenclature import QUANTITIES
from planner.catalogue import find
from planner.catalogue.drive import own_drive
from planner.export.workbook.book import workbook
from planner.quantity.show import shown
from planner.scenario.array import Array
from planner.scenario.workload import Workload
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of
from planner.sections.speed import speed_of
from planner.sections.speed_ranges import speed_ranges_of

BUSY = Workload(host_bytes_per_s=20e6)


def book_of(plans, catalogue):
    return openpyxl.load_workbook(io.BytesIO(workbook(plans, catalogue)))


def sheet_of(plans, catalogue):
    return book_of(plans, catalogue)["Speed"]


def rows(sheet):
    return {row[0].value: row for row in sheet.iter_rows() if row[0].value}


def test_the_sheet_shows_what_the_planner_says(pro_400, catalogue):
    answer = plan_drive(pro_400, BUSY)
    got, speed = rows(sheet_of([answer], catalogue)), speed_of(answer)
    assert got["Time until steady state"][2].value == pytest.approx(
        speed.settling_s.value, rel=1e-12
    )
    assert got["Longest latency"][2].value == pytest.approx(1000 * speed.max_latency_s.value)
    tail = got["Read latency, p99.999"][2].value
    assert tail == pytest.approx(1e6 * speed.read_latency_s[99.999], rel=1e-12)
    assert got["Random write IOPS, 4 KiB, steady: limit"][2].value == "dies"
    assert '"as exported","out of date"' in got["These values are"][2].value


def test_what_is_missing_or_saturated_is_said(catalogue):
    flooded = Workload(host_bytes_per_s=80e6)
    plans = [
        plan_drive(find(catalogue, "845DC EVO 240"), flooded),
        plan_drive(own_drive(1e12), flooded),
    ]
    got = rows(sheet_of(plans, catalogue))
    assert got["Writes saturated"][2].value == pytest.approx(100, rel=1e-3)
    assert got["Read latency, p50"][2].value > 1000
    assert got["Cliff"][3].value == "missing"


def test_the_course_is_drawn(pro_400, catalogue):
    sheet = sheet_of([plan_drive(pro_400, BUSY)], catalogue)
    assert len(sheet._charts) == 1
    assert not sheet_of([plan_drive(own_drive(1e12), BUSY)], catalogue)._charts


def test_a_drive_of_an_array_is_judged_beside_its_own_share(pro_400):
    alone = speed_of(plan_drive(pro_400, BUSY))
    shared = speed_of(plan_drive(pro_400, BUSY, array=Array(members=4)))
    assert shared.read_latency_s[99.9] < alone.read_latency_s[99.9]


def test_drives_of_which_other_figures_are_known_stand_beside_each_other(catalogue):
    plans = [plan_of(name, writes="20 MB/s", depth="4") for name in ("PM893 960", "870 EVO 1TB")]
    speeds = [speed_of(answer) for answer in plans]
    assert len(speeds[0].answers) == len(speeds[1].answers) + 1
    book = book_of(plans, catalogue)
    got, array = rows(book["Speed"]), rows(book["Array"])
    for column, answer in enumerate(speeds, start=2):
        for part in (answer.settling_s, answer.random_read_iops, answer.second_sd_iops):
            cell = got[QUANTITIES[part.key].label][column]
            assert cell.value == pytest.approx(shown(part.key, part.value))
    residual = got[QUANTITIES["steady_residual"].label]
    assert residual[2].value == pytest.approx(
        shown("steady_residual", speeds[0].steady_residual.value)
    )
    assert residual[3].value is None
    # Low, high and basis of each stand beside them, as `speed` and arrays have them.
    for index, answer in enumerate(plans):
        ranges, first = speed_ranges_of(answer, speeds[index]), 4 + 3 * index
        reads = ranges.reads[99.9]
        for label, key, each in (
            ("Time until steady state", "settling_s", ranges.answers["settling_s"]),
            ("Read latency, p99.9", "read_s", reads),
        ):
            low, high, basis = (cell.value for cell in got[label][first : first + 3])
            assert (low, high) == pytest.approx((shown(key, each.low), shown(key, each.high)))
            assert low < high
            assert basis == "prior"
        alone = answer.ranges["drive_iops"]
        cells = array["Array IOPS at the queue depth"][first : first + 2]
        assert [cell.value for cell in cells] == pytest.approx([alone.low, alone.high])
