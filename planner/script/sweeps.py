"""`sweep` and `compare` for scripts: several values of inputs, a row for each plan."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.application import Application
from planner.catalogue.drive import Drive
from planner.catalogue.names import LookupFailed
from planner.graph.number import Number
from planner.graph.read import Reader
from planner.graph.reading import Reading
from planner.quantity.input import rate
from planner.quantity.inputs import FACTS, INPUTS, PLAN
from planner.quantity.units import FACTORS
from planner.script.inputs import (
    application_of,
    check_names,
    drives_of,
    is_blank,
    is_measured,
    is_several,
    planned,
    written,
)
from planner.script.plans import FIRST_OF
from planner.search.commits import on_drive
from planner.search.uncertainty.inputs import with_values
from planner.sections import stated_writes
from planner.sections.answers import ANSWERS, OF_PLAN
from planner.sections.plan import PlanReading
from planner.sections.prices import PRICED
from planner.sections.ranges import UncertainReading

if TYPE_CHECKING:
    import pandas as pd

Numbers = Mapping[str, Any]
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "life": FIRST_OF["life_s"],
    "endurance": FIRST_OF["endurance_life_s"],
    **{row.name: (row.key,) for row in ANSWERS if row.name and row.section in OF_PLAN},
}
_NAMES = (*PLAN, *FACTS, *PRICED)
_SAME = 1e-9


def sweep(
    drive: "Drive | str | Iterable[Drive | str] | pd.DataFrame | None" = None, /, **inputs: Any
) -> "pd.DataFrame":
    """Plan every combination of the values that inputs have, or the rows of a frame.

    Any input of `plan` may have several values: a list, an array, or (array, unit). A frame has a
    column for each input that varies, `drive` among them. The columns of the result are the inputs,
    then answers by the names that they have as attributes of a plan, each with its ends `_low` and
    `_high` over the assumed facts; `attrs["units"]` has their units. An input that has the name of
    an answer, such as `price`, is `input_price`. A combination that is refused
    has its reason in the column `refused`, and no numbers. Numbers that enter the formulas as they
    are, such as writes, spare area or reads, are computed together.

    >>> frame = sweep("840 EVO 250", writes=["20 GB/day", "40 GB/day"], spare=[0, 0.1])
    >>> frame[["writes", "spare", "wear"]].round(1).values.tolist()
    [['20 GB/day', 0.0, 17.6], ['20 GB/day', 0.1, 25.8], ['40 GB/day', 0.0, 9.0], \
['40 GB/day', 0.1, 13.3]]
    >>> frame.attrs["units"]["wear"]
    'years'
    """
    import pandas as pd  # noqa: PLC0415 - a plan needs none of it

    application, of_plan = application_of(inputs)
    points, fixed = _points(drive, of_plan)
    numbers = {
        f"{name}{end}": np.full(len(points), np.nan)
        for name in COLUMNS
        for end in ("", "_low", "_high")
    }
    refused = np.full(len(points), "", object)
    together = [name for name in points.columns if _is_number(name)]
    cells = points.to_numpy(object)
    for group in _groups(points.drop(columns=together)):
        rows = [
            {
                name: cell
                for name, cell in zip(points.columns, row, strict=True)
                if name == "drive" or not is_blank(cell)
            }
            for row in cells[group]
        ]
        own = _load_on(rows[0].get("drive"), application, inputs)
        for place, found in zip(group, _planned(rows, fixed | own, together), strict=True):
            if isinstance(found, str):
                refused[place] = found
                continue
            for name, value in found.items():
                numbers[name][place] = value
    given = {f"input_{name}" if name in numbers else name: points[name] for name in points.columns}
    if "drive" in given:
        given["drive"] = given["drive"].map(lambda each: getattr(each, "name", each))
    frame = pd.DataFrame({**given, **numbers}, index=points.index)
    if any(refused):
        frame["refused"] = refused
    frame.attrs["units"] = {
        name: QUANTITIES[keys[0]].shown_in for name, keys in COLUMNS.items()
    }  # fmt: skip
    return frame


def compare(drives: Iterable[Drive | str], /, **inputs: Any) -> "pd.DataFrame":
    """Plan several drives under one load; a row for each drive, by name.

    >>> compare(["870 EVO 1TB", "840 EVO 250"], writes="30 GB/day")["rating"].round(1).tolist()
    [54.8, 6.4]
    """
    frame = sweep(drives, **inputs)
    if "drive" not in frame:
        raise DomainError("drives must be named: a list of them, or a column drive of the frame")
    return frame.set_index("drive")


def _points(drives: Any, inputs: Mapping[str, Any]) -> tuple["pd.DataFrame", dict[str, Any]]:
    """Return the points as a frame of the inputs that vary, and the inputs that do not."""
    import pandas as pd  # noqa: PLC0415 - as above

    check_names(inputs, _NAMES, "a sweep")
    several = {
        name: _values(value) for name, value in inputs.items()
        if is_several(value) and not INPUTS[name].is_repeatable
    }  # fmt: skip
    fixed = {name: value for name, value in inputs.items() if name not in several}
    if isinstance(drives, pd.DataFrame):
        check_names(drives.columns, ("drive", *_NAMES), "a sweep")
        for name in drives.columns[drives.columns.duplicated()]:
            raise DomainError(f"{name} must be one column of the frame, got several")
        if both := [name for name in drives if name in inputs]:
            raise DomainError(f"{both[0]} is a column of the frame: leave it out")
        if several:
            raise DomainError(f"{next(iter(several))} must be a column of the frame, or one value")
        return drives, fixed
    axes: dict[str, Sequence[Any]] = {} if drives is None else {"drive": drives_of(drives)}
    axes |= several
    rows = list(product(*axes.values()))
    columns = {name: _column([row[axis] for row in rows]) for axis, name in enumerate(axes)}
    return pd.DataFrame(columns, index=range(len(rows))), fixed


def _load_on(
    drive: Any, application: Application | None, inputs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the load of an application by the flush time of a drive, without what is stated."""
    if application is None or not application.asks_flush_s or is_blank(drive):
        return {}
    with suppress(DomainError, LookupFailed):
        load = on_drive(application, drive).plan_inputs
        return {name: text for name, text in load.items() if name not in inputs}
    return {}


def _column(values: list[Any]) -> Any:
    """Return the values of an input as a column in which numbers keep their units."""
    import pandas as pd  # noqa: PLC0415 - as above

    return pd.Series(values, dtype=object) if any(map(_has_unit, values)) else values


def _has_unit(value: Any) -> bool:
    return isinstance(value, Number)


def _groups(apart: "pd.DataFrame") -> Iterable[Any]:
    """Return the places of points that differ in numbers alone."""
    if apart.columns.empty:
        return [np.arange(len(apart))]
    keys = apart.map(lambda cell: "" if is_blank(cell) else str(cell))
    places = keys.groupby(list(keys.columns), sort=False).indices
    return [np.sort(each) for each in places.values()]


def _values(value: Any) -> list[Any]:
    if is_measured(value):
        return [(each, value[1]) for each in np.ravel(value[0]).tolist()]
    return np.ravel(value).tolist() if isinstance(value, np.ndarray) else list(value)


def _is_number(name: str) -> bool:
    """Whether an input enters the formulas as it is."""
    return name in INPUTS and INPUTS[name].may_vary


def _planned(
    rows: Sequence[Mapping[Any, Any]], fixed: Mapping[str, Any], together: Sequence[str]
) -> list[Numbers | str]:
    """Return the numbers of each row, or why it is refused; at best from one reading of all."""
    inputs = [{**fixed, **row} for row in rows]
    if len(rows) > 1:
        with suppress(DomainError, LookupFailed):
            if found := _at_once(inputs, together):
                return [
                    {name: each[place] for name, each in found.items()}
                    for place in range(len(rows))
                ]
    return [_alone(each) for each in inputs]


def _plan_of(inputs: Mapping[str, Any]) -> PlanReading:
    texts = {name: written(name, value) for name, value in inputs.items() if name != "drive"}
    drive = inputs.get("drive")
    if is_blank(drive) and "drive" in inputs:
        if "capacity" not in inputs:
            raise DomainError("drive must be named, or capacity be stated")
        drive = None
    return planned(drive, {name: each for name, each in texts.items() if each is not None})


def _alone(inputs: Mapping[str, Any]) -> Numbers | str:
    try:
        plan = _plan_of(inputs)
    except (DomainError, LookupFailed) as error:
        return str(error)
    return {name: each[0] for name, each in _numbers(plan, plan.reading, 1).items()}


def _is_rate_alone(value: Any) -> bool:
    """Whether the writes say nothing beside their rate, such as a range or an order."""
    return stated_writes.writes_of({"writes": written("writes", value)}).is_rate_alone


def _at_once(inputs: Sequence[Mapping[str, Any]], together: Sequence[str]) -> Numbers | None:
    """Read all points together; None where one reading would not be that of each."""
    first, last = (_plan_of(inputs[place]) for place in (0, -1))
    if any(each.keys() != inputs[0].keys() for each in inputs):  # a cell says nothing
        return None
    if first.structure != last.structure or first.drive.facts.keys() != last.drive.facts.keys():
        return None
    values = {}
    for name in together:
        row = INPUTS[name]
        if row.read is rate and not all(_is_rate_alone(each[name]) for each in inputs):
            return None
        numbers = np.array([row.value(written(name, each[name])) for each in inputs], float)
        values[row.field] = 1 - numbers if name == "spare" else numbers
    if any(np.isnan(each).any() for each in values.values()):  # DWPD of a capacity
        return None
    several = with_values(first, {key: each[:, None] for key, each in values.items()})
    found, expected = _numbers(first, several.reading, len(inputs)), _numbers(last, last.reading, 1)
    is_same = all(
        np.isclose(each[-1], expected[name][0], rtol=_SAME, atol=0, equal_nan=True)
        for name, each in found.items()
    )
    return found if is_same else None


def _numbers(plan: PlanReading, reading: Reading, count: int) -> Numbers:
    """Return every column in shown units: typical values, and the ends of their ranges.

    Leaves that vary have a second axis, along which the uncertain facts vary.
    """
    uncertain, graph, found = UncertainReading(reading, plan.uncertain.every), reading.graph, {}
    reader = Reader(reading.values)
    for name, keys in COLUMNS.items():
        if any(key not in graph.answers for key in keys):
            continue
        nodes, factor = [graph.answers[key] for key in keys], FACTORS[QUANTITIES[keys[0]].shown_in]
        typical = reduce(np.fmin, reader.without_refused([reader.value(node) for node in nodes]))
        value = np.broadcast_to(typical, (count, 1))[:, 0]
        ends = uncertain.interval(keys[0], value, nodes)
        found[name] = value / factor
        found[f"{name}_low"] = np.asarray(ends.low) / factor
        found[f"{name}_high"] = np.asarray(ends.high) / factor
    return found
