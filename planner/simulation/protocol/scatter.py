"""Scatter of a phase of random writes, as a test would show it, of the stalls of the drive."""

from typing import NamedTuple

import numpy as np

from models import consistency, queueing
from planner.graph.nodes import Leaf
from planner.sections.speed_case import LATENCY_CV, TEST_DEPTH
from planner.simulation.protocol.rates import Columns, DriveRates
from planner.simulation.protocol.state import PhaseCourse

_ROUNDED = 1e-9  # of a rate: what is left of it by rounding
_LONGEST, _STALLED = "longest_write_s", Leaf("member_stall_fraction")


class PhaseScatter(NamedTuple):
    """Spread of the seconds and within a second, and worst-case IOPS; columns."""

    sd_iops: Columns
    second_sd_iops: Columns
    worst_iops: Columns


def scatter(rates: DriveRates, done: PhaseCourse) -> PhaseScatter | None:
    """Return the scatter of a phase; None unless it collects garbage under random writes alone.

    >>> from planner.catalogue import find, load
    >>> from planner.catalogue.priors import with_assumptions
    >>> from planner.simulation.protocol.course import course
    >>> from planner.simulation.protocol.presets import protocol_named
    >>> from planner.simulation.protocol.rates import drive_rates
    >>> drive = drive_rates(with_assumptions(find(load(), "845DC PRO 400")))
    >>> fill, first, steady = course(drive, protocol_named("consistency").phases)
    >>> scatter(drive, fill) is None, round(float(scatter(drive, steady).worst_iops[0]))
    (True, 5000)
    """
    if not _collects(done):
        return None
    depth, iops = done.phase.queue_depth, done.iops
    latency_cv, longest_s, stalled = rates.numbers_at(
        (LATENCY_CV, _LONGEST, _STALLED), **{TEST_DEPTH.key: depth}
    )
    if np.isnan([longest_s[0], stalled[0]]).any():
        return None
    stalls = {"iops": iops, "max_latency_s": longest_s, "member_stall_fraction": stalled}
    at_random = consistency.interval_sd_iops(depth, **stalls)
    return PhaseScatter(
        np.hypot(_course_sd_iops(done), at_random),
        consistency.second_sd_iops(depth, latency_cv=latency_cv, **stalls),
        queueing.worst_case_iops(depth, max_latency_s=longest_s),
    )


def _collects(done: PhaseCourse) -> bool:
    phase = done.phase
    is_even = phase.beside is None and phase.busy_fraction == 1 and np.isinf(phase.burst_bytes)
    is_random = not (phase.is_sequential or phase.trace or phase.read_fraction)
    return bool(
        is_even and is_random and np.all(done.piece.flash_bytes[-1] > done.piece.written_bytes[-1])
    )


def _course_sd_iops(done: PhaseCourse) -> Columns:
    """Return the standard deviation of the rate over the time of the course."""
    times = np.diff(done.piece.seconds, axis=0)
    off = done.rates / done.phase.transfer_bytes - done.iops
    off = np.where((times > 0) & (np.abs(off) > _ROUNDED * done.iops), off, 0.0)
    return np.sqrt((times * off**2).sum(axis=0) / times.sum(axis=0))
