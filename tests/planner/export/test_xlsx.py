"""The workbook follows its inputs in a real spreadsheet program, to the planner's numbers."""

import io
import re
from dataclasses import replace
from datetime import date, datetime
from functools import partial

import openpyxl
import pytest

from models.calibration import IopsPoint, WaPoint
from models.nomenclature import QUANTITIES
from models.units import DAY_S, GIB, TB, YEAR_S
from planner.catalogue import find
from planner.catalogue.drive import own_drive, with_user_facts
from planner.export.workbook import verdict as verdict_sheet
from planner.export.workbook.book import workbook
from planner.quantity.show import shown
from planner.scenario import workload as scenario
from planner.scenario.array import Array, RaidLevel
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.sections import plan as plan_module
from planner.sections.calibration import with_points
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of
from tests.libreoffice import cell

# At 32, the default, the latencies of the speed sheet take ten times as long to compute.
Workload = partial(scenario.Workload, queue_depth=4)
RAID_5 = Array(members=12, level=RaidLevel.RAID5, member_stall_fraction=0.05)


def value(book, key, column=1):
    return cell(book, key if column == 1 else f"{key}_{column}").value


def fed(answer, name="{}"):
    """Values without a cell formula, which the planner enters, by the name of their cell."""
    keys = ("mixed_wa", "one_log_wa", "host_gc_wa", "one_log_mixed_wa", "host_gc_mixed_wa")
    known = {key: answer.nodes[key].value for key in keys if key in answer.nodes}
    return {name.format(f"{key}_policy_factor"): value for key, value in known.items()}


def assert_follows(book, answer, column=1):
    """Every number of the plan stands in its named cell, to 1e-9; what is missing is said."""
    figures = [node for node in answer.nodes.values() if node.is_computed]
    assert figures
    for node in figures:
        expected = shown(node.key, node.value)
        expected = "never" if expected == float("inf") else pytest.approx(expected, rel=1e-9)
        assert value(book, node.key, column) == expected, node.key
    for missing in answer.missing:
        assert str(value(book, missing.key, column) or "missing").startswith("missing"), missing
    assert_verdict(book, answer, column)


def assert_verdict(book, answer, column=1):
    years = answer.lives.years
    expected = {None: "missing", float("inf"): "never"}.get(years)
    expected = expected or pytest.approx(years, rel=1e-9)
    assert value(book, "first_life", column) == expected
    limit = "none" if years == float("inf") else answer.lives.limit or "unknown"
    assert value(book, "first_limit", column) == limit


def test_every_result_follows_when_inputs_change(pro_400, catalogue, recalculate):
    workload = Workload(host_bytes_per_s=4e12 / DAY_S)
    book = workbook([plan_drive(pro_400, workload, array=RAID_5)], catalogue)
    changes = {
        "host_bytes_per_s": 9000, "growth_per_year": 15, "read_fraction": 40, "transfer_bytes": 16,
        "sequential_fraction": 25, "queue_depth": 8, "fill_fraction": 80, "partition_fraction": 90,
        "members": 8, "parities": 2, "member_stall_fraction": 1, "raw_bytes": 480,
        "pe_cycles": 3000, "rated_bytes": 5000, "price_usd": 700,
    }  # fmt: skip
    changed = plan_drive(
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
    assert_follows(recalculate(book, changes | fed(changed)), changed)


@pytest.mark.parametrize("spare_gib", [401, 480, 1200])
def test_write_amplification_is_live_over_the_whole_range(
    pro_400, catalogue, recalculate, spare_gib
):
    workload = Workload(host_bytes_per_s=1e7)
    drive = with_user_facts(pro_400, raw_bytes=spare_gib * GIB)
    got = recalculate(
        workbook([plan_drive(pro_400, workload)], catalogue), {"raw_bytes": spare_gib}
    )
    assert_follows(got, plan_drive(drive, workload))


FACTS = {
    "raw_bytes": (1024, 1024 * GIB), "pe_cycles": (2500, 2500), "rated_bytes": (600, 600 * TB),
    "warranty_s": (4, 4 * YEAR_S), "rating_period_s": (3, 3 * YEAR_S), "price_usd": (310, 310),
    "worst_case_iops": (800, 800), "saturated_queue_depth": (64, 64),
    "random_read_iops": (90_000, 90_000), "steady_write_iops": (20_000, 20_000),
    "sequential_read_bytes_per_s": (500, 500e6), "sequential_write_bytes_per_s": (400, 400e6),
}  # fmt: skip
SUBSETS = [
    (),
    ("rated_bytes",),
    ("rated_bytes", "warranty_s"),
    ("rated_bytes", "warranty_s", "rating_period_s", "price_usd"),
    ("raw_bytes", "pe_cycles", "price_usd"),
    ("raw_bytes", "rated_bytes"),
    ("random_read_iops", "steady_write_iops", "worst_case_iops"),
    ("steady_write_iops",),
    ("sequential_read_bytes_per_s",),
    ("random_read_iops", "steady_write_iops", "sequential_write_bytes_per_s"),
    ("random_read_iops", "steady_write_iops", "sequential_read_bytes_per_s"),
    tuple(FACTS),
]


@pytest.mark.parametrize(("sequential", "reads"), [(0.0, 0.7), (0.3, 0.0), (1.0, 1.0)])
def test_blanks_may_be_filled_in_in_any_combination(catalogue, recalculate, sequential, reads):
    """A drive of which nothing but the capacity is known, once per combination of facts."""
    workload = Workload(
        host_bytes_per_s=1e7, sequential_fraction=sequential, read_fraction=reads,
        transfer_bytes=8192,
    )  # fmt: skip
    array = Array(members=4, level=RaidLevel.RAID5)
    nameless = own_drive(0.96e12)
    book = workbook([plan_drive(nameless, workload, array=array) for _ in SUBSETS], catalogue)
    names = ["{}" if not index else f"{{}}_{index + 1}" for index in range(len(SUBSETS))]
    changes = {
        name.format(fact): FACTS[fact][0]
        for name, subset in zip(names, SUBSETS, strict=True)
        for fact in subset
    }
    drives = [
        with_user_facts(nameless, **{fact: FACTS[fact][1] for fact in subset}) for subset in SUBSETS
    ]
    answers = [plan_drive(drive, workload, array=array) for drive in drives]
    for name, answer in zip(names, answers, strict=True):
        if 0 < sequential < 1:
            changes |= fed(answer, name)
    got = recalculate(book, changes)
    for column, answer in enumerate(answers, start=1):
        assert_follows(got, answer, column)


def test_raw_flash_and_cycles_of_a_rated_drive_may_be_filled_in(pro_4tb, catalogue, recalculate):
    workload = Workload(host_bytes_per_s=1e8, growth_per_year=0.1)
    book = workbook([plan_drive(pro_4tb, workload), plan_drive(pro_4tb, workload)], catalogue)
    got = recalculate(book, {"raw_bytes_2": 4096, "pe_cycles_2": 900})
    filled = with_user_facts(pro_4tb, raw_bytes=4096 * GIB, pe_cycles=900)
    assert_follows(got, plan_drive(pro_4tb, workload), column=1)
    assert_follows(got, plan_drive(filled, workload), column=2)
    assert value(got, "first_limit", 1) != value(got, "first_limit", 2) == "flash wear"
    assert value(got, "wear_life_s") == "missing: Program/erase cycles, Raw flash"


def test_price_and_stalled_share_may_be_filled_in(catalogue, recalculate):
    workload, array = Workload(host_bytes_per_s=1e7), Array(members=6, level=RaidLevel.RAID5)
    drive = next(d for d in catalogue.drives.values() if "price_usd" not in d.facts and d.facts)
    before = plan_drive(drive, workload, array=array)
    changes = {"price_usd": 432.1, "member_stall_fraction": 2}
    got = recalculate(workbook([before], catalogue), changes)
    assert_follows(
        got,
        plan_drive(
            with_user_facts(drive, price_usd=432.1),
            workload,
            array=replace(array, member_stall_fraction=0.02),
        ),
    )


def test_a_message_names_only_what_is_still_blank(pro_4tb, catalogue, recalculate):
    book = workbook([plan_drive(pro_4tb, Workload(host_bytes_per_s=1e7))], catalogue)
    got = recalculate(book, {"raw_bytes": 4096})
    assert value(got, "wear_life_s") == "missing: Program/erase cycles"


def test_sequential_share_is_live_while_raw_flash_is_blank(pro_4tb, catalogue, recalculate):
    workload = Workload(host_bytes_per_s=1e7, sequential_fraction=1.0)
    book = workbook([plan_drive(pro_4tb, workload)], catalogue)
    got = recalculate(book, {"sequential_fraction": 50})
    assert_follows(got, plan_drive(pro_4tb, replace(workload, sequential_fraction=0.5)))


def test_growth_that_never_reaches_the_limit_is_said_so(pro_400, catalogue, recalculate):
    shrinking = Workload(host_bytes_per_s=1e6, growth_per_year=-0.5)
    without = {name: fact for name, fact in pro_400.facts.items() if name != "warranty_s"}
    plans = [plan_drive(pro_400, shrinking), plan_drive(replace(pro_400, facts=without), shrinking)]
    got = recalculate(workbook(plans, catalogue))
    assert value(got, "rated_life_s") == "never"
    assert (value(got, "first_life"), value(got, "warranty_s")) == (5, 5)
    assert (value(got, "first_life", 2), value(got, "first_limit", 2)) == ("never", "none")


STEPPED = Workload(
    host_bytes_per_s=4e12 / DAY_S, rate_steps=((YEAR_S, 1.5), (2 * YEAR_S, 0.5)),
    phase_in_s=YEAR_S / 2,
)  # fmt: skip
COURSES = {  # what is typed in, and what it means
    "as it is": ({}, {}),
    "within the phase-in": (
        {"growth_per_year": 20, "phase_in_s": 60},
        {"growth_per_year": 0.2, "phase_in_s": 5 * YEAR_S},
    ),
    "steep": (
        {"growth_per_year": 400, "phase_in_s": 48, "step_1_factor": 4, "step_2_s": 1},
        {"growth_per_year": 4.0, "phase_in_s": 4 * YEAR_S,
         "rate_steps": ((YEAR_S, 0.5), (YEAR_S, 4.0))},
    ),
    "never": ({"growth_per_year": -90}, {"growth_per_year": -0.9}),
    "no phase-in": ({"growth_per_year": 1e-4, "phase_in_s": 0},
                    {"growth_per_year": 1e-6, "phase_in_s": 0.0}),
}  # fmt: skip


def test_steps_and_phase_in_are_live(pro_400, catalogue, recalculate):
    book = workbook([plan_drive(pro_400, STEPPED) for _ in COURSES], catalogue)
    changes = {
        name if column == 1 else f"{name}_{column}": number
        for column, (typed, _) in enumerate(COURSES.values(), start=1)
        for name, number in typed.items()
    }
    got = recalculate(book, changes)
    for column, (_, meant) in enumerate(COURSES.values(), start=1):
        assert_follows(got, plan_drive(pro_400, replace(STEPPED, **meant)), column)
    exported = openpyxl.load_workbook(io.BytesIO(book), data_only=True)
    on_the_way = r"[a-z_]+_life_s_(clock_without_step_\d|clock_after_the_phase_in|.*_step_7)_s"
    names = [name for name in exported.defined_names if re.fullmatch(on_the_way, name)]
    assert len(names) == 7 * 4
    for name in names:
        assert value(exported, name) == pytest.approx(value(got, name), rel=1e-9), name


def test_steps_alone_are_live_and_wait_for_missing_facts(pro_4tb, catalogue, recalculate):
    stepped = replace(STEPPED, phase_in_s=0.0, growth_per_year=0.1)
    book = workbook([plan_drive(pro_4tb, stepped), plan_drive(pro_4tb, stepped)], catalogue)
    facts = {"raw_bytes_2": 4096, "pe_cycles_2": 900, "step_2_factor": 3}
    got = recalculate(book, facts)
    changed = replace(stepped, rate_steps=((YEAR_S, 1.5), (2 * YEAR_S, 3.0)))
    assert_follows(got, plan_drive(pro_4tb, changed), column=1)
    filled = with_user_facts(pro_4tb, raw_bytes=4096 * GIB, pe_cycles=900)
    assert_follows(got, plan_drive(filled, changed), column=2)


IN_LOG = Firmware(layout=Layout.ONE_LOG)


@pytest.mark.parametrize("writes", [(1.0,), (0.8, 0.2)])
def test_a_policy_without_cell_formula_enters_as_a_factor(pro_400, catalogue, recalculate, writes):
    drive = with_user_facts(pro_400, pages_per_block=128)
    workload = Workload(host_bytes_per_s=1e7, write_shares=writes, page_shares=writes[::-1])
    answer = plan_drive(drive, workload, firmware=IN_LOG)
    got = recalculate(workbook([answer], catalogue))
    assert_follows(got, answer)
    labels = [row[0].value or "" for row in got["Plan"].iter_rows()]
    (label,) = (
        label for label in labels if "policy factor" in label and "of random writes" in label
    )
    assert "only" in label
    assert value(got, "random_wa_policy_factor") > 0


def test_a_factor_is_asked_for_where_the_spare_area_is_unknown(pro_4tb, catalogue, recalculate):
    workload = Workload(host_bytes_per_s=1e7, write_shares=(0.8, 0.2), page_shares=(0.2, 0.8))
    book = workbook([plan_drive(pro_4tb, workload, firmware=IN_LOG)], catalogue)
    got = recalculate(book, {"raw_bytes": 4400, "pe_cycles": 900})
    assert value(got, "random_wa_policy_factor") is None
    assert value(got, "wear_life_s") == "#N/A"
    assert got["Plan"]["B5"].value > 0
    got = recalculate(book, {"raw_bytes": 4400, "random_wa_policy_factor": 1.5})
    assert got["Plan"]["B5"].value == 0
    assert value(got, "workload_wa") == pytest.approx(1.5 * value(got, "rating_wa"), rel=1e-9)


def test_one_edit_of_the_workload_moves_every_drive(pro_400, pro_4tb, catalogue, recalculate):
    workload = Workload(host_bytes_per_s=1e7)
    book = workbook([plan_drive(pro_400, workload), plan_drive(pro_4tb, workload)], catalogue)
    changes = {"host_bytes_per_s": 2e7 * DAY_S / GIB, "members": 3, "member_stall_fraction": 4}
    got = recalculate(book, changes)
    doubled = replace(workload, host_bytes_per_s=2e7)
    array = Array(members=3, member_stall_fraction=0.04)
    assert_follows(got, plan_drive(pro_400, doubled, array=array), column=1)
    assert_follows(got, plan_drive(pro_4tb, doubled, array=array), column=2)


def test_every_drive_of_a_mirror_is_a_copy(pro_400, catalogue, recalculate):
    workload = Workload(host_bytes_per_s=1e7)
    mirror = Array(members=2, level=RaidLevel.RAID1)
    mirrored = Array(members=4, level=RaidLevel.RAID10)
    book = workbook([plan_drive(pro_400, workload, array=a) for a in (mirror, mirrored)], catalogue)
    assert cell(opened_bytes(book), "copies").protection.locked
    got = recalculate(book, {"members": 3})
    assert_follows(got, plan_drive(pro_400, workload, array=replace(mirror, members=3)), column=1)
    assert_follows(got, plan_drive(pro_400, workload, array=mirrored), column=2)


def test_cached_values_are_what_the_formulas_give(pro_400, pro_4tb, busy, catalogue, recalculate):
    drives = [pro_400, pro_4tb, own_drive(1e12), find(catalogue, "840 EVO 250")]
    book = workbook([plan_drive(drive, busy, array=RAID_5) for drive in drives], catalogue)
    cached = opened_bytes(book, data_only=True)["Plan"].iter_rows(min_row=6)
    fresh = recalculate(book)["Plan"].iter_rows(min_row=6)
    for old, new in zip(cached, fresh, strict=True):
        for before, after in zip(old, new, strict=True):
            wanted = before.value or None
            if isinstance(wanted, float | int):
                wanted = pytest.approx(wanted, rel=1e-8)
            assert (after.value or None) == wanted, before.coordinate
    for column, drive in enumerate(drives, start=1):
        answer = plan_drive(drive, busy, array=RAID_5)
        assert_follows(opened_bytes(book, data_only=True), answer, column)


def opened_bytes(book, **options):
    return openpyxl.load_workbook(io.BytesIO(book), **options)


def opened(answer, catalogue):
    return opened_bytes(workbook([answer], catalogue))


def test_inputs_are_unlocked_numbers_and_results_locked_formulas(pro_400, busy, catalogue):
    book = opened(plan_drive(pro_400, busy), catalogue)
    assert book["Plan"].protection.sheet
    for name, locked in (("raw_bytes", False), ("wear_life_s", True), ("workload_wa", True)):
        assert cell(book, name).protection.locked is locked
        assert (cell(book, name).data_type == "f") is locked
    assert not cell(book, "member_stall_fraction").protection.locked
    assert not cell(book, "array_quantile").protection.locked


def test_constants_are_no_inputs(pro_4tb, busy, catalogue):
    book = opened(plan_drive(pro_4tb, busy), catalogue)
    for name in ("equal_wa", "naive_wa", "rated_transfer_bytes"):
        assert cell(book, name).protection.locked
        assert cell(book, name).data_type == "n"


def test_every_open_cell_says_what_it_accepts(pro_4tb, busy, catalogue):
    sheet = opened(plan_drive(pro_4tb, busy, array=RAID_5), catalogue)["Plan"]
    rules = {str(rule.sqref): rule for rule in sheet.data_validations.dataValidation}
    unlocked = [c for row in sheet.iter_rows() for c in row if not c.protection.locked]
    assert len(unlocked) > 15
    for got in unlocked:
        label = sheet.cell(got.row, 1).value
        rule = rules[got.coordinate]
        assert rule.error.startswith(f"{label} must be "), label
        assert rule.formula1.count(got.coordinate) >= 2


TRIED = {
    "members": ([2, 12], [0, 1, 1.5, -3, "twelve"]),
    "parities": ([0, 2], [-1, 0.5, 12, "one"]),
    "copies": ([1], [0, 1.5, 12]),
    "queue_depth": ([0.5, 32], [0, -1]),
    "fill_fraction": ([0.1, 100], [0, 100.1]),
    "partition_fraction": ([0.1, 100], [0, 100.1]),
    "read_fraction": ([0, 100], [-1, 101]),
    "growth_per_year": ([-99, 0, 400], [-100]),
    "raw_bytes": ([373, 512], [372, 0, "much"]),
    "user_bytes": ([400, 549], [0, 550]),
}


def test_validation_draws_the_line_where_the_formulas_do(pro_400, busy, catalogue, recalculate):
    """The rules themselves, evaluated in spare cells beside copies of the inputs."""
    book = opened(plan_drive(pro_400, busy, array=RAID_5), catalogue)
    sheet = book["Plan"]
    rules = {str(rule.sqref): rule for rule in sheet.data_validations.dataValidation}
    expected = {}
    for key, (fits, refused) in TRIED.items():
        place = cell(book, key).coordinate
        for tried in [*fits, *refused]:
            row = 200 + len(expected)
            sheet.cell(row, 20).value = tried
            sheet.cell(row, 21).value = "=" + rules[place].formula1.replace(place, f"T{row}")
            expected[row] = (key, tried, tried in fits)
    out = io.BytesIO()
    book.save(out)
    got = recalculate(out.getvalue())["Plan"]
    for row, (key, tried, fits) in expected.items():
        assert (got.cell(row, 21).value is True) is fits, (key, tried)


def test_a_step_comes_not_before_the_one_before_it(pro_400, catalogue):
    book = opened(plan_drive(pro_400, STEPPED), catalogue)
    rules = {
        str(rule.sqref): rule.formula1 for rule in book["Plan"].data_validations.dataValidation
    }
    first, second = cell(book, "step_1_s").coordinate, cell(book, "step_2_s").coordinate
    assert f"{first}>=0" in rules[first]
    assert f"{second}>={first}" in rules[second]
    assert f"{cell(book, 'step_2_factor').coordinate}>0" in str(rules.values())


def test_each_drive_has_its_own_provenance(pro_400, catalogue, busy):
    plans = [plan_drive(drive, busy) for drive in (pro_400, find(catalogue, "840 EVO 250"))]
    sheet = opened_bytes(workbook(plans, catalogue))["Plan"]
    (source,) = (head.column - 1 for head in sheet[6] if head.value == "Source")
    told = {row[0].value: row[source].value for row in sheet.iter_rows()}
    first, second = told["Price per drive"].split(" | ")
    assert first.startswith("Samsung 845DC PRO 400 GB: anandtech-8319")
    assert second.startswith("Samsung 840 EVO 250 GB: anandtech-7173")
    assert told["Host writes"] == "workload"


def test_missing_facts_are_listed_with_what_would_supply_them(pro_4tb, busy, catalogue):
    book = opened(plan_drive(pro_4tb, busy), catalogue)
    statement = [row[2].value for row in book["Assumptions"].iter_rows()]
    assert any(line.startswith("Raw flash: ") for line in statement)


def test_sources_name_every_fact_used_and_passed_over(pro_400, busy, catalogue):
    answer = plan_drive(pro_400, busy)
    sheet = opened(answer, catalogue)["Sources"]
    lines = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    assert {line[6] for line in lines} == {"yes", "no"}
    used = {line[1] for line in lines if line[6] == "yes"}
    assert {QUANTITIES[name].label for name in ("raw_bytes", "pe_cycles", "price_usd")} <= used
    assert {line[7] for line in lines} <= catalogue.sources.keys()


HOSTILE = ['=HYPERLINK("http://x")', "@SUM(A1)", "-2+3", "+1", "=1+1"]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_never_becomes_a_formula(pro_400, busy, catalogue, text):
    drive = replace(pro_400, vendor=text, model="")
    for sheet in opened_bytes(
        workbook([plan_drive(drive, busy), plan_drive(pro_400, busy)], catalogue)
    ):
        for row in sheet.iter_rows():
            for got in row:
                if isinstance(got.value, str) and got.value.startswith(text):
                    assert got.data_type == "s"


def test_the_top_says_what_the_sheet_is(pro_4tb, busy, catalogue):
    answer = plan_drive(pro_4tb, busy)
    sheet = opened_bytes(workbook([answer], catalogue, exported=date(2026, 5, 4)))["Plan"]
    assert "plan" in sheet["A1"].value
    assert pro_4tb.name in sheet["A2"].value
    assert sheet["B3"].value == datetime(2026, 5, 4)
    assert sheet["B3"].is_date
    assert "blue cells" in sheet["A4"].value


def test_pages_are_landscape_a4_one_wide_with_header_and_numbers(pro_4tb, busy, catalogue):
    for sheet in opened(plan_drive(pro_4tb, busy), catalogue):
        setup = sheet.page_setup
        assert (setup.orientation, int(setup.paperSize)) == ("landscape", 9)
        assert (setup.fitToWidth or 1, setup.fitToHeight) == (1, 0)
        assert sheet.print_title_rows
        assert "&P" in sheet.oddFooter.center.text
        assert "&D" in sheet.oddFooter.right.text
        assert sheet.freeze_panes


def test_every_number_has_a_format(pro_400, busy, catalogue):
    for row in opened(plan_drive(pro_400, busy, array=RAID_5), catalogue)["Plan"].iter_rows(
        min_row=7
    ):
        for got in row:
            if got.data_type == "n" and got.value is not None:
                assert got.number_format != "General", got.coordinate


def test_lacking_answers_are_missing_in_the_sheet_as_in_the_plan(catalogue, busy):
    answer = plan_drive(own_drive(1e12), busy)
    assert any(not part.is_known for part in answer.missing)
    book = opened_bytes(workbook([answer], catalogue), data_only=True)
    assert_follows(book, answer)
    assert value(book, "first_life") == "missing"


def judged_before(monkeypatch, plans):
    """Judge plans and place their data now: the drive that a verdict advises is planned for it."""
    of = {id(plan): verdict_sheet.verdict(plan) for plan in plans}
    assert all(plan.placement is not None for plan in plans)
    monkeypatch.setattr(verdict_sheet, "verdict", lambda plan, *_, **__: of[id(plan)])


def test_one_plan_is_made_per_drive(pro_400, pro_4tb, busy, catalogue, monkeypatch):
    made, graph_of = [], plan_module.plan_graph
    monkeypatch.setattr(
        plan_module, "plan_graph", lambda structure: made.append(structure) or graph_of(structure)
    )
    plans = [plan_drive(drive, busy, array=RAID_5) for drive in (pro_400, pro_4tb, own_drive(1e12))]
    count = len(made)
    judged_before(monkeypatch, plans)
    made.clear()
    workbook(plans, catalogue)
    assert count == len(plans)
    assert not made


def test_no_end_of_what_is_assumed_is_planned_by_itself(catalogue, monkeypatch):
    """All ends are read together, those of placement, of the array and of data loss too."""
    answer = plan_of("860 PRO 4TB", writes="1 TB/day", sequential="30%", drives="4", raid="5")
    judged_before(monkeypatch, [answer])
    made, graph_of = [], plan_module.plan_graph
    monkeypatch.setattr(
        plan_module, "plan_graph", lambda structure: made.append(structure) or graph_of(structure)
    )
    workbook([answer], catalogue)
    assert not made


MIXED = Workload(host_bytes_per_s=2e7, sequential_fraction=0.3, read_fraction=0.5)
ERASURE = Array(members=14, level=RaidLevel.EC, data_members=8, parity_members=3, hot_spares=2)
BLOCKS = {"blocks": 330.0, "reserve": 4.0}


def test_other_layouts_policies_and_measurements_follow_edits(
    pro_400, pro_4tb, catalogue, recalculate_all, tmp_path
):
    """Three workbooks: erasure codes with spares, blocks in reserve, measured amplification."""
    by_chance = Firmware(policy=Policy.RANDOM)
    measured = replace(MIXED, measured_wa=1.7)
    blocked = with_user_facts(pro_400, **BLOCKS)
    cases = [
        (
            [plan_drive(pro_400, MIXED, array=ERASURE, firmware=by_chance)],
            {"members": 20, "raw_bytes": 480, "sequential_fraction": 60, "read_fraction": 0},
            [
                plan_drive(
                    with_user_facts(pro_400, raw_bytes=480 * GIB),
                    replace(MIXED, sequential_fraction=0.6, read_fraction=0.0),
                    array=replace(ERASURE, members=20),
                    firmware=by_chance,
                )
            ],
        ),
        (
            [plan_drive(blocked, replace(MIXED, sequential_fraction=0.0))],
            {"reserve": 8, "fill_fraction": 90, "trim_share": 10},
            [
                plan_drive(
                    with_user_facts(blocked, reserve=8.0),
                    replace(MIXED, sequential_fraction=0.0, fill_fraction=0.9, trim_share=0.1),
                )
            ],
        ),
        (
            [plan_drive(drive, measured, rating_wa=2.5) for drive in (pro_400, pro_4tb)],
            {"workload_wa": 3, "rating_wa": 4, "rating_wa_2": 5, "raw_bytes_2": 4400},
            [
                plan_drive(pro_400, replace(measured, measured_wa=3.0), rating_wa=4.0),
                plan_drive(with_user_facts(pro_4tb, raw_bytes=4400 * GIB), measured, rating_wa=5.0),
            ],
        ),
    ]
    fitted = with_points(blocked, [WaPoint(2.0, 400e9), IopsPoint(5e4, 400e9)])
    followed = replace(MIXED, measured_wa=1.7, measured_span_bytes=400e9)
    values = {"effective_raw_bytes": 480, "copy_cost": 0.5, "base_factor": 1.05}
    edited = with_user_facts(fitted, **values | {"effective_raw_bytes": 480 * GIB})
    cases += [
        (
            [plan_drive(fitted, replace(MIXED, sequential_fraction=0.0))],
            {**values, "partition_fraction": 80, "program_iops": 2e5},
            [
                plan_drive(
                    with_user_facts(edited, program_iops=2e5),
                    replace(MIXED, sequential_fraction=0.0),
                    partition_fraction=0.8,
                )
            ],
        ),
        (
            [plan_drive(pro_400, replace(followed, sequential_fraction=0.0))],
            {"partition_fraction": 80, "measured_wa": 1.5, "measured_span_bytes": 300},
            [
                plan_drive(
                    pro_400,
                    replace(
                        followed,
                        sequential_fraction=0.0,
                        measured_wa=1.5,
                        measured_span_bytes=300 * GIB,
                    ),
                    partition_fraction=0.8,
                )
            ],
        ),
    ]
    books = [(workbook(before, catalogue), changes) for before, changes, _ in cases]
    for book, (_, _, after) in zip(recalculate_all(books, tmp_path), cases, strict=True):
        assert book["Plan"]["B5"].value == 0
        for column, answer in enumerate(after, start=1):
            assert_follows(book, answer, column)


def test_what_is_out_of_date_is_an_error_and_counted(pro_400, catalogue, recalculate):
    drive = with_user_facts(pro_400, pages_per_block=128)
    book = workbook([plan_drive(drive, MIXED, firmware=IN_LOG)], catalogue)
    before = recalculate(book)
    assert before["Plan"]["B5"].value == 0
    got = recalculate(book, {"raw_bytes": 480})
    late = ("random_wa", "sequential_credit", "workload_wa", "rated_limit_bytes", "wear_life_s")
    assert {value(got, name) for name in late} == {"#N/A"}
    assert value(got, "first_life") == "#N/A"
    assert value(got, "printed_life_s") == pytest.approx(value(before, "printed_life_s"))
    assert got["Plan"]["B5"].value > len(late)
    assert [states(each) for each in (before, got)] == [
        {"Plan": "as exported", "Speed": "as exported", "Array": "as exported"},
        {"Plan": "export again", "Speed": "out of date", "Array": "out of date"},
    ]


def states(book):
    """Return what each sheet says of the values that no formula follows."""
    factor = cell(book, "random_wa_policy_factor")
    return {
        "Plan": factor.parent.cell(factor.row, factor.column + 3).value,
        **{name: book[name]["C3"].value for name in ("Speed", "Array")},
    }


def beside(book, key, column=1, plans=1):
    """Return low, high and basis of a number."""
    got = cell(book, key if column == 1 else f"{key}_{column}")
    first = got.column + (plans - column) + 3 * (column - 1) + 1
    return [got.parent.cell(got.row, first + place).value for place in range(3)]


def test_every_number_stands_beside_its_ends(catalogue, recalculate):
    answers = [plan_of("PM893 960", writes="2 TB/day"), plan_of("845DC PRO 400", writes="2 TB/day")]
    book = workbook(answers, catalogue)
    same = recalculate(book)
    for column, answer in enumerate(answers, start=1):
        for key, each in answer.ranges.items():
            low, high, basis = beside(same, key, column, len(answers))
            assert basis == each.basis, key
            assert (low is not None) is each.is_wide, key
            if each.is_wide:
                ends = [shown(key, end) for end in (each.low, each.high)]
                assert [low, high] == pytest.approx(ends, rel=1e-12), key
    item = next(item for item in answers[0].assumed if item.quantity == "pe_cycles")
    assert beside(same, "pe_cycles", 1, 2) == [item.low, item.high, "prior"]
