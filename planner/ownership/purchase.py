"""What is bought and what it does: the numbers of a plan on which the cost of owning it rests."""

from dataclasses import dataclass, fields

import numpy as np

from planner.catalogue.facts import stated
from planner.graph.answer import Answer, given
from planner.reliability.failure_assumptions import Risk, failures_per_s
from planner.scenario.workload import Workload
from planner.sections.plan import Plan

FACTS = ("price_usd", "user_bytes", "idle_power_w", "read_power_w", "write_power_w")


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """Facts of the drive, and rates, endurance and layout of its array.

    Each number may be an array, of axes that all of them share. `workload` gives the course of
    the writes over time, the mix and the size of operations; its rate is `host_bytes_per_s`.
    """

    workload: Workload
    price_usd: Answer
    user_bytes: Answer
    idle_power_w: Answer
    read_power_w: Answer
    write_power_w: Answer
    failures_per_s: Answer
    host_bytes_per_s: Answer
    members: Answer
    hot_spares: Answer
    working_members: Answer
    reads_per_write: Answer
    writes_per_write: Answer
    member_bytes_per_s: Answer
    host_limit_bytes: Answer
    usable_bytes: Answer
    rated_read_iops: Answer
    rated_write_iops: Answer
    budget_iops: Answer

    @property
    def axes(self) -> int:
        """The number of axes of the arrays; 0 where every number is one."""
        answers = (getattr(self, field.name) for field in fields(self) if field.name != "workload")
        return max(np.ndim(answer.value) for answer in answers if answer.is_known)


def purchase_of(answer: Plan, risk: Risk) -> Purchase:
    """Return what a plan buys."""
    reading = answer.reading
    return Purchase(
        workload=answer.workload,
        **{name: stated(answer.drive, name) for name in FACTS},
        failures_per_s=failures_per_s(answer.drive, risk),
        host_bytes_per_s=given(
            "host_bytes_per_s", answer.workload.host_bytes_per_s, source="workload"
        ),
        members=given("members", answer.array.members, source="array"),
        hot_spares=given("hot_spares", answer.array.hot_spares, source="array"),
        working_members=reading["working_members"],
        reads_per_write=reading["reads_per_write"],
        writes_per_write=reading["writes_per_write"],
        member_bytes_per_s=reading["member_bytes_per_s"],
        host_limit_bytes=reading["host_limit_bytes"],
        usable_bytes=reading["usable_bytes"],
        rated_read_iops=answer.performance.rated_read_iops,
        rated_write_iops=answer.performance.rated_write_iops,
        budget_iops=reading["budget_iops"],
    )
