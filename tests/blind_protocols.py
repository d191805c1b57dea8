"""Protocols without what reviews measured: figures by protocol, steady rates, orders of drives.

The orders are those of tests/data/published_orders.csv, each with the statement that it is part of.
`order` is what the review found of the drives in the columns `above` and `below`.
"""

import csv
import math
import shlex
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from planner.catalogue import find, load
from planner.catalogue.drive import Drive
from planner.catalogue.priors import with_assumptions
from planner.sections.ranges import Range
from planner.simulation.protocol.answer import protocol_on
from planner.simulation.protocol.presets import protocol_named
from planner.simulation.protocol.rank import DECIDED, probability_above
from tests.claims_table import table

if TYPE_CHECKING:
    from tests.reviews_page import Row, Statement

ORDERS = Path(__file__).parent / "data" / "published_orders.csv"
STEADY = ("R2-072", "R2-073", "R2-075", "R2-076", "R2-077")
RATING, JUDGED, OWN = "steady_write_iops", "judged", "phases of one's own"
NEAR = 1.5
MEASURED, COMPARED = ("measured", "derived"), ("answered", "stated error")
TEXT = """## Blind figures

Protocols are fitted to no drive. Figures below are those of commands above that are neither orders
nor limits. A ratio is measured over predicted; the median is that of ratios above 1, whichever way.
"""
STEADY_TEXT = """Steady random writes of the consistency test, with every measured fact taken out of
the catalogue: from what a vendor prints, and from the class of the drive, without a printed steady
rate."""
ORDERS_TEXT = """Orders of drives that a review states, without measured facts: the probability that
the planner gives them. From 90 % on an order is decided, up to 10 % it is reversed, else a tie."""


class Order(NamedTuple):
    """An order that a review states of two drives, with the reason where none can be known."""

    id: str
    protocol: str
    number: str
    above: str
    below: str
    order: str
    why: str

    @property
    def probability(self) -> float:
        """The probability of the planner that the first drive is above the second."""
        first, second = (
            blind_number(name, self.protocol, self.number) for name in (self.above, self.below)
        )
        return probability_above(first, second)

    @property
    def found(self) -> str:
        """What the planner says of the order: decided, tie or reversed."""
        return verdict(self.probability)


def verdict(probability: float) -> str:
    """Return the word for a probability of an order."""
    if probability >= DECIDED:
        return "decided"
    return "reversed" if probability <= 1 - DECIDED else "tie"


def blind(drive: Drive, *, without: tuple[str, ...] = ()) -> Drive:
    """Return a drive with what vendors print of it alone, without some of these facts."""
    printed = {
        name: fact for name, fact in drive.facts.items()
        if fact.kind != "measured" and name not in without
    }  # fmt: skip
    return with_assumptions(replace(drive, facts=printed))


@cache
def blind_number(
    name: str, protocol: str, number: str = JUDGED, without: tuple[str, ...] = ()
) -> Range:
    """Return a number of the judged phase of a protocol, by default the rate that is judged."""
    drive = blind(find(load(), name), without=without)
    answer = protocol_on(drive, protocol_named(protocol))
    return answer.judged_bytes_per_s if number == JUDGED else answer.judged[-1].ranges[number]


def orders() -> tuple[Order, ...]:
    """Return the published orders."""
    with ORDERS.open(encoding="utf-8", newline="") as lines:
        return tuple(Order(**row) for row in csv.DictReader(lines))


def figures(rows: "Sequence[Row]") -> "dict[str, list[Row]]":
    """Return the rows with a figure of a protocol, by its name."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        each = row.statement
        is_compared = each.answer in COMPARED and each.kind in MEASURED
        if not (is_compared and each.command.startswith("protocol ") and not each.is_difference):
            continue
        if math.isfinite(sum(each.interval)):
            name = shlex.split(each.command)[1]
            found.setdefault(OWN if "--phase" in each.command else name, []).append(row)
    return found


def figure_rows(rows: "Sequence[Row]") -> Iterator[list[str]]:
    """Yield a row for each protocol: its figures, those inside, median and worst ratio."""
    for name, each in sorted(figures(rows).items()):
        ratios = [1 / (1 + row.error) for row in each]
        far = sorted(ratios, key=lambda ratio: abs(math.log(ratio)))
        median = statistics.median(math.exp(abs(math.log(ratio))) for ratio in far)
        inside = sum(row.holds for row in each)
        yield [name, str(len(each)), str(inside), f"{median:.2f}", f"{far[-1]:.3g}"]


def steady_ratios(
    rows: "Sequence[Row]", without: tuple[str, ...] = ()
) -> dict[str, tuple[float, Range]]:
    """Return measured over predicted steady rates, and the predictions, by statement."""
    found = {}
    for each in _steady(rows):
        range_ = blind_number(each.drive, "consistency", "phase_iops", without)
        found[each.id] = (float(each.published) / range_.typical, range_)
    return found


def _steady(rows: "Sequence[Row]") -> "list[Statement]":
    return [row.statement for row in rows if row.statement.id in STEADY]


def steady_rows(rows: "Sequence[Row]") -> Iterator[list[str]]:
    """Yield a row for each published steady rate, predicted in both ways."""
    ways = [steady_ratios(rows), steady_ratios(rows, (RATING,))]
    for each in _steady(rows):
        cells = [
            cell
            for way in ways
            for ratio, of in [way[each.id]]
            for cell in (f"{of.typical:,.0f} ({of.low:,.0f} to {of.high:,.0f})",
                         f"{ratio:.2f}")
        ]  # fmt: skip
        yield [each.id, each.drive, f"{float(each.published):,.0f}", *cells]


def near(ways: dict[str, tuple[float, Range]]) -> str:
    """Write how many steady rates are predicted within a factor of 1.5."""
    count = sum(1 / NEAR <= ratio <= NEAR for ratio, _ in ways.values())
    return f"{count} of {len(ways)}"


def order_rows() -> Iterator[list[str]]:
    """Yield a row for each order: what the review says, the probability, what follows."""
    for each in orders():
        mark = ">" if each.order == "above" else "~"
        yield [
            each.id, each.protocol, each.number, f"{each.above} {mark} {each.below}",
            f"{100 * each.probability:.0f} %", each.found,
            "" if each.found == "decided" else each.why,
        ]  # fmt: skip


def sections(rows: "Sequence[Row]") -> list[str]:
    """Return the lines of the part of the page."""
    found = [each.found for each in orders()]
    within = (
        f"Within a factor of {NEAR}: {near(steady_ratios(rows))} as printed, "
        f"{near(steady_ratios(rows, (RATING,)))} by class."
    )
    counted = (
        f"Of {len(found)} orders {found.count('decided')} are decided, {found.count('tie')} are "
        f"ties, {found.count('reversed')} are reversed."
    )
    return [
        *TEXT.splitlines(), "",
        *table(["protocol", "figures", "inside", "median ratio", "worst ratio"],
               figure_rows(rows)), "",
        *STEADY_TEXT.splitlines(), "",
        *table(["id", "drive", "measured IOPS", "as printed", "ratio", "by its class", "ratio"],
               steady_rows(rows)), "",
        within, "",
        *ORDERS_TEXT.splitlines(), "",
        counted, "",
        *table(["id", "protocol", "number", "review", "probability", "planner", "why"],
               order_rows()), "",
    ]  # fmt: skip
