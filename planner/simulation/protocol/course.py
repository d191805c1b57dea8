"""The course of a protocol on one drive: the state that each phase finds, and what it shows.

A fluid model: rates follow from how full the drive is, how scattered its data are, and what its
write cache holds. Every number is an array of columns, as in `planner.simulation.protocol.rates`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from models import request_bursts, rewriting, transient
from planner.simulation.protocol.phases import Action, Phase
from planner.simulation.protocol.rates import PAGE_BYTES, Columns, DriveRates, PhaseTimes
from planner.simulation.protocol.traces import Trace, trace_of

# Host writes at which a course is computed, in capacities of the span.
_FILLS = np.unique(np.concatenate([
    [0.0], np.geomspace(1e-4, 0.05, 24), np.linspace(0.05, 1.5, 120), np.geomspace(1.5, 60, 50)
]))  # fmt: skip
_SHARES = np.linspace(0.0, 1.0, 121)  # of the bytes of a sequential phase


@dataclass(frozen=True, eq=False)
class DriveState:
    """A drive between two phases.

    `fills` random writes went to the span of `span_bytes` since it was last in order, in capacities
    of the span; `rewritten` is what was written in sequence since. `scattered_wa` is the write
    amplification that they left. Columns, but for the share that holds data.
    """

    filled_fraction: float = 0.0
    held_bytes: Columns = 0.0  # in the write cache
    span_bytes: float = 0.0
    was_filled: float = 0.0  # share of the span that held data before its first random write
    fills: Columns = 0.0
    scattered_wa: Columns = 1.0
    rewritten: Columns = 0.0


class Piece(NamedTuple):
    """A phase over its time: ends of its intervals, and the host bytes moved by then; columns.

    `last_wa` is the write amplification at its end.
    """

    seconds: Columns  # (intervals + 1, columns), from 0
    moved_bytes: Columns
    written_bytes: Columns
    flash_bytes: Columns
    last_wa: Columns


@dataclass(frozen=True, eq=False)
class PhaseCourse:
    """The result of one phase; columns."""

    phase: Phase
    piece: Piece
    busy_s: Columns
    mean_latency_s: Columns
    trace_latency_s: Mapping[str, Columns] = field(default_factory=dict)

    @property
    def lasts_s(self) -> Columns:
        """Time of the phase, idle time between its bursts included."""
        return self.piece.seconds[-1]

    @property
    def bytes_per_s(self) -> Columns:
        """Mean data rate while the drive is busy."""
        return _ratio(self.piece.moved_bytes[-1], self.busy_s)

    @property
    def iops(self) -> Columns:
        """Mean operations per second while the drive is busy."""
        return self.bytes_per_s / self.phase.transfer_bytes

    @property
    def rates(self) -> Columns:
        """Data rate in each interval, of those that take time."""
        return _ratio(np.diff(self.piece.moved_bytes, axis=0), np.diff(self.piece.seconds, axis=0))

    @property
    def lowest_bytes_per_s(self) -> Columns:
        """Lowest data rate of the course, while the drive is busy."""
        idle = self.lasts_s / np.where(self.busy_s > 0, self.busy_s, 1.0)
        return np.nanmin(self.rates, axis=0) * np.maximum(idle, 1.0)


def _ratio(upper: Columns, lower: Columns) -> Columns:
    takes = np.asarray(lower) > 0
    return np.where(takes, upper / np.where(takes, lower, 1.0), np.nan)


def course(
    rates: DriveRates, phases: Sequence[Phase], *, usable_fraction: float = 1.0
) -> Iterator[PhaseCourse]:
    """Follow a drive through phases, of whose capacity a share is partitioned.

    >>> from planner.catalogue import find, load
    >>> from planner.catalogue.priors import with_assumptions
    >>> from planner.simulation.protocol.presets import protocol_named
    >>> from planner.simulation.protocol.rates import drive_rates
    >>> drive = drive_rates(with_assumptions(find(load(), "845DC PRO 400")))
    >>> fill, first, steady = course(drive, protocol_named("consistency").phases)
    >>> bool(47_500 < steady.iops[0] < 52_500 < first.iops[0] < 92_000)
    True
    """
    state, usable = DriveState(), usable_fraction * rates.user_bytes
    for phase in phases:
        done, state = _Follower(rates, phase, state, usable).followed()
        if done is not None:
            yield done


class _Follower:
    """One phase from the state that it finds."""

    def __init__(
        self, rates: DriveRates, phase: Phase, state: DriveState, usable_bytes: float
    ) -> None:
        self.rates, self.phase, self.state, self.usable = rates, phase, state, usable_bytes
        self.span_bytes = phase.span.of(usable_bytes)
        self.span_fraction = self.span_bytes / rates.user_bytes

    def followed(self) -> tuple[PhaseCourse | None, DriveState]:
        """Return the course of the phase, none of one that moves nothing, and the state after."""
        match self.phase.action:
            case Action.ERASE:
                return None, DriveState()
            case Action.TRIM:
                return None, self._trimmed()
            case Action.IDLE:
                return None, self._idle(self.phase.lasts_s)
            case Action.REPLAY:
                return self._replayed()
        return self._moving()

    def _trimmed(self) -> DriveState:
        state, kept = self.state, self.state.filled_fraction
        trimmed = min(self.span_fraction, kept)
        left = self.rates.own("trim_left_fraction")
        share = trimmed / kept if kept else 1.0
        wa = 1 + (np.asarray(state.scattered_wa) - 1) * (1 - share * (1 - left))
        return replace(state, filled_fraction=kept - trimmed, scattered_wa=wa)

    def _idle(self, seconds: Columns) -> DriveState:
        drained = np.maximum(self.state.held_bytes - self.rates.fold_bytes_per_s * seconds, 0.0)
        return replace(self.state, held_bytes=drained)

    def _moving(self) -> tuple[PhaseCourse, DriveState]:
        phase, rates = self.phase, self.rates
        service = rates.service(phase, min(self.span_fraction, 1.0))
        if phase.read_fraction >= 1:
            piece, state = self._reads(service), self.state
        elif phase.is_sequential:
            piece, state = self._in_sequence(service)
        else:
            piece, state = self._at_random(service)
        busy = piece.seconds[-1]
        if phase.beside is not None:
            piece = self._beside(piece)
            busy = piece.seconds[-1]
        elif phase.busy_fraction < 1:
            piece = piece._replace(seconds=piece.seconds / phase.busy_fraction)
            state = replace(state, held_bytes=self._held_after_bursts(state, piece))
        operations = piece.moved_bytes[-1] / phase.transfer_bytes
        latency = phase.queue_depth * _ratio(busy, operations)
        return PhaseCourse(phase, piece, busy, latency), state

    def _held_after_bursts(self, state: DriveState, piece: Piece) -> Columns:
        idle = piece.seconds[-1] * (1 - self.phase.busy_fraction)
        return np.maximum(state.held_bytes - self.rates.fold_bytes_per_s * idle, 0.0)

    def _replayed(self) -> tuple[PhaseCourse, DriveState]:
        """Return a trace that is replayed as fast as the drive allows.

        Operations wait in queues of the depths of the trace.
        """
        rates, state, trace = self.rates, self.state, trace_of(self.phase.trace)
        wa = self._wa_of_replay(trace)
        in_order = trace.sequential_fraction
        room = np.maximum(rates.cache_at(state.filled_fraction) - state.held_bytes, 0.0)
        held = np.minimum(room, trace.written_bytes)
        cached = np.where(rates.cache_bytes > 0, held / trace.written_bytes, 1.0)
        writing = 1 / (cached / rates.cached_bytes_per_s + (1 - cached) / rates.native_bytes_per_s)
        total_s, (waited_s, deep_s) = 0.0, np.zeros((2, 2, rates.count))
        shares = np.array([[trace.share(is_read=True)], [trace.share(is_read=False)]])
        deepest = trace.depth_of(_REPLAY_LEVEL)
        for depth, share in (*enumerate(trace.depth_shares, 1), (deepest, 0.0)):
            own_s = np.stack([
                self._of_trace_s(trace, is_read=is_read, depth=depth, wa=wa, writing=writing)
                for is_read in (True, False)
            ])  # fmt: skip
            each_s = (shares * own_s).sum(axis=0)
            total_s = total_s + trace.operations * share * each_s
            deep_s = (depth - 1) * each_s + own_s
            waited_s += share * deep_s
        moved = np.broadcast_to(np.array([[0.0], [1.0]]), (2, rates.count))
        piece = Piece(
            moved * total_s, moved * trace.moved_bytes, moved * trace.written_bytes,
            moved * trace.written_bytes * (in_order * _beside_random(wa) + (1 - in_order) * wa), wa,
        )  # fmt: skip
        phase = replace(self.phase, transfer_bytes=trace.moved_bytes / trace.operations)
        after = replace(
            state, held_bytes=state.held_bytes + held, scattered_wa=wa,
            span_bytes=rates.user_bytes,
            fills=state.fills + (1 - in_order) * trace.written_bytes / rates.user_bytes,
            filled_fraction=min(1.0, state.filled_fraction + trace.written_bytes / self.usable),
        )  # fmt: skip
        mean_s, p99_s = ((shares * each).sum(axis=0) for each in (waited_s, deep_s))
        names = ("p99", "read", "write", "p99_read", "p99_write")
        latency_s = dict(zip(names, (p99_s, *waited_s, *deep_s), strict=True))
        return PhaseCourse(phase, piece, total_s, mean_s, latency_s), after

    def _of_trace_s(
        self, trace: Trace, *, is_read: bool, depth: float, wa: Columns, writing: Columns
    ) -> Columns:
        """Return the time of an operation of one direction, at random and in sequence."""
        part = trace.phase(is_read=is_read, is_sequential=False, depth=depth)
        ordered = trace.phase(is_read=is_read, is_sequential=True, depth=depth)
        service = self.rates.service(part, 1.0)
        follower, in_sequence = (
            _Follower(self.rates, phase, self.state, self.usable) for phase in (part, ordered)
        )
        at_random_s = follower._operation_s(service, follower._random_write_s(service, wa))
        ordered_s = in_sequence._operation_s(
            service, in_sequence._sequential_write_s(writing, _beside_random(wa))
        )
        in_order = trace.sequential_fraction
        return (1 - in_order) * at_random_s + in_order * ordered_s

    def _wa_of_replay(self, trace: Trace) -> Columns:
        """Return the mean write amplification of the random writes of a trace."""
        if trace.sequential_fraction >= 1:
            return np.ones(self.rates.count)
        wa = rewriting.filling_wa(
            np.maximum(self.rates.op_ratio, _LEAST_SPARE),
            written_fills=trace.written_bytes / self.rates.user_bytes,
            sequential_fraction=trace.sequential_fraction,
            filled_fraction=min(1.0, self.state.filled_fraction),
            drive_fills=self.state.fills,
            pages_per_block=self.rates.pages_per_block,
        )
        return np.maximum(wa, 1.0)

    # Rates of the moment

    def _operation_s(self, service: PhaseTimes, write_s: Columns) -> Columns:
        """Return the time per operation, of which writes take a given time."""
        phase = self.phase
        reads = phase.read_fraction
        read_s = 0.0
        if reads:
            iops = (
                self.rates.in_sequence_iops(phase, self.rates.read_bytes_per_s, phase.queue_depth)
                if phase.is_sequential
                else self.rates.random_reads_iops(phase, service, phase.queue_depth)
            )
            read_s = 1 / iops
        return reads * read_s + (1 - reads) * np.asarray(write_s)

    def _random_write_s(
        self, service: PhaseTimes, wa: Columns, *, is_cached: Columns = True
    ) -> Columns:
        """Return the time of a random write at a write amplification, with room in the cache."""
        rates, phase = self.rates, self.phase
        pages = max(phase.transfer_bytes / PAGE_BYTES, 1.0)
        fresh_s = 1 / rates.fresh_iops + (pages - 1) * PAGE_BYTES / rates.cached_bytes_per_s
        direct_s = pages * PAGE_BYTES / rates.native_bytes_per_s
        fresh_s = np.where(is_cached, fresh_s, np.maximum(fresh_s, direct_s))
        work_s = fresh_s + (np.asarray(wa) - 1) * pages * rates.copy_s
        return np.maximum(work_s, service.write_alone_s / phase.queue_depth)

    def _sequential_write_s(self, bytes_per_s: Columns, wa: Columns) -> Columns:
        rate = rewriting.collected_bytes_per_s(bytes_per_s, wa=wa, copy_s=self.rates.copy_s)
        return 1 / self.rates.in_sequence_iops(self.phase, rate, self.phase.queue_depth)

    # Pieces

    def _reads(self, service: PhaseTimes) -> Piece:
        each_s = np.broadcast_to(self._operation_s(service, 0.0), self.rates.count)
        moved = self._limited(np.array([[0.0], [1.0]]) * self._most_bytes(each_s))
        seconds = moved / self.phase.transfer_bytes * each_s
        nothing = np.zeros_like(moved)
        return Piece(seconds, moved, nothing, nothing, np.ones(self.rates.count))

    def _most_bytes(self, fastest_s: Columns) -> Columns:
        """Return the bytes that a phase moves at most, at the time of its fastest operation."""
        in_time = self.phase.lasts_s / fastest_s * self.phase.transfer_bytes
        return np.minimum(self.phase.moved_bytes(self.usable), in_time)

    def _limited(self, moved: Columns) -> Columns:
        return np.minimum(moved, self.phase.moved_bytes(self.usable))

    def _in_sequence(self, service: PhaseTimes) -> tuple[Piece, DriveState]:
        """Return sequential writes: through the cache, then past it, over what is scattered."""
        rates, phase, state = self.rates, self.phase, self.state
        writes = 1 - phase.read_fraction
        fastest = self._operation_s(
            service, self._sequential_write_s(rates.cached_bytes_per_s, np.ones(rates.count))
        )
        moved = _SHARES[:, None] * self._most_bytes(np.broadcast_to(fastest, rates.count))
        filled = min(1.0, state.filled_fraction)
        if phase.burst_bytes < math.inf:  # between bursts the cache drains
            written = np.minimum(moved * writes, phase.burst_bytes)
        else:
            written = moved * writes
        room = np.maximum(rates.cache_at(filled) - state.held_bytes, 0.0)
        moved = np.sort(np.concatenate([moved, np.minimum(room / writes, moved[-1])[None]]), axis=0)
        written = np.minimum(moved * writes, phase.burst_bytes)
        middle = (written[1:] + written[:-1]) / 2
        in_cache = (middle < room) | (rates.cache_bytes <= 0)
        passes = state.rewritten + (moved[1:] + moved[:-1]) / 2 * writes / self.span_bytes
        scattered: Columns = np.broadcast_to(state.scattered_wa, rates.count)
        wa = rewriting.sequential_wa(
            scattered, rewritten_fraction=passes,
            shared_fraction=rates.own("shared_fraction"),
        )  # fmt: skip
        rate = np.where(in_cache, rates.cached_bytes_per_s, rates.native_bytes_per_s)
        each_s = self._operation_s(service, self._sequential_write_s(rate, wa))
        piece = self._piece(moved, each_s, wa)
        last = piece.moved_bytes[-1] * writes
        held = np.minimum(state.held_bytes + np.minimum(last, phase.burst_bytes),
                          rates.cache_at(filled))  # fmt: skip
        rewritten = state.rewritten + last / self.span_bytes
        filled = max(filled, min(float(np.max(last)) / rates.user_bytes, self.span_fraction))
        return piece, replace(
            state, held_bytes=held, filled_fraction=filled, rewritten=rewritten,
            fills=np.where(rewritten >= 1, 0.0, state.fills),
        )  # fmt: skip

    def _at_random(self, service: PhaseTimes) -> tuple[Piece, DriveState]:
        """Return random writes: from the spare area left into steady state."""
        rates, phase = self.rates, self.phase
        state = self._met()
        writes = 1 - phase.read_fraction
        start = np.broadcast_to(state.fills, rates.count)
        fills = start + _FILLS[:, None]
        op_ratio = rewriting.span_op_ratio(
            rates.op_ratio, span_fraction=self.span_fraction,
            filled_fraction=min(1.0, max(state.filled_fraction, self.span_fraction)),
        )  # fmt: skip
        curve = {
            "op_ratio": np.maximum(op_ratio, _LEAST_SPARE),
            "pages_per_block": rates.pages_per_block, "prefilled_fraction": state.was_filled,
        }  # fmt: skip
        flash = transient.greedy_flash_fills(drive_fills=fills, **curve)
        wa = np.maximum(np.diff(flash, axis=0) / np.diff(fills, axis=0), 1.0)
        written = _FILLS[:, None] * self.span_bytes * np.ones(rates.count)
        wa = self._still_scattered(state, wa, written)
        room = np.maximum(rates.cache_at(min(1.0, state.filled_fraction)) - state.held_bytes, 0.0)
        is_cached = ((written[1:] + written[:-1]) / 2 < room) | (rates.cache_bytes <= 0)
        each_s = self._operation_s(service, self._random_write_s(service, wa, is_cached=is_cached))
        piece = self._extended(written / writes, each_s, wa)
        held = state.held_bytes + np.minimum(room, np.minimum(
            piece.written_bytes[-1], phase.burst_bytes))  # fmt: skip
        done = piece.written_bytes[-1] / self.span_bytes
        filled = max(state.filled_fraction, self.span_fraction * min(1.0, float(np.max(done))))
        return piece, replace(
            state, fills=start + done, scattered_wa=piece.last_wa, held_bytes=held,
            rewritten=np.zeros(rates.count), filled_fraction=filled,
        )  # fmt: skip

    def _met(self) -> DriveState:
        """Return the state that random writes meet: of another span they begin anew."""
        state = self.state
        is_ordered = bool(np.all(np.asarray(state.rewritten) >= 1))
        if state.span_bytes == self.span_bytes and not is_ordered:
            return state
        was_filled = min(1.0, state.filled_fraction / self.span_fraction)
        left = np.ones(self.rates.count) if is_ordered else state.scattered_wa
        return replace(
            state, span_bytes=self.span_bytes, fills=np.zeros(self.rates.count),
            was_filled=was_filled, scattered_wa=left,
        )  # fmt: skip

    def _still_scattered(self, state: DriveState, wa: Columns, written: Columns) -> Columns:
        """Raise write amplification by what another span left scattered, until it is collected."""
        if np.all(np.asarray(state.fills) > 0):
            return wa
        middle = (written[1:] + written[:-1]) / 2
        spare = self.rates.op_ratio * self.rates.user_bytes
        extra = (np.asarray(state.scattered_wa) - 1) * np.exp(-middle / spare)
        return np.maximum(wa, 1 + extra)

    def _extended(self, moved: Columns, each_s: Columns, wa: Columns) -> Piece:
        """Return a piece that goes on at its last rate, and is cut where the phase ends."""
        phase = self.phase
        times = np.diff(moved, axis=0) / phase.transfer_bytes * each_s
        lacking_s = phase.lasts_s - times.sum(axis=0)
        further = np.where(np.isfinite(lacking_s), np.maximum(lacking_s, 0.0), 0.0)
        more = further / each_s[-1] * phase.transfer_bytes
        most = phase.moved_bytes(self.usable)
        if math.isfinite(most):
            more = np.maximum(more, np.maximum(most - moved[-1], 0.0)) if not math.isfinite(
                phase.lasts_s) else np.minimum(more, np.maximum(most - moved[-1], 0.0))  # fmt: skip
        moved = np.concatenate([moved, (moved[-1] + more)[None]])
        return self._piece(
            self._limited(moved), np.concatenate([each_s, each_s[-1:]]),
            np.concatenate([wa, wa[-1:]]),
        )  # fmt: skip

    def _piece(self, moved: Columns, each_s: Columns, wa: Columns) -> Piece:
        """Return a piece from bytes moved and the time of an operation, cut where time ends."""
        phase = self.phase
        steps = np.diff(moved, axis=0) / phase.transfer_bytes * each_s
        seconds = np.concatenate([np.zeros((1, moved.shape[1])), np.cumsum(steps, axis=0)])
        seconds_end = np.minimum(seconds, phase.lasts_s)
        moved = _interpolated(seconds_end, seconds, moved)
        written = moved * (1 - phase.read_fraction)
        flash_steps = np.diff(written, axis=0) * wa
        flash = np.concatenate([np.zeros((1, moved.shape[1])), np.cumsum(flash_steps, axis=0)])
        steps_taken = np.maximum((np.diff(moved, axis=0) > 0).sum(axis=0) - 1, 0)
        last_wa = np.take_along_axis(wa, steps_taken[None], axis=0)[0]
        return Piece(seconds_end, moved, written, flash, last_wa)

    def _beside(self, piece: Piece) -> Piece:
        """Stretch bursts by those of a second stream of random writes."""
        phase, beside = self.phase, self.phase.beside
        assert beside is not None  # noqa: S101 - of the caller
        other = replace(phase, action=Action.WRITE, read_fraction=0.0, is_sequential=False,
                        transfer_bytes=PAGE_BYTES)  # fmt: skip
        service = self.rates.service(other, min(self.span_fraction, 1.0))
        writer = _Follower(self.rates, other, self.state, self.usable)
        page_s = writer._random_write_s(service, np.asarray(self.state.scattered_wa))
        folds = np.where(self.rates.cache_bytes > 0, 1 / self.rates.fold_bytes_per_s, 0.0)
        other_s = beside.burst_bytes * (page_s / PAGE_BYTES + folds)
        bursts = np.maximum(piece.moved_bytes[-1] / min(phase.burst_bytes, 1e300), 1.0)
        alone_s = piece.seconds[-1] / bursts
        busy = np.minimum(other_s, 0.98 * beside.cycle_s)
        taken = request_bursts.shared_burst_s(
            alone_s, other_burst_s=busy, cycle_s=beside.cycle_s,
            other_share=self.rates.own("beside_share"),
        )  # fmt: skip
        return piece._replace(seconds=piece.seconds * (taken / alone_s))


_LEAST_SPARE = 0.005  # below which no course is known
_REPLAY_LEVEL = 0.99


def _beside_random(wa: Columns) -> Columns:
    """Return the write amplification of sequential writes among random ones."""
    return 1 + rewriting.BESIDE_RANDOM * (wa - 1)


def _interpolated(at: Columns, seconds: Columns, values: Columns) -> Columns:
    """Interpolate values over time, column by column."""
    found = [
        np.interp(at[:, column], seconds[:, column], values[:, column])
        for column in range(seconds.shape[1])
    ]
    return np.stack(found, axis=1)
