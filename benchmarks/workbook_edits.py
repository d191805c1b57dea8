"""Edits of the workbook of a purchase: `python -m benchmarks.workbook_edits > FILE`.

Prices, numbers of drives, the exchange rate and the writes of a workbook are edited, and at times
a quote with VAT is typed in: fifteen times each in USD, in EUR and among clusters. LibreOffice
computes the workbook, and the planner plans the same candidates afresh from the same inputs. Takes
about two minutes, and needs LibreOffice.
"""

import tempfile
from collections import Counter
from datetime import date
from pathlib import Path

from planner.catalogue import load
from planner.export.procurement import procurement_workbook
from tests.libreoffice import running_office
from tests.planner.export.edits import (
    CLUSTERS,
    choice,
    compared,
    edits,
    fails,
    planned,
    typed,
    winner,
)
from tests.planner.export.purchases import read

EACH, SEED = 15, 20261001
HEADS = (
    "edit", "currency", "edited", "numbers compared", "worst difference", "workbook names",
    "planner names", "values to export again", "verdicts that differ",
)  # fmt: skip


def main() -> None:
    """Print the table, and its sums."""
    rows = [
        row
        for place, each in enumerate(("USD", "EUR", CLUSTERS))
        for row in of_currency(each, SEED + place)
    ]
    print("# Edits of the workbook of a purchase\n")
    print("Written by `python -m benchmarks.workbook_edits`.\n")
    print("\n\n".join((__doc__ or "").split("\n\n")[1:]))
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}")
    for number, row in enumerate(rows, start=1):
        print(f"| {number} | {' | '.join(map(str, row))} |")
    same = sum(row[4] == row[5] for row in rows)
    worst = max(float(row[3]) for row in rows)
    print(
        f"\nThe winner is the planner's after {same} of {len(rows)} edits; of "
        f"{sum(row[2] for row in rows):,} numbers none is further from the planner's than "
        f"{worst:.1e}, relatively.\n\nA verdict differs where the loss of data, which no formula "
        "follows, decides: the workbook says to export again, and never that the candidate passes."
    )


def of_currency(currency: str, seed: int) -> list[tuple[object, ...]]:
    """Return a row for each edit of the workbook in one currency."""
    made = procurement_workbook(choice(currency), load(), exported=date(2026, 10, 1))
    drawn = list(edits(currency, EACH, seed))
    with tempfile.TemporaryDirectory() as folder, running_office(Path(folder)) as recalculate:
        books = recalculate([(made, typed(currency, edit)) for edit in drawn], Path(folder))
    return [_row(currency, edit, book) for edit, book in zip(drawn, books, strict=True)]


def _row(currency: str, edit: object, book: object) -> tuple[object, ...]:
    plans = list(planned(currency, edit))
    count, (worst, *_) = compared(book, plans)
    verdicts = [read(book, "verdict", column) for column in range(1, 1 + len(plans))]
    differ = Counter(
        f"{verdict} for {'fail' if fails(one) else 'pass'}"
        for verdict, one in zip(verdicts, plans, strict=True)
        if fails(one) != (verdict == "fail")
    )
    words = ", ".join(f"{count} x {what}" for what, count in differ.items()) or "none"
    named = [read(book, "recommended"), winner(plans)]
    return (
        currency, _edited(edit), count, f"{worst:.1e}", *named,
        read(book, "values_out_of_date"), words,
    )  # fmt: skip


def _edited(edit: object) -> str:
    parts = {
        "prices": edit.prices, "drives": edit.members, "rate": edit.rate != 1.1,
        "writes": edit.writes != 1, "quote": edit.offer,
    }  # fmt: skip
    return ", ".join(name for name, changed in parts.items() if changed)


if __name__ == "__main__":
    main()
