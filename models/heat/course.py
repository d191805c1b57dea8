r"""Course of the temperature over phases of power, with throttling between two limits.

Base units: watts, kelvin, seconds. Within a phase the power changes only where the body reaches
a limit, so each stretch between is exact (`models.heat.two_nodes`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.errors import DomainError
from models.heat.two_nodes import (
    NodeTemperatures,
    ThermalNodes,
    crossing_s,
    node_temperatures,
    turn_s,
)

_ALIKE_K = 1e-9  # of two turns of a cycle, from which it repeats itself


class HeatPhase(NamedTuple):
    """A phase of constant load.

    Attributes:
        time_s: Length of the phase. [s]
        power_w: Power at full speed. [W]
        throttled_power_w: Power while the drive throttles. [W]
    """

    time_s: float
    power_w: float
    throttled_power_w: float


class HeatCourse(NamedTuple):
    """Temperatures and throttling by phase.

    Attributes:
        controller_k: Temperature of the controller at the end of each phase. [K]
        body_k: Temperature of the body at the end of each phase. [K]
        hottest_k: Highest temperature of the body within each phase. [K]
        throttled_fraction: Share of each phase in which the drive throttled. [1]
    """

    controller_k: NDArray[np.float64]
    body_k: NDArray[np.float64]
    hottest_k: NDArray[np.float64]
    throttled_fraction: NDArray[np.float64]


class _State(NamedTuple):
    temperatures: NodeTemperatures
    is_throttled: bool


def heat_course(
    phases: Sequence[HeatPhase], *, air_k: float, limit_k: float, resume_k: float,
    start: NodeTemperatures, thermal: ThermalNodes,
) -> HeatCourse:  # fmt: skip
    r"""Temperatures and throttled share of each phase of a load.

    .. math::
        P(t) = \begin{cases} P_t & \text{from } T_b = T_l \text{ until } T_b = T_r \\
        P & \text{else} \end{cases}

    Args:
        phases (sequence of HeatPhase): Phases, one after the other. [1]
        air_k (float): Temperature of the air around the drive. [K]
        limit_k (float): Temperature of the body at which the drive throttles, T_l. [K]
        resume_k (float): Temperature of the body at which it is fast again, T_r. [K]
        start (NodeTemperatures): Temperatures at the start. [1]
        thermal (ThermalNodes): Heat capacities and thermal resistances of the drive. [1]

    Returns:
        Temperatures at the end of each phase, the highest ones, and the throttled shares. [1]

    Raises:
        DomainError: Unless the numbers of each phase are >= 0 and finite, limit_k, resume_k and
            air_k are > 0 and finite, resume_k is below limit_k, and start and thermal are as those
            of `node_temperatures`.

    Notes:
        Valid for constant air and resistances; exact between limits. A cycle that repeats itself
        is counted, not computed again. Source: `node_temperatures` from limit to limit.

    Examples:
        Ten minutes of 6 W and ten of 1 W, limits of 80 and 75 C in air of 35 C:

        >>> thermal = ThermalNodes(2.0, 12.0, 8.0, 12.0, 0.5)
        >>> phases = [HeatPhase(600.0, 6.0, 2.0), HeatPhase(600.0, 1.0, 1.0)]
        >>> got = heat_course(phases, air_k=308.15, limit_k=353.15, resume_k=348.15,
        ...                   start=NodeTemperatures(308.15, 308.15), thermal=thermal)
        >>> got.throttled_fraction.round(2), got.body_k.round(1)
        (array([0.47, 0.02]), array([349.5, 321. ]))
    """
    limit, resume, _ = _check.finite(limit_k=limit_k, resume_k=resume_k, air_k=air_k)
    _check.require(resume < limit, "resume_k", "below limit_k", resume_k)
    if not isinstance(start, NodeTemperatures):
        raise DomainError("start must be NodeTemperatures")
    state, rows = _State(start, start.body_k >= limit), []
    for phase in phases:
        _check.from_zero(**phase._asdict())
        run = _PhaseRun(phase, air_k, (limit, resume), thermal, state)
        run.to_end()
        share = run.throttled_s / phase.time_s if phase.time_s else float(state.is_throttled)
        state = run.state
        rows.append((*state.temperatures, run.hottest_k, share))
    columns = np.array(rows, float).reshape(-1, 4).T
    return HeatCourse(*columns)


class _PhaseRun:
    """One phase: stretches at one power each, until its time is over."""

    def __init__(
        self, phase: HeatPhase, air_k: float, limits: tuple[float, float], thermal: ThermalNodes,
        state: _State,
    ) -> None:  # fmt: skip
        self.phase, self.air_k, self.limits, self.thermal = phase, air_k, limits, thermal
        self.state, self.left_s, self.throttled_s = state, float(phase.time_s), 0.0
        self.hottest_k = state.temperatures.body_k

    def to_end(self) -> None:
        """Go from limit to limit; whole cycles that are all alike at once."""
        last: tuple[float, float, float] | None = None  # controller, time left, throttled
        while self.left_s > 0:
            self._stretch()
            if self.state.is_throttled or not self.left_s:
                continue
            controller = self.state.temperatures.controller_k
            if last is not None and abs(controller - last[0]) < _ALIKE_K:
                self._skip(last[1] - self.left_s, self.throttled_s - last[2])
                last = None
            else:
                last = controller, self.left_s, self.throttled_s

    def _stretch(self) -> None:
        """Stay at one power until the limit that changes it, or the end of the phase."""
        begin, is_throttled = self.state
        limit, resume = self.limits
        goal = resume if is_throttled else limit
        is_past = begin.body_k <= goal if is_throttled else begin.body_k >= goal
        power = self.phase.throttled_power_w if is_throttled else self.phase.power_w
        at: dict[str, Any] = {
            "power_w": power,
            "air_k": self.air_k,
            "start": begin,
            "thermal": self.thermal,
        }
        wait = 0.0 if is_past else crossing_s(goal, **at)
        time = min(wait, self.left_s)
        turn = min(turn_s(**at), time)
        turned, end = (node_temperatures(each, **at) for each in (turn, time))
        self.hottest_k = max(self.hottest_k, turned.body_k, end.body_k)
        self.left_s -= time
        self.throttled_s += time * is_throttled
        changes = wait <= time
        self.state = _State(end._replace(body_k=goal) if changes and time else end,
                            is_throttled != changes)  # fmt: skip

    def _skip(self, cycle_s: float, throttled_s: float) -> None:
        cycles = self.left_s // cycle_s if cycle_s > 0 else 0.0
        self.left_s -= cycles * cycle_s
        self.throttled_s += cycles * throttled_s
