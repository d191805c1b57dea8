"""Files of quotes as suppliers send them, each with the outcome that a buyer expects of it.

The expectations are written by hand from the content of each file, never from what is read.
"""

import io
from datetime import date
from typing import NamedTuple

import openpyxl

TODAY = "2026-10-15"
RATES = {"EUR": 1.25}
PM893, PM9A3 = "Samsung PM893 3.84 TB", "Samsung PM9A3 3.84 TB"
PRO = "Micron 5400 PRO 3.84 TB"


class QuoteFile(NamedTuple):
    """A file, its drives with prices in USD, its rows set aside by line, and phrases to be said.

    `prices` are in the order of the file, None where no price of the file may count. `aside` are
    lines with a word of the reason. `said` are phrases of which each is in some line on the screen.
    """

    name: str
    content: bytes
    prices: tuple[tuple[str, float | None], ...] = ()
    aside: tuple[tuple[str, str], ...] = ()
    said: tuple[str, ...] = ()


class BadFile(NamedTuple):
    """A file that is no table of quotes, with phrases of its refusal."""

    name: str
    content: bytes
    said: tuple[str, ...]


def book(sheets, hidden=()):
    """Return a workbook of sheets by name, each a list of rows."""
    made, file = openpyxl.Workbook(), io.BytesIO()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
        if title in hidden:
            sheet.sheet_state = "hidden"
    made.save(file)
    return file.getvalue()


def text(*lines, encoding="utf-8", end="\r\n"):
    return "".join(f"{line}{end}" for line in lines).encode(encoding)


HEAD = "Model,Capacity,Price,Currency,Price date"
ROW = "PM893,3.84 TB,640,USD,2026-10-02"
ONE = ((PM893, 640.0),)
TWO = ((PM893, 640.0), (PRO, 575.0))
GERMAN = ("Artikel;Kapazität;Einzelpreis (EUR);Währung;Datum;Lieferant",
          "PM893;3,84 TB;512,00;EUR;02.10.2026;Müller & Söhne")  # fmt: skip
READ = {
    # encodings
    "utf-8-bom": QuoteFile("q.csv", text(HEAD, ROW, encoding="utf-8-sig"), ONE),
    "utf-16-bom": QuoteFile("q.csv", text(HEAD, ROW, encoding="utf-16"), ONE),
    "utf-16-le": QuoteFile("q.csv", text(HEAD, ROW, encoding="utf-16-le"), ONE),
    "utf-16-be": QuoteFile("q.csv", text(HEAD, ROW, encoding="utf-16-be"), ONE),
    "utf-16-tabs-of-excel": QuoteFile(
        "q.txt", text(HEAD.replace(",", "\t"), ROW.replace(",", "\t"), encoding="utf-16"), ONE
    ),
    "windows-1252-german": QuoteFile(
        "q.csv", text(*GERMAN, encoding="cp1252"), ONE,
        said=("Windows-1252", "'512,00' is read as 512.00"),
    ),
    "old-mac-line-ends": QuoteFile("q.csv", text(HEAD, ROW, end="\r"), ONE),
    # shape
    "title-blank-and-total": QuoteFile(
        "q.csv",
        text("Quotation 4711,,,,", "\"Supplier A, Hamburg\",,,,", "", HEAD, ROW, "",
             "5400 PRO,3.84 TB,575,USD,2026-10-05", "Total,,1215,USD,", "VAT 19 %,,230.85,USD,",
             "Prices are net and without shipping,,,,"),
        TWO,
        aside=(("q.csv:8", "total"), ("q.csv:9", "charge"), ("q.csv:10", "remark")),
        said=("above the header are not read: lines 1 to 2, 'Quotation 4711', 'Supplier A",),
    ),
    "separator-line-of-excel": QuoteFile(
        "q.csv", text("sep=;", HEAD.replace(",", ";"), ROW.replace(",", ";")), ONE,
        said=("above the header are not read: line 1, 'sep='",),
    ),
    "semicolons-with-commas-in-the-title": QuoteFile(
        "q.csv",
        text("Offer, net, ex works, valid 30 days, all prices in USD", HEAD.replace(",", ";"),
             "PM893;3,84 TB;640,00;USD;02.10.2026"),
        ONE,
    ),
    "two-tables-on-a-sheet": QuoteFile(
        "q.csv",
        text(HEAD, ROW, "", "Part no.,Product,Size,Unit price (USD),Date",
             "MTFDDAK3T8TGA,5400 PRO,3.84 TB,575,2026-10-05"),
        TWO,
    ),
    "no-columns-but-model-and-price": QuoteFile(
        "q.csv", text("Model,Price", "PM893 3.84 TB,640"), ONE,
        said=("line 2: no currency, read as USD", "line 2: no price_date, read as quoted today"),
    ),
    # headings
    "headings-of-suppliers": QuoteFile(
        "q.csv",
        text("Part no.,Description,Size (GB),Unit price (EUR),MOQ,Valid until,Lead time,Remarks",
             ",Samsung PM893,3840,512.00,1,2026-12-31,2-3 weeks,in carton"),
        ONE, said=("columns that are not read: Remarks",),
    ),
    "price-each": QuoteFile(
        "q.csv", text("Product;Price each;Ccy;Quote date", "PM893 3.84TB;640;USD;2026-10-02"), ONE
    ),
    "price-usd-per-drive": QuoteFile(
        "q.csv", text("MODEL,CAPACITY (TB),Price USD,Qty", "pm893,3.84,640,1"), ONE
    ),
    "prices-by-number": QuoteFile(
        "q.csv", text("Model,Capacity,1-9,10-49,50+", "PM893,3.84 TB,640,600,580"), ONE
    ),
    "qty-by-number": QuoteFile(
        "q.csv", text("Model,Capacity,Qty 1,Qty 10", "PM893,3.84 TB,640,600"), ONE
    ),
    "no-price": QuoteFile(
        "q.csv", text("Model,Capacity,DWPD", "PM893,3.84 TB,1"), ((PM893, None),),
        said=("q.csv:1: no column of prices: the rows are drives, no quotes",),
    ),
    "german-price-list": QuoteFile(
        "q.csv",
        text("Artikelnr.;Artikel;Kapazität;Preis/Stk. (EUR);Lieferzeit;Garantie;Gültig bis",
             "MZ7L33T8HBLT-00A07;PM893;3,84 TB;512,-;ca. 2 Wochen;5 Jahre;31.12.2026",
             "Zwischensumme;;;512,-;;;", "zzgl. MwSt.;;;;;;", encoding="cp1252"),
        ONE, aside=(("q.csv:3", "total"), ("q.csv:4", "remark")),
    ),
    "currency-before-each": QuoteFile(
        "q.csv", text("Drive;EUR each;Price 10-49 (EUR);Total EUR", "PM893 3.84TB;512;500;5120"),
        ONE, said=("columns that are not read: Total EUR",),
    ),
    "currency-in-the-cells": QuoteFile(
        "q.csv", text("Model,Capacity,Price", "PM893,3.84 TB,€512.00", "5400 PRO,3.84 TB,575 USD"),
        TWO,
    ),
    # workbooks
    "second-sheet": QuoteFile(
        "q.xlsx",
        book({"Cover": [["Quotation 4711"], ["Dear buyer"]],
              "Prices": [["Offer"], [], ["Model", "Capacity", "Unit price (USD)", "Date"],
                         ["PM893", "3.84 TB", 640, date(2026, 10, 2)]]}),
        ONE, said=("q.xlsx (first sheet) has no table of quotes: 2 lines",),
    ),
    "two-sheets-of-quotes": QuoteFile(
        "q.xlsx",
        book({"A": [["Model", "Capacity", "Price"], ["PM893", "3.84 TB", 640]],
              "B": [["Model", "Capacity", "Price"], ["5400 PRO", "3.84 TB", 575]]}),
        TWO,
    ),
    "hidden-sheet": QuoteFile(
        "q.xlsx",
        book({"A": [["Model", "Capacity", "Price"], ["PM893", "3.84 TB", 640]],
              "Old": [["Model", "Capacity", "Price"], ["PM893", "3.84 TB", 100]]}, hidden=["Old"]),
        ONE, said=("q.xlsx (Old) is hidden: not read",),
    ),
    "three-decimals-of-a-workbook": QuoteFile(
        "q.xlsx", book({"A": [["Model", "Capacity", "Price"], ["PM893", "3.84 TB", 612.125]]}),
        ((PM893, 612.125),),
    ),
    # numbers
    "thousands-english": QuoteFile(
        "q.csv", text(HEAD, 'PM893,3.84 TB,"1,640.00",USD,2026-10-02',
                      '5400 PRO,3.84 TB,"1,575",USD,2026-10-02'),
        ((PM893, 1640.0), (PRO, 1575.0)), said=("'1,640.00' is read as 1640",),
    ),
    "thousands-german": QuoteFile(
        "q.csv", text("Model;Capacity;Price", "PM893;3,84 TB;1.640", "5400 PRO;3,84 TB;1.575,50"),
        ((PM893, 1640.0), (PRO, 1575.5)), said=("'1.575,50' is read as 1575.50",),
    ),
    "thousands-swiss-and-french": QuoteFile(
        "q.csv", text("Model;Capacity;Price", "PM893;3.84 TB;1'640.00",
                      "5400 PRO;3.84 TB;1 575.00"),
        ((PM893, 1640.0), (PRO, 1575.0)),
    ),
    "either-thousands-or-decimals": QuoteFile(
        "q.csv", text("Model;Capacity;Price", "PM893;3.84 TB;640", "5400 PRO;3.84 TB;1.575"),
        ONE, aside=(("q.csv:3", "'1.575' is 1575 or 1.57"),),
    ),
    # dates
    "older-than-allowed": QuoteFile(
        "q.csv", text(HEAD, "PM893,3.84 TB,640,USD,2024-01-05"), ((PM893, None),),
        said=("quote of 2024-01-05 is older than 365 days, the allowed age: adjusted to today",),
    ),
    "in-the-future": QuoteFile(
        "q.csv", text(HEAD, "PM893,3.84 TB,64,USD,2027-10-02"), ((PM893, None),),
        aside=(("q.csv:2", f"dated after {TODAY}: priced by the curve instead"),),
    ),
    "expired": QuoteFile(
        "q.csv", text(f"{HEAD},Valid until", f"{ROW},2026-10-14"), ((PM893, None),),
        said=("was valid until 2026-10-14",),
    ),
    "valid-for-days": QuoteFile(  # 30 days from 2 September end on 2 October
        "q.csv", text(f"{HEAD},Validity", f"{ROW.replace('-10-', '-09-')},30 days"),
        ((PM893, None),), said=("quote of 2026-09-02 was valid until 2026-10-02",),
    ),
    "valid-to-the-day": QuoteFile(
        "q.csv", text(f"{HEAD},Valid until", f"{ROW},{TODAY}"), ONE
    ),
    "day-or-month": QuoteFile(
        "q.csv", text(HEAD, "PM893,3.84 TB,640,USD,03/04/2026", ROW), ONE,
        aside=(("q.csv:2", "price_date: must be a date such as 2026-09-30"),),
    ),
    # doubts
    "break-above-single": QuoteFile(
        "q.csv", text("Model,Capacity,Price,Price 10+", "PM893,3.84 TB,640,700"), ONE,
        said=("price_10 '700' is above the price of one drive, '640': doubtful",),
    ),
    "tbw-against-dwpd": QuoteFile(  # 3 x 3.84 TB x 365 x 5 = 21,024 TB
        "q.csv", text(f"{HEAD},TBW,DWPD,Warranty", f"{ROW},7008,3,5 years"), ONE,
        said=("tbw 7,008 TB contradicts dwpd 3 x 3.84 TB x 5 years = 21,024 TB",),
    ),
    "tbw-as-dwpd": QuoteFile(
        "q.csv", text(f"{HEAD},TBW,DWPD,Warranty", f"{ROW},7000 TBW,1,5"), ONE
    ),
    "tbw-against-the-catalogue": QuoteFile(
        "q.csv", text(f"{HEAD},TBW", f"{ROW},14000"), ONE,
        said=("tbw 14,000 TB differs from the catalogue's 7,008 TB",),
    ),
    "least-order": QuoteFile(
        "q.csv", text(f"{HEAD},MOQ", f"{ROW},50"), ONE,
        said=("the price is for at least 50 drives (MOQ or Qty)",),
    ),
    "least-order-in-words": QuoteFile(
        "q.csv", text(f"{HEAD},Min. order", f"{ROW},", f"{ROW},ten"), ONE,
        aside=(("q.csv:3", "Min. order (least_order): must be a whole number"),),
    ),
    "no-name": QuoteFile(
        "q.csv", text(HEAD, ROW, ",3.84 TB,640,USD,2026-10-02"), ONE,
        aside=(("q.csv:3", "model: is empty, and so is part_number"),),
    ),
    "two-quotes": QuoteFile(
        "q.csv", text(HEAD, ROW, ROW.replace("640", "600")), ((PM893, 640.0), (PM893, 600.0)),
        said=(f"{PM893} has 2 quotes",),
    ),
    "the-same-row-twice": QuoteFile(
        "q.csv", text(HEAD, ROW, ROW), ONE, aside=(("q.csv:3", "says the same as q.csv:2"),)
    ),
    "the-same-but-for-a-fact": QuoteFile(
        "q.csv", text(f"{HEAD},PLP", f"{ROW},yes", f"{ROW},no"), ((PM893, 640.0), (PM893, 640.0)),
        said=(f"{PM893} has 2 quotes",),
    ),
    "no-such-drive": QuoteFile(
        "q.csv", text("Model,Price", "PM8993,600", "PM893 3.84 TB,640"), ONE,
        aside=(("q.csv:2", "no drive matches 'PM8993'"), ("q.csv:2", "Samsung PM893")),
    ),
    "own-drive": QuoteFile(
        "q.csv", text(HEAD, "PM8993,3.84 TB,600,USD,2026-10-02"), (("Own PM8993 3.84 TB", 600.0),),
        said=("read as a drive of your own: no drive matches 'PM8993 3.84 TB'",),
    ),
    "on-request": QuoteFile(
        "q.csv", text(HEAD, ROW, "5400 PRO,3.84 TB,on request,USD,"), ((PM893, 640.0), (PRO, None)),
        aside=(("q.csv:3", "states no price ('on request')"),),
    ),
    "no-rate": QuoteFile(
        "q.csv", text(HEAD, ROW, "5400 PRO,3.84 TB,575,CHF,2026-10-02"), ONE,
        aside=(("q.csv:3", "currency: 'CHF' needs --rate CHF=USD"),),
    ),
    "no-currency-at-all": QuoteFile(
        "q.csv", text(HEAD, ROW, "5400 PRO,3.84 TB,575,shells,2026-10-02"), ONE,
        aside=(("q.csv:3", "currency: must be a code of three letters"),),
    ),
    "two-currencies-in-a-row": QuoteFile(
        "q.csv", text(HEAD, ROW, "5400 PRO,3.84 TB,575 EUR,USD,2026-10-02"), ONE,
        aside=(("q.csv:3", "currency: must be one"),),
    ),
}  # fmt: skip
REFUSED = {
    "empty": BadFile("q.csv", b"", ("q.csv: is empty",)),
    "pdf": BadFile("q.pdf", b"%PDF-1.7 ...", ("is a PDF", "accepted are CSV")),
    "old-excel": BadFile("q.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ("save it as XLSX",)),
    "no-header": BadFile("q.csv", text("Dear buyer,", "thank you"), ("a header is a line such",)),
    "price-with-tax": BadFile(
        "q.csv", text("Model,Price incl. VAT", "PM893,700"), ("q.csv:1: Price incl. VAT", "net")
    ),
    "a-price-of-what": BadFile(
        "q.csv", text("Model,Best price ever", "PM893,700"), ("q.csv:1: Best price ever",)
    ),
    "two-prices": BadFile(
        "q.csv", text("Model,Price (EUR),Price (USD)", "PM893,7,8"), ("there twice", "Price (EUR)")
    ),
    "misspelled": BadFile("q.csv", text("Model,Suplier", "PM893,A"), ("did you mean supplier",)),
    "zero-bytes": BadFile("q.csv", b"model,price\nPM893,\0\n", ("contains zero bytes",)),
}  # fmt: skip
