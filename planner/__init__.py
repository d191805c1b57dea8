"""Capacity, life, speed and cost of SSDs and arrays of them, from formulas with their sources.

>>> import planner as ssd
>>> plan = ssd.plan("845DC PRO 400", writes="4 TB/day", drives=12, raid=5)
>>> plan.usable, plan.wear, plan.life.limit
(4.4 TB, 69.99 years (53.92 to 81.86), 'warranty period')

Inputs are texts with units or plain numbers, by the names of the command line's options:
`planner.quantity.inputs` lists them. Nothing is imported before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.graph.number import Number
    from planner.script.choices import choose
    from planner.script.drives import drive, drives
    from planner.script.lives import RemainingLife, remaining_life
    from planner.script.plans import Plan, plan
    from planner.script.sizes import size

__version__ = "0.2.0"
__all__ = [
    "Number",
    "Plan",
    "RemainingLife",
    "choose",
    "drive",
    "drives",
    "plan",
    "remaining_life",
    "size",
]

# No module in this folder may have one of these names: once imported, it would take its place.
_MODULES = {
    "Number": "planner.graph.number",
    "Plan": "planner.script.plans",
    "RemainingLife": "planner.script.lives",
    "choose": "planner.script.choices",
    "drive": "planner.script.drives",
    "drives": "planner.script.drives",
    "plan": "planner.script.plans",
    "remaining_life": "planner.script.lives",
    "size": "planner.script.sizes",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
