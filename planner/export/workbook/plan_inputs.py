"""Kinds of input cells of a plan: open, linked, or fixed."""

import re
from enum import Enum, auto

import numpy as np

from models.nomenclature import QUANTITIES
from planner.catalogue.priors import supply
from planner.export.workbook.live import LivePlan
from planner.graph.answer import Answer
from planner.quantity.show import shown
from planner.scenario.array import RaidLevel
from planner.sections.plan import PlanReading

_ASKED = "array_quantile"  # defined by the planner, yet free to be asked otherwise
_OF_ARRAY = (_ASKED, "member_stall_fraction")
_NO_RANGE = re.compile(r" \(range (.+) to \1\)")
_CANCELS = "equal_wa"
_LAYOUT = ("copies", "parities", "sets")


class InputKind(Enum):
    """Way to fill an input cell."""

    OPEN = auto()
    CONSTANT = auto()
    LIST = auto()
    AS_MEMBERS = auto()
    AS_FIRST = auto()


def group(key: str, node: Answer | None) -> str:
    """Name the group of inputs in which a number stands; blanks have no source."""
    source = node.source if node is not None else ""
    if node is not None and node.is_given and _is_constant(key, node):
        return "Constants"
    if key in _OF_ARRAY or source == "array":
        return "Inputs: array"
    shared = source == "workload"
    return "Inputs: workload" if shared else "Inputs: drive"


def kind(key: str, own: LivePlan, first: LivePlan) -> InputKind:
    """Find the kind of an input of one plan, beside the first plan of the sheet."""
    node = own.given(key)
    if node is not None and _is_constant(key, node):
        return InputKind.CONSTANT
    if node is not None and np.ndim(node.value):
        return InputKind.LIST
    if _follows_members(key, own.plan):
        return InputKind.AS_MEMBERS
    return InputKind.AS_FIRST if _is_shared(key, own, first) else InputKind.OPEN


def listed(key: str, own: LivePlan) -> str:
    """Write an input that is a list of numbers as text: a cell holds one number."""
    node = own.given(key)
    values = np.atleast_1d(node.value) if node is not None else ()
    return ", ".join(f"{shown(key, value):.6g}" for value in values)


def described(key: str, own: LivePlan, beside: Answer | None = None) -> str:
    """Name the formula of a result, or say what an input is; of one beside the plan too."""
    if own.is_result(key):
        return " or ".join(name.removeprefix("models.") for name in own.formulas(key))
    return _describe(key, own) if beside is None else "input"


def origin(key: str, own: LivePlan, beside: Answer | None = None) -> str:
    """Name the source of an input, or what would supply it, with the notes on a number."""
    if key in own.blanks or (beside is not None and not beside.is_known):
        return f"not known; available in {supply(key).partition(': ')[2]}"
    node = own.given(key) or beside
    note = said_once(key, own.note(key) if beside is None else beside.note)
    source = "" if node is None else node.source
    return "; ".join(part for part in (source, note) if part)


def said_once(key: str, note: str) -> str:
    """Return the note on a number without its name, and without a range that is none.

    >>> said_once("raw_bytes", "assumed: Raw flash: 4 GiB (range 4 GiB to 4 GiB). Peers.")
    '4 GiB. Peers.'
    """
    label = QUANTITIES[key].label
    return _NO_RANGE.sub("", note.removeprefix("assumed: ").removeprefix(f"{label}: "))


def _describe(key: str, own: LivePlan) -> str:
    if _follows_members(key, own.plan):
        return "the number of drives"
    node = own.given(key)
    if node is not None and np.ndim(node.value):
        return "fixed at export"
    return "constant" if node is not None and _is_constant(key, node) else "input"


def _follows_members(key: str, plan: PlanReading) -> bool:
    """Whether a number is the number of drives: every drive of RAID 1 is a copy."""
    return key == "copies" and plan.array.level is RaidLevel.RAID1


def _is_constant(key: str, node: Answer) -> bool:
    return key == _CANCELS or (node.source == "definition" and key != _ASKED)


def _is_shared(key: str, own: LivePlan, first: LivePlan) -> bool:
    """Whether an input of workload or array is the first plan's, so that one edit moves both."""
    node, other = own.given(key), first.given(key)
    if own is first or group(key, node) not in ("Inputs: workload", "Inputs: array"):
        return False
    if key in _LAYOUT and own.plan.array.level is not first.plan.array.level:
        return False
    if node is None or other is None:
        return key in own.blanks and key in first.blanks
    return node.value == other.value
