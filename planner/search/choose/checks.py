"""Slow checks of chosen configurations: IOPS at a depth, data loss, read latency."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models import _check, growth
from planner.graph.nodes import Node
from planner.graph.read import Reader
from planner.scenario.array import Array
from planner.scenario.growth import course_of
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.search.choose.configurations import Configurations, Floats, Places
from planner.search.choose.question import Requirements
from planner.sections.array_case import array_case, by_case, layout_leaves
from planner.sections.array_service import QUEUE_DEPTH, queue_graph, single_graph
from planner.sections.data_loss import loss_case, loss_leaves
from planner.sections.loss import loss_graph
from planner.sections.speed import read_tail

_RATES = ("rated_read_iops", "rated_write_iops")
_P999 = 99.9


def life_s(table: Configurations, at: Places) -> Floats:
    """Return the time until the first limit of wear or rating; NaN where none is known."""
    return table.at("endurance_life_s", at)


def rated_life_s(table: Configurations, requirements: Requirements, at: Places) -> Floats:
    """Return the time until rated writes are used up, with the required confidence if credited.

    NaN where nothing is rated.
    """
    limit = np.broadcast_to(table.rated_bytes, table.shape)[at]
    rate = table.at("member_bytes_per_s", at)
    as_printed, is_met = np.where(np.isnan(limit), np.nan, np.inf), np.isfinite(limit) & (rate > 0)
    as_printed[is_met] = growth.growing_lifetime_s(
        _check.plain(limit[is_met]),
        host_bytes_per_s=_check.plain(rate[is_met]),
        **course_of(table.workload),
    )
    is_rated = np.broadcast_to(table.is_rated, table.shape)[at]
    modelled = life_s(table, at) / requirements.life_spread
    if requirements.allows_unrated:
        unlimited = np.where(np.isnan(modelled), np.inf, modelled)
        as_printed = np.where(np.isnan(as_printed), unlimited, as_printed)
    else:
        as_printed = np.where(is_rated, as_printed, np.nan)
    is_credited = np.broadcast_to(table.is_credited, table.shape)[at]
    counts = is_credited & requirements.credits_spare_area
    return np.where(counts, np.fmax(as_printed, modelled), as_printed)


def loss_probability(
    table: Configurations, risk: Risk, at: Places, *, share: Floats | float = 1.0
) -> Floats:
    """Return the probability that each array loses data within the horizon of the risk.

    Drives are bought at once. Each array takes its `share` of the workload's writes.
    """
    bought_at_once = replace(risk, stagger_s=0.0)
    found = np.full(at.array.size, np.nan)
    for array, here in _cases(table, at):
        some, part = _of(at, here), np.broadcast_to(share, here.shape)[here]
        leaves = table.of_layout(some, lambda each: loss_leaves(each, bought_at_once, 1.0))
        leaves["held_fraction"] = leaves["held_fraction"] * table.held_fraction[some.spare]
        leaves["wear_out_life_s:least"] = np.zeros(part.shape)  # however often drives wear out
        reader = table.reader(some, ("new_limit_bytes",), leaves)
        rate = table.graph.answers["member_bytes_per_s"]
        reader.hold(rate, table.at("member_bytes_per_s", some) * part)
        graph = loss_graph(table.structure, loss_case(array, bought_at_once))
        found[here] = _numbers(reader, graph.answers["array_loss_probability"])
    return found


def queue_iops(table: Configurations, queue_depth: float | None, at: Places) -> Floats:
    """Return the IOPS of each array at the queue depth; NaN where the drive's rates are unknown."""
    found = np.full(at.array.size, np.nan)
    for array, here in _cases(table, at):
        some = _of(at, here)
        leaves = table.of_layout(some, lambda each: layout_leaves(each, table.workload))
        working = table.of_arrays("working")[some.array]
        each = np.broadcast_to(table.values["queue_depth"], table.shape)[some]
        depth = np.full(working.shape, queue_depth) if queue_depth else each * working
        leaves[f"{QUEUE_DEPTH.key}:whole"] = np.maximum(1.0, np.round(depth))
        if array.working == 1:
            own = table.reader(some, _RATES, {"queue_depth": depth})
            leaves["array_iops:one"] = _numbers(own, single_graph(table.structure).answers["iops"])
        graph = queue_graph(table.structure, array_case(array))
        reader = table.reader(some, _RATES, leaves)
        found[here] = _numbers(reader, graph.answers["array_iops"])
    return found


def _cases(table: Configurations, at: Places) -> Iterator[tuple[Array, NDArray[np.bool_]]]:
    """Find the configurations whose arrays take the same formulas: one of them, and which."""
    for places in by_case(table.arrays):
        if (here := np.isin(at.array, places)).any():
            yield table.arrays[places[0]], here


def _of(at: Places, here: NDArray[np.bool_]) -> Places:
    return Places(*(axis[here] for axis in at))


def _numbers(reader: Reader, node: Node) -> Floats:
    (numbers,) = reader.without_refused([reader.value(node)])
    return np.asarray(numbers)


def read_p999_s(table: Configurations, at: Places) -> Floats:
    """Return the read latency of one member that one read in a thousand exceeds, by its load."""
    rates = table.at("member_bytes_per_s", at)
    return np.array(
        [
            _p999_s(
                table,
                drive,
                spare,
                replace(table.workload, host_bytes_per_s=rate, transfer_bytes=size),
            )
            for drive, spare, rate, size in zip(
                at.drive,
                at.spare,
                rates.tolist(),
                table.drive_bytes[at.array].tolist(),
                strict=True,
            )
        ]
    )


def idle_p999_s(table: Configurations, at: Places) -> Floats:
    """Return the read latency that one read in a thousand exceeds of drives that nobody writes.

    Writes only add to it, so that no configuration of a drive is read faster.
    """
    sizes = table.drive_bytes[at.array]
    return np.array(
        [
            _p999_s(table, drive, 0, replace(table.workload, host_bytes_per_s=1.0,
                                             transfer_bytes=size))
            for drive, size in zip(at.drive.tolist(), sizes.tolist(), strict=True)
        ]
    )  # fmt: skip


def _p999_s(table: Configurations, drive: int, spare: int, workload: Workload) -> float:
    tail = read_tail(
        table.grid.drives[drive],
        workload,
        partition_fraction=table.grid.partition_fractions[spare],
        firmware=table.firmware,
    )
    return tail.get(_P999, np.nan)
