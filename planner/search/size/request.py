"""Inverse questions from inputs as people write them: the one way of commands and scripts."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.catalogue.priors import Level
from planner.quantity.input import InputError
from planner.quantity.inputs import INPUTS, OWNING, stated
from planner.scenario.array import Array, parse_level
from planner.scenario.skew import classes_of
from planner.scenario.workload import Workload
from planner.search.size.answer import Sizing, at_levels
from planner.search.size.drives import drives_for
from planner.search.size.price import KEPT, OWNED, WRITTEN, break_even_price
from planner.search.size.rating import endurance_class
from planner.search.size.raw import effective_raw
from planner.search.size.spare import spare_for_dwpd, spare_for_iops, spare_for_life
from planner.search.size.writes import most_writes
from planner.sections import stated_writes
from planner.sections.ownership import risk_of, terms_of
from planner.sections.plan import PlanReading, at_level
from planner.sections.request import level_of

Texts = Mapping[str, Any]
TARGETS = {
    "usable": "usable_bytes",
    "iops": "budget_iops",
    "floor_iops": "worst_case_floor_iops",
    "window_iops": "array_window_iops",
    "life": "wear_out_life_s",
}
_OPPOSITE: Mapping[Level, Level] = {
    "cautious": "generous", "typical": "typical", "generous": "cautious",
}  # fmt: skip
BASES = {"written": WRITTEN, "usable": KEPT, "owned": OWNED}


def fewest_drives(texts: Texts) -> dict[str, Any]:
    """Return the inputs with the fewest drives that the layout allows, to start from.

    >>> fewest_drives({"raid": "6"})["drives"]
    '4'
    """
    raid = INPUTS["raid"]
    level = parse_level(raid.name, raid.value(texts.get(raid.name, raid.default)))
    layout = stated(texts, ("hot_spares", "sets"))
    for members in range(1, 256):
        try:
            array = Array(members=members, **level, **layout)
        except DomainError:
            continue
        return {**texts, "drives": str(array.members)}
    raise InputError(raid, "must be a layout of at most 255 drives")


def answered(question: str, plan: PlanReading, texts: Texts) -> Sizing:
    """Answer a question of one plan, with assumed facts of its drive at their cautious end.

    With `assumed` at typical values; the answers at the other levels are returned as well.
    """
    ask, level = QUESTIONS[question], level_of(texts)
    if level is None or not plan.assumed:
        return ask(plan, texts)
    return at_levels(lambda each: ask(at_level(plan, each), texts), level)


def price_for(known: PlanReading, other: PlanReading, texts: Texts, *, by: str) -> Sizing:
    """Find the price at which a second drive is as good a buy as the first.

    Assumed facts of the first drive have the opposite end of their range: the second may be worse.
    """
    level = level_of(texts)

    def ask(first: Level, second: Level) -> Sizing:
        return break_even_price(
            at_level(known, first), at_level(other, second),
            terms=terms_of(texts), risk=risk_of(texts), basis=BASES[by],
        )  # fmt: skip

    if level is None or not (known.assumed or other.assumed):
        return ask("typical", "typical")
    return at_levels(lambda each: ask(_OPPOSITE[each], each), level)


def raw_for(one: Drive, other: Drive, *, skew: str) -> Sizing:
    """Find the raw flash shared by two models that differ in spare area and rating."""
    largest = max(one.capacity_bytes, other.capacity_bytes)
    write_shares, page_shares = classes_of(skew, capacity_bytes=largest)
    rated_under = Workload(host_bytes_per_s=1.0, write_shares=write_shares, page_shares=page_shares)
    return effective_raw(one, other, rated_under=rated_under)


def _spare(plan: PlanReading, texts: Texts) -> Sizing:
    """Find the share of each drive to leave empty for a life, a rating or a steady rate."""
    questions: dict[str, Callable[[float], Sizing]] = {
        "life": lambda value: spare_for_life(plan, value),
        "dwpd": lambda value: spare_for_dwpd(plan, value, period_s=_seconds(texts)),
        "iops": lambda value: spare_for_iops(plan, value),
    }
    values = _stated_of(texts, questions)
    if len(values) != 1:
        raise DomainError("one of --life, --dwpd and --iops must be given")
    ((name, value),) = values.items()
    return questions[name](value)


def _writes(plan: PlanReading, texts: Texts) -> Sizing:
    """Find the maximum writes a day, by each limit."""
    return most_writes(plan, _seconds(texts))


def _class(plan: PlanReading, texts: Texts) -> Sizing:
    """Find the endurance class: 0.3, 1, 3 or 10 drive writes per day."""
    return endurance_class(plan, _seconds(texts))


def _drives(plan: PlanReading, texts: Texts) -> Sizing:
    """Find the number of drives for a capacity, rates and a life."""
    values = _stated_of(texts, TARGETS)
    if not values:
        options = ", ".join(INPUTS[name].option for name in TARGETS)
        raise DomainError(f"one of {options} must be given")
    if stated_writes.writes_of(texts).fills:
        raise InputError(INPUTS["writes"], "must be a rate such as 4TB/day: DWPD needs the drives")
    return drives_for(plan, **{TARGETS[name]: value for name, value in values.items()})


# What may be required of one plan.
QUESTIONS: Mapping[str, Callable[[PlanReading, Texts], Sizing]] = {
    "spare": _spare, "writes": _writes, "class": _class, "drives": _drives,
}  # fmt: skip
# The inputs of each question besides those of a plan.
INPUTS_OF: Mapping[str, tuple[str, ...]] = {
    "spare": ("life", "dwpd", "iops", "years", "assumed"),
    "writes": ("years", "assumed"),
    "class": ("years", "assumed"),
    "drives": (*TARGETS, "assumed"),
    "price": (*OWNING, "assumed"),
}


def _seconds(texts: Texts) -> float:
    row = INPUTS["years"]
    seconds: float = row.value(texts.get(row.name, row.default))
    return seconds


def _stated_of(texts: Texts, names: Iterable[str]) -> dict[str, float]:
    return {name: INPUTS[name].value(texts[name]) for name in names if texts.get(name) is not None}
