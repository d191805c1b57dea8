"""Printed figures: what a source's digits allow, no more and no less."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal


@dataclass(frozen=True)
class Printed:
    """A printed figure and how the source shortened it."""

    text: str
    rounding: Literal["nearest", "truncated"] = "nearest"

    def admits(self, value: float) -> bool:
        """Whether `value`, shortened as the source does, gives this text."""
        printed = Decimal(self.text)
        step = Decimal(1).scaleb(int(printed.as_tuple().exponent))
        if self.rounding == "truncated":
            return float(printed) <= value < float(printed + step)
        return float(printed - step / 2) <= value <= float(printed + step / 2)

    def __str__(self) -> str:
        return self.text
