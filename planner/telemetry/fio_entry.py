"""The entries of one job in fio's JSON; impossible numbers in them are refused."""

from collections.abc import Sequence
from typing import Any

from planner.telemetry.documents import at
from planner.telemetry.record import Refused

_LEAST, _MOST = 1e-18, 1e18  # range of non-zero numbers, in the units of fio


class Entry:
    """The entries of one job and its clones."""

    def __init__(self, place: str, common: object, members: list[tuple[str, Any]]) -> None:
        self.place = place
        self.members = members
        own = at(members[0][1], "job options")
        self.options: dict[str, str] = {
            key: str(value)[:200]
            for part in (common, own)
            if isinstance(part, dict)
            for key, value in part.items()
        }

    def numbers(self, *keys: str, lenient: bool = False) -> list[float | None]:
        """Return a number of each clone; an impossible one is refused, or None if `lenient`."""
        return [
            self._checked(at(job, *keys), ".".join((path, *keys)), lenient)
            for path, job in self.members
        ]

    def whole_option(self, name: str) -> int:
        """Return an option that is a whole number >= 1, by default 1."""
        written = self.options.get(name, "1").strip()
        if not written.isdecimal() or not 1 <= int(written[:12]) <= 1_000_000:
            raise Refused(
                self.place, f"option {name} of {self.members[0][0]} is not a whole number"
            )
        return int(written)

    def _checked(self, value: object, name: str, lenient: bool) -> float | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Refused(self.place, f"{name} is not a number")
        if value == 0 or _LEAST <= value <= _MOST:
            return float(value)
        if lenient:
            return None
        sizes = {"negative": value < 0, "too large": value > _MOST, "too small": value > 0}
        reason = next((f"is {size}" for size, holds in sizes.items() if holds), "is not a number")
        raise Refused(self.place, f"{name} {reason}")


def total(numbers: Sequence[float | None]) -> float:
    """Return the sum over clones; a missing number counts as 0."""
    return sum(number or 0.0 for number in numbers)


def sole(numbers: Sequence[float | None]) -> float | None:
    """Return the number of a job without clones, else None."""
    return numbers[0] if len(numbers) == 1 else None
