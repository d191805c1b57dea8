"""The formula behind a number: its public name, its call as Python, and its documentation."""

import inspect
import math
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from typing import Any, cast

import numpy as np

import models


@dataclass(frozen=True, slots=True, kw_only=True)
class Maths:
    """The documentation of a formula: first line, equation, range of validity and source."""

    name: str
    summary: str
    equation: str
    validity: str


def formulas() -> Iterator[Callable[..., Any]]:
    """List every public formula of `models` once, module by module.

    >>> next(formulas()).__module__.startswith("models.")
    True
    """
    modules = (
        import_module(place.name)
        for place in pkgutil.walk_packages(models.__path__, "models.")
        if not re.search(r"\b_|simulator", place.name)
    )
    for module in modules:
        for name, formula in inspect.getmembers(module, inspect.isfunction):
            if formula.__module__ == module.__name__ and not name.startswith("_"):
                yield formula


@cache
def public_name(formula: Callable[..., Any]) -> str:
    """Return the import path of a formula: its package if that exports it, else its module.

    >>> from models import write_amplification
    >>> public_name(write_amplification.skewed)
    'models.write_amplification.skewed'
    """
    module, name = formula.__module__, formula.__qualname__
    package = module.rpartition(".")[0]
    exported = package and getattr(import_module(package), name, None) is formula
    return f"{package if exported else module}.{name}"


def call_text(formula: str, arguments: Mapping[str, Any], part: str = "") -> str:
    """Write a call as Python; with `part`, the field of the record that it returns.

    >>> from models.array_speed import FullStripes
    >>> call_text("models.f", {"iops": 5e4, "depths": [1, 2], "stripes": FullStripes(0.5, 8)}, "sd")
    'models.f(iops=50000.0, depths=[1.0, 2.0],
              stripes=models.array_speed.FullStripes(full_stripe_fraction=0.5,
                                                     code_members=8.0)).sd'
    """
    written = ", ".join(f"{name}={_literal(value)}" for name, value in arguments.items())
    return f"{formula}({written})" + (f".{part}" if part else "")


def _literal(value: Any) -> str:
    """Write an argument as Python."""
    if is_dataclass(value) or hasattr(value, "_asdict"):
        kind = cast("Callable[..., Any]", type(value))
        names = value._fields if hasattr(value, "_fields") else [one.name for one in fields(value)]
        return call_text(public_name(kind), {name: getattr(value, name) for name in names})
    if np.ndim(value):
        return f"[{', '.join(_literal(part) for part in value)}]"
    number = float(value)
    return repr(number) if math.isfinite(number) else f"float('{number}')"


def maths(formula: str) -> Maths:
    r"""Return the documentation of a formula by its public name; the equation is LaTeX.

    >>> maths("models.endurance.lifetime_s").equation
    't = L / \\lambda'
    """
    module_name, _, name = formula.rpartition(".")
    function = getattr(import_module(module_name), name)
    doc = inspect.getdoc(function) or ""
    module_doc = import_module(function.__module__).__doc__ or ""
    equation = re.search(r"\.\. math:: (.*?)\n\n", doc, re.DOTALL)
    notes = re.search(r"^Notes:\n(.*?)\n\n", doc, re.DOTALL | re.MULTILINE)
    return Maths(
        name=formula,
        summary=doc.partition("\n")[0],
        equation=" ".join(equation[1].split()) if equation else "",
        validity=_with_references(" ".join(notes[1].split()) if notes else "", module_doc),
    )


def _with_references(notes: str, module_doc: str) -> str:
    """Replace footnote marks such as `[1]_` by the references that the module lists."""
    references = re.findall(r"\.\. \[(\d+)\] (.*?)(?=\n *\.\. \[|\Z)", module_doc, re.DOTALL)
    for number, reference in references:
        notes = notes.replace(f"[{number}]_", " ".join(reference.split()).rstrip("."))
    return notes
