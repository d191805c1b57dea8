"""The sheet of assumptions: what every candidate shares, once, as named cells to be edited."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from models.nomenclature import QUANTITIES
from planner.catalogue.priors_failures import AFR, AFR_GROUND, SPREAD, SPREAD_GROUND
from planner.export.procurement.layout import Block
from planner.export.procurement.names import NEED_KEYS, asks_sure_life
from planner.export.procurement.page import Page, accepted, here
from planner.export.procurement.quote_lines import currencies
from planner.export.workbook.formats import number_format
from planner.export.workbook.input_rules import rule_of, validation
from planner.export.workbook.live import LivePlan
from planner.export.workbook.plan_inputs import InputKind, group, kind, said_once
from planner.export.workbook.typed_cells import ANY_DATE, ANY_TEXT, Rule
from planner.export.workbook.typed_writes import (
    FROM_0,
    IN_ONE,
    TYPED,
    UNITS,
    WRITES,
    converted,
    number_of,
    unit_of,
    unit_rows,
    unit_rule,
    unit_validation,
)
from planner.graph.answer import Answer, given
from planner.quantity.show import shown
from planner.scenario.risk import Risk
from planner.scenario.terms import LEVELS, NODE_PRICE, Terms, assumed_terms
from planner.scenario.workload import Workload
from planner.search.choose import Choice, Need
from planner.search.choose.question import FIELDS

MOST_YEARS = 15
TYPED_WRITES = "writes"  # the cell of their number
_UNITS_ROW, _UNITS_COLUMN = 5, 7  # of the first unit, beside the page that is printed
OWN = "partition_fraction"  # of the workload, yet different from candidate to candidate
_ABOVE_0 = ("{x}>0", "> 0")
_CHANCE = ("{x}>0,{x}<=100", "above 0, at most 100")
_FROM_0 = ("{x}>=0", ">= 0")
_SHARE = ("{x}>=0,{x}<=100", "from 0 to 100")
_INSIDE = ("{x}>0,{x}<100", "above 0 and below 100")
_HEADS = ("Quantity", "Value", "Unit", "Source", "Name of the cell", "Note")
_WIDTHS = (42, 14, 14, 16, 28, 250)
_PRINTED = 4  # columns: names of cells and notes are for the screen


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionEntry:
    """One cell to be edited: its name, its value in the unit shown, and its accepted values."""

    name: str
    label: str
    unit: str
    value: float | str | date | None
    key: str = ""
    rule: Rule | None = None
    source: str = ""
    note: str = ""
    formula: str = ""
    is_open: bool = True


Sections = Mapping[str, Sequence[AssumptionEntry]]


def sections_of(choice: Choice, live: Sequence[LivePlan], exported: date, years: int) -> Sections:
    """Return the assumptions by heading; horizons reach to so many years."""
    first = choice.candidates[0]
    terms = first.ownership.terms
    return _following(
        {
            "Text": _texts(terms, exported),
            "Workload": [*_typed_writes(first.plan.workload), *_workload(live)],
            "What is required": list(_needs(choice)),
            "Owning": list(_owning(terms, years)),
            "Energy and carbon": list(_energy(terms)),
            "Failures and wear": list(_failures(first.data_loss.risk)),
        },
        choice,
    )


class Assumptions:
    """Assumed numbers and their cells."""

    def __init__(self, choice: Choice, sections: Sections, block: Block, years: int) -> None:
        first = choice.candidates[0]
        self.writes_unit = unit_of(first.plan.workload)
        self.terms, self.risk = first.ownership.terms, first.data_loss.risk
        self.loss_horizon_s = self.risk.horizon_s
        self.sections, self.block, self.years = sections, block, years
        self.numbers = numbers_of(sections)
        self.entries = {entry.name: entry for each in sections.values() for entry in each}

    def cell(self, name: str) -> str:
        """Return the cell of an assumption as other sheets know it."""
        return self.block.cell(name, "value")

    @property
    def workload(self) -> dict[str, str]:
        """The cells of the workload by quantity."""
        return {entry.name: self.cell(entry.name) for entry in self.sections["Workload"]
                if entry.key}  # fmt: skip

    def write(self, page: Page) -> None:
        """Write the sheet."""
        page.text(0, 0, "Assumptions", "title")
        page.text(1, 0, "Change the blue cells on yellow; every sheet follows at once.", "plain")
        page.text(2, 0, "Needs and values that cannot follow turn amber on Checks.", "plain")
        page.texts(4, 0, _HEADS, "head")
        page.widths(_WIDTHS)
        for heading in self.sections:
            page.section(self.block.rows["heading", heading], heading, len(_HEADS))
        local = {name: f"B{self.block.rows[name] + 1}" for name in self.entries}
        for name, entry in self.entries.items():
            self._entry(page, self.block.rows[name], entry, local)
        self._writes(page)
        page.finish(4, (5, 2))
        page.one_page(self.block.last, _PRINTED - 1, is_cut=True)

    def _entry(
        self, page: Page, row: int, entry: AssumptionEntry, local: Mapping[str, str]
    ) -> None:
        page.text(row, 0, entry.label)
        page.unit(row, 2, entry.unit)
        page.text(row, 3, entry.source, "note")
        page.text(row, 4, entry.name, "note")
        page.text(row, 5, entry.note, "note")
        page.define(entry.name, row, 1)
        page.tall(row, [(entry.label, 42), (entry.note, 248), (entry.source, 14)])
        _value(page, row, entry)
        if entry.is_open:
            self._judged(page, row, entry, local)

    def _writes(self, page: Page) -> None:
        """Write the unit of the writes, the rate in it, and the units that there are."""
        row, head = self.block.rows[TYPED_WRITES], _UNITS_ROW - 1
        page.texts(head, _UNITS_COLUMN, ("Unit", IN_ONE), "head")
        for place, (unit, factor) in enumerate(unit_rows(), start=_UNITS_ROW):
            page.text(place, _UNITS_COLUMN, unit, "unit")
            page.sheet.write_number(place, _UNITS_COLUMN + 1, factor, page.styles["cell 0.0000##"])
        names, factors = (
            f"{page.at(_UNITS_ROW, column)}:{here(_UNITS_ROW + len(UNITS) - 1, column)}"
            for column in (_UNITS_COLUMN, _UNITS_COLUMN + 1)
        )
        page.text(row, 2, self.writes_unit, "open text")
        page.define(f"{TYPED_WRITES}_unit", row, 2)
        page.sheet.data_validation(row, 2, row, 2, unit_validation(names))
        page.judge(row, 2, unit_rule(names), f"{TYPED}, their unit", is_text=True)
        rate = converted(page.at(row, 1), page.at(row, 2), names, factors)
        page.quantity(self.block.rows[WRITES], 1, WRITES, rate, self.numbers[WRITES])

    def _judged(
        self, page: Page, row: int, entry: AssumptionEntry, local: Mapping[str, str]
    ) -> None:
        """Give a cell its rule, in the program and on Checks."""
        rule, is_text = entry.rule, isinstance(entry.value, str)
        if rule is not None:
            words = accepted(local[entry.name], rule, entry.label)
            page.sheet.data_validation(row, 1, row, 1, words)
        elif entry.key:
            page.sheet.data_validation(row, 1, row, 1, validation(entry.name, local))
            rule = rule_of(entry.name, {name: self.cell(name) for name in self.entries})
        else:
            rule = ANY_TEXT if is_text else ANY_DATE
        page.judge(row, 1, rule, entry.label, is_text=is_text, may_be_empty=entry.value is None)


def numbers_of(sections: Sections) -> dict[str, float | None]:
    """Return the value of each cell of a number as exported."""
    return {
        entry.name: entry.value
        for entries in sections.values()
        for entry in entries
        if entry.key and (entry.value is None or isinstance(entry.value, float | int))
    }


def _following(sections: Sections, choice: Choice) -> Sections:
    """Let prices that are assumed in USD follow the rate of the workbook's currency."""
    here = choice.candidates[0].ownership.terms.currency
    rates = currencies(choice)
    if rates[here] == 1:
        return sections
    rate = f"rate_{list(rates).index(here) + 1}"

    def followed(entry: AssumptionEntry) -> AssumptionEntry:
        term = assumed_terms().get(entry.name)
        if term is None or "USD" not in entry.unit or not isinstance(entry.value, float):
            return entry
        usd = float(shown(entry.name, term.typical))
        is_assumed = abs(entry.value * rates[here] - usd) <= 1e-9 * usd
        return replace(entry, formula=f"{usd!r}/{rate}") if is_assumed else entry

    return {
        heading: [followed(entry) for entry in entries] for heading, entries in sections.items()
    }


def _value(page: Page, row: int, entry: AssumptionEntry) -> None:
    sheet, styles = page.sheet, page.styles
    style = styles[number_format("input", entry.key)]
    if isinstance(entry.value, date):
        sheet.write_datetime(row, 1, entry.value, styles["open day"])
    elif isinstance(entry.value, str):
        sheet.write_string(row, 1, entry.value, styles["open text"])
    elif entry.formula:
        sheet.write_formula(row, 1, f"={entry.formula}", style, entry.value)
    else:
        sheet.write(row, 1, entry.value, style)


def _texts(terms: Terms, exported: date) -> list[AssumptionEntry]:
    return [
        AssumptionEntry(
            name="currency", label="Currency of every price", unit="", value=terms.currency,
            source="user", note="A name for heads of columns, ISO 4217 by custom; nothing is "
            "converted.",
        ),
        AssumptionEntry(
            name="start_date", label="First day of service", unit="date", value=exported,
            source="day of export", note="Dates of replacement count from here.",
        ),
    ]  # fmt: skip


def _typed_writes(workload: Workload) -> Iterator[AssumptionEntry]:
    yield AssumptionEntry(
        name=TYPED_WRITES, label=TYPED, unit="", value=number_of(workload), rule=FROM_0,
        source="user", note=f"As typed: {workload.writes_typed}" if workload.writes_typed else
        "Type a number here, and choose its unit in the next cell.",
    )  # fmt: skip


def _workload(live: Sequence[LivePlan]) -> Iterator[AssumptionEntry]:
    """Yield the inputs that all candidates share."""
    first = live[0]
    for key in dict.fromkeys(key for own in live for key in own.keys):
        node = next((found for own in live if (found := own.given(key))), None)
        if node is None or key == OWN or group(key, node) != "Inputs: workload":
            continue
        if kind(key, first, first) is InputKind.OPEN and not np.ndim(node.value):
            entry = _entry(key, node)
            if key == WRITES:
                note = "The writes above, converted: every sheet computes with these."
                entry = replace(entry, note=note, is_open=False)
            yield entry


def _entry(key: str, node: Answer, *, name: str = "", rule: Rule | None = None) -> AssumptionEntry:
    quantity = QUANTITIES[key]
    value = None if not node.is_known else float(shown(key, node.value))
    return AssumptionEntry(
        name=name or key,
        label=quantity.label,
        unit=quantity.shown_in,
        value=value,
        key=key,
        rule=rule,
        source=node.source if node.is_given else "",
        note=said_once(key, node.note if node.is_given else "") or quantity.meaning,
    )


def _needs(choice: Choice) -> Iterator[AssumptionEntry]:
    requirements = choice.requirements
    for need, value in requirements.needs.items():
        node = given(NEED_KEYS[need], value, source="user", note=f"Asked: {need}.")
        rule = _CHANCE if need is Need.LOSS else _ABOVE_0
        entry = _entry(NEED_KEYS[need], node, name=f"needed_{FIELDS[need]}", rule=rule)
        least_s = dict(requirements.over_years).get(FIELDS[need])
        if least_s is not None:
            note = f"Asked: {need} for the planning horizon, and for so long at the least."
            own = float(shown(NEED_KEYS[need], least_s)) if least_s else None
            entry = replace(entry, value=own, note=note)
        longer = "" if least_s is None else ", where longer than the horizon"
        yield replace(entry, label=f"Asked: {need}{longer}")
    if asks_sure_life(requirements):
        yield AssumptionEntry(
            name="life_confidence", label="Asked: confidence of life", unit="%", key="pue",
            value=100 * requirements.life_confidence, rule=_INSIDE, source="user",
            note="Probability with which the life required is reached.",
        )  # fmt: skip
        yield AssumptionEntry(
            name="life_log_sd", label="Spread of the logarithm of life", unit="1", key="pue",
            value=requirements.life_log_sd, rule=("{x}>=0", ">= 0"), source="assumption",
            note="Assumed: the logarithm of life is normal about the planner's figure.",
        )  # fmt: skip


def _told(
    key: str, value: float | None, rule: Rule, *, source: str = "user", note: str = ""
) -> AssumptionEntry:
    return _entry(key, given(key, value, source=source, note=note), rule=rule)


def _owning(terms: Terms, years: int) -> Iterator[AssumptionEntry]:
    within = f"{{x}}>0,{{x}}<={years}", f"above 0, at most {years} years"
    yield _told("horizon_s", terms.horizon_s, within)
    for name in ("discount_rate", "slot_usd_per_year", NODE_PRICE, "labour_usd"):
        yield _entry(name, terms.known(name), rule=_FROM_0)
    yield _told("spare_drives", terms.spare_drives, ("{x}>=0,{x}=INT({x})", "a whole number >= 0"))
    yield _told("residual_fraction", terms.residual_fraction, _SHARE)
    note = "Empty: the maximum IOPS of the drives."
    yield _told("qos_iops", terms.qos_iops, _ABOVE_0, note=note)


def _energy(terms: Terms) -> Iterator[AssumptionEntry]:
    yield _entry("energy_usd_per_j", terms.known("energy_usd_per_j"), rule=_FROM_0)
    yield _entry("pue", terms.known("pue"), rule=("{x}>=1", ">= 1"))
    for name in ("embodied_kg_per_byte", "grid_kg_per_j"):
        for level in LEVELS:
            yield _entry(f"{level}_{name}", terms.interval(name)[level], rule=_FROM_0)


def _failures(risk: Risk) -> Iterator[AssumptionEntry]:
    below_all = "{x}>=0,{x}<100", "from 0 to below 100"
    if risk.afr_fraction is None:
        yield _told("afr_fraction", AFR, below_all, source="assumption", note=AFR_GROUND)
    else:
        yield _told("afr_fraction", risk.afr_fraction, below_all)
    note, most = SPREAD_GROUND if risk.life_cv == SPREAD else "", "above 0, at most 15"
    yield _told("life_cv", risk.life_cv, ("{x}>0,{x}<=15", most), source="assumption", note=note)
    yield _told("replaced_fraction", risk.replaced_fraction, _ABOVE_0)
