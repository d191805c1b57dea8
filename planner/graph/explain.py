"""The formula behind a figure, in words and symbols, from its own docstring."""

import importlib
import inspect
import re
from dataclasses import dataclass

__all__ = ["Maths", "maths"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maths:
    """What a formula says of itself."""

    name: str
    summary: str
    equation: str
    validity: str


def maths(formula: str) -> Maths:
    r"""Return the equation (LaTeX), range and source of a formula by its full name.

    >>> maths("models.endurance.lifetime_s").equation
    't = L / \\lambda'
    """
    module_name, _, name = formula.rpartition(".")
    module = importlib.import_module(module_name)
    doc = inspect.getdoc(getattr(module, name)) or ""
    equation = re.search(r"\.\. math:: (.*?)\n\n", doc, re.DOTALL)
    notes = re.search(r"Notes\n-----\n(.*?)\n\n", doc, re.DOTALL)
    return Maths(
        name=formula,
        summary=doc.partition("\n")[0],
        equation=" ".join(equation[1].split()) if equation else "",
        validity=_resolve(" ".join(notes[1].split()) if notes else "", module.__doc__ or ""),
    )


def _resolve(notes: str, module_doc: str) -> str:
    """Put the works that the module lists in the place of the numbers that stand for them."""
    works = re.findall(r"\.\. \[(\d+)\] (.*?)(?=\n\.\. \[|\Z)", module_doc, re.DOTALL)
    for number, work in works:
        notes = notes.replace(f"[{number}]_", " ".join(work.split()).rstrip("."))
    return notes
