"""Cells of tables of quotes: amounts with their currency and separators, days, times, counts."""

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import NamedTuple

from models.errors import DomainError
from models.units import DAY_S
from planner.catalogue.offers import SIGNS
from planner.quantity.parse import parse_duration, parse_number, quoted

_CURRENCIES = {
    **SIGNS, "us$": "USD", "dollar": "USD", "dollars": "USD", "us dollar": "USD", "euro": "EUR",
    "euros": "EUR", "pound": "GBP", "pounds": "GBP", "fr": "CHF", "sfr": "CHF",
}  # fmt: skip
FIRST_DAY = date(1899, 12, 30)  # of the dates of spreadsheets
# Words of a supplier who states no price.
_NO_PRICE = {
    "-", "--", "\u2013", "\u2014", "?", "n/a", "na", "n.a.", "tbd", "tba", "tbc", "poa", "por",
    "ask", "call", "on request", "upon request", "price on request", "no bid", "no quote",
    "not available",
    "none", "nil", "auf anfrage", "a.a.", "eol", "out of stock", "discontinued",
}  # fmt: skip
_NOW = {
    "in stock",
    "stock",
    "ex stock",
    "immediate",
    "immediately",
    "now",
    "ab lager",
    "auf lager",
    "on stock",
    "lagernd",
    "sofort",
}
_GROUPS = re.compile(r"(?<=\d)[ \u00a0\u202f'\u2019](?=\d{3}(?!\d))")  # that part thousands
_EITHER_WAY = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}")  # 1.234: thousands, or three decimals
_WITH_COMMA = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d{1,2}")
_WITH_POINT = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)\.\d{1,2}")
_WITH_GROUPS = re.compile(r"[-+]?\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?")
_TAIL = re.compile(r"\s*(?:each|/\s*(?:pc|pcs|unit|stk)\.?|ea\.?|net)$", re.IGNORECASE)
_NO_CENTS = re.compile(r"([.,])(?:-|\u2013)+(?=\D*$)")  # 1.455,-
_SPAN = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(?:-|\u2013|to|bis)\s*(\d+(?:[.,]\d+)?\s*[a-z]*\.?)", re.IGNORECASE
)
_TIMES = {"wks": "weeks", "wk": "weeks", "w": "weeks", "tage": "days", "tag": "days",
          "wochen": "weeks", "woche": "weeks", "monate": "months", "jahre": "years"}  # fmt: skip
_AFTER_ORDER = re.compile(r"^(?:approx\b|ca\b|about\b|~)\.?\s*|\s*(?:aro|after order)$")
_WORKING = re.compile(r"(?:working|business) (?=days?$)")  # five of seven days
_MONTHS = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_DAYS = {  # patterns of days, and the order of year, month and day in them
    re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})([ t]\d\d:\d\d(:\d\d)?(\.\d+)?z?)?"): "ymd",
    re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d\d)"): "dmy",
    re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?[ -]([a-z]{3})[a-z]*\.?,?[ -](\d{4})"): "dmy",
    re.compile(r"([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})"): "mdy",
}
_COUNT = re.compile(
    r"(?:from |ab |min\.? )?(\d{1,7})(?:\.0+)?\s*(?:\+|pcs\.?|pieces|units|drives|x|stk\.?|ea)?"
)
_SLASHED = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})")


class QuotedAmount(NamedTuple):
    """A number as it is written, and the currency beside it, "" for none."""

    number: str
    currency: str = ""


def currency_of(written: str) -> str:
    """Return the code of a currency, from a code, a sign or its usual name.

    >>> currency_of("€"), currency_of("US$"), currency_of("chf"), currency_of("shells")
    ('EUR', 'USD', 'CHF', '')
    """
    plain = " ".join(written.lower().replace(".", " ").split())
    if plain in _CURRENCIES:
        return _CURRENCIES[plain]
    return plain.upper() if re.fullmatch(r"[a-z]{3}", plain) else ""


def states_no_price(cell: str) -> bool:
    """Whether a supplier writes in words that there is no price.

    >>> states_no_price("On request"), states_no_price("620")
    (True, False)
    """
    return " ".join(cell.lower().split()) in _NO_PRICE


def amount_of(cell: str) -> QuotedAmount:
    """Return the number of a price and its currency, of which there may be none.

    >>> amount_of("€ 1.234,50"), amount_of("620 USD each"), amount_of("1'250.-")
    (QuotedAmount(number='1.234,50', currency='EUR'), QuotedAmount(number='620', currency='USD'), \
QuotedAmount(number='1250.00', currency=''))
    """
    text = _NO_CENTS.sub(r"\g<1>00", _TAIL.sub("", cell.strip()))
    text = _GROUPS.sub("", text)
    match = re.fullmatch(r"([a-z]{2,3}\$?|[$€£])?\s*([-+]?[\d.,]+(?:e[-+]?\d+)?)\s*"
                         r"([a-z]{2,3}\$?|[$€£]|euro)?", text, re.IGNORECASE)  # fmt: skip
    if match is None or (match[1] and match[3]):
        return QuotedAmount(text)
    word = match[1] or match[3] or ""
    code = currency_of(word) if word else ""
    return QuotedAmount(text if word and not code else match[2], code)


class Separators(NamedTuple):
    """Separators that the unambiguous prices of a table use, each with an example."""

    comma: str = ""
    point: str = ""
    groups: str = ""

    def parse(self, written: str) -> float:
        """Parse a number; one with three digits after its only separator by the other numbers.

        >>> separators_of(["620,50", "1.234"]).parse("1.234")
        1234.0
        >>> separators_of(["1.234"]).parse("1.234")
        Traceback (most recent call last):
        models.errors.DomainError: must be without thousands separators or with two decimals: \
'1.234' is 1234 or 1.23
        """
        if _EITHER_WAY.fullmatch(written):
            plain = re.sub(r"[.,]", "", written)
            mark = re.sub(r"[^.,]", "", written)
            decides, against = (self.comma, self.point) if mark == "." else (self.point, self.comma)
            if (mark == "." and not decides) or (mark == "," and against and not decides):
                other = f"{float(written.replace(',', '.')):.2f}"
                raise DomainError(
                    "must be without thousands separators or with two decimals: "
                    f"{quoted(written)} is {plain} or {other}"
                )
            return float(plain)
        if re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3}){2,}", written):
            return float(written.replace(".", ""))
        return parse_number("", written)

    def notes(self) -> Iterable[str]:
        """Yield notes on the separators that a reader may take for others."""
        if self.comma:
            shown = parse_number("", self.comma)
            yield f"decimal commas: {quoted(self.comma)} is read as {shown:.2f}"
        if self.groups and self.groups != self.comma:
            shown = self.parse(self.groups)
            yield f"thousands separators: {quoted(self.groups)} is read as {shown:.12g}"


def separators_of(numbers: Iterable[str]) -> Separators:
    """Return the separators that numbers of a table use.

    >>> separators_of(["620.50", "1,234"])
    Separators(comma='', point='620.50', groups='1,234')
    """
    written = [*numbers]

    def first(pattern: re.Pattern[str]) -> str:
        return next((each for each in written if pattern.fullmatch(each)), "")

    found = Separators(first(_WITH_COMMA), first(_WITH_POINT))
    groups = ""
    for each in written:
        if not groups and _WITH_GROUPS.fullmatch(each):
            try:
                found.parse(each)
            except DomainError:
                continue
            groups = each
    return found._replace(groups=groups)


def day_of(cell: str) -> str:
    """Return a day as 2026-09-30, from what people and spreadsheets write.

    >>> day_of("30.09.2026"), day_of("Sep 30, 2026"), day_of("46295"), day_of("9/30/2026")
    ('2026-09-30', '2026-09-30', '2026-09-30', '2026-09-30')
    >>> day_of("03/04/2026")
    Traceback (most recent call last):
    models.errors.DomainError: must be a date such as 2026-09-30: '03/04/2026' is 3 April or March 4
    """
    text = " ".join(cell.lower().split())
    try:
        if re.fullmatch(r"\d{5}(\.0*)?", text):  # as a spreadsheet keeps a date
            return str(FIRST_DAY + timedelta(days=int(float(text))))
        for pattern, order in _DAYS.items():
            if match := pattern.fullmatch(text):
                parts = {name: match[place] for place, name in enumerate(order, start=1)}
                return str(date(_year(parts["y"]), _month(parts["m"]), int(parts["d"])))
        if match := _SLASHED.fullmatch(text):
            return _slashed(cell, int(match[1]), int(match[2]), int(match[3]))
        return str(date.fromisoformat(text))
    except ValueError as error:
        wanted = DomainError(f"must be a date such as 2026-09-30, got {quoted(cell)}")
        raise (error if isinstance(error, DomainError) else wanted) from None


def _year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _month(name: str) -> int:
    return int(name) if name.isdigit() else _MONTHS.index(name) + 1


def _slashed(cell: str, first: int, second: int, year: int) -> str:
    """Return a day with slashes where only one order of day and month is possible."""
    if first <= 12 and second <= 12 and first != second:
        day, other = datetime(year, second, first), datetime(year, first, second)
        either = f"{day.day} {day:%B} or {other:%B} {other.day}"
        raise DomainError(f"must be a date such as 2026-09-30: {quoted(cell)} is {either}")
    return str(date(year, second, first) if first > 12 else date(year, first, second))


def time_of(cell: str, bare: str = "days") -> float:
    """Return a time of delivery; of a range the longer end, and 0 from stock.

    >>> [time_of(text) / 86400 for text in ("3 weeks", "2-3 wks", "14", "in stock")]
    [21.0, 21.0, 14.0, 0.0]
    >>> [round(time_of(text) / 86400) for text in ("10 working days", "ca. 2 Wochen ARO")]
    [14, 14]
    """
    text = " ".join(cell.lower().split())
    if text in _NOW:
        return 0.0
    text = _AFTER_ORDER.sub("", text)
    if span := _SPAN.fullmatch(text):
        text = span[2]
    longer = 7 / 5 if _WORKING.search(text) else 1.0
    text = _WORKING.sub("", text)
    word = re.search(r"([a-zä-ü]+)\.?$", text)
    if word and word[1] in _TIMES:
        text = f"{text[: word.start()]}{_TIMES[word[1]]}"
    try:
        return longer * parse_duration("", text, bare=_TIMES.get(bare, bare))
    except DomainError:
        raise DomainError(f"must be a time such as 3 weeks, got {quoted(cell)}") from None


def count_of(cell: str) -> int:
    """Return a whole number of drives.

    >>> count_of("10 pcs"), count_of("12+")
    (10, 12)
    """
    match = _COUNT.fullmatch(cell.strip().lower())
    if match is None or int(match[1]) < 1:
        raise DomainError(f"must be a whole number of drives >= 1, got {quoted(cell)}")
    return int(match[1])


def days_text(seconds: float) -> str:
    """Format a time in whole days.

    >>> days_text(180 * 86400.0)
    '180 days'
    """
    return f"{seconds / DAY_S:.0f} days"
