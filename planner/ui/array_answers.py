"""Everything that the screen of the array shows, computed once for a scenario."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from models.errors import DomainError
from planner.quantity.show import complaint
from planner.scenario.risk import Risk
from planner.search.array_levels import LevelGrid, changes, level_grid
from planner.sections.array_queue import ArrayQueue, array_queue
from planner.sections.data_loss import DataLoss, Remedy, data_loss
from planner.sections.plan import PlanReading
from planner.sections.replacements import replacement_course
from planner.ui import array_frames
from planner.ui import state as scenario
from planner.ui.plain import shown

MEMBERS = range(2, 25)
MOST_LIVES = 100.0  # within the horizon; renewals are counted one by one


@dataclass(frozen=True, kw_only=True)
class Computed:
    """Everything that the page shows."""

    queue: ArrayQueue
    changes: tuple[Remedy, ...]
    grid: LevelGrid | None
    ends_s: NDArray[np.float64]

    @property
    def lost(self) -> DataLoss:
        """Loss of the plan as it is."""
        return self.changes[0].data_loss

    @cached_property
    def replaced(self) -> NDArray[np.float64] | None:
        """Drives replaced until each end."""
        return replacement_course(self.lost, self.ends_s)


def computed(plan: PlanReading, risk: Risk) -> Computed:
    """Answer every question of the page; a bad input stops with its sentence."""
    parts = (plan.drive, dict(plan.drive.facts), plan.workload, plan.array,
             plan.partition_fraction, plan.rating_wa, plan.firmware, risk)  # fmt: skip
    _stop_if_worn_at_once(plan, risk)
    try:
        found = _computed(repr(parts), plan, risk)
        tuple(found.queue.answers)  # a reading refuses when it is read
    except DomainError as error:
        scenario.stop(f"{plan.drive.name}: {complaint(error, {})}")
    return found


def _stop_if_worn_at_once(plan: PlanReading, risk: Risk) -> None:
    """Stop where drives would be replaced so often that nobody would run the array."""
    life = data_loss(plan, risk)["wear_out_life_s"]
    if not life.is_known:
        return
    lives = risk.horizon_s / (life.value * min(1.0, risk.replaced_fraction or 1.0))
    if lives > MOST_LIVES:
        reason = (
            f"{plan.drive.name}: each drive would be replaced {lives:,.0f} times within the "
            f"horizon (worn out after {shown(life)}); up to {MOST_LIVES:.0f} times "
            "are counted. Choose fewer writes, other drives or a shorter horizon."
        )
        scenario.stop(reason)


@st.cache_resource(max_entries=64, show_spinner=False)
def _computed(key: str, _plan: PlanReading, _risk: Risk) -> Computed:  # noqa: ARG001 - Streamlit caches by it
    mended = changes(_plan, _risk)
    levels = [
        level for level in scenario.LEVELS
        if level != "1" and level.startswith(("raidz", "draid")) == _plan.array.is_pool
    ]  # fmt: skip
    return Computed(
        queue=array_queue(_plan),
        changes=mended,
        grid=level_grid(_plan, _risk, levels=levels, members=MEMBERS),
        ends_s=array_frames.ends_s(_risk.horizon_s),
    )
