"""The workload of a drive or an array."""

from dataclasses import dataclass, field, replace

import numpy as np

from models import _check
from models.errors import DomainError
from models.units import KIB
from planner.catalogue.priors import Assumption, Level
from planner.quantity.rates import RateUnit

MOST_STEPS = 6  # each has a name of its own in tables and workbooks


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Host writes, their pattern and their course; numbers, or arrays that broadcast.

    Attributes:
        host_bytes_per_s: Bytes that the applications write to the drive, or to the whole array.
            [bytes/s]
        host_bytes_ratios: Least and most host writes, over `host_bytes_per_s`. [1, 1]
        growth_per_year: Compound growth of those writes per 365-day year, > -1. [1]
        rate_steps: Times from now, and factors by which the writes change at them; at most 6. [s,
            1]
        phase_in_s: Time over which the writes rise from none to their full rate. [s]
        read_fraction: Share of operations that are reads. [1]
        transfer_bytes: Size of one operation. [bytes]
        sequential_fraction: Share of operations that are sequential. [1]
        queue_depth: Outstanding operations on each drive; by default the depth at which its rates
            are printed. [1]
        fill_fraction: Share of the partitioned capacity that holds valid data; the rest is trimmed.
            [1]
        working_set_fraction: Share of the valid data that is overwritten at all; one number. [1]
        write_shares: Skew: shares of writes by temperature class; one class means uniform writes.
            [1]
        page_shares: Shares of valid pages by temperature class. [1]
        trim_share: Share of requests that trim valid data, in [0, 0.5). [1]
        measured_wa: Write amplification from the drive's own counters; replaces the model. [1]
        measured_span_bytes: Valid data during that measurement: the model scales the figure to
            other spare areas. Without it the figure is used at every spare area. [bytes]
        field_copy_ratio: Copies by garbage collection on hosts in the field over those under
            uniform random writes. Without it writes of unknown pattern count as uniform. [1]
        writes_read_as: The reading of the sentence that states the writes; empty if it is plain.
        writes_typed: The writes as they were typed; empty where nobody typed them.
        writes_unit: The unit in which the writes were typed; None where they are a sentence.

    Examples:
        >>> Workload(host_bytes_per_s=50 * 2**30 / 86400, read_fraction=1.2)
        Traceback (most recent call last):
        models.errors.DomainError: read_fraction must be in [0, 1], got 1.2
    """

    host_bytes_per_s: float
    host_bytes_ratios: tuple[float, float] = (1.0, 1.0)
    growth_per_year: float = 0.0
    rate_steps: tuple[tuple[float, float], ...] = ()
    phase_in_s: float = 0.0
    read_fraction: float = 0.7
    transfer_bytes: float = 4 * KIB
    sequential_fraction: float = 0.0
    queue_depth: float | None = None
    fill_fraction: float = 1.0
    working_set_fraction: float = 1.0
    write_shares: tuple[float, ...] = (1.0,)
    page_shares: tuple[float, ...] = (1.0,)
    trim_share: float = 0.0
    measured_wa: float | None = None
    measured_span_bytes: float | None = None
    field_copy_ratio: float | None = None
    writes_read_as: str = field(default="", compare=False)
    writes_typed: str = field(default="", compare=False)
    writes_unit: RateUnit | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Refuse a field outside its range, by name."""
        written = np.asarray(self.host_bytes_per_s, float)
        inside = (written >= 0) & (written < np.inf)
        _check.require(inside, "host_bytes_per_s", ">= 0 and finite", written)
        low, high = self.host_bytes_ratios
        is_around = 0 <= low <= 1 <= high < np.inf
        _check.require(is_around, "host_bytes_ratios", "around 1", self.host_bytes_ratios)
        _check.finite(transfer_bytes=self.transfer_bytes)
        if self.queue_depth is not None:
            _check.finite(queue_depth=self.queue_depth)
        _check.above(-1, growth_per_year=self.growth_per_year)
        _check.fraction(
            read_fraction=self.read_fraction, sequential_fraction=self.sequential_fraction
        )
        _check.share(
            fill_fraction=self.fill_fraction, working_set_fraction=self.working_set_fraction
        )
        _check.require(
            np.ndim(self.working_set_fraction) == 0,
            "working_set_fraction",
            "one number",
            self.working_set_fraction,
        )
        (trimmed,) = _check.non_negative(trim_share=self.trim_share)
        _check.require(np.asarray(trimmed) < 0.5, "trim_share", "in [0, 0.5)", trimmed)
        if self.measured_wa is not None:
            _check.finite(measured_wa=self.measured_wa)
        if self.measured_span_bytes is not None:
            _check.finite(measured_span_bytes=self.measured_span_bytes)
        if self.field_copy_ratio is not None:
            _check.non_negative(field_copy_ratio=self.field_copy_ratio)
        self._check_skew()
        self._check_course()

    @property
    def open_writes(self) -> tuple[Assumption, ...]:
        """Uncertainty of the rate of the writes: their range, if it is one.

        >>> (item,) = Workload(host_bytes_per_s=1e6, host_bytes_ratios=(1, 3)).open_writes
        >>> item.high
        3000000.0
        """
        low, high = self.host_bytes_ratios
        if low == high or np.ndim(self.host_bytes_per_s):
            return ()
        rate = float(self.host_bytes_per_s)
        return (
            Assumption(
                quantity="host_bytes_per_s", low=low * rate, typical=rate, high=high * rate,
                ground="The range that is stated of the writes", basis="the range that is stated",
                is_measured=True,
            ),
        )  # fmt: skip

    def at_level(self, level: Level) -> "Workload":
        """Return the workload with its writes at one end of their range, or typical.

        >>> load = Workload(host_bytes_per_s=1e6, host_bytes_ratios=(1, 3))
        >>> load.at_level("cautious").host_bytes_per_s
        3000000.0
        """
        for item in self.open_writes:
            rate: float = getattr(item, level)
            ratios = (item.low / rate, item.high / rate) if rate else (1.0, 1.0)
            return replace(self, host_bytes_per_s=rate, host_bytes_ratios=ratios)
        return self

    @property
    def is_undescribed(self) -> bool:
        """Whether no skew of the random writes is stated, nor a measured write amplification.

        >>> Workload(host_bytes_per_s=1e6, sequential_fraction=0.3).is_undescribed
        True
        """
        return self.measured_wa is None and len(self.write_shares) == 1

    @property
    def is_in_field(self) -> bool:
        """Whether writes of unknown skew are assumed to be those of hosts in the field.

        A sequential share or a working set that is stated changes that pattern, it does not end it.
        Where nothing is copied, whatever the pattern, it makes no difference.
        """
        copied = self.field_copy_ratio
        is_copied = copied is None or bool(np.any(copied))
        return copied is not None and (self.is_undescribed or not is_copied)

    @property
    def classes(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Shares of writes and of valid pages by class; data that is never overwritten is last.

        >>> Workload(host_bytes_per_s=1e6, working_set_fraction=0.25).classes
        ((1.0, 0.0), (0.25, 0.75))
        """
        rewritten = self.working_set_fraction
        if rewritten == 1:
            return self.write_shares, self.page_shares
        pages = (rewritten * share for share in self.page_shares)
        return (*self.write_shares, 0.0), (*pages, 1 - rewritten)

    def _check_skew(self) -> None:
        if len(self.write_shares) != len(self.page_shares):
            raise DomainError("write_shares must be as many as page_shares")
        for name in ("write_shares", "page_shares"):
            total = sum(_check.non_negative(**{name: share})[0] for share in getattr(self, name))
            _check.require(abs(total - 1) < 1e-9, name, "1 in sum", total)

    def _check_course(self) -> None:
        _check.require(np.asarray(self.growth_per_year) < np.inf, "growth_per_year",
                       "> -1 and finite", self.growth_per_year)  # fmt: skip
        (phase_in,) = _check.non_negative(phase_in_s=self.phase_in_s)
        _check.require(np.asarray(phase_in) < np.inf, "phase_in_s", ">= 0 and finite", phase_in)
        steps = len(self.rate_steps)
        _check.require(steps <= MOST_STEPS, "rate_steps", f"at most {MOST_STEPS}", steps)
        for number, (time_s, factor) in enumerate(self.rate_steps, start=1):
            _check.non_negative(**{f"step_{number}_s": time_s})
            _check.require(time_s < np.inf, f"step_{number}_s", ">= 0 and finite", time_s)
            _check.finite(**{f"step_{number}_factor": factor})
