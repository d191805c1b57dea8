"""The first sheet: what was required, what is recommended and why, and a block to sign."""

from collections.abc import Iterator
from datetime import date

import planner
from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.export.choice_tables import undecided_line
from planner.export.procurement.alternatives import Alternatives
from planner.export.procurement.checks import Checks
from planner.export.procurement.comparison import Comparison
from planner.export.procurement.comparison_columns import loss_title
from planner.export.procurement.names import layout, needed_text
from planner.export.procurement.page import LINE, PAGE_POINTS, Page
from planner.export.procurement.project import Project
from planner.export.procurement.ranking import BEYOND, OPEN, PASS
from planner.export.procurement.recommended import NO_PLAN, NONE, NeedsTable, Recommended
from planner.export.workbook.exported import OUT_OF_DATE, UP_TO_DATE
from planner.export.workbook.formats import number_format
from planner.quantity.show import text, writes_text
from planner.scenario.growth import course_text
from planner.search.choose import Choice, Rejected

NAME = "Summary"
_WIDTHS = (37.5, *[15.0] * 7)
_SIGNATURE = 26.0  # points of a row to sign in
_ROLES = ("Prepared", "Reviewed", "Approved")
_APPROVAL = 3 * LINE + len(_ROLES) * _SIGNATURE  # points, with the row before it
_HEADLINES = (
    ("Price", "Extended price"),
    ("Price", "Price per drive"),
    ("Capacity and endurance", "Usable capacity"),
    ("Capacity and endurance", "Price per usable TB"),
    ("Dates in years of service", "Warranty ends"),
    ("Dates in years of service", "Rated writes used up"),
    ("Dates in years of service", "Flash worn, typical"),
    ("Cost of owning", "Net present cost"),
)


def _asked(choice: Choice, currency: str) -> list[tuple[str, str]]:
    """Return the question: workload, then needs."""
    answer = choice.candidates[0].plan if choice.candidates else None
    lines = []
    if answer is not None:
        load = answer.workload
        course = course_text(load)
        rate = f"{writes_text(load.host_bytes_per_s)} of host writes"
        reads = f"{text('read_fraction', load.read_fraction)} reads"
        size = text("transfer_bytes", load.transfer_bytes)
        lines.append(("Workload", ", ".join(part for part in (rate, course, reads, size) if part)))
    required = choice.requirements
    needs = [f"{need} {needed_text(need, value, currency)}"
             for need, value in required.needs.items()]  # fmt: skip
    if required.life_s is not None:
        needs.append(f"confidence of life {100 * required.life_confidence:.4g} %")
    lines.append(("Needs", "; ".join(needs)))
    searched = (
        f"{choice.configurations:,} configurations for the least {choice.objective}; "
        f"{choice.possible:,} were possible, {choice.holding:,} meet all needs that are quick to "
        "check"
    )
    order = "prices that are ranges count at their typical figure, against a budget at the dearer"
    ranked = f"the least {choice.objective} first; {order}. {undecided_line(choice)}".rstrip()
    return [*lines, ("Searched", searched), ("Order", ranked)]


def rejected_rows(choice: Choice, currency: str) -> list[dict[str, object]]:
    """Return the shortfalls of each cheaper drive."""
    return [_rejected(row, currency) for row in choice.rejected]


def _rejected(row: Rejected, currency: str) -> dict[str, object]:
    lacks = row.lacks
    return {
        "Drive": row.drive.name,
        "Layout": layout(row.array) if row.array else "any",
        "Objective": "unknown" if row.objective is None else row.objective,
        "Lacks": "a price" if row.array is None else str(lacks.need),
        "Needed": "" if row.array is None else needed_text(lacks.need, lacks.needed, currency),
        "Available": needed_text(lacks.need, lacks.available, currency),
        "Configurations": row.configurations,
    }


class Summary:
    """The first two pages: the decision, and what it rests on."""

    def __init__(
        self,
        page: Page,
        choice: Choice,
        project: Project,
        exported: date,
        comparison: Comparison,
        checks: Checks,
    ) -> None:
        self.page, self.choice, self.project, self.exported = page, choice, project, exported
        self.comparison, self.checks = comparison, checks
        self.currency = choice.candidates[0].ownership.terms.currency
        self.best = Recommended(page, comparison)

    def write(self) -> None:
        """Write from top to bottom."""
        page = self.page
        page.widths(_WIDTHS)
        page.text(0, 0, self.project.title or "SSD procurement", "title")
        row = self._project(2) + 1
        needs = NeedsTable(page, self.choice, self.checks, self.best, row + 8)
        every = Alternatives(page, self.choice, self.best, needs.last_row + 2)
        self._recommendation(row, every)
        needs.write()
        row = every.write()
        row = self._question(row + 1)
        row = self._why(row + 1)
        row = self._worst(row + 1)
        row = self._rejected(row + 1, PAGE_POINTS - page.points(0, 1)
                             - page.points(every.reasons_row, row + 1) - _APPROVAL)  # fmt: skip
        self._approval(row + 1)
        page.finish(0, (1, 0))
        page.break_before(every.reasons_row)

    def _line(self, row: int, label: str, sentence: str) -> None:
        page = self.page
        page.text(row, 0, label)
        page.sheet.merge_range(row, 1, row, len(_WIDTHS) - 1, "", page.styles["text"])
        page.text(row, 1, sentence, "text")
        page.tall(row, [(sentence, float(sum(_WIDTHS[1:])))])

    def _project(self, row: int) -> int:
        lines = [(label, sentence) for label, sentence in self.project.lines[1:] if sentence]
        for place, (label, sentence) in enumerate(lines, start=row):
            self._line(place, label, sentence)
        row += len(lines)
        page = self.page
        page.text(row, 0, "Exported on")
        page.sheet.write_datetime(row, 1, self.exported, page.styles["date"])
        page.text(row, 2, f"by version {planner.__version__} of the planner", "plain")
        page.text(row + 1, 0, "Currency of every price")
        page.live(row + 1, 1, page.currency, self.currency, "label")
        return row + 2

    def _recommendation(self, row: int, every: Alternatives) -> None:
        """Name the candidate that is the least of those that meet every need, with its figures."""
        page, best = self.page, self.best
        page.section(row, "Recommendation", len(_WIDTHS))
        page.sheet.merge_range(row + 1, 0, row + 1, len(_WIDTHS) - 1, "", page.styles["headline"])
        name = every.names[best.place] if best.number else NONE
        formula = f'IF({best.cell}=0,"{NONE}",INDEX({every.cells},{best.cell}))'
        page.live(row + 1, 0, formula, name, "headline")
        page.define("recommendation", row + 1, 0)
        page.high(row + 1, 20)
        for column, (heading, title) in enumerate(_HEADLINES):
            self._headline(row + 2, column, heading, title)
        self._state(row + 5)

    def _headline(self, row: int, column: int, heading: str, title: str) -> None:
        page = self.page
        (own,) = (one for one in self.comparison.blocks[heading] if one.title == title)
        unit = QUANTITIES[own.style].shown_in if own.style in QUANTITIES else ""
        page.titled(row, column, title, unit, "note right")
        page.high(row, 30)
        formula, shown = self.best.of(heading, title)
        page.live(row + 1, column, formula, shown, number_format("result", own.style))

    def _state(self, row: int) -> None:
        """Write the recommended candidate, its verdict, and the values that are out of date."""
        page, best, count = self.page, self.best, len(self.choice.candidates)
        page.text(row, 0, "Number of the candidate")
        page.live(row, 1, best.formula, best.number, "right")
        page.define("recommended", row, 1)
        page.sheet.merge_range(row, 2, row, len(_WIDTHS) - 1, "", page.styles["text"])
        page.live(row, 2, best.standing(), best.standing_now, "text")
        page.define("standing", row, 2)
        verdict = best.of("Verdict", "Pass or fail")[0]
        here = f"$C${row + 1}"
        for words, style in ((PASS, "good"), (OPEN, "late"), (BEYOND, "late")):
            page.colour((row, 2, row, 2), f'{verdict}="{words}"', style)
        page.colour((row, 2, row, 2), f'{here}="{NO_PLAN}"', "bad")
        page.text(row + 1, 0, "Checks, all candidates")
        broken = self.checks.broken
        failed = sum(one.margin < 1 - 1e-9 for each in self.choice.candidates for one in each.met)
        failed += sum(one.plan.drive.value("price_usd") is None for one in self.choice.candidates)
        sentence = f"{failed} do not hold" if failed else "all hold"
        formula = f'IF({broken}=0,"all hold",{broken}&" do not hold")'
        page.live(row + 1, 1, formula, sentence, "right")
        page.define("checks_state", row + 1, 1)
        page.colour((row + 1, 1, row + 1, 1), f'$B${row + 2}="all hold"', "good")
        page.colour((row + 1, 1, row + 1, 1), f'$B${row + 2}<>"all hold"', "bad")
        page.text(row + 1, 2, "Values that edits have made out of date", "plain")
        stale = "+".join(self.checks.stale(index) for index in range(count))
        page.live(row + 1, 5, stale, 0, "right")
        page.define("values_out_of_date", row + 1, 5)
        page.colour((row + 1, 5, row + 1, 5), f"$F${row + 2}>0", "late")

    def _question(self, row: int) -> int:
        self.page.section(row, "Asked", len(_WIDTHS))
        lines = _asked(self.choice, self.currency)
        for place, (label, sentence) in enumerate(lines, start=row + 1):
            self._line(place, label, sentence)
        return row + 1 + len(lines)

    def _why(self, row: int) -> int:
        page = self.page
        page.section(row, "What asking less would save, and what others lack", len(_WIDTHS))
        page.text(row + 1, 0, "These are, as computed on export")
        page.live(row + 1, 1, self.checks.exported.every, UP_TO_DATE, "right")
        page.define("export_status", row + 1, 1)
        page.colour((row + 1, 1, row + 1, 1), f'$B${row + 2}="{OUT_OF_DATE}"', "late")
        lines = list(self._reasons())
        for place, (label, sentence) in enumerate(lines, start=row + 2):
            self._line(place, label, sentence)
        return row + 2 + len(lines)

    def _reasons(self) -> Iterator[tuple[str, str]]:
        short = self.choice.rejected_by.items()
        counted = ", ".join(f"{need} ({count:,})" for need, count in short)
        if counted:
            yield "Cheaper ones fall short of", f"{counted} configurations"
        saved = [one for one in self.choice.savings if one.saving]
        sentence = "; ".join(f"{one.need}: {one.saving:,.0f} {self.currency}" for one in saved)
        yield "A tenth less of a need saves", sentence or "nothing, of any need"

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

    def _worst(self, row: int) -> int:
        """Write the worst-case values of the recommended plan."""
        page, block = self.page, "Speed, worst case and safety"
        page.section(row, "Worst case of the recommendation, live", len(_WIDTHS))
        titles = (
            ("Longest latency of one drive", "max_latency_s"),
            ("IOPS, all drives in their worst moment", "worst_case_floor_iops"),
            (loss_title(self.choice), "array_loss_probability"),
        )
        for place, (title, key) in enumerate(titles, start=row + 1):
            formula, shown = self.best.of(block, title)
            page.text(place, 0, title)
            page.live(place, 1, formula, shown, number_format("result", key))
            page.unit(place, 2, QUANTITIES[key].shown_in)
            page.tall(place, [(title, 37.0)])
        last = row + len(titles)
        years = f"{self.checks.assumed.loss_horizon_s / YEAR_S:.4g} years"
        page.text(last, 3, f"within {years}; its inputs are", "plain")
        formula, shown = self.best.of(block, "Inputs of the data loss")
        page.live(last, 6, formula, shown, "right")
        page.colour((last, 6, last, 6), f'$G${last + 1}="{OUT_OF_DATE}"', "late")
        return last + 1

    def _approval(self, row: int) -> int:
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
