"""Ratings of a drive in use: written and remaining bytes of its TBW, and its warranty."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.catalogue.drive import Drive
from planner.catalogue.rated import rated_bytes_of
from planner.telemetry.record import DriveReading, Observed

LAST_POINT = 1.0  # of the rated life used


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """Rated TBW and warranty of a drive at its last reading, None where unknown.

    Attributes:
        drive: Name in the catalogue.
        rated_bytes: Rated host writes. [bytes]
        least_bytes: The same where its period is not printed, over the least. [bytes]
        written_bytes: Host writes so far. [bytes]
        warranty_s: Length of the warranty. [s]
        in_service_s: Day on which the warranty began, seconds since 1970. [s]
        least_age_s: Power-on time, which age is not below. [s]
    """

    drive: str
    rated_bytes: float | None
    least_bytes: float | None
    written_bytes: float | None
    warranty_s: float | None
    in_service_s: float | None
    least_age_s: float

    @property
    def used_share(self) -> float | None:
        """Share of the rated host writes that is used."""
        if self.rated_bytes is None or self.written_bytes is None:
            return None
        return self.written_bytes / self.rated_bytes

    @property
    def left_bytes(self) -> float | None:
        """Rated host writes that remain."""
        if self.rated_bytes is None or self.written_bytes is None:
            return None
        return max(self.rated_bytes - self.written_bytes, 0.0)

    @property
    def least_left_bytes(self) -> float | None:
        """Least of the rated host writes that remain."""
        if self.least_bytes is None or self.written_bytes is None:
            return None
        return max(self.least_bytes - self.written_bytes, 0.0)

    @property
    def is_past(self) -> bool:
        """Whether the rated host writes are used up."""
        return self.left_bytes == 0.0

    @property
    def warranty_ends_s(self) -> float | None:
        """End of the warranty, seconds since 1970."""
        if self.warranty_s is None or self.in_service_s is None:
            return None
        return self.in_service_s + self.warranty_s


def rating_of(
    readings: Sequence[DriveReading], rated: Drive | None, in_service_s: float | None
) -> Rating | None:
    """Return the ratings of a drive of the catalogue at the last of its readings."""
    if rated is None:
        return None
    last, limit = max(readings, key=lambda one: one.read_at_s or 0.0), rated_bytes_of(rated)
    return Rating(
        drive=rated.name,
        rated_bytes=limit.value if limit else None,
        least_bytes=limit.low if limit else None,
        written_bytes=None if last.host_bytes is None else last.host_bytes.value,
        warranty_s=rated.value("warranty_s"),
        in_service_s=in_service_s,
        least_age_s=0.0 if last.power_on_s is None else last.power_on_s.value,
    )


def worn_share(readings: Sequence[DriveReading]) -> float | None:
    """Return the share of the rated life that the last reading states as used."""
    last = max(readings, key=lambda one: one.read_at_s or 0.0, default=None)
    return None if last is None or last.used_fraction is None else stated_share(last.used_fraction)


def stated_share(used: Observed) -> float:
    """Return the used share of the rated life; all of it where the indicator has stopped."""
    return max(used.value, LAST_POINT) if math.isinf(used.high) else used.value
