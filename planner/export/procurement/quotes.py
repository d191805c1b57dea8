"""The sheet of quotes: what suppliers offer, typed in, and the price that each candidate takes.

A quote counts where its currency has a rate, it is delivered in time and still valid, and the
drives are as many as it asks for. The cheapest that counts, with VAT taken off and with the price
for so many drives, stands in for the price as exported.
"""

from collections.abc import Mapping, Sequence
from datetime import date

from xlsxwriter.utility import xl_rowcol_to_cell

from models.drive_price import QUARTER_S
from planner.catalogue.price_curve import price_kind, waiting
from planner.catalogue.prices import price_ratios
from planner.export.procurement.layout import Layout
from planner.export.procurement.page import Page, of_candidate
from planner.export.procurement.quote_lines import Line
from planner.export.procurement.refused import OF_QUOTES
from planner.export.workbook.exported import all_of
from planner.export.workbook.typed_cells import ANY_DATE
from planner.search.choose import Choice

_HOW = (
    "Type what suppliers offer into the blue cells on yellow: the cheapest valid quote replaces "
    "the price as exported, and page one follows. Amounts of two currencies are converted only "
    "at a rate entered here."
)
_WIDTHS = (19, 11, 9, 9)  # of the first columns: printed at 8 points across landscape A4
_BREAKS = 2  # prices for more drives, at least
_ABOVE_0 = ("{x}>0", "above 0")
_FROM_0 = ("{x}>=0", "0 or more")
_SHARE = ("{x}>=0,{x}<=100", "from 0 to 100")
_NUMBERS = {  # that are typed in: what each accepts, how it is called, and whose format it has
    "vat": (_SHARE, "VAT", "discount_rate"),
    "price": (_ABOVE_0, "Price", "price_usd"),
    "from": (_ABOVE_0, "From drives", "members"),
    "least": (_ABOVE_0, "Least order", "members"),
    "lead": (_FROM_0, "Delivered in", "members"),
}
_USABLE, _REFUSED = "counts", "error"
_FIRST = ("drive", "supplier", "part", "currency", "vat", "price")
_LAST = ("least", "lead", "valid", "rate", "state")
_TITLES = {
    "drive": "Drive", "supplier": "Supplier, or where the price is from", "part": "Part number",
    "currency": "Currency", "vat": "VAT in the price [%]", "price": "Price of one",
    "least": "Least order", "lead": "Delivered in [days]", "valid": "Valid until",
    "rate": "In units of this workbook", "state": "This quote",
}  # fmt: skip


def offered(lines: Sequence[Line]) -> list[str]:
    """Name the columns of what a quote says, with as many prices by count as a line has."""
    breaks = range(1, 1 + max(_BREAKS, *(len(line.breaks) for line in lines)))
    return [*_FIRST, *(f"{what}_{each}" for each in breaks for what in ("from", "price")), *_LAST]


class Quotes:
    """Rates, terms, prices used, and quotes line by line."""

    def __init__(
        self, page: Page, choice: Choice, exported: date, layout: Layout,
        lines: Sequence[Line], rates: Mapping[str, float],
    ) -> None:  # fmt: skip
        self.page, self.choice, self.exported, self.rates = page, choice, exported, rates
        self.lines, self.block, self.columns = lines, layout["lines"], offered(lines)
        self.prices, self._terms_block, self._rates_block = (
            layout[name] for name in ("prices", "terms", "rates")
        )
        self.breaks = range(1, 1 + sum(name.startswith("from_") for name in self.columns))
        self.own = {each.candidates[0]: row for row, each in enumerate(lines) if each.is_own}
        self.offers = {
            index: [row for row, each in enumerate(lines)
                    if index in each.candidates and not each.is_own]
            for index in self.own
        }  # fmt: skip
        self._quote_number = 0

    def _at(self, line: int, name: str) -> str:
        return str(xl_rowcol_to_cell(*self.block.at(line, name), col_abs=True))

    def write(self, heads: Sequence[str], counts: Sequence[str]) -> None:
        """Write rates, terms, prices used and lines; `counts` are the cells of the drives."""
        page, wide = self.page, len(self.columns)
        page.text(0, 0, "Quotes", "title")
        page.across(1, 0, 13, _HOW)
        page.sheet.set_row(1, 30)
        page.widths([*_WIDTHS, *[8.9] * (wide - len(_WIDTHS)), *[14] * len(heads)])
        self._rates()
        self._terms()
        self._prices(heads)
        self._lines(heads, counts)
        page.finish(self.block.top + 1, (2, 1))
        page.one_page(self.prices.last, wide - 1)

    def _rates(self) -> None:
        page, block = self.page, self._rates_block
        page.section(block.top, "Exchange rates", 5)
        page.texts(block.top + 1, 0, ("Currency", "USD for one unit"), "head")
        page.high(block.top + 1, 30)
        for number, code in enumerate(block.rows, start=1):
            row, rate = block.rows[code], self.rates.get(str(code))
            if rate is None:
                page.blank(row, 0, "open text")
            else:
                page.text(row, 0, str(code), "open text")
                page.define(f"rate_{number}", row, 1)
            if code == "USD":
                page.fixed(row, 1, rate or 1.0, "price_usd")
            else:
                page.number(row, 1, rate, _ABOVE_0, "Exchange rate")

    def _usd_of(self, code: str) -> str:
        """Return the formula of what one unit of a currency is in USD, 0 where no rate says."""
        codes, usd = (self._rates_block.cells_here(column) for column in ("code", "usd"))
        known = f"SUMPRODUCT(({codes}={code})*1)=1"
        return f"IF({known},SUMPRODUCT(({codes}={code})*1,{usd}),0)"

    def _terms(self) -> None:
        page, block = self.page, self._terms_block
        labels = ("VAT that you bear, on top of every net price", "Delivered within",
                  "Day of the order")  # fmt: skip
        page.section(block.top, "Terms", 5)
        for (name, row), label in zip(block.rows.items(), labels, strict=True):
            page.text(row, 0, label)
            page.define(name, row, 1)
        vat, within, day = block.rows.values()
        page.tall(vat, [(labels[0], 17.0)])
        page.number(vat, 1, 0.0, *_NUMBERS["vat"])
        page.unit(vat, 2, "%")
        page.number(within, 1, None, _ABOVE_0, "Delivered within", "members")
        page.text(within, 2, "days; empty: whenever", "unit")
        page.sheet.write_datetime(day, 1, self.exported, page.styles["open day"])
        page.judge(day, 1, ANY_DATE, labels[-1])

    def _prices(self, heads: Sequence[str]) -> None:
        """Write the price that each candidate takes, net of VAT but that which is borne."""
        page, block = self.page, self.prices
        page.section(block.top, "Price per drive, used", block.columns["later high"] + 1)
        titles = ("As exported", "Best quote", "In force")
        ends = ("Lead time [days]", "Low of 90 %", "High of 90 %", "Quarter later, low",
                "Quarter later", "Quarter later, high")  # fmt: skip
        page.texts(block.top + 1, 0, ("Candidate", *[""] * 3, "From", *[""] * 4), "head")
        page.texts(block.top + 1, 1, titles, "head value")
        page.texts(block.top + 1, block.columns["days"], ends, "head value")
        page.text(block.top + 1, block.columns["from"], "From", "head note")
        page.high(block.top + 1, 45)
        for index, head in enumerate(heads):
            price, words, days = self.now(index)
            page.text(*block.at(index, "name"), head)
            page.tall(block.rows[index], [(head, 17.0), (words, 42.0)])
            self._taken(index, price)
            self._from(index, words, days)
            self._ends(index, price)
            self._later(index, price)

    def _price(self, index: int, column: str) -> str:
        return str(xl_rowcol_to_cell(*self.prices.at(index, column)))

    def _taken(self, index: int, price: float | None) -> None:
        """Write the price as exported, the cheapest quote, and the one of them that is used."""
        page, block = self.page, self.prices
        own = self.block.here(self.own[index], index)
        offers = self.block.cells_here(index, self.offers[index])
        best, exported = self._price(index, "best"), self._price(index, "exported")
        page.quantity(*block.at(index, "exported"), "price_usd",
                      f'IF(ISNUMBER({own}),{own},"none")',
                      "none" if price is None else price)  # fmt: skip
        page.quantity(*block.at(index, "best"), "price_usd",
                      f'IF(COUNT({offers})=0,"none",MIN({offers}))', "none")  # fmt: skip
        quote = self.choice.candidates[index].plan.drive.quote
        both = f"MIN({exported},{best})" if quote is not None else best
        empty = '""' if price is None else "NA()"
        as_it_is = f"IF(ISNUMBER({exported}),{exported},{empty})"
        page.quantity(*block.at(index, "taken"), "price_usd",
                      f"IF(ISNUMBER({best}),{both},{as_it_is})", price)  # fmt: skip
        page.label("taken_price", index, *block.at(index, "taken"))

    def _from(self, index: int, words: str, days: float | None) -> None:
        """Say whose price it is, and when that is delivered."""
        page, block = self.page, self.prices
        best, taken = self._price(index, "best"), self._price(index, "taken")
        number, offers = self.own[index], self.block.cells_here(index, self.offers[index])
        is_quote = f"IF(ISNUMBER({best}),{best}={taken},FALSE)"
        cells = {
            name: f"INDEX({self.block.cells_here(name, self.offers[index])}"
            f",MATCH({best},{offers},0))"
            for name in ("supplier", "lead")
        }
        own = {name: self._at(number, name) for name in cells}
        named = f'IF({cells["supplier"]}="","a quote",{cells["supplier"]}&", quote")'
        unpriced = self.lines[number].price is None
        origin = '"unknown"' if unpriced else own["supplier"]
        as_exported = f'IF({self._is_as_exported(number)},{origin},"edited in this workbook")'
        row, column = block.at(index, "from")
        page.merge(row, column, block.columns["days"] - 1, "words")
        page.live(row, column, f"IF({is_quote},{named},{as_exported})", words, "words")
        lead, own_lead = (f'IF({cell}="","",{cell})' for cell in (cells["lead"], own["lead"]))
        soon = f"IF({is_quote},{lead},{own_lead})"
        page.live(*block.at(index, "days"), soon, days, "right")

    def _ends(self, index: int, price: float | None) -> None:
        """Write the ends of an exported price that is a range; a quote has one number."""
        page, drive = self.page, self.choice.candidates[index].plan.drive
        best, taken = self._price(index, "best"), self._price(index, "taken")
        same = f"IF(ISNUMBER({best}),FALSE,{self._is_as_exported(self.own[index])})"
        low, high = price_ratios(drive)
        for end, name, ratio in (("low", "cheaper_price", low), ("high", "dearer_price", high)):
            place = self.prices.at(index, end)
            body = taken if ratio == 1 else f"IF({same},{taken}*{ratio!r},{taken})"
            formula = f'IF(ISNUMBER({taken}),{body},"none")'
            page.quantity(*place, "price_usd", formula, "none" if price is None else price * ratio)
            page.label(name, index, *place)

    def _later(self, index: int, price: float | None) -> None:
        """Write the price that is expected a quarter later, with its ends of 90 %."""
        page, taken = self.page, self._price(index, "taken")
        change = waiting(price_kind(self.choice.candidates[index].plan.drive).segment, QUARTER_S)
        columns = {"later low": change.low, "later": change.typical, "later high": change.high}
        for column, factor in columns.items():
            page.quantity(*self.prices.at(index, column), "price_usd",
                          f'IF(ISNUMBER({taken}),{taken}*{factor!r},"none")',
                          "none" if price is None else price * factor)  # fmt: skip

    def _is_as_exported(self, number: int) -> str:
        """Return the formula of whether the price of a line is as exported."""
        price, cell = self.lines[number].price, self._at(number, "price")
        if price is None:
            return f'{cell}=""'
        return f"IF(ISNUMBER({cell}),ABS({cell}-{price!r})<={1e-9 * price!r},FALSE)"

    def now(self, index: int) -> tuple[float | None, str, float | None]:
        """Return price, source and days of delivery as exported."""
        drive = self.choice.candidates[index].plan.drive
        line = self.lines[self.own[index]]
        price = drive.value("price_usd")
        return price, "unknown" if price is None else line.supplier, line.lead_days

    def _lines(self, heads: Sequence[str], counts: Sequence[str]) -> None:
        page, block = self.page, self.block
        page.section(block.top, "Quotes, one line each", len(block.columns))
        for name in self.columns:
            more = "From drives" if name.startswith("from") else "Price of each then"
            page.text(block.top + 1, block.columns[name], _TITLES.get(name, more), "head")
        for index in range(len(heads)):
            page.text(block.top + 1, block.columns[index], f"Net, for {index + 1}", "head value")
        page.sheet.set_row(block.top + 1, 45)
        for number, line in enumerate(self.lines):
            self._line(number, line, counts)
        first, column, last, _ = block.area("state")
        here = self._at(0, "state")
        page.colour((first, column, last + 1, column), f'{here}="{_USABLE}"', "good")
        page.colour((first, column, last + 1, column),
                    f'AND({here}<>"",{here}<>"{_USABLE}")', "late")  # fmt: skip

    def _line(self, number: int, line: Line, counts: Sequence[str]) -> None:
        page, row, at = self.page, self.block.rows[number], self.block.columns
        page.text(row, at["drive"], line.drive.name, "label")
        page.tall(row, [(line.drive.name, 17.0), (line.supplier, 9.5)])
        words = {"supplier": line.supplier, "part": line.part_number, "currency": line.currency}
        for name, text in words.items():
            page.words(row, at[name], text, locked=line.is_own and name == "supplier")
        owner, whose = OF_QUOTES, f"quote for {line.drive.name}"
        if line.is_own:
            owner, whose = 1 + line.candidates[0], ""
        values: dict[str, float | None] = {"price": line.price, "lead": line.lead_days}
        typed: list[str] = []  # whether what is typed is accepted
        for each, (count, price) in zip(self.breaks, line.breaks, strict=False):
            values |= {f"from_{each}": count, f"price_{each}": price}
        for name in self.columns:
            rule = _NUMBERS.get(name.partition("_")[0])
            if rule is not None:
                cell = page.number(row, at[name], values.get(name), *rule, owner=owner,
                                   whose=whose)  # fmt: skip
                typed.append(cell.accepts)
        page.blank(row, at["valid"], "open day")
        until = page.judge(row, at["valid"], ANY_DATE, "Valid until", may_be_empty=True,
                           owner=owner, whose=whose)  # fmt: skip
        self._named(row, line)
        self._evaluated(number, line, counts, [*typed, until.accepts])
        if line.is_own:
            rate = f"ISNUMBER({page.at(*self.block.at(number, 'rate'))})"
            page.judge(row, at["currency"], (rate, "one with a rate above"), "Currency",
                       is_text=True, may_be_empty=True, owner=owner)  # fmt: skip

    def _named(self, row: int, line: Line) -> None:
        """Name the cells that may be edited."""
        page, at = self.page, self.block.columns
        if line.is_own:
            name = of_candidate("price_usd", line.candidates[0])
            page.define(name, row, at["price"])
            for each in self.breaks:
                page.define(f"{name}_then_{each}", row, at[f"price_{each}"])
            return
        self._quote_number += 1
        for name in self.columns[1:-2]:
            page.define(f"quote_{self._quote_number}_{name}", row, at[name])

    def _evaluated(
        self, number: int, line: Line, counts: Sequence[str], typed: Sequence[str]
    ) -> None:
        """Write the rate, whether the line counts, and what it asks of each candidate."""
        page, block = self.page, self.block
        cell = {name: self._at(number, name) for name in self.columns}
        code, here = cell["currency"], self.page.currency
        usd, own = self._usd_of(code), self._usd_of(here)
        rate = f'IF(OR({code}="",{code}={here}),1,IF({usd}*{own}>0,{usd}/{own},"no rate"))'
        page.live(*block.at(number, "rate"), rate, self._rate_now(line), "result 0.0000##")
        state = (
            f'IF({cell["price"]}="","",IF(NOT({all_of(typed)}),"{_REFUSED}",'
            f'IF(NOT(ISNUMBER({cell["rate"]})),"no rate",{self._in_time(cell, line)})))'
        )  # fmt: skip
        now = "" if line.price is None else _USABLE
        page.live(*block.at(number, "state"), state, now, "centre")
        for index in line.candidates:
            value = self.now(index)[0] if line.is_own else None
            body = self._net(cell, counts[index])
            fits = f'IF({cell["least"]}="",TRUE,{counts[index]}>={cell["least"]})'
            formula = f'IF({cell["state"]}="{_USABLE}",IF({fits},{body},"too few"),"")'
            page.quantity(*block.at(number, index), "price_usd", formula, value)

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
        for number in self.breaks:
            least, less = cell[f"from_{number}"], cell[f"price_{number}"]
            offered = f"IF(ISNUMBER({least})*ISNUMBER({less})>0,{count}>={least},FALSE)"
            price = f"IF({offered},{less},{price})"
        return f"{price}*{cell['rate']}/(1+{cell['vat']}/100)*(1+vat_borne/100)"

    def _rate_now(self, line: Line) -> float:
        here = self.choice.candidates[0].ownership.terms.currency
        if line.currency in ("", here):
            return 1.0
        return self.rates[line.currency] / self.rates[here]
