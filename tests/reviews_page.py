"""What five reviews state, beside what the planner answers, and the page that shows it.

Run `python -m tests.reviews_page > docs/evidence/reviews.md` to write the page; a test compares
them. To answer a statement, fill in its `command` and the `key` of its JSON in
tests/data/review_statements.csv, and set `answer`. A key is a path: a step into a list is the
number of an element, or texts that the element contains, joined by +; paths are joined by the words
of `JOINED`, from the left.
"""

import csv
import json
import math
import operator
import re
import shlex
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from models.units import GIB, HOUR_S
from planner.cli import cli
from planner.quantity.units import FACTORS
from tests import blind_protocols, claims_table
from tests.claims_table import table
from tests.published import Printed

STATEMENTS = Path(__file__).parent / "data" / "review_statements.csv"
SOURCES = Path(__file__).parents[1] / "data" / "sources.csv"
REPEATED, ANSWERED, MISSED = "catalogue", "answered", "stated error"
DRAWN, OPEN, UNKNOWN = "no figure", "open", "not known"
ANSWERS = (REPEATED, ANSWERED, MISSED, DRAWN, OPEN, UNKNOWN)
# Answers of the planner that open statements wait for.
PENDING = (
    "energy and heat", "second ratings", "indicator by host writes", "IOPS per USD", "converter",
    "host cache",
)  # fmt: skip
UNITS = FACTORS | {
    "": 1.0, "million": 1e6, "min": HOUR_S / 60, "mW": 1e-3, "cent/GB": FACTORS["USD/GB"] / 100,
    "Gbit": GIB / 8,
}  # fmt: skip
WORD = "word"  # the unit of a figure that is a word
ABOUT = 0.05  # a figure that is printed as "about", either way
REPEATS = 1e-3  # a fact of the catalogue may be rounded further than the review prints it
JOINED: dict[str, Callable[[float, float], float]] = {
    " over ": operator.truediv, " less ": operator.sub, " plus ": operator.add,
    " times ": operator.mul,
}  # fmt: skip


class Statement(NamedTuple):
    """A row of the table: what a review measures, states or does."""

    id: str
    review: str
    locator: str
    kind: str
    drive: str
    quantity: str
    condition: str
    published: str
    unit: str
    printed: str
    claims: str
    answer: str
    command: str
    key: str
    reason: str

    @property
    def interval(self) -> tuple[float, float]:
        """The numbers that the published figure may stand for, in base units."""
        low, high = self._interval()
        return low * UNITS[self.unit], high * UNITS[self.unit]

    def _interval(self) -> tuple[float, float]:
        first, to, last = self.published.partition("..")
        if to:
            return float(first), float(last)
        figure = float(first)
        if self.printed == "at least":
            return figure, math.inf
        if self.printed == "at most":
            return -math.inf, figure
        if self.printed == "about":
            width = ABOUT * abs(figure)
            return figure - width, figure + width
        return Printed(first, "truncated" if self.printed else "nearest").interval

    @property
    def parts(self) -> list[str]:
        """The paths of the key, and the words that join them between."""
        return re.split(f"({'|'.join(JOINED)})", self.key)

    @property
    def is_difference(self) -> bool:
        """Whether the key is a difference, whose error has a unit."""
        return " less " in self.key


class Predicted(NamedTuple):
    """A number of the planner and its range, in base units."""

    low: float
    typical: float
    high: float


class Row(NamedTuple):
    """A statement and the number of the planner, which is a word where the figure is one."""

    statement: Statement
    predicted: Predicted | str | None

    @property
    def holds(self) -> bool:
        """Whether the range of the planner holds the published figure, if there is one."""
        if self.statement.answer == DRAWN:
            return True
        if not isinstance(self.predicted, Predicted):
            return self.predicted == self.statement.published
        low, typical, high = self.predicted
        least, most = self.statement.interval
        if self.statement.answer == REPEATED and math.isclose(typical, least, rel_tol=REPEATS):
            return True
        if math.isinf(most - least) or least <= typical <= most:
            return least <= typical <= most
        if ".." in self.statement.published:
            return low <= least and most <= high
        return low <= most and least <= high

    @property
    def undecided(self) -> bool:
        """Whether a limit or an order holds by the typical number, and not over the whole range."""
        if not isinstance(self.predicted, Predicted) or self.statement.answer == DRAWN:
            return False
        least, most = self.statement.interval
        return (
            math.isinf(most - least)
            and self.holds
            and not (least <= self.predicted.low <= self.predicted.high <= most)
        )

    @property
    def error(self) -> float:
        """The typical number over the nearest published one, less 1; of a difference, less it."""
        if not isinstance(self.predicted, Predicted):
            return math.nan
        typical = self.predicted.typical
        least, most = self.statement.interval
        if math.isinf(most - least) or ".." in self.statement.published:
            nearest = min(max(typical, least), most)
        else:
            nearest = float(self.statement.published) * UNITS[self.statement.unit]
        return typical - nearest if self.statement.is_difference else typical / nearest - 1


def statements() -> tuple[Statement, ...]:
    """Read the table of statements."""
    with STATEMENTS.open(encoding="utf-8", newline="") as lines:
        return tuple(Statement(**row) for row in csv.DictReader(lines))


@cache
def asked(command: str) -> Any:
    """Run a command of the planner and return its JSON."""
    done = CliRunner().invoke(cli, [*shlex.split(command), "--json"])
    if done.exit_code:
        raise ValueError(f"{command}: {done.output}")
    return json.loads(done.stdout)


def step(data: Any, name: str) -> Any:
    """Return one element of a part of JSON; of named parts also by number."""
    if isinstance(data, dict):
        return data[name] if name in data or not name.isdecimal() else [*data.values()][int(name)]
    if name.isdecimal():
        return data[int(name)]
    texts = set(name.split("+"))
    return next(row for row in data if texts <= {str(value) for value in row.values()})


def at(data: Any, path: Iterable[str]) -> Any:
    """Return the part of JSON at the end of a path, or None if it is not there."""
    try:
        for name in path:
            data = step(data, name)
    except (KeyError, IndexError, StopIteration):
        return None
    return data["value"] if isinstance(data, dict) and "value" in data else data


def number(data: Any, path: str) -> Predicted | str:
    """Return the number at a path of JSON and its range, of no width if none is stated.

    Ranges stand at the number itself, beside the answers, or within the section that it belongs to.
    """
    plan, steps = data, path.split("/")
    if isinstance(data, list):
        plan, steps = step(data, steps[0]), steps[1:]
    found = at(plan, steps)
    if isinstance(found, str):
        return found
    if isinstance(found, dict):
        middle = found["value"] if "value" in found else found["typical"]
        return Predicted(found["low"], middle, found["high"])
    if found is None:
        raise KeyError(f"nothing at {path}")
    named = [name for name in steps if name != "answers"]
    for depth in range(len(named)):
        within = at(plan, [*named[:depth], "ranges", *named[depth:]])
        if isinstance(within, dict):
            return Predicted(within["low"], float(found), within["high"])
    return Predicted(*[float(found)] * 3)


def predicted(statement: Statement) -> Predicted | str | None:
    """Return the number of the planner for a statement, None if no command gives one."""
    if not statement.command:
        return None
    data = asked(statement.command)
    first, *further = statement.parts
    found = number(data, first)
    for word, path in zip(further[::2], further[1::2], strict=True):
        other = number(data, path)
        if isinstance(found, str) or isinstance(other, str):
            raise TypeError(f"{statement.key} joins words")
        found = joined(found, JOINED[word], other)
    return found


def joined(first: Predicted, join: Callable[[float, float], float], second: Predicted) -> Predicted:
    """Return two numbers joined, with the widest range that their ends make."""
    corners = [join(a, b) for a in (first.low, first.high) for b in (second.low, second.high)]
    return Predicted(min(corners), join(first.typical, second.typical), max(corners))


@cache
def rows() -> tuple[Row, ...]:
    """Return every statement with the number of the planner."""
    return tuple(Row(each, predicted(each)) for each in statements())


def short(value: float) -> str:
    """Write a number to four digits."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def published(statement: Statement) -> str:
    """Write the published figure as the review qualifies it."""
    figure, words = statement.published.replace("..", " to "), statement.printed
    if statement.unit == WORD:
        return figure
    if "E" in figure:
        figure = " to ".join(short(float(each)) for each in figure.split(" to "))
    if words == "truncated":
        return f"{figure} {statement.unit} ({words})"
    return f"{words} {figure} {statement.unit}".strip()


def shown(row: Row) -> str:
    """Write the number of the planner and its range in the unit of the review."""
    if not isinstance(row.predicted, Predicted):
        return row.predicted or ""
    unit = row.statement.unit
    low, typical, high = (value / UNITS[unit] for value in row.predicted)
    text = f"{short(typical)} {unit}".strip()
    return text if low == high else f"{text} ({short(low)} to {short(high)})"


def deviation(row: Row) -> str:
    """Write the error of a number of the planner."""
    if row.statement.answer not in (ANSWERED, MISSED):
        return ""
    if row.statement.is_difference:
        return f"{row.error / UNITS[row.statement.unit]:+.3g} {row.statement.unit}"
    percent = round(100 * row.error, 1) or 0.0  # never -0.0
    return f"{percent:+.1f} %"


def cells(row: Row) -> list[str]:
    """Return the cells of a statement."""
    each = row.statement
    what = f"{each.quantity}, {each.condition}" if each.condition else each.quantity
    asks = f"`{each.command}`: `{each.key}`" if each.command else ""
    answer = f"{each.answer}, undecided" if row.undecided else each.answer
    return [
        each.id, each.locator, each.kind, each.drive, what, published(each), shown(row),
        deviation(row), f"{answer}: {each.reason}" if each.reason else answer, asks,
    ]  # fmt: skip


def summary() -> str:
    """Return the sentences that count the statements and their errors."""
    count = Counter(row.statement.answer for row in rows())
    measured = [
        abs(math.log(1 + row.error)) for row in rows()
        if row.statement.kind == "measured" and row.statement.answer in (ANSWERED, MISSED)
        and not row.statement.is_difference
    ]  # fmt: skip
    within = sum(each <= math.log(1.5) for each in measured)
    return (
        f"{len(rows())} statements; {count[REPEATED]} of them repeat a fact of the catalogue and "
        f"are not counted. Of the other {len(rows()) - count[REPEATED]}, {count[ANSWERED]} are "
        f"answered, {count[MISSED]} have a stated error, {count[DRAWN]} have no figure to compare, "
        f"{count[OPEN]} are open and {count[UNKNOWN]} cannot be known. Of the {len(measured)} "
        f"measured figures with a number beside them, {within} are within a factor of 1.5; the "
        f"median factor is {math.exp(statistics.median(measured)):.2f}, the worst "
        f"{math.exp(max(measured)):.3g}. "
        f"Of the limits and orders that are kept, {sum(row.undecided for row in rows())} are "
        "undecided."
    )


def counts(part: Callable[[Statement], str], chosen: Iterable[Statement]) -> Iterator[list[str]]:
    """Yield a row for each part of chosen statements: its name, and how many have each answer."""
    counted = Counter((part(each), each.answer) for each in chosen)
    for name in dict.fromkeys(name for name, _ in counted):
        yield [name, *(str(counted[name, answer]) for answer in ANSWERS)]


HEAD = """# Reviews

Generated by `python -m tests.reviews_page > docs/evidence/reviews.md`; do not edit. A row is a
quantity that one of five reviews measures or states, or a step of one of its tests, from
`tests/data/review_statements.csv`. Each command is run with `ssd-planner` before it and `--json`
behind it, and the number is read at the key; *low to high* is its range.

- *catalogue*: the number repeats a fact of the review; not counted.
- *answered*: the range holds the published figure, which is as exact as its digits, or within 5 %
  if it is printed as "about". A limit or an order holds if the typical number keeps it, and is
  *undecided* if the range does not keep it throughout.
- *stated error*: a number of the quantity is printed, and its range does not hold the figure.
- *no figure*: the review draws or describes it; the number is one of its quantity.
- *open*: the answer that is named will give a number.
- *not known*: no planner can know it, for the reason that is named.

Errors are predicted over published, less 1; of a difference, predicted less published.
"""


def titles() -> dict[str, str]:
    """Return the title of each source."""
    with SOURCES.open(encoding="utf-8", newline="") as lines:
        return {row["source_id"]: row["title"] for row in csv.DictReader(lines)}


def document() -> str:
    """Return the whole page."""
    named, every = titles(), statements()
    waiting = Counter(each.reason.partition(":")[0] for each in every if each.answer == OPEN)
    lines = [
        *HEAD.splitlines(), "", summary(), "",
        *table(["review", *ANSWERS], counts(lambda each: named[each.review], every)), "",
        *table(["kind", *ANSWERS], counts(lambda each: each.kind, every)), "",
        *table(["open until there is", "statements"],
               ([name, str(number)] for name, number in waiting.most_common())), "",
        *blind_protocols.sections(rows()),
    ]  # fmt: skip
    head = [
        "id", "locator", "kind", "drive", "quantity", "published", "predicted", "error", "answer",
        "command and key",
    ]  # fmt: skip
    for review in dict.fromkeys(each.review for each in every):
        belong = (cells(row) for row in rows() if row.statement.review == review)
        lines += ["", f"## {named[review]}", "", *table(head, belong)]
    return "\n".join([*lines, "", *claims_table.sections(), ""])


if __name__ == "__main__":
    sys.stdout.write(document())
