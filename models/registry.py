"""Registry: where each model was checked against simulation, and how well it did.

Errors are the worst over the grid of `docs/validation.md`, against the reference simulator, or,
where the group is a test, over the cases of that test, against its own simulation.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from models import latency_tail, transient
from models import write_amplification as wa

__all__ = ["CHECKED", "Checked", "outside"]


class Checked(NamedTuple):
    """A formula, the ranges of its arguments that were checked, and the worst error seen."""

    formula: Callable[..., float]
    ranges: Mapping[str, tuple[float, float]]
    error: float
    group: str


CHECKED: Mapping[str, Checked] = MappingProxyType(
    {
        "fifo": Checked(wa.fifo, {"op_ratio": (0.05, 1.0)}, 0.001, "fifo, uniform"),
        "greedy": Checked(
            wa.greedy,
            {"op_ratio": (0.05, 1.0), "pages_per_block": (16.0, 512.0)},
            0.001,
            "greedy, uniform",
        ),
        "random_victim": Checked(
            wa.random_victim, {"op_ratio": (0.05, 1.0)}, 0.001, "random, uniform"
        ),
        "d_choices": Checked(
            wa.d_choices,
            {"op_ratio": (0.05, 1.0), "pages_per_block": (16.0, 512.0)},
            0.001,
            "d-choices, uniform",
        ),
        "two_temperature": Checked(
            wa.two_temperature,
            {"op_ratio": (0.07, 1.0), "pages_per_block": (64.0, 512.0)},
            0.0015,
            "two temperatures, exact chain",
        ),
        "skewed": Checked(
            wa.skewed,
            {"op_ratio": (0.07, 1.0), "pages_per_block": (64.0, 512.0)},
            0.05,
            "skew, linear noise",
        ),
        "streams": Checked(
            wa.streams,
            {"op_ratio": (0.07, 1.0), "pages_per_block": (64.0, 256.0)},
            0.015,
            "streams with mistakes",
        ),
        "trimmed_op_ratio": Checked(wa.trimmed_op_ratio, {"trim_share": (0.0, 0.4)}, 0.003, "TRIM"),
        "static_op_ratio": Checked(
            wa.static_op_ratio,
            {"dynamic_fraction": (0.25, 1.0)},
            0.002,
            "static data laid in sequence",
        ),
        "host_gc": Checked(
            wa.host_gc,
            {"op_ratio": (0.05, 0.8), "pages_per_block": (64.0, 1024.0)},
            0.06,
            "host and copy frontiers, estimate",
        ),
        # Mean over windows of a hundredth of a drive fill, after the cliff.
        "greedy_flash_fills": Checked(
            transient.greedy_flash_fills,
            {"op_ratio": (0.07, 1.0), "pages_per_block": (64.0, 256.0)},
            0.005,
            "tests/models/test_transient.py",
        ),
        "fifo_flash_fills": Checked(
            transient.fifo_flash_fills,
            {"op_ratio": (0.07, 1.0)},
            0.006,
            "tests/models/test_transient.py",
        ),
        # Ranges of `latency_tail.busy_fraction`, of the busy share of the channel, of queue depth
        # over dies and of the longest operation over the time in which one reader visits as many
        # dies as there are. Errors from the 90th percentile on, twice that at the median.
        "read_latency_s": Checked(
            latency_tail.read_latency_s,
            {"busy_fraction": (0.0, 0.9), "channel_fraction": (0.0, 0.5)},
            0.05,
            "tests/models/test_latency_tail_open.py",
        ),
        "closed_read_latency_s": Checked(
            latency_tail.closed_read_latency_s,
            {
                "busy_fraction": (0.0, 0.9),
                "readers_per_die": (0.0, 0.25),
                "operation_rounds": (0.0, 5.0),
            },
            0.06,
            "tests/models/test_latency_tail_closed.py",
        ),
        "closed_read_iops": Checked(
            latency_tail.closed_read_iops,
            {
                "busy_fraction": (0.0, 0.9),
                "readers_per_die": (0.0, 0.25),
                "operation_rounds": (0.0, 5.0),
            },
            0.02,
            "tests/models/test_latency_tail_closed.py",
        ),
    }
)


def outside(name: str, **inputs: float) -> tuple[str, ...]:
    """Say which arguments of a formula lie outside the range in which it was checked.

    >>> outside("fifo", op_ratio=0.01)
    ('op_ratio 0.01 is outside the range from 0.05 to 1 in which fifo was checked.',)
    >>> outside("fifo", op_ratio=0.28)
    ()
    """
    checked = CHECKED.get(name)
    if checked is None:
        return ()
    return tuple(
        f"{argument} {np.min(value):.3g} is outside the range from {low:g} to {high:g} in which "
        f"{name} was checked."
        for argument, (low, high) in checked.ranges.items()
        if argument in inputs
        and np.any((np.asarray(value := inputs[argument]) < low) | (np.asarray(value) > high))
    )
