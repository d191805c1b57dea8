"""Capacity, life, speed and cost of SSDs and of arrays of SSDs, from formulas with sources.

>>> import planner as ssd
>>> plan = ssd.plan("845DC PRO 400", writes="4 TB/day", drives=12, raid=5)
>>> plan.usable, plan.wear, plan.life.limit
(4.4 TB, 76.86 years (37.61 to 157.1), 'warranty period')

Inputs have the names of the command-line options: `help(planner.plan)` lists them. A number needs
its unit where several are possible: "4 TB/day", or (46, "MB/s").
Submodules are imported on first use.
"""

from typing import TYPE_CHECKING

from planner.quantity.lazy import lazily

if TYPE_CHECKING:
    from planner.graph.number import Number
    from planner.script.choices import choose
    from planner.script.drives import drive, drives, quotes, quotes_table
    from planner.script.files import fleet, read
    from planner.script.fits import fit, fit_app
    from planner.script.loads import app, apps, workloads
    from planner.script.plans import Plan, plan
    from planner.script.protocol_tests import protocol
    from planner.script.rates import rates
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
    "protocol",
    "quotes",
    "quotes_table",
    "rates",
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
    "Number": "graph.number",
    "Plan": "script.plans",
    "RemainingLife": "script.remaining_life",
    "app": "script.loads",
    "apps": "script.loads",
    "choose": "script.choices",
    "compare": "script.sweeps",
    "drive": "script.drives",
    "drives": "script.drives",
    "fit": "script.fits",
    "fit_app": "script.fits",
    "fleet": "script.files",
    "least_regret": "script.uncertain",
    "plan": "script.plans",
    "protocol": "script.protocol_tests",
    "quotes": "script.drives",
    "quotes_table": "script.drives",
    "rates": "script.rates",
    "read": "script.files",
    "remaining_life": "script.remaining_life",
    "simulate": "script.simulations",
    "size": "script.sizes",
    "sweep": "script.sweeps",
    "uncertainty": "script.uncertain",
    "wa": "script.simulations",
    "workloads": "script.loads",
}


if not TYPE_CHECKING:  # a type checker knows the names, and refuses others
    __getattr__ = lazily(__name__, _MODULES)


def __dir__() -> list[str]:
    own = (name for name in globals() if name.startswith("__"))
    return sorted({*own, *__all__})
