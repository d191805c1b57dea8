"""Writes over time: growth, steps and phase-in of a workload."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from models import growth
from planner.graph.answer import Answer, given
from planner.quantity.show import text
from planner.scenario.workload import Workload


def course_of(workload: Workload) -> dict[str, Any]:
    """Return growth, steps and phase-in of a workload as arguments of `models.growth`."""
    return {"growth_per_year": workload.growth_per_year} | _as_lists(_steps_of(workload))


def is_steady(workload: Workload) -> bool:
    """Whether the rate of writes is constant.

    >>> is_steady(Workload(host_bytes_per_s=1e6)), is_steady(Workload(host_bytes_per_s=1e6,
    ...                                                               phase_in_s=1e6))
    (True, False)
    """
    return not np.any(workload.growth_per_year) and not _steps_of(workload)


def course_text(workload: Workload) -> str:
    """Describe growth, steps and phase-in of a workload; empty if its rate is constant.

    >>> course_text(Workload(host_bytes_per_s=1e6, growth_per_year=0.2, rate_steps=((3.2e7, 2.0),)))
    'growth of 20 %/year, x2 after 1.015 years'
    """
    texts = {name: text(name, value) for name, value in _steps_of(workload).items()}
    parts = [f"growth of {text('growth_per_year', workload.growth_per_year)}"]
    parts = parts if np.any(workload.growth_per_year) else []
    if "phase_in_s" in texts:
        parts.append(f"phased in over {texts['phase_in_s']}")
    for number in range(1, len(workload.rate_steps) + 1):
        factor = texts[f"step_{number}_factor"].removesuffix(" x")
        parts.append(f"x{factor} after {texts[f'step_{number}_s']}")
    return ", ".join(parts)


def written_bytes(
    workload: Workload, elapsed_s: ArrayLike, *, host_bytes_per_s: ArrayLike | None = None
) -> float:
    """Return the bytes that applications write until a time, with today's rate or another one.

    >>> merger = Workload(host_bytes_per_s=1e6, rate_steps=((100.0, 2.0),))
    >>> written_bytes(merger, [50.0, 200.0]).tolist()
    [50000000.0, 300000000.0]
    """
    return _over_time(growth.written_bytes, workload, elapsed_s, host_bytes_per_s)


def rate_bytes_per_s(
    workload: Workload, elapsed_s: ArrayLike, *, host_bytes_per_s: ArrayLike | None = None
) -> float:
    """Return the rate of application writes at a time, scaled from today's rate or another one."""
    return _over_time(growth.rate_bytes_per_s, workload, elapsed_s, host_bytes_per_s)


def course_leaves(workload: Workload) -> dict[str, Answer]:
    """Return growth, steps and phase-in of a workload as answers."""
    numbers = {"growth_per_year": workload.growth_per_year} | _steps_of(workload)
    return {name: given(name, value, source="workload") for name, value in numbers.items()}


def _over_time(
    formula: Callable[..., float],
    workload: Workload,
    elapsed_s: ArrayLike,
    host_bytes_per_s: ArrayLike | None,
) -> float:
    rate = workload.host_bytes_per_s if host_bytes_per_s is None else host_bytes_per_s
    return formula(cast("float", elapsed_s), host_bytes_per_s=rate, **course_of(workload))


def _steps_of(workload: Workload) -> dict[str, float]:
    """Return phase-in and steps by quantity, without those that the workload does not have."""
    numbers = {"phase_in_s": workload.phase_in_s} if np.any(workload.phase_in_s) else {}
    for number, (time_s, factor) in enumerate(sorted(workload.rate_steps), start=1):
        numbers |= {f"step_{number}_s": time_s, f"step_{number}_factor": factor}
    return numbers


def _as_lists(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the numbers of single steps by the two lists that `models.growth` takes."""
    steps = [name for name in numbers if name.startswith("step_")]
    gathered = {name: value for name, value in numbers.items() if name not in steps}
    if steps:
        places = range(1, len(steps) // 2 + 1)
        gathered["step_times_s"] = tuple(numbers[f"step_{place}_s"] for place in places)
        gathered["step_factors"] = tuple(numbers[f"step_{place}_factor"] for place in places)
    return gathered
