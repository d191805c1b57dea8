"""Links to a screen: the inputs in their query, by current names.

A link holds the inputs that differ from the defaults. A bare number is in the unit shown to people:
`?spare=7` is 7 %, `?writes=50` is 50 GiB/day.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from planner.quantity.input import (
    Former,
    Input,
    InputError,
    block,
    link_rate,
    part,
    probability,
    quantity,
    rate,
    share,
    size,
    time,
)
from planner.quantity.inputs import GRID, INPUTS
from planner.quantity.parse import shortened

_KEYS_OF_GRID = {f"choose_{name}": INPUTS[name] for name in GRID}
LISTS = {*_KEYS_OF_GRID, "nodes", "replicas", "ec"}  # inputs of a search, several values each
_AMOUNT = re.compile(r"[\d.,]+\s*[kMGTP]i?B", re.IGNORECASE)  # without a period
KEYS: Mapping[str, Input] = {**INPUTS, **_KEYS_OF_GRID}
_FORMER: Mapping[str, tuple[str, Former]] = {
    old.name: (row.name, old)
    for row in reversed(list(INPUTS.values()))
    for old in (*row.formerly, *row.links)
} | {
    "counts": ("choose_drives", Former("counts", lambda text: text.replace(",", "-"))),
    "levels": ("choose_raid", Former("levels")),
    "spares": ("choose_spare", Former("spares")),
    "c_sets": ("choose_sets", Former("c_sets")),
}
_WITH_UNITS = (size, block, rate, link_rate, time, quantity)  # a bare number is in the unit shown
_BARE = re.compile(r"[-+]?[\d.,]+(e[-+]?\d+)?", re.IGNORECASE)


class Link(NamedTuple):
    """The inputs in a link: values by key as widgets take them, and messages for the user."""

    values: dict[str, str | list[str]]
    renamed: list[str]
    refused: list[str]


def from_query(query: Mapping[str, Sequence[str]], *, others: Collection[str] = ()) -> Link:
    """Parse the parameters of a link; `refused` names those that are unknown or not accepted.

    Keys in `others` are kept unchanged.

    >>> link = from_query({"writes": ["50"], "hot": ["1"], "colour": ["red"]})
    >>> link.values
    {'writes': '50 GiB/day', 'hot_spares': '1'}
    >>> link.refused
    ['colour is not an input of this version']
    """
    values: dict[str, str | list[str]] = {}
    renamed, refused = [], []
    query, steps = _with_steps(query)
    for key, written in {**steps, **query}.items():
        if key in others:
            values[key] = list(written)
            continue
        text = ",".join(written)
        name, old = _FORMER.get(key, (key, Former(key)))
        row = KEYS.get(name)
        if row is None:
            refused.append(f"{shortened(key)} is not an input of this version")
            continue
        try:
            now = _checked(name, row, old.rewrite(text))
        except InputError as error:
            refused.append(f"{key} {error.why}")
            continue
        if name in values and values[name] != now:
            statement = shortened(f"{key}={text}")
            refused.append(f"{statement} contradicts {name}={shortened(values[name])}")
            continue
        values[name] = now
        if key in _FORMER or key in steps or now != text:
            renamed.append(f"{shortened(f'{key}={text}')} is now {name}={shortened(now)}")
    return Link(values, renamed, refused)


def per_day(text: str) -> str:
    """Return writes with a period: an amount without one is a day's, since nobody means it in all.

    >>> per_day("30 GB"), per_day("30 GB/h")
    ('30 GB/day', '30 GB/h')
    """
    return f"{text.strip()}/day" if _AMOUNT.fullmatch(text.strip()) else text


def _checked(key: str, row: Input, text: str) -> str:
    """Return a valid text for the widget, with the unit added to a bare number."""
    if key in LISTS:
        text = ",".join(_with_unit(row, part) for part in text.split(","))
        row.values(text)
        return text
    text = _with_unit(row, per_day(text) if key == "writes" else text)
    if row.is_repeatable:
        row.every(text)
    else:
        row.value(text)
    return text


def _with_unit(row: Input, text: str) -> str:
    if not _BARE.fullmatch(text):
        return text
    if row.read in (share, probability, part):
        return f"{text}%"
    has_unit = row.read in _WITH_UNITS and row.shown_in not in ("1", "USD")
    return f"{text} {row.shown_in}" if has_unit else text


def _with_steps(
    query: Mapping[str, Sequence[str]],
) -> tuple[dict[str, Sequence[str]], dict[str, Sequence[str]]]:
    """Join the factor and the time of a step, which former links hold as two parameters."""
    rest = {key: written for key, written in query.items() if key not in ("stepx", "stepat")}
    factor, years = (",".join(query.get(key, [usual])) for key, usual in
                     (("stepx", "1"), ("stepat", "2")))  # fmt: skip
    is_step = factor not in ("1", "1.0")
    return rest, {"step": [f"x{factor} after {years} years"]} if is_step else {}
