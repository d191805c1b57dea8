"""Files of quotes: each row is used, adjusted or set aside with its reason, on every face."""

import contextlib
import json
import re
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import planner as ssd
from planner.catalogue import load
from planner.catalogue.offers import Quote
from planner.catalogue.prices import PriceTerms, basis_of, priced
from planner.catalogue.quote_header import COLUMNS, heading_of
from planner.catalogue.quotes import QuotesError, for_count, read_quotes
from planner.cli import main
from tests.planner.quote_files import PM893, RATES, READ, REFUSED, TODAY, text

ASKED = {"usable": "10TB", "writes": "1TB/day", "today": TODAY, "rate": ("EUR=1.25",),
         "raid": "5,10", "drives": "4-6", "spare": "0%",
         "years": "3"}  # as long as an enterprise SATA drive is sure to be warranted  # fmt: skip


def read(name, content):
    return read_quotes([(name, content)], load(), currency="USD", rates=RATES)


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """The record of a choice among the drives of each file alone, and its lines."""
    folder, found = tmp_path_factory.mktemp("quotes"), {}
    for title, file in READ.items():
        path = folder / title / file.name
        path.parent.mkdir()
        path.write_bytes(file.content)
        found[title] = ssd.choose((), catalogue=[path], **ASKED)
    return found


@pytest.mark.parametrize("title", READ)
def test_drives_and_prices_of_a_file(title):
    """A price that may not count is none of those that are compared as they are."""
    file, terms = READ[title], PriceTerms(today=date.fromisoformat(TODAY))
    found = [priced(drive, terms) for drive in read(file.name, file.content).drives]
    stated = [
        (drive.name, drive.value("price_usd") if basis_of(drive) == "stated" else None)
        for drive in found
    ]
    assert stated == [(name, price and pytest.approx(price)) for name, price in file.prices]


@pytest.mark.parametrize("title", READ)
def test_every_row_of_a_file_is_accounted_for(title, answers):
    file, quotes = READ[title], answers[title].record.quotes
    aside = [row for row in quotes.rows if row.state == "set aside"]
    assert {row.where for row in aside} == {where for where, _ in file.aside}
    for where, reason in file.aside:
        assert reason in "; ".join(row.reasons[0] for row in aside if row.where == where)
    drives = len(file.prices)
    unread = {where for where, _ in file.aside} - {
        row.where for row in aside if row.drive in dict(file.prices)
    }
    assert quotes.total() == drives + len(unread)


@pytest.mark.parametrize("title", [title for title, file in READ.items() if file.said])
def test_what_a_buyer_must_know_of_a_file_is_said(title, answers):
    lines = answers[title].notes
    for phrase in READ[title].said:
        assert any(phrase in line for line in lines), (phrase, lines[:9])


@pytest.mark.parametrize(
    "title", [title for title, file in READ.items() if not file.said and not file.aside]
)
def test_a_plain_file_raises_no_doubt(title, answers):
    assert not any(row.reasons for row in answers[title].record.quotes.rows)


@pytest.mark.parametrize("title", REFUSED)
def test_a_file_that_is_no_table_is_refused_with_what_is_accepted(title):
    file = REFUSED[title]
    with pytest.raises(QuotesError) as refused:
        read(file.name, file.content)
    for phrase in file.said:
        assert phrase in str(refused.value)


def choose_words(*paths, **texts):
    asked = {name: value for name, value in ASKED.items() if name != "rate"} | texts
    words = [f"--{name}={value}" for name, value in asked.items()]
    tables = [word for path in paths for word in ("--catalogue", str(path))]
    return ["choose", *tables, "--only-own", "--rate", "EUR=1.25", *words]


MIXED = text(
    "Quotation 4711,,,,,,", "Model,Capacity,Price,Currency,Price date,MOQ,Form factor",
    "PM893,3.84 TB,640,USD,2026-10-02,,", "PM893,3.84 TB,700,USD,2024-01-05,,",
    "5400 PRO,3.84 TB,500,USD,2027-01-01,,", "PM9A3,3.84 TB,700,USD,2026-10-02,12,",
    "PM1643a,3.84 TB,lots,USD,2026-10-02,,", "Total,,2540,USD,,,",
    "Turbo 9,3.84 TB,640,USD,2026-10-02,,E1.L",
)  # fmt: skip


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_bytes(MIXED)
    return path


def test_screen_and_json_agree_on_every_row(mixed, capsys):
    """Of seven rows two are used, one is adjusted, four are set aside, one by a filter."""
    words = [*choose_words(mixed), "--form-factor", "2.5,U.2"]
    assert main([*words, "--json"]) == 0
    quotes = json.loads(capsys.readouterr().out)["quotes"]
    counts = [quotes[f"rows_{state}"] for state in ("read", "used", "adjusted", "set_aside")]
    assert counts == [7, 2, 1, 4]
    states = {row["where"].rpartition(":")[2]: row["state"] for row in quotes["rows"]}
    assert states == {"3": "used", "4": "adjusted", "5": "set aside", "6": "used",
                      "7": "set aside", "8": "set aside", "9": "set aside"}  # fmt: skip
    assert main(words) == 0
    screen = " ".join(capsys.readouterr().out.split())
    assert "Quotes: 7 rows read, 2 used, 1 adjusted to today, 4 set aside." in screen
    for row in quotes["rows"]:
        for reason in row["reasons"]:
            assert reason in screen
    assert "Form factor must be 2.5,U.2, the drive has E1.L" in screen
    assert main([*words, "--all"]) == 0
    table = " ".join(capsys.readouterr().out.split())
    assert all(reason in table for row in quotes["rows"] for reason in row["reasons"])


def test_the_row_of_a_plan_names_its_quote(mixed, capsys):
    assert main([*choose_words(mixed), "--json"]) == 0
    plans = json.loads(capsys.readouterr().out)["plans"]
    reasons = {plan["quoted_at"]: " ".join(plan["quote_reasons"]) for plan in plans}
    assert reasons["mixed.csv:3"] == ""
    assert "older than 365 days, the allowed age" in reasons["mixed.csv:4"]


def test_lines_on_quotes_number_the_plans_beside_them(mixed, capsys):
    """The screen takes plans together, the table and the record of a script do not."""
    found = ssd.choose((), catalogue=[mixed], **ASKED)
    wheres = [one.plan.drive.quote.where for one in found.record.candidates]
    places = ", ".join(str(at) for at, where in enumerate(wheres, 1) if where == "mixed.csv:4")
    assert any(re.match(rf"rows? {places}, mixed.csv:4, ", line) for line in found.notes)
    assert main(choose_words(mixed)) == 0
    screen = capsys.readouterr().out
    numbered = re.findall(r"^  rows? ([\d, ]+), mixed.csv:\d, (\w+ \w+)", screen, re.MULTILINE)
    assert numbered
    for places, drive in numbered:
        for place in places.split(", "):
            assert re.search(rf"^ {place} {drive}", screen, re.MULTILINE)


def test_a_least_order_is_paid_for_whole(tmp_path, capsys):
    """By hand: 4 drives are needed and 12 ordered, 12 x 640 = 7,680 USD; 12 or more pay each."""
    path = tmp_path / "q.csv"
    path.write_bytes(text("Model,Capacity,Price,MOQ", "PM893,3.84 TB,640,12"))
    words = choose_words(path, minimise="price")
    assert main([*words, "--json"]) == 0
    (first, *_) = json.loads(capsys.readouterr().out)["plans"]
    assert (first["members"], first["price_usd"]) == (4, pytest.approx(12 * 640))
    assert main(words) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "the price is for at least 12 drives (MOQ or Qty) and the plan needs 4" in said
    assert "all 12 are ordered and paid for" in said
    assert main([*choose_words(path, minimise="price", drives="14"), "--json"]) == 0
    (first, *_) = json.loads(capsys.readouterr().out)["plans"]
    assert first["price_usd"] == pytest.approx(14 * 640)


def test_two_quotes_of_a_drive_are_one_model_and_both_compete(tmp_path, capsys):
    path = tmp_path / "q.csv"
    path.write_bytes(READ["two-quotes"].content)
    assert main([*choose_words(path, minimise="price"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["plans"][0]["quoted_at"] == "q.csv:3"
    assert {plan["quoted_at"] for plan in found["plans"]} == {"q.csv:2", "q.csv:3"}
    assert found["decision"]["models"] == [PM893]


def test_the_lower_of_two_ratings_counts(tmp_path):
    path = tmp_path / "q.csv"
    path.write_bytes(READ["tbw-against-dwpd"].content)
    (drive,) = ssd.quotes(path)
    assert drive.value("rated_bytes") == 7008e12
    assert drive.value("rated_dwpd") == pytest.approx(1.0)


def test_an_adjusted_quote_is_the_same_money_in_another_currency(tmp_path):
    """An old quote of 512 EUR at 1.25 USD is one of 640 USD, whatever the question counts in."""
    (euro,) = read("q.csv", text("Model,Price (EUR),Date", "PM893 3.84 TB,512,2024-01-05")).drives
    terms = PriceTerms(today=date.fromisoformat(TODAY))
    in_usd = priced(euro, terms).price_range
    content = text("Model,Price (EUR),Date", "PM893 3.84 TB,512,2024-01-05")
    (own,) = read_quotes([("q.csv", content)], load(), currency="EUR", rates=RATES).drives
    in_eur = priced(own, PriceTerms(today=terms.today, usd_each=1.25)).price_range
    assert own.value("price_usd") == 512.0
    for one, other in zip(in_usd[:3], in_eur[:3], strict=True):
        assert one == pytest.approx(1.25 * other)


def test_files_of_one_name_and_a_file_given_twice_keep_their_rows(tmp_path, capsys):
    paths = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "q.csv"
        path.write_bytes(text("Model,Price", "PM893 3.84 TB,640", f"PM9A3 3.84 TB,70{len(paths)}"))
        paths.append(path)
    assert main([*choose_words(*paths), "--json"]) == 0
    quotes = json.loads(capsys.readouterr().out)["quotes"]
    states = {row["where"]: row["state"] for row in quotes["rows"]}
    assert states == {"q.csv:2": "used", "q.csv:3": "used", "q.csv (2):2": "set aside",
                      "q.csv (2):3": "used"}  # fmt: skip


CELLS = st.sampled_from(
    ["", "PM893", "PM893 3.84 TB", "5400 PRO", "3.84 TB", "640", "1.234", "640,50", "x",
     "2026-10-02", "2024-01-05", "2031-01-01", "Total", "12", "0", "-5", "USD", "EUR",
     "CHF", "n/a", "3 weeks"]
)  # fmt: skip


@given(st.lists(st.lists(CELLS, min_size=len(COLUMNS), max_size=len(COLUMNS)), max_size=6))
def test_no_row_vanishes(rows):
    """Whatever is in the cells: every line with a cell is a drive or set aside, once."""
    content = text("\t".join(COLUMNS), *("\t".join(row) for row in rows))
    lines = [f"q.csv:{line}" for line, row in enumerate(rows, start=2) if any(row)]
    try:
        found = read("q.csv", content)
    except QuotesError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        unnamed = [where for where in lines if f"{where}: " not in refused]
        assert len(unnamed) < len(lines)  # others are totals and remarks
        return
    named = [drive.quote.where for drive in found.drives] + [row.where for row in found.set_aside]
    assert sorted(named) == sorted(lines)


@given(st.sampled_from([*READ]), st.integers(0, 10_000), st.integers(0, 4), st.binary(max_size=4))
@example("thousands-german", 64, 1, b"")  # 1.57,50 has a decimal comma and is no number
def test_a_damaged_file_is_read_or_refused(title, place, lost, junk):
    """Whatever is cut out and put in: none raises another error."""
    content = READ[title].content
    at = place % len(content)
    with contextlib.suppress(QuotesError):
        read(READ[title].name, content[:at] + junk + content[at + lost :])


@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_is_read_under_its_own_name_in_any_dress(column):
    words = column.replace("_", " ")
    for spelled in (column, words, words.title(), f" {words.upper()}: ", words.replace(" ", "-")):
        assert heading_of(spelled).name == column


def test_of_plans_with_one_order_that_of_fewer_drives_comes_first():
    """The sums would be alike, but for their last digits."""
    table = text("Model,Price,MOQ", "PM893 3.84 TB,600,24")
    (drive,) = read("q.csv", table).drives
    sums = [for_count(drive, count) * count for count in range(1, 25)]
    assert sums == sorted(set(sums))
    assert sums == pytest.approx([24 * 600.0] * 24, rel=1e-12)


@pytest.mark.parametrize(("count", "each"), [(1, 600.0), (3, 200.0), (6, 100.0), (7, 100.0)])
def test_a_least_order_spreads_over_the_drives_needed(count, each):
    (drive,) = read("q.csv", text("Model,Price,MOQ", "PM893 3.84 TB,100,6")).drives
    assert drive.quote._replace(where="") == Quote("", price=100.0, currency="USD", least_order=6)
    assert for_count(drive, count) == pytest.approx(each)
