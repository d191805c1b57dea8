"""`plan` for scripts and notebooks: common answers are attributes, all numbers are items."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from difflib import get_close_matches
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

import numpy as np

from models.nomenclature import QUANTITIES
from planner.application import Application
from planner.catalogue import load
from planner.catalogue.drive import Drive
from planner.catalogue.priors import supply
from planner.graph.answer import Answer
from planner.graph.nodes import Node
from planner.graph.number import Number
from planner.quantity.inputs import FACTS, INPUTS, PLAN, stated
from planner.quantity.parse import parse_day
from planner.quantity.show import writes_text
from planner.scenario.risk import Risk
from planner.scenario.sentence import PlanSentence, stated_plan
from planner.script.inputs import application_of, check_drive, notes_of, planned, texts_of, written
from planner.script.typed_inputs import CostInputs, HeatInputs, LossInputs, PlanAnswers, PlanInputs
from planner.sections import plan as _sections
from planner.sections.answers import ANSWERS, OF_PLAN
from planner.sections.life import LIFE_OF
from planner.sections.prices import PRICED

if TYPE_CHECKING:
    import pandas as pd

    from planner.script.questions import Answers
    from planner.search.verdict import Verdict

USUAL_YEARS = "5 years"
_INPUTS = tuple(dict.fromkeys((*PLAN, *FACTS, *PRICED)))
# Keys for the smallest of several known lives.
FIRST_OF: Mapping[str, tuple[str, ...]] = {
    "life_s": ("wear_life_s", "rated_life_s", "warranty_s"),
    "endurance_life_s": ("wear_life_s", "rated_life_s"),
}
# Attributes of a plan by the keys of its answers.
NAMED: Mapping[str, str] = {
    "life": "life_s",
    "endurance": "endurance_life_s",
    **{row.name: row.key for row in ANSWERS if row.name and row.section in OF_PLAN},
}
_LIMIT_OF = {key: str(limit) for limit, key in LIFE_OF.items()}
# The section of a plan whose binding limit belongs to a number.
BOUND_IN = {"drive_iops": "Speed of one drive", "budget_iops": "Array", "host_limit_bytes": "Cost"}


class Item:
    """An attribute of `Plan` that returns one of its items, `plan[key]`."""

    def __init__(self, key: str) -> None:
        self.key, self.__doc__ = key, QUANTITIES[key].meaning

    @overload
    def __get__(self, plan: None, owner: type) -> "Item": ...
    @overload
    def __get__(self, plan: "Plan", owner: type) -> Number: ...
    def __get__(self, plan: "Plan | None", owner: type) -> "Item | Number":
        """Return the number of a plan."""
        return self if plan is None else plan[self.key]


@dataclass(frozen=True, eq=False, repr=False)
class Plan(PlanAnswers):
    """A plan of a drive, or of an array of drives of one model, under a workload.

    Attributes are the common answers; items are all numbers by their names in the nomenclature.
    `record` is the plan as used inside the planner, `application` what its application writes,
    `years` the time that the verdict is given for.

    >>> answer = plan("840 EVO 250", spare=0.2, writes="50 GB/day")
    >>> answer.wa, answer["raw_bytes"], answer.wear.lacking
    (1.291 x (1.054 to 2.128), 256 GiB, {})
    """

    record: _sections.PlanReading
    application: Application | None = None
    years: float | str = USUAL_YEARS

    if not TYPE_CHECKING:  # a type checker knows the attributes

        def __getattr__(self, name: str) -> Any:
            """Raise an error that lists the attributes."""
            names = (each for each in dir(type(self)) if not each.startswith("_"))
            raise AttributeError(
                f"a plan has no {name!r}; it has {', '.join(names)}, and any other number as an "
                "item: plan['raw_bytes']"
            )

    def keys(self) -> list[str]:
        """List the keys of its answers."""
        listed = (answer.key for answers in self.record.sections.values() for answer in answers)
        return [*FIRST_OF, *dict.fromkeys(listed)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __contains__(self, key: object) -> bool:
        """Whether it has a number of this key, or of this attribute's name."""
        return isinstance(key, str) and (key_of(key) in FIRST_OF or any(self._nodes(key_of(key))))

    def speed(self) -> "Answers":
        """Return the course of a write test of one drive, and its latencies by percentile.

        >>> plan("845DC PRO 400").speed().p99_read
        59.24 us (22.69 to 177.1)
        """
        from planner.script.questions import speed_answers  # noqa: PLC0415 - a plan needs none

        return speed_answers(self.record)

    def array(self, depth: float | str | None = None) -> "Answers":
        """Return the speed of the array at `depth` operations outstanding on all of it.

        By default each drive has the depth of the plan.
        """
        from planner.script.questions import array_answers  # noqa: PLC0415 - as above

        return array_answers(self.record, depth=depth)

    def loss(self, **inputs: Unpack[LossInputs]) -> "Answers":
        """Return the probability of data loss and the replacements of drives within `years`."""
        from planner.script.questions import loss_answers  # noqa: PLC0415 - as above

        return loss_answers(self.record, **({"years": self.years} | {**inputs}))

    def cost_of(self, **inputs: Unpack[CostInputs]) -> "Answers":
        """Return the cost of owning the drives for `years`, with energy, slots and labour."""
        from planner.script.questions import cost_answers  # noqa: PLC0415 - as above

        return cost_answers(self.record, **({"years": self.years} | {**inputs}))

    def heat(self, **inputs: Unpack[HeatInputs]) -> "Answers":
        """Return the energy per byte of one drive, its idle states and its temperature.

        >>> plan("980 1TB").heat(room="35 C", cooling="desktop heatsink").throttles
        unlimited (101.4 to unlimited)
        """
        from planner.script.questions import heat_answers  # noqa: PLC0415 - as above

        return heat_answers(self.record, **inputs)

    def __getitem__(self, key: str) -> Number:
        """Return any number of the plan by its key, or by the name of its attribute."""
        key = key_of(key)
        if key in FIRST_OF:
            return self._first(key)
        answer = self.record.reading.answer(self._node(key))
        if np.ndim(answer.value):
            raise KeyError(f"{key} is a list of numbers: plan.record.reading has it")
        return Number(
            answer.value,
            answer.key,
            between=self._ends(answer.key, answer.value, [self._node(key)]),
            assumed=self._reasons(answer),
            limit=self.record.binding.get(BOUND_IN.get(key, ""), ""),
            lacking=_supplies(answer.lacking),
            answers=[answer],
        )

    @property
    def drive(self) -> Drive:
        """The drive, with the facts that were given for it."""
        return self.record.drive

    @property
    def writes_read_as(self) -> str:
        """The reading of the sentence that states the writes; empty if it is plain."""
        return self.record.workload.writes_read_as

    @property
    def limit(self) -> str:
        """The limit that ends its life."""
        return self.life.limit

    @property
    def assumed(self) -> dict[str, str]:
        """The assumed facts, with their ranges and basis."""
        return {item.quantity: str(item) for item in self.record.assumed}

    @property
    def lacking(self) -> dict[str, str]:
        """The facts that would make more numbers known, and where to get them."""
        return _supplies(fact for answer in self.record.missing for fact in answer.lacking)

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions and limits of validity, the most important first."""
        return tuple(dict.fromkeys((*notes_of(self.application), *self.record.notes)))

    def verdict(self, years: float | str | None = None) -> "Verdict":
        """Return a verdict in words: whether the plan holds for some years, and what to change.

        Without `years` it is for those of the plan.

        >>> plan("870 EVO 1TB", writes="30 GB/day").verdict().safe.text
        'No. A single drive has no copy: data loss within 5 years about 1 in 35. Keep a backup. \
No power-loss protection: a power cut can lose acknowledged writes not yet flushed.'
        """
        from planner.search.verdict import verdict  # noqa: PLC0415 - a plan needs none of it

        horizon = self.years if years is None else years
        horizon_s = stated({"years": horizon}, ["years"])["horizon_s"]
        return verdict(self.record, horizon_s, application=self.application)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per answer, in the order of the command line."""
        import pandas as pd  # noqa: PLC0415 - a plan needs none of it

        sections, basis = self.record.sections.items(), self.record.uncertain.basis
        rows = [("Life", self.life), ("Life", self.endurance)]
        rows += [(name, self[answer.key]) for name, answers in sections for answer in answers]
        return pd.DataFrame(
            [
                {
                    "section": section, "label": number.label, "value": float(number),
                    "low": number.low, "high": number.high,
                    "basis": basis(*number.answers) if number.is_known else "",
                    "unit": number.unit, "limit": number.limit,
                    "assumed": "; ".join(number.assumed), "source": number.source,
                    "lacking": "; ".join(number.lacking.values()),
                }
                for section, number in rows
            ],
            index=pd.Index([number.key for _, number in rows], name="key"),
        )  # fmt: skip

    def to_json(self) -> str:
        """Return the output of the command `plan --json`: every number in base units."""
        from planner.export.tables import record, verdict_record  # noqa: PLC0415 - not needed before

        values = record(self.record, load()) | {"verdict": verdict_record(self.verdict())}
        return json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False)

    def to_excel(self, path: str | Path, *, exported: date | str | None = None) -> None:
        """Write a workbook with live formulas; `exported` is its date, by default today."""
        from planner.export.files import write_files  # noqa: PLC0415 - a plan needs none
        from planner.export.workbook.book import workbook  # noqa: PLC0415 - a plan needs none

        content = workbook(
            [self.record], load(), exported=_day(exported), application=self.application,
            risk=Risk(**stated({"years": self.years}, ["years"])),
        )  # fmt: skip
        write_files({Path(path): content})

    def fio_job(self, *, device: str | None = None) -> str:
        """Return a fio job that measures the predicted speed of one drive of the plan.

        ALL DATA ON THE DEVICE IS LOST when it runs; by default fio takes the name of the device
        from the environment.

        >>> job = plan("845DC PRO 400").fio_job()
        >>> [line for line in job.splitlines() if line.startswith("[")][:2]
        ['[global]', '[fill]']
        """
        from planner.export.fio_job import DEVICE, job_of  # noqa: PLC0415 - a plan needs none

        return job_of(self.record, device=DEVICE if device is None else device)

    def __repr__(self) -> str:
        return f"{self._head}: {_brief(self.life)}{self._by}\n  {', '.join(self._parts)}"

    def _repr_html_(self) -> str:
        numbers = (self.life, self.wear, self.rating, self.warranty, self.wa, self.usable,
                   self.iops, self.price, self.price_per_usable)  # fmt: skip
        rows = "".join(
            f"<tr><th>{escape(number.label)}</th><td>{escape(repr(number))}</td></tr>"
            for number in numbers
        )
        return f"<table><caption>{escape(self._head + self._by)}</caption>{rows}</table>"

    @property
    def _head(self) -> str:
        array, writes = self.record.array, self.record.workload.host_bytes_per_s
        drives = f"{array.members} x {self.drive.name}, {array.name}"
        name = drives if array.members > 1 else self.drive.name
        return f"{name} at {writes_text(writes)}"

    @property
    def _by(self) -> str:
        return f", by {self.limit}" if self.limit else ""

    @property
    def _parts(self) -> Iterator[str]:
        yield f"usable {_brief(self.usable)}"
        yield f"write amplification {_brief(self.wa)}"
        yield f"{_brief(self.iops)}" if self.iops.is_known else "IOPS unknown"
        yield f"{_brief(self.price)}" if self.price.is_known else "price unknown"

    def _ends(self, key: str, value: float, nodes: Sequence[Node]) -> tuple[float, float]:
        each = self.record.range_over(key, value, nodes)
        return each.low, each.high

    def _first(self, key: str) -> Number:
        """Return the smallest of several known lives, or the facts that would make one known."""
        keys = FIRST_OF[key]
        answers = [self.record.reading[each] for each in keys]
        limit_of = {id(answer): _LIMIT_OF[each] for answer, each in zip(answers, keys, strict=True)}
        known = sorted((one for one in answers if one.is_known), key=lambda one: one.value)
        value = known[0].value if known else np.nan
        lacking = () if known else min((one.lacking for one in answers), key=len)
        return Number(
            value,
            key,
            between=self._ends(key, value, [self._node(each) for each in keys]),
            assumed=self._reasons(*answers),
            limit=limit_of[id(known[0])] if known and np.isfinite(value) else "",
            lacking=_supplies(lacking),
            answers=known,
        )

    def _node(self, key: str) -> Node:
        """Return the node of a quantity: the first that is known, else the last."""
        present = self._nodes(key)
        if not present:
            graph = self.record.reading.graph
            near = get_close_matches(str(key), [*NAMED, *graph.nodes], n=3)
            raise KeyError(f"a plan has no {key!r}{f'; {near} are near' if near else ''}")
        known = (node for node in present if self.record.reading.answer(node).is_known)
        return next(known, present[-1])

    def _nodes(self, key: str) -> list[Node]:
        """List the nodes that may have a quantity."""
        graph = self.record.reading.graph
        nodes = (graph.answers.get(key), graph.nodes.get(key), graph.nodes.get(f"{key}:any"))
        return [node for node in nodes if node is not None]

    def _reasons(self, *answers: Answer) -> tuple[str, ...]:
        """Return the assumptions behind some answers, with what would narrow them."""
        return tuple(item.reason for item in self.record.behind(*answers))


for _name, _key in NAMED.items():  # a type checker has them from `PlanAnswers`
    setattr(Plan, _name, Item(_key))


def key_of(name: str) -> str:
    """Return the key of a number of a plan by the name of its attribute, or by its key."""
    if not isinstance(name, str):
        raise KeyError(f"a plan has its numbers by key, such as plan['life_s'], got {name!r}")
    return NAMED.get(name, name)


def _usual(name: str) -> str:
    default = INPUTS[name].default
    return f" Default: {default}." if default else ""


def plan(
    drive: Drive | str | None = None,
    *,
    years: float | str = USUAL_YEARS,
    **inputs: Unpack[PlanInputs],
) -> Plan:
    """Plan a drive of the catalogue, a sentence, or, with `capacity`, a drive not in it.

    Inputs have the names of the command-line options and are texts with units, numbers where no
    other unit is possible, or (number, unit). Unknown facts are assumed from drives of the same
    kind, and numbers then have a range; with `known_only=True` only known facts are used. With
    `app` the writes are those of an application, with `app_inputs` its inputs in base units, or of
    several on layers `on`, as for `ssd.app`. `years` is the time that the verdict is given for.

    >>> plan("845DC PRO 400", writes="4 TB/day", drives=12, raid=5)
    12 x Samsung 845DC PRO 400 GB, RAID 5 at 4 TB/day: 5 years, by warranty period
      usable 4.4 TB, write amplification 1.291 x (1.054 to 2.128), \
459,235 IOPS (386,395 to 533,957), 5,611 USD (2,784 to 11,308)
    >>> print(plan("two 870 EVO 4 TB in a mirror, 40 GB a day, seven years").years)
    7 years
    >>> plan("M500 120", writes="30 GB/day").wear
    8.288 years (3.125 to 21.98)
    >>> plan("870 EVO 1TB", app="etcd", app_inputs={"puts_per_s": 50}).rating
    24.97 years (19.74 to 30.51)
    """
    check_drive(drive)  # before an application is read
    if isinstance(drive, str) and (said := stated_plan(drive)) is not None:
        drive, years, inputs = _of_sentence(said, years, inputs)
    application, of_plan = application_of(inputs, drive)
    if application is not None and of_plan.keys().isdisjoint(("keep", "drives", "raid")):
        application = application.over_hosts()
        of_plan |= application.plan_inputs | application.cluster_inputs
    texts = texts_of(of_plan, _INPUTS, "a plan")
    horizon = written("years", years)
    stated({"years": horizon}, ["years"])  # refused here, not first by the verdict
    return Plan(planned(drive, texts), application, horizon)


plan.__doc__ = f"""{plan.__doc__ or ""}
    Inputs:
{"".join(f"        {name}: {INPUTS[name].help}{_usual(name)}{chr(10)}" for name in _INPUTS)}"""


def _of_sentence(
    said: PlanSentence, years: float | str, inputs: Mapping[str, Any]
) -> tuple[str | None, float | str, Any]:
    """Return the drive, the years and the inputs of a sentence; what is given goes before it."""
    typed = dict(said.inputs)
    drive, stated_years = typed.pop("drive", None), typed.pop("years", years)
    return drive, stated_years if years == USUAL_YEARS else years, {**typed, **inputs}


def _day(written: date | str | None) -> date | None:
    if not isinstance(written, str):
        return written
    return datetime.fromtimestamp(parse_day("exported", written), UTC).date()


def _supplies(facts: Iterable[str]) -> dict[str, str]:
    return {fact: supply(fact) for fact in facts}


def _brief(number: Number) -> str:
    return repr(number) if number.is_known else "unknown"
