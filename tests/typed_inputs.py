"""Write the inputs and answers of scripts for type checkers from their tables.

`make typed-inputs` writes `planner/script/typed_inputs.py`; a test compares it with the tables.
"""

import sys
from collections.abc import Iterable

from planner.quantity import input as kinds
from planner.quantity.inputs import FACTS, FAILURES, INPUTS, PLAN, SURROUNDINGS, TERMS, TESTED
from planner.script.inputs import IMPLICIT_UNITS
from planner.script.plans import NAMED
from planner.sections.prices import PRICED

HEAD = '''"""Inputs and answers of scripts for type checkers, from tables by `make typed-inputs`."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from planner.graph.number import Number

Count: TypeAlias = int | str
Level: TypeAlias = int | str
Scalar: TypeAlias = float | str
Share: TypeAlias = float | str
Measure: TypeAlias = str | tuple[float, str] | Number  # a text with its unit, a Number, or a pair
'''
OF_KIND = {
    kinds.share: "Share", kinds.part: "Share", kinds.whole: "Count", kinds.number: "Scalar",
    kinds.flag: "bool", kinds.choice: "str", kinds.words: "str", kinds.skew: "str",
    kinds.level: "Level", kinds.day: "str", kinds.keep: "str",
}  # fmt: skip
CLASSES = {
    "PlanInputs": ((*PLAN, *FACTS, *PRICED), "a plan"),
    "LossInputs": (("years", *FAILURES), "the loss of data"),
    "CostInputs": (("years", *TERMS, "afr", "life_spread", "replace_at"), "the cost of owning"),
    "HeatInputs": (SURROUNDINGS, "energy and heat"),
    "ProtocolInputs": ((*TESTED, *FACTS), "a test of drives"),
}
FURTHER = {
    "PlanInputs": (
        "app: str | Sequence[str]", "app_inputs: Mapping[str, Any]", "on: str | Sequence[str]",
    )
}  # fmt: skip


def type_of(name: str) -> str:
    """Name the type of an input."""
    row = INPUTS[name]
    if row.read is kinds.time and row.shown_in == "years":
        return "Scalar | Measure"
    kind = OF_KIND.get(row.read, "Measure")
    if row.read is kinds.quantity and row.shown_in in IMPLICIT_UNITS:
        kind = "Scalar"
    kind = "Scalar | Measure" if kind == "Measure" and "USD" in row.shown_in else kind
    return f"{kind} | Sequence[str]" if row.is_repeatable else kind


def written() -> str:
    """Write the module."""
    answers = "".join(f"    {name}: Number\n" for name in NAMED)
    return (
        HEAD
        + "".join(
            f'\n\nclass {name}(TypedDict, total=False):\n    """Inputs of {of}."""\n\n'
            + "".join(f"    {line}\n" for line in lines(names, FURTHER.get(name, ())))
            for name, (names, of) in CLASSES.items()
        )
        + f'\n\nclass PlanAnswers:\n    """Answers that are attributes of a plan."""\n\n{answers}'
    )


def lines(names: Iterable[str], further: Iterable[str]) -> list[str]:
    """Write the fields of a class."""
    return [*(f"{name}: {type_of(name)}" for name in dict.fromkeys(names)), *further]


if __name__ == "__main__":
    sys.stdout.write(written())
