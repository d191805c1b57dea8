"""Plans side by side: one row per answer, and which plan is better in it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.catalogue.prices import basis_of, priced_text
from planner.graph.answer import Answer
from planner.quantity.show import text
from planner.scenario.risk import Risk
from planner.search.verdict import Sentence, dates, lasts
from planner.search.verdict.heading import host_text
from planner.search.verdict.lasts import RANKS, used_share
from planner.search.verdict.safe import is_protected, safe
from planner.search.verdict.sentences import worst
from planner.search.verdict.words import chance, ends, percent, three, two, years
from planner.sections.data_loss import data_loss
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.speed import speed_reading
from planner.sections.speed_ranges import uncertain_speed

# Whether more (1) or less (-1) of a quantity is better for who buys: by its name, else by the unit
# that is shown.
_BETTER_QUANTITY = {
    "usable_bytes": 1, "host_limit_bytes": 1, "host_left_bytes": 1, "rated_dwpd": 1,
    "required_dwpd": -1, "stall_probability": -1, "aligned_stall_probability": -1,
    # a figure shown to be wrong, and what is no merit of a plan
    "naive_life_s": 0, "printed_life_s": 0, "warranty_s": 0, "warranty_left_s": 0,
}  # fmt: skip
_BETTER = {"IOPS": 1, "MB/s": 1, "GB/s": 1, "years": 1, "x": -1, "ms": -1, "us": -1}
_BETTER |= {"USD": -1, "USD/GB": -1, "USD/TB": -1}
_ENDURANCE = "Life by endurance"
PER_USD = ("iops_per_usd", "throughput_bytes_per_s_per_usd", "written_bytes_per_usd")
_SPREAD = "second_sd_iops"


class ComparisonRow(NamedTuple):
    """One question and its answer by plan; `best` are the places of those that are better.

    A verdict is shown also where all plans are alike in it.
    """

    label: str
    values: tuple[str, ...]
    best: tuple[int, ...] = ()
    is_verdict: bool = False

    @property
    def differs(self) -> bool:
        """Whether the plans are unlike in it."""
        return len(set(self.values)) > 1


def titles(plans: Sequence[PlanReading]) -> list[str]:
    """Name plans by what they are made of, apart where they are alike.

    >>> from planner.sections.request import plan_of
    >>> titles([plan_of("845DC PRO 400"), plan_of("845DC PRO 400", drives=6, raid=5, spare="7%")])
    ['Samsung 845DC PRO 400 GB', '6 x Samsung 845DC PRO 400 GB, RAID 5, 7 % left free']
    """
    return apart([_title(plan) for plan in plans])


def _title(plan: PlanReading) -> str:
    array, spare = plan.array, 1 - plan.partition_fraction
    many = f"{array.members} x {plan.drive.name}, {array.name}"
    name = plan.drive.name if array.members == 1 else many
    left = text("spare_fraction", spare, digits=3)
    return f"{name}, {left} left free" if spare > 0 else name


def apart(names: Sequence[str]) -> list[str]:
    """Add a number to names that are given more than once."""
    return [
        name if names.index(name) == position else f"{name} ({position + 1})"
        for position, name in enumerate(names)
    ]


def compared(plans: Sequence[PlanReading], risk: Risk) -> list[ComparisonRow]:
    """Return the verdicts, then every answer, with its range where facts are assumed."""
    span = f"{risk.horizon_s / YEAR_S:.3g} years"
    life = [lasts(plan, risk.horizon_s) for plan in plans]
    losses = [data_loss(plan, risk) for plan in plans]
    lost = [each["array_loss_probability"] for each in losses]
    rows = [
        _verdict(f"Lasts {span}", life),
        _verdict("Safe", [safe(plan, loss) for plan, loss in zip(plans, losses, strict=True)]),
        ComparisonRow(f"Data loss within {span}", tuple(_odds(each) for each in lost),
            _best([_number(each) for each in lost], -1)),
        *_features(plans),
        ComparisonRow("First limit", tuple(_first_limit(plan) for plan in plans)),
        _endurance(plans),
        _consistency(plans),
        *_priced(plans),
        *(_row(key, plans) for key in _keys(plans)),
        *(_per_usd(key, plans) for key in PER_USD),
    ]  # fmt: skip
    failing = {place for place, each in enumerate(life) if each.holds is False}
    return [row._replace(best=tuple(x for x in row.best if x not in failing)) for row in rows]


def _verdict(label: str, sentences: Sequence[Sentence]) -> ComparisonRow:
    words = tuple(each.word for each in sentences)
    return ComparisonRow(
        label, words, _best([float(RANKS.get(word, 0)) for word in words], 1), is_verdict=True
    )


def _features(plans: Sequence[PlanReading]) -> tuple[ComparisonRow, ...]:
    """Return the rows of what a drive is in words, which decides where it can be used."""
    protected = [float(is_protected(plan)) for plan in plans]
    return (
        ComparisonRow("Power-loss protection", tuple(map(_protection, plans)),
            _best(protected, 1)),
        ComparisonRow("Interface", tuple(_stated(plan.drive.interface) for plan in plans)),
        ComparisonRow("Form factor", tuple(_stated(plan.drive.form_factor) for plan in plans)),
    )  # fmt: skip


def brief(plans: Sequence[PlanReading], horizon_s: float) -> list[ComparisonRow]:
    """Return the answers that decide, in a few words each; LASTS and SAFE come first.

    >>> from planner.sections.request import plan_of
    >>> rows = brief([plan_of("870 EVO 1TB", writes="30 GB/day")], 5 * YEAR_S)
    >>> [(row.label, row.values[0]) for row in rows][:3]
    [('LASTS 5 years', 'Yes'), ('  of the rating', '9.1 % of 600 TB'), \
('  flash wear-out', '22 to 160 years')]
    """
    life = [lasts(plan, horizon_s) for plan in plans]
    risk = Risk(horizon_s=horizon_s)
    rows = {
        f"LASTS {horizon_s / YEAR_S:.3g} years": [each.word for each in life],
        "  of the rating": [_of_rating(plan, horizon_s) for plan in plans],
        "  flash wear-out": [_wear_out(plan) for plan in plans],
        "SAFE": [safe(plan, data_loss(plan, risk)).word for plan in plans],
        "Power-loss protection": [_protection(plan) for plan in plans],
        "Worst second": [worst(plan).word.partition(" on ")[0] for plan in plans],
        "Steady writes": [_rated_iops(plan) for plan in plans],
        "Price": [_price(plan) for plan in plans],
    }
    return [ComparisonRow(label, tuple(values)) for label, values in rows.items()]


def judged(plans: Sequence[PlanReading], horizon_s: float) -> list[str]:
    """Return sentences that name the plan of the lowest price, and those that last protected."""
    prices = {plan.drive.name: _typical_price(plan) for plan in plans}
    known = {name: price for name, price in prices.items() if price is not None}
    lasting = [plan for plan in plans if lasts(plan, horizon_s).holds]
    both = [plan.drive.name for plan in lasting if is_protected(plan)]
    statement = []
    if len(known) > 1:
        statement.append(f"Lowest price: {min(known, key=lambda name: known[name])}.")
    bought = {plan.drive.name: _number(plan["iops_per_usd"]) for plan in plans}
    iops = {name: number for name, number in bought.items() if number is not None}
    if len(iops) > 1:
        most = max(iops, key=lambda name: iops[name])
        statement.append(f"Most IOPS per USD: {most} ({two(iops[most])}).")
    span = f"{horizon_s / YEAR_S:.3g} years at {host_text(plans[0].workload)}"
    names = ", ".join(both) if both else "none"
    statement.append(f"Last {span} and have power-loss protection: {names}.")
    return [" ".join(statement)]


def _typical_price(plan: PlanReading) -> float | None:
    part = plan.range_of("total_price_usd")
    return None if part is None else part.typical


def _of_rating(plan: PlanReading, horizon_s: float) -> str:
    if dates(plan).printed is None:
        return "no rating known"
    rated = text("rated_bytes", plan.nodes["rated_bytes"].value, digits=3)
    return f"{percent(used_share(plan, horizon_s))} of {rated}"


def _wear_out(plan: PlanReading) -> str:
    wear = dates(plan).own_wear
    return "unknown" if wear is None else years(wear)


def _protection(plan: PlanReading) -> str:
    return _stated(plan.drive.power_loss_protection)


def _stated(words: str) -> str:
    return words or "not stated"


def _rated_iops(plan: PlanReading) -> str:
    part = plan.range_of("write_iops")
    if part is None:
        return "unknown"
    rate = f"{three(part.low)} to {three(part.high)}" if part.is_wide else three(part.typical)
    return f"{rate} IOPS"


def _price(plan: PlanReading) -> str:
    part = plan.range_of("total_price_usd")
    if part is None:
        return "unknown"
    unit = text("total_price_usd", part.typical).rpartition(" ")[2]
    kind = ", curve" if basis_of(plan.drive) == "curve" else ""
    return f"{two(part.typical)} {unit}{ends(part, sign='-')}{kind}"


def comparison(plans: Sequence[PlanReading]) -> list[dict[str, str]]:
    """Lay plans side by side: one row per answer, one column per drive, ranges in brackets."""
    heads = apart([plan.drive.name for plan in plans])
    first = ComparisonRow("First limit", tuple(_first_limit(plan) for plan in plans))
    rows = (first, _endurance(plans), _consistency(plans), *_priced(plans),
            *(_row(key, plans) for key in _keys(plans)),
            *(_per_usd(key, plans) for key in PER_USD))  # fmt: skip
    return [{"Quantity": row.label} | dict(zip(heads, row.values, strict=True)) for row in rows]


def best(plans: Sequence[PlanReading]) -> dict[str, tuple[int, ...]]:
    """Return by label which of the plans are best, where one is better than another.

    Not for what is no merit of a plan: a warranty, or a figure shown to be wrong.
    """
    rows = [_endurance(plans), *(_row(key, plans) for key in _keys(plans))]
    return {row.label: row.best for row in rows if row.best}


def _row(key: str, plans: Sequence[PlanReading]) -> ComparisonRow:
    answers = [_answers(plan).get(key) for plan in plans]
    sign = _BETTER_QUANTITY.get(key, _BETTER.get(QUANTITIES[key].shown_in, 0))
    return ComparisonRow(
        QUANTITIES[key].label,
        tuple(
            _with_ends(key, _shown(answer), plan.ranges.get(key))
            for plan, answer in zip(plans, answers, strict=True)
        ),
        _best([_number(answer) for answer in answers], sign),
    )


def _per_usd(key: str, plans: Sequence[PlanReading]) -> ComparisonRow:
    """Return a rate per USD by plan; unknown without a price or a rate."""
    answers = [plan[key] for plan in plans]
    return ComparisonRow(
        QUANTITIES[key].label,
        tuple(
            _with_ends(key, _shown(answer), plan.range_of(key))
            for plan, answer in zip(plans, answers, strict=True)
        ),
        _best([_number(answer) for answer in answers], 1),
    )


def _priced(plans: Sequence[PlanReading]) -> tuple[ComparisonRow, ...]:
    """Return the row of the kinds and dates of prices, where there are any."""
    values = tuple(priced_text(plan.drive) for plan in plans)
    return (ComparisonRow("Price is", values),) if any(values) else ()


def _endurance(plans: Sequence[PlanReading]) -> ComparisonRow:
    return ComparisonRow(
        _ENDURANCE,
        tuple(
            _with_ends("wear_life_s", _of_endurance(plan), plan.range_of("endurance_life_s"))
            for plan in plans
        ),
        _best([_number(plan["endurance_life_s"]) for plan in plans], 1),
    )


def _consistency(plans: Sequence[PlanReading]) -> ComparisonRow:
    """Return the row of the spread of saturated writes: the lower its share, the better."""
    values, shares = zip(*map(_spread, plans), strict=True)
    return ComparisonRow(QUANTITIES[_SPREAD].label, values, _best(shares, -1))


def _spread(plan: PlanReading) -> tuple[str, float | None]:
    """Return the spread of a drive's random writes within a second, and its share of the rate."""
    of = speed_reading(plan)
    spread, rate = of.reading[_SPREAD], of.reading["steady_write_iops"]
    if not (spread.is_known and rate.is_known):
        return _shown(spread), None
    node, share = of.reading.graph.answers[_SPREAD], float(spread.value) / float(rate.value)
    found = uncertain_speed(plan, of).range(_SPREAD, spread.value, [node])
    return f"{_with_ends(_SPREAD, _shown(spread), found)}, {percent(share)} of the rate", share


def _best(values: Sequence[float | None], sign: int) -> tuple[int, ...]:
    """Return the places of what is best, where one is better than another."""
    known = [sign * value for value in values if value is not None]
    if not sign or len(known) < 2 or min(known) == max(known):
        return ()
    return tuple(
        place for place, value in enumerate(values)
        if value is not None and sign * value == max(known)
    )  # fmt: skip


def _keys(plans: Sequence[PlanReading]) -> list[str]:
    return list(dict.fromkeys(key for plan in plans for key in _answers(plan)))


def _answers(plan: PlanReading) -> dict[str, Answer]:
    return {answer.key: answer for group in plan.sections.values() for answer in group}


def _number(answer: Answer | None) -> float | None:
    if answer is None or not answer.is_known or np.ndim(answer.value):
        return None
    return float(answer.value)


def _odds(loss: Answer) -> str:
    return chance(float(loss.value)) if loss.is_known else "drives wear out again and again"


def _first_limit(plan: PlanReading) -> str:
    return str(plan.lives.limit or "unknown")


def _of_endurance(plan: PlanReading) -> str:
    life = plan["endurance_life_s"]
    return _shown(life) if life.is_known else "missing"


def _with_ends(key: str, value: str, each: Range | None) -> str:
    return value if each is None else f"{value}{each.ends(key, digits=3)}"


def _shown(answer: Answer | None) -> str:
    """Write an answer, or what it lacks."""
    if answer is None:
        return "-"
    if answer.is_known:
        return text(answer.key, answer.value)
    return f"missing: {', '.join(QUANTITIES[name].label for name in answer.lacking)}"
