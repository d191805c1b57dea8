"""How long will the drive last, and what ends it?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from models import endurance, growth
from models.units import YEAR_S
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure, first_known, given
from planner.scenario.firmware import Firmware
from planner.scenario.growth import grown
from planner.scenario.workload import Workload
from planner.sections.ratings import (
    contradictions,
    naive_limit,
    rated_bytes,
    rated_dwpd,
    rated_limit,
)
from planner.sections.wear import EVEN_WEAR, uneven_wear_limits, wear_limit
from planner.sections.write_amplification import (
    cleaning_op_ratio,
    left_out,
    spare_area_left,
    unchecked,
    wa_when_rated,
    workload_wa,
)

__all__ = ["Lifetime", "Limit", "lifetime"]

NO_BACKGROUND = "Background writes of the drive itself (refresh, scrubbing) are not counted."


class Limit(StrEnum):
    """What ends a drive's service."""

    FLASH_WEAR = "flash wear"
    RATED_TBW = "rated TBW"
    WARRANTY = "warranty period"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifetime:
    """The three dates, what each hangs on, and which comes first.

    `wear_band` is the date of flash wear, low, typical and high, if blocks wear unevenly.
    """

    effective_op_ratio: Answer
    workload_wa: Answer
    life_by_limit: Mapping[Limit, Answer]
    wear_band: Mapping[str, Answer]
    host_limit_bytes: Answer
    required_dwpd: Answer
    rated_dwpd: Answer
    printed_life_s: Answer
    naive_life_s: Answer
    notes: tuple[str, ...]

    @property
    def known(self) -> dict[Limit, Answer]:
        """Limits that could be computed, the first to be met first: of arrays, in the median."""
        known = {limit: life for limit, life in self.life_by_limit.items() if life.is_known}
        return dict(sorted(known.items(), key=lambda entry: float(np.median(entry[1].value))))

    @property
    def known_wear(self) -> dict[str, Answer]:
        """Low, typical and high date of flash wear; empty where it could not be computed."""
        known = {level: life for level, life in self.wear_band.items() if life.is_known}
        return known if len(known) == len(self.wear_band) else {}

    @property
    def _met(self) -> list[Limit]:
        return [limit for limit, node in self.known.items() if not np.all(np.isinf(node.value))]

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
            *self.wear_band.values(),
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
    firmware = firmware or Firmware()
    left = spare_area_left(drive, workload, partition_fraction=partition_fraction)
    op_ratio = cleaning_op_ratio(drive, left, firmware)
    wa = workload_wa(drive, workload, op_ratio, firmware)
    rated_at = first_known(
        given("rating_wa", rating_wa, source="user"), wa_when_rated(drive, left, firmware)
    )
    worn, rated = wear_limit(drive, wa), rated_limit(drive, wa, rated_at)
    uneven = uneven_wear_limits(drive, workload, op_ratio, firmware, worn)
    rate = member_bytes_per_s or given(
        "host_bytes_per_s", workload.host_bytes_per_s, source="workload"
    )
    life = _life_at(rate, workload)
    return Lifetime(
        effective_op_ratio=op_ratio,
        workload_wa=wa,
        life_by_limit={
            Limit.FLASH_WEAR: life("wear_life_s", worn),
            Limit.RATED_TBW: life("rated_life_s", rated),
            Limit.WARRANTY: stated(drive, "warranty_s"),
        },
        wear_band={level: life(f"{level}_wear_life_s", limit) for level, limit in uneven.items()},
        host_limit_bytes=_first_limit(worn, rated),
        required_dwpd=_required_dwpd(drive, rate),
        rated_dwpd=rated_dwpd(drive),
        printed_life_s=life("printed_life_s", rated_bytes(drive)),
        naive_life_s=life("naive_life_s", naive_limit(drive, wa)),
        notes=(
            *contradictions(drive),
            *left_out(drive, workload, firmware),
            *unchecked(wa),
            *_notes_on(worn, rated),
            NO_BACKGROUND,
        ),
    )


def _life_at(rate: Answer, workload: Workload) -> Callable[[str, Answer], Answer]:
    """Return what turns a write limit into a time, at the growing rate of the workload."""

    def life(key: str, limit: Answer) -> Answer:
        return grown(
            key, growth.growing_lifetime_s, workload, limit_bytes=limit, host_bytes_per_s=rate
        )

    return life


def _first_limit(worn: Answer, rated: Answer) -> Answer:
    both = figure(
        "host_limit_bytes",
        endurance.first_limit_bytes,
        wear_limit_bytes=worn,
        rated_limit_bytes=rated,
    )
    return first_known(both, worn, rated)


def _required_dwpd(drive: Drive, rate: Answer) -> Answer:
    return figure(
        "required_dwpd",
        endurance.required_dwpd,
        host_bytes_per_s=rate,
        user_bytes=stated(drive, "user_bytes"),
    )


def _notes_on(worn: Answer, rated: Answer) -> tuple[str, ...]:
    """Say what the limits of wear and rating assume, where they could be computed."""
    said = [] if not rated.is_known or not rated.note else [rated.note]
    return tuple(said if not worn.is_known else [*said, EVEN_WEAR])
