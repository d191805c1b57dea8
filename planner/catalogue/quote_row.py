"""One row of a table of quotes: the drive that it names, its price and terms, and its doubts."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

from models.endurance import tbw_bytes
from models.errors import DomainError
from models.units import DAY_S, GB, TB, YEAR_S
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
from planner.catalogue.quote_header import BREAK, Heading
from planner.catalogue.reader import FEATURES, Catalogue
from planner.quantity.drive_facts import FACTS_USED, refuse_impossible
from planner.quantity.parse import (
    parse_bytes,
    parse_duration,
    parse_number,
    parse_quantity,
    quoted,
)  # fmt: skip

NEAR = 0.03  # of a capacity that is rounded otherwise
LONGEST = 200  # characters of a cell
APART = 0.1  # of two ratings that contradict each other
USUAL_PERIOD_S = 5 * YEAR_S  # of a rating whose period nothing states
_ALSO = {"plp": "power_loss_protection"}
_TOTAL = re.compile(
    r"(?:(?:sub|grand|net|gross|order|gesamt|zwischen)[ -]?)?(?:total|sum|summe|betrag)\b.*"
    r"|(?:vat|tax|mwst|ust|shipping|freight|handling|insurance|versand|fracht|amount due)\b.*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TableTerms:
    """Catalogue, currency of the question, and currencies in USD, by which tables are read."""

    catalogue: Catalogue
    currency: str
    usd: Mapping[str, float]


class QuoteRow:
    """One row, and what is wrong with its cells."""

    def __init__(
        self, headings: Sequence[Heading | None], cells: Sequence[str], where: str,
        separators: Separators, terms: TableTerms,
    ) -> None:  # fmt: skip
        self.where, self.separators, self.terms = where, separators, terms
        self.problems: list[str] = []
        self.doubts: list[str] = []
        self.filled = [cell for cell in cells if cell]
        self.is_priced = any(each is not None and each.name == "price" for each in headings)
        pairs = [(each, cell) for each, cell in zip(headings, cells, strict=False) if each and cell]
        self.cells = {heading.name: cell for heading, cell in pairs}
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
        if _TOTAL.fullmatch(first) and not {"capacity", "part_number"} & self.cells.keys():
            return f"is a total or a charge, no quote: {quoted(first)}"
        names = {"model", "part_number"} & self.cells.keys()
        if len(self.filled) == 1 and self.is_priced and (not names or self._found() is None):
            return f"is a remark in one cell, no quote: {quoted(first)}"
        if not names and any(_TOTAL.fullmatch(cell) for cell in self.filled):
            return f"is a total or a charge, no quote: {quoted(first)}"
        return ""

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
        self._compare_prices(breaks)
        facts |= dict(self._rating(base, facts))
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
            except LookupFailed:
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
        if size_gb is None or not model:
            column = "capacity" if model else "model"
            self.problems.append(f"{column}: is empty, and the catalogue has no such drive: "
                                 f"{self._nearest(size_gb)}")  # fmt: skip
            return None
        text = " ".join(part for part in (vendor, model, f"{size_gb:.10g}gb") if part)
        self.doubts.append(f"read as a drive of your own: {self._nearest(size_gb)}")
        return Drive(
            drive_id=re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-"),
            vendor=vendor or "Own", model=model, capacity_gb=size_gb,
        )  # fmt: skip

    def _nearest(self, size_gb: float | None) -> str:
        """Say that no drive has the name of a row, with the nearest names."""
        vendor, model = self.cells.get("vendor", ""), self.cells.get("model", "")
        name = _named(vendor, model, size_gb) or self.cells.get("part_number", "")
        return _why_unknown(self.terms.catalogue, name)

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
        if amount <= 0:
            self.problems.append(f"{column}: must be > 0, got {quoted(cell)}")
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

    # Doubts --------------------------------------------------------------------------------------

    def _compare_prices(self, breaks: Sequence[tuple[int, float]]) -> None:
        """Name each price for more drives that is above the price for fewer."""
        prices = [(1, self.cells.get("price", ""), self._amount("price", self._currency()) or 0.0)]
        prices += [(count, self.cells[f"price_{count}"], price) for count, price in breaks]
        for (few, cheap, price), (many, dear, other) in pairwise(prices):
            if other > price:
                of_few = "one drive" if few == 1 else f"{few} drives"
                more = f"price_{many} {quoted(dear)}"
                fewer = f"the price of {of_few}, {quoted(cheap)}"
                self.doubts.append(f"{more} is above {fewer}: doubtful, read as written")

    def _rating(self, base: Drive, facts: Mapping[str, float]) -> Iterator[tuple[str, float]]:
        """Yield the lower of two ratings that contradict each other, and name both."""
        tbw, dwpd = facts.get("rated_bytes"), facts.get("rated_dwpd")
        size = facts.get("user_bytes") or base.capacity_bytes
        period_s, words = self._period(base, facts)
        of_whole = f"x {size / TB:.4g} TB x {period_s / YEAR_S:.3g} years{words}"
        if tbw is not None and dwpd is not None:
            daily = float(tbw_bytes(dwpd, user_bytes=size, period_s=period_s))
            if _differ(tbw, daily, self.cells["dwpd"], dwpd):
                lower = min(tbw, daily)
                product = f"dwpd {dwpd:g} {of_whole} = {daily / TB:,.5g} TB"
                self.doubts.append(
                    f"tbw {tbw / TB:,.5g} TB contradicts {product}: the lower counts"
                )
                yield "rated_bytes", lower
                yield "rated_dwpd", lower / size / (period_s / DAY_S)
            return
        known, rate = base.value("rated_bytes"), base.value("rated_dwpd")
        printed = known
        if known is None and rate is not None:
            printed = float(tbw_bytes(rate, user_bytes=size, period_s=period_s))
        stated = tbw
        if dwpd is not None:
            stated = float(tbw_bytes(dwpd, user_bytes=size, period_s=period_s))
            if known is not None:
                yield "rated_bytes", stated  # not that of the catalogue
        if stated is not None and printed is not None:
            digits = self.cells.get("dwpd") or f"{rate or 1:g}"
            if _differ(stated, printed, digits, dwpd or rate or 1.0):
                column = "tbw" if tbw is not None else f"dwpd {dwpd:g} {of_whole} ="
                self.doubts.append(f"{column} {stated / TB:,.5g} TB differs from the catalogue's "
                                   f"{printed / TB:,.5g} TB: that of the row counts")  # fmt: skip

    def _period(self, base: Drive, facts: Mapping[str, float]) -> tuple[float, str]:
        """Return the period of a rating, and words on one that nothing states."""
        for known in (facts.get, base.value):
            for name in ("rating_period_s", "warranty_s"):
                if (period_s := known(name)) is not None:
                    return period_s, ""
        return USUAL_PERIOD_S, " (assumed)"


def _differ(one: float, other: float, digits: str, dwpd: float) -> bool:
    """Whether two ratings differ by more than the digits of a DWPD and a tenth allow."""
    decimals = len(digits.replace(",", ".").partition(".")[2].strip())
    rounding = 0.5 * 10.0**-decimals / dwpd if decimals else 0.0
    return abs(one / other - 1) > max(APART, rounding)


@lru_cache(maxsize=256)
def _why_unknown(catalogue: Catalogue, name: str) -> str:
    try:
        find(catalogue, name)
    except LookupFailed as error:
        return str(error)
    return f"no drive of this vendor and capacity matches {quoted(name)}"


@lru_cache(maxsize=64)
def _of_size(catalogue: Catalogue, size_gb: float) -> Catalogue:
    """Return the drives of about a capacity: no other can be meant, and few are quick to search."""
    drives = {name: drive for name, drive in catalogue.drives.items()
              if abs(drive.capacity_gb / size_gb - 1) < NEAR}  # fmt: skip
    return replace(catalogue, drives=drives)


def _tbw(cell: str) -> float:
    """Parse written bytes; a bare number is in TB."""
    cell = re.sub(r"(?i)([tp]b)w$", r"\1", cell)
    return parse_bytes("", f"{cell} TB" if re.fullmatch(r"[\d.,]+", cell) else cell)


# Columns under other names than their quantities, and how a cell is parsed.
_READ: Mapping[str, tuple[str, Callable[[str], float]]] = {
    "capacity": ("user_bytes", partial(parse_bytes, "")),
    "tbw": ("rated_bytes", _tbw),
    "dwpd": ("rated_dwpd", lambda cell: parse_number("", re.sub(r"(?i) ?dwpd$", "", cell))),
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
