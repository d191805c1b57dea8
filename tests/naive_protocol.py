"""A protocol step by step: explicit Euler over short times, bursts and pauses one by one.

Rates of the drive are given, and so are the laws of write amplification at a moment; how a drive
moves through them is written here anew, in plain numbers.
"""

from dataclasses import dataclass

import numpy as np

from models import rewriting, transient
from planner.simulation.protocol.phases import Action

STEPS = 3000  # of a phase, or of a burst and its pause


@dataclass
class Seen:
    """The result of a phase: what was moved in what time, and what the cache holds after it."""

    name: str
    moved_bytes: float
    seconds: float
    held_bytes: float


class NaiveDrive:
    """A drive with the typical rates of `rates`, over a part of its capacity."""

    def __init__(self, rates, usable_bytes):
        self.rates, self.usable, self.user = rates, usable_bytes, rates.user_bytes
        of = lambda values: float(np.broadcast_to(values, rates.count)[0])  # noqa: E731
        self.of, self.unit = of, max(rates.drive.value("unit_bytes") or 0, 4096)
        self.fresh_iops, self.copy_s = of(rates.fresh_iops), of(rates.copy_s)
        self.cached, self.native = of(rates.cached_bytes_per_s), of(rates.native_bytes_per_s)
        self.fold, self.reads = of(rates.fold_bytes_per_s), of(rates.read_bytes_per_s)
        self.turnaround, self.spare = of(rates.own("turnaround_s")), of(rates.op_ratio)
        self.shared = of(rates.own("shared_fraction"))
        self.trim_left = of(rates.own("trim_left_fraction"))
        self.erase()

    def erase(self):
        self.filled = self.held = self.fills = self.ordered = 0.0
        self.span, self.was_filled, self.scattered = 0.0, 0.0, 1.0

    def run(self, phases):
        for phase in phases:
            if phase.action is Action.ERASE:
                self.erase()
            elif phase.action is Action.IDLE:
                self.held = max(0.0, self.held - self.fold * phase.lasts_s)
            elif phase.action is Action.TRIM:
                self.trim(phase)
            else:
                yield self.move(phase)

    def trim(self, phase):
        gone = min(phase.span.of(self.usable) / self.user, self.filled)
        share = gone / self.filled if self.filled else 1.0
        self.scattered = 1 + (self.scattered - 1) * (1 - share * (1 - self.trim_left))
        self.filled -= gone

    def move(self, phase):
        """Move a phase in steps of time, each at the rate of its start."""
        span = phase.span.of(self.usable)
        size = self.of(self.rates.cache_at(min(1.0, self.filled)))
        self.held = min(self.held, size)
        is_random = not phase.is_sequential
        whole = max(self.unit / phase.transfer_bytes, 1) if is_random else 1
        writes = (1 - phase.read_fraction) * whole  # of the bytes moved, what flash takes as units
        if writes and is_random:
            self.meet(span)
        wa_at = self.law(phase, span) if writes else lambda written: 1.0
        service = self.rates.service(phase, min(span / self.user, 1.0))
        self.alone_s = self.of(service.write_alone_s)
        self.random_reads = self.of(self.rates.random_reads_iops(phase, service, phase.queue_depth))
        most = phase.moved_bytes(self.usable)
        slowest = self.operation_s(phase, wa_at(0.0), is_cached=True) / phase.transfer_bytes
        step_s = min(phase.lasts_s, most * slowest, phase.burst_bytes * slowest * 10) / STEPS
        moved = now = in_burst = began = 0.0
        wa = 1.0
        while moved < most * (1 - 1e-9) and now < phase.lasts_s * (1 - 1e-9):
            wa = wa_at(moved * writes)
            in_cache = self.held < size or not size
            each_s = self.operation_s(phase, wa, is_cached=in_cache)
            rate = phase.transfer_bytes / each_s
            dt = min(
                step_s, phase.lasts_s - now, (most - moved) / rate,
                (phase.burst_bytes - in_burst) / rate,
            )  # fmt: skip
            moved, now, in_burst = moved + rate * dt, now + dt, in_burst + rate * dt
            if in_cache and size:
                self.held = min(size, self.held + rate * writes * dt)
            if in_burst >= phase.burst_bytes * (1 - 1e-9):
                pause = (now - began) * (1 / phase.busy_fraction - 1)
                pause = min(pause, phase.lasts_s - now)
                self.held, now = max(0.0, self.held - self.fold * pause), now + pause
                in_burst, began = 0.0, now
        # A moment where copies set in: after it, one drive copies and another does not yet.
        near = [wa_at(moved * writes * side) for side in (0.98, 1.0, 1.02)]
        self.is_on_edge = max(near) > 1.05 * min(near)
        self.after(phase, span, moved * writes, wa)
        return Seen(phase.name, moved, now, self.held)

    def meet(self, span):
        if self.span != span or self.ordered >= 1:
            self.was_filled = min(1.0, self.filled / (span / self.user))
            self.scattered = 1.0 if self.ordered >= 1 else self.scattered
            self.span, self.fills = span, 0.0

    def law(self, phase, span):
        """Return the write amplification of a moment by what the phase has written."""
        if phase.is_sequential:
            scattered = max(self.span, span)
            x = np.linspace(0, 3, 6001)
            levels = rewriting.sequential_wa(
                self.scattered, rewritten_passes=x, shared_fraction=self.shared
            )

            def sequential(written):
                if span < scattered and written > span:
                    return 1.0
                return float(np.interp(self.ordered + written / scattered, x, levels))

            return sequential
        share = span / self.user
        kept = min(1.0, max(self.filled, share))
        spare = max((1 + self.spare - max(kept, share)) / share, 0.005)
        fills = self.fills + np.concatenate([np.linspace(0, 2, 4001), np.geomspace(2.01, 60, 2000)])
        flash = transient.greedy_flash_fills(
            spare, drive_fills=fills,
            pages_per_block=self.of(self.rates.pages_per_block),
            prefilled_fraction=self.was_filled,
        )  # fmt: skip
        slopes = np.maximum(np.diff(flash) / np.diff(fills), 1.0)
        is_anew, left, begun = self.fills == 0, self.scattered, self.fills

        def scattering(written):
            at = np.searchsorted(fills, begun + written / span, side="right") - 1
            wa = slopes[min(max(at, 0), len(slopes) - 1)]
            if is_anew:
                wa = max(wa, 1 + (left - 1) * np.exp(-written / (self.spare * self.user)))
            return float(wa)

        return scattering

    def operation_s(self, phase, wa, *, is_cached):
        size, depth = phase.transfer_bytes, phase.queue_depth
        if phase.is_sequential:
            clean = self.cached if is_cached else self.native
            copies_s = (wa - 1) * self.copy_s / self.unit
            write_s = self.through_link(size * (1 / clean + copies_s), depth)
            read_s = self.through_link(size / self.reads, depth)
        else:
            units = max(size / self.unit, 1.0)
            write_s = 1 / self.fresh_iops + (units - 1) * self.unit / self.cached
            if not is_cached:
                write_s = max(write_s, units * self.unit / self.native)
            write_s = max(write_s + (wa - 1) * units * self.copy_s, self.alone_s / depth)
            read_s = 1 / self.random_reads
        return phase.read_fraction * read_s + (1 - phase.read_fraction) * write_s

    def through_link(self, alone_s, depth):
        return max(alone_s, (alone_s + self.turnaround) / depth)

    def after(self, phase, span, written, wa):
        if phase.read_fraction == 1:
            return
        if phase.is_sequential:
            scattered = max(self.span, span)
            once = min(written, span) if span < scattered else written
            self.ordered += once / scattered
            self.filled = max(self.filled, min(written, span) / self.user)
            self.fills = 0.0 if self.ordered >= 1 else self.fills
            return
        self.fills += written / span
        self.ordered, self.scattered = 0.0, wa
        self.filled = max(self.filled, min(written, span) / self.user)
