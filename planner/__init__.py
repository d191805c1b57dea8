"""Capacity, life, speed and cost of SSDs and of arrays of SSDs, from formulas with sources.

>>> import planner as ssd
>>> plan = ssd.plan("845DC PRO 400", writes="4 TB/day", drives=12, raid=5)
>>> plan.usable, plan.wear, plan.life.limit
(4.4 TB, 76.86 years (37.61 to 157.1), 'warranty period')

Inputs have the names of the command-line options: `help(planner.plan)` lists them. A number needs
its unit where several are possible: "4 TB/day", or (46, "MB/s").
Submodules are imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.graph.number import Number
    from planner.script.choices import choose
    from planner.script.drives import drive, drives, quotes, quotes_table
    from planner.script.files import fleet, read
    from planner.script.fits import fit, fit_app
    from planner.script.loads import app, apps, workloads
    from planner.script.plans import Plan, plan
    from planner.script.remaining_life import RemainingLife, remaining_life
    from planner.script.simulations import simulate, wa
    from planner.script.sizes import size
    from planner.script.sweeps import compare, sweep
    from planner.script.uncertain import least_regret, uncertainty

__version__ = "0.2.0"
__all__ = [
    "Number",
    "Plan",
    "RemainingLife",
    "app",
    "apps",
    "choose",
    "compare",
    "drive",
    "drives",
    "fit",
    "fit_app",
    "fleet",
    "least_regret",
    "plan",
    "quotes",
    "quotes_table",
    "read",
    "remaining_life",
    "simulate",
    "size",
    "sweep",
    "uncertainty",
    "wa",
    "workloads",
]

# No module in this folder may have one of these names: importing it would replace the function.
_MODULES = {
    "Number": "planner.graph.number",
    "Plan": "planner.script.plans",
    "RemainingLife": "planner.script.remaining_life",
    "app": "planner.script.loads",
    "apps": "planner.script.loads",
    "choose": "planner.script.choices",
    "compare": "planner.script.sweeps",
    "drive": "planner.script.drives",
    "drives": "planner.script.drives",
    "fit": "planner.script.fits",
    "fit_app": "planner.script.fits",
    "fleet": "planner.script.files",
    "least_regret": "planner.script.uncertain",
    "plan": "planner.script.plans",
    "quotes": "planner.script.drives",
    "quotes_table": "planner.script.drives",
    "read": "planner.script.files",
    "remaining_life": "planner.script.remaining_life",
    "simulate": "planner.script.simulations",
    "size": "planner.script.sizes",
    "sweep": "planner.script.sweeps",
    "uncertainty": "planner.script.uncertain",
    "wa": "planner.script.simulations",
    "workloads": "planner.script.loads",
}


if not TYPE_CHECKING:  # a type checker knows the names, and refuses others

    def __getattr__(name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_MODULES[name]), name)
        return value


def __dir__() -> list[str]:
    own = (name for name in globals() if name.startswith("__"))
    return sorted({*own, *__all__})
