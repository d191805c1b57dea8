"""The workload of a block trace."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.units import DAY_S, GIB, KIB
from planner.quantity.door import Progress, parsed
from planner.quantity.input import ValueText
from planner.quantity.writes import unambiguous
from planner.telemetry.record import Refused, WorkloadReading
from planner.telemetry.traces.classes import estimated_classes
from planner.telemetry.traces.layouts import READ, TRIM, WRITE
from planner.telemetry.traces.pages import PAGE_BYTES, Distinct, PageWrites, Sampler
from planner.telemetry.traces.rates import Peak, RateCounter, Runs, Sizes, VolumeCounter, VolumeLoad
from planner.telemetry.traces.requests import Requests, layout_of, requests_of

MINUTE_S = 60.0
FINEST_S = 1e-3
MOST_TRIMS = 0.45  # of writes and trims; a plan takes less than a half
_QUANTILES = (0.1, 0.5, 0.9)
_SHORT = 3.0  # page writes per page below which the rates of pages are uncertain
FEWEST, SHORTEST_S = 100, 10.0  # requests and time below which shares and rates are chance


class Shortage(NamedTuple):
    """Shortage of a trace, and the reason why it matters."""

    head: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceWorkload(WorkloadReading):
    """The workload of a trace, in base units.

    Attributes:
        layout: Format of the trace.
        requests: Requests in all.
        reads: Requests that read.
        writes: Requests that write.
        trims: Requests that trim.
        span_s: Time from the first request to the last. [s]
        footprint_bytes: Distinct pages read or written. [bytes]
        written_footprint_bytes: Distinct pages written. [bytes]
        host_bytes: Bytes written. [bytes]
        host_bytes_per_s: Their mean rate over the span. [bytes/s]
        mapping_factor: Bytes of the pages that writes touch over the bytes written: cost of partial
            pages. [1]
        overwrites: Page writes over distinct pages written. [1]
        write_shares: Shares of writes by class of update frequency, hottest first, with sampling
            noise removed. [1]
        page_shares: Shares of pages by the same classes. [1]
        pages_per_seen: Estimated pages in use over pages written in the trace. [1]
        written_once_fraction: Share of the written pages that are written once. [1]
        rewrite_interval_bytes: Host writes between two writes of a page: 10th percentile, median
            and 90th percentile over the writes. [bytes]
        rewrite_interval_s: Their time at the mean rate. [s]
        read_fraction: Share of reads among requests. [1]
        trim_share: Share of trims among writes and trims. [1]
        sequential_fraction: Share of sequential bytes among the bytes written. [1]
        sequential_read_fraction: Share of sequential bytes among the bytes read. [1]
        write_bytes: Mean size of a write. [bytes]
        read_bytes: Mean size of a read. [bytes]
        write_sizes: Upper bound of a class of sizes of writes, and its share of the requests.
            [bytes, 1]
        read_sizes: The same of reads. [bytes, 1]
        minute: Bytes written per second by minute; None without times.
        day: Bytes written per second by day; None without times.
        course: Seconds, bytes written and bytes read per second over the trace.
        rewrites: Upper bound of a class of write counts, and its share of the page writes.
        volumes: The volumes that move most bytes, if the trace has several.
        volume_count: Volumes in all.
        sampled_one_in: Sampling ratio: the analysis uses one page in so many. [1]
        lines_per_s: Rate at which the trace was read and analysed. [1/s]
    """

    layout: str
    requests: int
    reads: int
    writes: int
    trims: int
    span_s: float | None
    footprint_bytes: float
    written_footprint_bytes: float
    host_bytes: float
    host_bytes_per_s: float | None
    mapping_factor: float
    overwrites: float
    write_shares: tuple[float, ...]
    page_shares: tuple[float, ...]
    pages_per_seen: float
    written_once_fraction: float
    rewrite_interval_bytes: tuple[float, ...]
    rewrite_interval_s: tuple[float, ...]
    read_fraction: float
    trim_share: float
    sequential_fraction: float
    sequential_read_fraction: float
    write_bytes: float
    read_bytes: float
    write_sizes: tuple[tuple[float, float], ...]
    read_sizes: tuple[tuple[float, float], ...]
    minute: Peak | None
    day: Peak | None
    course: tuple[tuple[float, float, float], ...]
    rewrites: tuple[tuple[float, float], ...]
    sampled_one_in: float
    lines_per_s: float
    volumes: tuple[VolumeLoad, ...] = ()
    volume_count: int = 1
    notes: tuple[str, ...] = ()

    @property
    def shortage(self) -> Shortage | None:
        """Reason why no plan can rest on the trace; None if one can.

        A trace without times states no rate, and one without writes no rewrites.
        """
        if self.requests < FEWEST:
            return Shortage(
                "Too few requests",
                f"The trace has {self.requests:,} requests: fewer than {FEWEST} give no shares.",
            )
        if self.writes and self.overwrites < _SHORT:
            return Shortage("Too few writes to each page", _few_writes(self.overwrites))
        if self.span_s is not None and self.span_s < SHORTEST_S:
            return Shortage(
                "Too short",
                f"The trace spans {self.span_s:.3g} s; a rate of writes for years takes more than "
                f"{SHORTEST_S:g} s.",
            )
        return None

    def plan_inputs(self) -> dict[str, ValueText]:
        """Return its writes, mix, sizes and classes of temperature as inputs of a plan.

        Assumed: all data of the drive is written as the pages of the trace are. Without times there
        is no rate, and without writes no classes.
        """
        inputs = {
            "reads": _share(self.read_fraction),
            "sequential": _share(self.sequential_fraction),
            "trim": _share(min(self.trim_share, MOST_TRIMS)),
        }
        mean = self.write_bytes if self.writes else self.read_bytes
        if mean:
            inputs["size"] = ValueText(f"{mean / KIB:.6g} KiB", mean)
        if self.writes:
            classes = self.write_shares, self.page_shares
            inputs["skew"] = ValueText(_skew(*classes), classes)
        if (rate := self.host_bytes_per_s) is not None:
            inputs["writes"] = ValueText(unambiguous(f"{rate * DAY_S / GIB:.10g} GiB/day"), rate)
        return inputs


def _share(fraction: float) -> ValueText:
    return ValueText(f"{100 * fraction:.6g}%", fraction)


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.12f}".rstrip("0").rstrip(".")


def _skew(write_shares: Sequence[float], page_shares: Sequence[float]) -> str:
    """Write classes of temperature as the skew of a plan: shares of writes over those of space.

    >>> _skew((0.8, 0.2), (0.2, 0.8)), _skew((1.0,), (1.0,))
    ('80/20+20/80', 'uniform')
    """
    pairs = zip(write_shares, page_shares, strict=True)
    classes = [f"{_percent(writes)}/{_percent(pages)}" for writes, pages in pairs]
    return "+".join(classes) if len(classes) > 1 else "uniform"


def _few_writes(overwrites: float) -> str:
    return (
        f"The trace writes its pages {overwrites:.3g} times on average, too few to know how "
        "often each is rewritten; a trace several times as long is needed."
    )


class Traced(NamedTuple):
    """A workload, and the page writes from which it was derived."""

    workload: TraceWorkload
    writes: PageWrites


def trace(stream: BinaryIO, *, name: str | None = None, page_bytes: int = PAGE_BYTES) -> Traced:
    """Read and analyse a block trace in one pass and constant memory.

    Args:
        stream: The trace, plain or compressed by gzip, xz or zstd.
        name: The format, by default detected.
        page_bytes: Mapping unit of the drive. [bytes]

    Returns:
        The workload and its page writes.

    Raises:
        Refused: If a line is malformed, with position and reason.
    """
    started = time.perf_counter()
    layout, notes = layout_of(stream, name), list[str]()
    statistics = _Statistics(page_bytes)
    lines = 0
    for requests in requests_of(stream, layout=layout, notes=notes):
        statistics.add(requests)
        lines += requests.lines
    if not statistics.sizes.requests.sum():
        raise Refused("line 1", f"the trace ({layout.name}) contains no request")
    taken = max(time.perf_counter() - started, 1e-9)
    return statistics.result(layout.name, notes, lines / taken)


def trace_file(
    name: str | PathLike[str], *, layout: str | None, page_bytes: int,
    progress: Progress | None = None,
) -> Traced:  # fmt: skip
    """Read and analyse the block trace of a file within limits; `trace` says what it returns.

    Raises:
        Refused: If a line is malformed, with position and reason.
        DoorError: If it is no file, or takes more than the limits.
    """
    return parsed(_traced, name, layout, page_bytes, progress=progress)


def _traced(stream: BinaryIO, layout: str | None, page_bytes: int) -> Traced:
    return trace(stream, name=layout, page_bytes=page_bytes)


class _Statistics:
    """The statistics of a trace, collected in one pass."""

    def __init__(self, page_bytes: int) -> None:
        self.sampler = Sampler(page_bytes=page_bytes)
        self.touched = Distinct(page_bytes=page_bytes)
        self.sizes, self.runs, self.volumes = Sizes(), Runs(), VolumeCounter()
        self.minute, self.day = RateCounter(MINUTE_S), RateCounter(DAY_S)
        self.fine = RateCounter(FINEST_S, coarsens=True)
        self.first_s, self.last_s = math.inf, -math.inf

    def add(self, requests: Requests) -> None:
        """Add a block of requests."""
        for part in (
            self.sampler, self.sizes, self.runs, self.volumes, self.minute, self.day, self.fine
        ):  # fmt: skip
            part.add(requests)
        self.touched.add(requests)
        if requests.time_s is not None and requests.time_s.size:
            self.first_s = min(self.first_s, float(requests.time_s.min()))
            self.last_s = max(self.last_s, float(requests.time_s.max()))

    def result(self, layout: str, notes: list[str], lines_per_s: float) -> Traced:
        """Return the workload."""
        pages = self.sampler.result()
        reads, writes, trims = (self.sizes.count(kind) for kind in (READ, WRITE, TRIM))
        read_bytes, host_bytes, _ = self.sizes.moved.tolist()
        span_s = self.last_s - self.first_s if self.last_s > self.first_s else None
        rate = host_bytes / span_s if span_s else None
        counts = pages.counts
        classes = estimated_classes(counts)
        overwrites = float(counts.sum() / counts.size) if counts.size else 0.0
        interval = _intervals(pages)
        workload = TraceWorkload(
            layout=layout,
            requests=reads + writes + trims,
            reads=reads,
            writes=writes,
            trims=trims,
            span_s=span_s,
            footprint_bytes=self.touched.count * pages.page_bytes,
            written_footprint_bytes=counts.size * pages.one_in * pages.page_bytes,
            host_bytes=host_bytes,
            host_bytes_per_s=rate,
            mapping_factor=pages.written * pages.page_bytes / host_bytes if host_bytes else 1.0,
            overwrites=overwrites,
            write_shares=classes.write_shares,
            page_shares=classes.page_shares,
            pages_per_seen=classes.pages_per_seen,
            written_once_fraction=float(np.mean(counts == 1)) if counts.size else 0.0,
            rewrite_interval_bytes=interval,
            rewrite_interval_s=tuple(gap / rate for gap in interval) if rate else (),
            read_fraction=reads / max(1, reads + writes),
            trim_share=trims / max(1, writes + trims),
            sequential_fraction=float(self.runs.bytes[WRITE]) / host_bytes if host_bytes else 0.0,
            sequential_read_fraction=float(self.runs.bytes[READ]) / read_bytes
            if read_bytes
            else 0.0,
            write_bytes=host_bytes / max(1, writes),
            read_bytes=read_bytes / max(1, reads),
            write_sizes=self.sizes.mix(WRITE),
            read_sizes=self.sizes.mix(READ),
            minute=self.minute.peak(),
            day=self.day.peak(),
            course=self.fine.course(),
            rewrites=_by_count(counts),
            sampled_one_in=pages.one_in,
            lines_per_s=lines_per_s,
            volumes=self.volumes.busiest(),
            volume_count=max(1, len(self.volumes.names)),
            notes=(*notes, *_remarks(pages, overwrites)),
        )
        return Traced(workload, pages)


def _intervals(pages: PageWrites) -> tuple[float, ...]:
    """Return quantiles of the host bytes between two writes of a page."""
    page = pages.pages[~pages.trims].astype(np.int64)
    order = np.argsort(page, kind="stable")
    again = np.diff(page[order]) == 0
    gaps = np.diff(order)[again]
    if not gaps.size:
        return ()
    scale = pages.one_in * pages.page_bytes
    return tuple(float(gap) * scale for gap in np.quantile(gaps, _QUANTILES))


def _by_count(counts: NDArray[np.int64]) -> tuple[tuple[float, float], ...]:
    """Return classes of write counts between powers of two, and their shares of the writes."""
    if not counts.size:
        return ()
    place = np.ceil(np.log2(counts)).astype(int)
    share = np.bincount(place, counts) / counts.sum()
    return tuple((2.0**at, float(share[at])) for at in np.flatnonzero(share).tolist())


def _remarks(pages: PageWrites, overwrites: float) -> list[str]:
    """Return notes on the limits of the analysis."""
    remarks = []
    if not pages.pages.size:
        remarks.append("The trace contains no write.")
    elif overwrites < _SHORT:
        remarks.append(_few_writes(overwrites))
    if pages.one_in > 1:
        remarks.append(f"The analysis uses a sample of 1 page in {pages.one_in:g}.")
        held = pages.counts.sum() * pages.one_in / max(1, pages.written)
        if abs(held - 1) > 0.1:
            remarks.append(
                f"The sample has {held:.2f} times its share of the writes: few pages get many."
            )
    return remarks
