"""References in the workbook of a purchase meet the cells that they are about, without an office.

Every formula is computed from what the cells that it refers to hold as exported, and must give
what its own cell holds. Where values may be alike, labels and names tell cells apart.
"""

import re
from datetime import date

import pytest

from models.nomenclature import QUANTITIES
from planner.export.procurement import procurement_workbook
from planner.export.procurement import workbook as maker
from planner.export.procurement.layout import Block
from planner.export.procurement.page import absolute
from tests.planner.export import edits
from tests.planner.export.formulas import Workbook, compiled
from tests.planner.export.test_procurement import STEPPED, of_asked

EXPORTED = date(2026, 5, 4)
PURCHASES = {
    "missing figures, steps of the writes": lambda catalogue: of_asked(catalogue, STEPPED),
    "quotes in two currencies": lambda _: edits.choice("EUR"),
    "clusters": lambda _: edits.choice(edits.CLUSTERS),
}
COMPARED = {  # title of a column without its unit: label of what it shows
    "Drives": "Drives",
    "Price per drive": "Price per drive",
    "Extended price": "Price of the drives bought at the start",
    "Usable capacity": "Usable capacity",
    "Price per TB written": "Price per TB written",
    "Drive writes a day needed": "Drive writes per day to each drive",
    "Drive writes a day offered": "Rated drive writes per day",
    "Write amplification": "Workload write amplification",
    "Flash wear-out, even wear": "Life by flash wear",
    "Flash wear-out, low": "Life by flash wear, low",
    "Flash wear-out, high": "Life by flash wear, high",
    "First limit": "First limit",
    "IOPS, deep queue": "IOPS budget of the array",
    "Longest latency of one drive": "Longest latency",
    "Net present cost": "Net present cost",
    "Equivalent annual cost": "Equivalent annual cost",
    "Per usable TB and year": "Cost per usable TB and year",
    "Drives replaced": "Drives to replace within the horizon",
    "Energy": "Energy",
    "Carbon, typical": "Carbon, typical",
}
NUMBER = re.compile(r"(\d+)\. ")


@pytest.fixture(scope="module", params=PURCHASES)
def book(request, catalogue):
    choice = PURCHASES[request.param](catalogue)
    return Workbook(procurement_workbook(choice, catalogue, exported=EXPORTED))


def number_of(label):
    """Return the number of the candidate with which a label begins, None without one."""
    found = NUMBER.match(str(label))
    return int(found[1]) if found else None


def targets(book, got):
    """Yield sheet, column and row of each single cell to which a formula refers."""
    for cells in compiled(got.value[1:])[1]:
        title, (column, row, *end) = book.place(cells, got.parent.title)
        if end == [column, row]:
            yield title, column, row


def of_candidates(book):
    """Yield each formula in a row of a candidate, with its number and the head of its column."""
    for title in ("Summary", "Comparison", "Quotes", "Checks"):
        heads = {}
        for row in book.formulas[title].iter_rows():
            values = {got.column: book.values[title].get((got.row, got.column)) for got in row}
            if values[1] == "Candidate":
                heads = {column: str(head).partition(" [")[0] for column, head in values.items()}
            elif number_of(values[1]):
                yield from ((number_of(values[1]), heads.get(got.column), got)
                            for got in row if got.data_type == "f")  # fmt: skip


def test_every_formula_gives_what_its_cell_holds(book):
    assert not list(book.differences())


def test_named_cells_stand_in_rows_of_their_labels(book):
    known = 0
    for name in book.names:
        key = name if name in QUANTITIES else stem(name)
        title, (_, row, *_) = book.place(name, "")
        in_other_words = key.startswith("early_life_") or key == "writes"  # the number typed
        is_labelled = title != "Quotes" and not in_other_words
        if key in QUANTITIES and is_labelled:
            assert book.label(title, row) == QUANTITIES[key].label, name
            known += 1
    assert known > 150


def test_columns_of_the_comparison_show_what_they_are_titled(book):
    found = set()
    for _, head, got in of_candidates(book):
        if got.parent.title == "Comparison" and head in COMPARED:
            labels = {book.label(title, row) for title, _, row in targets(book, got)}
            assert COMPARED[head] in labels, (head, got.coordinate)
            found.add(head)
    assert found == COMPARED.keys()


def test_a_row_of_a_candidate_refers_to_no_other_candidate(book):
    """But for the rank: by labels of rows, and by numbered names of cells."""
    names = {book.place(name, ""): name for name in book.names if f"{stem(name)}_2" in book.names}
    compared = 0
    for number, head, got in of_candidates(book):
        if head == "Rank":
            continue
        for title, column, row in targets(book, got):
            others = {number_of(book.label(title, row))}
            name = names.get((title, (column, row, column, row)))
            if name is not None:
                others.add(1 if name == stem(name) else int(name.rpartition("_")[2]))
            assert others <= {None, number}, (head, got.parent.title, got.coordinate)
            compared += others != {None}
    assert compared > 100


def stem(name):
    """Return the name of a cell of the first candidate."""
    return re.sub(r"_\d+$", "", name)


def test_flags_of_edits_stand_beside_the_inputs_that_they_watch(book):
    sheet, watched = book.formulas["Checks"], 0
    heads = {value: row for (row, column), value in book.values["Checks"].items() if column == 1}
    first = heads["Inputs as exported"]
    after = heads["Typed cells, and whether they hold what they accept"]
    for row in sheet.iter_rows(min_row=first, max_row=after - 1):
        for got in row[2:]:
            if got.data_type == "f":
                labels = {book.label(title, row) for title, _, row in targets(book, got)}
                assert labels == {row_label(book, got)}, got.coordinate
                watched += 1
    assert watched > 80


def row_label(book, got):
    return book.label(got.parent.title, got.row)


class MovedBlock(Block):
    """A block of which others believe that it stands a row lower than it is written."""

    __slots__ = ()

    def cell(self, row, column):
        return absolute(self.sheet, self.rows[row] + 1, self.columns[column])

    def cells_here(self, column, rows=(), end=None):
        lower = {key: row + 1 for key, row in self.rows.items()}
        return Block(self.sheet, self.top, lower, self.columns).cells_here(column, rows, end)


@pytest.mark.parametrize(
    "name", ["assumptions", "sizing", "prices", "rates", "Verdict", "own", "candidates"]
)
def test_a_block_that_stands_a_row_off_is_noticed(name, catalogue, monkeypatch):
    def moved(*given, **keys):
        blocks = dict(laid_out(*given, **keys))
        block = blocks[name]
        return blocks | {name: MovedBlock(block.sheet, block.top, block.rows, block.columns)}

    laid_out = maker.layout
    monkeypatch.setattr(maker, "layout", moved)
    made = procurement_workbook(edits.choice(edits.CLUSTERS), catalogue, exported=EXPORTED)
    assert any(Workbook(made).differences())


def test_formulas_are_short_enough_for_a_spreadsheet_program(book):
    """8,192 characters are the most; a second sign of equality is no formula."""
    for title, got, formula in book.cells():
        assert len(formula) < 8192, (title, got.coordinate)
        assert not formula.startswith("="), (title, got.coordinate)
