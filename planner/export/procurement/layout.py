"""Layout: one table of the blocks of every sheet, made before any is written.

A sheet writes a block at the rows and columns of its keys, and formulas of other sheets ask for
its cells by the same keys.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlsxwriter.utility import quote_sheetname

from planner.export.procurement.names import asks_sure_life
from planner.export.procurement.page import Area, absolute, here
from planner.search.choose import Choice, Need

SHEETS = (
    "Summary", "Comparison", "Quotes", "RFQ", "Sizing", "TCO by year", "Sensitivity",
    "Assumptions", "Sources", "Checks",
)  # fmt: skip
SUMMARY, COMPARISON, QUOTES, RFQ, SIZING, OWNING, SENSITIVITY, ASSUMPTIONS, _, CHECKS = SHEETS
REFUSED = ("refused_1", "refused_2", "refused_3")  # rows of cells that hold what none accepts
WORST = ("max_latency_s", "worst_case_floor_iops", "array_loss_probability")
WAITING = "waiting"
CHEAPER, SAVES = "Cheaper ones fall short of", "Savings if a requirement is relaxed by 10 %"
_MORE_RATES, _CHART_ROWS = 3, 19

Key = Any  # of a row or a column: a name, the number of a candidate, a need
Keys = Iterable[Key]


@dataclass(frozen=True, slots=True)
class Block:
    """A table on a sheet: the row of its first head, and a row or a column for each key."""

    sheet: str
    top: int
    rows: Mapping[Key, int]
    columns: Mapping[Key, int]

    @property
    def first(self) -> int:
        """The first row below the heads, that of the first head if there is none."""
        return min(self.rows.values(), default=self.top)

    @property
    def last(self) -> int:
        """The last row, that of the first head if there is none below."""
        return max(self.rows.values(), default=self.top)

    def at(self, row: Key, column: Key) -> tuple[int, int]:
        """Return the row and the column of a cell, to write it."""
        return self.rows[row], self.columns[column]

    def here(self, row: Key, column: Key) -> str:
        """Return a cell as its own sheet names it."""
        return here(self.rows[row], self.columns[column])

    def cell(self, row: Key, column: Key) -> str:
        """Return a cell as other sheets name it."""
        return absolute(self.sheet, self.rows[row], self.columns[column])

    def here_at(self, row: int, column: Key) -> str:
        """Return the cell of a column in a row of the sheet as its own sheet names it."""
        return here(row, self.columns[column])

    def cells_between(self, column: Key, first: int, last: int) -> str:
        """Return the cells of a column between rows of the sheet as other sheets name them."""
        ends = f"{self.here_at(first, column)}:{self.here_at(last, column)}"
        return f"{quote_sheetname(self.sheet)}!{ends}"

    def area(self, column: Key, last: Key | None = None) -> Area:
        """Return the corners of a column, or of columns side by side, below the heads."""
        end = column if last is None else last
        return self.first, self.columns[column], self.last, self.columns[end]

    def cells_here(self, column: Key, rows: Sequence[Key] = (), end: Key | None = None) -> str:
        """Return the cells of some rows as their own sheet names them, of all without any.

        They reach from `column` to the column `end`, if it is another.
        """
        places = [self.rows[row] for row in rows] or [self.first, self.last]
        last = self.columns[column if end is None else end]
        return f"{here(places[0], self.columns[column])}:{here(places[-1], last)}"

    def cells(self, column: Key, rows: Sequence[Key] = (), end: Key | None = None) -> str:
        """Return the cells of some rows as other sheets name them."""
        return f"{quote_sheetname(self.sheet)}!{self.cells_here(column, rows, end)}"


Layout = Mapping[str, Block]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A line of the table of blocks: rows of heads, keys of rows (None is an empty row), a gap.

    `columns` are keys side by side from the first column, or the place of each.
    """

    heads: int
    rows: Keys
    columns: Mapping[Key, int] | Sequence[Key] = ()
    gap: int = 1


def stacked(sheet: str, top: int, tables: Mapping[str, Table]) -> dict[str, Block]:
    """Place tables below each other.

    >>> stacked("A", 3, {"one": Table(heads=1, rows="xy"), "two": Table(heads=1, rows="z")})["two"]
    Block(sheet='A', top=7, rows={'z': 8}, columns={})
    """
    blocks = {}
    for name, table in tables.items():
        keys = list(table.rows)
        rows = {key: row for row, key in enumerate(keys, top + table.heads) if key is not None}
        places = table.columns
        if not isinstance(places, Mapping):
            places = {key: place for place, key in enumerate(places)}
        blocks[name] = Block(sheet, top, rows, places)
        top += table.heads + len(keys) + table.gap
    return blocks


def layout(
    choice: Choice, *, project: Keys, compared: Mapping[str, Keys], rates: Keys, lines: int,
    items: int, offered: Keys, sized: Mapping[str, int], swings: int, life_swings: int,
    assumed: Mapping[str, Sequence[str]], numbers: Keys, inputs: Keys,
) -> Layout:  # fmt: skip
    """Return every block by name, from the keys of their rows and columns."""
    everyone, needs = range(len(choice.candidates)), list(choice.requirements.needs)
    count = len(everyone)
    is_sure = asks_sure_life(choice.requirements)
    beside = {index: 2 + index for index in everyone}  # label and unit
    by_need = [(index, need) for index in everyone for need in needs]
    last_warranty = sorted(needs, key=lambda need: need is Need.WARRANTY)
    short = [CHEAPER] * bool(choice.rejected_by)
    exported = {("exported", index): 2 + index for index in everyone}
    unchanged = {("unchanged", index): 2 + count + index for index in everyone}
    return {
        **stacked(SUMMARY, 2, {
            "project": Table(heads=0, rows=(*project, "exported", "currency")),
            "recommendation": Table(
                heads=1,
                rows=("name", "title", "value", "between", None, "state", "checks", *REFUSED),
            ),
            "needs": Table(heads=2, rows=(*last_warranty, "least"),
                           columns=("need", "needed", "has", "unit", "holds", "spare")),
            "candidates": Table(heads=2, rows=everyone, gap=0, columns={
                "name": 0, "rank": 1, "price": 2, "price range": 3, "cost": 4, "cost range": 5,
                "life": 6, "verdict": 7,
            }),
            "reasons": Table(heads=1, rows=everyone, columns={"name": 0, "from": 2, "why": 5}),
            "asked": Table(heads=1, rows=("Workload", "Needs", "Searched", "Order")),
            "lacking": Table(heads=1, rows=("state", *short, SAVES)),
            "worst": Table(heads=1, rows=(*WORST, WAITING)),
        }),
        **stacked(COMPARISON, 3, {
            heading: Table(heads=2, rows=everyone, columns=("candidate", *titles))
            for heading, titles in compared.items()
        }),
        **stacked(QUOTES, 3, {
            "rates": Table(heads=2, rows=(*rates, *range(_MORE_RATES)), columns=("code", "usd")),
            "terms": Table(heads=1, rows=("vat_borne", "delivered_within", "order_day"), gap=2),
            "prices": Table(heads=2, rows=everyone, gap=3, columns={
                "name": 0, "exported": 1, "best": 2, "taken": 3, "from": 4, "days": 9, "low": 10,
                "high": 11, "later low": 12, "later": 13, "later high": 14,
            }),
            "lines": Table(heads=2, rows=range(lines), columns=(*offered, *everyone)),
        }),
        **stacked(RFQ, 8, {
            "items": Table(heads=2, rows=range(items)),
            "offers": Table(heads=2, rows=range(items)),
            "signature": Table(heads=0, rows=("Supplier", "Offer number", "Date and signature")),
        }),
        "sizing": Block(SIZING, 0, sized, beside),
        **stacked(SENSITIVITY, 8, {
            "npv_usd": Table(heads=1, rows=range(swings)),
            "wear_life_s": Table(heads=1, rows=range(life_swings)),
            "charts": Table(heads=0, rows=range(_CHART_ROWS), gap=0),
            "savings": Table(heads=2, rows=range(len(choice.savings))),
        }),
        **stacked(ASSUMPTIONS, 5, {"assumptions": Table(
            heads=0, columns={"value": 1},
            rows=[key for heading, names in assumed.items()
                  for key in (("heading", heading), *names, None)],
        )}),
        **stacked(CHECKS, 4, {
            "checks": Table(heads=1, rows=by_need, gap=2, columns=(
                "candidate", "need", "needed", "has", "unit", "holds", "kind", "inputs", "from",
                "spare",
            )),
            "integrity": Table(heads=1, rows=range(3 * count + 3), gap=2),
            "sure": Table(heads=1 + is_sure, rows=("margin", "life") * is_sure, columns=beside),
            "refused": Table(heads=1, rows=("count",), columns=beside, gap=2),
            "shared": Table(heads=2, rows=numbers, gap=3,
                            columns=("label", "exported", "unchanged")),
            "own": Table(heads=1, rows=inputs, columns=exported | unchanged, gap=2),
            "typed": Table(heads=2, rows=(), columns={
                "cell": 0, "accepted": 5, "owner": 6, "place": 7, "sentence": 8,
            }),
        }),
    }  # fmt: skip
