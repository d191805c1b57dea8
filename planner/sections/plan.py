"""The whole answer for one candidate: speed, life, array, cost."""

from dataclasses import dataclass

from models import _check
from models.nomenclature import QUANTITIES
from planner.catalogue.drive import Drive
from planner.graph.answer import Answer, given, walk
from planner.scenario.array import Array
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.sections.array import ArrayAnswer, array_answer, array_limit_bytes, member_bytes_per_s
from planner.sections.cost import Cost, price
from planner.sections.datasheet_speed import Performance, performance
from planner.sections.life import Lifetime, lifetime
from planner.sections.write_amplification import wa_band

__all__ = ["Plan", "plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Answers to every question about one drive, workload and array."""

    drive: Drive
    workload: Workload
    array: Array
    partition_fraction: float
    rating_wa: float | None
    firmware: Firmware
    lifetime: Lifetime
    performance: Performance
    array_answer: ArrayAnswer
    cost: Cost

    @property
    def sections(self) -> dict[str, tuple[Answer, ...]]:
        """Answers by question, in reading order."""
        return {
            "Life": self.lifetime.answers,
            "Speed of one drive": self.performance.answers,
            "Array": self.array_answer.answers,
            "Cost": self.cost.answers,
        }

    @property
    def binding(self) -> dict[str, str]:
        """What binds, by section, where it is known."""
        life, speed = self.lifetime, self.performance
        binding = {
            "Life": life.limit,
            "Speed of one drive": speed.limit,
            "Array": self.array_answer.limit,
            "Cost": life.endurance_limit,
        }
        return {section: str(bound) for section, bound in binding.items() if bound is not None}

    @property
    def nodes(self) -> dict[str, Answer]:
        """Every number by key: inputs first, then what they feed."""
        return walk(answer for answers in self.sections.values() for answer in answers)

    @property
    def wa_band(self) -> tuple[Answer, ...]:
        """Write amplification, low, typical and high: what placement can make of the workload."""
        return wa_band(self.drive, self.workload, self.lifetime.effective_op_ratio)

    @property
    def missing(self) -> tuple[Answer, ...]:
        """Answers that cannot be had, each with the facts that would supply it."""
        answers = [answer for group in self.sections.values() for answer in group]
        return tuple(answer for answer in answers if not answer.is_known)

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions and limits of validity, most important first."""
        return (
            *self._estimates,
            *self.lifetime.notes,
            *self.performance.notes,
            *self.array_answer.notes,
        )

    @property
    def _estimates(self) -> tuple[str, ...]:
        facts = [fact for name, fact in self.drive.facts.items() if name in self.nodes]
        return tuple(
            f"{QUANTITIES[fact.quantity].label} is no specification but an {fact.kind}: "
            f"{fact.note or fact.condition}"
            for fact in facts
            if fact.kind in ("estimate", "assumption")
        )


def plan(
    drive: Drive,
    workload: Workload,
    *,
    array: Array | None = None,
    partition_fraction: float = 1.0,
    rating_wa: float | None = None,
    firmware: Firmware | None = None,
) -> Plan:
    """Plan one drive, or an array of it, for a workload.

    Host writes of the workload go to the whole array. `partition_fraction` of each drive's
    user capacity is put to use, the rest stays empty as spare area. `rating_wa` is the write
    amplification of the vendor's rating workload where it is known, `firmware` how the drive
    collects garbage and places data: greedily and in one log unless it is told.

    >>> from planner.catalogue import find, load
    >>> drive = find(load(), "845DC PRO 400")
    >>> answer = plan(drive, Workload(host_bytes_per_s=5e12 / 86400))
    >>> print(f"{answer.lifetime.limit}: {answer.lifetime.years:.2f} years")
    rated TBW: 4.00 years
    """
    _check.share(partition_fraction=partition_fraction)
    if rating_wa is not None:
        _check.positive(rating_wa=rating_wa)
    array, firmware = array or Array(), firmware or Firmware()
    speed = performance(drive, workload)
    life = lifetime(
        drive,
        workload,
        member_bytes_per_s=member_bytes_per_s(workload, array),
        partition_fraction=partition_fraction,
        rating_wa=rating_wa,
        firmware=firmware,
    )
    together = array_answer(
        drive,
        workload,
        array,
        read_iops=speed.read_iops,
        write_iops=speed.write_iops,
        worst_case_iops=speed.worst_case_iops,
        partition_fraction=partition_fraction,
    )
    return Plan(
        drive=drive,
        workload=workload,
        array=array,
        partition_fraction=partition_fraction,
        rating_wa=rating_wa,
        firmware=firmware,
        lifetime=life,
        performance=speed,
        array_answer=together,
        cost=price(
            drive,
            members=given("members", array.members, source="array"),
            usable_bytes=together.usable_bytes,
            array_limit_bytes=array_limit_bytes(workload, array, life.host_limit_bytes),
        ),
    )
