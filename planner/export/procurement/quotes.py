"""The sheet of quotes: what suppliers offer, typed in, and the price that each candidate takes.

A quote counts where its currency has a rate, it is delivered in time and still valid, and the
drives are as many as it asks for. The cheapest that counts, with VAT taken off and with the price
for so many drives, stands in for the price as exported.
"""

from collections.abc import Sequence
from datetime import date

from xlsxwriter.utility import xl_rowcol_to_cell

from planner.catalogue.prices import dearer_ratio
from planner.export.procurement.page import Page, absolute
from planner.export.procurement.quote_lines import Line, currencies, lines_of
from planner.search.choose import Choice

NAME = "Quotes"
_HOW = (
    "Type what suppliers offer into the blue cells on yellow: the cheapest quote that counts takes "
    "the place of the price as exported, and page one follows. Amounts of two currencies meet only "
    "at a rate that stands here."
)
_RATES_ROW, _MORE_RATES = 5, 3
_WIDTHS = (19, 11, 8, 7)  # of the first columns: printed at 8 points across landscape A4
_FROM, _DAYS, _DEARER = 4, 9, 10  # columns of the prices in force
_BREAKS = 2  # prices for more drives, at least
_ABOVE_0 = ("{x}>0", "above 0")
_FROM_0 = ("{x}>=0", "0 or more")
_SHARE = ("{x}>=0,{x}<=100", "from 0 to 100")
_USABLE = "counts"
_FIRST = ("drive", "supplier", "part", "currency", "vat", "price")
_LAST = ("least", "lead", "valid", "rate", "state")
_TITLES = {
    "drive": "Drive", "supplier": "Supplier, or where the price is from", "part": "Part number",
    "currency": "Currency", "vat": "VAT in the price [%]", "price": "Price of one",
    "least": "Least order", "lead": "Delivered in [days]", "valid": "Valid until",
    "rate": "In units of this workbook", "state": "This quote",
}  # fmt: skip


class Quotes:
    """Where rates, lines and prices in force stand, before anything is written."""

    def __init__(self, page: Page, choice: Choice, exported: date) -> None:
        self.page, self.choice, self.exported = page, choice, exported
        self.lines = lines_of(choice)
        self._quote_number = 0
        self.rates = currencies(choice)
        self.count = len(choice.candidates)
        self.breaks = max(_BREAKS, *(len(line.breaks) for line in self.lines))
        self.terms_row = _RATES_ROW + len(self.rates) + _MORE_RATES + 2
        self.prices_row = self.terms_row + 5
        self.first_row = self.prices_row + self.count + 5
        more = [f"{what}_{number}" for number in range(1, self.breaks + 1)
                for what in ("from", "price")]  # fmt: skip
        names = (*_FIRST, *more, *_LAST)
        self.columns = {name: place for place, name in enumerate(names)}

    def cell(self, index: int) -> str:
        """Return the cell of the price per drive in force, as other sheets know it."""
        return absolute(NAME, self.prices_row + 2 + index, 3)

    def source(self, index: int) -> str:
        """Return the cell of where that price is from."""
        return absolute(NAME, self.prices_row + 2 + index, _FROM)

    def words(self, index: int) -> str:
        """Return the exported words of that cell."""
        return self._now(index)[1]

    def _at(self, row: int, name: str, *, fixed: bool = False) -> str:
        return str(xl_rowcol_to_cell(row, self.columns[name], row_abs=fixed, col_abs=True))

    def _of_candidate(self, index: int) -> int:
        """Return the column of what lines ask of a candidate."""
        return len(self.columns) + index

    def _row(self, number: int) -> int:
        return self.first_row + 2 + number

    def write(self, heads: Sequence[str], counts: Sequence[str]) -> None:
        """Write rates, terms, prices in force and lines; `counts` are the cells of the drives."""
        page = self.page
        page.text(0, 0, "Quotes", "title")
        page.sheet.merge_range(1, 0, 1, 13, "", page.styles["text"])
        page.text(1, 0, _HOW, "text")
        page.sheet.set_row(1, 30)
        page.widths([*_WIDTHS, *[8.9] * (len(self.columns) - len(_WIDTHS)), *[14] * self.count])
        self._rates()
        self._terms()
        self._prices(heads)
        self._lines(heads, counts)
        page.finish(self.first_row + 1, (2, 1))
        page.sheet.print_area(0, 0, self._row(len(self.lines)) - 1, len(self.columns) - 1)

    def _rates(self) -> None:
        page, row = self.page, _RATES_ROW
        page.section(row - 2, "Exchange rates", 5)
        page.texts(row - 1, 0, ("Currency", "USD for one unit"), "head")
        for place, (code, rate) in enumerate(self.rates.items(), start=row):
            page.text(place, 0, code, "open text")
            if code == "USD":
                page.fixed(place, 1, rate, "price_usd")
            else:
                page.number(place, 1, rate, _ABOVE_0, "Exchange rate")
            page.define(f"rate_{place - row + 1}", place, 1)
        for place in range(row + len(self.rates), row + len(self.rates) + _MORE_RATES):
            page.blank(place, 0, "open text")
            page.number(place, 1, None, _ABOVE_0, "Exchange rate")
        end = row + len(self.rates) + _MORE_RATES - 1
        self._codes, self._usd = (
            ":".join(xl_rowcol_to_cell(each, column, True, True) for each in (row, end))
            for column in (0, 1)
        )

    def _usd_of(self, code: str) -> str:
        """Return the formula of what one unit of a currency is in USD, 0 where no rate says."""
        known = f"SUMPRODUCT(({self._codes}={code})*1)=1"
        return f"IF({known},SUMPRODUCT(({self._codes}={code})*1,{self._usd}),0)"

    def _terms(self) -> None:
        page, row = self.page, self.terms_row
        page.section(row - 1, "Terms", 5)
        borne = "VAT that you bear, on top of every net price"
        page.text(row, 0, borne)
        page.tall(row, [(borne, 17.0)])
        page.number(row, 1, 0.0, _SHARE, "VAT", "discount_rate")
        page.unit(row, 2, "%")
        page.define("vat_borne", row, 1)
        page.text(row + 1, 0, "Delivered within")
        page.number(row + 1, 1, None, _ABOVE_0, "Delivered within", "members")
        page.text(row + 1, 2, "days; empty: whenever", "unit")
        page.define("delivered_within", row + 1, 1)
        page.text(row + 2, 0, "Day of the order")
        page.sheet.write_datetime(row + 2, 1, self.exported, page.styles["open day"])
        page.define("order_day", row + 2, 1)

    def _prices(self, heads: Sequence[str]) -> None:
        """Write the price that each candidate takes, net of VAT but that which is borne."""
        page, row = self.page, self.prices_row
        page.section(row, "Price per drive in force", _DEARER + 1)
        page.texts(row + 1, 0, ("Candidate", "As exported", "Cheapest quote", "In force", "From",
                                "", "", "", "", "Delivered in [days]", "At the dearer end"),
                   "head")  # fmt: skip
        page.sheet.set_row(row + 1, 30)
        for index, head in enumerate(heads):
            place = row + 2 + index
            page.text(place, 0, head)
            own = self._cells_of(index, is_own=True)
            offered = self._cells_of(index, is_own=False)
            best, base = (xl_rowcol_to_cell(place, column) for column in (2, 1))
            price, words, days = self._now(index)
            page.tall(place, [(head, 17.0), (words, 42.0)])
            page.sheet.merge_range(place, _FROM, place, _DAYS - 1, "", page.styles["text"])
            page.quantity(place, 1, "price_usd", f'IF(ISNUMBER({own}),{own},"none")',
                          "none" if price is None else price)  # fmt: skip
            page.quantity(place, 2, "price_usd", f'IF(COUNT({offered})=0,"none",MIN({offered}))',
                          "none")  # fmt: skip
            quote = self.choice.candidates[index].plan.drive.quote
            both = f"MIN({base},{best})" if quote is not None else best
            empty = '""' if price is None else "NA()"
            as_it_is = f"IF(ISNUMBER({base}),{base},{empty})"
            page.quantity(place, 3, "price_usd", f"IF(ISNUMBER({best}),{both},{as_it_is})",
                          "" if price is None else price)  # fmt: skip
            page.define("taken_price" if index == 0 else f"taken_price_{index + 1}", place, 3)
            self._from(place, index, best, words, days)
            self._dearer(place, index, best, price)

    def _from(self, row: int, index: int, best: str, words: str, days: float | None) -> None:
        """Say whose price it is, and when that is delivered."""
        page, taken = self.page, xl_rowcol_to_cell(row, 3)
        number = self._own_number(index)
        offered = self._cells_of(index, is_own=False)
        is_quote = f"IF(ISNUMBER({best}),{best}={taken},FALSE)"
        cells = {
            name: f"INDEX({self._range(index, name)},MATCH({best},{offered},0))"
            for name in ("supplier", "lead")
        }
        own = {name: self._at(self._row(number), name) for name in cells}
        named = f'IF({cells["supplier"]}="","a quote",{cells["supplier"]}&", quote")'
        as_exported = self._as_exported(number, own["supplier"])
        page.live(row, _FROM, f"IF({is_quote},{named},{as_exported})", words, "text")
        lead, own_lead = (f'IF({cell}="","",{cell})' for cell in (cells["lead"], own["lead"]))
        soon = f"IF({is_quote},{lead},{own_lead})"
        page.live(row, _DAYS, soon, "" if days is None else days, "right")

    def _dearer(self, row: int, index: int, best: str, price: float | None) -> None:
        """Write what a price as exported may come to where it is a range; a quote is what it is."""
        page, taken = self.page, xl_rowcol_to_cell(row, 3)
        ratio = dearer_ratio(self.choice.candidates[index].plan.drive)
        number = self._own_number(index)
        same = f"IF(ISNUMBER({best}),FALSE,{self._is_as_exported(number)})"
        body = f"IF({same},{taken}*{ratio!r},{taken})" if ratio > 1 else taken
        formula = f'IF(ISNUMBER({taken}),{body},"none")'
        now = "none" if price is None else price * ratio
        page.quantity(row, _DEARER, "price_usd", formula, now)
        page.define("dearer_price" if index == 0 else f"dearer_price_{index + 1}", row, _DEARER)

    def _own_number(self, index: int) -> int:
        """Return the number of the line that a candidate has as exported."""
        return next(number for number, line in enumerate(self.lines)
                    if line.is_own and index in line.candidates)  # fmt: skip

    def _is_as_exported(self, number: int) -> str:
        """Return the formula of whether the price of a line is as exported."""
        line, cell = self.lines[number], self._at(self._row(number), "price")
        if line.price is None:
            return "FALSE"
        return f"IF(ISNUMBER({cell}),ABS({cell}-{line.price!r})<={1e-9 * line.price!r},FALSE)"

    def _as_exported(self, number: int, words: str) -> str:
        """Return the formula of where a price as exported is from, or that it was edited."""
        if self.lines[number].price is None:
            cell = self._at(self._row(number), "price")
            return f'IF({cell}="","unknown","edited in this workbook")'
        return f'IF({self._is_as_exported(number)},{words},"edited in this workbook")'

    def _now(self, index: int) -> tuple[float | None, str, float | None]:
        """Return price, source and days of delivery as exported."""
        drive = self.choice.candidates[index].plan.drive
        line = self.lines[self._own_number(index)]
        price = drive.value("price_usd")
        return price, "unknown" if price is None else line.supplier, line.lead_days

    def _cells_of(self, index: int, *, is_own: bool) -> str:
        """Return the cells of what lines ask of a candidate: as exported, or quotes."""
        rows = [self._row(number) for number, line in enumerate(self.lines)
                if index in line.candidates and line.is_own is is_own]  # fmt: skip
        column = self._of_candidate(index)
        first, last = (xl_rowcol_to_cell(row, column, True, True) for row in (rows[0], rows[-1]))
        return first if is_own else f"{first}:{last}"

    def _range(self, index: int, name: str) -> str:
        rows = [self._row(number) for number, line in enumerate(self.lines)
                if index in line.candidates and not line.is_own]  # fmt: skip
        return f"{self._at(rows[0], name, fixed=True)}:{self._at(rows[-1], name, fixed=True)}"

    def _lines(self, heads: Sequence[str], counts: Sequence[str]) -> None:
        page, row = self.page, self.first_row
        page.section(row, "Quotes, one line each", len(self.columns) + self.count)
        for name, column in self.columns.items():
            is_count = name.startswith("from")
            title = _TITLES.get(name) or ("From drives" if is_count else "Price of each then")
            page.text(row + 1, column, title, "head")
        for index in range(len(heads)):
            page.text(row + 1, self._of_candidate(index), f"Net, for {index + 1}", "head value")
        page.sheet.set_row(row + 1, 45)
        for number, line in enumerate(self.lines):
            self._line(self._row(number), line, counts)
        area = (row + 2, self.columns["state"], self._row(len(self.lines)), self.columns["state"])
        here = self._at(row + 2, "state")
        page.colour(area, f'{here}="{_USABLE}"', "good")
        page.colour(area, f'AND({here}<>"",{here}<>"{_USABLE}")', "late")

    def _line(self, row: int, line: Line, counts: Sequence[str]) -> None:
        page, at = self.page, self.columns
        page.text(row, at["drive"], line.drive.name, "label")
        page.tall(row, [(line.drive.name, 17.0), (line.supplier, 9.5)])
        words = (
            ("supplier", line.supplier),
            ("part", line.part_number),
            ("currency", line.currency),
        )
        for name, text in words:
            page.words(row, at[name], text, locked=line.is_own and name == "supplier")
        page.number(row, at["vat"], None, _SHARE, "VAT", "discount_rate")
        page.number(row, at["price"], line.price, _ABOVE_0, "Price", "price_usd")
        for number in range(1, self.breaks + 1):
            count, price = (*line.breaks, *[(None, None)] * self.breaks)[number - 1]
            page.number(row, at[f"from_{number}"], count, _ABOVE_0, "From drives", "members")
            page.number(row, at[f"price_{number}"], price, _ABOVE_0, "Price", "price_usd")
        page.number(row, at["least"], None, _ABOVE_0, "Least order", "members")
        page.number(row, at["lead"], line.lead_days, _FROM_0, "Delivered in", "members")
        page.blank(row, at["valid"], "open day")
        if line.is_own:
            (index,) = line.candidates
            name = "price_usd" if index == 0 else f"price_usd_{index + 1}"
            page.define(name, row, at["price"])
            for number in range(1, self.breaks + 1):
                page.define(f"{name}_then_{number}", row, at[f"price_{number}"])
        else:
            self._quote_number += 1
            for name in (*at,)[1:-2]:
                page.define(f"quote_{self._quote_number}_{name}", row, at[name])
        self._evaluated(row, line, counts)

    def _evaluated(self, row: int, line: Line, counts: Sequence[str]) -> None:
        """Write the rate, whether the line counts, and what it asks of each candidate."""
        page, at = self.page, self.columns
        cell = {name: self._at(row, name) for name in at}
        code, here = cell["currency"], self.page.currency
        usd, own = self._usd_of(code), self._usd_of(here)
        rate = f'IF(OR({code}="",{code}={here}),1,IF({usd}*{own}>0,{usd}/{own},"no rate"))'
        page.live(row, at["rate"], rate, self._rate_now(line), "result 0.0000##")
        state = (
            f'IF(NOT(ISNUMBER({cell["price"]})),"",IF(NOT(ISNUMBER({cell["rate"]})),"no rate",'
            f'{self._in_time(cell, line)}))'
        )  # fmt: skip
        page.live(row, at["state"], state, "" if line.price is None else _USABLE, "centre")
        for index in line.candidates:
            value = self._now(index)[0] if line.is_own else None
            body = self._net(cell, counts[index])
            fits = f'IF({cell["least"]}="",TRUE,{counts[index]}>={cell["least"]})'
            formula = f'IF({cell["state"]}="{_USABLE}",IF({fits},{body},"too few"),"")'
            page.quantity(row, self._of_candidate(index), "price_usd", formula,
                          "" if value is None else value)  # fmt: skip

    def _in_time(self, cell: dict[str, str], line: Line) -> str:
        """Return the formula of whether a quote is delivered in time and still valid."""
        unknown = "FALSE" if line.is_own else "TRUE"
        late = f'IF({cell["lead"]}="",{unknown},{cell["lead"]}>delivered_within)'
        over = f'IF({cell["valid"]}="",FALSE,{cell["valid"]}<order_day)'
        return (
            f'IF(IF(delivered_within="",FALSE,{late}),"too late",'
            f'IF({over},"expired","{_USABLE}"))'
        )  # fmt: skip

    def _net(self, cell: dict[str, str], count: str) -> str:
        """Return the formula of the price of one of so many, net, in the workbook's currency."""
        price = cell["price"]
        for number in range(1, self.breaks + 1):
            least, less = cell[f"from_{number}"], cell[f"price_{number}"]
            offered = f"IF(ISNUMBER({least})*ISNUMBER({less})>0,{count}>={least},FALSE)"
            price = f"IF({offered},{less},{price})"
        return f"{price}*{cell['rate']}/(1+{cell['vat']}/100)*(1+vat_borne/100)"

    def _rate_now(self, line: Line) -> float:
        here = self.choice.candidates[0].ownership.terms.currency
        if line.currency in ("", here):
            return 1.0
        return self.rates[line.currency] / self.rates[here]
