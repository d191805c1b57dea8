"""The first sheet: what was required, what is recommended and why, and a block to sign."""

from collections.abc import Iterator, Sequence
from datetime import date

import planner
from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.catalogue.prices import priced_text
from planner.export.procurement.checks import Checks
from planner.export.procurement.comparison import Comparison
from planner.export.procurement.comparison_columns import Told
from planner.export.procurement.names import called, layout, needed_text
from planner.export.procurement.page import Page
from planner.export.procurement.project import Project
from planner.export.workbook.formats import number_format
from planner.quantity.show import text
from planner.scenario.growth import course_text
from planner.search.choose import Choice, Met, Rejected

__all__ = ["NAME", "Summary", "rejected_rows"]

NAME = "Summary"
_WIDTHS = (30, 18, 18, 18, 18, 18, 18, 18)
_MOST_REJECTED = 25
_ROLES = ("Prepared", "Reviewed", "Approved")
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
        rate = f"{text('host_bytes_per_s', load.host_bytes_per_s)} of host writes"
        reads = f"{text('read_fraction', load.read_fraction)} reads"
        size = text("transfer_bytes", load.transfer_bytes)
        lines.append(("Workload", ", ".join(part for part in (rate, course, reads, size) if part)))
        lines.append(("Price of the drive", priced_text(answer.drive)))
    for need, value in choice.requirements.needs.items():
        lines.append((str(need).capitalize() if str(need)[1].islower() else str(need),
                      needed_text(need, value, currency)))  # fmt: skip
    if choice.requirements.life_s is not None:
        lines.append(("Confidence of life", f"{100 * choice.requirements.life_confidence:.4g} %"))
    searched = (
        f"{choice.configurations:,} configurations for the least {choice.objective}; "
        f"{choice.possible:,} were possible, {choice.holding:,} meet all needs that are quick to "
        "check"
    )
    return [*lines, ("Searched", searched)]


def rejected_rows(choice: Choice, currency: str) -> list[dict[str, object]]:
    """Return what each cheaper drive lacks."""
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
    """The first page."""

    def __init__(self, page: Page, choice: Choice, project: Project, exported: date) -> None:
        self.page, self.choice, self.project, self.exported = page, choice, project, exported
        self.currency = choice.candidates[0].ownership.terms.currency

    def write(self, heads: Sequence[str], comparison: Comparison, checks: Checks) -> None:
        """Write from top to bottom."""
        page = self.page
        page.widths(_WIDTHS)
        page.text(0, 0, self.project.title or "SSD procurement", "title")
        row = self._project(2)
        row = self._recommendation(row + 1, comparison, checks)
        row = self._question(row + 1)
        row = self._alternatives(row + 1, heads, comparison)
        row = self._why(row + 1)
        row = self._approval(row + 1)
        page.sheet.set_h_pagebreaks([row])
        row = self._worst(row + 1, comparison)
        self._rejected(row + 1)
        page.finish(0, (1, 0))

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

    def _recommendation(self, row: int, comparison: Comparison, checks: Checks) -> int:
        page = self.page
        page.section(row, "Recommendation", len(_WIDTHS))
        page.sheet.merge_range(row + 1, 0, row + 1, len(_WIDTHS) - 1, "", page.styles["headline"])
        page.text(row + 1, 0, called(self.choice.candidates[0]), "headline")
        page.sheet.set_row(row + 1, 20)
        for place, (heading, title) in enumerate(_HEADLINES):
            at_row, column = row + 2 + 2 * (place // len(_WIDTHS)), place % len(_WIDTHS)
            self._headline(at_row, column, comparison, heading, title)
        row += 2 + 2 * ((len(_HEADLINES) - 1) // len(_WIDTHS) + 1)
        return self._state(row + 1, checks)

    def _headline(
        self, row: int, column: int, comparison: Comparison, heading: str, title: str
    ) -> None:
        page = self.page
        (own,) = (one for one in comparison.blocks[heading] if one.title == title)
        unit = QUANTITIES[own.style].shown_in if own.style in QUANTITIES else ""
        page.titled(row, column, title, unit, "note right")
        page.sheet.set_row(row, 30)
        value = own.tell(comparison.source, 0)[1] if own.tell else ""
        shown = value if isinstance(value, float | int | str) else ""
        page.live(row + 1, column, comparison.cell(heading, title, 0), shown,
                  number_format("result", own.style))  # fmt: skip

    def _state(self, row: int, checks: Checks) -> int:
        """Say whether every check still holds."""
        page = self.page
        page.text(row, 0, "Checks, all candidates")
        broken = checks.broken
        count = sum(one.margin < 1 - 1e-9 for each in self.choice.candidates for one in each.met)
        unknown = sum(one.plan.drive.value("price_usd") is None for one in self.choice.candidates)
        sentence = "all hold" if not count + unknown else f"{count + unknown} do not hold"
        formula = f'IF({broken}=0,"all hold",{broken}&" do not hold")'
        page.live(row, 1, formula, sentence, "right")
        page.define("checks_state", row, 1)
        page.colour((row, 1, row, 1), f'$B${row + 1}="all hold"', "good")
        page.colour((row, 1, row, 1), f'$B${row + 1}<>"all hold"', "bad")
        page.text(row, 2, "Values that edits have made out of date", "plain")
        stale = "+".join(checks.stale(index) for index in range(len(self.choice.candidates)))
        page.live(row, 5, stale, 0, "right")
        page.colour((row, 5, row, 5), f"$F${row + 1}>0", "late")
        return row + 1

    def _question(self, row: int) -> int:
        self.page.section(row, "Asked", len(_WIDTHS))
        lines = _asked(self.choice, self.currency)
        for place, (label, sentence) in enumerate(lines, start=row + 1):
            self._line(place, label, sentence)
        return row + 1 + len(lines)

    def _alternatives(self, row: int, heads: Sequence[str], comparison: Comparison) -> int:
        page = self.page
        page.section(row, "Alternatives, live", len(_WIDTHS))
        titles = ("Candidate", "", "", "Extended price", "Above the lowest",
                  "Net present cost", "Years to the first limit", "Pass or fail")  # fmt: skip
        page.texts(row + 1, 0, titles[:3], "head")
        page.texts(row + 1, 3, titles[3:], "head value")
        page.tall(row + 1, [(title, 15.0) for title in titles])
        for index, head in enumerate(heads):
            place = row + 2 + index
            page.sheet.merge_range(place, 0, place, 2, "", page.styles["label"])
            page.text(place, 0, head)
            for column, (heading, title, key, cell) in enumerate(
                self._of_alternative(index, comparison), start=3
            ):
                formula = cell[0] if heading == "" else comparison.cell(heading, title, index)
                shown = cell[1] if isinstance(cell[1], float | int | str) else ""
                page.live(place, column, formula, shown,
                          "right" if key == "" else number_format("cell", key))  # fmt: skip
        verdicts = (row + 2, 7, row + 1 + len(heads), 7)
        page.mark_missing((row + 2, 3, row + 1 + len(heads), 6))
        page.colour(verdicts, f'$H{row + 3}="pass"', "good")
        page.colour(verdicts, f'$H{row + 3}="fail"', "bad")
        return row + 2 + len(heads)

    def _of_alternative(
        self, index: int, comparison: Comparison
    ) -> Iterator[tuple[str, str, str, Told]]:
        source = comparison.source
        price, cost = (source.owned(index, key) for key in ("capital_usd", "npv_usd"))
        prices = [source.owned(place, "capital_usd")[1] for place in range(len(comparison.heads))]
        lowest = min((own for own in prices if isinstance(own, float | int)), default=0.0)
        above = price[1] - lowest if isinstance(price[1], float | int) else "missing"
        life = source.choice.candidates[index].plan.lifetime.years
        years: object = "missing" if life is None else "never" if life == float("inf") else life
        yield "Price", "Extended price", "capital_usd", price
        yield "Price", "Above the lowest", "capital_usd", ("", above)
        yield "Cost of owning", "Net present cost", "npv_usd", cost
        yield "", "", "wear_life_s", (source.sizing.cell(index, "first_life"), years)
        (verdict,) = (one for one in comparison.blocks["Verdict"] if one.kind == "verdict")
        cell = verdict.tell(source, index) if verdict.tell else ("", "")
        yield "Verdict", "Pass or fail", "", cell

    def _why(self, row: int) -> int:
        self.page.section(row, "Why, as computed on export", len(_WIDTHS))
        lines = list(self._reasons())
        for place, (label, sentence) in enumerate(lines, start=row + 1):
            self._line(place, label, sentence)
        return row + 1 + len(lines)

    def _reasons(self) -> Iterator[tuple[str, str]]:
        best = self.choice.candidates[0]
        if best.binding is not None:
            yield "Met with the least to spare", self._met(best.binding)
        short = self.choice.rejected_by.items()
        counted = ", ".join(f"{need} ({count:,})" for need, count in short)
        if counted:
            yield "Cheaper ones fall short of", f"{counted} configurations"
        saved = [one for one in self.choice.savings if one.saving]
        sentence = "; ".join(f"{one.need}: {one.saving:,.0f} {self.currency}" for one in saved)
        yield "A tenth less of a need saves", sentence or "nothing, of any need"

    def _met(self, met: Met) -> str:
        needed, has = (needed_text(met.need, value, self.currency)
                       for value in (met.needed, met.available))  # fmt: skip
        return f"{met.need}: {needed} needed, {has} available"

    def _rejected(self, row: int) -> int:
        page = self.page
        rows = rejected_rows(self.choice, self.currency)
        if not rows:
            return row
        page.section(row, "Cheaper, and what each lacks, as computed on export", len(_WIDTHS))
        page.texts(row + 1, 0, ("Drive", "", "Layout"), "head")
        page.text(row + 1, 3, "Price or cost", "head value")
        page.texts(row + 1, 4, ("Lacks", "", "Needed", "Available"), "head note")
        for place, rejected in enumerate(rows[:_MOST_REJECTED], start=row + 2):
            page.text(place, 0, str(rejected["Drive"]), "top")
            page.text(place, 2, str(rejected["Layout"]), "top")
            value = rejected["Objective"]
            page.fixed(place, 3, value if isinstance(value, float | str) else "", "capital_usd")
            for column, name in ((4, "Lacks"), (6, "Needed"), (7, "Available")):
                page.text(place, column, str(rejected[name]), "plan")
        row += 2 + min(len(rows), _MOST_REJECTED)
        if len(rows) > _MOST_REJECTED:
            page.text(row, 0, f"... and {len(rows) - _MOST_REJECTED} more drives", "unit")
            row += 1
        return row

    def _worst(self, row: int, comparison: Comparison) -> int:
        """Say what the recommended plan gives at its worst."""
        page = self.page
        page.section(row, "Worst case of the recommendation", len(_WIDTHS))
        titles = (
            ("Longest latency of one drive", "max_latency_s"),
            ("IOPS, all drives in their worst moment", "worst_case_floor_iops"),
        )
        for place, (title, key) in enumerate(titles, start=row + 1):
            cell = comparison.cell("Speed, worst case and safety", title, 0)
            page.text(place, 0, title)
            value = comparison.source.sized(0, key)[1]
            shown = value if isinstance(value, float | int | str) else ""
            page.live(place, 1, cell, shown, number_format("result", key))
            page.unit(place, 2, QUANTITIES[key].shown_in)
            page.tall(place, [(title, 28.0)])
        row += 1 + len(titles)
        lost = self.choice.candidates[0].data_loss
        years = f"{lost.risk.horizon_s / YEAR_S:.4g} years"
        page.text(row, 0, f"Data loss within {years}, value as exported")
        percent = None if not lost.total.is_known else 100 * float(lost.total.value)
        page.fixed(row, 1, "missing" if percent is None else percent, "array_loss_probability")
        page.unit(row, 2, "%")
        page.sheet.set_row(row, 30)
        return row + 1

    def _approval(self, row: int) -> int:
        page = self.page
        page.section(row, "Approval", len(_WIDTHS))
        page.texts(row + 1, 0, ("", "Name", "", "Date", "", "Signature", "", ""), "head")
        for place, role in enumerate(_ROLES, start=row + 2):
            page.sheet.set_row(place, 26)
            page.text(place, 0, role)
            for column in range(1, len(_WIDTHS)):
                page.sheet.write_blank(place, column, None, page.styles["signature"])
        if self.project.prepared_by:
            page.text(row + 2, 1, self.project.prepared_by, "signature text")
        return row + 2 + len(_ROLES)
