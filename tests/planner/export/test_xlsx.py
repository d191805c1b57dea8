"""The workbook follows its inputs in a real spreadsheet program, to the planner's numbers."""

import io
from dataclasses import replace

import openpyxl
import pytest

from models.nomenclature import QUANTITIES
from models.units import DAY_S, GIB
from planner.array import Array, RaidLevel
from planner.catalogue import find
from planner.drive import with_user_facts
from planner.export.xlsx import workbook
from planner.figures import Figure
from planner.plan import plan
from planner.quantities import shown
from planner.workload import Workload
from tests.libreoffice import cell, recalculated

RAID_5 = Array(members=12, level=RaidLevel.RAID5, member_stall_fraction=0.05)


def assert_follows(book, answer, column=1):
    """Every number of the plan stands in its named cell, to 1e-9."""
    suffix = "" if column == 1 else f"_{column}"
    figures = [node for node in answer.nodes.values() if isinstance(node, Figure)]
    assert figures
    for node in figures:
        got = cell(book, f"{node.key}{suffix}").value
        assert got == pytest.approx(shown(node.key, node.value), rel=1e-9), node.key


def test_every_result_follows_when_inputs_change(pro_400, catalogue, tmp_path):
    workload = Workload(host_bytes_per_s=4e12 / DAY_S)
    book = workbook([plan(pro_400, workload, array=RAID_5)], catalogue)
    changes = {
        "host_bytes_per_s": 9000, "growth_per_year": 15, "read_fraction": 40, "transfer_bytes": 16,
        "sequential_fraction": 25, "queue_depth": 8, "fill_fraction": 80, "partition_fraction": 90,
        "members": 8, "parities": 2, "member_stall_fraction": 1, "raw_bytes": 480,
        "pe_cycles": 3000, "rated_bytes": 5000, "price_usd": 700,
    }  # fmt: skip
    changed = plan(
        with_user_facts(
            pro_400, raw_bytes=480 * GIB, pe_cycles=3000, rated_bytes=5e15, price_usd=700
        ),
        Workload(
            host_bytes_per_s=9000 * GIB / DAY_S, growth_per_year=0.15, read_fraction=0.4,
            transfer_bytes=16384, sequential_fraction=0.25, queue_depth=8, fill_fraction=0.8,
        ),
        array=Array(members=8, level=RaidLevel.RAID6, member_stall_fraction=0.01),
        partition_fraction=0.9,
    )  # fmt: skip
    got = recalculated(book, tmp_path, changes)
    assert_follows(got, changed)
    sheet = {row[0].value: row[2].value for row in got["Plan"].iter_rows() if row[0].value}
    assert sheet["First limit"] == changed.lifetime.limit
    assert sheet["Life to the first limit"] == pytest.approx(changed.lifetime.years, rel=1e-9)


@pytest.mark.parametrize("spare_gib", [401, 480, 1200])
def test_write_amplification_is_live_over_the_whole_range(pro_400, catalogue, tmp_path, spare_gib):
    workload = Workload(host_bytes_per_s=1e7)
    drive = with_user_facts(pro_400, raw_bytes=spare_gib * GIB)
    got = recalculated(
        workbook([plan(pro_400, workload)], catalogue), tmp_path, {"raw_bytes": spare_gib}
    )
    assert_follows(got, plan(drive, workload))


def test_growth_that_never_reaches_the_limit_is_said_so(pro_400, catalogue, tmp_path):
    shrinking = Workload(host_bytes_per_s=1e6, growth_per_year=-0.5)
    got = recalculated(workbook([plan(pro_400, shrinking)], catalogue), tmp_path)
    assert cell(got, "rated_life_s").value == "never"
    assert cell(got, "warranty_s").value == 5


def test_a_policy_without_cell_formula_enters_as_a_factor(pro_400, catalogue, tmp_path):
    drive = with_user_facts(pro_400, pages_per_block=128)
    answer = plan(drive, Workload(host_bytes_per_s=1e7))
    got = recalculated(workbook([answer], catalogue), tmp_path)
    assert_follows(got, answer)
    labels = [row[0].value for row in got["Plan"].iter_rows()]
    assert "Write amplification of random writes: policy factor, greedy / fifo" in labels


def test_drives_side_by_side_are_all_live(pro_400, pro_4tb, catalogue, tmp_path):
    workload = Workload(host_bytes_per_s=1e7)
    book = workbook([plan(pro_400, workload), plan(pro_4tb, workload)], catalogue)
    doubled = replace(workload, host_bytes_per_s=2e7)
    got = recalculated(book, tmp_path, {"host_bytes_per_s_2": 2e7 * DAY_S / GIB})
    assert_follows(got, plan(pro_400, workload), column=1)
    assert_follows(got, plan(pro_4tb, doubled), column=2)


def opened(answer, catalogue):
    return openpyxl.load_workbook(io.BytesIO(workbook([answer], catalogue)))


def test_cached_values_are_the_planners(pro_400, busy, catalogue):
    answer = plan(pro_400, busy, array=RAID_5)
    book = openpyxl.load_workbook(io.BytesIO(workbook([answer], catalogue)), data_only=True)
    assert_follows(book, answer)


def test_inputs_are_unlocked_numbers_and_results_locked_formulas(pro_400, busy, catalogue):
    book = opened(plan(pro_400, busy), catalogue)
    assert book["Plan"].protection.sheet
    for name, locked in (("raw_bytes", False), ("wear_life_s", True), ("workload_wa", True)):
        assert cell(book, name).protection.locked is locked
        assert (cell(book, name).data_type == "f") is locked


def test_a_missing_fact_is_said_in_its_cell(pro_4tb, busy, catalogue):
    book = opened(plan(pro_4tb, busy), catalogue)
    values = {row[0].value: row[2].value for row in book["Plan"].iter_rows()}
    assert values["Life by flash wear"] == "missing: Program/erase cycles, Raw flash"
    said = [row[2].value for row in book["Assumptions"].iter_rows()]
    assert any(line.startswith("Raw flash: ") for line in said)


def test_sources_name_every_fact_used_and_passed_over(pro_400, busy, catalogue):
    answer = plan(pro_400, busy)
    sheet = opened(answer, catalogue)["Sources"]
    lines = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    assert {line[6] for line in lines} == {"yes", "no"}
    used = {line[1] for line in lines if line[6] == "yes"}
    assert {QUANTITIES[name].label for name in ("raw_bytes", "pe_cycles", "price_usd")} <= used


HOSTILE = ['=HYPERLINK("http://x")', "@SUM(A1)", "-2+3", "+1", "=1+1"]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_never_becomes_a_formula(pro_400, busy, catalogue, text):
    drive = replace(pro_400, vendor=text, model="")
    for sheet in opened(plan(drive, busy), catalogue):
        for row in sheet.iter_rows():
            for got in row:
                if isinstance(got.value, str) and got.value.startswith(text):
                    assert got.data_type == "s"


def test_unrated_drive_still_gives_a_workbook(catalogue, busy):
    drive = find(catalogue, "840 EVO mSATA 1TB")
    book = opened(plan(drive, busy), catalogue)
    assert book["Plan"]["C6"].value == "missing"
