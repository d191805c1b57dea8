"""What a workload writes over time: growth, steps and phase-in, for every face."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from models import growth
from planner.graph.answer import Answer, figure, given
from planner.quantity.show import text
from planner.scenario.workload import Workload

__all__ = [
    "course_leaves",
    "course_of",
    "described",
    "grown",
    "is_steady",
    "rate_bytes_per_s",
    "written_bytes",
]


def course_of(workload: Workload) -> dict[str, Any]:
    """Return the course of the rate of a workload, as arguments of `models.growth`."""
    return {"growth_per_year": workload.growth_per_year} | _as_lists(_steps_of(workload))


def is_steady(workload: Workload) -> bool:
    """Whether the rate of writes is constant.

    >>> is_steady(Workload(host_bytes_per_s=1e6)), is_steady(Workload(host_bytes_per_s=1e6,
    ...                                                               phase_in_s=1e6))
    (True, False)
    """
    return not np.any(workload.growth_per_year) and not _steps_of(workload)


def described(workload: Workload) -> str:
    """Describe the course of the rate of a workload; empty if it is constant.

    >>> described(Workload(host_bytes_per_s=1e6, growth_per_year=0.2, rate_steps=((3.2e7, 2.0),)))
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
    """Return the bytes that the applications write by a time; from another present rate, if given.

    >>> merger = Workload(host_bytes_per_s=1e6, rate_steps=((100.0, 2.0),))
    >>> written_bytes(merger, [50.0, 200.0]).tolist()
    [50000000.0, 300000000.0]
    """
    return _over_time(growth.written_bytes, workload, elapsed_s, host_bytes_per_s)


def rate_bytes_per_s(
    workload: Workload, elapsed_s: ArrayLike, *, host_bytes_per_s: ArrayLike | None = None
) -> float:
    """Return the rate at which the applications write at a time; scaled from another, if given."""
    return _over_time(growth.rate_bytes_per_s, workload, elapsed_s, host_bytes_per_s)


def course_leaves(workload: Workload) -> dict[str, Answer]:
    """Return the course of the rate of a workload, each number with its source."""
    numbers = {"growth_per_year": workload.growth_per_year} | _steps_of(workload)
    return {name: given(name, value, source="workload") for name, value in numbers.items()}


def grown(key: str, formula: Callable[..., float], workload: Workload, **inputs: Answer) -> Answer:
    """Apply a formula of `models.growth` to `inputs` and to the course of the workload."""
    return figure(key, formula, **inputs, **_as_lists(course_leaves(workload)))


def _over_time(
    formula: Callable[..., float],
    workload: Workload,
    elapsed_s: ArrayLike,
    host_bytes_per_s: ArrayLike | None,
) -> float:
    rate = workload.host_bytes_per_s if host_bytes_per_s is None else host_bytes_per_s
    return formula(cast("float", elapsed_s), host_bytes_per_s=rate, **course_of(workload))


def _steps_of(workload: Workload) -> dict[str, float]:
    """Return phase-in and steps, each number under the name of its quantity; none if none."""
    found = {"phase_in_s": workload.phase_in_s} if np.any(workload.phase_in_s) else {}
    for number, (time_s, factor) in enumerate(sorted(workload.rate_steps), start=1):
        found |= {f"step_{number}_s": time_s, f"step_{number}_factor": factor}
    return found


def _as_lists(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Gather the times and the factors of steps in one list each, as `models.growth` takes them."""
    steps = [name for name in numbers if name.startswith("step_")]
    gathered = {name: value for name, value in numbers.items() if name not in steps}
    if steps:
        places = range(1, len(steps) // 2 + 1)
        gathered["step_times_s"] = tuple(numbers[f"step_{place}_s"] for place in places)
        gathered["step_factors"] = tuple(numbers[f"step_{place}_factor"] for place in places)
    return gathered
