"""Formulas of a workbook, computed from the values of the cells that they refer to.

Each is computed once, from what other cells hold as exported, and compared with what its own cell
holds: a reference to a wrong cell shows where the two differ, without a spreadsheet program.
"""

import io
import math
import re
from datetime import datetime
from functools import cached_property
from statistics import NormalDist

import numpy as np
import openpyxl
from openpyxl.utils import range_boundaries
from openpyxl.utils.datetime import to_excel

_CELL = r"\$?[A-Z]{1,3}\$?\d+"
TOKEN = re.compile(
    rf"""(?P<text>"(?:[^"]|"")*")
    |(?P<cells>(?:(?:'[^']+'|\w+)!)?{_CELL}(?::{_CELL})?)(?![\w(])
    |ROW\((?P<rows>\$?\d+:\$?\d+)\)
    |(?P<call>[A-Z]+)\(
    |(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?)
    |(?P<truth>TRUE|FALSE)\b
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign><>|<=|>=|[-+*/^&=<>(),])""",
    re.VERBOSE,
)
_SIGNS = {"=": "==", "<>": "!=", "^": "**"}


class Text(str):
    """Text of a cell: more than any number, joined by &."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __and__(self, other):
        return Text(str(self) + _written(other))

    def __rand__(self, other):
        return Text(_written(other) + str(self))

    def __lt__(self, other):
        return isinstance(other, str) and str(self) < str(other)

    def __gt__(self, other):
        return not isinstance(other, str) or str(self) > str(other)

    def __le__(self, other):
        return not self > other

    def __ge__(self, other):
        return not self < other


class Blank(float):
    """An empty cell: 0, and no text either."""

    __hash__ = float.__hash__

    def __eq__(self, other):
        return other == "" or float(self) == other

    def __ne__(self, other):
        return not self == other

    def __and__(self, other):
        return Text(_written(other))


BLANK = Blank()


def _written(value):
    if isinstance(value, Blank):
        return ""
    return str(value) if isinstance(value, str) else f"{value:.15g}"


def _is_number(value):
    return isinstance(value, float | int) and not isinstance(value, bool | Blank)


def _flat(arguments):
    """Yield every value of numbers, texts and ranges."""
    for argument in arguments:
        yield from np.ravel(argument).tolist() if isinstance(argument, np.ndarray) else (argument,)


def _numbers(arguments):
    return [value for value in _flat(arguments) if _is_number(value)]


def _sum_product(*ranges):
    columns = [[value if isinstance(value, float | int) else 0 for value in _flat([each])]
               for each in ranges]  # fmt: skip
    return math.fsum(math.prod(values) for values in zip(*columns, strict=True))


def _each(function):
    """Return a function of one number that takes ranges too."""
    every = np.vectorize(function, otypes=[object])
    return lambda value: every(value) if isinstance(value, np.ndarray) else function(value)


def _if(test, then, otherwise=lambda: False):
    return then() if test else otherwise()


def _index(values, place):
    return np.ravel(values)[int(place) - 1]


def _match(value, values, _):
    return list(_flat([values])).index(value) + 1


FUNCTIONS = {
    "ABS": abs, "INT": math.floor, "LN": math.log, "MOD": lambda one, other: one % other,
    "ROUND": lambda value, digits: round(value, int(digits)), "IF": _if, "NOT": lambda one: not one,
    "AND": lambda *every: all(_flat(every)), "OR": lambda *every: any(_flat(every)),
    "SUM": lambda *every: math.fsum(_numbers(every)), "SUMPRODUCT": _sum_product,
    "MIN": lambda *every: min(_numbers(every), default=0),
    "MAX": lambda *every: max(_numbers(every), default=0),
    "COUNT": lambda *every: len(_numbers(every)),
    "COUNTIF": lambda cells, what: sum(
        value == what and type(value) is type(what) for value in _flat([cells])
    ),
    "EXP": _each(math.exp), "NORMSDIST": _each(NormalDist().cdf),
    "NORMSINV": NormalDist().inv_cdf, "ISERROR": _each(lambda _: False),
    "ISNUMBER": _is_number, "ISTEXT": lambda value: isinstance(value, str),
    "INDEX": _index, "MATCH": _match,
    "FIXED": lambda value, digits: Text(f"{value:,.{int(digits)}f}"),
    "EXACT": lambda cells, text: np.vectorize(lambda each: each == text)(cells),
    "MID": lambda text, first, count: Text(text[int(first) - 1 :][: int(count)]),
    "GCD": lambda *every: math.gcd(*(int(one) for one in every)),
    "ROUNDUP": lambda value, _: math.ceil(value),
    "RANK": lambda value, cells, _: 1 + sum(other < value for other in _numbers([cells])),
}  # fmt: skip


def compiled(formula):
    """Return a formula as code, and the cells that it refers to."""
    written, cells, calls = [], [], []
    for token in TOKEN.finditer(formula):
        kind, text = token.lastgroup, token[token.lastgroup]
        if kind in ("cells", "name"):
            cells.append(text)
        if kind == "call" or text == "(":
            calls.append(text)
        elif text == ")":
            calls.pop()
        written.append(_code(kind, text, calls))
    return "".join(written), cells


def _code(kind, text, calls):
    """Return a piece of a formula as code; ways of `IF` are computed only if they apply."""
    if kind == "text":
        words = text[1:-1].replace('""', '"')
        return f"Text({words!r})"
    if kind == "sign":
        return ", lambda: " if text == "," and calls[-1] == "IF" else _SIGNS.get(text, text)
    if kind == "rows":
        first, last = text.replace("$", "").split(":")
        return f"rows({first}, {last})"
    return {
        "cells": f"at({text!r})", "name": f"at({text!r})", "call": f"{text}(",
        "number": f"float({text})", "truth": text.title(),
    }[kind]  # fmt: skip


class Workbook:
    """The formulas and the values of a workbook as exported."""

    def __init__(self, made):
        self.formulas = openpyxl.load_workbook(io.BytesIO(made))
        values = openpyxl.load_workbook(io.BytesIO(made), data_only=True)
        self.values = {
            sheet.title: {(got.row, got.column): _value(got.value)
                          for row in sheet.iter_rows() for got in row if got.value is not None}
            for sheet in values
        }  # fmt: skip
        self._found = {}

    @cached_property
    def names(self):
        """The cells of each defined name."""
        return {name: each.attr_text for name, each in self.formulas.defined_names.items()}

    def place(self, cells, sheet):
        """Return the sheet and the corners of cells: first column and row, last column and row."""
        title, _, area = self.names.get(cells, cells).replace("$", "").rpartition("!")
        return title.strip("'") or sheet, range_boundaries(area)

    def label(self, title, row):
        """Return the first cell of a row."""
        return self.values[title].get((row, 1))

    def at(self, cells, sheet):
        """Return the value of a cell, or the values of cells as an array."""
        if (cells, sheet) not in self._found:
            self._found[cells, sheet] = self._read(*self.place(cells, sheet))
        return self._found[cells, sheet]

    def _read(self, title, corners):
        first, top, last, end = corners
        values = self.values[title]
        if (first, top) == (last, end):
            return values.get((top, first), BLANK)
        found = np.empty((end - top + 1, last - first + 1), object)
        for row in range(top, end + 1):
            for column in range(first, last + 1):
                found[row - top, column - first] = values.get((row, column), BLANK)
        return found

    def cells(self):
        """Yield title, cell and formula of every cell with a formula."""
        for sheet in self.formulas:
            for row in sheet.iter_rows():
                for got in row:
                    if got.data_type == "f":
                        yield sheet.title, got, got.value[1:]

    def differences(self):
        """Yield each cell whose formula gives another value than it holds: what, and both."""
        for title, got, formula in self.cells():
            code, _ = compiled(formula)
            names = FUNCTIONS | {
                "Text": Text,
                "rows": lambda first, last: np.arange(float(first), last + 1),
                "at": lambda cells, title=title: self.at(cells, title),
            }
            held = self.values[title].get((got.row, got.column), "")
            try:
                given = eval(code, names)  # noqa: S307 - of our own formulas
            except (ArithmeticError, LookupError, TypeError, ValueError) as error:
                given = repr(error)
            if not _is_same(given, held):
                yield f"{title}!{got.coordinate} {self.label(title, got.row)}", held, given


def _value(value):
    if isinstance(value, datetime):
        return float(to_excel(value))
    return Text(value) if isinstance(value, str) else value


def _is_same(given, held):
    if _is_number(held) and isinstance(given, float | int):
        return math.isclose(given, held, rel_tol=1e-8, abs_tol=1e-12)
    return held == given or (isinstance(given, Blank) and held in ("", 0))
