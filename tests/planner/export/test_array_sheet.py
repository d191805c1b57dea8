"""The array of each plan on a sheet of its own: values as exported, and a chart."""

import io

import openpyxl
import pytest

from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.catalogue.drive import own_drive
from planner.export.workbook.book import workbook
from planner.scenario.array import Array, RaidLevel
from planner.scenario.workload import Workload
from planner.sections.array_queue import CURVE_DEPTHS, array_queue
from planner.sections.data_loss import data_loss, remedies
from planner.sections.plan import plan_drive

BUSY = Workload(host_bytes_per_s=300e6)


@pytest.fixture(scope="module")
def answers(catalogue):
    from planner.catalogue import find

    array = Array(members=12, level=RaidLevel.RAID5, hot_spares=1)
    return [
        plan_drive(find(catalogue, "845DC PRO 400"), BUSY, array=array),
        plan_drive(own_drive(1e12), BUSY, array=Array(members=12)),
        plan_drive(find(catalogue, "900P 480"), BUSY, array=Array(members=12)),  # without blocks
    ]


@pytest.fixture(scope="module")
def sheet(answers, catalogue):
    return openpyxl.load_workbook(io.BytesIO(workbook(answers, catalogue)))["Array"]


def rows(sheet):
    return {row[0].value: row for row in sheet.iter_rows() if row[0].value}


def test_the_sheet_shows_what_the_planner_says(answers, sheet):
    got, queue, mended = rows(sheet), array_queue(answers[0]), remedies(answers[0])
    lost = mended[0].data_loss
    assert got["Layout"][2].value == "12 x RAID 5, 1 spare"
    assert got["Array IOPS at the queue depth"][2].value == pytest.approx(queue.iops.value)
    assert got["Data loss of the array"][2].value == pytest.approx(
        100 * lost["array_loss_probability"].value
    )
    assert got["Data loss by unreadable sectors"][2].value == pytest.approx(
        100 * lost["array_unreadable_loss_probability"].value
    )
    assert got["Drives to replace"][2].value == pytest.approx(lost["mean_replacements"].value)
    for remedy in mended[1:]:
        label = f"Data loss, {remedy.name[0].lower()}{remedy.name[1:]}"
        assert got[label][2].value == pytest.approx(
            100 * remedy.data_loss["array_loss_probability"].value
        )


def test_values_are_marked_as_such_and_stand_beside_their_inputs(answers, sheet):
    got, lost = rows(sheet), remedies(answers[0])[0].data_loss
    assert sheet["A1"].value == "Array: values as exported, not live"
    assert got["AFR"][2].value == pytest.approx(100 * lost["afr_fraction"].value)
    assert got["Horizon"][2].value == pytest.approx(lost.risk.horizon_s / YEAR_S)
    assert all(note in got for note in lost.notes)


def test_the_curve_is_written_and_drawn(answers, sheet):
    curve = {
        row[1].value: row[2].value for row in sheet.iter_rows() if row[1].value in CURVE_DEPTHS
    }
    assert list(curve.values()) == pytest.approx(array_queue(answers[0]).curve_iops.value.tolist())
    assert len(sheet._charts) == 1


def test_what_is_missing_is_said(sheet):
    assert rows(sheet)["Array IOPS at the queue depth"][3].value == "missing"


def test_what_not_every_drive_has_stands_under_those_that_have_it(answers, sheet):
    (label,) = [label for label in rows(sheet) if label == QUANTITIES["first_worn_cycles"].label]
    has = ["first_worn_cycles" in {part.key for part in data_loss(one).further} for one in answers]
    assert has == [True, has[1], False]
    assert [cell.value is not None for cell in rows(sheet)[label][2:5]] == has
