"""One row of a table of quotes: the drive that it names, its price and terms, and its doubts."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Any

from models.errors import DomainError
from models.units import GB
from planner.catalogue.drive import Drive, with_user_facts
from planner.catalogue.names import LookupFailed, find
from planner.catalogue.offers import Quote
from planner.catalogue.quote_cells import (
    Separators,
    amount_of,
    count_of,
    currency_of,
    day_of,
    states_no_price,
    time_of,
)  # fmt: skip
from planner.catalogue.quote_doubts import dear_breaks, stated_rating
from planner.catalogue.quote_header import BREAK, Heading
from planner.catalogue.reader import FEATURES
from planner.catalogue.stored import Catalogue
from planner.quantity.drive_facts import FACTS_USED, refuse_impossible
from planner.quantity.parse import parse_bytes, parse_number, parse_quantity, quoted  # fmt: skip

NEAR = 0.03  # of a capacity that is rounded otherwise
LONGEST = 200  # characters of a cell
MOST_PRICE = 1e9  # of one drive, in any currency: above it, digits of a thousand were lost
MOST_EXPLAINED = 20  # unknown names: to find the nearest takes long
_ALSO = {"plp": "power_loss_protection"}
_TOTAL = re.compile(
    r"(?:(?:sub|grand|net|gross|order|gesamt|zwischen)[ -]?)?(?:total|sum|summe|betrag)\b.*"
    r"|(?:vat|tax|mwst|ust|shipping|freight|handling|insurance|versand|fracht|amount due)\b.*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TableTerms:
    """Catalogue, currency of the question, and currencies in USD, by which tables are read.

    `explained` are the unknown names so far whose nearest ones were looked up.
    """

    catalogue: Catalogue
    currency: str
    usd: Mapping[str, float]
    explained: list[str] = field(default_factory=list)

    def why_unknown(self, error: LookupFailed | None, name: str) -> str:
        """Return a complaint of an unknown name, with the nearest ones of the first few."""
        if error is None:
            return f"no drive of this vendor and capacity matches {quoted(name)}"
        if len(self.explained) >= MOST_EXPLAINED:
            return f"no drive matches {quoted(name)}"
        self.explained.append(name)
        return str(error)


class QuoteRow:
    """One row, and what is wrong with its cells."""

    def __init__(
        self, headings: Sequence[Heading | None], cells: Sequence[str], where: str,
        separators: Separators, terms: TableTerms,
    ) -> None:  # fmt: skip
        self.where, self.separators, self.terms = where, separators, terms
        self.problems: list[str] = []
        self.doubts: list[str] = []
        self.unknown: LookupFailed | None = None
        self.filled = [cell for cell in cells if cell]
        self.is_priced = any(each is not None and each.name == "price" for each in headings)
        pairs = [(each, cell) for each, cell in zip(headings, cells, strict=False) if each and cell]
        self.cells = {heading.name: cell for heading, cell in pairs}
        self.titles = {heading.name: heading.written for heading, _ in pairs if heading.written}
        self.units = {heading.name: heading.unit for heading, _ in pairs if heading.unit}
        if re.fullmatch(r"\d{1,3}", self.cells.get("model", "")) and "part_number" in self.cells:
            del self.cells["model"]  # the number of the line
        if any(cells[len(headings) :]):
            last = headings[-1].name if headings and headings[-1] else "the last column"
            self.problems.append(f"{last}: {len(cells)} cells under {len(headings)} columns")
        self.problems += [f"{name}: must be at most {LONGEST} characters"
                          for name, cell in self.cells.items() if len(cell) > LONGEST]  # fmt: skip

    @property
    def no_quote(self) -> str:
        """Reason that a row is no quote at all: a total, a charge, or a remark in one cell."""
        first = self.filled[0]
        is_named = "capacity" in self.cells or self.cells.get("part_number", first) != first
        if _TOTAL.fullmatch(first) and not is_named:
            return f"is a total or a charge, no quote: {quoted(first)}"
        names = {"model", "part_number"} & self.cells.keys()
        if len(self.filled) == 1 and self.is_priced and (not names or self._found() is None):
            return f"is a remark in one cell, no quote: {quoted(first)}"
        if not names and any(_TOTAL.fullmatch(cell) for cell in self.filled):
            return f"is a total or a charge, no quote: {quoted(first)}"
        return ""

    @property
    def complaints(self) -> str:
        """Problems of the cells, each under its heading as the table has it."""
        parts = (problem.partition(": ") for problem in self.problems)
        return "; ".join(
            f"{self.titles[name]} ({name}): {why}" if name in self.titles else f"{name}: {why}"
            for name, _, why in parts
        )

    def states(self, column: str) -> bool:
        """Whether a row states a currency, in its cells or headings, or a day of the quote."""
        return bool(self._currencies()) if column == "currency" else column in self.cells

    def drive(self) -> Drive | None:
        """Return the drive; None where a cell cannot be used."""
        facts = dict(self._facts())
        currency = self._currency()
        breaks = tuple(sorted(self._breaks(currency)))
        price, day = self._amount("price", currency), self._parsed("price_date", day_of)
        lead = self._parsed("lead_time", partial(time_of, bare=self.units.get("lead_time", "days")))
        least = self._parsed("least_order", count_of)
        until = self._until(day)
        unpriced = self._unpriced()
        if breaks and "price" not in self.cells:
            self.problems.append("price: is empty beside a price for more drives")
        base = None if self.problems else self._base(facts)
        if base is None or self.problems:
            return None
        prices = [(1, self.cells.get("price", ""), price or 0.0)]
        prices += [(count, self.cells[f"price_{count}"], each) for count, each in breaks]
        rating = stated_rating(base, facts, self.cells.get("dwpd", ""))
        self.doubts += [*dear_breaks(prices), *([rating.doubt] if rating.doubt else [])]
        facts |= rating.facts
        words: dict[str, Any] = {
            _ALSO.get(name, name): cell
            for name, cell in self.cells.items()
            if _ALSO.get(name, name) in FEATURES
        }
        quote = Quote(
            self.where, self.cells.get("part_number", ""), self.cells.get("supplier", ""), lead,
            breaks, price, currency, self.terms.usd.get(currency, 1.0), until, least or 1, unpriced,
            tuple(self.doubts),
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

    # The drive -----------------------------------------------------------------------------------

    def _found(self, size_gb: float | None = None) -> Drive | None:
        """Return the drive of the catalogue that a row names."""
        by_name = (self.cells.get("vendor", ""), self.cells.get("model", ""))
        for name in (self.cells.get("part_number", ""), _named(*by_name, size_gb)):
            catalogue = self.terms.catalogue
            among = catalogue if size_gb is None else _of_size(catalogue, size_gb)
            try:
                drive = find(among, name) if name else None
            except LookupFailed as error:
                self.unknown = error
                continue
            if drive is not None and self._is(drive, size_gb):
                return drive
        return None

    def _base(self, facts: Mapping[str, float]) -> Drive | None:
        """Return the drive of the catalogue that a row names, else a new one."""
        size_gb = facts["user_bytes"] / GB if "user_bytes" in facts else None
        found = self._found(size_gb)
        if found is not None:
            return found
        vendor, model = self.cells.get("vendor", ""), self.cells.get("model", "")
        if not {"model", "part_number"} & self.cells.keys():
            self.problems.append("model: is empty, and so is part_number: no drive is named")
            return None
        if size_gb is None or not model:
            column = "capacity" if model else "model"
            self.problems.append(f"{column}: is empty, and the catalogue has no such drive: "
                                 f"{self._why_unknown(size_gb)}")  # fmt: skip
            return None
        text = " ".join(part for part in (vendor, model, f"{size_gb:.10g}gb") if part)
        self.doubts.append(f"read as a drive of your own: {self._why_unknown(size_gb)}")
        return Drive(
            drive_id=re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-"),
            vendor=vendor or "Own", model=model, capacity_gb=size_gb,
        )  # fmt: skip

    def _why_unknown(self, size_gb: float | None) -> str:
        """Complain that no drive has the name of a row, with the nearest names."""
        vendor, model = self.cells.get("vendor", ""), self.cells.get("model", "")
        name = _named(vendor, model, size_gb) or self.cells.get("part_number", "")
        return self.terms.why_unknown(self.unknown, name)

    def _is(self, drive: Drive, size_gb: float | None) -> bool:
        """Whether a drive that was looked up is the one that is meant."""
        vendor, model = self.cells.get("vendor", ""), _plain(self.cells.get("model", ""))
        return (
            (size_gb is None or abs(drive.capacity_gb / size_gb - 1) < NEAR)
            and (not vendor or vendor.lower() in drive.vendor.lower())
            and (model in _plain(f"{drive.vendor} {drive.model}")
                 or _plain(drive.model) in model)
        )  # fmt: skip

    # Facts, price and terms ----------------------------------------------------------------------

    def _facts(self) -> Iterator[tuple[str, float]]:
        """Yield the facts that a row states, in base units."""
        for column in self.cells:
            name, read = _READ.get(column, (column, partial(parse_quantity, column, field="")))
            if name not in FACTS_USED or column.startswith("price"):
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

    def _parsed(self, column: str, read: Callable[[str], Any]) -> Any:
        """Return the value of a cell, None where it is empty or cannot be used."""
        cell = self.cells.get(column)
        if cell is None:
            return None
        unit = self.units.get(column, "")
        if unit and re.fullmatch(r"[\d.,]+", cell) and column in _READ:
            cell = f"{cell} {unit}"
        try:
            return read(cell)
        except DomainError as error:
            self.problems.append(f"{column}: {str(error).strip()}")
            return None

    def _until(self, day: str | None) -> str:
        """Return the last day of an offer, stated as a day or as a time from the day of it."""
        cell = self.cells.get("valid_until", "")
        if not re.fullmatch(r"\d{1,3} ?(days?|weeks?|months?|tage|wochen)", cell.lower()):
            return self._parsed("valid_until", day_of) or ""
        if not day:
            self.problems.append(f"valid_until: {quoted(cell)} needs a price_date")
            return ""
        return str(date.fromisoformat(day) + timedelta(seconds=time_of(cell)))

    def _unpriced(self) -> str:
        """Return the reason for which a row of a table with prices has none."""
        cell = self.cells.get("price", "")
        if not self.is_priced or (cell and not states_no_price(cell)):
            return ""
        return f"states no price ({quoted(cell)})" if cell else "states no price"

    def _breaks(self, currency: str) -> Iterator[tuple[int, float]]:
        for column in self.cells:
            match = BREAK.fullmatch(column)
            price = self._amount(column, currency) if match else None
            if match and price is not None:
                yield int(match[1]), price

    def _currencies(self) -> dict[str, str]:
        """Return the currencies that a row names, each with the cell or heading that does."""
        found = {}
        if cell := self.cells.get("currency"):
            found[currency_of(cell) or cell] = f"currency {quoted(cell)}"
        for column in self.cells:
            if column != "price" and not BREAK.fullmatch(column):
                continue
            code = amount_of(self.cells[column]).currency
            is_dollar = code == "USD" and "$" in self.cells[column]
            if code and not (is_dollar and any(other.endswith("D") for other in found)):
                found.setdefault(code, f"{column} {quoted(self.cells[column])}")
            if unit := self.units.get(column):
                found.setdefault(currency_of(unit), f"the heading of {column}, {unit}")
        return found

    def _currency(self) -> str:
        """Return the code of the one currency of a row."""
        found = self._currencies()
        if len(found) > 1:
            self.problems.append(f"currency: must be one, got {' and '.join(found.values())}")
        code = next(iter(found), self.terms.currency)
        if found and not currency_of(code):
            accepted = "must be a code of three letters such as EUR, or a sign such as €"
            self.problems.append(f"currency: {accepted}, got {quoted(code)}")
        return code

    def _amount(self, column: str, currency: str) -> float | None:
        """Return a price in the currency of the question."""
        cell = self.cells.get(column, "")
        if states_no_price(cell):
            return None
        amount = self._parsed(column, lambda text: self.separators.parse(amount_of(text).number))
        if amount is None:
            return None
        if not 0 < amount <= MOST_PRICE:
            accepted = f"at most {MOST_PRICE:,.0f} for one drive" if amount > 0 else "> 0"
            self.problems.append(f"{column}: must be {accepted}, got {quoted(cell)}")
            return None
        own, usd = self.terms.currency, self.terms.usd
        if currency == own:
            return float(amount)
        lacking = next((each for each in (currency, own) if each not in usd), "")
        if lacking:
            why = f"currency: {quoted(lacking)} needs --rate {lacking}=USD, such as {lacking}=1.08"
            known = any(each.startswith("currency: ") for each in self.problems)
            self.problems += [] if known else [why]
            return None
        return float(amount * usd[currency] / usd[own])


@lru_cache(maxsize=64)
def _of_size(catalogue: Catalogue, size_gb: float) -> Catalogue:
    """Return the drives of about a capacity: no other can be meant, and few are quick to search."""
    drives = {name: drive for name, drive in catalogue.drives.items()
              if abs(drive.capacity_gb / size_gb - 1) < NEAR}  # fmt: skip
    return replace(catalogue, drives=drives)


def _capacity(cell: str) -> float:
    """Parse a capacity; T and G are TB and GB, of which drives are sold."""
    return parse_bytes("", re.sub(r"(?i)(?<=\d)( ?[gt])$", r"\1b", cell))


def _tbw(cell: str) -> float:
    """Parse written bytes; a bare number is in TB."""
    cell = re.sub(r"(?i)([tp]b)w$", r"\1", cell)
    return parse_bytes("", f"{cell} TB" if re.fullmatch(r"[\d.,]+", cell) else cell)


# Columns under other names than their quantities, and how a cell is parsed.
_READ: Mapping[str, tuple[str, Callable[[str], float]]] = {
    "capacity": ("user_bytes", _capacity),
    "tbw": ("rated_bytes", _tbw),
    "dwpd": ("rated_dwpd", lambda cell: parse_number("", re.sub(r"(?i) ?dwpd$", "", cell))),
    "warranty_years": ("warranty_s", partial(time_of, bare="years")),
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
