"""The decision behind a choice: drives to specify, prices that turn it, and the expected regret.

Plans of one layout on drives of one interface, place, capacity and protection, whose objective is
within `ALIKE` of the first, are one specification: a buyer lets their suppliers compete.

References:
    .. [1] L. J. Savage, "The Theory of Statistical Decision", Journal of the American Statistical
       Association 46(253), 1951 (regret: the cost of a choice beyond the best in hindsight).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from planner.catalogue.drive import Drive
from planner.catalogue.forms import is_on_board
from planner.catalogue.priors_kind import BUSES, words_of
from planner.search.choose.answer import RANGED, Candidate, Choice, DriveKind, Specification
from planner.search.choose.configurations import Configurations, Floats
from planner.search.choose.question import Objective

ALIKE = 1.1  # times the objective of the first: closer than prices are known
MOST_FOUND, MOST_SPECIFICATIONS = 60, 4
SAMPLES, Z95 = 4096, 1.6448536269514722


@dataclass(frozen=True, kw_only=True)
class Flip:
    """The price of a drive of another specification at which that has as little of the objective.

    None where it would not, even for nothing.
    """

    specification: Specification
    price_usd: float
    flip_usd: float | None


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The first specification, the prices that would turn the choice, and the expected regret.

    The regret is the mean cost of the first beyond the best in hindsight, over prices in their
    ranges.
    """

    first: Specification
    flips: tuple[Flip, ...]
    expected_regret_usd: float


def kind_of(drive: Drive) -> DriveKind:
    """Return the kind of a drive, which a supplier is told.

    >>> from planner.catalogue import find, load
    >>> print(kind_of(find(load(), "PM893 3.84")))
    SATA 3.84 TB with power-loss protection
    """
    words = words_of(drive)
    bus = next((each for each in BUSES if each in words), "")
    place = "M.2" if bus == "NVMe" and is_on_board(drive) else ""
    return DriveKind(bus, place, drive.capacity_gb, drive.power_loss_protection == "yes")


def specified(
    table: Configurations,
    objective: Floats,
    found: Sequence[int],
    candidate: Callable[[int], Candidate],
) -> tuple[Specification, ...]:
    """Return the first specifications among plans that are in the order of their objective."""
    least, firsts = objective.ravel(), dict[object, int]()
    models: dict[int, list[Drive]] = {}
    for place in found:
        number, spare, array = np.unravel_index(place, table.shape)
        drive = table.grid.drives[number]
        first = firsts.setdefault((kind_of(drive), int(spare), int(array)), place)
        alike = models.setdefault(first, [])
        is_again = any(drive.drive_id == each.drive_id for each in alike)  # by another quote
        if least[place] <= ALIKE * least[first] and not is_again:
            alike.append(drive)
    return tuple(
        Specification(kind=kind_of(drives[0]), first=candidate(first), models=tuple(drives))
        for first, drives in list(models.items())[:MOST_SPECIFICATIONS]
    )


def decide(choice: Choice) -> Decision | None:
    """Return the decision behind a choice; None where nothing meets every requirement."""
    if not choice.specifications:
        return None
    first, *others = choice.specifications
    return Decision(
        first=first,
        flips=tuple(_flip(choice, first, other) for other in others),
        expected_regret_usd=_regret_usd(choice),
    )


def _flip(choice: Choice, first: Specification, other: Specification) -> Flip:
    """Solve for the price of a drive at which the objective, linear in it, is that of the first."""
    priced, rest = _by_price(choice, other.first)
    price = float(other.first.plan.drive.value("price_usd") or 0.0)
    share = (first.first.objective - rest) / priced if priced else 0.0
    return Flip(specification=other, price_usd=price, flip_usd=price * share if share > 0 else None)


def _by_price(choice: Choice, one: Candidate) -> tuple[float, float]:
    """Split the objective of a plan into what is in proportion to the price, and the rest."""
    if choice.objective is Objective.PRICE:
        return one.objective, 0.0
    parts = ((1, "capital_usd"), (1, "drives_present_usd"), (-1, "residual_present_usd"))
    answers = ((sign, one.ownership[key]) for sign, key in parts)
    priced = sum(sign * float(part.value) for sign, part in answers if part.is_known)
    return priced, one.objective - priced


def _regret_usd(choice: Choice) -> float:
    """Return the mean cost beyond the best; prices by one curve move together."""
    costs, drawn = [], dict[str, Floats]()
    dice = np.random.default_rng(0)
    for each in choice.specifications:
        known = each.first.plan.drive.price_range
        source = each.models[0].name if known is None or known.is_carried else known.basis
        chance = drawn.setdefault(source, dice.standard_normal(SAMPLES))
        priced, rest = _by_price(choice, each.first)
        between = each.first.ranges.get(RANGED[0])
        low = high = 1.0
        if between is not None and between.typical:
            low, high = between.low / between.typical, between.high / between.typical
        spread = np.where(chance < 0, -np.log(low), np.log(high)) / Z95
        costs.append(rest + priced * np.exp(spread * chance))
    every = np.array(costs)
    return float(np.mean(every[0] - every.min(axis=0)))
