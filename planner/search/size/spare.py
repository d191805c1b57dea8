"""How much of the capacity must stay empty, so that a life, a rating or a rate is met?"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache

from models import endurance
from planner.graph.answer import Answer, unknown
from planner.search.size.answer import (
    ENDURANCE,
    HORIZON_S,
    Margin,
    Sizing,
    known_numbers,
    lacking,
    lives,
    searched,
    target,
)
from planner.search.size.roots import edge
from planner.sections.life import LIFE_OF, Limit
from planner.sections.plan import PlanReading
from planner.sections.speed import NO_GEOMETRY, speed_of

LEAST_PARTITION = 0.01
CLOSED = 1e-9
FIXED = "Host writes stay as they are while less of each drive is put to use."
PARTITIONED = "Drive writes per day count the partitioned capacity, as vendors count it."
STEADY = "steady write rate"

_LIFE = {
    str(Limit.FLASH_WEAR): "wear_life_s",
    str(Limit.RATED_TBW): "rated_life_s",
    str(Limit.WARRANTY): "warranty_s",
}
_WRITES = {str(Limit.FLASH_WEAR): "wear_limit_bytes", str(Limit.RATED_TBW): "rated_limit_bytes"}

Available = Callable[[float], Mapping[str, float]]  # of limits, by partitioned share


def spare_for_life(
    plan: PlanReading, life_s: float, *, limits: Collection[Limit] = ENDURANCE
) -> Sizing:
    """Return the largest share of each drive that may be partitioned for it to last `life_s`.

    Limits that cannot be computed are left out; the warranty counts only where `limits` names it.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> plan = plan_drive(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=5e12 / 86400))
    >>> needed = spare_for_life(plan, 5 * 365 * 86400)
    >>> print(f"{needed.value:.3f}, by {needed.limit}")
    0.888, by rated TBW
    """
    needed = target(wear_out_life_s=life_s)

    def available(partition: float) -> dict[str, float]:
        return lives(plan, limits, partition_fraction=partition)

    parts = (plan[LIFE_OF[limit]] for limit in limits)
    return _spare(plan, available, needed, _LIFE, parts)


def spare_for_dwpd(plan: PlanReading, dwpd: float, *, period_s: float = HORIZON_S) -> Sizing:
    """Return the largest share of each drive to partition for so many drive writes per day.

    Drive writes count the partitioned capacity, as vendors count it, over `period_s` and under
    write amplification of the plan's workload.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> plan = plan_drive(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6))
    >>> print(f"{spare_for_dwpd(plan, 12.5).value:.3f}")
    0.929
    """
    needed, period = target(dwpd=dwpd), target(period_s=period_s)

    user_bytes = plan.drive.value("user_bytes")

    def available(partition: float) -> dict[str, float]:
        if user_bytes is None:
            return {}
        writes = known_numbers(plan, _WRITES, partition_fraction=partition)
        return {
            limit: endurance.dwpd(most, user_bytes=user_bytes * partition, period_s=period)
            for limit, most in writes.items()
        }

    keys = dict.fromkeys(_LIFE, "dwpd")
    parts = (plan["required_dwpd"], plan["workload_wa"], plan["host_limit_bytes"])
    return _spare(plan, available, needed, keys, parts, (PARTITIONED,))


def spare_for_iops(plan: PlanReading, iops: float) -> Sizing:
    """Return the largest share of each drive to partition for steady random writes at `iops`.

    The rate is that of one drive in steady state, which follows write amplification. Where the
    flash is unknown, the printed rate stands whatever stays empty, and a higher target is rejected.
    """
    needed = target(iops=iops)
    # Reads do not bear on the rate required, and their percentiles take longest.
    alone = replace(plan.workload, read_fraction=0.0)
    steady = speed_of(plan.again(workload=alone), with_readers=False)

    def available(partition: float) -> dict[str, float]:
        at_partition = plan.again(workload=alone, partition_fraction=partition)
        rate = speed_of(at_partition, with_readers=False).steady_write_iops
        return {} if not rate.is_known else {STEADY: float(rate.value)}

    notes = tuple(note for note in steady.notes if note == NO_GEOMETRY)
    keys = {STEADY: "modelled_steady_write_iops"}
    return _spare(plan, available, needed, keys, (steady.steady_write_iops,), notes)


def _spare(
    plan: PlanReading,
    available: Available,
    needed: float,
    keys: Mapping[str, str],
    parts: Iterable[Answer],
    notes: tuple[str, ...] = (),
) -> Sizing:
    """Ask each limit alone, then take the one that wants the smallest partition."""

    @cache
    def margins(partition: float) -> dict[str, Margin]:
        return {
            limit: Margin(limit=limit, key=keys[limit], needed=needed, available=value)
            for limit, value in available(partition).items()
        }

    full = margins(1.0)
    if not full:
        missing = unknown(key="partition_fraction", lacking=lacking(parts))
        return Sizing(answer=missing, plan=plan, notes=notes)
    alone = {limit: _partition(margins, limit, is_met=full[limit].fits) for limit in full}
    return _smallest(plan, margins, alone, (FIXED, *notes))


def _partition(
    margins: Callable[[float], Mapping[str, Margin]], limit: str, *, is_met: bool
) -> float | None:
    """Return the largest partition that one limit allows; None where none is small enough."""
    if is_met:
        return 1.0
    if not margins(LEAST_PARTITION)[limit].fits:
        return None
    return edge(
        lambda part: margins(part)[limit].excess, fits=LEAST_PARTITION, fails=1.0, closed=CLOSED
    )


def _smallest(
    plan: PlanReading,
    margins: Callable[[float], Mapping[str, Margin]],
    alone: Mapping[str, float | None],
    notes: tuple[str, ...],
) -> Sizing:
    parts = {limit: LEAST_PARTITION if part is None else part for limit, part in alone.items()}
    smallest = min(parts.values())
    there = margins(smallest)
    rejected = tuple(there[limit] for limit, part in alone.items() if part is None)
    answer = searched("partition_fraction", smallest, note=FIXED)
    return Sizing(
        answer=None if rejected else answer,
        limit=min(rejected or there.values(), key=lambda margin: margin.excess).limit,
        by_limit={
            limit: searched("partition_fraction", part)
            for limit, part in alone.items()
            if part is not None
        },
        margins=tuple(there.values()),
        rejected=rejected,
        plan=plan.again(partition_fraction=smallest),
        notes=notes,
    )
