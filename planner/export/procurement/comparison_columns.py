"""Columns by which candidates are compared: formulas that follow the other sheets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property

from models.nomenclature import QUANTITIES
from planner.export.procurement import price_ends
from planner.export.procurement.checks import Checks
from planner.export.procurement.layout import Layout
from planner.export.procurement.needs import depends_on
from planner.export.procurement.owning import OwningSheet
from planner.export.procurement.page import STALE, VERDICTS
from planner.export.procurement.price_ends import ENDS
from planner.export.procurement.quotes import Quotes
from planner.export.procurement.ranking import Ranking, scored
from planner.export.procurement.sizing import SizingSheet
from planner.export.workbook.exported import EXPORT_AGAIN, UP_TO_DATE
from planner.search.choose import Choice, Need

RANGES = "Ranges of 90 %, by the interval of the price"
SUMS = {
    "Price per drive": "price_usd",
    "Extended price": "capital_usd", "Price per usable TB": "price_per_usable_byte",
    "Net present cost": "npv_usd",
}  # fmt: skip
FIRST_ON_SCREEN = "Dates of the calendar"  # this block and those after it are not printed

_LONGEST = 500  # years: calendars end somewhere
_LATER = "over 500 years"

Shown = tuple[str, float | str]  # formula, and what it gives as exported


def _short(cell: str) -> str:
    """Return a number, or whether it is missing, never comes or needs an export."""
    known = f'IF(ISTEXT({cell}),IF({cell}="never",{cell},"missing"),{cell})'
    return f'IF(ISERROR({cell}),"{EXPORT_AGAIN}",{known})'


def _shortened(value: float | str) -> float | str:
    return "missing" if isinstance(value, str) and value != "never" else value


@dataclass(frozen=True, kw_only=True)
class ColumnSource:
    """The sheets that a comparison draws on, and where everything stands."""

    choice: Choice
    layout: Layout
    sizing: SizingSheet
    owning: OwningSheet
    checks: Checks
    quotes: Quotes

    @cached_property
    def ranking(self) -> Ranking:
        """Verdict, score and rank."""
        return Ranking(self.choice, self.layout, self.sizing, self.owning, self.checks)

    def sized(self, index: int, key: str) -> Shown:
        """Return a number of Sizing."""
        cell, value = self.sizing.cell(index, key), self.sizing.value(index, key)
        known = f'IF(ISERROR({cell}),FALSE,{cell}="")'
        return f'IF({known},"missing",{_short(cell)})', _shortened(value)

    def owned(self, index: int, key: str) -> Shown:
        """Return a total of owning."""
        value = self.owning.total_value(index, key)
        return _short(self.owning.total(index, key)), _shortened(value)


Figure = Callable[[ColumnSource, int], Shown]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: title, what a candidate has, look, unit, which way is better, and colours."""

    title: str
    figure: Figure
    style: str = ""
    unit: str = ""
    best: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)


def _sized(title: str, key: str, best: str = "") -> Column:
    return _of_key(title, key, best, lambda source, index: source.sized(index, key))


def _owned(title: str, key: str, best: str = "") -> Column:
    return _of_key(title, key, best, lambda source, index: source.owned(index, key))


def _of_key(title: str, key: str, best: str, figure: Figure) -> Column:
    return Column(title, figure, key, QUANTITIES[key].shown_in, best)


def _quantity(source: ColumnSource, index: int) -> Shown:
    owned = source.choice.candidates[index].ownership
    members = source.choice.candidates[index].plan.array.members
    spare = source.owning.assumed.cell("spare_drives")
    return f"{source.sizing.cell(index, 'members')}+{spare}", members + owned.terms.spare_drives


def _at_end(title: str, key: str, end: str) -> Column:
    """Return a sum at an end of the price."""

    def figure(source: ColumnSource, index: int) -> Shown:
        if key == "npv_usd":
            return price_ends.net_present(source.owning, source.quotes, index, end)
        if key == "capital_usd":
            base = source.owning.total(index, key), source.owning.total_value(index, key)
        else:
            base = source.sizing.cell(index, key), source.sizing.value(index, key)
        return price_ends.in_proportion(base, source.quotes, index, end)

    return _of_key(f"{title}, {end}", key, "", figure)


def _date(key: str) -> Figure:
    """Return the calendar date of a life."""

    def figure(source: ColumnSource, index: int) -> Shown:
        cell, years = source.sizing.cell(index, key), source.sizing.value(index, key)
        start = source.owning.assumed.cell("start_date")
        body = f'IF({cell}>{_LONGEST},"{_LATER}",{start}+365*{cell})'
        text = f'IF({cell}="never",{cell},"missing")'
        known = f'IF({cell}="","missing",IF(ISTEXT({cell}),{text},{body}))'
        formula = f'IF(ISERROR({cell}),"{EXPORT_AGAIN}",{known})'
        return formula, _day(source, years)

    return figure


def _day(source: ColumnSource, years: float | str) -> float | str:
    if isinstance(years, str):
        return _shortened(years)
    if years > _LONGEST:
        return _LATER
    start = source.owning.assumed.entries["start_date"].value
    if not isinstance(start, date):
        raise TypeError("the first day must be a date")
    return (start - date(1899, 12, 30)) / timedelta(days=1) + 365 * years


def _first_limit(source: ColumnSource, index: int) -> Shown:
    life = source.choice.candidates[index].plan.lives
    cell = source.sizing.cell(index, "first_limit")
    endless = life.years == float("inf") or (life.limit is None and life.known)
    return cell, "none" if endless else str(life.limit or "unknown")


def _checked(need: Need) -> Figure:
    """Return a value of the sheet of checks, marked by its kind there."""
    return lambda source, index: (
        source.checks.block.cell((index, need), "has"), source.checks.has(index, need).value
    )  # fmt: skip


def loss_title(choice: Choice) -> str:
    """Name the loss of data: of clusters a lower bound, since network and nodes add to it."""
    least = ", at least" if choice.candidates[0].nodes is not None else ""
    return f"Data loss{least} (value, as exported)"


def _loss(source: ColumnSource, index: int) -> Shown:
    node = source.choice.candidates[index].data_loss["array_loss_probability"]
    return "", "missing" if not node.is_known else 100 * float(node.value)


def _loss_state(source: ColumnSource, index: int) -> Shown:
    """Return the state of the inputs of the loss of data."""
    checks, one = source.checks, source.choice.candidates[index]
    inputs = depends_on(Need.LOSS, one, source.sizing.inputs[index], checks.assumed)
    return checks.exported.status(index, inputs), UP_TO_DATE


def _among(heading: str, base: Column, formula: str,
           value: Callable[[float, list[float]], float]) -> Figure:  # fmt: skip
    """Return a figure of the number {x} of a column beside {all} of it."""

    def figure(source: ColumnSource, index: int) -> Shown:
        block = source.layout[heading]
        every = [base.figure(source, other)[1] for other in block.rows]
        known = [each for each in every if isinstance(each, float | int)]
        own, here = every[index], block.here(index, base.title)
        text = formula.format(x=here, all=block.cells_here(base.title))
        now = value(own, known) if isinstance(own, float | int) else "missing"
        return f'IF(ISNUMBER({here}),{text},"missing")', now

    return figure


def _compared(heading: str, base: Column, rank: str) -> list[Column]:
    """Return a column, what lies above its lowest, and the rank."""
    above = _among(heading, base, "{x}-MIN({all})", lambda own, known: own - min(known))
    share = _among(heading, base, "({x}/MIN({all})-1)*100",
                   lambda own, known: 100 * (own / min(known) - 1))  # fmt: skip
    place = _among(heading, base, "RANK({x},{all},1)",
                   lambda own, known: 1 + sum(other < own for other in known))  # fmt: skip
    return [
        base,
        Column("Above the lowest", above, base.style, "USD"),
        Column("Above the lowest, share", share, unit="%"),
        Column(rank, place, "members"),
    ]


def _speed(choice: Choice) -> list[Column]:
    queued = _of_key("IOPS at the queue depth required (value)", "array_iops", "",
                     _checked(Need.IOPS))  # fmt: skip
    return [
        _sized("IOPS, deep queue", "budget_iops", "max"),
        *([queued] if Need.IOPS in choice.requirements.needs else []),
        _sized("Longest latency of one drive", "max_latency_s", "min"),
        _sized("IOPS, all drives in their worst moment", "worst_case_floor_iops", "max"),
        _of_key(loss_title(choice), "array_loss_probability", "", _loss),
        Column("Inputs of the data loss", _loss_state, "text", colours=STALE),
    ]


def columns_of(choice: Choice) -> dict[str, list[Column]]:
    """Return the columns of the comparison by heading."""
    cost = _owned("Net present cost", "npv_usd", "min")
    return {
        "Price": [
            _sized("Drives", "members"),
            Column("Quantity with the shelf", _quantity, "members"),
            _sized("Price per drive", "price_usd"),
            *_compared("Price", _owned("Extended price", "capital_usd", "min"), "Rank by price"),
        ],
        "Capacity and endurance": [
            _sized("Usable capacity", "usable_bytes", "max"),
            _sized("Price per usable TB", "price_per_usable_byte", "min"),
            _sized("Price per TB written", "price_per_written_byte", "min"),
            _sized("Drive writes a day needed", "required_dwpd"),
            _sized("Drive writes a day offered", "rated_dwpd", "max"),
            _sized("Write amplification", "workload_wa", "min"),
            _sized("Host writes to each drive until its limit", "host_limit_bytes", "max"),
        ],
        "Dates in years of service": [
            _sized("Warranty ends", "warranty_s"),
            _sized("Rated writes used up", "rated_life_s", "max"),
            _sized("Flash wear-out, even wear", "wear_life_s", "max"),
            _sized("Flash wear-out, low", "low_wear_life_s"),
            _sized("Flash wear-out, typical", "typical_wear_life_s", "max"),
            _sized("Flash wear-out, high", "high_wear_life_s"),
            Column("First limit", _first_limit, "text"),
        ],
        "Speed, worst case and safety": _speed(choice),
        "Cost of owning": [
            cost,
            _owned("Equivalent annual cost", "equivalent_usd_per_year", "min"),
            *_compared("Cost of owning", cost, "Rank by cost")[1:],
            _owned("Per usable TB and year", "cost_per_usable_byte_year", "min"),
            _owned("Drives replaced", "horizon_replacements", "min"),
        ],
        "Verdict": [
            Column("Needs that hold", lambda source, index: source.checks.held(index), "members"),
            Column("Needs that fail", lambda source, index: source.checks.failed(index), "members"),
            Column("Pass or fail", lambda source, index: source.ranking.verdict(index), "text",
                   colours=VERDICTS),
            Column("Values out of date", lambda source, index: source.checks.stale(index),
                   "members", colours={"{x}>0": "late"}),
            Column(scored(choice), lambda source, index: source.ranking.score(index), "score",
                   QUANTITIES["npv_usd"].shown_in),
            Column("Rank", lambda source, index: source.ranking.rank(index), "text"),
        ],
        FIRST_ON_SCREEN: [
            Column(title, _date(key), "day")
            for title, key in (
                ("Warranty ends", "warranty_s"), ("Rated writes used up", "rated_life_s"),
                ("Flash wear-out, low", "low_wear_life_s"),
                ("Flash wear-out, typical", "typical_wear_life_s"),
                ("Flash wear-out, high", "high_wear_life_s"),
            )
        ],
        RANGES: [_at_end(title, key, end) for title, key in SUMS.items() for end in ENDS],
        "Energy and carbon": [
            _owned("Energy", "energy_j", "min"),
            _owned("Carbon, low", "low_carbon_kg"),
            _owned("Carbon, typical", "typical_carbon_kg", "min"),
            _owned("Carbon, high", "high_carbon_kg"),
        ],
    }  # fmt: skip
