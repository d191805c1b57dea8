"""`size` for scripts: the spare area, writes, drives, class or price that meet a target."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.application import Application
from planner.catalogue.drive import Drive
from planner.catalogue.priors import supply
from planner.graph.number import Number
from planner.quantity.input import InputError
from planner.quantity.inputs import FACTS, INPUTS, PLAN
from planner.quantity.show import text
from planner.script.drives import drive as find_drive
from planner.script.inputs import application_of, drives_of, notes_of, planned, texts_of
from planner.script.plans import Plan
from planner.search.size import Margin, Sizing
from planner.search.size.request import (
    BASES,
    INPUTS_OF,
    answered,
    fewest_drives,
    price_for,
    raw_for,
)
from planner.search.size.wording import headline, sentence

if TYPE_CHECKING:
    import pandas as pd

Question = Literal["spare", "writes", "class", "drives", "price", "raw"]
# The quantity that answers each question.
KEYS: Mapping[str, str] = {
    "spare": "partition_fraction", "writes": "host_bytes_per_s", "class": "rated_dwpd",
    "drives": "members", "price": "price_usd", "raw": "raw_bytes",
}  # fmt: skip
OF_TWO = ("price", "raw")
INPUT_AT = {row.option: name for name, row in INPUTS.items()}
_OPTION = re.compile("|".join(sorted(INPUT_AT, key=len, reverse=True)))


@dataclass(frozen=True, eq=False, repr=False)
class Sized:
    """The answer to an inverse question, the binding limit, and the margins of the others."""

    record: Sizing
    key: str
    application: Application | None = None

    @property
    def value(self) -> Number:
        """The answer; NaN if nothing meets the target, or a fact is missing."""
        answer = self.record.answer
        return Number(
            self.record.value,
            self.key if answer is None else answer.key,
            limit=self.limit,
            lacking=self.lacking,
            between=None if self.record.range is None else self.record.range[:3:2],
            answers=[] if answer is None else [answer],
        )

    @property
    def limit(self) -> str:
        """The binding limit."""
        return str(self.record.limit or "")

    @property
    def lacking(self) -> dict[str, str]:
        """The missing facts, and where to get them."""
        return {fact: supply(fact) for fact in self.record.lacking}

    @property
    def plan(self) -> Plan | None:
        """The plan at the answer, or at the nearest possible one; None for the question `raw`."""
        return None if self.record.plan is None else Plan(self.record.plan)

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions and limits of validity."""
        return (*notes_of(self.application), *self.record.notes)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per requirement: needed and available."""
        import pandas as pd  # noqa: PLC0415 - an answer needs none of it

        return pd.DataFrame([_row(margin) for margin in self._margins])

    def __repr__(self) -> str:
        name = f"{self.record.plan.drive.name}: " if self.record.plan else ""
        return f"{name}{headline(self.record)}\n  {next(self._lines, 'nothing binds')}"

    @property
    def _lines(self) -> Iterator[str]:
        if self.lacking:
            yield f"needs {', '.join(QUANTITIES[fact].label for fact in self.lacking)}"
        yield from (sentence(margin) for margin in self._margins)
        yield from (
            f"{QUANTITIES[part.key].label}: {text(part.key, part.value)}"
            for part in self.record.details
            if part.is_known
        )

    @property
    def _margins(self) -> tuple[Margin, ...]:
        return self.record.margins or self.record.rejected


def size(
    drive: Drive | str | Sequence[Drive | str] | None,
    question: Question,
    *,
    by: Literal["written", "usable", "owned"] = "written",
    **inputs: Any,
) -> Sized:
    """Answer an inverse question, as the command `size` does.

    `spare`: how much to leave unpartitioned for `life`, `dwpd` or `iops`; `writes`: how much may be
    written per day over `years`; `class`: which endurance class is needed; `drives`: how many for
    `usable`, `iops`, `floor_iops`, `window_iops` and `life`; `price`: the price at which the second
    drive is as good a buy as the first, `by` cost per byte written, usable or owned; `raw`: the raw
    flash of two models that differ in spare area only; these two take a pair of drives. All
    other inputs are those of a plan.

    >>> sized = size("845DC PRO 400", "drives", raid=5, usable="4 TB")
    >>> sized.value, sized.plan.usable
    (11, 4 TB)
    """
    drives = [] if drive is None else drives_of(drive)
    _check(question, drives, by)
    names = ("skew",) if question == "raw" else (*PLAN, *FACTS, *INPUTS_OF[question])
    application, inputs = application_of(inputs, drives[0] if len(drives) == 1 else None)
    texts = texts_of(inputs, names, f"size {question!r}")
    try:
        found = _sizing(question, drives, texts, by)
    except InputError:
        raise
    except DomainError as error:
        raise DomainError(_OPTION.sub(lambda option: INPUT_AT[option[0]], str(error))) from None
    return Sized(found, KEYS[question], application)


def _check(question: str, drives: Sequence[Drive | str], by: str) -> None:
    if question not in KEYS:
        raise DomainError(f"question must be one of {', '.join(KEYS)}, got {question!r}")
    if by not in BASES:
        raise DomainError(f"by must be one of {', '.join(BASES)}, got {by!r}")
    if question in OF_TWO and len(drives) != 2:
        raise DomainError(f"size {question!r} compares two drives, got {len(drives)}")
    if question not in OF_TWO and len(drives) > 1:
        raise DomainError(f"size {question!r} takes one drive, got {len(drives)}")


def _sizing(question: str, drives: Sequence[Drive | str], texts: dict[str, Any], by: str) -> Sizing:
    if question == "raw":
        one, other = map(find_drive, drives)
        return raw_for(one, other, skew=texts.get("skew", "uniform"))
    if question == "drives":
        if "drives" in texts:
            raise DomainError("drives is the answer here: leave it out")
        texts = fewest_drives(texts)
    of_plan = {name: texts[name] for name in texts.keys() & {*PLAN, *FACTS}}
    first, *others = (planned(each, of_plan) for each in drives or (None,))
    if question == "price":
        return price_for(first, others[0], texts, by=by)
    return answered(question, first, texts)


def _row(margin: Margin) -> dict[str, Any]:
    needed, available = (Number(each, margin.key) for each in (margin.needed, margin.available))
    return {
        "limit": margin.limit, "label": needed.label, "needed": float(needed),
        "available": float(available), "unit": needed.unit, "margin": margin.margin_ratio,
    }  # fmt: skip
