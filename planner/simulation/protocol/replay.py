"""A trace that a drive replays as fast as it can, in queues of the depths of the trace."""

from dataclasses import replace

import numpy as np

from models import rewriting
from planner.simulation.protocol.operations import operation_s, random_write_s, sequential_write_s
from planner.simulation.protocol.phases import Phase
from planner.simulation.protocol.rates import Columns, DriveRates
from planner.simulation.protocol.state import LEAST_SPARE, DriveState, PhaseCourse, Piece
from planner.simulation.protocol.traces import Trace, trace_of

_LEVEL = 0.99


def replayed(
    rates: DriveRates, phase: Phase, state: DriveState, usable_bytes: float
) -> tuple[PhaseCourse, DriveState]:
    """Return the result of a replayed trace, and the state after it.

    >>> from planner.catalogue import find, load
    >>> from planner.catalogue.priors import with_assumptions
    >>> from planner.simulation.protocol.phases import parse_phase
    >>> from planner.simulation.protocol.rates import drive_rates
    >>> drive = drive_rates(with_assumptions(find(load(), "845DC PRO 400")))
    >>> phase = parse_phase("phase", "replay light")
    >>> done, after = replayed(drive, phase, DriveState(), drive.user_bytes)
    >>> bool(100e6 < done.bytes_per_s[0] < 600e6), 0 < after.filled_fraction < 0.1
    (True, True)
    """
    trace = trace_of(phase.trace)
    wa = _wa(rates, state, trace)
    in_order = trace.sequential_fraction
    room = np.maximum(rates.cache_at(state.filled_fraction) - state.held_bytes, 0.0)
    held = np.minimum(room, trace.written_bytes)
    cached = np.where(rates.cache_bytes > 0, held / trace.written_bytes, 1.0)
    writing = 1 / (cached / rates.cached_bytes_per_s + (1 - cached) / rates.native_bytes_per_s)
    shares = np.array([[trace.share(is_read=True)], [trace.share(is_read=False)]])
    total_s, (waited_s, deep_s) = 0.0, np.zeros((2, 2, rates.count))
    for depth, share in (*enumerate(trace.depth_shares, 1), (trace.depth_of(_LEVEL), 0.0)):
        own_s = np.stack([
            _operation_s(rates, trace, depth, is_read=is_read, wa=wa, writing=writing)
            for is_read in (True, False)
        ])  # fmt: skip
        each_s = (shares * own_s).sum(axis=0)
        total_s = total_s + trace.operations * share * each_s
        deep_s = (depth - 1) * each_s + own_s
        waited_s += share * deep_s
    mean_s, p99_s = ((shares * each).sum(axis=0) for each in (waited_s, deep_s))
    names = ("p99", "read", "write", "p99_read", "p99_write")
    latency_s = dict(zip(names, (p99_s, *waited_s, *deep_s), strict=True))
    wa_of_all = in_order * _beside_random(wa) + (1 - in_order) * wa
    moved = np.broadcast_to(np.array([[0.0], [1.0]]), (2, rates.count))
    piece = Piece(
        seconds=moved * total_s, moved_bytes=moved * trace.moved_bytes,
        written_bytes=moved * trace.written_bytes,
        flash_bytes=moved * trace.written_bytes * wa_of_all,
        held_bytes=state.held_bytes + moved * held,
    )  # fmt: skip
    done = PhaseCourse(
        replace(phase, transfer_bytes=trace.moved_bytes / trace.operations), piece, total_s,
        mean_s, latency_s,
    )  # fmt: skip
    return done, replace(
        state, held_bytes=state.held_bytes + held, scattered_wa=wa, span_bytes=rates.user_bytes,
        fills=state.fills + (1 - in_order) * trace.written_bytes / rates.user_bytes,
        filled_fraction=min(1.0, state.filled_fraction + trace.written_bytes / usable_bytes),
    )  # fmt: skip


def _operation_s(
    rates: DriveRates, trace: Trace, depth: float, *, is_read: bool, wa: Columns, writing: Columns
) -> Columns:
    """Return the time of an operation of one direction in a queue of one depth."""
    part = trace.phase(is_read=is_read, is_sequential=False, depth=depth)
    ordered = trace.phase(is_read=is_read, is_sequential=True, depth=depth)
    service = rates.service(part, 1.0)
    random_s = operation_s(rates, part, service, random_write_s(rates, part, service, wa))
    in_sequence_s = sequential_write_s(rates, ordered, writing, _beside_random(wa))
    ordered_s = operation_s(rates, ordered, service, in_sequence_s)
    in_order = trace.sequential_fraction
    return (1 - in_order) * random_s + in_order * ordered_s


def _wa(rates: DriveRates, state: DriveState, trace: Trace) -> Columns:
    """Return the mean write amplification of the random writes of a trace."""
    if trace.sequential_fraction >= 1:
        return np.ones(rates.count)
    wa = rewriting.filling_wa(
        np.maximum(rates.op_ratio, LEAST_SPARE),
        written_fills=trace.written_bytes / rates.user_bytes,
        sequential_fraction=trace.sequential_fraction,
        filled_fraction=min(1.0, state.filled_fraction),
        drive_fills=state.fills,
        pages_per_block=rates.pages_per_block,
    )
    return np.maximum(wa, 1.0)


def _beside_random(wa: Columns) -> Columns:
    """Return the write amplification of sequential writes among random ones."""
    return 1 + rewriting.BESIDE_RANDOM * (wa - 1)
