"""Inputs of scripts: names are checked, numbers need a unit where several are possible."""

import math
import warnings
from collections.abc import Iterable, Mapping
from datetime import timedelta
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import numpy as np

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.application import Application, answer_of, preset_of
from planner.catalogue.drive import Drive
from planner.graph.number import Number
from planner.quantity.input import (
    Input,
    flag,
    level,
    number,
    part,
    probability,
    quantity,
    rate,
    rate_range,
    share,
    time,
    whole,
)
from planner.quantity.inputs import DRIVE, INPUTS, renamed
from planner.quantity.parse import parse_quantity
from planner.quantity.show import by_inputs
from planner.quantity.units import FACTORS, units_of
from planner.quantity.writes import unambiguous
from planner.sections.plan import PlanReading
from planner.sections.request import plan_of

IMPLICIT_UNITS = ("1", "x", "cycles", "USD", "IOPS")  # not written in inputs
SEVERAL = "ssd.sweep takes several, a row for each"
ROUND_OFF = 1e-12  # by which a share may lie outside [0, 1]


def texts_of(inputs: Mapping[str, Any], names: Iterable[str], question: str) -> dict[str, Any]:
    """Return the stated inputs by current names, as texts.

    Warnings point to the caller of the function that calls this one.
    """
    names = tuple(names)
    texts, renames = renamed(inputs, names)
    for sentence in renames:
        warnings.warn(sentence, DeprecationWarning, stacklevel=3)
    check_names(texts, names, question)
    return {name: written(name, value) for name, value in texts.items() if value is not None}


def planned(drive: Drive | str | None, texts: Mapping[str, Any]) -> PlanReading:
    """Plan a drive; a refusal has the names of inputs, not those of arguments of formulas.

    >>> planned("845DC PRO 400", {"drives": "2", "raid": "5"})
    Traceback (most recent call last):
    models.errors.DomainError: drives must be >= 3 for RAID 5, got 2
    """
    check_drive(drive)
    if drive is None and not {"capacity", "capacity_bytes"} & texts.keys():
        raise DomainError("drive must be named, or capacity stated of one that is not listed")
    try:
        return plan_of(drive, **texts)
    except DomainError as error:
        raise DomainError(by_inputs(error)) from None


def check_drive(drive: Any) -> None:
    """Refuse a value other than a drive or its name; None is a drive of one's own.

    >>> check_drive(3)
    Traceback (most recent call last):
    models.errors.DomainError: drive must be a drive or the name of one, got 3
    """
    if drive is None or isinstance(drive, str | Drive):
        return
    if is_several(drive):
        raise DomainError("drive takes one value here; ssd.compare and ssd.sweep take several")
    raise DomainError(f"drive must be a drive or the name of one, got {drive!r}")


def drives_of(drives: Any) -> list[Any]:
    """Return one drive or several as a list.

    >>> drives_of("840 EVO 250"), drives_of(("840 EVO 250", "M500 120"))
    (['840 EVO 250'], ['840 EVO 250', 'M500 120'])
    """
    if is_several(drives):
        return list(drives)
    check_drive(drives)
    return [drives]


def check_names(inputs: Iterable[str], names: Iterable[str], question: str) -> None:
    """Refuse unknown input names, and suggest the input that may be meant.

    >>> check_names(["write"], ["writes", "reads"], "a plan")
    Traceback (most recent call last):
    models.errors.DomainError: write is not an input of a plan; did you mean writes?
    """
    known = list(names)
    for name in inputs:
        if name not in known:
            near = get_close_matches(str(name), known, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise DomainError(f"{name} is not an input of {question}{hint}")


def written(name: str, value: Any) -> Any:
    """Write an input as a text; refuse several values, and a number whose unit is not certain.

    >>> written("writes", (46, "MB/s")), written("reads", 0.7), written("drives", 8)
    ('3701.448440551758 GiB/day', '0.7', '8')
    >>> written("writes", 46e6)
    Traceback (most recent call last):
    models.errors.DomainError: writes must be with its unit: '50 GiB/day', or (4.6e+07, UNIT)
    """
    row = INPUTS.get(name)
    return value if row is None else written_as(row, value)


def written_as(row: Input, value: Any) -> Any:
    """Write the value of an input by its row; see `written`."""
    if isinstance(value, Number):
        unit = "" if value.unit in IMPLICIT_UNITS else f" {value.unit}"
        return _of_row(row, f"{float.__repr__(value)}{unit}")
    if isinstance(value, timedelta):
        value = (value.total_seconds(), "s")
    if is_measured(value):
        return _of_row(row, _in_unit(row, *value))
    if is_several(value):
        if row.is_repeatable:
            return value
        raise DomainError(f"{row.name} takes one value here; {SEVERAL}")
    if type(value).__module__.startswith("pandas") and is_blank(value):
        raise DomainError(f"{row.name} must be a value, got {value}: leave it out if not known")
    value = _as_python(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _plain(row, value) if is_number else value


def base_of(field: str, key: str, value: Any) -> float:
    """Return a number of a quantity in base units: a text with its unit, a Number, or a pair.

    >>> base_of("at_least", "wear_life_s", "2 years"), base_of("at_least", "wear_life_s", 2)
    (63072000.0, 63072000.0)
    """
    if isinstance(value, Number):
        return value.base
    if is_measured(value):
        value = f"{value[0]!r} {value[1]}"
    unit = QUANTITIES[key].shown_in
    if not isinstance(value, str) and unit not in (*IMPLICIT_UNITS, "years"):
        raise DomainError(f"{field} must be with its unit: '{value} {unit}'")
    return parse_quantity(key, str(value), field=field)


def is_measured(value: Any) -> bool:
    """Whether a value is a number, or an array, with its unit."""
    is_pair = isinstance(value, tuple) and len(value) == 2
    return is_pair and isinstance(value[1], str) and not isinstance(value[0], str)


def is_several(value: Any) -> bool:
    """Whether there are several values where one is usual."""
    if is_measured(value):
        return is_several(value[0])
    return not isinstance(value, str | Mapping) and np.iterable(value)


def is_blank(value: Any) -> bool:
    """Whether a cell of a frame is blank: None, NaN or NA."""
    import pandas as pd  # noqa: PLC0415 - a plan needs none of it

    return not is_several(value) and not isinstance(value, tuple) and pd.isna(value) is True


def _of_row(row: Input, text: str) -> str:
    """Write a rate so that its point cannot part thousands."""
    return unambiguous(text) if row.read in (rate, rate_range) else text


def _in_unit(row: Input, value: Any, unit: str) -> str:
    if is_several(value):
        raise DomainError(f"{row.name} takes one value here; {SEVERAL}")
    known = QUANTITIES.get(row.field)
    if known is None or unit not in units_of(known):
        return f"{float(value) if isinstance(value, Fraction) else value} {unit}"
    if row.shown_in in IMPLICIT_UNITS:
        return repr(float(value) * FACTORS[unit])
    return f"{float(value) * FACTORS[unit] / FACTORS[row.shown_in]!r} {row.shown_in}"


def _as_python(value: Any) -> Any:
    """Return a number of another type as a float or an int."""
    if isinstance(value, np.generic | np.ndarray):  # of no dimension
        return value.item()
    return float(value) if isinstance(value, Decimal | Fraction) else value


def _plain(row: Input, value: float) -> str:
    """Write a number without a unit, where no other unit is possible."""
    if math.isnan(value):
        raise DomainError(f"{row.name} must be a number, got NaN: leave it out if it is not known")
    if math.isinf(value):
        raise DomainError(f"{row.name} must be finite, got {value}")
    if row.read in (share, probability, part):
        return _share(row, float(value))
    if row.read in (whole, level, flag, number):
        return repr(value)
    if row.read is quantity and row.shown_in in IMPLICIT_UNITS:
        return repr(value)
    if row.read is time and row.shown_in == "years":  # as texts are read, too
        return f"{value!r} years"
    if row.shown_in == "1" or not value:  # a text of its own kind, or none in any unit
        return str(value)
    raise DomainError(f"{row.name} must be with its unit: {_example(row)!r}, or ({value:g}, UNIT)")


def _example(row: Input) -> str:
    """Return an example of an input with its unit."""
    example = row.default or row.example or "1"
    return f"{example} {row.shown_in}" if example.replace(".", "").isdigit() else example


def _share(row: Input, value: float) -> str:
    """Write a share as a fraction; refuse what may be percent or a fraction."""
    name, most = row.name, row.bounds.most
    if most > 1:
        if value > 1 + ROUND_OFF:
            raise DomainError(f"{name} must be a text: '{100 * value:g}%' or '{value:g}%'?")
        return repr(value)
    if value >= 2 and value == int(value):
        raise DomainError(f"{name} must be in [0, 1] or a text: write '{value:g}%'")
    if not -ROUND_OFF <= value <= 1 + ROUND_OFF:
        raise DomainError(f"{name} must be in [0, 1] or a text such as '70%', got {value!r}")
    return repr(min(max(value, 0.0), 1.0))


def application_of(
    inputs: Mapping[str, Any], drive: Drive | str | None = None
) -> tuple[Application | None, dict[str, Any]]:
    """Return the load of the application `app`, if one is named, and the inputs with its writes.

    `app` is a preset, or a list of several, of which NAME=PRESET names one; `app_inputs` are their
    inputs by name, in base units, those of several by NAME.INPUT or in a mapping for each NAME;
    `on` are layers below. Commits share flushes by the flush time of the drive, if there is one.
    """
    left = dict(inputs)
    apps, stated = left.pop("app", None), left.pop("app_inputs", None) or {}
    on = left.pop("on", None) or ()
    if apps is None:
        for name, value in (("app_inputs", stated), ("on", on)):
            if value:
                verb = "apply" if name == "app_inputs" else "applies"
                raise DomainError(f"{name} {verb} to an application: app names it")
        return None, left
    for name in left.keys() & {"writes", "writes_between", "client"}:
        raise DomainError(f"{name} follows from the application here: leave it out")
    answer = applications(apps, stated, on)
    answer.refuse_copies(left)
    if answer.asks_flush_s and (drive is not None or "capacity" in left):
        from planner.search.commits import on_drive  # noqa: PLC0415 - few plans need it

        facts = {name: left[name] for name in (*DRIVE, "capacity") if name in left}
        answer = on_drive(answer, drive, **texts_of(facts, facts, "a plan"))
    return answer, {**answer.plan_inputs, **left}


def applications(apps: Any, inputs: Mapping[str, Any], on: Any = ()) -> Application:
    """Return the load of one or several applications from what a script states.

    >>> applications(["db1=etcd", "video"], {"db1": {"puts_per_s": 5}}).texts
    {'db1.puts_per_s': '5'}
    """
    listed = apps if isinstance(apps, list | tuple) and apps else [apps]
    for each in listed:
        if not isinstance(each, str):
            preset_of(each)  # refuses it with the names that there are
    layers = [on] if isinstance(on, str) else on
    if not isinstance(layers, list | tuple) or not _are_texts(layers):
        raise DomainError(f"on must be the name of a layer, or a list of them, got {on!r}")
    return answer_of(listed, app_texts(inputs), on=layers)


def _are_texts(values: Iterable[Any]) -> bool:
    return all(isinstance(each, str) for each in values)


def app_texts(inputs: Mapping[str, Any]) -> dict[str, str]:
    """Write the inputs of applications, which are in base units; a mapping has those of one.

    >>> app_texts({"db1": {"rows": 5, "dm-crypt": {"flushes": 1}}})
    {'db1.rows': '5', 'db1.dm-crypt.flushes': '1'}
    """
    texts: dict[str, str] = {}
    for name, value in inputs.items():
        if isinstance(value, Mapping):
            texts |= {f"{name}.{own}": text for own, text in app_texts(value).items()}
        else:
            texts[name] = repr(value.base) if isinstance(value, Number) else str(value)
    return texts


def notes_of(application: Application | None) -> tuple[str, ...]:
    """Return the notes on an application, if there is one."""
    return () if application is None else (application.sentence, *application.notes)
