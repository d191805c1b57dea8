"""Rows of tables of quotes as sentences and as a record: the outcome of each, and why."""

from collections.abc import Sequence

from planner.catalogue.drive import Drive
from planner.search.choose.answer import ADJUSTED, ASIDE, OWN, USED, Choice, QuoteOutcome

_COUNTED = {
    USED: "used", ADJUSTED: "adjusted to today", OWN: "drives without a price", ASIDE: "set aside",
}  # fmt: skip


def quotes_line(choice: Choice) -> str:
    """Count the rows of tables of quotes by their state; "" where there are none."""
    quotes = choice.quotes
    if quotes is None:
        return ""
    parts = [f"{quotes.total(state)} {words}" for state, words in _COUNTED.items()
             if quotes.total(state) or state in (USED, ASIDE)]  # fmt: skip
    rows = quotes.total()
    return f"Quotes: {rows} row{'' if rows == 1 else 's'} read, {', '.join(parts)}."


def quote_lines(
    choice: Choice, *, most: int | None = None, are_together: bool = False
) -> list[str]:
    """Return a line for each row of quotes with something to say, and how the files were read.

    Rows that are set aside come first; a ranked one without a doubt has no line. Plans are numbered
    as all plans are, or as those that are taken together.
    """
    quotes = choice.quotes
    if quotes is None:
        return []
    order = {ASIDE: 0, ADJUSTED: 1, USED: 2, OWN: 2}
    due = sorted((row for row in quotes.rows if row.reasons), key=lambda row: order[row.state])
    rest = [row for row in quotes.rows if not row.reasons and row.unranked]
    plans = [_wheres([one.plan.drive]) for one in choice.candidates]
    if are_together:
        plans = [_wheres(one.models) for one in choice.specifications]
    lines = [*(_line(plans, row) for row in due), *quotes.notes]
    lines += [_line(plans, row) for row in rest]
    if most is None or len(lines) <= most:
        return lines
    left = len(lines) - most + 1
    return [*lines[: most - 1], f"{left} more lines on quotes: --all, --json"]


def _line(plans: Sequence[Sequence[str]], row: QuoteOutcome) -> str:
    places = [str(place) for place, wheres in enumerate(plans, start=1) if row.where in wheres]
    ranked = f"row{'s' if len(places) > 1 else ''} {', '.join(places)}, " if places else ""
    name = f", {row.drive}" if row.drive else ""
    head = f"{row.where}{name}{' set aside' if row.state == ASIDE else ''}"
    why = "; ".join((*row.reasons, *([row.unranked] if row.unranked else [])))
    return f"{ranked}{head}: {why}"


def _wheres(drives: Sequence[Drive]) -> list[str]:
    return [drive.quote.where for drive in drives if drive.quote is not None]


def quoted_text(choice: Choice, drive: Drive) -> str:
    """Return the place of the quote of a drive, and what is to be said of it."""
    if drive.quote is None:
        return ""
    reasons = () if choice.quotes is None else choice.quotes.reasons_of(drive)
    return ": ".join(part for part in (drive.quote.where, "; ".join(reasons)) if part)


def quotes_record(choice: Choice) -> dict[str, object]:
    """Return the rows of tables of quotes with their states and reasons, for JSON."""
    quotes = choice.quotes
    if quotes is None:
        return {}
    return {
        "quotes": {
            "rows_read": quotes.total(),
            "rows_used": quotes.total(USED),
            "rows_adjusted": quotes.total(ADJUSTED),
            "rows_set_aside": quotes.total(ASIDE),
            "rows_without_prices": quotes.total(OWN),
            "rows": [_row_record(row, choice) for row in quotes.rows],
            "notes": list(quotes.notes),
        }
    }


def _row_record(row: QuoteOutcome, choice: Choice) -> dict[str, object]:
    plans = [place for place, one in enumerate(choice.candidates, start=1)
             if row.where in _wheres([one.plan.drive])]  # fmt: skip
    return {
        "where": row.where, "drive": row.drive or None, "state": row.state,
        "reasons": list(row.reasons), "plans": plans, "unranked": row.unranked or None,
    }  # fmt: skip
