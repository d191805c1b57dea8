"""The first sheet: requirements, the recommendation with reasons, and a block to sign."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import planner
from models.drive_price import QUARTER_S
from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.catalogue.price_curve import price_kind, waiting
from planner.export.choice_tables import undecided_line
from planner.export.procurement.checks import Checks
from planner.export.procurement.comparison import Comparison
from planner.export.procurement.comparison_columns import RANGES, SUMS, loss_title
from planner.export.procurement.layout import CHEAPER, REFUSED, SAVES, WAITING
from planner.export.procurement.names import available_text, needed_text
from planner.export.procurement.page import LINE, PAGE_POINTS, STALE, Page, here
from planner.export.procurement.price_ends import ENDS
from planner.export.procurement.project import Project
from planner.export.procurement.ranking import BEYOND, OPEN, PASS
from planner.export.procurement.recommended import (
    NO_PLAN,
    NONE,
    Alternatives,
    NeedsTable,
    Recommended,
)
from planner.export.workbook.exported import OUT_OF_DATE, UP_TO_DATE
from planner.export.workbook.formats import number_format
from planner.quantity.show import text, writes_text
from planner.scenario.growth import course_text
from planner.search.choose import Choice

_WIDTHS = (37.5, *[15.0] * 7)
_SIGNATURE = 26.0  # points of a row to sign in
_TREND = "90 % by the trend of such prices"
_ROLES = ("Prepared", "Reviewed", "Approved")
_APPROVAL = 3 * LINE + len(_ROLES) * _SIGNATURE  # points, with the row before it
_HEADLINES = (
    ("Price", "Extended price"),
    ("Price", "Price per drive"),
    ("Capacity and endurance", "Usable capacity"),
    ("Capacity and endurance", "Price per usable TB"),
    ("Dates in years of service", "Warranty ends"),
    ("Dates in years of service", "Rated writes used up"),
    ("Dates in years of service", "Flash wear-out, typical"),
    ("Cost of owning", "Net present cost"),
)

# Of figures with a range on page one: where its low and high end are.
_RANGED = {title: (RANGES, [f"{title}, {end}" for end in ENDS]) for title in SUMS} | {
    "Flash wear-out, typical": (
        "Dates in years of service", [f"Flash wear-out, {end}" for end in ENDS],
    ),
}  # fmt: skip


def _asked(choice: Choice, currency: str) -> dict[str, str]:
    """Return the question: workload, needs, how many were searched, and their order."""
    load, required = choice.candidates[0].plan.workload, choice.requirements
    parts = (
        f"{writes_text(load.host_bytes_per_s)} of host writes",
        course_text(load),
        "growth is continuous" if load.growth_per_year else "",
        f"{text('read_fraction', load.read_fraction)} reads",
        text("transfer_bytes", load.transfer_bytes),
    )
    needs = [f"{need} {needed_text(need, value, currency)}"
             for need, value in required.needs.items()]  # fmt: skip
    if required.life_s is not None:
        needs.append(f"confidence of life {100 * required.life_confidence:.4g} %")
    searched = (
        f"{choice.configurations:,} configurations for the least {choice.objective}; "
        f"{choice.possible:,} were possible, {choice.holding:,} meet all needs that are quick to "
        "check"
    )
    order = "prices that are ranges count at their typical figure, against a budget at the dearer"
    ranked = f"the least {choice.objective} first; {order}. {undecided_line(choice)}".rstrip()
    workload = ", ".join(part for part in parts if part)
    return {"Workload": workload, "Needs": "; ".join(needs), "Searched": searched, "Order": ranked}


def rejected_rows(choice: Choice, currency: str) -> list[dict[str, object]]:
    """Return a row for each cheaper drive, with the need that it fails."""
    rows: list[dict[str, object]] = []
    for one in choice.rejected:
        lacks, is_priced = one.lacks, one.array is not None
        rows.append({
            "Drive": one.drive.name,
            "Layout": one.array.layout if one.array else "any",
            "Objective": "unknown" if one.objective is None else one.objective,
            "Lacks": str(lacks.need) if is_priced else "a price",
            "Needed": needed_text(lacks.need, lacks.needed, currency) if is_priced else "",
            "Available": available_text(lacks.need, lacks.available, currency),
            "Configurations": one.configurations,
        })  # fmt: skip
    return rows


class Summary:
    """The first two pages: the decision, and what it rests on."""

    def __init__(
        self, page: Page, choice: Choice, project: Project, exported: date,
        comparison: Comparison, checks: Checks,
    ) -> None:  # fmt: skip
        self.page, self.choice, self.project, self.exported = page, choice, project, exported
        self.comparison, self.checks, self.layout = comparison, checks, comparison.layout
        self.currency = choice.candidates[0].ownership.terms.currency
        self.best = Recommended(comparison)

    def write(self) -> None:
        """Write from top to bottom; last what cheaper ones lack, as far as there is room."""
        page = self.page
        page.widths(_WIDTHS)
        page.text(0, 0, self.project.title or "SSD procurement", "title")
        self._project()
        every = Alternatives(page, self.choice, self.best)
        self._recommendation(every.names)
        self._state()
        NeedsTable(page, self.choice, self.checks, self.best).write()
        every.write()
        self._question()
        self._why()
        self._worst()
        row, middle = self.layout["worst"].last + 2, self.layout["reasons"].top
        room = PAGE_POINTS - page.points(0, 1) - page.points(middle, row) - _APPROVAL
        end = self._approval(self._rejected(row, room) + 1)
        page.finish(0, (1, 0))
        page.break_before(middle, end=end)

    def _line(self, row: int, label: str, sentence: str) -> None:
        page = self.page
        page.text(row, 0, label)
        page.across(row, 1, len(_WIDTHS) - 1, sentence)
        page.tall(row, [(sentence, float(sum(_WIDTHS[1:])))])

    def _project(self) -> None:
        page, rows = self.page, self.layout["project"].rows
        for label, sentence in self.project.told.items():
            self._line(rows[label], label, sentence)
        exported, currency = rows["exported"], rows["currency"]
        page.text(exported, 0, "Exported on")
        page.sheet.write_datetime(exported, 1, self.exported, page.styles["date"])
        page.text(exported, 2, f"by version {planner.__version__} of the planner", "plain")
        page.text(currency, 0, "Currency of every price")
        page.live(currency, 1, page.currency, self.currency, "label")

    def _recommendation(self, names: Sequence[str]) -> None:
        """Name the candidate that is the least of those that meet every need, with its figures."""
        page, best, block = self.page, self.best, self.layout["recommendation"]
        page.section(block.top, "Recommendation", len(_WIDTHS))
        page.text(block.top, 2, "Below a figure its range of 90 %: of sums, by the price alone",
                  "section note")  # fmt: skip
        row = block.rows["name"]
        page.merge(row, 0, len(_WIDTHS) - 1, "headline")
        name = names[best.place] if best.number else NONE
        cells = self.layout["candidates"].cells_here("name")
        formula = f'IF({best.cell}=0,"{NONE}",INDEX({cells},{best.cell}))'
        page.live(row, 0, formula, name, "headline")
        page.define("recommendation", row, 0)
        page.high(row, 20)
        for column, (heading, title) in enumerate(_HEADLINES):
            self._headline(block.rows, column, heading, title)

    def _headline(self, rows: Mapping[str, int], column: int, heading: str, title: str) -> None:
        page = self.page
        (own,) = (one for one in self.comparison.columns[heading] if one.title == title)
        unit = QUANTITIES[own.style].shown_in if own.style in QUANTITIES else ""
        page.titled(rows["title"], column, title, unit, "note right")
        page.high(rows["title"], 30)
        formula, shown = self.best.of(heading, title)
        page.live(rows["value"], column, formula, shown, number_format("result", own.style))
        if title in _RANGED:
            formula, words = self.best.between(*_RANGED[title])
            page.live(rows["between"], column, formula, words, "note right")
            page.high(rows["between"], 30)

    def _state(self) -> None:
        """Write the number of the candidate, and the verdict on it."""
        page, best, rows = self.page, self.best, self.layout["recommendation"].rows
        row = rows["state"]
        page.text(row, 0, "Number of the candidate")
        page.live(row, 1, best.formula, best.number, "right")
        page.define("recommended", row, 1)
        page.merge(row, 2, len(_WIDTHS) - 1, "words")
        verdict = best.of("Verdict", "Pass or fail")[0]
        styles = {PASS: "good", OPEN: "late", BEYOND: "late"}
        colours = {f'{verdict}="{words}"': style for words, style in styles.items()}
        colours[f'{{x}}="{NO_PLAN}"'] = "bad"
        page.state(row, 2, "standing", best.standing, colours, "words")
        self._checked(rows["checks"])

    def _checked(self, row: int) -> None:
        """Count the checks that do not hold, and the values that are out of date."""
        page, broken = self.page, self.checks.broken
        page.text(row, 0, "Checks, all candidates")
        everyone = range(len(self.choice.candidates))
        failed = sum(self.checks.failed(index)[1] for index in everyone)
        failed += sum(one.plan.drive.value("price_usd") is None for one in self.choice.candidates)
        sentence = f"{failed} do not hold" if failed else "all hold"
        formula = f'IF({broken}=0,"all hold",{broken}&" do not hold")'
        colours = {'{x}="all hold"': "good", '{x}<>"all hold"': "bad"}
        page.state(row, 1, "checks_state", (formula, sentence), colours)
        page.text(row, 2, "Values that edits have made out of date", "plan")
        stale = "+".join(self.checks.stale(index)[0] for index in everyone)
        page.state(row, 5, "values_out_of_date", (stale, 0), {"{x}>0": "late"})
        self._refused()

    def _refused(self) -> None:
        """Count the typed cells that hold what they do not accept, and name the first."""
        page, refused, rows = self.page, self.checks.refused, self.layout["recommendation"].rows
        for number, name in enumerate(REFUSED, start=1):
            row = rows[name]
            page.merge(row, 2, len(_WIDTHS) - 1, "words")
            page.state(row, 2, name, (refused.nth(number), ""), {'{x}<>""': "bad"}, "words")
        page.text(rows[REFUSED[0]], 0, "Typed cells in error")
        page.state(rows[REFUSED[0]], 1, "cells_refused", (refused.total, 0), {"{x}>0": "bad"})

    def _question(self) -> None:
        block = self.layout["asked"]
        self.page.section(block.top, "Asked", len(_WIDTHS))
        self.page.text(block.top, 2, "As exported; requirements after edits are on Checks",
                       "section note")  # fmt: skip
        for label, sentence in _asked(self.choice, self.currency).items():
            self._line(block.rows[label], label, sentence)

    def _why(self) -> None:
        page, block = self.page, self.layout["lacking"]
        page.section(
            block.top, "Savings of lower requirements, and shortfalls of others", len(_WIDTHS)
        )
        row = block.rows["state"]
        page.text(row, 0, "These are, as computed on export")
        page.state(row, 1, "export_status", (self.checks.exported.every, UP_TO_DATE), STALE)
        for label, sentence in self._reasons():
            self._line(block.rows[label], label, sentence)

    def _reasons(self) -> Iterator[tuple[str, str]]:
        short = self.choice.rejected_by.items()
        counted = ", ".join(f"{need} ({count:,})" for need, count in short)
        if counted:
            yield CHEAPER, f"{counted} configurations"
        saved = [one for one in self.choice.savings if one.saving]
        sentence = "; ".join(f"{one.need}: {one.saving:,.0f} {self.currency}" for one in saved)
        yield SAVES, sentence or "nothing, of any need"

    def _rejected(self, row: int, room: float) -> int:
        """Write the shortfalls of cheaper drives, as many as fit into the room, in points."""
        page = self.page
        rows = rejected_rows(self.choice, self.currency)
        most = int(room / LINE) - 2  # below two heads
        most -= len(rows) > most
        if not rows or most < 1:
            return row
        page.section(row, "Cheaper, and what each lacks, as computed on export", len(_WIDTHS))
        page.texts(row + 1, 0, ("Drive", "", "Layout"), "head")
        page.text(row + 1, 3, "Price or cost", "head value")
        page.texts(row + 1, 4, ("Lacks", "", "Needed", "Available"), "head note")
        for place, rejected in enumerate(rows[:most], start=row + 2):
            page.text(place, 0, str(rejected["Drive"]), "top")
            page.text(place, 2, str(rejected["Layout"]), "top")
            value = rejected["Objective"]
            page.fixed(place, 3, value if isinstance(value, float | str) else "", "capital_usd")
            for column, name in ((4, "Lacks"), (6, "Needed"), (7, "Available")):
                page.text(place, column, str(rejected[name]), "plan")
        row += 2 + min(len(rows), most)
        if len(rows) > most:
            page.text(row, 0, f"... and {len(rows) - most} more drives", "unit")
            row += 1
        return row

    def _worst(self) -> None:
        """Write the worst case of the recommended plan."""
        page, block, heading = self.page, self.layout["worst"], "Speed, worst case and safety"
        page.section(block.top, "Worst case of the recommendation, and waiting, live", len(_WIDTHS))
        titles = {
            "max_latency_s": "Longest latency of one drive",
            "worst_case_floor_iops": "IOPS, all drives in their worst moment",
            "array_loss_probability": loss_title(self.choice),
        }
        for key, title in titles.items():
            row, (formula, shown) = block.rows[key], self.best.of(heading, title)
            page.text(row, 0, title)
            page.live(row, 1, formula, shown, number_format("result", key))
            page.unit(row, 2, QUANTITIES[key].shown_in)
            page.tall(row, [(title, 37.0)])
        self._waiting(block.rows[WAITING])
        row = block.rows["array_loss_probability"]
        years = f"{self.checks.assumed.loss_horizon_s / YEAR_S:.4g} years"
        page.text(row, 3, f"within {years}; its inputs are", "plain")
        formula, shown = self.best.of(heading, "Inputs of the data loss")
        page.live(row, 6, formula, shown, "right")
        page.colour((row, 6, row, 6), f'{here(row, 6)}="{OUT_OF_DATE}"', "late")

    def _waiting(self, row: int) -> None:
        """Write the cost of waiting a quarter, by the trend of such prices, with its range."""
        page, prices = self.page, self.comparison.source.quotes.prices
        page.text(row, 0, "Buying a quarter later costs")
        price, capital = self.best.of("Price", "Extended price")
        taken = f"INDEX({prices.cells('taken')},{self.best.cell})"
        drive = self.choice.candidates[self.best.place].plan.drive
        change = waiting(price_kind(drive).segment, QUARTER_S)
        ends = (("later low", change.low), ("later", change.typical), ("later high", change.high))
        cells = [
            f"FIXED({price}*(INDEX({prices.cells(column)},{self.best.cell})/{taken}-1),0)"
            for column, _ in ends
        ]
        low, typical, high = cells
        words = f'{typical}&" "&{page.currency}&" ("&{low}&" to "&{high}&", {_TREND})"'
        now = ""
        if isinstance(capital, float | int):
            least, middle, most = (f"{capital * (factor - 1):,.0f}" for _, factor in ends)
            now = f"{middle} {self.currency} ({least} to {most}, {_TREND})"
        formula = f'IF({self.best.cell}=0,"",IF(ISNUMBER({price}),{words},""))'
        page.merge(row, 1, len(_WIDTHS) - 1)
        page.live(row, 1, formula, now, "text")
        page.define("waiting_costs", row, 1)

    def _approval(self, row: int) -> int:
        """Write the rows to sign, and return the row after them."""
        page = self.page
        page.section(row, "Approval", len(_WIDTHS))
        page.texts(row + 1, 0, ("", "Name", "", "Date", "", "Signature", "", ""), "head")
        for place, role in enumerate(_ROLES, start=row + 2):
            page.high(place, _SIGNATURE)
            page.text(place, 0, role)
            for column in range(1, len(_WIDTHS)):
                page.sheet.write_blank(place, column, None, page.styles["signature"])
        if self.project.prepared_by:
            page.text(row + 2, 1, self.project.prepared_by, "signature text")
        return row + 2 + len(_ROLES)
