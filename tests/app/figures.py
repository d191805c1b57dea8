"""Figures that a run of the app draws, each by its key: recorded where they are written.

A figure is an answer with its key in the nomenclature. One key is one number of the plan on screen,
whichever place shows it: the verdict, a part of the plan, the table of every number, a comparison.
"""

import contextlib
import sys
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
import pytest

from planner.export import comparison
from planner.graph.answer import walk
from planner.quantity import show
from planner.quantity.inputs import FAILURES, INPUTS
from planner.sections.data_loss import data_loss
from planner.ui import numbers, plain, verdict

ALIKE = 1e-9  # relative, of one figure in two places
# Inputs behind a figure that are compared as well: they are typed in one part and hold in all.
BEHIND = {INPUTS[name].field for name in (*FAILURES, "years")}
# Functions of screens that write figures of other plans than the one on screen, by module.
OF_OTHERS = {
    "planner.ui.speed": {"_finding", "_too_short"},  # also with a quarter of it left free
    "planner.ui.rates": {"_table"},  # of a request and a queue depth of its own
    # arguments of formulas, of which two may have one key; assumptions moved by sliders
    "planner.ui.explained": {"_row", "_walk", "_assumptions", "_between"},
}
_WITHIN = {"_shown", "<listcomp>", "<dictcomp>", "<genexpr>"}


class Figure(NamedTuple):
    """A number in base units and where it is shown; NaN where it is missing."""

    value: Any
    place: str

    def is_like(self, other):
        """Whether another place shows the same."""
        one, two = (np.ravel(np.asarray(each.value, dtype=float)) for each in (self, other))
        return one.shape == two.shape and np.allclose(one, two, ALIKE, 0.0, equal_nan=True)


class Figures:
    """Figures of the plan on screen, by key, in the order in which they were drawn."""

    def __init__(self):
        self.drawn = defaultdict(list)

    def put(self, key, value, place):
        """Record a number."""
        self.drawn[key].append(Figure(value, place))

    def put_range(self, key, low, high, place):
        """Record the ends of a range."""
        self.put(f"{key}, low", low, place)
        self.put(f"{key}, high", high, place)

    def put_answer(self, answer, place):
        """Record an answer, and the inputs on failures behind it."""
        self.put(answer.key, answer.value if answer.is_known else np.nan, place)
        for key, node in walk([answer] if answer.is_known else []).items():
            if key in BEHIND and node.source != "definition":
                self.put(key, node.value, f"{place}, behind {answer.key}")


@contextlib.contextmanager
def recorded():
    """Record each figure of the plan on screen where it is written for the screen."""
    figures = Figures()
    with pytest.MonkeyPatch.context() as patch:
        _record_answers(figures, patch)
        _record_ranges(figures, patch)
        _record_verdict(figures, patch)
        _record_comparison(figures, patch)
        _record_every_number(figures, patch)
        yield figures


def _record_answers(figures, patch):
    """Record what metrics, captions, tables and explanations of screens write."""

    @_replacing(patch, plain.shown, "shown")
    def shown(write, answer, **given):
        if place := _place():
            figures.put_answer(answer, place)
        return write(answer, **given)


def _record_ranges(figures, patch):
    """Record the ranges that stand beside figures."""

    @_replacing(patch, show.span, "span")
    def span(write, name, low, high, **given):
        if place := _place():
            figures.put_range(name, low, high, place)
        return write(name, low, high, **given)


def _record_verdict(figures, patch):
    """Record the numbers of the sentences, and what their explanations explain."""
    draw = verdict._sentence

    def sentence(plan, risk, statement):
        place = f"verdict, {statement.question}"
        for key, part in statement.numbers.items():
            figures.put(key, part.typical, place)
            figures.put_range(key, part.low, part.high, place)
        if statement.key == "array_loss_probability":
            figures.put_answer(data_loss(plan, risk)[statement.key], place)
        elif statement.key in plan.reading.graph.answers:
            figures.put_answer(plan.reading[statement.key], place)
        return draw(plan, risk, statement)

    patch.setattr(verdict, "_sentence", sentence)


def _record_comparison(figures, patch):
    """Record the column of the plan on screen, which is the first."""
    write = comparison._row

    def row(key, plans):
        answer, part = comparison._answers(plans[0]).get(key), plans[0].ranges.get(key)
        if answer is not None:
            figures.put_answer(answer, "compare")
        if part is not None:
            figures.put_range(key, part.low, part.high, "compare")
        return write(key, plans)

    patch.setattr(comparison, "_row", row)


def _record_every_number(figures, patch):
    """Record the answers in the table of every number, with their ranges."""
    write = numbers.rows

    def rows(plan, catalogue):
        for answer in (each for group in plan.sections.values() for each in group):
            figures.put_answer(answer, "every number")
            part = plan.range_of(answer.key)
            if part is not None:
                figures.put_range(answer.key, part.low, part.high, "every number")
        return write(plan, catalogue)

    patch.setattr(numbers, "rows", rows)


def _replacing(patch, write, name):
    """Put a function in the place of another in each module of the screens that imports it."""

    def by(function):
        def replaced(*given, **named):
            return function(write, *given, **named)

        for module in [*sys.modules.values()]:
            is_screen = getattr(module, "__name__", "").startswith("planner.ui.")
            if is_screen and getattr(module, name, None) is write:
                patch.setattr(module, name, replaced)
        return function

    return by


def _place():
    """Return the module and function that writes a figure; nothing for those of other plans."""
    frame = sys._getframe(3)  # beyond this one, what replaces a function, and the wrapper of that
    while frame.f_code.co_name in _WITHIN:
        frame = frame.f_back
    module, function = frame.f_globals["__name__"], frame.f_code.co_name
    return "" if function in OF_OTHERS.get(module, ()) else f"{module}.{function}"
