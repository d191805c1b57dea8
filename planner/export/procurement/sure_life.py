"""The life that is reached with the confidence asked for, as cells: one column per candidate."""

from collections.abc import Sequence

from models import confidence
from planner.export import growth_cells
from planner.export.cell_formulas import CELL_FORMULAS, NEVER
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.page import Page, absolute, base, guarded
from planner.export.procurement.sizing import Sizing
from planner.figures import Missing
from planner.optimiser import Candidate, Choice, Need
from planner.quantities import shown

__all__ = ["SureLife"]

_COURSE = ("growth_per_year", "phase_in_s")


class SureLife:
    """Rows of margin, sure write limit, helper cells and life."""

    def __init__(
        self, page: Page, assumed: Assumptions, sizing: Sizing, choice: Choice, first_row: int
    ) -> None:
        self.page, self.assumed, self.sizing, self.first_row = page, assumed, sizing, first_row
        self.candidates: Sequence[Candidate] = choice.candidates
        self.asked = choice.requirements
        self.names = self._inputs()
        self.helpers = growth_cells.helper_names("life", self.names) if self._has_course else []
        self.last_row = first_row + 4 + len(self.helpers)

    def _inputs(self) -> dict[str, None]:
        steps = [name for name in self.assumed.workload if name.startswith("step_")]
        course = [name for name in _COURSE if name in self.assumed.workload]
        return dict.fromkeys(("limit_bytes", "host_bytes_per_s", *course, *steps))

    @property
    def _has_course(self) -> bool:
        return growth_cells.has_course(growth_cells.GROWING, self.names)

    def cell(self, index: int) -> str:
        """Return the cell of the sure life of a candidate, in years."""
        return absolute(self.page.name, self.last_row, 2 + index)

    def _here(self, row: int, index: int) -> str:
        return absolute(self.page.name, row, 2 + index)

    def write(self, heads: Sequence[str]) -> None:
        """Write the rows."""
        page, row = self.page, self.first_row
        page.section(row, "Life with the confidence asked", 2 + len(heads))
        labels = ("Median over what is reached with this confidence", "Writes to each drive, sure",
                  *self.helpers, "Life, sure")  # fmt: skip
        units = ("", "TB", *[""] * len(self.helpers), "years")
        for place, (label, unit) in enumerate(zip(labels, units, strict=True), start=row + 2):
            page.text(place, 0, label)
            page.unit(place, 1, unit)
        for index, head in enumerate(heads):
            page.text(row + 1, 2 + index, head.partition(".")[0], "head value")
            self._column(index)

    def _column(self, index: int) -> None:
        page, row = self.page, self.first_row + 2
        spread = confidence.margin_needed(self.asked.life_confidence, log_sd=self.asked.life_log_sd)
        sd, sure = self.assumed.cell("life_log_sd"), self.assumed.cell("life_confidence")
        look = "result 0.0000##"
        page.live(row, 2 + index, f"EXP({sd}*NORMSINV({sure}/100))", spread, look)
        limit = self.sizing.cell(index, "host_limit_bytes")
        answer = self.candidates[index].plan.lifetime.host_limit_bytes
        known = None if isinstance(answer, Missing) else float(answer.value) / spread
        told = self.sizing.value(index, "host_limit_bytes")
        sure_limit = guarded(f"{limit}/{self._here(row, index)}", limit)
        page.live(row + 1, 2 + index, sure_limit, told if known is None else known / 1e12, look)
        self._life(index, known, told)

    def _life(self, index: int, limit_bytes: float | None, told: float | str) -> None:
        page, row = self.page, self.first_row + 4
        limit = self._here(self.first_row + 3, index)
        refs = {
            "limit_bytes": f"({limit}*1000000000000)",
            "host_bytes_per_s": base(
                self.sizing.cell(index, "member_bytes_per_s"), "member_bytes_per_s"
            ),
        } | {name: base(self.assumed.cell(name), name) for name in list(self.names)[2:]}
        cells = [self._here(row + place, index) for place in range(len(self.helpers))]
        if self._has_course:
            never, body = growth_cells.life(refs, cells)
            formulas = growth_cells.helpers(refs, cells)
        else:
            never = NEVER[growth_cells.GROWING].format(**refs)
            body, formulas = CELL_FORMULAS[growth_cells.GROWING].format(**refs), []
        life = self._value(index)
        cached = self._cached(index, limit_bytes, life, told)
        for place, formula in enumerate(formulas):
            page.live(row + place, 2 + index, f"IF(ISTEXT({limit}),{limit},{formula})",
                      cached[place], "result 0.0000##")  # fmt: skip
        whole = f'IF(ISTEXT({limit}),{limit},IF({never},"never",({body})/31536000))'
        shown_life = told if life is None else "never" if life == float("inf") else life
        page.live(self.last_row, 2 + index, whole, shown_life, "verdict")

    def _value(self, index: int) -> float | None:
        """Return the sure life in years as exported."""
        met = {one.need: one for one in self.candidates[index].met}[Need.LIFE]
        return None if met.available is None else float(shown("wear_life_s", met.available))

    def _cached(
        self, index: int, limit_bytes: float | None, life: float | None, told: float | str
    ) -> Sequence[float | str]:
        if limit_bytes is None or life is None or not self.helpers:
            return [told] * len(self.helpers)
        answer = self.candidates[index].plan
        node = answer.lifetime.required_dwpd
        rate = node.inputs["host_bytes_per_s"].value  # type: ignore[union-attr]
        values = {"limit_bytes": limit_bytes, "host_bytes_per_s": rate}
        for name in list(self.names)[2:]:
            values[name] = self.sizing.fillings[index].value(name) or 0.0
        return growth_cells.cached(values, life * 31536000)
