"""The workbook of a purchase as a file: sheets, paper, names, words, and its tables as rows."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from datetime import date

import openpyxl
import pytest
from openpyxl.utils import range_boundaries

from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue import find
from planner.export.procurement import Project, procurement_tables, procurement_workbook
from planner.export.tables import to_csv
from planner.scenario.array import Array, RaidLevel
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.search.choose import Grid, Need, Requirements, choose
from tests.libreoffice import cell, printed_pages
from tests.planner.export.purchases import Case, chosen

EXPORTED = date(2026, 5, 4)
SHEETS = ["Summary", "Comparison", "Quotes", "RFQ", "Sizing", "TCO by year", "Sensitivity",
          "Assumptions", "Sources", "Checks", "Ends"]  # fmt: skip
SINCE_1997 = {
    "ABS", "AND", "COUNT", "COUNTIF", "EXACT", "EXP", "FIXED", "IF", "INT", "ISERROR", "ISNUMBER",
    "ISTEXT", "LN", "INDEX", "MATCH", "MAX", "MID", "MIN", "MOD", "NA", "NORMSDIST", "NORMSINV",
    "NOT", "OR", "RANK", "ROUND", "ROW", "SMALL", "SUM", "SUMPRODUCT",
}  # fmt: skip


@pytest.fixture(scope="module")
def choice(catalogue):
    """A choice that was searched for, with what was rejected and what asking less saves."""
    drives = tuple(
        find(catalogue, name)
        for name in ("845DC PRO 400", "845DC PRO 800", "845DC EVO 960", "860 EVO 1TB")
    )
    requirements = Requirements(
        usable_bytes=4e12, life_s=5 * YEAR_S, life_confidence=0.9, iops=1e5, slots=24,
        loss_probability=0.01, budget_usd=3e4,
    )  # fmt: skip
    grid = Grid(drives=drives, members=(6, 8, 12), levels=("5", "6", "10"))
    return choose(Workload(host_bytes_per_s=5e7), requirements, grid, top=9)


@pytest.fixture(scope="module")
def made(choice, catalogue):
    project = Project(title="Object store", organisation="Buyer", prepared_by="A. Person")
    return procurement_workbook(choice, catalogue, exported=EXPORTED, project=project)


@pytest.fixture(scope="module")
def book(made):
    return openpyxl.load_workbook(io.BytesIO(made))


def texts(sheet):
    return [str(got.value) for row in sheet.iter_rows() for got in row if got.value is not None]


def test_the_same_choice_on_the_same_date_gives_the_same_bytes(choice, catalogue, made):
    project = Project(title="Object store", organisation="Buyer", prepared_by="A. Person")
    again = procurement_workbook(choice, catalogue, exported=EXPORTED, project=project)
    assert again == made
    later = procurement_workbook(choice, catalogue, exported=date(2026, 5, 5), project=project)
    assert later != made


def named(made, name):
    """Return what a named cell shows as exported."""
    book = openpyxl.load_workbook(io.BytesIO(made), data_only=True)
    ((sheet, place),) = book.defined_names[name].destinations
    return book[sheet][place.replace("$", "")].value


def test_the_sensitivities_are_as_exported(made):
    assert named(made, "sensitivity_status") == "as exported"


def test_spare_drives_are_asked_for_too(catalogue):
    case = Case(find(catalogue, "845DC PRO 400"), Array(members=4, level=RaidLevel.RAID5))
    choice = chosen([case], Workload(host_bytes_per_s=1e7), terms=Terms(spare_drives=3))
    made = procurement_workbook(choice, catalogue, exported=EXPORTED)
    (asked,) = items(openpyxl.load_workbook(io.BytesIO(made), data_only=True)["RFQ"])
    assert asked["Drives"] == 4 + 3


def items(sheet):
    """Return what is required of each item by title, up to the cells for an offer."""
    rows = [[got.value for got in row] for row in sheet.iter_rows()]
    (head,) = (place for place, row in enumerate(rows) if row[:2] == ["Item", "Drives"])
    found = []
    for row in rows[head + 1 :]:
        if row[0] is None:
            return found
        found.append(dict(zip(rows[head], row, strict=True)))
    return found


def test_the_request_asks_for_requirements_with_a_column_each_and_room_beside(book, choice, made):
    asked = items(openpyxl.load_workbook(io.BytesIO(made), data_only=True)["RFQ"])
    kept = choice.candidates[:8]
    kinds = {(one.plan.drive.capacity_gb, one.plan.array.members) for one in kept}
    assert len(asked) == len(kinds)
    for item in asked:
        one = next(one for one in kept if (one.plan.drive.capacity_gb, one.plan.array.members)
                   == (item["Capacity at least [GB]"], item["Drives"]))  # fmt: skip
        years = one.ownership.terms.horizon_s / YEAR_S
        used = one.ownership.terms.horizon_s / one.plan["printed_life_s"].value
        needed = one.rated_bytes.value / 1e12 * used
        assert item["Rated writes at least [TB]"] == pytest.approx(needed)
        assert item["Warranty at least [years]"] == years
        protected = one.plan.drive.power_loss_protection == "yes"
        assert item["Power-loss protection"] == ("yes" if protected else "any")
        assert one.plan.drive.form_factor in item["Form factor"]
        assert item["Interface"] in one.plan.drive.interface
    told = " ".join(texts(book["RFQ"]))
    assert not any(one.plan.drive.name in told for one in kept)  # nobody is named
    sheet = book["RFQ"]
    heads = next(row for row in sheet.iter_rows() if row[0].value == "Item")
    for head in heads[2:]:
        below = sheet.cell(head.row + 1, head.column)
        assert below.protection.locked == (head.value != "offered"), head.value


@pytest.fixture(scope="module")
def many(choice, catalogue):
    """The workbook of nine candidates, and of more rejected drives than a page has room for."""
    nine = replace(
        choice, candidates=(choice.candidates * 9)[:9], rejected=(choice.rejected * 9)[:20]
    )
    made = procurement_workbook(nine, catalogue, exported=EXPORTED)
    return openpyxl.load_workbook(io.BytesIO(made))


def visible(book):
    """The sheets that print: steps to ranges are hidden."""
    found = [sheet for sheet in book if sheet.sheet_state == "visible"]
    assert [sheet.title for sheet in found] == SHEETS[:-1]
    return found


def test_at_most_twelve_pages_print(made, choice, catalogue, tmp_path):
    nine = replace(choice, candidates=(choice.candidates * 9)[:9])
    told = Project(title="T" * 60, organisation="O" * 60, notes="Delivered in one lot. " * 12)
    large = procurement_workbook(nine, catalogue, exported=EXPORTED, project=told)
    pages = printed_pages([made, large], tmp_path)
    assert 10 <= pages[0] <= pages[1] <= 12


def test_at_most_eight_candidates_in_eight_sheets(many):
    assert many.sheetnames == SHEETS
    heads = [str(got.value) for got in many["Sizing"][6]]
    assert [head[0] for head in heads if re.match(r"\d\. ", head)] == list("12345678")


def test_pages_are_landscape_a4_one_wide_with_repeated_heads(book):
    for sheet in visible(book):
        setup = sheet.page_setup
        assert (setup.orientation, int(setup.paperSize)) == ("landscape", 9)
        if sheet.title in DECISION:  # Excel leaves out breaks of a sheet that is fitted
            assert int(setup.scale) * FONT >= 100 * LEGIBLE
            assert not sheet.sheet_properties.pageSetUpPr.fitToPage
        else:
            assert (setup.fitToWidth or 1, setup.fitToHeight or 1) == (1, 1)
        assert sheet.print_title_rows
        assert sheet.freeze_panes
        assert sheet.protection.sheet
        assert not sheet.protection.password


DECISION = ("Summary", "Comparison")
FONT, LEGIBLE = 11, 8  # points
BODY = 595 - 72 * (0.5 + 0.6)  # points of landscape A4 between the margins
MOST_WIDTH = 148  # characters across landscape A4 at 8 points, by LibreOffice's paper


@pytest.mark.parametrize(
    "name",
    [
        "Summary",
        "Comparison",
        "Quotes",
        "RFQ",
        "TCO by year",
        "Sensitivity",
        "Assumptions",
        "Sources",
        "Checks",
    ],
)
def test_what_is_printed_is_legible(book, name):
    sheet = book[name]
    last = sheet.max_column if not sheet.print_area else range_boundaries(
        sheet.print_area.rpartition("!")[2].replace("$", ""))[2]  # fmt: skip
    widths = {  # columns of one width side by side are one record
        column: alike.width
        for alike in sheet.column_dimensions.values()
        for column in range(alike.min, alike.max + 1)
    }
    assert sum(widths[column] for column in range(1, last + 1)) <= MOST_WIDTH + last


@pytest.mark.parametrize("name", DECISION)
def test_the_decision_of_eight_candidates_is_four_pages(many, name):
    """Two pages a sheet, the second under the repeated title: each is as high as paper at most."""
    sheet = many[name]
    end = int(sheet.print_area.rpartition("$")[2]) if sheet.print_area else sheet.max_row
    (middle,) = (one.id for one in sheet.row_breaks.brk)
    heights = [sheet.row_dimensions[row].height or 15 for row in range(1, end + 1)]
    for page in (heights[:middle], [heights[0], *heights[middle:]]):
        assert 0.5 * BODY < sum(page) * int(sheet.page_setup.scale) / 100 <= BODY


def test_every_chart_has_a_description(made):
    with zipfile.ZipFile(io.BytesIO(made)) as parts:
        drawings = [parts.read(name).decode() for name in parts.namelist()
                    if re.fullmatch(r"xl/drawings/drawing\d+\.xml", name)]  # fmt: skip
    told = [words for drawing in drawings for words in re.findall(r'descr="([^"]+)"', drawing)]
    assert len(told) == sum(drawing.count("<xdr:graphicFrame") for drawing in drawings) == 4
    assert all(len(words) > 30 for words in told)


def test_inputs_are_open_cells_that_say_what_they_accept(book):
    for name in ("writes", "writes_unit", "horizon_s", "discount_rate", "price_usd", "members_2",
                 "needed_usable_bytes", "life_confidence", "pue"):  # fmt: skip
        got = cell(book, name)
        assert not got.protection.locked, name
        rules = got.parent.data_validations.dataValidation
        assert any(got.coordinate in str(rule.sqref).split() for rule in rules), name
    for name in ("npv_usd", "usable_bytes", "has_usable_bytes", "host_bytes_per_s"):
        assert cell(book, name).protection.locked, name
        assert cell(book, name).data_type == "f", name


def test_workload_is_edited_in_one_place(book):
    """Cells of Sizing that hold what all share are links to Assumptions."""
    assert cell(book, "read_fraction").parent.title == "Assumptions"
    rows = {row[0].value: row[2].value for row in book["Sizing"].iter_rows()}
    assert rows["Read share"].startswith("=Assumptions!$B$")
    assert rows["Host writes"].startswith("=Assumptions!$B$")


def test_only_functions_that_every_spreadsheet_knows(book):
    used, longest = set(), 0
    for sheet in book:
        for row in sheet.iter_rows():
            for got in row:
                if got.data_type == "f":
                    formula = re.sub(r'"[^"]*"', "", str(got.value))
                    used |= set(re.findall(r"([A-Z][A-Z0-9.]*)\(", formula))
                    longest = max(longest, len(str(got.value)))
    assert used <= SINCE_1997
    assert longest < 8192


def test_the_summary_says_what_is_recommended_and_why(book, choice):
    told = texts(book["Summary"])
    assert any(choice.candidates[0].plan.drive.name in words for words in told)
    for words in ("Recommendation", "Asked", "Approval", "Signature", "Object store", "Buyer",
                  "A. Person", "Met with the lowest margin"):  # fmt: skip
        assert words in told, words
    assert any(str(choice.candidates[0].binding.need) in words for words in told)
    for row in choice.rejected[:5]:
        assert row.drive.name in told


def test_values_that_no_formula_follows_are_marked(book, choice):
    rows = [[got.value for got in row] for row in book["Checks"].iter_rows(min_row=6)]
    kinds = {
        row[1].partition(" within")[0]: row[6] for row in rows[: len(choice.candidates[0].met)]
    }
    expected = {str(one.need): "live" for one in choice.candidates[0].met}
    expected |= {str(Need.IOPS): "value", str(Need.LOSS): "value"}
    assert kinds == expected
    assert all(row[8] for row in rows[: len(kinds)] if row[6] == "value")


def test_sources_name_every_fact_used_and_passed_over(book, choice):
    rows = [[got.value for got in row] for row in book["Sources"].iter_rows(min_row=2)]
    used = {(row[0], row[1]) for row in rows if row[6] == "yes"}
    for one in choice.candidates[:8]:
        assert (one.plan.drive.name, "Price per drive") in used
    assert "no" in {row[6] for row in rows}


def test_a_choice_without_candidates_is_refused(choice, catalogue):
    with pytest.raises(DomainError, match=r"^candidates must be"):
        procurement_workbook(replace(choice, candidates=()), catalogue, exported=EXPORTED)


def test_tables_are_the_numbers_of_the_choice(choice, catalogue):
    tables = procurement_tables(choice, catalogue)
    assert json.loads(json.dumps(tables, allow_nan=False)) == tables
    best = choice.candidates[0]
    assert tables["owning"][0]["Net present cost [USD]"] == pytest.approx(
        best.ownership["npv_usd"].value
    )
    assert tables["comparison"][0]["Usable capacity [TB]"] == pytest.approx(
        best.plan["usable_bytes"].value / 1e12
    )
    assert [row["Needed"] for row in tables["checks"][:1]] == [4.0]
    assert len(tables["owning_by_year"]) == 5 * len(choice.candidates)
    assert len(tables["savings"]) == len(choice.savings) > 0
    assert len(tables["rejected"]) == len(choice.rejected) > 0
    assert {row["Used"] for row in tables["sources"]} == {"yes", "no"}


def test_tables_of_nothing_are_empty(choice):
    tables = procurement_tables(replace(choice, candidates=()))
    assert tables["comparison"] == tables["owning_by_year"] == tables["sensitivity"] == []
    assert tables["rejected"]


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', "@SUM(A1)", "-2+3", "+1", "\t=1"])
def test_text_stays_text_in_csv(catalogue, text):
    drive = replace(find(catalogue, "845DC PRO 400"), vendor=text, model="")
    case = Case(drive, Array(members=4, level=RaidLevel.RAID5))
    choice = chosen([case], Workload(host_bytes_per_s=1e7), terms=Terms(currency="=1+1"))
    for name, rows in procurement_tables(choice, catalogue).items():
        for row in csv.reader(io.StringIO(to_csv(rows).decode())):
            for got in row:
                assert not got.startswith(("=", "+", "@", "\t")), (name, got)
                assert got == "" or got[0] != "-" or re.fullmatch(r"-[\d.e+-]+", got), (name, got)
