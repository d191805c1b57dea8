"""A traced workload as lines and rows with labels."""

from collections.abc import Sequence
from dataclasses import fields
from itertools import accumulate

from models.errors import DomainError
from models.write_amplification import skewed
from planner.export.forecast_screen import rate_text, size_text
from planner.quantity.show import text
from planner.search.verdict.words import duration, percent, three, two
from planner.telemetry.record import WorkloadReading
from planner.telemetry.traces import TraceWorkload

_SPARE = (0.07, 0.28)  # spare area of client and of write-heavy drives
_HOT = 0.2  # share of the pages at which skew is stated
_FEWEST = 2  # writes of a page, for its rate
_LONG = 6  # values in a cell
LABELS = {
    "layout": "Layout", "requests": "Requests", "reads": "Reads", "writes": "Writes",
    "trims": "TRIM requests", "span_s": "Time span", "footprint_bytes": "Pages read or written",
    "written_footprint_bytes": "Pages written", "host_bytes": "Host writes",
    "host_bytes_per_s": "Rate of host writes", "mapping_factor": "Cost of partial pages",
    "overwrites": "Writes per page", "write_shares": "Writes by temperature, hottest first",
    "page_shares": "Pages by temperature, hottest first",
    "pages_per_seen": "Pages in use over pages seen",
    "written_once_fraction": "Pages written once",
    "rewrite_interval_bytes": "Host writes between two of a page (p10, p50, p90)",
    "rewrite_interval_s": "Time between two writes of a page (p10, p50, p90)",
    "read_fraction": "Share of reads", "trim_share": "Share of TRIM",
    "sequential_fraction": "Sequential writes", "sequential_read_fraction": "Sequential reads",
    "write_bytes": "Mean write", "read_bytes": "Mean read", "write_sizes": "Sizes of writes",
    "read_sizes": "Sizes of reads", "minute": "Busy minutes", "day": "Busy days",
    "course": "Course", "rewrites": "Page writes by write count",
    "sampled_one_in": "Pages analysed, one in", "lines_per_s": "Lines read a second",
    "volumes": "Busiest volumes", "volume_count": "Volumes",
}  # fmt: skip


def trace_lines(found: TraceWorkload) -> list[str]:
    """Describe a trace in six lines: requests, size, span, written, skew, write amplification.

    One that is too short states it first.
    """
    shares = f"{percent(found.read_fraction)} reads, {percent(found.trim_share)} TRIM"
    lines = {
        "Requests": f"{found.requests:,}, {shares}",
        "Size": _sizes(found),
        "Span": _span(found),
        "Written": _written(found),
        "Skew": _skew(found),
        "WA": _wa(found),
    }
    short = found.shortage
    first = [] if short is None else [f"{short.head}: {short.reason}"]
    return [*first, *(f"{label}: {line}" for label, line in lines.items())]


def _written(found: TraceWorkload) -> str:
    if not found.writes:
        return "nothing"
    rate = "" if found.host_bytes_per_s is None else f" ({rate_text(found.host_bytes_per_s)})"
    pages = f"{size_text(found.written_footprint_bytes)} of pages"
    return f"{size_text(found.host_bytes)}{rate} to {pages}, {two(found.overwrites)} times each"


def _sizes(found: TraceWorkload) -> str:
    sequential = f"{percent(found.sequential_fraction)} of the bytes written are sequential"
    sizes = [
        f"{name} {text('transfer_bytes', mean, digits=3)}"
        for name, mean in (("writes", found.write_bytes), ("reads", found.read_bytes))
        if mean
    ]
    return "; ".join([", ".join(sizes), *([sequential] if found.writes else [])])


def _span(found: TraceWorkload) -> str:
    time = "no times" if found.span_s is None else duration(found.span_s)
    return f"{time}, {size_text(found.footprint_bytes)} of pages read or written"


def _skew(found: TraceWorkload) -> str:
    """Describe the share of the writes that goes to about a fifth of the pages."""
    if not found.writes or found.overwrites < _FEWEST:
        return "unknown: too few writes to each page"
    if len(found.write_shares) < 2:
        return "none, all pages are written alike"
    parts = zip(accumulate(found.write_shares), accumulate(found.page_shares), strict=True)
    hottest = min([*parts][:-1], key=lambda part: abs(part[1] - _HOT))
    return f"{percent(hottest[0])} of the writes go to {percent(hottest[1])} of the pages"


def _wa(found: TraceWorkload) -> str:
    """Describe the write amplification of drives full of such pages."""
    if not found.writes or found.overwrites < _FEWEST:
        return "unknown: too few writes to each page"
    parts = []
    try:
        for spare in _SPARE:
            wa = float(skewed(
                spare, write_shares=found.write_shares, page_shares=found.page_shares
            ))  # fmt: skip
            parts.append(f"{two(wa)} with {percent(spare)} spare area")
    except DomainError:
        return "unknown"
    most = "at most " if found.trims else ""
    return f"{most}{' and '.join(parts)}, on a drive full of such data"


def workload_rows(workload: WorkloadReading) -> list[tuple[str, str]]:
    """Return the label and the value of each field of a workload."""
    named = {part.name: getattr(workload, part.name) for part in fields(workload)}  # type: ignore[arg-type]  # a dataclass, as all readings
    return [
        (LABELS.get(name, name.replace("_", " ").capitalize()), _value(name, value))
        for name, value in named.items()
        if name != "notes"
    ]


def _value(name: str, value: object) -> str:
    if value is None:
        return "not known"
    if isinstance(value, float):
        return _number(name, value)
    if hasattr(value, "mean_bytes_per_s"):
        mean, most = (rate_text(getattr(value, f"{of}_bytes_per_s")) for of in ("mean", "max"))
        return f"mean {mean}, most {most}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) > _LONG or any(not isinstance(one, float) for one in value):
            return f"{len(value)} value{'' if len(value) == 1 else 's'}; --json lists all"
        return ", ".join(_number(name, one) for one in value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def _number(name: str, value: float) -> str:
    if name.endswith("_bytes_per_s"):
        return rate_text(value)
    if name in ("write_bytes", "read_bytes"):
        return text("transfer_bytes", value)
    if name.endswith("_bytes"):
        return size_text(value)
    if name.endswith(("fraction", "share", "shares")):
        return percent(value)
    return duration(value) if name.endswith("_s") and name != "lines_per_s" else three(value)


def kind_rows(found: TraceWorkload) -> list[dict[str, str]]:
    """Return a row for reads, writes and TRIM of a trace, as far as it has them."""
    parts = (
        ("Reads", found.reads, found.read_bytes, found.sequential_read_fraction),
        ("Writes", found.writes, found.write_bytes, found.sequential_fraction),
        ("TRIM", found.trims, None, None),
    )
    return [
        {
            "Kind": name,
            "Requests": f"{count:,}",
            "Share": percent(count / found.requests),
            "Bytes": "" if size is None else size_text(count * size),
            "Mean size": "" if size is None else text("transfer_bytes", size, digits=3),
            "Sequential bytes": "" if sequential is None else percent(sequential),
        }
        for name, count, size, sequential in parts
        if count
    ]


def class_rows(found: TraceWorkload) -> list[dict[str, str]]:
    """Return a row for each class of temperature of the pages written, the hottest first."""
    pairs = zip(found.write_shares, found.page_shares, strict=True)
    return [
        {
            "Class": f"{place}",
            "Share of writes": percent(writes),
            "Share of pages": percent(pages),
            "Times the mean rate": f"{writes / pages:.3g}",
        }
        for place, (writes, pages) in enumerate(pairs if found.writes else (), 1)
    ]


def volume_rows(found: TraceWorkload) -> list[dict[str, str]]:
    """Return a row for each of the busiest volumes of a trace."""
    return [
        {
            "Volume": one.name,
            "Reads": f"{one.reads:,}",
            "Writes": f"{one.writes:,}",
            "Read": size_text(one.read_bytes),
            "Written": size_text(one.write_bytes),
            "Share of host writes": percent(one.write_bytes / max(found.host_bytes, 1.0)),
        }
        for one in found.volumes
    ]
