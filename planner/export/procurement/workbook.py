"""The workbook of a purchase: candidates side by side, live, with what they were chosen for."""

import io
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue import Catalogue
from planner.export.procurement.assumptions import MOST_YEARS, Assumptions, numbers_of, sections_of
from planner.export.procurement.checks import Checks
from planner.export.procurement.comparison import Comparison
from planner.export.procurement.comparison_columns import ColumnSource, columns_of
from planner.export.procurement.layout import SHEETS, layout
from planner.export.procurement.names import numbered
from planner.export.procurement.owning import OwningSheet
from planner.export.procurement.page import Page, absolute, here, looks_of
from planner.export.procurement.project import Project
from planner.export.procurement.quote_lines import currencies, lines_of
from planner.export.procurement.quotes import Quotes, offered
from planner.export.procurement.refused import RefusedCells
from planner.export.procurement.rfq import RequestSheet, items_of
from planner.export.procurement.sensitivity import Sensitivity
from planner.export.procurement.sizing import SizedPlan, SizingSheet
from planner.export.procurement.sources import write_sources
from planner.export.procurement.summary import Summary
from planner.export.procurement.tornado import of_life, swings
from planner.export.workbook import ends
from planner.export.workbook.application import application_sheet
from planner.export.workbook.file import Book
from planner.export.workbook.live import LivePlan
from planner.export.workbook.plan_rows import FIRST_ROW, placed
from planner.export.workbook.typed_cells import TypedCell
from planner.search.choose import Choice

if TYPE_CHECKING:
    from planner.application import Application

MOST_CANDIDATES = 8


def procurement_workbook(
    choice: Choice, catalogue: Catalogue, *, exported: date, project: Project | None = None,
    application: "Application | None" = None,
) -> bytes:  # fmt: skip
    """Return an .xlsx file in which a purchasing department can work with a choice.

    The first eight candidates stand side by side as live plans. Where an application writes, its
    load has a sheet. The same choice on the same date gives the same bytes. A choice without
    candidates has nothing to show and is refused.

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
        sheets = _Sheets(book, choice, exported, project or Project())
        sheets.write(catalogue)
        if application is not None:
            application_sheet(book, sheets.styles, application.record)
    return out.getvalue()


class _Sheets:
    """Every sheet in its order, placed before anything is written."""

    def __init__(self, book: Any, choice: Choice, exported: date, project: Project) -> None:
        kept = choice.candidates[:MOST_CANDIDATES]
        self.book, self.styles, self.heads = book, looks_of(book), numbered(kept)
        self.choice = choice = replace(choice, candidates=kept)
        self.typed: list[TypedCell] = []
        self.exported, self.project = exported, project
        live = [LivePlan(one.plan) for one in kept]
        years = max(MOST_YEARS, math.ceil(kept[0].ownership.terms.horizon_s / YEAR_S))
        sections = sections_of(choice, live, exported, years)
        workload = [entry.name for entry in sections["Workload"]]
        sized = [SizedPlan(own, kept[0].data_loss.risk, workload) for own in live]
        rows = placed(live, [own.beside for own in sized])
        lines, rates = lines_of(choice), currencies(choice)
        moved = swings(kept[0])
        self.layout = at = layout(
            choice, items=len(items_of(choice)), project=project.told, rates=rates,
            lines=len(lines), offered=offered(lines), sized=rows[0], swings=len(moved),
            life_swings=len(of_life(moved)),
            compared={heading: [column.title for column in columns]
                      for heading, columns in columns_of(choice).items()},
            assumed={heading: [entry.name for entry in entries]
                     for heading, entries in sections.items()},
            numbers=numbers_of(sections),
            inputs=dict.fromkeys(key for own in sized for key in own.inputs),
        )  # fmt: skip
        self.assumed = Assumptions(choice, sections, at["assumptions"], years)
        first, compared, quotes, request, plans, owning, moves, assumed, facts, checks = (
            self._page(name) for name in SHEETS
        )
        self.first, self.request, self.assumed_page, self.facts = first, request, assumed, facts
        self.refused = refused = RefusedCells(checks, self.typed, at)
        self.quotes = Quotes(quotes, choice, exported, at, lines, rates)
        self.sizing = SizingSheet(
            plans, sized, rows, self.assumed, at, self.heads, exported, refused
        )
        self.owning = OwningSheet(owning, self.assumed, self.sizing, kept, refused)
        self.swings = Sensitivity(moves, choice, at, moved)
        self.checks = Checks(checks, self.assumed, self.sizing, choice, at, refused)
        source = ColumnSource(
            choice=choice, layout=at, sizing=self.sizing, owning=self.owning,
            checks=self.checks, quotes=self.quotes,
        )  # fmt: skip
        self.comparison = Comparison(compared, source, self.heads)

    def _page(self, name: str) -> Page:
        return Page(
            book=self.book,
            sheet=self.book.add_worksheet(name),
            styles=self.styles,
            name=name,
            currency=self.assumed.cell("currency"),
            currency_text=self.assumed.terms.currency,
            typed=self.typed,
        )

    def write(self, catalogue: Catalogue) -> None:
        """Write all of them."""
        self.assumed.write(self.assumed_page)
        self.sizing.write()
        counts = [self.sizing.cell(index, "members") for index in range(len(self.heads))]
        self.quotes.write(self.heads, counts)
        request = RequestSheet(self.request, self.choice, self.checks, self.owning, self.layout)
        request.write(self.project, self.exported)
        self.owning.write(self.heads)
        self.owning.charts(self.heads)
        self.comparison.write()
        self.checks.write(self.heads, self._areas())
        self.swings.write(self.heads[0], self.checks)
        write_sources(self.facts, self.choice, catalogue)
        Summary(
            self.first, self.choice, self.project, self.exported, self.comparison, self.checks
        ).write()
        self.first.sheet.activate()
        self.book.get_worksheet_by_name(ends.NAME).hide()  # steps to the ranges on Sizing

    def _areas(self) -> Sequence[str]:
        """Return the cells among which none may be in error."""
        ends = {
            self.sizing.block.sheet: (FIRST_ROW, 2, self.sizing.block.last, 1 + len(self.heads)),
            self.owning.page.name: (5, 2, self.owning.last_row, self.owning.years.columns[-1]),
            self.comparison.page.name: (3, 1, self.comparison.last_row, 7),
        }
        return [
            f"{absolute(name, row, column)}:{here(last, end)}"
            for name, (row, column, last, end) in ends.items()
        ]
