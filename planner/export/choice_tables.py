"""A choice as rows for people and as a record for machines."""

from collections import Counter
from collections.abc import Mapping, Sequence

from models.nomenclature import QUANTITIES
from planner.catalogue.prices import priced_text
from planner.catalogue.unverified import unverified
from planner.export.quote_text import quoted_text
from planner.graph.answer import Answer
from planner.quantity.inputs import INPUTS
from planner.quantity.show import asked_odds, shown, span, text, unit_text
from planner.scenario.array import Array
from planner.search.choose import (
    Axis,
    Candidate,
    Choice,
    Met,
    MixedFleet,
    Need,
    Objective,
    Point,
    Rejected,
)
from planner.search.choose.rules import Rule

# The quantity whose unit people read a need, an axis or an objective in.
NEED_KEYS: Mapping[Need, str] = {
    Need.USABLE: "usable_bytes",
    Need.IOPS: "array_iops",
    Need.WORST: "worst_case_floor_iops",
    Need.READS: "latency_s",
    Need.LIFE: "wear_life_s",
    Need.LOSS: "array_loss_probability",
    Need.POWER: "array_power_w",
    Need.SLOTS: "members",
    Need.BUDGET: "total_price_usd",
    Need.WARRANTY: "warranty_s",
    Need.RATED: "printed_life_s",
    Need.LANES: "node_lanes",
    Need.NODE_POWER: "node_power_w",
}
OBJECTIVE_KEYS: Mapping[Objective, str] = {
    Objective.PRICE: "total_price_usd",
    Objective.COST: "npv_usd",
}
AXIS_KEYS: Mapping[Axis, str] = {
    Axis.USABLE: "usable_bytes",
    Axis.IOPS: "budget_iops",
    Axis.WORST: "worst_case_floor_iops",
    Axis.LIFE: "wear_life_s",
    Axis.POWER: "array_power_w",
}
UNKNOWN = "unknown"
Rows = list[dict[str, str]]


def plan_name(array: Array, partition_fraction: float) -> str:
    """Name a plan by its drives, layout and extra spare area.

    >>> plan_name(Array(members=12), 0.9)
    '12 in RAID 0, 10 % left unpartitioned'
    """
    layout = f"{array.members} in {array.name}" if array.members > 1 else "1 drive"
    spare = 1 - partition_fraction
    return f"{layout}, {100 * spare:.3g} % left unpartitioned" if spare > 1e-9 else layout


def ranked_rows(choice: Choice) -> Rows:
    """Return the plans in order, each with what it comes to."""
    return [
        {
            "": str(place),
            "Drive": one.plan.drive.name,
            "Plan": plan_name(one.plan.array, one.plan.partition_fraction),
            "Price": price_text(one),
            "Priced": priced_text(one.plan.drive),
            **({"Quote": quoted_text(choice, one.plan.drive)} if choice.quotes else {}),
            "Cost of owning": cost_text(choice, one),
            "Usable": _text(one.plan["usable_bytes"]),
            "IOPS": _text(one.queue.iops),
            "IOPS per USD": _bought_text(one),
            "Worst floor": _text(one.plan["worst_case_floor_iops"]),
            "Warranted until": _text(one.warranted_until_s),
            "Flash wear-out": _flash_worn(one),
            "Data loss": loss_text(one),
            "Lowest margin": "" if one.binding is None else spare_of(one.binding),
            "To confirm": ", ".join(map(str, unverified(one.plan.drive))),
            "Assumed": assumed_of(one),
        }
        for place, one in enumerate(choice.candidates, start=1)
    ]


def undecided_line(choice: Choice) -> str:
    """Name the plans that may each be the cheapest within their ranges of prices."""
    places = choice.undecided
    if len(places) < 2:
        return ""
    named = f"{', '.join(map(str, places[:-1]))} and {places[-1]}"
    return (
        f"At typical prices plan 1 has the least {choice.objective}; within their ranges of "
        f"prices plans {named} may."
    )


def loss_text(one: Candidate) -> str:
    """Describe the probability of data loss; of a cluster without its network and nodes."""
    loss = one.data_loss["array_loss_probability"]
    return f"{'at least ' if one.nodes is not None and loss.is_known else ''}{_text(loss)}"


def nodes_lines(one: Candidate) -> list[str]:
    """Format the capacity of a cluster's nodes, and the rebuild of one of them."""
    nodes = one.nodes
    if nodes is None:
        return []
    count = nodes.drives_per_node
    raw, kept, held, written, sent = (
        text("node_bytes", value)
        for value in (
            nodes.raw_bytes, nodes.reserved_bytes, nodes.held_bytes_per_node,
            nodes.rebuild_bytes_per_drive, nodes.rebuild_network_bytes,
        )
    )  # fmt: skip
    lines = [
        f"{nodes.nodes} nodes of {count} drive{'' if count == 1 else 's'}, {nodes.code}",
        f"{kept} of {raw} kept free",
        f"full at {text('warning_fraction', nodes.near_full_fraction)}: {held} on each node",
    ]
    if not nodes.reserve_nodes:
        return [*lines, "a lost node waits until it is back: no other is left for its chunks"]
    time = nodes.node_rebuild_s
    took = UNKNOWN if time is None else text("node_rebuild_s", time)
    work = f"{sent} over the network, {written} written to each drive left"
    of_drive = nodes.drive_rebuild_s
    by_drives = _text(one.data_loss["rebuild_s"])
    drive = UNKNOWN if of_drive is None else text("node_rebuild_s", of_drive)
    return [
        *lines,
        f"a lost node is made again in {took} by half of drives and network: {work}",
        f"a lost drive is made again in {drive}; loss of data takes {by_drives}, by drives alone",
    ]


def assumed_of(one: Candidate) -> str:
    """List the assumed quantities of a plan that widen its results."""
    wide = (item.quantity for item in one.assumed if item.is_range)
    return ", ".join(QUANTITIES[quantity].label for quantity in dict.fromkeys(wide))


def spare_of(met: Met) -> str:
    """Describe the margin of a requirement.

    >>> spare_of(Met(need=Need.USABLE, needed=1e12, available=1.1e12, margin=1.1))
    'usable capacity: 10 %'
    """
    return f"{met.need.label}: {100 * (met.margin - 1):,.3g} %"


def rejected_rows(
    choice: Choice, *, most: int | None = None, among: Sequence[Rejected] | None = None
) -> Rows:
    """Return the nearest that each drive comes for less, and what it lacks; the closest first.

    Drives whose required facts are unknown are named by `unknown_lines`.
    """
    among = choice.rejected if among is None else among
    known = [row for row in among if row.lacks.available is not None]
    known.sort(key=lambda row: -row.lacks.margin)
    return [
        {
            "Drive": row.drive.name,
            "Nearest plan": _nearest(row),
            "For": _money(choice, row.objective),
            "Lacks": row.lacks.need.label,
            "Needed": asked_text(row.lacks.need, row.lacks.needed),
            "Available": _available(choice, row.lacks),
            "Not reached": "; ".join(_out_of_reach(met) for met in row.fails),
            "Configurations": f"{row.configurations:,}",
        }
        for row in known[:most]
    ]


def _out_of_reach(met: Met) -> str:
    """Say the most that any configuration of a drive has of a need."""
    there = UNKNOWN if met.available is None else f"at best {_of_need(met.need, met.available)}"
    return f"{met.need.label} ({there})"


def reach_rows(choice: Choice) -> Rows:
    """Return each requirement with the best of any plan, where no plan meets all."""
    return [
        {
            "Need": each.need.label,
            "Needed": asked_text(each.need, each.needed),
            "Best of any plan": UNKNOWN
            if each.available is None
            else _of_need(each.need, each.available),
        }
        for each in choice.reach
    ]


def _available(choice: Choice, lacks: Met) -> str:
    """Describe the available amount of a requirement; for life, at the required confidence."""
    there = _of_need(lacks.need, lacks.available or 0.0)
    sure = choice.requirements.life_confidence
    return f"{there}, {100 * sure:.3g} % sure" if lacks.need is Need.LIFE and sure != 0.5 else there


def unknown_lines(choice: Choice) -> list[str]:
    """Say of how many drives what is unknown, so that they could not be chosen."""
    counted = Counter(
        "the price" if row.array is None else row.lacks.need.label
        for row in choice.rejected
        if row.lacks.available is None
    )
    return [
        f"{what}: unknown of {count} drive{'' if count == 1 else 's'}"
        for what, count in counted.most_common()
    ]


def rules_line(choice: Choice) -> str:
    """List the defaults used, by the names that people see."""
    taken = [f"{INPUTS[rule.input].label}: {rule.value}{_of_trade(rule)}" for rule in choice.rules]
    return f"Defaults used: {'; '.join(taken)}" if taken else ""


def _of_trade(rule: Rule) -> str:
    return "" if rule.rules == "default" else f" ({rule.rules})"


def excluded_lines(choice: Choice) -> list[str]:
    """Count the drives that each filter excludes, with its rule."""
    rules = {rule.input: rule.rules for rule in choice.rules}
    counted = Counter((failed.input, failed.needed)
                      for row in choice.excluded for failed in row.fails)  # fmt: skip
    return [
        f"{INPUTS[name].label.lower()} {needed}"
        f"{f' (rule of {rules[name]})' if name in rules else ''}: "
        f"{count} drive{'' if count == 1 else 's'} left out"
        for (name, needed), count in counted.most_common()
    ]


def saving_rows(choice: Choice) -> Rows:
    """Return the savings if one requirement is relaxed by 10 %."""
    return [
        {
            "Need": row.need.label,
            "Asked": asked_text(row.need, row.needed),
            "Relaxed by 10 %": asked_text(row.need, row.relaxed),
            "Saves": _money(choice, row.saving) if row.saving is not None else _instead(row.best),
            "With": "" if row.best is None else named_plan(row.best),
        }
        for row in choice.savings
    ]


def front_rows(choice: Choice) -> list[dict[str, object]]:
    """Return the front in the units that people see, for a chart or a table."""
    return [
        {"Drive": point.drive.name, "Plan": plan_name(point.array, point.partition_fraction)}
        | _on_axes(choice, point)
        for point in choice.front
    ]


def fleet_rows(fleet: MixedFleet, objective: Objective) -> Rows:
    """Return the pools of a mixed fleet."""
    key = OBJECTIVE_KEYS[objective]
    return [
        {
            "Drive": pool.drive.name,
            "Arrays": f"{pool.arrays}",
            "Each": plan_name(pool.array, pool.partition_fraction),
            str(objective).capitalize(): text(key, pool.objective),
            "Share of writes": f"{100 * pool.write_share:.3g} %",
        }
        for pool in fleet.pools
    ]


def needs_line(choice: Choice) -> str:
    """Say in one line how many configurations there were and how many are left."""
    return (
        f"{choice.configurations:,} configurations, {choice.possible:,} possible, "
        f"{choice.holding:,} meet all needs that are quick to check"
    )


def cost_text(choice: Choice, one: Candidate) -> str:
    """Return the cost of owning by which plans are ordered, and its range where it is one."""
    if choice.objective is Objective.COST and "npv_usd" not in one.ranges:
        return text("npv_usd", one.objective)
    return _ranged(one, one.ownership["npv_usd"])


def _flash_worn(one: Candidate) -> str:
    """Format the modelled time of flash wear-out, and the probability of the required life."""
    worn, sure = _text(one.plan["wear_life_s"]), one.life_probability
    return worn if sure is None else f"{worn} ({100 * sure:.3g} % sure)"


def _on_axes(choice: Choice, point: Point) -> dict[str, object]:
    return {
        axis_title(choice, axis): shown(_axis_key(choice, axis), value)
        for axis, value in zip(choice.axes, point.values, strict=True)
    }


def axis_title(choice: Choice, axis: Axis) -> str:
    """Return the name of an axis of the front with the unit of its numbers."""
    name = choice.objective if axis is Axis.LEAST else axis
    title = f"{name[0].upper()}{name[1:]}"
    unit = QUANTITIES[_axis_key(choice, axis)].shown_in
    return title if unit == "IOPS" else f"{title} [{unit}]"


def _axis_key(choice: Choice, axis: Axis) -> str:
    return OBJECTIVE_KEYS[choice.objective] if axis is Axis.LEAST else AXIS_KEYS[axis]


def _text(answer: Answer) -> str:
    return UNKNOWN if not answer.is_known else text(answer.key, answer.value)


def price_text(one: Candidate) -> str:
    """Return the price of all drives, and its range where it is one."""
    return _ranged(one, one.plan["total_price_usd"])


def _bought_text(one: Candidate) -> str:
    """Return IOPS of the mix per USD, and the range where it is one."""
    bought, between = one.plan["iops_per_usd"], one.plan.range_of("iops_per_usd")
    return _text(bought) + ("" if between is None else between.ends(bought.key, digits=3))


def _ranged(one: Candidate, answer: Answer) -> str:
    between = one.ranges.get(answer.key)
    if between is None or not answer.is_known or not between.is_wide:
        return _text(answer)
    ends, unit = span(answer.key, between.low, between.high), unit_text(answer.key)
    return f"{_text(answer).removesuffix(unit)} ({ends}){unit}"


def _money(choice: Choice, value: float | None) -> str:
    return UNKNOWN if value is None else text(OBJECTIVE_KEYS[choice.objective], value)


def asked_text(need: Need, value: float, *, digits: int = 4) -> str:
    """Write a required amount, as exactly as it is typed.

    >>> asked_text(Need.LOSS, 1e-4), asked_text(Need.USABLE, 20e12)
    ('1 in 10,000', '20 TB')
    """
    return asked_odds(value) if need is Need.LOSS else text(NEED_KEYS[need], value, digits=digits)


def _of_need(need: Need, value: float) -> str:
    return text(NEED_KEYS[need], value)


def _nearest(row: Rejected) -> str:
    return "" if row.array is None else plan_name(row.array, row.partition_fraction or 1.0)


def named_plan(one: Candidate) -> str:
    """Name a candidate by drive, number of drives and layout."""
    return f"{one.plan.drive.name}, {plan_name(one.plan.array, one.plan.partition_fraction)}"


def _instead(best: Candidate | None) -> str:
    return "nothing holds yet" if best is None else "makes it possible"
