"""Workbooks of a few kilobytes that hold millions of elements, names or characters."""

import io
import zipfile

from openpyxl import Workbook

_SPACE = (
    'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_SHEET_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"


def changed(**changes):
    """Return a small workbook with parts changed: by the end of a part's name, text or function."""
    made, packed = io.BytesIO(), io.BytesIO()
    book = Workbook()
    book.active.append(["model", "price"])
    book.save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            for end, change in changes.items():
                if name.replace(".", "_").endswith(end):
                    data = change(data) if callable(change) else change
            new.writestr(name, data)
    return packed.getvalue()


def sheet(rows, *, before="", after=""):
    return f"<worksheet {_SPACE}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>".encode()


def of_sheet(rows, **around):
    return changed(sheet1_xml=sheet(rows, **around))


def table(rows, columns):
    """Return a table of numbers as Excel writes it, but that its dimension says A1."""
    cells = (
        f'<row r="{row}" spans="1:{columns}">'
        + "".join(
            f'<c r="{chr(64 + column)}{row}" s="0" t="n"><v>{row * column}</v></c>'
            for column in range(1, columns + 1)
        )
        + "</row>"
        for row in range(1, rows + 1)
    )
    return of_sheet("".join(cells), before='<dimension ref="A1"/>')


def _styles(mark, element, count):
    """Return a workbook with an element of its styles many times, before a mark."""
    many = b"".join(element % number if b"%" in element else element for number in range(count))
    return changed(styles_xml=lambda data: data.replace(mark, many + mark, 1))


def _sheets(count):
    """Return a workbook with many sheets, all of one part."""
    names = "".join(f'<sheet name="s{n}" sheetId="{n + 1}" r:id="rId{n}"/>' for n in range(count))
    targets = "".join(
        f'<Relationship Id="rId{n}" Type="{_SHEET_TYPE}" Target="worksheets/sheet1.xml"/>'
        for n in range(count)
    )
    return changed(
        workbook_xml=f"<workbook {_SPACE}><sheets>{names}</sheets></workbook>".encode(),
        workbook_xml_rels=f'<Relationships xmlns="{_RELATIONSHIPS}">{targets}</Relationships>'
        .encode(),
        sheet1_xml=sheet("<row/>" * 19_000),
    )  # fmt: skip


def _parts(count):
    packed = io.BytesIO(changed())
    with zipfile.ZipFile(packed, "a") as archive:
        for number in range(count):
            archive.writestr(f"x{number}", b"")
    return packed.getvalue()


def _names(count):
    names = b"".join(b'<definedName name="n%d">Sheet!$A$1</definedName>' % n for n in range(count))
    return changed(
        workbook_xml=lambda data: data.replace(
            b"</workbook>", b"<definedNames>" + names + b"</definedNames></workbook>"
        )
    )


_CELL = "<c><v>1</v></c>"
_TEXT = '<c t="inlineStr"><is><t>a</t></is></c>'
_ONE = '<row r="1"><c r="A1"><v>1</v></c></row>'
_LAST = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
_TAG = "must have no tag or comment above 8 KiB"
_CELLS, _OTHERS = "at most 400,000 elements of rows", "at most 50,000 other elements"
# What each is, and a part of what is said of it.
WORKBOOKS = {
    "a cell in the last row and column": (lambda: of_sheet(_ONE + _LAST), "at most 20,000 rows"),
    "a dimension of the whole sheet": (
        lambda: of_sheet(_ONE, before='<dimension ref="A1:XFD1048576"/>'), "1 rows",
    ),
    "a last column in every row": (
        lambda: of_sheet('<row><c r="XFD1"><v>1</v></c></row>' * 15_000), "at most 256 columns",
    ),
    "a million cells in a row": (lambda: of_sheet(f"<row>{_CELL * 1_000_000}</row>"), _CELLS),
    "a full grid": (lambda: of_sheet(f"<row>{_CELL * 256}</row>" * 3_400), _CELLS),
    "strings in the cells": (lambda: of_sheet(f"<row>{_TEXT * 250}</row>" * 1_400), _CELLS),
    "a million blank rows": (lambda: of_sheet("<row/>" * 1_000_000), _CELLS),
    "as many cells as are read": (
        lambda: of_sheet(f"<row>{_CELL * 19}</row>" * 9_900), "9900 rows",
    ),
    "nested elements": (lambda: of_sheet("<a>" * 1_000_000 + "</a>" * 1_000_000), _OTHERS),
    "nested rows": (lambda: of_sheet("<row>" * 390_000 + "</row>" * 390_000), "20,000 rows"),
    "a million attributes of a tag": (
        lambda: of_sheet("<row " + " ".join(f'a{n}="1"' for n in range(1_000_000)) + "/>"), _TAG,
    ),
    "attributes of many tags": (
        lambda: of_sheet(("<x " + " ".join(f'a{n}=""' for n in range(900)) + "/>") * 1_500),
        "at most 1,000,000 attributes",
    ),
    "namespaces": (
        lambda: of_sheet("".join(f'<a xmlns:n{n}="u{n}"/>' for n in range(40_000))),
        "at most 1,000 namespaces",
    ),
    "a comment": (lambda: of_sheet("<!--" + "a> " * 5_000_000 + "-->"), _TAG),
    "lines": (lambda: of_sheet("\n" * 15_000_000), "at most 1,000,000 line ends"),
    "the name of a cell": (lambda: of_sheet(f'<row><c r="{"A" * 5_000_000}1"/></row>'), _TAG),
    "a number of ten million digits": (
        lambda: of_sheet(f"<row><c><v>{'1' * 10_000_000}</v></c></row>"), "cannot be read",
    ),
    "a text of 15 million characters": (
        lambda: of_sheet(f'<row><c t="str"><v>{"a" * 15_000_000}</v></c></row>'),
        "a cell must have at most 32,767 characters",
    ),
    "one long text in every cell": (
        lambda: of_sheet(f'<row><c t="str"><v>{"ab " * 10_000}</v></c></row>' * 500), "500 rows",
    ),
    "merged ranges": (
        lambda: of_sheet(_ONE, after="<mergeCells>" + '<mergeCell ref="A2:XFD9"/>' * 200_000
                         + "</mergeCells>"), _OTHERS,
    ),
    "formulas": (
        lambda: of_sheet('<row><c><f t="shared" ref="A1:XFD1048576" si="0">SUM(A:XFD)</f><v>1</v>'
                         "</c></row>" * 19_000), "19000 rows",
    ),
    "styles": (
        lambda: _styles(b"</cellXfs>", b'<xf numFmtId="0" fontId="0" fillId="0"/>', 200_000),
        _OTHERS,
    ),
    "names of styles": (
        lambda: _styles(b"</cellStyles>", b'<cellStyle name="n%d" xfId="0"/>', 48_000), "1 rows",
    ),
    "names of ranges": (lambda: _names(150_000), _OTHERS),
    "thousands of sheets": (lambda: _sheets(3_000), "must have at most 100 sheets"),
    "sheets of one part": (lambda: _sheets(99), "must have a part of its own"),
    "parts": (lambda: _parts(30_000), "must have at most 2,000 parts"),
    "a part of blanks": (lambda: changed(sheet1_xml=b" " * (15 << 20)), "cannot be read"),
}  # fmt: skip
