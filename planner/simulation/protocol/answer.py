"""Prediction of a protocol on one drive: numbers of each phase with ranges, and its course."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.graph.interval import interval
from planner.scenario.firmware import Firmware
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range, range_over
from planner.simulation.protocol.course import PhaseCourse, course
from planner.simulation.protocol.phases import Phase
from planner.simulation.protocol.presets import Protocol
from planner.simulation.protocol.rates import FLUID, LATENCY, Columns, DriveRates, drive_rates
from planner.simulation.protocol.scatter import scatter

SMALLEST_BYTES = 2.0**20  # of a test


class CourseOfPhase(NamedTuple):
    """The typical course of a phase: seconds of the whole protocol, data rate of each interval."""

    seconds: np.ndarray
    bytes_per_s: np.ndarray


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
    phases = tuple(_answers(rates, protocol, usable_fraction))
    return ProtocolAnswer(
        protocol=protocol, drive=drive, rates=rates, phases=phases,
        usable_bytes=usable_fraction * drive.capacity_bytes,
    )  # fmt: skip


def _require(rates: DriveRates) -> None:
    needed = {
        "random writes": rates.fresh_iops, "steady random writes": rates.steady_iops,
        "random reads": rates.random_reads, "spare area": rates.op_ratio,
    }  # fmt: skip
    lacking = [name for name, value in needed.items() if np.isnan(value[0])]
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
        ends = done.piece.seconds[:, 0] + begins
        begins = float(ends[-1])
        if done.phase.is_measured:
            yield PhaseAnswer(
                phase=done.phase, ranges=dict(_ranges(rates, done)),
                course=CourseOfPhase(ends, done.rates[:, 0]),
                rates=done.bytes_per_s * rates.own(FLUID.quantity),
            )  # fmt: skip


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
    count = len(rates.items)
    low, high = columns[1 : 1 + count], columns[1 + count :]
    found = interval(
        columns[0], at_low=low, at_high=high,
        is_model=np.array([item.is_model for item in rates.items]),
    )  # fmt: skip
    return range_over(found, float(columns[0]), rates.items)
