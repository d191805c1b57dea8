"""The course of a protocol on one drive: the state that each phase finds, and what it shows.

A fluid model: rates follow from how full the drive is, how scattered its data are, and what its
write cache holds. Every number is an array of columns, as in `planner.simulation.protocol.rates`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from models import request_bursts, rewriting, transient
from planner.simulation.protocol.operations import operation_s, random_write_s, sequential_write_s
from planner.simulation.protocol.phases import Action, Phase
from planner.simulation.protocol.rates import PAGE_BYTES, Columns, DriveRates, PhaseTimes
from planner.simulation.protocol.replay import replayed
from planner.simulation.protocol.state import LEAST_SPARE, DriveState, PhaseCourse, Piece, ratio_of
from planner.simulation.protocol.write_cache import cliff_bytes, drain_of, through_cache

# Host writes at which a course is computed, in capacities of the span; then shares of the rest.
_FILLS = np.unique(np.concatenate([
    [0.0], np.geomspace(1e-4, 0.05, 24), np.linspace(0.05, 1.5, 400), np.geomspace(1.5, 60, 50)
]))  # fmt: skip
_MOMENT = 1e-3  # of the span: writes over which the end of a phase is taken
_REST = np.linspace(0.0, 1.0, 41)[1:]
_SHARES = np.linspace(0.0, 1.0, 121)  # of the bytes of a sequential phase


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


class _Steps(NamedTuple):
    """Host bytes at the ends of steps; of an operation in each its times, in the cache and past it.

    `wa` is the write amplification of each.
    """

    moved_bytes: Columns  # (steps + 1, columns)
    cached_s: Columns
    direct_s: Columns
    wa: Columns


class _Follower:
    """One phase from the state that it finds."""

    def __init__(
        self, rates: DriveRates, phase: Phase, state: DriveState, usable_bytes: float
    ) -> None:
        self.rates, self.phase, self.state, self.usable = rates, phase, state, usable_bytes
        self.span_bytes = phase.span.of(usable_bytes)
        self.span_fraction = min(self.span_bytes / rates.user_bytes, 1.0)
        self.writes = 1 - phase.read_fraction
        # Flash takes a random write that is smaller than a unit of the map as a whole unit.
        unit = rates.unit_bytes / phase.transfer_bytes
        self.unit_factor = 1.0 if phase.is_sequential else max(unit, 1.0)
        self.flash_share = self.writes * self.unit_factor  # of the bytes that are moved
        self.cache = rates.cache_at(min(1.0, state.filled_fraction))
        self.drain = drain_of(rates, phase)

    def followed(self) -> tuple[PhaseCourse | None, DriveState]:
        """Return the course of the phase, none of one that moves nothing, and the state after."""
        match self.phase.action:
            case Action.ERASE:
                return None, DriveState()
            case Action.TRIM:
                return None, self._trimmed()
            case Action.IDLE:
                return None, self._drained(self.phase.lasts_s)
            case Action.REPLAY:
                return replayed(self.rates, self.phase, self.state, self.usable)
        return self._moving()

    def _trimmed(self) -> DriveState:
        state, kept = self.state, self.state.filled_fraction
        trimmed = min(self.span_fraction, kept)
        left = self.rates.own("trim_left_fraction")
        share = trimmed / kept if kept else 1.0
        wa = 1 + (np.asarray(state.scattered_wa) - 1) * (1 - share * (1 - left))
        return replace(state, filled_fraction=kept - trimmed, scattered_wa=wa)

    def _drained(self, seconds: Columns) -> DriveState:
        folded = self.rates.fold_bytes_per_s * seconds
        return replace(self.state, held_bytes=np.maximum(self.state.held_bytes - folded, 0.0))

    def _moving(self) -> tuple[PhaseCourse, DriveState]:
        phase = self.phase
        service = self.rates.service(phase, self.span_fraction)
        if self.writes <= 0:
            steps, after = self._reading(service), self._after_reads
        elif phase.is_sequential:
            steps, after = self._in_sequence(service), self._after_sequence
        else:
            self.state = self._met()
            steps, after = self._at_random(service), self._after_random
        piece = self._cut(self._stretched(steps))
        busy = piece.seconds[-1] * phase.busy_fraction
        operations = piece.moved_bytes[-1] / phase.transfer_bytes
        latency = phase.queue_depth * ratio_of(busy, operations)
        return PhaseCourse(phase, piece, busy, latency), after(piece)

    # Steps

    def _reading(self, service: PhaseTimes) -> _Steps:
        each_s = operation_s(self.rates, self.phase, service)
        moved = np.array([[0.0], [1.0]]) * self._most_bytes(each_s)
        return _Steps(moved, each_s[None], each_s[None], np.ones((1, self.rates.count)))

    def _most_bytes(self, fastest_s: Columns) -> Columns:
        """Return the bytes that a phase moves at most, at the time of its fastest operation."""
        busy_s = self.phase.lasts_s * self.phase.busy_fraction
        in_time = busy_s / fastest_s * self.phase.transfer_bytes
        return np.minimum(self.phase.moved_bytes(self.usable), in_time)

    def _with_cliff(self, moved: Columns, cached_s: Columns) -> Columns:
        """Add the point at which the cache is full to the ends of steps."""
        room = np.maximum(self.cache - self.state.held_bytes, 0.0)
        of_write = cached_s / (self.phase.transfer_bytes * self.flash_share)
        cliff = cliff_bytes(self.drain, room, of_write) / self.flash_share
        return np.sort(np.concatenate([moved, np.minimum(cliff, moved[-1])[None]]), axis=0)

    def _in_sequence(self, service: PhaseTimes) -> _Steps:
        """Return sequential writes: over data that is scattered, until they put it in order."""
        rates, phase, state = self.rates, self.phase, self.state

        def each_s(bytes_per_s: Columns, wa: Columns = 1.0) -> Columns:
            write_s = sequential_write_s(rates, phase, bytes_per_s, wa)
            return operation_s(rates, phase, service, write_s)

        fastest_s = each_s(rates.cached_bytes_per_s)
        most = np.broadcast_to(self._most_bytes(fastest_s), rates.count)
        first = np.minimum(self.span_bytes / self.writes, most)  # pass over the span
        shares = np.concatenate([_SHARES[:, None] * first, _SHARES[1:, None] * most])
        moved = self._with_cliff(np.sort(shares, axis=0), fastest_s)
        written = (moved[1:] + moved[:-1]) / 2 * self.writes
        scattered: Columns = np.broadcast_to(state.scattered_wa, rates.count)
        wa: Columns = rewriting.sequential_wa(
            scattered,
            rewritten_passes=state.rewritten + self._in_order(written),
            shared_fraction=rates.own("shared_fraction"),
        )  # fmt: skip
        if self.span_bytes < self._scattered_bytes:  # a second pass finds blocks of the first
            wa = np.where(written > self.span_bytes, 1.0, wa)
        return _Steps(
            moved, each_s(rates.cached_bytes_per_s, wa), each_s(rates.native_bytes_per_s, wa), wa
        )

    @property
    def _scattered_bytes(self) -> float:
        """The span of random writes, or that of the phase if it is larger."""
        return max(self.state.span_bytes, self.span_bytes)

    def _in_order(self, written: Columns) -> Columns:
        """Return the share of the scattered span that is rewritten after bytes of the phase."""
        scattered = self._scattered_bytes
        once = np.minimum(written, self.span_bytes) if self.span_bytes < scattered else written
        return once / scattered

    def _at_random(self, service: PhaseTimes) -> _Steps:
        """Return random writes: from the spare area left into steady state."""
        rates, phase, state = self.rates, self.phase, self.state

        def each_s(wa: Columns, *, is_cached: bool) -> Columns:
            write_s = random_write_s(rates, phase, service, wa, is_cached=is_cached)
            return operation_s(rates, phase, service, write_s)

        fastest_s = each_s(np.ones(rates.count), is_cached=True)
        most = self._most_bytes(fastest_s)
        moved = np.minimum(_FILLS[:, None] * self.span_bytes / self.flash_share, most)
        moved = np.concatenate([moved, moved[-1] + _REST[:, None] * (most - moved[-1])])
        moved = self._with_cliff(moved, fastest_s)
        wa = self._scattering_wa(state, moved * self.flash_share)
        return _Steps(moved, each_s(wa, is_cached=True), each_s(wa, is_cached=False), wa)

    def _scattering_wa(self, state: DriveState, written: Columns) -> Columns:
        """Return the write amplification of random writes between bytes written in the span."""
        rates = self.rates
        start = np.broadcast_to(state.fills, rates.count)
        last = _FILLS[-1]
        fills = start + np.minimum(written / self.span_bytes, last)
        op_ratio = rewriting.span_op_ratio(
            rates.op_ratio, span_fraction=self.span_fraction,
            filled_fraction=min(1.0, max(state.filled_fraction, self.span_fraction)),
        )  # fmt: skip
        flash = transient.greedy_flash_fills(
            np.maximum(op_ratio, LEAST_SPARE), drive_fills=fills,
            pages_per_block=rates.pages_per_block, prefilled_fraction=state.was_filled,
        )  # fmt: skip
        wa = _filled_down(ratio_of(np.diff(flash, axis=0), np.diff(fills, axis=0)))
        wa = self._still_scattered(state, np.maximum(wa, 1.0), written)
        return 1 + (wa - 1) * rates.copies_under(self.phase.skew)

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

    # The piece

    def _stretched(self, steps: _Steps) -> Piece:
        """Return steps through the cache, with pauses and a second stream."""
        phase = self.phase
        moved = np.diff(steps.moved_bytes, axis=0)
        operations = moved / phase.transfer_bytes
        through = through_cache(
            self.drain, moved * self.flash_share, operations * steps.cached_s,
            operations * steps.direct_s, held_bytes=self.state.held_bytes,
            cache_bytes=self.cache, burst_bytes=phase.burst_bytes * self.unit_factor,
        )  # fmt: skip
        seconds = _from_zero(through.step_s) / phase.busy_fraction
        piece = Piece(
            seconds, steps.moved_bytes, steps.moved_bytes * self.writes,
            _from_zero(moved * self.flash_share * steps.wa), through.held_bytes)  # fmt: skip
        return piece if phase.beside is None else self._beside(piece)

    def _cut(self, piece: Piece) -> Piece:
        """Cut a piece where the time of the phase ends."""
        seconds = np.minimum(piece.seconds, self.phase.lasts_s)
        moved, written, flash, held = (
            _interpolated(seconds, piece.seconds, values)
            for values in (
                piece.moved_bytes, piece.written_bytes, piece.flash_bytes, piece.held_bytes
            )
        )  # fmt: skip
        return Piece(seconds, moved, written, flash, held)

    def _beside(self, piece: Piece) -> Piece:
        """Stretch bursts by those of a second stream of random writes."""
        phase, beside, rates = self.phase, self.phase.beside, self.rates
        assert beside is not None  # noqa: S101 - of the caller
        other = replace(phase, action=Action.WRITE, read_fraction=0.0, is_sequential=False,
                        transfer_bytes=PAGE_BYTES)  # fmt: skip
        service = rates.service(other, self.span_fraction)
        page_s = random_write_s(rates, other, service, np.asarray(self.state.scattered_wa))
        folds = np.where(rates.cache_bytes > 0, 1 / rates.fold_bytes_per_s, 0.0)
        other_s = beside.burst_bytes / PAGE_BYTES * (page_s + folds * rates.unit_bytes)
        bursts = np.maximum(piece.moved_bytes[-1] / min(phase.burst_bytes, 1e300), 1.0)
        alone_s = piece.seconds[-1] / bursts
        busy = np.minimum(other_s, 0.98 * beside.cycle_s)
        taken = request_bursts.shared_burst_s(
            alone_s, other_burst_s=busy, cycle_s=beside.cycle_s,
            other_share=rates.own("beside_share"),
        )  # fmt: skip
        return piece._replace(seconds=piece.seconds * (taken / alone_s))

    # The state after

    def _after_reads(self, piece: Piece) -> DriveState:
        return replace(self.state, held_bytes=self._held_after(piece))

    def _held_after(self, piece: Piece) -> Columns:
        """Return the cache after a phase; reads let it drain as writes do."""
        if self.writes > 0:
            return piece.held_bytes[-1]
        busy_s = piece.seconds[-1] * self.phase.busy_fraction
        drained = busy_s * (self.drain.in_pauses + self.drain.beside)
        return np.maximum(self.state.held_bytes - drained, 0.0)

    def _after_sequence(self, piece: Piece) -> DriveState:
        written = piece.written_bytes[-1]
        rewritten = self.state.rewritten + self._in_order(written)
        covered = min(float(written[0]) / self.rates.user_bytes, self.span_fraction)
        return replace(
            self.state, held_bytes=self._held_after(piece), rewritten=rewritten,
            filled_fraction=max(min(1.0, self.state.filled_fraction), covered),
            fills=np.where(rewritten >= 1, 0.0, self.state.fills),
        )  # fmt: skip

    def _wa_after(self, written: Columns) -> Columns:
        """Return the write amplification at the end of random writes."""
        ends = np.minimum(written, _FILLS[-1] * self.span_bytes)
        starts = np.maximum(ends - _MOMENT * self.span_bytes, 0.0)
        wa = self._scattering_wa(self.state, np.stack([starts, ends]))[0]
        return np.where(ends > starts, wa, self.state.scattered_wa)

    def _after_random(self, piece: Piece) -> DriveState:
        written = piece.written_bytes[-1] * self.unit_factor
        done = written / self.span_bytes
        covered = self.span_fraction * min(1.0, float(done[0]))
        return replace(
            self.state, fills=self.state.fills + done, scattered_wa=self._wa_after(written),
            held_bytes=self._held_after(piece), rewritten=np.zeros(self.rates.count),
            filled_fraction=max(self.state.filled_fraction, covered),
        )  # fmt: skip


def _from_zero(steps: Columns) -> Columns:
    """Return the sums of steps from 0 on."""
    return np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])


def _filled_down(values: Columns) -> Columns:
    """Replace what is unknown by the value before it, 1 at the start."""
    known = np.where(np.isnan(values), 0, np.arange(1, len(values) + 1)[:, None])
    last = np.maximum.accumulate(known, axis=0)
    return np.take_along_axis(np.concatenate([np.ones((1, values.shape[1])), values]), last, axis=0)


def _interpolated(at: Columns, seconds: Columns, values: Columns) -> Columns:
    """Interpolate values over time, column by column."""
    found = [
        np.interp(at[:, column], seconds[:, column], values[:, column])
        for column in range(seconds.shape[1])
    ]
    return np.stack(found, axis=1)
