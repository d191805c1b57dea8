"""Outcome of each row of the tables of quotes: used, adjusted, or set aside, with its reasons."""

from collections.abc import Iterator, Sequence

from planner.catalogue.drive import Drive
from planner.catalogue.prices import basis_of, quote_reason
from planner.catalogue.quotes import QuoteTables
from planner.quantity.inputs import INPUTS
from planner.search.choose.answer import (
    ADJUSTED,
    ASIDE,
    OWN,
    USED,
    Candidate,
    QuoteOutcome,
    QuoteOutcomes,
    Rejected,
)  # fmt: skip
from planner.search.choose.filters import Excluded
from planner.search.choose.question import Grid

_INSTEAD = {
    "stated": "its price in the catalogue counts instead",
    "carried": "its price in the catalogue, adjusted to today, counts instead",
    "curve": "priced by the curve instead",
}


def quote_outcomes(
    tables: QuoteTables, grid: Grid, candidates: Sequence[Candidate], misses: Sequence[Rejected]
) -> QuoteOutcomes:
    """Return the outcome of each row of some tables, in the order of the files."""
    planned = {drive.quote.where: drive for drive in grid.drives if drive.quote is not None}
    left_out = {row.drive.quote.where: row for row in grid.excluded if row.drive.quote is not None}
    rows = {
        row.where: QuoteOutcome(row.where, "", ASIDE, (row.reason,)) for row in tables.set_aside
    }
    for drive in tables.drives:
        if drive.quote is None:
            continue
        where = drive.quote.where
        if where in left_out:
            reason = _left_out(left_out[where])
            rows[where] = QuoteOutcome(where, drive.name, ASIDE, (reason, *drive.quote.doubts))
        elif where in planned:
            rows[where] = _row(planned[where], grid, candidates, misses)
    return QuoteOutcomes(tuple(sorted(rows.values(), key=_order)), tables.notes)


def _order(row: QuoteOutcome) -> tuple[str, int]:
    """Return the order of rows: by file and sheet, then by line."""
    place, _, line = row.where.rpartition(":")
    return place, int(line)


def _left_out(row: Excluded) -> str:
    """Name the filters that leave a quoted drive out."""
    fails = "; ".join(
        f"{INPUTS[each.input].label} must be {each.needed}, the drive has {each.has}"
        for each in row.fails
    )
    return f"left out: {fails}"


def _row(
    drive: Drive, grid: Grid, candidates: Sequence[Candidate], misses: Sequence[Rejected]
) -> QuoteOutcome:
    """Return the outcome of the quote of a drive that takes part."""
    quote, terms = drive.quote, grid.prices
    if quote is None:
        raise ValueError(f"{drive.name} has no quote")
    reasons = []
    if quote.unpriced:
        reasons.append(
            f"{quote.unpriced}: {_INSTEAD.get(basis_of(drive) or '', 'it has no price')}"
        )
        state = ASIDE
    elif quote.price is None:
        state = OWN
    else:
        reason = "" if terms is None else quote_reason(drive, terms)
        reasons += [reason] if reason else []
        is_carried = drive.price_range is not None and drive.price_range.is_carried
        state = USED if not reason else ADJUSTED if is_carried else ASIDE
    if state == USED:
        reasons += _least_order(drive, candidates)
    return QuoteOutcome(
        quote.where, drive.name, state, (*reasons, *quote.doubts),
        _unranked(drive, candidates, misses),
    )  # fmt: skip


def _least_order(drive: Drive, candidates: Sequence[Candidate]) -> Iterator[str]:
    """Name a least order above the number that plans need: it is ordered and paid for whole."""
    quote = drive.quote
    if quote is None or quote.least_order <= 1:
        return
    least = quote.least_order
    counts = [one.plan.array.members for one in candidates if _is_of(one.plan.drive, drive)]
    few = sorted({count for count in counts if count < least})
    if few:
        needed = f"{few[0]}" if len(few) == 1 else f"{few[0]} to {few[-1]}"
        yield (
            f"the price is for at least {least} drives (MOQ or Qty) and the plan needs {needed}: "
            f"all {least} are ordered and paid for, the others are spares"
        )
    elif not counts and candidates and candidates[0].plan.array.members < least:
        yield (
            f"the price is for at least {least} drives (MOQ or Qty), plan 1 needs "
            f"{candidates[0].plan.array.members}: all {least} would be paid for"
        )


def _unranked(drive: Drive, candidates: Sequence[Candidate], misses: Sequence[Rejected]) -> str:
    """Return the reason that no ranked plan has a quoted drive, "" where one has."""
    if any(_is_of(one.plan.drive, drive) for one in candidates):
        return ""
    miss = next((row for row in misses if _is_of(row.drive, drive)), None)
    if miss is None:
        return "in no ranked plan: each costs more" if candidates else "in no plan"
    if miss.array is None:
        return "in no ranked plan: its price is unknown"
    return f"in no ranked plan: the nearest is short of {miss.lacks.need.label}"


def _is_of(one: Drive, other: Drive) -> bool:
    """Whether two drives are of the same row of a table."""
    return (
        one.quote is not None and other.quote is not None and one.quote.where == other.quote.where
    )
