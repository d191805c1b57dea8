"""Prediction of a protocol on one drive: numbers of each phase with ranges, and its course."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.scenario.firmware import Firmware
from planner.sections.life import ratings_of
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range, range_over
from planner.simulation.protocol.course import course
from planner.simulation.protocol.energy import phase_j
from planner.simulation.protocol.phases import Phase
from planner.simulation.protocol.presets import Protocol
from planner.simulation.protocol.rates import FLUID, LATENCY, Columns, DriveRates, drive_rates
from planner.simulation.protocol.scatter import scatter
from planner.simulation.protocol.state import PhaseCourse, Piece

SMALLEST_BYTES = 2.0**20  # of a test


class CourseOfPhase(NamedTuple):
    """The course of a phase: ends of its intervals, and the data rate of each with its range.

    Seconds are those of the whole protocol, bytes those moved in the phase. The range is that of
    the rate after so many bytes.
    """

    seconds: np.ndarray
    moved_bytes: np.ndarray
    bytes_per_s: np.ndarray
    low_bytes_per_s: np.ndarray
    high_bytes_per_s: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class PhaseAnswer:
    """One measured phase of a protocol: its numbers by key, each with its range."""

    phase: Phase
    ranges: Mapping[str, Range]
    course: CourseOfPhase = field(repr=False)
    rates: Columns = field(repr=False)  # mean data rate

    @property
    def bytes_per_s(self) -> Range:
        """Mean data rate."""
        return self.ranges["phase_bytes_per_s"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ProtocolAnswer:
    """A protocol on one drive."""

    protocol: Protocol
    drive: Drive
    rates: DriveRates = field(repr=False)
    usable_bytes: float
    phases: tuple[PhaseAnswer, ...]

    @property
    def judged(self) -> tuple[PhaseAnswer, ...]:
        """The phases by which drives are ranked."""
        names = self.protocol.judged_by
        return tuple(each for each in self.phases if each.phase.name in names)

    @cached_property
    def judged_bytes_per_s(self) -> Range:
        """The rate by which drives are ranked: the mean of those of the judged phases."""
        return range_of(self.rates, np.mean([each.rates for each in self.judged], axis=0))

    @cached_property
    def total_s(self) -> float:
        """Typical time of the whole protocol."""
        return float(self.phases[-1].course.seconds[-1]) if self.phases else 0.0


def protocol_answer(
    plan: PlanReading, protocol: Protocol, *, test_bytes: float | None = None
) -> ProtocolAnswer:
    """Predict a protocol on one drive of a plan, or on a part of it, such as a file.

    Raises DomainError where the drive's rates are unknown.
    """
    usable = plan.partition_fraction
    if test_bytes is not None:
        if not SMALLEST_BYTES <= test_bytes <= plan.drive.capacity_bytes:
            raise DomainError(f"test size must be from 1 MiB to the capacity of {plan.drive.name}")
        usable = min(usable, test_bytes / plan.drive.capacity_bytes)
    return protocol_on(plan.drive, protocol, usable_fraction=usable, firmware=plan.firmware)


def protocol_on(
    drive: Drive, protocol: Protocol, *, usable_fraction: float = 1.0,
    firmware: Firmware | None = None,
) -> ProtocolAnswer:  # fmt: skip
    """Predict a protocol on a drive whose assumptions are supplied.

    >>> from planner.catalogue import find, load
    >>> from planner.catalogue.priors import with_assumptions
    >>> from planner.simulation.protocol.presets import protocol_named
    >>> drive = with_assumptions(find(load(), "845DC PRO 400"))
    >>> found = protocol_on(drive, protocol_named("consistency")).judged_bytes_per_s
    >>> found.low < found.typical < found.high
    True
    """
    rates = drive_rates(drive, firmware=firmware)
    _require(rates)
    protocol = _on_rating(protocol, drive)
    phases = tuple(_answers(rates, protocol, usable_fraction))
    return ProtocolAnswer(
        protocol=protocol, drive=drive, rates=rates, phases=phases,
        usable_bytes=usable_fraction * drive.capacity_bytes,
    )  # fmt: skip


def _on_rating(protocol: Protocol, drive: Drive) -> Protocol:
    """Return a protocol whose phases write the rating of a drive where they say so."""
    writes = [phase.name for phase in protocol.phases if phase.moves and phase.moves.is_rating]
    if not writes:
        return protocol
    rated = ratings_of(drive)["rated_bytes"].value
    if np.isnan(rated):
        raise DomainError(
            f"{drive.name}: phase {writes[0]!r} ends with its rating, which is unknown: state its "
            "tbw, or a size"
        )
    return replace(protocol, phases=tuple(each.on_rating(rated) for each in protocol.phases))


def _require(rates: DriveRates) -> None:
    lacking = rates.lacking
    if lacking:
        raise DomainError(
            f"{rates.drive.name}: a protocol needs {', '.join(lacking)}, which are unknown: leave "
            "out known-only, or state them"
        )


def _answers(
    rates: DriveRates, protocol: Protocol, usable_fraction: float
) -> Iterator[PhaseAnswer]:
    begins = 0.0
    for done in course(rates, protocol.phases, usable_fraction=usable_fraction):
        if done.phase.is_measured:
            yield PhaseAnswer(
                phase=done.phase, ranges=dict(_ranges(rates, done)),
                course=_course(rates, done.piece, begins),
                rates=done.bytes_per_s * rates.own(FLUID.quantity),
            )  # fmt: skip
        begins += float(done.lasts_s[0])


def _course(rates: DriveRates, piece: Piece, begins_s: float) -> CourseOfPhase:
    """Return the intervals that take time, and the range of their rates after as many bytes."""
    seconds, moved = piece.seconds, piece.moved_bytes
    kept = np.append(0, 1 + np.flatnonzero(np.diff(seconds[:, 0]) > 0))
    ends = moved[kept, 0]
    each = np.stack([_rates_at(ends, *of) for of in zip(moved.T, seconds.T, strict=True)], axis=1)
    each = each * rates.own(FLUID.quantity)
    found = rates.interval(each)
    return CourseOfPhase(
        begins_s + seconds[kept, 0], ends, each[:, 0], np.asarray(found.low), np.asarray(found.high)
    )


def _rates_at(ends: Columns, moved: Columns, seconds: Columns) -> Columns:
    """Return the rates between bytes; a phase that ended before goes on at its last one."""
    steps = np.diff(seconds)
    own = np.diff(moved)[steps > 0] / steps[steps > 0]
    is_within = ends[1:] <= moved[-1] * (1 + 1e-9)
    took = np.diff(np.interp(ends, moved, seconds))
    return np.where(is_within & (took > 0), np.diff(ends) / np.where(took > 0, took, 1.0), own[-1])


def _ranges(rates: DriveRates, done: PhaseCourse) -> Iterator[tuple[str, Range]]:
    """Yield the numbers of a phase, with the error of the model on rates and times."""
    error, late = rates.own(FLUID.quantity), rates.own(LATENCY.quantity)
    is_replay = bool(done.phase.trace)
    written, flash = done.piece.written_bytes[-1], done.piece.flash_bytes[-1]
    # A phase that ends in time lasts as long, whatever its rate.
    in_time = np.isfinite(done.phase.lasts_s) & (done.lasts_s >= done.phase.lasts_s * 0.999)
    numbers: dict[str, Columns] = {
        "phase_bytes_per_s": done.bytes_per_s * error,
        "phase_iops": done.iops * error,
        "phase_lowest_bytes_per_s": done.lowest_bytes_per_s * error,
        "phase_lowest_iops": done.lowest_bytes_per_s / done.phase.transfer_bytes * error,
        "phase_latency_s": done.mean_latency_s / error * (late if is_replay else 1.0),
        **{
            f"phase_{name}_latency_s": value / error * late
            for name, value in done.trace_latency_s.items()
        },
        "phase_s": done.lasts_s / np.where(in_time, 1.0, error),
        "phase_written_bytes": written * np.where(in_time, error, 1.0),
        "phase_wa": np.where(written > 0, flash / np.where(written > 0, written, 1.0), np.nan),
    }
    energy_j = phase_j(rates, done)
    numbers |= {
        "phase_j": energy_j, "phase_bytes_per_j": done.piece.moved_bytes[-1] / energy_j,
    }  # fmt: skip
    found = scatter(rates, done)
    if found is not None:
        numbers |= {
            "phase_sd_iops": found.sd_iops * error,
            "phase_second_sd_iops": found.second_sd_iops * error,
            "phase_worst_iops": found.worst_iops,
        }
    for key, value in numbers.items():
        columns = np.broadcast_to(np.asarray(value, float), rates.count)
        if np.isfinite(columns[0]) and columns[0] > 0:
            yield key, range_of(rates, columns)


def range_of(rates: DriveRates, columns: Columns) -> Range:
    """Return the range of a number from its columns."""
    return range_over(rates.interval(columns), float(columns[0]), rates.items)
