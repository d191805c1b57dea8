"""Rules of the inputs that a cell accepts, in the words of its error message."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from models.nomenclature import QUANTITIES
from planner.export.workbook.typed_cells import Rule
from planner.quantity.bounds import (
    ABOVE_0,
    ANY,
    FRACTION,
    FROM_0,
    SHARE,
    WHOLE,
    WHOLE_FROM_0,
    Bounds,
)
from planner.quantity.inputs import FACTS, FAILURES, INPUTS, PLAN, TERMS
from planner.quantity.units import FACTORS
from planner.scenario.workload import MOST_STEPS

Cells = Mapping[str, str]  # cell of each quantity of one plan
RuleOf = Callable[[Cells], Rule]

_BOUNDS = {
    INPUTS[name].field: INPUTS[name].bounds
    for name in (*PLAN, *FACTS, "years", *FAILURES, *TERMS)
    if INPUTS[name].bounds != ANY
} | {
    name: bounds
    for bounds, names in (
        (SHARE, ("partition_fraction", "array_quantile", "low_levelling_efficiency",
                 "typical_levelling_efficiency", "high_levelling_efficiency", "fill_limit")),
        (FRACTION, ("trims_as_written", "flash_weight", "one_log_weight")),
        (FROM_0, ("field_copy_ratio",)),
        (WHOLE, ("cluster_nodes", "node_members")),
        (WHOLE_FROM_0, ("node_spares", "reserve_nodes")),
    )
    for name in names
}  # fmt: skip


def validation(key: str, cells: Cells) -> dict[str, Any]:
    """Return the rule of a cell, as the formulas need it, with its messages.

    >>> validation("price_usd", {"price_usd": "C9"})["value"]
    '=AND(ISNUMBER(C9),C9>=0.01,C9<=1000000000000)'
    """
    quantity = QUANTITIES[key]
    condition, accepted = rule_of(key, cells)
    return {
        "validate": "custom",
        "value": f"=AND(ISNUMBER({cells[key]}),{condition.format(x=cells[key])})",
        "input_title": quantity.label[:32],
        "input_message": f"{quantity.meaning} Accepted: {accepted}."[:255],
        "error_title": quantity.label[:32],
        "error_message": f"{quantity.label} must be {accepted}."[:255],
    }


def rule_of(key: str, cells: Cells) -> Rule:
    """Return the condition on the cell {x} of a quantity, and its range in words, with its unit.

    >>> rule_of("price_usd", {"price_usd": "C9"})
    ('{x}>=0.01,{x}<=1000000000000', 'from 0.01 to 1,000,000,000,000 USD')
    """
    condition, accepted = _rule(key, cells)
    shown_in = QUANTITIES[key].shown_in
    return condition, accepted if shown_in in ("1", "x") else f"{accepted} {shown_in}"


def _rule(key: str, cells: Cells) -> Rule:
    if key in _SPECIAL:
        return _SPECIAL[key](cells)
    usual = FRACTION if QUANTITIES[key].shown_in == "%" else ABOVE_0
    return _between(_BOUNDS.get(key, usual), FACTORS[QUANTITIES[key].shown_in])


def _between(bounds: Bounds, one: float) -> Rule:
    """Return the condition of a range, where one of the unit in the cell is `one`."""
    conditions = ["{x}=INT({x})"] if bounds.whole else []
    for end, holds, sign in (
        (bounds.least, bounds.holds_least, ">"),
        (bounds.most, bounds.holds_most, "<"),
    ):
        if not math.isinf(end):
            conditions.append(f"{{x}}{sign}{'=' if holds else ''}{end / one:.15g}")
    return ",".join(conditions), bounds.words(one)


def _members(cells: Cells) -> Rule:
    """Enough drives for copies and parity, in whole sets and whole sets of copies."""
    if {"cluster_nodes", "node_members"} <= cells.keys():
        whole = f"{{x}}={cells['cluster_nodes']}*{cells['node_members']}"
        return whole, "the nodes times the drives of a node"
    copies, sets = cells.get("copies", "1"), cells.get("sets", "1")
    standing_by = {"working_members", "hot_spares"} <= cells.keys()
    spares = f"-{cells['hot_spares']}" if standing_by else ""
    enough = (
        f"{{x}}{spares}>={sets}*({copies}+{cells['parities']}),MOD({{x}}{spares},{sets}*{copies})=0"
    )
    return (
        f"{{x}}=INT({{x}}),{{x}}>=1,{enough}",
        "a whole number >= 1, at least copies + parity drives a set, and equal sets",
    )


def _sets(cells: Cells) -> Rule:
    width = f"{cells['members']}/{{x}}"
    return (
        f"{{x}}=INT({{x}}),{{x}}>=1,{width}=INT({width}),{width}>{cells['parities']}",
        "a whole number >= 1 that divides the drives, with room for parity in each set",
    )


def _copies(cells: Cells) -> Rule:
    return (
        f"{{x}}=INT({{x}}),{{x}}>=1,{{x}}+{cells['parities']}<={cells['members']}",
        "a whole number >= 1, with parity drives at most the number of drives",
    )


def _parities(cells: Cells) -> Rule:
    return (
        f"{{x}}=INT({{x}}),{{x}}>=0,{{x}}<{cells['members']}",
        "a whole number >= 0 and less than the number of drives",
    )


def _raw_bytes(cells: Cells) -> Rule:
    user = f"{cells['user_bytes']}*{FACTORS['GB']!r}"
    return f"{{x}}>0,{{x}}*{FACTORS['GiB']!r}>={user}", "at least the user capacity, in"


def _user_bytes(cells: Cells) -> Rule:
    raw = cells["raw_bytes"]
    fits = f"{{x}}*{FACTORS['GB']!r}<={raw}*{FACTORS['GiB']!r}"
    return f'{{x}}>0,OR({raw}="",{fits})', "> 0 and at most the raw flash, in"


def _hot_spares(cells: Cells) -> Rule:
    least = cells["members"]
    return f"{{x}}=INT({{x}}),{{x}}>=0,{{x}}<{least}", "a whole number >= 0, less than the drives"


def _active_power_w(cells: Cells) -> Rule:
    return f"{{x}}>=MAX(0,{cells['idle_power_w']})", "at least the power when idle, in"


def _step_s(number: int) -> RuleOf:
    """Return the rule of the time of a step: none before the last."""

    def rule(cells: Cells) -> Rule:
        before = cells.get(f"step_{number - 1}_s", "0")
        words = "not before the step before it, in" if number > 1 else ">= 0"
        return f"{{x}}>={before}", words

    return rule


_SPECIAL: dict[str, RuleOf] = {
    "members": _members,
    "copies": _copies,
    "parities": _parities,
    "sets": _sets,
    "raw_bytes": _raw_bytes,
    "user_bytes": _user_bytes,
    "hot_spares": _hot_spares,
    "idle_power_w": lambda _: ("{x}>=0", ">= 0"),
    "read_power_w": _active_power_w,
    "write_power_w": _active_power_w,
    **{f"step_{number}_s": _step_s(number) for number in range(1, MOST_STEPS + 1)},
}
