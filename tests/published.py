"""Printed figures: what a source's digits allow, no more and no less."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal


@dataclass(frozen=True)
class Printed:
    """A printed figure and how the source shortened it."""

    text: str
    rounding: Literal["nearest", "truncated"] = "nearest"

    @property
    def interval(self) -> tuple[float, float]:
        """The numbers that the source shortens to this text; the last not, if it truncates."""
        printed = Decimal(self.text)
        step = Decimal(1).scaleb(int(printed.as_tuple().exponent))
        if self.rounding == "truncated":
            return float(printed), float(printed + step)
        return float(printed - step / 2), float(printed + step / 2)

    def admits(self, value: float) -> bool:
        """Whether `value`, shortened as the source does, gives this text."""
        least, most = self.interval
        return least <= value < most if self.rounding == "truncated" else least <= value <= most

    def __str__(self) -> str:
        return self.text
