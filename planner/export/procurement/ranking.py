"""Ranking of the candidates that meet every need: live verdict, score and rank."""

import numpy as np

from planner.export.procurement.checks import Checks
from planner.export.procurement.layout import Layout
from planner.export.procurement.owning import OwningSheet
from planner.export.procurement.sizing import SizingSheet
from planner.search.choose import Candidate, Choice, Need, Objective

PASS, FAIL, OPEN, BEYOND = "pass", "fail", "export again", "beyond rating"
_OUT = "out"
LEFT_OUT = 1e300  # stands for the objective of what does not rank
_OF_MORE = 1.000000001  # a spreadsheet program computes to this what is equal


class Ranking:
    """Formulas of verdict, score and rank of each candidate, and what they give as exported.

    A candidate ranks unless a need does not hold, its objective is unknown or a cell is refused.
    Equals are ordered as the search orders them: fewer drives, then more usable capacity, then
    place.
    """

    def __init__(
        self, choice: Choice, layout: Layout, sizing: SizingSheet, owning: OwningSheet,
        checks: Checks,
    ) -> None:  # fmt: skip
        self.choice, self.block, self.checks = choice, layout["Verdict"], checks
        self.sizing, self.owning = sizing, owning
        self.without_energy = _leaves_energy_out(choice)

    def verdict(self, index: int) -> tuple[str, str]:
        """Return the verdict on a candidate.

        It is to be exported again where a value that may not hold is out of date, and beyond its
        rating where it writes more a day than that, though more is credited.
        """
        needs, checks = len(self.checks.needs), self.checks
        more = self._is_beyond(index)[0]
        passes = f'IF({more},"{BEYOND}","{PASS}")'
        known = f'IF({checks.held(index)[0]}<{needs},"{OPEN}",{passes})'
        judged = f'IF({checks.failed(index)[0]}>0,"{FAIL}",{known})'
        return checks.refused.gated(index, judged), self._verdict(index)

    def _verdict(self, index: int) -> str:
        if self.checks.failed(index)[1]:
            return FAIL
        return BEYOND if self._is_beyond(index)[1] else PASS

    def _is_beyond(self, index: int) -> tuple[str, bool]:
        """Compare the writes of a candidate with its printed rating: formula, and as exported.

        That is within the years over which rated writes are required, else a day.
        """
        if Need.RATED in self.checks.needs:
            cell, printed = (each(index, "printed_life_s") for each in
                             (self.sizing.cell, self.sizing.value))  # fmt: skip
            needed, years = self.checks.needed(Need.RATED)
            is_less = not isinstance(printed, str) and years > printed * _OF_MORE
            return f"IF(ISNUMBER({cell}),{needed}>{cell}*{_OF_MORE},FALSE)", is_less
        keys = ("required_dwpd", "rated_dwpd")
        needed, offered = (self.sizing.cell(index, key) for key in keys)
        most, rated = (self.sizing.value(index, key) for key in keys)
        body = f"{needed}>{offered}*{_OF_MORE}"
        formula = f"IF(ISNUMBER({needed})*ISNUMBER({offered})>0,{body},FALSE)"
        if isinstance(most, str) or isinstance(rated, str):
            return formula, False
        return formula, most > rated * _OF_MORE

    def score(self, index: int) -> tuple[str, float]:
        """Return the objective, or its stand-in where a candidate does not rank."""
        cell, value = self._objective(index)
        energy = self.owning.total(index, "energy_present_usd")
        body = f"{cell}-{energy}" if self.without_energy else cell
        is_whole = self.checks.refused.gated(index, f"{self.checks.failed(index)[0]}=0", "FALSE")
        counts = f"IF(ISNUMBER({cell}),{is_whole},FALSE)"
        is_known = isinstance(value, float | int) and not self.checks.failed(index)[1]
        if is_known and self.without_energy:
            value = float(value) - _energy_usd(self.choice.candidates[index])
        return f"IF({counts},{body},1E+300)", float(value) if is_known else LEFT_OUT

    def _objective(self, index: int) -> tuple[str, float | str]:
        if self.choice.objective is Objective.PRICE:
            key = "total_price_usd"
            return self.sizing.cell(index, key), self.sizing.value(index, key)
        return self.owning.total(index, "npv_usd"), self.owning.total_value(index, "npv_usd")

    def rank(self, index: int) -> tuple[str, float | str]:
        """Return the rank of a candidate, by the cells of all scores."""
        scores = [self.block.cell(each, scored(self.choice)) for each in self.block.rows]
        own = scores[index]
        before = "+".join(
            f"IF({other}<{own},1,IF({other}={own},{self._first(place, index)},0))"
            for place, other in enumerate(scores)
            if place != index
        )
        return f'IF({own}<1E+299,1+{before or 0},"{_OUT}")', self._rank(index)

    def _rank(self, index: int) -> float | str:
        keys = [
            (self.score(place)[1], one.plan.array.members,
             -float(one.plan["usable_bytes"].value), place)
            for place, one in enumerate(self.choice.candidates)
        ]  # fmt: skip
        return _OUT if keys[index][0] >= LEFT_OUT else 1 + sum(key < keys[index] for key in keys)

    def _first(self, place: int, index: int) -> str:
        """Return 1 or 0: whether one of two equals comes first."""
        here, there = (self.sizing.cell(each, "members") for each in (index, place))
        size, other = (self.sizing.cell(each, "usable_bytes") for each in (index, place))
        last = int(place < index)
        more = f"IF({other}>{size},1,IF({other}={size},{last},0))"
        return f"IF({there}<{here},1,IF({there}={here},{more},0))"


def scored(choice: Choice) -> str:
    """Return the title of the column that candidates are ranked by."""
    return f"Ranked by {choice.objective}"


def _energy_usd(one: Candidate) -> float:
    node = one.ownership["energy_present_usd"]
    return 0.0 if not node.is_known else float(node.value)


def _leaves_energy_out(choice: Choice) -> bool:
    """Whether the order of plans leaves energy out, because it is unknown of some drive."""
    if choice.objective is not Objective.COST:
        return False
    costs = [one.ownership["npv_usd"] for one in choice.candidates]
    return any(
        cost.is_known
        and not np.isclose(one.objective, cost.value, rtol=1e-9)
        and np.isclose(one.objective, cost.value - _energy_usd(one), rtol=1e-9)
        for one, cost in zip(choice.candidates, costs, strict=True)
    )
