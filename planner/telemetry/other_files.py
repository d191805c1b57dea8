"""Names of files that are no drive, test or trace, and of the command that reads them."""

import re

from planner.catalogue.quote_header import is_header
from planner.quantity.door.texts import csv_rows
from planner.telemetry.documents import head_text

_PACKINGS = {
    b"BZh": "bzip2", b"7z\xbc\xaf'\x1c": "7-Zip", b"\x04\x22\x4d\x18": "lz4", b"Rar!": "RAR",
    b"\x5d\x00\x00": "LZMA without xz",
}  # fmt: skip
_MARKS = {
    b"\xff\xd8\xff": "a JPEG picture", b"\x89PNG": "a PNG picture", b"%PDF": "a PDF document",
    b"PK": "a ZIP archive or an Office document; `choose --catalogue` reads quotes in XLSX",
    b"PAR1": "a Parquet table, which `fleet` reads",
    **{
        mark: f"packed by {name}; pack it by gzip, xz or zstd instead"
        for mark, name in _PACKINGS.items()
    },
}  # fmt: skip
_HISTOGRAM = re.compile(r"\d+, ?[0-2], ?\d+(?:, ?\d+){20,}")  # 29 bins at the coarsest
_LOGGED = {"serial", "serial_number", "model", "model_name"}
_DATES = {"date", "time", "timestamp"}
_COUNTED = {"host_bytes", "percent_used", "percentage_used"}
_DELIMITERS = ",;\t|"
_MOST_CELLS = 2_000


def described(head: bytes) -> str:
    """Describe a file by its beginning: what it is, and which command reads it.

    >>> described(b"date,serial_number,model,failure,smart_9_raw")
    'a table of drives over time, which `fleet` reads'
    """
    for mark, what in _MARKS.items():
        if head.startswith(mark):
            return what
    text = head_text(head).strip()
    line = text.partition("\n")[0].strip()
    if not line.replace("\t", " ").isprintable():
        return "neither text nor JSON"
    if _HISTOGRAM.match(line):
        return (
            "a histogram log of fio (clat_hist), of which no percentiles are read: give the JSON "
            "of the same run, by --output-format=json+"
        )
    if text.startswith("{") and '"ssd_planner_scenario"' in text:
        return "a scenario, which `plan --scenario` reads"
    return _table(line) or f"begins {line[:40]!r}"


def _table(line: str) -> str:
    """Describe a table by its header, or return an empty text."""
    for delimiter in _DELIMITERS:
        _, row = next(csv_rows([line], delimiter=delimiter), (1, list[str]()))
        cells = row[:_MOST_CELLS]
        names = {"_".join(cell.casefold().split()) for cell in cells}
        if names & _DATES and names & (_LOGGED | _COUNTED) and len(names) > 2:
            return "a table of drives over time, which `fleet` reads"
        if len(cells) > 1 and is_header(cells):
            return "a table of drives or quotes, which `choose --catalogue` reads"
    return ""
