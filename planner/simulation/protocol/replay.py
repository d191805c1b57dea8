"""A trace that a drive replays as fast as it can, in queues of the depths of the trace."""

from dataclasses import replace

import numpy as np

from models import transient
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
    times = {
        depth: _mean_operation_s(rates, trace, depth, wa=wa, writing=writing)
        for depth in {*range(1, len(trace.depth_shares) + 1), trace.depth_of(_LEVEL)}
    }
    shares = list(enumerate(trace.depth_shares, 1))
    total_s = trace.operations * sum(share * times[depth] for depth, share in shares)
    waited_s = sum(share * depth * times[depth] for depth, share in shares)
    deepest = trace.depth_of(_LEVEL)
    moved = np.broadcast_to(np.array([[0.0], [1.0]]), (2, rates.count))
    piece = Piece(
        seconds=moved * total_s, moved_bytes=moved * trace.moved_bytes,
        written_bytes=moved * trace.written_bytes,
        flash_bytes=moved * trace.written_bytes * (in_order + (1 - in_order) * wa),
        held_bytes=state.held_bytes + moved * held,
    )  # fmt: skip
    done = PhaseCourse(
        replace(phase, transfer_bytes=trace.moved_bytes / trace.operations), piece, total_s,
        waited_s, deepest * times[deepest], _LEVEL,
    )  # fmt: skip
    return done, replace(
        state, held_bytes=state.held_bytes + held, scattered_wa=wa, span_bytes=rates.user_bytes,
        fills=state.fills + (1 - in_order) * trace.written_bytes / rates.user_bytes,
        filled_fraction=min(1.0, state.filled_fraction + trace.written_bytes / usable_bytes),
    )  # fmt: skip


def _mean_operation_s(
    rates: DriveRates, trace: Trace, depth: float, *, wa: Columns, writing: Columns
) -> Columns:
    """Return the mean time of an operation of a trace in a queue of one depth."""
    in_order, each_s = trace.sequential_fraction, np.zeros(rates.count)
    for is_read in (True, False):
        part = trace.phase(is_read=is_read, is_sequential=False, depth=depth)
        ordered = trace.phase(is_read=is_read, is_sequential=True, depth=depth)
        service = rates.service(part, 1.0)
        random_s = operation_s(rates, part, service, random_write_s(rates, part, service, wa))
        ordered_s = operation_s(
            rates, ordered, service, sequential_write_s(rates, ordered, writing)
        )
        part_s = (1 - in_order) * random_s + in_order * ordered_s
        each_s = each_s + trace.share(is_read=is_read) * part_s
    return each_s


def _wa(rates: DriveRates, state: DriveState, trace: Trace) -> Columns:
    """Return the mean write amplification of the random writes of a trace."""
    fills = (1 - trace.sequential_fraction) * trace.written_bytes / rates.user_bytes
    if fills <= 0:
        return np.ones(rates.count)
    start: Columns = np.broadcast_to(state.fills, rates.count)
    flash = [
        transient.greedy_flash_fills(
            np.maximum(rates.op_ratio, LEAST_SPARE), drive_fills=at,
            pages_per_block=rates.pages_per_block,
            prefilled_fraction=min(1.0, state.filled_fraction),
        )
        for at in (start, start + fills)
    ]  # fmt: skip
    return np.maximum((np.asarray(flash[1]) - flash[0]) / fills, 1.0)
