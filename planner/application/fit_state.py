"""The inputs of an application while they are fitted: one value each, and texts of those fitted."""

import math
from typing import Any

from scipy.optimize import brentq

from planner.application.answer import Application, load_of
from planner.application.measured import Counts, counter_of
from planner.application.presets import PresetInput

NORMAL_90 = 1.645  # standard deviations to the 5 and 95 % points
POINT = 1e-3  # relative spread below which an input is one number


class FitState:
    """The inputs as they are known so far: one value each, and the texts of those fitted."""

    def __init__(self, answer: Application, counts: Counts) -> None:
        self.answer, self.counts = answer, counts
        self.texts: dict[str, str] = {}
        self.notes: list[str] = []
        self.knows_rate = True
        self.typical = typical = answer.typical_inputs
        self.values: dict[str, Any] = {
            name: None if value is None else typical[name] for name, value in answer.values.items()
        }

    def input(self, name: str) -> PresetInput | None:
        """Return an input of the preset; None if it has none of that name."""
        return self.answer.preset.inputs.get(name)

    def is_free(self, name: str) -> bool:
        """Whether an input exists, and was not stated."""
        return self.input(name) is not None and name not in self.answer.texts

    def counted(self, name: str) -> float | None:
        """Return a counter per second; None for what was not counted."""
        return self.counts.per_s(name)

    def events(self, name: str) -> float:
        """Return the number of a counter, at least 1, by which it is uncertain."""
        return max(self.counts.values.get(name, 0.0), 1.0)

    def model(self, name: str, **changes: Any) -> float:
        """Return a counter per second by the model, with some inputs changed; NaN for none."""
        load = load_of(self.answer.programs, self.values | changes)
        value = counter_of(load, name)
        return math.nan if value is None else float(value)

    def followed(self, name: str) -> float:
        """Return an input that follows from others."""
        load = load_of(self.answer.programs, self.values)
        return float(load.followed[name])

    def put(self, name: str, value: float | str, spread: float = 0.0) -> None:
        """State an input: a word, a number, or two ends by the spread of its logarithm."""
        row = self.input(name)
        if row is None:
            return
        if isinstance(value, str):
            self.values[name], self.texts[name] = value, value
            return
        least, most = row.least or 0.0, math.inf if row.most is None else row.most
        held = min(max(value, least), most)
        held = float(round(held)) if row.accepted == "whole" else held
        self.values[name] = held
        self.texts[name] = f"{held:.6g}" if row.accepted != "whole" else f"{held:.0f}"
        if spread > POINT and held > 0 and row.accepted == "number":
            factor = math.exp(NORMAL_90 * spread)
            low, high = max(held / factor, least), min(held * factor, most)
            self.texts[name] = f"{low:.6g}..{high:.6g}"

    def take_back(self, *names: str) -> None:
        """Return inputs to what they were before the fit."""
        for name in names:
            if self.texts.pop(name, None) is not None:
                unstated = self.answer.values[name] is None
                self.values[name] = None if unstated else self.typical[name]

    def solve(self, name: str, counter: str, low: float, high: float) -> float | None:
        """Return the value of an input at which the model has what was counted, if there is one."""
        target = self.counted(counter)

        def missing(value: float) -> float:
            return self.model(counter, **{name: value}) - (target or 0.0)

        ends = missing(low), missing(high)
        if target is None or math.isnan(ends[0]) or ends[0] * ends[1] > 0:
            return None
        if low > 0:  # by its logarithm
            root = brentq(lambda part: missing(math.exp(part)), math.log(low), math.log(high))
            return math.exp(root)
        return float(brentq(missing, low, high))

    def put_solved(self, name: str, counter: str, low: float, high: float) -> bool:
        """State an input at which the model has what was counted, and whether there is one."""
        value = self.solve(name, counter, low, high)
        if value is not None:
            self.put(name, value, self.events(counter) ** -0.5)
        return value is not None
