"""`choose` for scripts: the drives, number, layout and spare area that meet every requirement."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from models.errors import DomainError
from planner.application import Application
from planner.catalogue import load
from planner.catalogue.classes import classes
from planner.catalogue.drive import Drive, with_user_facts
from planner.catalogue.quotes import merged, table_contents
from planner.export.choice_tables import cost_text, named_plan, needs_line, price_text
from planner.export.quote_text import quote_lines, quotes_line
from planner.graph.number import Number
from planner.script.drives import drive
from planner.script.inputs import (
    application_of,
    drives_of,
    is_measured,
    is_several,
    notes_of,
    texts_of,
    written,
)
from planner.script.plans import Plan
from planner.search import choose as _choose
from planner.search.choose import Objective
from planner.search.choose.request import CHOICE, choice_request, quotes_of

if TYPE_CHECKING:
    import pandas as pd

TRIED = ("drives", "raid", "spare", "sets")  # inputs of which several values are tried


@dataclass(frozen=True, eq=False, repr=False)
class ChosenPlans:
    """Plans that meet every requirement, the cheapest first."""

    record: _choose.Choice
    application: Application | None = None

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plans, the cheapest first."""
        return tuple(Plan(one.plan) for one in self.record.candidates)

    def __len__(self) -> int:
        return len(self.record.candidates)

    def __getitem__(self, place: int) -> Plan:
        """Return a plan by its place in the order; the first costs the least."""
        return self.plans[place]

    def __iter__(self) -> Iterator[Plan]:
        return iter(self.plans)

    @property
    def best(self) -> Plan | None:
        """The first of the plans; None if nothing meets every requirement."""
        return next(iter(self.plans), None)

    @property
    def notes(self) -> tuple[str, ...]:
        """Outcome of each quote, assumptions and limits of validity."""
        quotes = (quotes_line(self.record), *quote_lines(self.record))
        return (*filter(None, quotes), *notes_of(self.application), *self.record.notes)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per plan; the column names contain the units."""
        import pandas as pd  # noqa: PLC0415 - a choice needs none of it

        return pd.DataFrame([_row(one) for one in self.record.candidates])

    def __repr__(self) -> str:
        return f"{self._head}\n  {needs_line(self.record)}"

    def _repr_html_(self) -> str:
        table = self.to_frame().to_html(index=False)
        return f"<p>{escape(self._head)}</p>{table}"

    @property
    def _head(self) -> str:
        best, objective = self.record.best, self.record.objective
        if best is None:
            return "No plan meets every requirement"
        least = price_text(best) if objective is Objective.PRICE else cost_text(self.record, best)
        return f"Lowest {objective}, {least}: {named_plan(best)}"


def choose(
    among: Iterable[Drive | str] | Drive | None = None,
    *,
    prices: Mapping[str, float] | None = None,
    catalogue: Iterable[str | Path] = (),
    with_classes: bool = False,
    minimise: Literal["price", "cost"] = "cost",
    top: int = 10,
    **inputs: Any,
) -> ChosenPlans:
    """Return the plans that meet every requirement at the lowest cost of owning, or price.

    Inputs are those of the command `choose`: the requirements (`usable`, `iops`, `life`, `max_loss`
    ...), the workload, and the counts, layouts and spare areas to try (`drives`, `raid`, `spare`,
    `sets`): one, a list, or a text such as "4-12".
    `among` are the drives to try, by default the whole catalogue; `prices` replace those of the
    catalogue, by drive name. `catalogue` are tables of quotes and drives of one's own, which take
    part besides; with `among=()` they alone. `with_classes` adds classes that stand for any drive,
    at the price of the class. With `app` the writes are those of an application, as
    for `plan`.

    >>> choice = choose(["845DC PRO 400"], usable="4 TB", writes="4 TB/day", raid="5,10")
    >>> choice
    Lowest cost of owning, 12,100 (7,188 to 22,000) USD: Samsung 845DC PRO 400 GB, 20 in RAID 10
      192 configurations, 100 possible, 23 meet all needs that are quick to check
    >>> choice.best.usable
    4 TB
    """
    application, inputs = application_of(inputs)
    listed = {name: _listed(name, value) for name, value in inputs.items()}
    texts = texts_of(listed, CHOICE, "a choice")
    known = [*load().drives.values()] if among is None else [*map(drive, drives_of(among))]
    prices_usd = {drive(name).drive_id: price for name, price in (prices or {}).items()}
    priced = (
        with_user_facts(one, price_usd=prices_usd[one.drive_id])
        if one.drive_id in prices_usd
        else one
        for one in known
    )
    tables = table_contents(catalogue)
    quotes = quotes_of(tables, texts)
    own = (*quotes.drives, *(classes() if with_classes else ()))
    request = choice_request(
        merged(priced, own), minimise=minimise, is_named=among is not None,
        quotes=quotes if tables else None, **texts,
    )  # fmt: skip
    return ChosenPlans(_choose.choose(**request, top=top), application)


def _listed(name: str, value: Any) -> Any:
    """Write several values to try as one text."""
    if name not in TRIED or is_measured(value) or not is_several(value):
        return value
    if not (texts := [str(written(name, each)) for each in value]):
        raise DomainError(f"{name} must have at least one value to try, got none")
    return ",".join(texts)


def _row(one: _choose.Candidate) -> dict[str, Any]:
    plan, array = one.plan, one.plan.array
    values = {
        "total_price_usd": plan["total_price_usd"],
        "npv_usd": one.ownership["npv_usd"],
        "usable_bytes": plan["usable_bytes"],
        "array_iops": one.queue.iops,
        "worst_case_floor_iops": plan["worst_case_floor_iops"],
        "endurance_life_s": plan["endurance_life_s"],
        "array_loss_probability": one.data_loss["array_loss_probability"],
    }
    numbers = [Number(answer.value, key) for key, answer in values.items()]
    return {
        "drive": one.plan.drive.name,
        "drives": array.members,
        "raid": array.name,
        "sets": array.sets,
        "spare [%]": 100 * (1 - one.plan.partition_fraction),
        **{f"{number.label} [{number.unit}]": float(number) for number in numbers},
    }
