"""Questions to a plan beside its own answers: speed over time, its array, loss of data, cost."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.graph.answer import Answer
from planner.graph.number import Number
from planner.quantity.inputs import FAILURES, INPUTS, SURROUNDINGS, TERMS, stated
from planner.scenario.risk import Risk
from planner.script.inputs import texts_of, written_as
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.heat import Surroundings, heat_of
from planner.sections.ownership import owned_ranges, ownership, risk_of, terms_of
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.speed import speed_of
from planner.sections.speed_ranges import speed_ranges_of

if TYPE_CHECKING:
    import pandas as pd

# Attributes of the answers to each question, by key.
SPEED = {
    "fresh": "fresh_write_iops", "cliff": "cliff_s", "lowest": "lowest_write_iops",
    "settling": "settling_s", "steady": "steady_write_iops", "reads": "random_read_iops",
    "worst_latency": "max_latency_s", "worst_iops": "worst_case_iops",
}  # fmt: skip
ARRAY = {
    "iops": "array_iops", "read_latency": "array_read_latency_s",
    "write_latency": "array_write_latency_s", "busy": "member_utilisation",
    "stalled_iops": "array_stalled_iops", "aligned_iops": "array_synchronised_iops",
    "slow_window_iops": "array_window_iops", "bound": "bound_iops", "knee": "knee_queue_depth",
}  # fmt: skip
LOSS = {
    "loss": "array_loss_probability", "by_failures": "array_failed_loss_probability",
    "by_unreadable": "array_unreadable_loss_probability",
    "by_wear": "array_wear_out_loss_probability", "lost": "expected_lost_bytes",
    "afr": "afr_fraction", "rebuild": "rebuild_s", "replacements": "mean_replacements",
}  # fmt: skip
COST = {
    "cost": "npv_usd", "per_year": "equivalent_usd_per_year", "capital": "capital_usd",
    "energy": "energy_present_usd", "slots": "slot_present_usd", "labour": "labour_present_usd",
    "drives": "drives_present_usd", "per_usable": "cost_per_usable_byte",
    "per_written": "cost_per_written_byte", "per_iops": "cost_per_iops",
    "replacements": "horizon_replacements", "carbon": "typical_carbon_kg",
}  # fmt: skip
HEAT = {
    "per_written": "writing_j_per_byte", "per_read": "reading_j_per_byte",
    "writes_per_watt": "written_bytes_per_j", "reads_per_watt": "read_bytes_per_j",
    "awake": "awake_power_w", "idle": "mean_idle_power_w", "wake": "mean_wake_s",
    "battery": "battery_s", "hottest": "steady_body_k", "throttles": "throttling_s",
    "full_speed": "full_speed_fraction", "sustained": "sustained_write_bytes_per_s",
    "cools": "cooling_s",
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Answers(Mapping[str, Number]):
    """Answers to one question: numbers by key, the common ones as attributes.

    Attributes:
        title: What was asked.
        names: Attributes, by name the key of each.
        notes: Assumptions and limits of validity.
        record: The answers as used inside the planner.
    """

    title: str
    names: Mapping[str, str]
    numbers: Mapping[str, Number]
    notes: tuple[str, ...] = ()
    record: Any = field(default=None, repr=False)

    def __getattr__(self, name: str) -> Number:
        """Return an answer by its short name."""
        if name.startswith("__") or "names" not in self.__dict__:  # while it is copied
            raise AttributeError(name)
        if name not in self.names:
            raise AttributeError(f"{self.title} has no {name!r}; it has {', '.join(self.names)}")
        return self[self.names[name]]

    def __getitem__(self, key: str) -> Number:
        """Return an answer by its key, or by its short name."""
        key = self.names.get(key, key)
        if key not in self.numbers:
            near = get_close_matches(key, self.numbers, n=3)
            raise KeyError(f"{self.title} has no {key!r}{f'; {near} are near' if near else ''}")
        return self.numbers[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.names})

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per answer, by key."""
        import pandas as pd  # noqa: PLC0415 - an answer needs none of it

        rows = [
            {"label": number.label, "value": float(number), "low": number.low,
             "high": number.high, "unit": number.unit, "source": number.source}
            for number in self.numbers.values()
        ]  # fmt: skip
        return pd.DataFrame(rows, index=pd.Index(self.numbers, name="key"))

    def __repr__(self) -> str:
        shown = [f"  {name}: {self[key]!r}" for name, key in self.names.items() if key in self]
        return "\n".join([self.title, *shown])


Row = tuple[Mapping[str, Any], Mapping[str, Number]]  # what it is of, and numbers by column


def frame_of(rows: Iterable[Row]) -> "pd.DataFrame":
    """Return rows as a frame: each number in its unit, with its ends `_low` and `_high`.

    `attrs["units"]` has the units.
    """
    import pandas as pd  # noqa: PLC0415 - an answer needs none of it

    units: dict[str, str] = {}
    values = []
    for lead, numbers in rows:
        ends = {
            f"{name}{end}": value
            for name, number in numbers.items()
            for end, value in (("", float(number)), ("_low", number.low), ("_high", number.high))
        }
        values.append({**lead, **ends})
        units |= {name: number.unit for name, number in numbers.items()}
    frame = pd.DataFrame(values)
    frame.attrs["units"] = units
    return frame


def speed_answers(plan: PlanReading) -> Answers:
    """Read the write test of one drive of a plan, and its latencies by percentile."""
    speed = speed_of(plan)
    ranges = speed_ranges_of(plan, speed)
    numbers = _numbers(speed.every, ranges.answers)
    names = {name: getattr(speed, key).key for name, key in SPEED.items()}
    for name, (_, each) in ranges.percentiles.items():
        names[name] = name
        numbers[name] = Number(each.typical, "read_s", between=(each.low, each.high))
    return Answers(f"Speed of {plan.drive.name}", names, numbers, speed.notes, speed)


def array_answers(plan: PlanReading, *, depth: float | str | None = None) -> Answers:
    """Read the speed of the array of a plan at a queue depth."""
    row = INPUTS["array_depth"]._replace(name="depth")
    stated_depth = None if depth is None else row.value(written_as(row, depth))
    queue = array_queue(plan, queue_depth=stated_depth)
    numbers = _numbers((*queue.answers, *queue.further), {})
    title = f"{plan.array.name} of {plan.array.members} at queue depth {queue.queue_depth:g}"
    return Answers(title, ARRAY, numbers, queue.notes, queue)


def loss_answers(plan: PlanReading, **inputs: Any) -> Answers:
    """Read the loss of data of the array of a plan, and the drives to replace."""
    names = ("years", *FAILURES)
    lost = data_loss(plan, Risk(**stated(texts_of(inputs, names, "the loss of data"), names)))
    return Answers("Loss of data", LOSS, _numbers((*lost.answers, *lost.further), {}), lost.notes,
                   lost)  # fmt: skip


def cost_answers(plan: PlanReading, **inputs: Any) -> Answers:
    """Read the cost of owning the drives of a plan."""
    names = ("years", *TERMS, "afr", "life_spread", "replace_at")
    texts = texts_of(inputs, names, "the cost of owning")
    owned = ownership(plan, terms_of(texts), risk_of(texts))
    numbers = _numbers((*owned.answers, *owned.operations), owned_ranges(plan, owned))
    return Answers("Cost of owning", COST, numbers, owned.notes, owned)


def heat_answers(plan: PlanReading, **inputs: Any) -> Answers:
    """Read the energy per byte of one drive of a plan, its idle states and its temperature."""
    texts = texts_of(inputs, SURROUNDINGS, "energy and heat")
    found = heat_of(plan.drive, Surroundings(**stated(texts, SURROUNDINGS)))
    numbers = _numbers(found.answers, found.ranges)
    names = {name: key for name, key in HEAT.items() if key in numbers}
    title = f"Energy and heat of {plan.drive.name}"
    return Answers(title, names, numbers, found.notes, found)


def _numbers(answers: Iterable[Answer], ranges: Mapping[str, Range]) -> dict[str, Number]:
    """Return the single numbers among answers by key, each with its range."""
    found = {}
    for answer in answers:
        if np.ndim(answer.value):
            continue
        each = ranges.get(answer.key)
        between = None if each is None else (each.low, each.high)
        lacking = dict.fromkeys(answer.lacking, "")
        found[answer.key] = Number(
            answer.value, answer.key, between=between, lacking=lacking, answers=[answer]
        )
    return found
