"""Headings of tables of quotes, as suppliers spell them: their column, unit and currency."""

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from planner.catalogue.reader import FEATURES
from planner.catalogue.sheet import FIRST_ROWS, Row
from planner.quantity.drive_facts import FACTS_USED
from planner.quantity.parse import quoted, shortened

COLUMNS = (
    "part_number", "vendor", "model", "capacity", "interface", "form_factor", "plp", "tbw", "dwpd",
    "warranty_years", "price", "price_10", "price_100", "currency", "price_date", "valid_until",
    "least_order", "supplier", "lead_time",
)  # fmt: skip
BREAK = re.compile(r"price_([1-9]\d{0,5})")
# Spellings of each column, the likeliest first: of two that are there, the first one is read.
_SPELLINGS = {
    "part_number": (
        "part number", "part no", "pn", "mpn", "part", "part nr", "manufacturer part number",
        "mfr part number", "manufacturer part no", "mfr part no", "mfg part number", "order code",
        "product code", "product number", "model number", "sku", "article number", "article no",
        "item number", "item no", "item code", "artikelnummer", "teilenummer", "artikel nr",
    ),
    "vendor": ("vendor", "manufacturer", "brand", "maker", "mfr", "hersteller", "marke"),
    "model": (
        "model", "drive", "drive model", "ssd", "product", "product name", "model name",
        "description", "product description", "item description", "item", "article", "modell",
        "bezeichnung", "produkt", "artikel", "beschreibung",
    ),
    "capacity": (
        "capacity", "size", "drive capacity", "drive size", "cap", "user capacity",
        "capacity per drive", "kapazität", "kapazitaet", "größe",
    ),
    "interface": ("interface", "bus", "schnittstelle"),
    "form_factor": ("form factor", "formfactor", "formfaktor", "bauform"),
    "plp": ("plp", "power loss protection", "pfail protection"),
    "tbw": ("tbw", "rated tbw", "endurance tbw", "tb written", "terabytes written"),
    "dwpd": ("dwpd", "rated dwpd", "endurance dwpd", "drive writes per day"),
    "warranty_years": (
        "warranty years", "warranty", "warranty period", "warranty term", "garantie",
    ),
    "price": (
        "price", "unit price", "price each", "price per unit", "price per drive", "net price",
        "net unit price", "unit net price", "unit cost", "cost each", "cost per unit",
        "price per piece", "price unit", "price ea", "each", "unit price net", "quoted price",
        "offer price", "your price", "our price", "unit price each", "price 1", "cost",
        "preis", "einzelpreis", "stückpreis", "stueckpreis", "preis pro stück", "nettopreis",
        "preis stk", "preis pro stk", "preis je stück", "stk preis",
    ),
    "currency": ("currency", "cur", "ccy", "curr", "währung", "waehrung"),
    "price_date": (
        "price date", "quote date", "date", "quoted on", "offer date", "date of quote",
        "date of offer", "quotation date", "date quoted", "as of", "datum", "angebotsdatum",
    ),
    "valid_until": (
        "valid until", "valid to", "valid through", "valid till", "validity", "quote valid until",
        "offer valid until", "expires", "expires on", "expiry", "expiry date", "expiration",
        "expiration date", "gültig bis", "gueltig bis",
    ),
    "least_order": (
        "least order", "moq", "min order", "minimum order", "minimum order quantity",
        "min order quantity", "min order qty", "minimum order qty", "min qty", "minimum qty",
        "minimum quantity", "min quantity", "qty", "quantity", "order qty", "order quantity", "pcs",
        "pieces", "units", "quantity quoted", "qty quoted", "menge", "stückzahl",
        "mindestmenge", "mindestbestellmenge", "mindestabnahme",
    ),
    "supplier": (
        "supplier", "supplier name", "reseller", "distributor", "seller", "shop", "dealer",
        "quoted by", "lieferant", "händler", "anbieter",
    ),
    "lead_time": (
        "lead time", "leadtime", "delivery", "delivery time", "delivered in", "availability",
        "time to deliver", "lieferzeit", "verfügbarkeit",
    ),
}  # fmt: skip
# Columns of which a table may have two under different headings; of any other that is refused.
_EITHER = {"part_number", "model", "supplier", "vendor", "least_order"}
_TIMES = {"day", "days", "week", "weeks", "month", "months", "year", "years"}
_UNITS = {  # that a heading may end in, by column
    "capacity": {"gb", "tb", "gib", "tib"},
    "tbw": {"tb", "pb", "tbw", "pbw"},
    "warranty_years": _TIMES,
    "lead_time": {*_TIMES, "wks", "d"},
}  # fmt: skip
_WORDS_OF_PRICE = re.compile(r"\b\w*(price|cost|preis)\w*\b")
_OF_TOTALS = re.compile(r"\b(total|line|ext|extended|sum|amount|gesamt\w*|summe|list|msrp)\b")
_OF_TAX = re.compile(r"\b(incl|including|with|gross|inkl|brutto)\b")
_COUNT = r"(\d{1,6}) ?(?:\+|pcs|pieces|units|x|(?:to |- ?)?\d{1,6}(?: pcs| units)?)?"
_FROM_COUNT = re.compile(
    rf"(?:unit )?price (?:each )?(?:from|at|for|qty|over)? ?{_COUNT}"
    rf"|(?:qty )?{_COUNT} (?:unit )?price|qty {_COUNT}|(\d{{1,6}})(?:\+| (?:to )?\d{{1,6}})"
)
_EACH = {
    "each",
    "per unit",
    "per drive",
    "per piece",
    "unit",
    "ea",
    "pc",
    "price per",
    "price each",
}
CODES = {
    "usd", "eur", "gbp", "chf", "jpy", "cny", "sek", "nok", "dkk", "pln", "czk", "huf", "cad",
    "aud", "nzd", "sgd", "hkd", "inr", "krw", "twd", "brl", "mxn", "zar", "ils", "try", "ron",
    "bgn", "aed", "sar", "thb", "myr", "idr", "php", "vnd", "rub", "uah", "$", "€", "£",
}  # fmt: skip
_BY_SPELLING = {
    spelling: (name, place)
    for name, spellings in _SPELLINGS.items()
    for place, spelling in enumerate(spellings)
}
_JOINED = {spelling.replace(" ", ""): found for spelling, found in _BY_SPELLING.items()}
_OF_OFFERS = {"quote", "quoted", "offer", "offered", "our", "your"}
_OWN = {*FEATURES, *FACTS_USED} - {"price_usd"}
_NAMING = {spelling.replace(" ", "") for name in ("model", "part_number")
           for spelling in (*_SPELLINGS[name], name.replace("_", " "))}  # fmt: skip
_ALIKE, _LEAST_LETTERS, _LONGEST = 0.8, 5, 60


class Heading(NamedTuple):
    """A heading that is read: its column, the unit or currency that it names, and its rank.

    Of two headings of one column the one of the lower rank is read. `written` is the heading as the
    table has it, where that is another word.
    """

    name: str
    unit: str = ""
    rank: int = 0
    written: str = ""


class Header(NamedTuple):
    """The heading of each column, None where a column is not read, and what is wrong with them."""

    headings: tuple[Heading | None, ...]
    unread: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def heading_of(cell: str) -> Heading | None:
    """Return the column that a heading names; None where it is no known one.

    >>> [heading_of(text)[:2] for text in ("Unit price (EUR)", "Part no.", "MOQ")]
    [('price', 'EUR'), ('part_number', ''), ('least_order', '')]
    >>> heading_of("Price 10+")[0], heading_of("Lead time [weeks]")[:2], heading_of("Remarks")
    ('price_10', ('lead_time', 'weeks'), None)
    >>> [heading_of(text)[:2] for text in ("Price (USD/unit)", "EUR each", "Price 10-49")]
    [('price', 'USD'), ('price', 'EUR'), ('price_10', '')]
    >>> [heading_of(text)[0] for text in ("Artikelnr.", "Quote valid to", "Qty 1", "10-49")]
    ['part_number', 'valid_until', 'price', 'price_10']
    """
    plain = _plain(cell)
    whole = _whole_heading(plain)
    if whole is not None:
        return whole
    words = plain.split()
    codes = [word for word in words if word in CODES]
    if len(codes) == 1:
        rest = " ".join(word for word in words if word not in ("in", *codes))
        inner = Heading("price") if rest in _EACH else _whole_heading(rest)
        is_price = inner is not None and (inner.name == "price" or BREAK.fullmatch(inner.name))
        return inner._replace(unit=codes[0].upper()) if inner and is_price else None
    start, _, last = plain.rpartition(" ")
    inner = _whole_heading(start.removesuffix(" in"))
    fits = inner is not None and last in _UNITS.get(inner.name, ())
    return inner._replace(unit=last) if inner and fits else None


def _whole_heading(plain: str) -> Heading | None:
    """Return the column that a heading without a unit names."""
    own = plain.replace(" ", "_")
    if own in _OWN or own in COLUMNS:
        return Heading(own)
    name, rank = _JOINED.get(plain.replace(" ", ""), ("", 0))
    if not name:
        offered = [word for word in plain.split() if word not in _OF_OFFERS]
        name, rank = _JOINED.get("".join(offered), ("", 0))
    if name:
        return Heading(name, rank=rank)
    match = _FROM_COUNT.fullmatch(plain)
    count = int(next(filter(None, match.groups()))) if match else 0
    return None if not count else Heading("price" if count == 1 else f"price_{count}")


def headings_in(cells: Sequence[str]) -> int:
    """Count the headings among some cells; none without one that names a drive.

    >>> headings_in(["Model", "Unit price (EUR)", "Remarks"]), headings_in(["Total", "900"])
    (2, 0)
    """
    names = {each.name for each in map(heading_of, cells) if each is not None}
    return len(names) if {"model", "part_number"} & names else 0


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row is the header of a table: it names a drive, and most cells are headings."""
    if not any(_plain(cell).replace(" ", "") in _NAMING for cell in cells if len(cell) <= _LONGEST):
        return False  # most rows
    filled = sum(map(bool, cells))
    return headings_in(cells) >= 2 and 2 * headings_in(cells) >= filled


def header_place(rows: Sequence[Row]) -> int | None:
    """Return the place of the header among the first rows of a sheet, None where there is none."""
    places = (place for place, (_, cells) in enumerate(rows[:FIRST_ROWS]) if is_header(cells))
    return next(places, None)


def header_of(cells: Sequence[str]) -> Header:
    """Return the headings of a row; of two of one column the likelier is read.

    >>> header_of(["Model", "Description", "Price", "Remarks"]).unread
    ('Description', 'Remarks')
    >>> header_of(["Model", "pirce"]).problems
    ('pirce: is not a column; did you mean price?',)
    """
    headings = [heading_of(cell) for cell in cells]
    problems = [*_misspelled(cells, headings), *_doubled(cells, headings)]
    names = {each.name for each in headings if each is not None}
    if not {"model", "part_number"} & names:
        problems.append("model: the column is missing, and so is part_number")
    best = {name: min(each.rank for each in headings if each is not None and each.name == name)
            for name in names}  # fmt: skip
    read = tuple(
        each._replace(
            written="" if _plain(cell) == each.name.replace("_", " ") else shortened(cell)
        )
        if each is not None and each.rank == best[each.name]
        else None
        for cell, each in zip(cells, headings, strict=True)
    )
    unread = tuple(
        shortened(cell)
        for cell, each in zip(cells, read, strict=True)
        if cell and each is None
    )  # fmt: skip
    return Header(read, unread, tuple(problems))


def _misspelled(cells: Sequence[str], headings: Sequence[Heading | None]) -> Iterator[str]:
    """Yield the headings that may be one of a column that decides, or that hide a price."""
    for cell, heading in zip(cells, headings, strict=True):
        if heading is not None or not cell:
            continue
        plain = _plain(cell)
        long = [each for each in _BY_SPELLING if len(each) >= _LEAST_LETTERS]
        near = difflib.get_close_matches(plain, long, 1, _ALIKE)
        is_total = _OF_TOTALS.search(plain)
        if _OF_TAX.search(plain) and _WORDS_OF_PRICE.search(plain):
            yield f"{shortened(cell)}: is not a column; prices are net of VAT: price"
        elif near and not is_total:
            yield f"{shortened(cell)}: is not a column; did you mean {_BY_SPELLING[near[0]][0]}?"
        elif _WORDS_OF_PRICE.search(plain) and not is_total:
            accepted = "price (also Unit price, Price each, Price (EUR)) and price_10"
            yield f"{shortened(cell)}: is not a column; columns of prices are {accepted}"


def _doubled(cells: Sequence[str], headings: Sequence[Heading | None]) -> Iterator[str]:
    """Yield the columns that a table has twice, but those that may say the same in two words."""
    seen: dict[str, tuple[str, int]] = {}
    for cell, heading in zip(cells, headings, strict=True):
        if heading is None:
            continue
        before, rank = seen.setdefault(heading.name, (cell, heading.rank))
        if before is cell:
            continue
        if heading.name not in _EITHER or rank == heading.rank:
            also = "" if before == cell else f", also as {quoted(before)}"
            yield f"{shortened(cell)}: is there twice{also}; keep one column {heading.name}"


def _plain(cell: str) -> str:
    """Return a heading in lower-case words: 'Unit price (EUR)' is 'unit price eur'."""
    return " ".join(re.sub(r"[^\w+$€£]+|_", " ", cell.lower().replace("p/n", "pn")).split())
