"""The cost of owning in words."""

from planner.search.verdict.words import two
from planner.sections.ownership import Ownership


def parts_text(owned: Ownership) -> str:
    """List the parts of the net present cost, two digits each; empty where none is known.

    >>> from planner.sections.request import plan_of
    >>> from planner.sections.ownership import ownership
    >>> parts_text(ownership(plan_of("870 EVO 1TB", price=100)))
    'drives 100, replacements 2.5, energy 2.8, slots 110, labour 1.2, residual 0'
    """
    return ", ".join(f"{name} {two(float(part.value))}" for name, part in owned.parts.items())
