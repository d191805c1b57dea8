"""Registry: range in which each model was checked against simulation, and its error.

Errors are the worst over the grid of `docs/evidence/validation.md`, against the reference
simulator, over that of `docs/evidence/validation-speed.md`, against the event simulator and others,
or, where the group is a test, over the cases of that test, against its own simulation.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from models import (
    array_speed,
    array_stalls,
    block_endurance,
    dram_cache,
    end_of_life,
    failures,
    flash_reads,
    latency_tail,
    parallelism,
    slc_cache,
    spare_area,
    stall_exposure,
    stalls,
    transient,
    wear_forecast,
)
from models import write_amplification as wa


class Checked(NamedTuple):
    """A formula, the ranges of its arguments that were checked, and the worst error seen."""

    formula: Callable[..., float | tuple[float, ...]]
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
            0.01,
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
        "lifetime_levels": Checked(
            wa.lifetime_levels,
            {"op_ratio": (0.19, 0.4)},
            0.015,
            "tests/models/test_wa_lifetimes.py",
        ),
        "with_shared_fate": Checked(
            wa.with_shared_fate,
            {"op_ratio": (0.27, 0.28), "pages_per_block": (32.0, 32.0)},
            0.2,
            "tests/models/test_wa_lifetimes.py",
        ),
        # Beside drives drawn block by block.
        "weibull_first_block_cycles": Checked(
            block_endurance.weibull_first_block_cycles,
            {"weibull_shape": (8.0, 20.0)},
            0.003,
            "tests/models/test_block_endurance.py",
        ),
        "end_of_life_cycles": Checked(
            end_of_life.end_of_life_cycles,
            {"spare_block_fraction": (0.02, 0.2), "blocks": (300.0, 4000.0)},
            0.001,
            "tests/models/test_end_of_life.py",
        ),
        "end_of_life_sd_cycles": Checked(
            end_of_life.end_of_life_sd_cycles,
            {"spare_block_fraction": (0.02, 0.2), "blocks": (300.0, 4000.0)},
            0.06,
            "tests/models/test_end_of_life.py",
        ),
        "uneven_worn_fraction": Checked(
            end_of_life.uneven_worn_fraction,
            {"wear_cv": (0.05, 0.3)},
            0.001,
            "tests/models/test_end_of_life.py",
        ),
        "shrinking_drive_fills": Checked(
            end_of_life.shrinking_drive_fills,
            {"op_ratio": (0.07, 1.0)},
            0.001,
            "tests/models/test_end_of_life.py",
        ),
        "first_passage_s": Checked(
            wear_forecast.first_passage_s,
            {"quantile": (0.05, 0.95)},
            0.012,
            "tests/models/test_wear_forecast.py",
        ),
        "dies_iops": Checked(
            parallelism.dies_iops,
            {"queue_depth": (1.0, 256.0), "dies": (4.0, 128.0)},
            0.05,
            "reads over 4 dies",
        ),
        "read_iops": Checked(
            flash_reads.read_iops,
            {"queue_depth": (1.0, 128.0), "dies": (4.0, 128.0)},
            0.07,
            "reads over channels and link, 4 dies",
        ),
        "cache_read_iops": Checked(
            flash_reads.cache_read_iops,
            {"queue_depth": (1.0, 128.0), "dies": (4.0, 128.0)},
            0.06,
            "reads that free their die after the sense",
        ),
        "aligned_latency_s": Checked(
            stalls.aligned_latency_s,
            {},
            0.16,
            "longest write latency, small steps, erases together",
        ),
        "blocking_latency_s": Checked(
            stalls.blocking_latency_s, {}, 0.14, "longest write latency, whole superblocks"
        ),
        # Of the length of the stall.
        "exposed_stall_s": Checked(
            stall_exposure.exposed_stall_s, {}, 0.07, "stall below saturation, whole superblocks"
        ),
        "burst_s": Checked(slc_cache.burst_s, {}, 0.002, "time of a burst"),
        "steady_burst_s": Checked(
            slc_cache.steady_burst_s, {}, 0.002, "time of a burst in the long run"
        ),
        "hit_ratio": Checked(dram_cache.hit_ratio, {}, 0.01, "cache hits"),
        "destage_ratio": Checked(dram_cache.destage_ratio, {}, 0.01, "pages destaged per request"),
        "dirty_pages": Checked(dram_cache.dirty_pages, {}, 0.005, "dirty pages"),
        "effective_op_ratio": Checked(
            spare_area.effective_op_ratio,
            {"fill_fraction": (0.25, 1.0)},
            0.005,
            "write amplification, part in use",
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
        # From the 99th percentile on; with more readers the median comes out too low.
        "queued_read_iops": Checked(
            latency_tail.queued_read_iops,
            {"readers_per_die": (0.0, 0.25)},
            0.07,
            "tests/models/test_latency_tail_loaded.py",
        ),
        "queued_read_latency_s": Checked(
            latency_tail.queued_read_latency_s,
            {"readers_per_die": (0.0, 0.25)},
            0.06,
            "tests/models/test_latency_tail_loaded.py",
        ),
        # Mean errors are 1 %; the worst ones at depths of 2 and 4, where few operations meet.
        "array_speed": Checked(
            array_speed.array_speed,
            {"members": (1.0, 24.0), "queue_depth": (1.0, 512.0)},
            0.13,
            "tests/models/test_array_speed.py",
        ),
        "stalled_iops": Checked(
            array_stalls.stalled_iops,
            {"members": (2.0, 24.0), "stall_s": (1e-3, 0.1), "stalls_per_operation": (0.0, 1e-3)},
            0.06,
            "tests/models/test_array_stalls.py",
        ),
        # Ranges of failures that a group expects in one rebuild, of failures at the constant rate
        # that a drive expects before it wears out, and of the rebuild times of all members over
        # the standard deviation of lives.
        "loss_probability": Checked(
            failures.loss_probability,
            {"failures_in_a_rebuild": (0.0, 0.3)},
            0.05,
            "tests/validation/test_failures.py",
        ),
        "wear_out_loss_probability": Checked(
            failures.wear_out_loss_probability,
            {"failures_in_a_life": (0.0, 0.1), "rebuilds_in_the_spread_of_lives": (0.0, 2.5)},
            0.06,
            "tests/validation/test_failures.py",
        ),
        # Of horizons over mean lives, of drives that are left to wear out.
        "generations_loss_probability": Checked(
            failures.generations_loss_probability,
            {"lives": (0.0, 3.6)},
            0.06,
            "tests/models/test_failures_wear_out.py",
        ),
        "staggered_loss_probability": Checked(
            failures.staggered_loss_probability,
            {"failures_in_a_life": (0.0, 0.1), "rebuilds_in_the_spread_of_lives": (0.0, 2.5)},
            0.05,
            "tests/validation/test_failures.py",
        ),
        "mean_replacements": Checked(
            failures.mean_replacements, {}, 0.02, "tests/validation/test_failures.py"
        ),
        "closed_form_replacements": Checked(
            failures.closed_form_replacements,
            {"lives": (0.01, 30.0), "expected_failures": (0.001, 1.0), "life_cv": (0.01, 0.15)},
            1.2e-4,
            "tests/models/test_failures_renewals.py",
        ),
        "replacements_sd": Checked(
            failures.replacements_sd, {}, 0.05, "tests/validation/test_failures.py"
        ),
    }
)


def checked(formula: str) -> Checked | None:
    """Find the entry of a formula by its module and name; one of another module has none.

    >>> checked("models.write_amplification.fifo").error, checked("models.queueing.fifo")
    (0.001, None)
    """
    module, _, name = formula.rpartition(".")
    entry = CHECKED.get(name)
    if entry is None or not module:
        return None
    return entry if getattr(import_module(module), name, None) is entry.formula else None


def outside(formula: str, **inputs: float) -> tuple[str, ...]:
    """List the arguments of a formula that lie outside the range in which it was checked.

    >>> outside("models.write_amplification.fifo", op_ratio=0.01)
    ('op_ratio 0.01 is outside the range from 0.05 to 1 in which fifo was checked.',)
    >>> outside("models.write_amplification.fifo", op_ratio=0.28)
    ()
    """
    entry, name = checked(formula), formula.rpartition(".")[2]
    if entry is None:
        return ()
    return tuple(
        f"{argument} {np.min(value):.6g} is outside the range from {low:g} to {high:g} in which "
        f"{name} was checked."
        for argument, (low, high) in entry.ranges.items()
        if argument in inputs
        and np.any((np.asarray(value := inputs[argument]) < low) | (np.asarray(value) > high))
    )
