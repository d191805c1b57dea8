"""Quotes and drives of one's own, from a table: merged over the catalogue, and marked as such.

Each row is a drive, of the catalogue or not; a cell may be empty. A cell that cannot be used is
named by file, line and column, and then the whole table is refused: a purchase must not rest on
half a table.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Any

from models.errors import DomainError
from models.units import GB
from planner.catalogue.drive import Drive, with_user_facts
from planner.catalogue.names import LookupFailed, find
from planner.catalogue.offers import Quote
from planner.catalogue.reader import FEATURES, Catalogue
from planner.catalogue.sheet import SheetError, is_read_as_western, rows_of
from planner.quantity.drive_facts import FACTS_USED, refuse_impossible
from planner.quantity.parse import (
    parse_bytes,
    parse_duration,
    parse_number,
    parse_quantity,
    quoted,
    shortened,
)  # fmt: skip

COLUMNS = (
    "part_number", "vendor", "model", "capacity", "interface", "form_factor", "plp", "tbw", "dwpd",
    "warranty_years", "price", "price_10", "price_100", "currency", "price_date", "supplier",
    "lead_time",
)  # fmt: skip
_ALSO = {"plp": "power_loss_protection"}
_BREAK = re.compile(r"price_([1-9]\d{0,5})")
MOST_NAMED = 20  # bad cells in one message
NEAR = 0.03  # of a capacity that is rounded otherwise
LONGEST = 200  # characters of a cell
WESTERN = "{} is not UTF-8: it is read as Windows-1252 (Western Europe). Check accented letters."
FIRST_DAY = date(1899, 12, 30)  # of the dates of spreadsheets


class QuotesError(DomainError):
    """A table of which some cell cannot be used; the message names each."""


def template() -> str:
    """Return the first line of an empty table.

    >>> template()[:30]
    'part_number,vendor,model,capac'
    """
    return f"{','.join(COLUMNS)}\n"


def quoted_drives(
    name: str, content: bytes, catalogue: Catalogue, *, currency: str, rates: Mapping[str, float]
) -> tuple[Drive, ...]:
    r"""Return the drives of a table, with prices in the currency of the question.

    >>> from planner.catalogue.reader import load
    >>> table = b"model,capacity,price,price_date\nPM893,3.84 TB,900,2026-09-01\n"
    >>> (drive,) = quoted_drives("q.csv", table, load(), currency="USD", rates={})
    >>> drive.name, drive.value("price_usd"), drive.quote.where
    ('Samsung PM893 3.84 TB', 900.0, 'q.csv:2')
    >>> quoted_drives("q.csv", b"model,dwpd\nPM893,lots\n", load(), currency="USD", rates={})
    Traceback (most recent call last):
    planner.catalogue.quotes.QuotesError: q.csv:2: dwpd: must be a number, got 'lots'
    """
    try:
        rows = rows_of(content)
    except (SheetError, UnicodeDecodeError) as error:
        raise QuotesError(f"{name}: {error}") from None
    if not rows:
        raise QuotesError(f"{name}: is empty; its first line must name columns: {template()}")
    (line, header), *rest = rows
    header = [cell.lower().replace(" ", "_") for cell in header]
    usd = {"USD": 1.0, **rates}
    problems = [f"{name}:{line}: {why}" for why in _of_header(header)]
    drives: list[Drive] = []
    for place, cells in rest if not problems else ():
        row = _Row(header, cells, f"{name}:{place}", currency, usd)
        made = row.drive(catalogue)
        problems += [f"{name}:{place}: {why}" for why in row.problems]
        if made is not None:
            drives.append(made)
    if is_read_as_western(content):
        note = WESTERN.format(name)
        drives = [replace(one, quote=one.quote and one.quote._replace(note=note)) for one in drives]
    if problems:
        more = f"; and {len(problems) - MOST_NAMED} more" if len(problems) > MOST_NAMED else ""
        raise QuotesError("; ".join(problems[:MOST_NAMED]) + more)
    return tuple(drives)


def merged(among: Iterable[Drive], own: Iterable[Drive]) -> tuple[Drive, ...]:
    """Return drives with those of a table in place of the same ones of the catalogue."""
    quotes = tuple(own)
    instead = {drive.drive_id for drive in quotes}
    return (*quotes, *(drive for drive in among if drive.drive_id not in instead))


def for_count(drive: Drive, count: float) -> float | None:
    """Return the price of one drive where so many are bought.

    >>> drive = Drive(drive_id="a", vendor="A", model="B", capacity_gb=1,
    ...               quote=Quote("q.csv:2", breaks=((10, 90.0), (100, 80.0))))
    >>> [for_count(with_user_facts(drive, price_usd=100), count) for count in (9, 10, 250)]
    [100.0, 90.0, 80.0]
    """
    single = drive.value("price_usd")
    fact = drive.facts.get("price_usd")
    if drive.quote is None or fact is None or fact.kind != "user":
        return single
    offered = [price for least, price in drive.quote.breaks if count >= least]
    return offered[-1] if offered else single


def _of_header(header: list[str]) -> Iterator[str]:
    known = {*COLUMNS, *FEATURES, *FACTS_USED}
    for column in header:
        if column and column not in known and not _BREAK.fullmatch(column):
            shown = ", ".join(COLUMNS)
            yield f"{shortened(column)}: is not a column: {shown}, or a fact of a drive"
        if column and header.count(column) > 1:
            yield f"{shortened(column)}: is there twice"
    if not {"model", "part_number"} & set(header):
        yield "model: the column is missing, and so is part_number"


class _Row:
    """One row, and what is wrong with its cells."""

    def __init__(
        self, header: list[str], cells: list[str], where: str, currency: str,
        usd: Mapping[str, float],
    ) -> None:  # fmt: skip
        self.where, self.currency, self.usd = where, currency, usd
        self.problems: list[str] = []
        self.cells = {name: cell for name, cell in zip(header, cells, strict=False) if cell}
        if len(cells) > len(header) and any(cells[len(header) :]):
            self.problems.append(f"{header[-1]}: {len(cells)} cells under {len(header)} columns")
        for name, cell in self.cells.items():
            if len(cell) > LONGEST:
                self.problems.append(f"{name}: must be at most {LONGEST} characters")

    def drive(self, catalogue: Catalogue) -> Drive | None:
        """Return the drive; None where a cell cannot be used."""
        facts = dict(self._facts())
        breaks = tuple(sorted(self._breaks()))
        price, day = self._amount("price"), self._day()
        lead = self._parsed("lead_time", lambda cell: parse_duration("", cell, bare="days"))
        if breaks and "price" not in self.cells:
            self.problems.append("price: is empty beside a price for more drives")
        base = self._base(catalogue, facts) if not self.problems else None
        if base is None or self.problems:
            return None
        words: dict[str, Any] = {
            _ALSO.get(name, name): cell
            for name, cell in self.cells.items()
            if _ALSO.get(name, name) in FEATURES
        }
        quote = Quote(
            self.where, self.cells.get("part_number", ""), self.cells.get("supplier", ""), lead,
            breaks, price, self._currency, self.usd.get(self._currency, 1.0),
        )  # fmt: skip
        made = with_user_facts(replace(base, quote=quote, **words), **facts)
        if price is None:
            return made
        made = with_user_facts(made, price_usd=price)
        statement = f"quote {day}" if day else ""
        fact = replace(
            made.facts["price_usd"], condition=statement, locator=self.where, note=str(quote)
        )
        return replace(made, facts={**made.facts, "price_usd": fact})

    def _base(self, catalogue: Catalogue, facts: Mapping[str, float]) -> Drive | None:
        """Return the drive of the catalogue that a row names, else a new one."""
        size_gb = facts["user_bytes"] / GB if "user_bytes" in facts else None
        by_name = (self.cells.get("vendor", ""), self.cells.get("model", ""))
        part_number = self.cells.get("part_number", "")
        for name in (part_number, _named(*by_name, size_gb)):
            among = catalogue if size_gb is None else _of_size(catalogue, size_gb)
            try:
                drive = find(among, name) if name else None
            except LookupFailed:
                continue
            if drive is not None and self._is(drive, size_gb):
                return drive
        if size_gb is None or not by_name[1]:
            column = "capacity" if by_name[1] else "model"
            self.problems.append(f"{column}: is empty, and the catalogue has no such drive")
            return None
        text = " ".join(part for part in (*by_name, f"{size_gb:.10g}gb") if part)
        return Drive(
            drive_id=re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-"),
            vendor=by_name[0] or "Own", model=by_name[1], capacity_gb=size_gb,
        )  # fmt: skip

    def _is(self, drive: Drive, size_gb: float | None) -> bool:
        """Whether a drive that was looked up is the one that is meant."""
        vendor, model = self.cells.get("vendor", ""), self.cells.get("model", "")
        return (
            (size_gb is None or abs(drive.capacity_gb / size_gb - 1) < NEAR)
            and (not vendor or vendor.lower() in drive.vendor.lower())
            and (not model or _plain(model) in _plain(f"{drive.vendor} {drive.model}"))
        )

    def _facts(self) -> Iterator[tuple[str, float]]:
        """Yield the facts that a row states, in base units."""
        for column in self.cells:
            name, read = _READ.get(column, (column, partial(parse_quantity, column, field="")))
            if name not in FACTS_USED:
                continue
            value = self._parsed(column, read)
            if value is None:
                continue
            try:
                refuse_impossible("", name, value, self.cells[column])
            except DomainError as error:
                self.problems.append(f"{column}: {str(error).strip().removeprefix(name).strip()}")
                continue
            yield name, value

    def _parsed(self, column: str, read: Callable[[str], float]) -> float | None:
        cell = self.cells.get(column)
        if cell is None:
            return None
        try:
            return read(cell)
        except DomainError as error:
            self.problems.append(f"{column}: {str(error).strip()}")
            return None

    def _breaks(self) -> Iterator[tuple[int, float]]:
        for column in self.cells:
            if (match := _BREAK.fullmatch(column)) and (price := self._amount(column)) is not None:
                yield int(match[1]), price

    def _amount(self, column: str) -> float | None:
        """Return an amount in the currency of the question."""
        amount = self._parsed(column, lambda cell: parse_number("", cell))
        if amount is None:
            return None
        if amount <= 0:
            self.problems.append(f"{column}: must be > 0, got {quoted(self.cells[column])}")
            return None
        own = self._currency
        lacking = next((each for each in (own, self.currency) if each not in self.usd), "")
        if own == self.currency:
            return amount
        if lacking:
            why = f"currency: {quoted(lacking)} needs --rate {lacking}=USD, such as {lacking}=1.08"
            self.problems += [why] * (why not in self.problems)
            return None
        return amount * self.usd[own] / self.usd[self.currency]

    @property
    def _currency(self) -> str:
        return self.cells.get("currency", self.currency).upper()

    def _day(self) -> str:
        cell = self.cells.get("price_date", "")
        try:
            if re.fullmatch(r"\d{5}(\.0*)?", cell):  # as a spreadsheet keeps a date
                return str(FIRST_DAY + timedelta(days=int(float(cell))))
            return str(date.fromisoformat(cell)) if cell else ""
        except ValueError:
            self.problems.append(
                f"price_date: must be a date such as 2026-09-30, got {quoted(cell)}"
            )
            return ""


@lru_cache(maxsize=64)
def _of_size(catalogue: Catalogue, size_gb: float) -> Catalogue:
    """Return the drives of about a capacity: no other can be meant, and few are quick to search."""
    drives = {name: drive for name, drive in catalogue.drives.items()
              if abs(drive.capacity_gb / size_gb - 1) < NEAR}  # fmt: skip
    return replace(catalogue, drives=drives)


def _tbw(cell: str) -> float:
    """Parse written bytes; a bare number is in TB."""
    return parse_bytes("", f"{cell} TB" if re.fullmatch(r"[\d.,]+", cell) else cell)


# Columns under other names than their quantities, and how a cell is parsed.
_READ: Mapping[str, tuple[str, Callable[[str], float]]] = {
    "capacity": ("user_bytes", partial(parse_bytes, "")),
    "tbw": ("rated_bytes", _tbw),
    "dwpd": ("rated_dwpd", partial(parse_number, "")),
    "warranty_years": ("warranty_s", partial(parse_duration, "", bare="years")),
}


def _named(vendor: str, model: str, size_gb: float | None) -> str:
    if not model:
        return ""
    size = "" if size_gb is None else f"{size_gb:.10g} GB"
    if size_gb is not None and size_gb >= 1000:
        size = f"{size_gb / 1000:.10g} TB"
    return " ".join(part for part in (vendor, model, size) if part)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
