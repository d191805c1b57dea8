"""Quotes and drives of one's own, from tables: merged over the catalogue, and marked as such.

Each row is a drive, of the catalogue or not; a cell may be empty. No row vanishes: it is a drive,
or it is set aside with file, sheet, line, column and reason. A file that is no table, a heading
that may hide a price, and tables of which no row can be used are refused.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.catalogue.quote_cells import Separators, amount_of, separators_of
from planner.catalogue.quote_header import (
    COLUMNS,
    Heading,
    header_of,
    header_place,
    heading_of,
    headings_in,
    is_header,
)
from planner.catalogue.quote_row import QuoteRow, TableTerms
from planner.catalogue.reader import FEATURES
from planner.catalogue.sheet import (
    MOST_BYTES,
    Row,
    Sheet,
    SheetError,
    is_read_as_western,
    sheets_of,
)  # fmt: skip
from planner.catalogue.stored import Catalogue
from planner.quantity import door
from planner.quantity.parse import quoted, shortened

MOST_NAMED = 20  # bad cells in one message
MOST_LINES = 8  # that a note lists
EARLIER = 1e-14  # of a price: of plans with one order, that of fewer drives comes first
WESTERN = "{} is not UTF-8: it is read as Windows-1252 (Western Europe). Check accented letters."
HEADINGS = "a header is a line such as Part no., Model, Capacity, Price (EUR), MOQ, Valid until"


class QuotesError(DomainError):
    """Tables that cannot be used; the message names each reason."""


class SetAside(NamedTuple):
    """A row that is no drive, with its place and the reason; a fault is a cell to be corrected."""

    where: str
    reason: str
    is_fault: bool = True

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


class QuoteTables(NamedTuple):
    """Drives of tables, the rows set aside, and notes on how the files were read."""

    drives: tuple[Drive, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def row_count(self) -> int:
        """Count the rows that were read: each is a drive or set aside."""
        return len(self.drives) + len(self.set_aside)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Cells of drives that contradict each other, and rows of tables with prices but none."""
        quotes = [drive.quote for drive in self.drives if drive.quote is not None]
        return tuple(
            f"{quote.where}: {why}"
            for quote in quotes
            for why in (*([quote.unpriced] if quote.unpriced else []), *quote.doubts)
        )

    def checked(self) -> "QuoteTables":
        """Return the tables; refuse those with a cell that must be corrected."""
        _refuse([str(row) for row in self.set_aside if row.is_fault])
        return self


def template() -> str:
    """Return the first line of an empty table.

    >>> template()[:30]
    'part_number,vendor,model,capac'
    """
    return f"{','.join(COLUMNS)}\n"


def read_quotes(
    tables: Iterable[tuple[str, bytes]], catalogue: Catalogue, *, currency: str,
    rates: Mapping[str, float], limits: door.FileLimits = door.NAMED,
) -> QuoteTables:  # fmt: skip
    r"""Return the drives of tables, by name and content, with prices in one currency.

    >>> from planner.catalogue.reader import load
    >>> table = b"Model,Capacity,Unit price,Date\nPM893,3.84 TB,900,2026-09-01\nTotal,,900,\n"
    >>> found = read_quotes([("q.csv", table)], load(), currency="USD", rates={})
    >>> found.drives[0].name, found.drives[0].value("price_usd"), found.row_count
    ('Samsung PM893 3.84 TB', 900.0, 2)
    >>> print(found.set_aside[0])
    q.csv:3: is a total or a charge, no quote: 'Total'
    >>> read_quotes([("q.csv", b"model,dwpd\nPM893,lots\n")], load(), currency="USD", rates={})
    Traceback (most recent call last):
    planner.catalogue.quotes.QuotesError: q.csv:2: dwpd: must be a number, got 'lots'
    """
    terms = TableTerms(catalogue, currency, {"USD": 1.0, **rates})
    files = [_of_file(name, content, terms, limits) for name, content in _renamed(tables)]
    drives = [drive for each in files for drive in each.drives]
    set_aside = [row for each in files for row in each.set_aside]
    notes = [note for each in files for note in each.notes]
    if not drives:
        _refuse([str(row) for row in set_aside if row.is_fault])
    single, again = _without_repeats(drives)
    return QuoteTables(
        tuple(single), (*set_aside, *again), (*dict.fromkeys(notes), *_several(single, currency))
    )


def table_contents(paths: Iterable[str | PathLike[str]]) -> list[tuple[str, bytes]]:
    """Return the name and the content of each file of a table; refuse what is no regular file.

    >>> table_contents(["/dev/null"])
    Traceback (most recent call last):
    planner.catalogue.quotes.QuotesError: null: is not a regular file
    """
    tables = []
    for path in map(Path, paths):
        try:
            tables.append((path.name, door.content(path, MOST_BYTES)))
        except door.DoorError as error:
            raise QuotesError(f"{path.name}: {error}") from None
    return tables


def merged(among: Iterable[Drive], own: Iterable[Drive]) -> tuple[Drive, ...]:
    """Return drives with those of a table in place of the same ones of the catalogue."""
    quotes = tuple(own)
    instead = {drive.drive_id for drive in quotes}
    return (*quotes, *(drive for drive in among if drive.drive_id not in instead))


def for_count(drive: Drive, count: float) -> float | None:
    """Return the price of one drive where so many are needed.

    Where the order of a quote must be larger, the needed drives share its whole price.

    >>> from planner.catalogue.drive import with_user_facts
    >>> from planner.catalogue.offers import Quote
    >>> drive = Drive(drive_id="a", vendor="A", model="B", capacity_gb=1, quote=Quote(
    ...     "q.csv:2", breaks=((10, 90.0), (100, 80.0)), least_order=5))
    >>> [round(for_count(with_user_facts(drive, price_usd=100), count), 9)
    ...  for count in (4, 9, 10, 250)]
    [125.0, 100.0, 90.0, 80.0]
    """
    single = drive.value("price_usd")
    fact = drive.facts.get("price_usd")
    if drive.quote is None or single is None or fact is None or fact.kind != "user":
        return single
    ordered = max(count, drive.quote.least_order)
    offered = [price for least, price in drive.quote.breaks if ordered >= least]
    share = ordered / count * (1 - EARLIER * (ordered - count))
    return (offered[-1] if offered else single) * share


def _renamed(tables: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Yield tables under names of their own: a second q.csv is "q.csv (2)"."""
    seen: dict[str, int] = {}
    for name, content in tables:
        seen[name] = seen.get(name, 0) + 1
        yield (f"{name} ({seen[name]})" if seen[name] > 1 else name), content


def _refuse(problems: Sequence[str]) -> None:
    """Raise an error that names problems, if there are any."""
    if problems:
        more = f"; and {len(problems) - MOST_NAMED} more" if len(problems) > MOST_NAMED else ""
        raise QuotesError("; ".join(problems[:MOST_NAMED]) + more)


@dataclass(frozen=True, slots=True)
class QuoteTable:
    """Rows below one header, with the place that each is named by."""

    place: str
    headings: tuple[Heading | None, ...]
    rows: list[Row]

    def numbers(self) -> Iterator[str]:
        """Yield the prices as they are written."""
        places = [
            at
            for at, each in enumerate(self.headings)
            if each is not None and each.name.startswith("price") and each.name != "price_date"
        ]
        for _, cells in self.rows:
            yield from (amount_of(cells[at]).number for at in places if at < len(cells))


def _of_file(name: str, content: bytes, terms: TableTerms, limits: door.FileLimits) -> QuoteTables:
    """Return the drives of one file."""
    try:
        sheets = sheets_of(content, headings_in, limits)
    except SheetError as error:
        raise QuotesError(f"{name}: {error}") from None
    filled = [sheet for sheet in sheets if sheet.rows]
    if not filled:
        raise QuotesError(
            f"{name}: is empty; its first line must name columns: {template().strip()}"
        )
    notes = [WESTERN.format(name)] if is_read_as_western(content) else []
    notes += [f"{_place(name, each)} is hidden: not read" for each in sheets if each.is_hidden]
    with_header = [sheet for sheet in filled if header_place(sheet.rows) is not None]
    for sheet in filled:
        if with_header and sheet not in with_header:
            first = next(filter(None, sheet.rows[0][1]))
            place = _place(name, sheet, is_named=True)
            notes.append(f"{place} has no table of quotes: {len(sheet.rows)} lines are not read, "
                         f"from {quoted(first)} on")  # fmt: skip
    drives: list[Drive] = []
    set_aside: list[SetAside] = []
    for sheet in with_header or filled[:1]:
        for table in _tables(_place(name, sheet), sheet.rows, notes):
            separators = separators_of(table.numbers())
            notes += [f"{table.place}: {note}" for note in separators.notes()]
            found = _of_table(table, separators, terms)
            drives += found.drives
            set_aside += found.set_aside
            notes += found.notes
    return QuoteTables(tuple(drives), tuple(set_aside), tuple(notes))


def _place(name: str, sheet: Sheet, *, is_named: bool = False) -> str:
    """Return the name of a file, with that of its sheet where it is not the first."""
    title = sheet.name or ("first sheet" if is_named else "")
    return f"{name} ({title})" if title else name


def _tables(place: str, rows: list[Row], notes: list[str]) -> Iterator[QuoteTable]:
    """Yield the tables of a sheet, each under a header of its own."""
    first = header_place(rows)
    if first is None:  # a header that is not understood is complained of
        first = max(range(len(rows)), key=lambda at: (_likeness(rows[at][1]), -at))
    if first:
        above = ", ".join(quoted(" ".join(filter(None, cells))) for _, cells in rows[:first][:4])
        lines = _lines([line for line, _ in rows[:first]])
        notes.append(f"{place}: above the header are not read: {lines}, {above}")
    starts = [first, *(at for at in range(first + 1, len(rows)) if is_header(rows[at][1]))]
    for start_at, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        line, cells = rows[start_at]
        header = header_of(cells)
        if header.problems:
            listed = [f"{place}:{line}: {why}" for why in header.problems[:MOST_NAMED]]
            raise QuotesError(f"{'; '.join(listed)}; {HEADINGS}, or a fact of a drive")
        if not any(each is not None and each.name == "price" for each in header.headings):
            notes.append(f"{place}:{line}: no column of prices: the rows are drives, no quotes")
        if header.unread:
            unread = [*dict.fromkeys(map(shortened, header.unread))]
            more = ", ..." if len(unread) > MOST_NAMED else ""
            names = f"{', '.join(unread[:MOST_NAMED])}{more}"
            notes.append(f"{place}:{line}: columns that are not read: {names}")
        yield QuoteTable(place, header.headings, rows[start_at + 1 : end])


def _likeness(cells: Sequence[str]) -> int:
    return sum(heading_of(cell) is not None for cell in cells)


def _of_table(table: QuoteTable, separators: Separators, terms: TableTerms) -> QuoteTables:
    """Return the drives of the rows below one header."""
    drives: list[Drive] = []
    set_aside: list[SetAside] = []
    without: dict[str, list[int]] = {"currency": [], "price_date": []}
    for line, cells in table.rows:
        where = f"{table.place}:{line}"
        row = QuoteRow(table.headings, cells, where, separators, terms)
        if text := row.no_quote:
            set_aside.append(SetAside(where, text, is_fault=False))
            continue
        made = row.drive()
        if made is None:
            set_aside.append(SetAside(where, row.complaints))
            continue
        drives.append(made)
        if made.quote is not None and made.quote.price is not None:
            unstated = [column for column in without if not row.states(column)]
            for column in unstated:
                without[column].append(line)
    said = {
        "currency": f"no currency, read as {terms.currency}",
        "price_date": "no price_date, read as quoted today",
    }
    notes = [f"{table.place}: {_lines(lines)}: {said[column]}"
             for column, lines in without.items() if lines]  # fmt: skip
    return QuoteTables(tuple(drives), tuple(set_aside), tuple(notes))


def _lines(lines: Sequence[int]) -> str:
    """Name lines of a file.

    >>> _lines([2]), _lines([2, 3, 4, 9])
    ('line 2', 'lines 2 to 4, 9')
    """
    spans: list[list[int]] = []
    for line in lines:
        if spans and line == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], line]
        else:
            spans.append([line])
    named = [" to ".join(map(str, span)) for span in spans[:MOST_LINES]]
    more = f" and {len(spans) - MOST_LINES} more" if len(spans) > MOST_LINES else ""
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(named)}{more}"


def _without_repeats(drives: Sequence[Drive]) -> tuple[list[Drive], list[SetAside]]:
    """Return the drives without rows that say the same as an earlier one, and those rows."""
    seen: dict[object, str] = {}
    single, again = [], []
    for drive in drives:
        quote = drive.quote
        if quote is None:
            single.append(drive)
            continue
        facts = tuple((name, fact.value, fact.condition) for name, fact in drive.facts.items())
        words = tuple(getattr(drive, name) for name in FEATURES)
        terms = quote._replace(where="", part_number="", doubts=())
        key = (drive.drive_id, words, facts, terms)
        if key in seen:
            again.append(SetAside(quote.where, f"says the same as {seen[key]}", is_fault=False))
        else:
            seen[key] = quote.where
            single.append(drive)
    return single, again


def _several(drives: Sequence[Drive], currency: str) -> Iterator[str]:
    """Yield the drives that have several quotes: each competes at its own price."""
    by_drive: dict[str, list[Drive]] = {}
    for drive in drives:
        if drive.quote is not None and drive.quote.price is not None:
            by_drive.setdefault(drive.drive_id, []).append(drive)
    for several in by_drive.values():
        if len(several) > 1:
            named = [
                f"{one.quote.where} at {one.quote.price:,.10g} {currency}"
                for one in several
                if one.quote
            ]
            more = f" and {len(named) - MOST_LINES} more" if len(named) > MOST_LINES else ""
            head = f"{several[0].name} has {len(several)} quotes, each competes by itself"
            yield f"{head}: {', '.join(named[:MOST_LINES])}{more}"
