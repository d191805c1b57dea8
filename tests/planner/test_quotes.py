"""Tables of quotes: merged over the catalogue, bad cells named, the same winner on every face."""

import contextlib
import csv
import io
import json
import re
from datetime import date, datetime
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH

import planner as ssd
from models.units import DAY_S, TB, YEAR_S
from planner.catalogue import load
from planner.catalogue.prices import basis_of
from planner.catalogue.quote_header import COLUMNS
from planner.catalogue.quotes import QuotesError, for_count, read_quotes
from planner.catalogue.sheet import SheetError, sheets_of
from planner.cli import main
from planner.export.shown_choice import ChoiceQuestion, shown_choice
from planner.search.choose.request import quotes_in

HOSTILE = ('=HYPERLINK("http://x")', "@SUM(A1)", "<script>alert(1)</script>", "-2+3")
QUOTES = (
    {"vendor": "Samsung", "model": "PM893", "capacity": "3.84 TB", "price": "620",
     "price_10": "560", "price_date": "2026-09-01", "supplier": HOSTILE[0],
     "warranty_years": "5", "lead_time": "3 weeks"},
    {"part_number": "MZQL23T8HCLS-00A07", "price": "700", "currency": "EUR",
     "price_date": "2026-09-02", "supplier": HOSTILE[1]},
    {"vendor": HOSTILE[3], "model": f"{HOSTILE[2]} Turbo", "capacity": "1.92 TB", "plp": "yes",
     "interface": "SATA", "tbw": "3500", "warranty_years": "5", "price": "200",
     "price_10": "190", "price_date": "2026-09-03"},
)  # fmt: skip
RATES = {"EUR": 1.25}
ASKED = {"usable": "15TB", "writes": "1TB/day", "today": "2026-10-01", "rate": "EUR=1.25",
         "raid": "5,6,10", "drives": "4-12", "spare": "0%"}  # fmt: skip


def as_csv(rows, columns=COLUMNS):
    lines = io.StringIO()
    writer = csv.DictWriter(lines, columns)
    writer.writeheader()
    writer.writerows(rows)
    return lines.getvalue().encode()


def as_workbook(rows):
    """As people fill a sheet: numbers as numbers, days as days, a blank line above the first."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        sheet, is_day = book.add_worksheet(), book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, COLUMNS)
        for line, row in enumerate(rows, start=2):
            for column, text in row.items():
                place = COLUMNS.index(column)
                if column == "price_date":
                    sheet.write_datetime(line, place, date.fromisoformat(text), is_day)
                elif text.isdigit():
                    sheet.write_number(line, place, float(text))
                else:
                    sheet.write_string(line, place, text)
    return file.getvalue()


def tables_of(content, name="quotes.csv"):
    return read_quotes([(name, content)], load(), currency="USD", rates=RATES)


def drives_of(content, name="quotes.csv"):
    return tables_of(content, name).checked().drives


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "quotes.csv"
    path.write_bytes(as_csv(QUOTES))
    return path


@pytest.fixture(scope="module")
def long_table(tmp_path_factory):
    """200 rows: the three quotes among dearer ones, of names that would be formulas."""
    dear = [
        {"vendor": HOSTILE[place % 4], "model": f"{HOSTILE[place % 3]} {place}", "capacity": "2 TB",
         "tbw": "9000", "warranty_years": "5", "price": f"{1000 + place}", "supplier": HOSTILE[1],
         "price_date": "2026-09-03"}
        for place in range(197)
    ]  # fmt: skip
    path = tmp_path_factory.mktemp("long") / "quotes.csv"
    path.write_bytes(as_csv([*QUOTES, *dear]))
    return path


def test_rows_are_drives_of_the_catalogue_or_new_ones():
    known, numbered, new = drives_of(as_csv(QUOTES))
    assert (known.name, numbered.name) == ("Samsung PM893 3.84 TB", "Samsung PM9A3 3.84 TB")
    assert known.value("rated_dwpd") == load().drives[known.drive_id].value("rated_dwpd") == 1.0
    assert known.quote.lead_time_s == 21 * DAY_S
    assert numbered.value("price_usd") == 700 * 1.25
    assert (new.value("rated_bytes"), new.value("warranty_s")) == (3500 * TB, 5 * YEAR_S)
    assert new.power_loss_protection == "yes"
    assert basis_of(new) == "stated"
    assert [for_count(new, count) for count in (9, 10)] == [200, 190]


def test_a_workbook_says_what_a_table_of_text_does():
    plain, book = drives_of(as_csv(QUOTES)), drives_of(as_workbook(QUOTES), "quotes.xlsx")
    assert [drive.drive_id for drive in book] == [drive.drive_id for drive in plain]
    for one, other in zip(plain, book, strict=True):
        assert {name: fact.value for name, fact in one.facts.items()} == {
            name: fact.value for name, fact in other.facts.items()
        }
        assert one.facts["price_usd"].condition == other.facts["price_usd"].condition
        assert one.quote[1:] == other.quote[1:]
    assert [drive.quote.where for drive in book] == [f"quotes.xlsx:{line}" for line in (3, 4, 5)]


def workbook_of(rows, **properties):
    """As openpyxl writes a table."""
    book, file = openpyxl.Workbook(), io.BytesIO()
    for name, value in properties.items():
        setattr(book, name, value)
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def with_part(content, name, change):
    """Change the text of one part of a workbook."""
    file = io.BytesIO()
    with ZipFile(io.BytesIO(content)) as old, ZipFile(file, "w", ZIP_DEFLATED) as new:
        for part in old.namelist():
            text = old.read(part)
            new.writestr(part, change(text) if part == name else text)
    return file.getvalue()


SMALL = workbook_of([["model", "price", "price_date"], ["PM893", 900, date(2026, 9, 1)]])


@pytest.mark.parametrize("epoch", [WINDOWS_EPOCH, MAC_EPOCH], ids=["1900", "1904"])
def test_a_day_is_that_of_the_calendar_of_its_workbook(epoch):
    header = ["model", "capacity", "price", "price_date"]
    day = date(2026, 9, 1)
    table = workbook_of([header, ["PM893", "3.84 TB", 900, day]], epoch=epoch)
    (drive,) = drives_of(table, "quotes.xlsx")
    assert drive.facts["price_usd"].condition == "quote 2026-09-01"


def test_the_first_sheet_is_that_of_the_first_tab():
    """Tabs that were moved keep their files: here the second file is the first tab."""
    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["a note"])
    quotes = book.create_sheet("Quotes")
    for row in (["model", "capacity", "price"], ["PM893", "3.84 TB", 900]):
        quotes.append(row)
    book.save(file)
    tab = rb"<sheet [^>]*/>"

    def swapped(text):
        first, second = re.findall(tab, text)
        return text.replace(first, b"?").replace(second, first).replace(b"?", second)

    (drive,) = drives_of(with_part(file.getvalue(), "xl/workbook.xml", swapped), "quotes.xlsx")
    assert drive.quote.where == "quotes.xlsx:2"


def test_cells_are_text_as_people_write_it():
    cells = [True, False, 120.0, 0.1 + 0.2, "  PM893 ", None, 42, datetime(2026, 9, 1, 12)]
    texts = ["yes", "no", "120", "0.3", "PM893", "", "42", "2026-09-01 12:00:00"]
    assert sheets_of(workbook_of([cells]))[0].rows == [(1, texts)]


def with_first_sheet(change):
    return with_part(SMALL, "xl/worksheets/sheet1.xml", change)


HOSTILE_BOOKS = {
    "must have at most 20,000 rows": lambda: with_first_sheet(
        lambda text: text.replace(b'r="2"', b'r="1048576"')
    ),
    "2: must have at most 256 columns": lambda: workbook_of([["model"], [""] * 300 + ["far"]]),
    "xl/worksheets/sheet1.xml must be at most 16 MiB": lambda: with_first_sheet(
        lambda text: text + b" " * (17 << 20)
    ),
    "cannot be read: ": lambda: with_first_sheet(lambda text: text[:99]),
}


@pytest.mark.parametrize("complaint", HOSTILE_BOOKS)
def test_a_hostile_workbook_is_refused_before_it_fills_the_memory(complaint):
    content = HOSTILE_BOOKS[complaint]()
    assert len(content) < 1 << 20
    with pytest.raises(QuotesError) as refused:
        drives_of(content, "quotes.xlsx")
    assert str(refused.value).startswith(f"quotes.xlsx: {complaint}")


def test_a_text_has_as_many_columns_as_a_workbook():
    header = b"model,price,date\nPM893 960,100,2026-09-01"
    ends = b"," * 100_000
    assert sheets_of(header + ends)[0].rows[1] == (
        2,
        ["PM893 960", "100", "2026-09-01"] + 253 * [""],
    )
    with pytest.raises(QuotesError, match=r"q\.csv: 2: must have at most 256 columns"):
        drives_of(header + ends + b"far", "q.csv")


@given(st.data())
def test_a_damaged_workbook_is_read_or_refused(data):
    """Whatever is changed in its parts; one byte or some, and none raises another error."""
    part = data.draw(st.sampled_from(["xl/workbook.xml", "xl/worksheets/sheet1.xml",
                                      "xl/sharedStrings.xml", "xl/styles.xml"]))  # fmt: skip
    place, junk = data.draw(st.integers(0, 2000)), data.draw(st.binary(min_size=1, max_size=8))

    def damaged(text):
        at = place % len(text)
        return text[:at] + junk + text[at + len(junk) :]

    with contextlib.suppress(SheetError):
        sheets_of(with_part(SMALL, part, damaged))


BAD = [
    ("capacity", "much", "must be a size such as 400 GB or 512 GiB, got 'much'"),
    ("tbw", "1,2 TBB", "must be a size"),
    ("dwpd", "three", "must be a number"),
    ("dwpd", "0", "must be from 0.000001 to 1000 DWPD"),
    ("warranty_years", "5 apples", "must be a time"),
    ("price", "0", "must be > 0, got '0'"),
    ("price", "1e999", "must be"),
    ("price_10", "cheap", "must be a number"),
    ("currency", "CHF", "'CHF' needs --rate CHF=USD"),
    ("price_date", "soon", "must be a date such as 2026-09-30, got 'soon'"),
    ("lead_time", "later", "must be a time"),
]


def test_of_200_rows_every_bad_cell_is_named_by_file_line_and_column():
    rows = [dict(QUOTES[0], price=str(500 + place)) for place in range(200)]
    for place, (column, text, _) in enumerate(BAD):
        rows[17 * place][column] = text
    assert len(drives_of(as_csv([row for place, row in enumerate(rows) if place % 17]))) > 180
    with pytest.raises(QuotesError) as refused:
        drives_of(as_csv(rows))
    statement = str(refused.value).split("; ")
    found = tables_of(as_csv(rows))
    assert [str(row) for row in found.set_aside] == statement
    assert (found.row_count, len(found.drives)) == (200, 200 - len(BAD))
    assert len(statement) == len(BAD)
    for place, (column, _, why) in enumerate(BAD):
        assert statement[place].startswith(f"quotes.csv:{17 * place + 2}: {column}: {why}"), (
            statement[place]
        )


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "quotes.csv: is empty"),
        (b"model,pirce\nPM893,3\n", "quotes.csv:1: pirce: is not a column"),
        (b"model,model\nPM893,3\n", "quotes.csv:1: model: is there twice"),
        (b"price\n3\n", "quotes.csv:1: model: the column is missing"),
        (b"model,price\nNo such drive,3\n", "quotes.csv:2: capacity: is empty"),
        (b"model,price_10\nPM893 3.84 TB,3\n", "quotes.csv:2: price: is empty beside"),
        (b"model,price\nPM893,3,4,5\n", "quotes.csv:2: price: 4 cells under 2 columns"),
        (b"PK\x03\x04 no workbook", "quotes.csv: cannot be read"),
        (
            b"model\n\x81\n",
            "quotes.csv: is in no encoding that is read; accepted are CSV (UTF-8, UTF-16",
        ),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_in_a_sentence(content, complaint):
    with pytest.raises(QuotesError) as refused:
        drives_of(content)
    assert str(refused.value).startswith(complaint)


def winner(found):
    plan = found["plans"][0]
    return plan["drive"], plan["members"], plan["level"], plan["price_usd"]


def options(table, **texts):
    words = [f"--{name}={text}" for name, text in (ASKED | texts).items()]
    return ["choose", "--catalogue", str(table), "--only-own", *words, "--minimise", "price"]


def test_the_cheapest_of_200_by_quantity_wins_on_every_face(long_table, tmp_path, capsys):
    """By hand: 15 TB take 5 PM893 in RAID 5 at 620, or ten of 1.92 TB in RAID 6 at 190."""
    book = tmp_path / "choice.xlsx"
    assert (
        main([*options(long_table), "--exported", "2026-10-01", "--xlsx", str(book), "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    drive, *rest = winner(found)
    assert rest == [10, "RAID 6", 1900.0]
    assert found["plans"][0]["quoted_at"] == "quotes.csv:4"
    assert (found["plans"][1]["supplier"], found["plans"][1]["price_usd"]) == (HOSTILE[0], 3100.0)
    choice = ssd.choose((), catalogue=[long_table], minimise="price", **ASKED)
    assert (choice.best.drive.name, float(choice.best.price)) == (drive, 1900.0)
    quotes = quotes_in([("quotes.csv", str(long_table))], {})
    on_screen = shown_choice(ChoiceQuestion(ASKED, "", "price", quotes, only_own=True)).ranked[0]
    assert (on_screen["Drive"], on_screen["Price"]) == (drive, "1,900 USD")
    cells = [
        cell
        for sheet in openpyxl.load_workbook(book)
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, str)
    ]
    recommended = openpyxl.load_workbook(book, data_only=True).worksheets[0]
    headline = next(
        row[0].row for row in recommended.iter_rows() if row[0].value == "Recommendation"
    )
    assert drive in recommended.cell(headline + 1, 1).value
    hostile = [cell for cell in cells if cell.value.startswith(HOSTILE)]
    assert hostile
    assert {cell.data_type for cell in hostile} == {"s"}
    assert not any(cell.hyperlink for cell in cells)


def test_a_request_that_a_supplier_fills_in_is_read_as_quotes(table, tmp_path, capsys):
    path = tmp_path / "rfq.csv"
    assert main([*options(table), "--rfq", str(path)]) == 0
    capsys.readouterr()
    rows = [*csv.DictReader(io.StringIO(path.read_text()))]
    first = rows[0]
    assert (first["price"], first["price_10"], first["currency"]) == ("", "", "USD")
    assert (first["tbw"], first["warranty_years"]) == ("3500 TB", "5")
    rows[0] |= {"price": "150", "price_10": "90", "price_date": "2026-09-30"}
    path.write_bytes(as_csv(rows, list(rows[0])))
    assert main([*options(path), "--json"]) == 0
    assert winner(json.loads(capsys.readouterr().out))[3] == 900.0


@pytest.mark.parametrize("minimise", ["price", "cost"])
def test_prices_by_quantity_are_those_of_each_plan(table, minimise):
    found = ssd.choose((), catalogue=[table], minimise=minimise, top=50, **ASKED).record
    for one in found.candidates:
        price = for_count(one.plan.drive, one.plan.array.members)
        assert one.plan["total_price_usd"].value == price * one.plan.array.members
        whole = one.ownership["npv_usd"] if minimise == "cost" else one.plan["total_price_usd"]
        assert one.objective == pytest.approx(whole.value, rel=1e-12)
    costs = [one.objective for one in found.candidates]
    assert costs == sorted(costs)


def test_a_table_takes_part_beside_the_catalogue(table, capsys):
    words = [word for word in options(table) if word != "--only-own"]
    assert main([*words, "--like", "PM893", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert winner(found)[3] == 1900.0
    names = [plan["drive"] for plan in found["plans"]]
    assert names.count("Samsung PM893 3.84 TB") == len(
        [plan for plan in found["plans"] if plan.get("supplier") == HOSTILE[0]]
    )


def test_an_old_quote_does_not_compete_as_it_is(table, capsys):
    assert main([*options(table, today="2028-01-01"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {plan["price_basis"] for plan in found["plans"]} <= {"carried", "curve"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--only-own"], "--only-own needs a --catalogue"),
        (["--catalogue", "ONE"], "--catalogue: one.csv:2: currency: 'EUR' needs --rate EUR"),
    ],
)
def test_a_complaint_names_the_option(tmp_path, capsys, words, complaint):
    (tmp_path / "one.csv").write_bytes(as_csv([QUOTES[1]]))
    words = [str(tmp_path / "one.csv") if word == "ONE" else word for word in words]
    assert main(["choose", "--usable", "1TB", *words]) == 2
    assert complaint in capsys.readouterr().err


def test_an_empty_table_is_written_and_a_filled_one_is_checked(table, tmp_path, capsys):
    path = tmp_path / "empty.csv"
    assert main(["catalogue", "template", "--output", str(path)]) == 0
    assert path.read_text(encoding="utf-8").strip().split(",") == list(COLUMNS)
    assert drives_of(path.read_bytes()) == ()
    assert main(["catalogue", "check", str(table), "--rate", "EUR=1.25"]) == 0
    statement = capsys.readouterr().out
    assert "quotes.csv:3" in statement
    assert "875 USD" in statement


def test_a_table_of_western_europe_is_read_and_said_to_be(tmp_path):
    text = "model;capacity;price;price_date;supplier\nPM893;3.84 TB;900;2026-09-01;Müller & Söhne\n"
    path = tmp_path / "quotes.csv"
    notes = {}
    for encoding in ("utf-8", "cp1252"):
        path.write_bytes(text.encode(encoding))
        (one,) = ssd.quotes(path)
        assert one.quote.supplier == "Müller & Söhne"
        notes[encoding] = " ".join(ssd.choose((), catalogue=[path], **ASKED).notes)
    assert "Windows-1252" not in notes["utf-8"]
    assert "quotes.csv is not UTF-8: it is read as Windows-1252" in notes["cp1252"]
