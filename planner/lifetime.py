"""How long will the drive last, and what ends it?"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from models import endurance
from models.units import YEAR_S
from planner.amplification import (
    cleaning_op_ratio,
    left_out,
    spare_area_left,
    unchecked,
    wa_band,
    wa_when_rated,
    workload_wa,
)
from planner.drive import Drive
from planner.facts import stated
from planner.figures import Answer, Figure, Missing, Node, figure, first_known, given
from planner.firmware import Firmware
from planner.workload import Workload

__all__ = ["Lifetime", "Limit", "lifetime"]

TOLERATED = 0.05  # by which rated TBW and rated drive writes per day may differ unsaid
NO_BACKGROUND = "Background writes of the drive itself (refresh, scrubbing) are not counted."
RATED_UNIFORM = (
    "Assumed: rated under uniform random writes over the whole drive. Supply the rating "
    "workload's write amplification (rating_wa) where it is known."
)
RATED_ALIKE = (
    "Spare area or rating workload unknown: the rating is taken to hold for this workload as it is."
)


class Limit(StrEnum):
    """What ends a drive's service."""

    FLASH_WEAR = "flash wear"
    RATED_TBW = "rated TBW"
    WARRANTY = "warranty period"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifetime:
    """The three dates, what each hangs on, and which comes first."""

    effective_op_ratio: Answer
    workload_wa: Answer
    wa_band: tuple[Answer, ...]
    life_by_limit: Mapping[Limit, Answer]
    host_limit_bytes: Answer
    required_dwpd: Answer
    rated_dwpd: Answer
    printed_life_s: Answer
    naive_life_s: Answer
    notes: tuple[str, ...]

    @property
    def known(self) -> dict[Limit, Node]:
        """Limits that could be computed, the first to be met first."""
        known = {
            limit: life
            for limit, life in self.life_by_limit.items()
            if not isinstance(life, Missing)
        }
        return dict(sorted(known.items(), key=lambda entry: entry[1].value))

    @property
    def _met(self) -> list[Limit]:
        return [limit for limit, node in self.known.items() if not math.isinf(node.value)]

    @property
    def limit(self) -> Limit | None:
        """The limit met first; None where nothing is known or no limit is ever met."""
        return next(iter(self._met), None)

    @property
    def runner_up(self) -> Limit | None:
        """The limit met second."""
        return next(iter(self._met[1:]), None)

    @property
    def endurance_limit(self) -> Limit | None:
        """The limit of wear or rating that is met first, whatever the warranty says."""
        return next((limit for limit in self._met if limit is not Limit.WARRANTY), None)

    @property
    def years(self) -> float | None:
        """Time to the first limit in 365-day years; None where nothing is known."""
        return None if self.limit is None else self.known[self.limit].value / YEAR_S

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order in which people read them."""
        return (
            self.effective_op_ratio,
            self.workload_wa,
            *self.life_by_limit.values(),
            self.printed_life_s,
            self.host_limit_bytes,
            self.required_dwpd,
            self.rated_dwpd,
            self.naive_life_s,
        )


def lifetime(
    drive: Drive,
    workload: Workload,
    *,
    member_bytes_per_s: Answer | None = None,
    partition_fraction: float = 1.0,
    rating_wa: float | None = None,
    firmware: Firmware | None = None,
) -> Lifetime:
    """Return the dates by which `workload` uses up the drive.

    `member_bytes_per_s` is what one drive of an array receives; without it the drive
    receives all host writes. Write amplification is that of greedy collection where the
    catalogue knows the pages of a collection block, else its large-block limit.
    """
    rate = member_bytes_per_s or given(
        "host_bytes_per_s", workload.host_bytes_per_s, source="workload"
    )
    firmware = firmware or Firmware()
    left = spare_area_left(drive, workload, partition_fraction=partition_fraction)
    op_ratio = cleaning_op_ratio(drive, left, firmware)
    wa = workload_wa(drive, workload, op_ratio, firmware)
    wear_limit = figure(
        "wear_limit_bytes",
        endurance.write_limit_bytes,
        raw_bytes=stated(drive, "raw_bytes"),
        pe_cycles=stated(drive, "pe_cycles"),
        wa=wa,
    )
    rated_at = first_known(
        given("rating_wa", rating_wa, source="user"), wa_when_rated(drive, left, firmware)
    )
    rated_limit = _rated_limit(drive, wa, rated_at)
    rating_note = "" if isinstance(rated_limit, Missing) else rated_limit.note
    user_bytes = stated(drive, "user_bytes")
    growth = given("growth_per_year", workload.growth_per_year, source="workload")

    def life(key: str, limit: Answer) -> Answer:
        return figure(
            key,
            endurance.growing_lifetime_s,
            limit_bytes=limit,
            host_bytes_per_s=rate,
            growth_per_year=growth,
        )

    return Lifetime(
        effective_op_ratio=op_ratio,
        workload_wa=wa,
        wa_band=wa_band(drive, workload, op_ratio),
        life_by_limit={
            Limit.FLASH_WEAR: life("wear_life_s", wear_limit),
            Limit.RATED_TBW: life("rated_life_s", rated_limit),
            Limit.WARRANTY: stated(drive, "warranty_s"),
        },
        host_limit_bytes=_first_limit(wear_limit, rated_limit),
        required_dwpd=figure(
            "required_dwpd", endurance.required_dwpd, host_bytes_per_s=rate, user_bytes=user_bytes
        ),
        rated_dwpd=_rated_dwpd(drive),
        printed_life_s=life("printed_life_s", _rated_bytes(drive)),
        naive_life_s=life("naive_life_s", _naive_limit(drive, wa)),
        notes=(
            *_contradictions(drive),
            *left_out(drive, workload, firmware),
            *unchecked(wa),
            *([rating_note] if rating_note else []),
            NO_BACKGROUND,
        ),
    )


def _rating_period_s(drive: Drive) -> Answer:
    return first_known(stated(drive, "rating_period_s"), stated(drive, "warranty_s"))


def _rated_bytes(drive: Drive) -> Answer:
    if "rated_bytes" in drive.facts or "rated_dwpd" not in drive.facts:
        return stated(drive, "rated_bytes")
    return figure(
        "rated_bytes",
        endurance.tbw_bytes,
        "From rated drive writes per day.",
        dwpd=stated(drive, "rated_dwpd"),
        user_bytes=stated(drive, "user_bytes"),
        period_s=_rating_period_s(drive),
    )


def _rated_dwpd(drive: Drive) -> Answer:
    if "rated_bytes" not in drive.facts:
        return stated(drive, "rated_dwpd")
    return figure(
        "rated_dwpd",
        endurance.dwpd,
        limit_bytes=stated(drive, "rated_bytes"),
        user_bytes=stated(drive, "user_bytes"),
        period_s=_rating_period_s(drive),
    )


def _rated_limit(drive: Drive, wa: Answer, rating: Answer) -> Answer:
    alike = given("equal_wa", 1.0, source="assumption", note=RATED_ALIKE)
    unknown = isinstance(rating, Missing) or isinstance(wa, Missing)
    modelled = isinstance(rating, Figure)
    return figure(
        "rated_limit_bytes",
        endurance.effective_tbw_bytes,
        RATED_ALIKE if unknown else RATED_UNIFORM if modelled else "",
        rated_bytes=_rated_bytes(drive),
        rating_wa=alike if unknown else rating,
        workload_wa=alike if unknown else wa,
    )


def _naive_limit(drive: Drive, wa: Answer) -> Answer:
    return figure(
        "naive_limit_bytes",
        endurance.effective_tbw_bytes,
        "Divides the rating by write amplification, which is already inside it.",
        rated_bytes=_rated_bytes(drive),
        rating_wa=given("naive_wa", 1.0, source="definition"),
        workload_wa=wa,
    )


def _first_limit(wear_limit: Answer, rated_limit: Answer) -> Answer:
    both = figure(
        "host_limit_bytes",
        endurance.first_limit_bytes,
        wear_limit_bytes=wear_limit,
        rated_limit_bytes=rated_limit,
    )
    return first_known(both, wear_limit, rated_limit)


def _contradictions(drive: Drive) -> tuple[str, ...]:
    """Say where the ratings of a data sheet do not fit each other."""
    user_bytes, rated_bytes = stated(drive, "user_bytes"), stated(drive, "rated_bytes")
    from_tbw = figure(
        "dwpd", endurance.dwpd, limit_bytes=rated_bytes, user_bytes=user_bytes,
        period_s=_rating_period_s(drive),
    )  # fmt: skip
    needed = figure(
        "wa", endurance.implied_wa, raw_bytes=stated(drive, "raw_bytes"),
        pe_cycles=stated(drive, "pe_cycles"), rated_bytes=rated_bytes,
    )  # fmt: skip
    printed = drive.value("rated_dwpd")
    said = []
    if isinstance(from_tbw, Figure) and printed and abs(from_tbw.value / printed - 1) > TOLERATED:
        said.append(
            f"The ratings disagree: rated TBW is {from_tbw.value:.3g} drive writes per day over "
            f"the rating period, printed as {printed:.3g}; TBW is used."
        )
    if isinstance(needed, Figure) and needed.value < 1:
        said.append(
            f"The ratings disagree: rated TBW needs {1 / needed.value:.3g} times the rated "
            "program/erase cycles even without write amplification."
        )
    return tuple(said)
