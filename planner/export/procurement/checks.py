"""The sheet of checks: required and available amounts, red as soon as an edit breaks one."""

from collections.abc import Iterator, Sequence
from statistics import NormalDist

from xlsxwriter.utility import xl_rowcol_to_cell

from models.nomenclature import QUANTITIES
from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.layout import CHECKS, Layout
from planner.export.procurement.names import NEED_KEYS
from planner.export.procurement.needs import Available, available, holds, spare, spare_of
from planner.export.procurement.page import HOLDS, STALE, Page, absolute, here
from planner.export.procurement.refused import OF_ALL, OF_QUOTES, RefusedCells
from planner.export.procurement.sizing import SizingSheet
from planner.export.procurement.staleness import Exported
from planner.export.workbook.exported import EXPORT_AGAIN, OUT_OF_DATE, UP_TO_DATE
from planner.quantity.show import shown
from planner.scenario.array import Array, RaidLevel
from planner.search.choose import Choice, Met, Need
from planner.search.choose.question import FIELDS

_HEADS = ("Candidate", "Need", "Required", "There is", "Unit", "Holds", "Kind", "Inputs",
          "Computed from", "Margin [%]")  # fmt: skip
_WIDTHS = (38, 24, 15, 15, 13, 13, 9, 13, 250, 12)
_HOW = (
    "Red: an edit breaks what is required. Amber: a value that no formula follows was computed "
    "from inputs that have been edited since, so whether it holds is not known: export again."
)
_PRINTED = 8  # columns
_LIVES = ("wear_life_s", "rated_life_s")
_LOOK = "result 0.0000##"


class Checks:
    """Each need of each candidate, what must hold of the workbook, and inputs as exported."""

    def __init__(
        self, page: Page, assumed: Assumptions, sizing: SizingSheet, choice: Choice,
        layout: Layout, refused: RefusedCells,
    ) -> None:  # fmt: skip
        self.refused = refused
        self.page, self.assumed, self.sizing, self.choice = page, assumed, sizing, choice
        self.block, self.integrity = layout["checks"], layout["integrity"]
        self.needs = list(choice.requirements.needs)
        self.sure, self.end = layout["sure"], layout["sure"].top - 2
        self.exported = Exported(page, assumed, sizing, layout)

    def met(self, index: int, need: Need) -> Met:
        """Return the need as exported."""
        return next(one for one in self.choice.candidates[index].met if one.need is need)

    def needed(self, need: Need) -> tuple[str, float]:
        """Return the required amount: formula, and value as exported.

        A need over the planning horizon is as long as that, or longer where more was asked for.
        """
        requirements, name = self.choice.requirements, FIELDS[need]
        cell, value = self.assumed.cell(f"needed_{name}"), requirements.needs[need]
        if name in dict(requirements.over_years):
            cell = f"MAX({cell},{self.assumed.cell('horizon_s')})"
        return cell, float(shown(NEED_KEYS[need], value))

    def has(self, index: int, need: Need) -> Available:
        """Return the figure of a candidate that a need is about."""
        life = self.sure.cell("life", index) if self.sure.rows else ""
        return available(need, index, self.choice, self.sizing, self.assumed, life)

    def _count(self, index: int, column: str, what: str) -> str:
        rows = [(index, need) for need in self.needs]
        return f"COUNTIF({self.block.cells(column, rows)},{what})" if rows else "0"

    def held(self, index: int) -> tuple[str, int]:
        """Count the needs of a candidate that hold: formula, and number as exported."""
        held = sum(one.margin >= 1 - 1e-9 for one in self.choice.candidates[index].met)
        return self._count(index, "holds", "TRUE"), held

    def failed(self, index: int) -> tuple[str, int]:
        """Count the needs of a candidate that do not hold."""
        failed = sum(one.margin < 1 - 1e-9 for one in self.choice.candidates[index].met)
        return self._count(index, "holds", "FALSE"), failed

    def stale(self, index: int) -> tuple[str, int]:
        """Count the values of a candidate that are out of date: none as exported."""
        return self._count(index, "inputs", f'"{OUT_OF_DATE}"'), 0

    def failing(self, index: int) -> str:
        """Return the formula of the needs of a candidate that do not hold, in words."""
        named = "&".join(f'IF({self.block.cell((index, need), "holds")}=FALSE,", {need}","")'
                         for need in self.needs)  # fmt: skip
        return f"MID({named},3,250)" if named else '""'

    def nth(self, column: str, number: str, need: Need) -> str:
        """Return the formula of a cell of the check of a need, of the candidate of a number."""
        place = f"({number}-1)*{len(self.needs)}+{self.needs.index(need) + 1}"
        return f"INDEX({self.block.cells(column)},{place})"

    @property
    def broken(self) -> str:
        """The formula of how many checks do not hold."""
        column = self.block.columns["holds"]
        cells = f"{absolute(CHECKS, self.block.top + 1, column)}:{here(self.end, column)}"
        return f"COUNTIF({cells},FALSE)"

    def write(self, heads: Sequence[str], ranges: Sequence[str]) -> None:
        """Write every check; `ranges` must hold no error."""
        page, first, top = self.page, self.block.top + 1, self.block.top
        page.text(0, 0, "Checks", "title")
        page.text(1, 0, _HOW, "plain")
        page.text(2, 0, "What is required is edited on Assumptions.", "plain")
        page.texts(top, 0, _HEADS, "head")
        page.texts(top, 2, _HEADS[2:4], "head value")
        page.text(top, 4, _HEADS[4], "head note")
        page.texts(top, 5, _HEADS[5:8], "head centre")
        page.widths(_WIDTHS)
        for index, head in enumerate(heads):
            for need in self.needs:
                self._need(index, need, head)
        self._integrity(heads, ranges)
        if self.sure.rows:
            self._sure_lives(heads)
        self.refused.write(heads)
        self.exported.write(heads)
        self._colours(first, self.integrity.top - 2)
        page.finish(top, (first, 1))
        page.one_page(self.end, _PRINTED - 1, is_cut=True)

    def _colours(self, first: int, last: int) -> None:
        """Colour needs that hold or do not, and what is missing or out of date."""
        page, at = self.page, self.block.columns
        holds, inputs = (xl_rowcol_to_cell(first, at[each], col_abs=True)
                         for each in ("holds", "inputs"))  # fmt: skip
        page.colour((first, at["holds"], last, at["holds"]), f'{holds}="{EXPORT_AGAIN}"', "late")
        page.colours((first, at["holds"], self.end, at["holds"]), holds, HOLDS)
        page.mark_missing((first, at["has"], last, at["has"]))
        page.colours((first, at["inputs"], last, at["inputs"]), inputs, STALE)

    def _need(self, index: int, need: Need, head: str) -> None:
        page, key, name = self.page, NEED_KEYS[need], FIELDS[need]
        block, check = self.block, (index, need)
        page.text(*block.at(check, "candidate"), head)
        page.text(*block.at(check, "need"), self.title(need))
        page.unit(*block.at(check, "unit"), QUANTITIES[key].shown_in)
        page.quantity(*block.at(check, "needed"), key, *self.needed(need))
        has, met = self.has(index, need), self.met(index, need)
        note = "" if has.is_live else self.exported.note(index, has.inputs)
        own, needed = block.here(check, "has"), block.here(check, "needed")
        fits = holds(need, own, needed)
        if has.is_live:
            formula = self.refused.gated(index, has.formula)
            page.quantity(*block.at(check, "has"), key, formula, has.value)
            page.text(*block.at(check, "kind"), "live", "centre")
            page.text(*block.at(check, "inputs"), "", "centre")
            page.text(*block.at(check, "from"), "")
        else:
            page.fixed(*block.at(check, "has"), has.value, key)
            page.text(*block.at(check, "kind"), "value", "centre")
            state = self.exported.status(index, has.inputs)
            page.live(*block.at(check, "inputs"), state, UP_TO_DATE, "centre")
            page.text(*block.at(check, "from"), note, "note")
            late = self._late(index, need, has.inputs, fits)
            fits = f'IF({block.here(check, "inputs")}="{OUT_OF_DATE}",{late},{fits})'
        fits = self.refused.gated(index, fits)
        page.live(*block.at(check, "holds"), fits, met.margin >= 1 - 1e-9, "truth")
        page.live(*block.at(check, "spare"), spare(need, own, needed), spare_of(met), "spare")
        page.label(f"has_{name}", index, *block.at(check, "has"))
        page.label(f"holds_{name}", index, *block.at(check, "holds"))
        page.tall(block.rows[check], [(head, 38), (note, 248)])

    def _late(self, index: int, need: Need, inputs: Sequence[str], fits: str) -> str:
        """Return the formula of whether a value that is out of date still meets its need.

        A probability of loss is no higher over a shorter horizon, and all else as exported.
        """
        if need is not Need.LOSS or "horizon_s" not in inputs:
            return f'"{EXPORT_AGAIN}"'
        others = self.exported.status(index, [name for name in inputs if name != "horizon_s"])
        horizon = self.assumed.cell("horizon_s")
        shorter = f"{horizon}<={self.exported.shared.cell('horizon_s', 'exported')}"
        holds_still = f'AND({others}="{UP_TO_DATE}",{shorter},{fits})'
        return f'IF({holds_still},TRUE,"{EXPORT_AGAIN}")'

    def title(self, need: Need) -> str:
        """Return a need as people know it."""
        within = f" within {self.assumed.loss_horizon_s / 31536000:.4g} years"
        return f"{need}{within if need is Need.LOSS else ''}"

    def _integrity(self, heads: Sequence[str], ranges: Sequence[str]) -> None:
        """Write the conditions under which the numbers are valid."""
        page, block = self.page, self.integrity
        page.section(block.top, "Integrity", len(_HEADS))
        checks = [*self._of_candidates(heads), *self._of_book(ranges)]
        for (who, what, formula, value), row in zip(checks, block.rows.values(), strict=True):
            page.text(row, 0, who)
            page.text(row, 1, what)
            page.tall(row, [(who, 38), (what, 22)])
            page.live(row, self.block.columns["holds"], formula, value, "truth")

    def _of_candidates(self, heads: Sequence[str]) -> Iterator[tuple[str, str, str, bool]]:
        for index, candidate in enumerate(self.choice.candidates):
            formula = self._possible(index, candidate.plan.array)
            yield heads[index], "Number of drives is possible for the level", formula, True
            price = self.sizing.cell(index, "price_usd")
            known = candidate.plan.drive.value("price_usd") is not None
            yield heads[index], "Price is known", f"ISNUMBER({price})", known
            accepted = f"{self.refused.of(index + 1)}=0"
            yield heads[index], "Every typed cell is accepted", accepted, True

    def _possible(self, index: int, array: Array) -> str:
        """Return the test that drives make whole sets, each large enough."""
        working, sets = self.sizing.working(index), repr(array.sets)
        if array.parities and array.data_members is None:
            sets = self.sizing.cell(index, "sets")
        fewest = array.fewest_members
        step = "2" if array.level is RaidLevel.RAID10 else sets
        return (
            f"AND(ISNUMBER({working}),{working}=INT({working}),{working}>={fewest}*{sets},"
            f"MOD({working},{step})=0)"
        )

    def _of_book(self, ranges: Sequence[str]) -> Iterator[tuple[str, str, str, bool]]:
        horizon = self.assumed.cell("horizon_s")
        fits = f"AND({horizon}>0,{horizon}<={self.assumed.years})"
        yield "All", f"Planning horizon is within {self.assumed.years} years", fits, True
        others = "+".join(self.refused.of(owner) for owner in (OF_ALL, OF_QUOTES))
        yield "All", "Every other typed cell is accepted", f"{others}=0", True
        errors = "+".join(f"SUMPRODUCT(ISERROR({cells})*1)" for cells in ranges)
        yield "All", "No cell is in error", f"({errors})=0", True

    def _sure_lives(self, heads: Sequence[str]) -> None:
        """Write the margin that is needed for a sure life, and the life that is left of it."""
        page, block = self.page, self.sure
        page.section(block.top, "Life with the confidence required", 2 + len(heads))
        page.text(block.rows["margin"], 0, "Median over what is reached with this confidence")
        page.text(block.rows["life"], 0, "Life, sure")
        page.unit(block.rows["life"], 1, "years")
        for index, head in enumerate(heads):
            number = head.partition(".")[0]
            page.text(block.top + 1, block.columns[index], number, "head value")
            self._sure_life(index)

    def _sure_life(self, index: int) -> None:
        page, block = self.page, self.sure
        sd, sure = self.assumed.cell("life_log_sd"), self.assumed.cell("life_confidence")
        spread = self.choice.requirements.life_spread
        figure = NormalDist().inv_cdf(self.choice.requirements.figure_confidence)
        margin = f"EXP({sd}*(NORMSINV({sure}/100)-{figure!r}))"
        page.live(*block.at("margin", index), margin, spread, _LOOK)
        worn, rated = (self.sizing.cell(index, key) for key in _LIVES)
        unlimited = f'IF({worn}="never","never",{rated})'
        first = f"MIN({worn},{rated})/{block.cell('margin', index)}"
        body = f"IF(ISNUMBER({worn})+ISNUMBER({rated})>0,{first},{unlimited})"
        page.live(*block.at("life", index), body, self._sure_value(index, spread), "verdict")

    def _sure_value(self, index: int, spread: float) -> float | str:
        life = self.choice.candidates[index].plan["endurance_life_s"]
        if not life.is_known:
            return self.sizing.value(index, "rated_life_s")
        return "never" if life.value == float("inf") else shown(life.key, life.value) / spread
