"""What candidates are compared by: columns of formulas that follow the other sheets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from models.nomenclature import QUANTITIES
from planner.export.procurement.checks import Checks
from planner.export.procurement.needs import depends_on
from planner.export.procurement.owning import OwningSheet
from planner.export.procurement.quotes import Quotes
from planner.export.procurement.ranking import Ranking
from planner.export.procurement.sizing import SizingSheet
from planner.export.workbook.exported import UP_TO_DATE
from planner.search.choose import Choice, Need

FIRST_ON_SCREEN = "Dates of the calendar"  # this block and those after it are not printed

_LONGEST = 500  # years: calendars end somewhere
_LATER = "over 500 years"

Shown = tuple[str, object]  # formula, and what it gives as exported


def _short(cell: str) -> str:
    """Return a number, or whether it is missing or never comes; what is missing is named there."""
    return f'IF(ISTEXT({cell}),IF({cell}="never",{cell},"missing"),{cell})'


def _shortened(value: float | str) -> float | str:
    return "missing" if isinstance(value, str) and value != "never" else value


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSource:
    """The sheets that a comparison draws on."""

    choice: Choice
    sizing: SizingSheet
    owning: OwningSheet
    checks: Checks
    quotes: Quotes

    @property
    def ranking(self) -> Ranking:
        """Verdict, score and rank."""
        return Ranking(self.choice, self.sizing, self.owning, self.checks)

    def sized(self, index: int, key: str) -> Shown:
        """Return a number of Sizing."""
        cell, value = self.sizing.cell(index, key), self.sizing.value(index, key)
        return f'IF({cell}="","missing",{_short(cell)})', _shortened(value)

    def owned(self, index: int, key: str) -> Shown:
        """Return what owning comes to."""
        value = self.owning.total_value(index, key)
        return _short(self.owning.total(index, key)), _shortened(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: title, unit, look, what a candidate has, and which way is better.

    `of` is the title of the column that ranks and differences are about.
    """

    title: str
    unit: str = ""
    style: str = ""
    figure: Callable[[ColumnSource, int], Shown] | None = None
    best: str = ""
    kind: str = ""
    of: str = ""


def _sized(title: str, key: str, best: str = "") -> Column:
    return Column(title=title, unit=QUANTITIES[key].shown_in, style=key, best=best,
                  figure=lambda source, index: source.sized(index, key))  # fmt: skip


def _owned(title: str, key: str, best: str = "") -> Column:
    return Column(title=title, unit=QUANTITIES[key].shown_in, style=key, best=best,
                  figure=lambda source, index: source.owned(index, key))  # fmt: skip


def _quantity(source: ColumnSource, index: int) -> Shown:
    owned = source.choice.candidates[index].ownership
    members = source.choice.candidates[index].plan.array.members
    spare = source.owning.assumed.cell("spare_drives")
    return f"{source.sizing.cell(index, 'members')}+{spare}", members + owned.terms.spare_drives


def _date(key: str) -> Callable[[ColumnSource, int], Shown]:
    """Return the calendar date of a life."""

    def figure(source: ColumnSource, index: int) -> Shown:
        cell, years = source.sizing.cell(index, key), source.sizing.value(index, key)
        start = source.owning.assumed.cell("start_date")
        body = f'IF({cell}>{_LONGEST},"{_LATER}",{start}+365*{cell})'
        text = f'IF({cell}="never",{cell},"missing")'
        formula = f'IF({cell}="","missing",IF(ISTEXT({cell}),{text},{body}))'
        return formula, _day(source, years)

    return figure


def _day(source: ColumnSource, years: float | str) -> object:
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


def _checked(need: Need) -> Callable[[ColumnSource, int], Shown]:
    """Return a value of the sheet of checks, marked by its kind there."""
    return lambda source, index: (
        source.checks.cell(index, need, 3), source.checks.has(index, need).value
    )  # fmt: skip


def loss_title(choice: Choice) -> str:
    """Name the loss of data: of clusters a lower bound, since network and nodes add to it."""
    least = ", at least" if choice.candidates[0].nodes is not None else ""
    return f"Data loss{least} (value, as exported)"


def _loss(source: ColumnSource, index: int) -> Shown:
    node = source.choice.candidates[index].data_loss["array_loss_probability"]
    return "", "missing" if not node.is_known else 100 * float(node.value)


def _held(source: ColumnSource, index: int) -> Shown:
    met = source.choice.candidates[index].met
    return source.checks.held(index), sum(one.margin >= 1 - 1e-9 for one in met)


def _failed(source: ColumnSource, index: int) -> Shown:
    met = source.choice.candidates[index].met
    return source.checks.failed(index), sum(one.margin < 1 - 1e-9 for one in met)


def _loss_state(source: ColumnSource, index: int) -> Shown:
    """Say whether the inputs of the loss of data are as exported."""
    checks, one = source.checks, source.choice.candidates[index]
    inputs = depends_on(Need.LOSS, one, source.sizing.inputs(index), checks.assumed)
    return checks.exported.status(index, inputs), UP_TO_DATE


def _stale(source: ColumnSource, index: int) -> Shown:
    return source.checks.stale(index), 0


def blocks(source: ColumnSource) -> Mapping[str, list[Column]]:
    """Return the columns of the comparison by block."""
    needs = source.checks.needs
    speed = [
        _sized("IOPS, deep queue", "budget_iops", "max"),
        *([Column(title="IOPS at the queue depth required (value)", unit="IOPS", style="array_iops",
                  figure=_checked(Need.IOPS))] if Need.IOPS in needs else []),
        _sized("Longest latency of one drive", "max_latency_s", "min"),
        _sized("IOPS, all drives in their worst moment", "worst_case_floor_iops", "max"),
        Column(title=loss_title(source.choice), unit="%", style="array_loss_probability",
               figure=_loss, kind="value"),
        Column(title="Inputs of the data loss", style="text", figure=_loss_state, kind="state"),
    ]  # fmt: skip
    return {
        "Price": [
            _sized("Drives", "members"),
            Column(title="Quantity with the shelf", style="members", figure=_quantity),
            _sized("Price per drive", "price_usd"),
            _owned("Extended price", "capital_usd", "min"),
            Column(title="Above the lowest", unit="USD", style="capital_usd", kind="delta",
                   of="Extended price"),
            Column(title="Above the lowest, share", unit="%", kind="share", of="Extended price"),
            Column(title="Rank by price", kind="rank", of="Extended price"),
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
            _sized("Flash worn, even wear", "wear_life_s", "max"),
            _sized("Flash worn, low", "low_wear_life_s"),
            _sized("Flash worn, typical", "typical_wear_life_s", "max"),
            _sized("Flash worn, high", "high_wear_life_s"),
            Column(title="First limit", style="text", figure=_first_limit),
        ],
        "Speed, worst case and safety": speed,
        "Cost of owning": [
            _owned("Net present cost", "npv_usd", "min"),
            _owned("Equivalent annual cost", "equivalent_usd_per_year", "min"),
            Column(title="Above the lowest", unit="USD", style="npv_usd", kind="delta",
                   of="Net present cost"),
            Column(title="Above the lowest, share", unit="%", kind="share", of="Net present cost"),
            Column(title="Rank by cost", kind="rank", of="Net present cost"),
            _owned("Per usable TB and year", "cost_per_usable_byte_year", "min"),
            _owned("Drives replaced", "horizon_replacements", "min"),
        ],
        "Verdict": [
            Column(title="Needs that hold", style="members", figure=_held),
            Column(title="Needs that fail", style="members", figure=_failed),
            Column(title="Pass or fail", style="text", kind="verdict",
                   figure=lambda source, index: source.ranking.verdict(index)),
            Column(title="Values out of date", style="members", figure=_stale, kind="stale"),
            Column(title=f"Ranked by {source.choice.objective}", style="score",
                   unit=QUANTITIES["npv_usd"].shown_in, kind="score",
                   figure=lambda source, index: source.ranking.score(index)),
            Column(title="Rank", style="text", kind="order",
                   of=f"Ranked by {source.choice.objective}"),
        ],
        FIRST_ON_SCREEN: [
            Column(title="Warranty ends", style="day", figure=_date("warranty_s")),
            Column(title="Rated writes used up", style="day", figure=_date("rated_life_s")),
            Column(title="Flash worn, low", style="day", figure=_date("low_wear_life_s")),
            Column(title="Flash worn, typical", style="day", figure=_date("typical_wear_life_s")),
            Column(title="Flash worn, high", style="day", figure=_date("high_wear_life_s")),
        ],
        "Energy and carbon": [
            _owned("Energy", "energy_j", "min"),
            _owned("Carbon, low", "low_carbon_kg"),
            _owned("Carbon, typical", "typical_carbon_kg", "min"),
            _owned("Carbon, high", "high_carbon_kg"),
        ],
    }  # fmt: skip
