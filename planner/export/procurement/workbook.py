"""The workbook of a purchase: candidates side by side, live, with what they were chosen for."""

import io
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue import Catalogue
from planner.export.procurement import (
    assumptions,
    checks,
    comparison,
    quotes,
    rfq,
    sensitivity,
    sizing,
    sources,
    summary,
)
from planner.export.procurement import owning as owning_sheet
from planner.export.procurement.comparison_columns import ColumnSource
from planner.export.procurement.names import numbered
from planner.export.procurement.page import Page, absolute, looks_of
from planner.export.procurement.project import Project
from planner.export.workbook.file import Book
from planner.export.workbook.live import LivePlan
from planner.search.choose import Choice

MOST_CANDIDATES = 8


def procurement_workbook(
    choice: Choice, catalogue: Catalogue, *, exported: date, project: Project | None = None
) -> bytes:
    """Return an .xlsx file in which a purchasing department can work with a choice.

    The first eight candidates stand side by side as live plans. The same choice on the same date
    gives the same bytes. A choice without candidates has nothing to show and is refused.

    >>> from planner.catalogue import find, load
    >>> from planner.search.choose import Grid, Requirements, choose
    >>> from planner.scenario.workload import Workload
    >>> catalogue = load()
    >>> grid = Grid(drives=(find(catalogue, "845DC PRO 400"),), members=(12,), levels=("5",))
    >>> writes = Workload(host_bytes_per_s=2e7)
    >>> choice = choose(writes, Requirements(usable_bytes=4e12), grid)
    >>> procurement_workbook(choice, catalogue, exported=date(2026, 5, 4))[:2]
    b'PK'
    """
    if not choice.candidates:
        raise DomainError("candidates must be at least one: no plan meets every requirement")
    out = io.BytesIO()
    with Book(out) as book:
        first_day = datetime(exported.year, exported.month, exported.day)
        book.set_properties({"title": "SSD procurement", "created": first_day})
        _Sheets(book, choice, exported).write(catalogue, project or Project())
    return out.getvalue()


class _Sheets:
    """Every sheet in its order, placed before anything is written."""

    def __init__(self, book: Any, choice: Choice, exported: date) -> None:
        self.book, self.styles = book, looks_of(book)
        kept = choice.candidates[:MOST_CANDIDATES]
        self.choice, self.exported = _with(choice, kept), exported
        self.heads = numbered(kept)
        years = math.ceil(kept[0].ownership.terms.horizon_s / YEAR_S)
        self.assumed = assumptions.Assumptions(
            self.choice, [LivePlan(one.plan) for one in kept], exported,
            max(assumptions.MOST_YEARS, years),
        )  # fmt: skip
        first, second = self._page(summary.NAME), self._page(comparison.NAME)
        self.quotes = quotes.Quotes(self._page(quotes.NAME), self.choice, exported)
        self.request_page = self._page(rfq.NAME)
        prices = [self.quotes.cell(index) for index in range(len(kept))]
        self.sizing = sizing.SizingSheet(
            book, self.styles, kept, self.assumed, self.heads, exported, prices
        )
        self.owning = owning_sheet.OwningSheet(
            self._page(owning_sheet.NAME), self.assumed, self.sizing, kept
        )
        self.swings = sensitivity.Sensitivity(self._page(sensitivity.NAME), self.choice)
        self.assumed_page, self.sources_page = (
            self._page(name) for name in (assumptions.NAME, sources.NAME)
        )
        self.checks = checks.Checks(self._page(checks.NAME), self.assumed, self.sizing, self.choice)
        source = ColumnSource(
            choice=self.choice, sizing=self.sizing, owning=self.owning, checks=self.checks,
            quotes=self.quotes,
        )  # fmt: skip
        self.comparison = comparison.Comparison(second, source, self.heads)
        self.first = first

    def _page(self, name: str) -> Page:
        return Page(
            book=self.book,
            sheet=self.book.add_worksheet(name),
            styles=self.styles,
            name=name,
            currency=self.assumed.cell("currency"),
            currency_text=self.assumed.terms.currency,
        )

    def write(self, catalogue: Catalogue, project: Project) -> None:
        """Write all of them."""
        self.assumed.write(self.assumed_page)
        self.sizing.write()
        counts = [self.sizing.cell(index, "members") for index in range(len(self.heads))]
        self.quotes.write(self.heads, counts)
        request = rfq.QuoteRequest(
            self.request_page, self.choice, self.sizing, self.owning, project
        )
        request.write(self.exported)
        self.owning.write(self.heads)
        self.owning.charts(self.heads)
        self.comparison.write()
        self.checks.write(self.heads, self._areas())
        self.swings.write(self.heads[0], self.checks)
        sources.write_sources(self.sources_page, self.choice, catalogue)
        summary.Summary(
            self.first, self.choice, project, self.exported, self.comparison, self.checks
        ).write()
        self.first.sheet.activate()

    def _areas(self) -> Sequence[str]:
        """Return the cells among which none may be in error."""
        count, plans = len(self.heads), self.sizing.plans
        ends = {
            sizing.NAME: (6, 2, max(plans.rows.values()), 1 + count),
            owning_sheet.NAME: (5, 2, self.owning.last_row, self.owning.years.columns[-1]),
            comparison.NAME: (3, 1, self.comparison.last_row, 7),
        }
        return [
            f"{absolute(name, row, column)}:{absolute(name, last, end).rpartition('!')[2]}"
            for name, (row, column, last, end) in ends.items()
        ]


def _with(choice: Choice, kept: Sequence[Any]) -> Choice:
    return replace(choice, candidates=tuple(kept))
