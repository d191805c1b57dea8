"""Answers of Prometheus's HTTP API with samples of smartctl_exporter or node_exporter.

`/api/v1/query` gives a vector: one moment, or a matrix if the expression is a range;
`/api/v1/query_range` gives a matrix: many moments. Samples of one host and one moment are read as
the exporter's page would be.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, BinaryIO

from planner.telemetry import node_exporter, smartctl_exporter
from planner.telemetry.documents import at, documents, head_text, whole_text
from planner.telemetry.drive_record import LATEST_S
from planner.telemetry.limits import MOST_DRIVES, MOST_LINES, within
from planner.telemetry.prometheus import Sample, value_of
from planner.telemetry.record import DriveReading, FileReading, Refused

_NAME = "__name__"
_UNNAMED = (
    "has no metrics of smartctl_exporter or node_exporter by name: query "
    '{__name__=~"smartctl_device.*|node_disk.*|node_.*time_seconds"} without functions'
)

Page = tuple[float, str]  # moment and host


def looks_like(head: bytes) -> bool:
    """Whether a file begins like an answer of the HTTP API, good or bad."""
    text = head_text(head).lstrip()
    return text.startswith("{") and ('"resultType"' in text or '"errorType"' in text)


def read(file: str, stream: BinaryIO) -> FileReading:
    """Read every drive at each moment of an answer, the earliest first."""
    pages: dict[Page, list[Sample]] = defaultdict(list)
    for place, document in documents(whole_text(stream)):
        if at(document, "status") == "error":
            raise Refused(place, f"is an error of Prometheus: {at(document, 'error')!s:.120}")
        for count, (page, sample) in enumerate(_samples(place, at(document, "data", "result")), 1):
            within(count, MOST_LINES, place, "samples")
            pages[page].append(sample)
    drives: list[DriveReading] = []
    left_out: list[Refused] = []
    for page in sorted(pages):
        for found, others in _read_page(page[0], pages[page]):
            drives += found
            left_out += others
        within(len(drives), MOST_DRIVES, "line 1", "drives")
    if not drives:
        raise left_out[0] if left_out else Refused("line 1", _UNNAMED)
    return FileReading(file=file, drives=tuple(drives), notes=tuple(map(str, left_out)))


def _read_page(
    moment_s: float, samples: list[Sample]
) -> Iterator[tuple[list[DriveReading], list[Refused]]]:
    """Yield the drives that each exporter states."""
    smart = [one for one in samples if one.name.startswith(smartctl_exporter.MARK)]
    yield smartctl_exporter.drives_of(smart, moment_s)
    system = [one for one in samples if one.name.startswith(node_exporter.MARK)]
    if system:
        try:
            yield node_exporter.drives_of(system)
        except Refused as refused:
            yield [], [refused]


def _samples(place: str, result: object) -> Iterator[tuple[Page, Sample]]:
    """Yield the samples of an answer, each with its moment and host."""
    for series in result if isinstance(result, list) else ():
        labels = _labels(at(series, "metric"))
        name = labels.pop(_NAME, "")
        values = at(series, "values")
        for pair in [at(series, "value"), *(values if isinstance(values, list) else ())]:
            moment_s = _moment(pair)
            if moment_s is not None:
                host = labels.get("instance", "")
                yield (moment_s, host), Sample(place, name, labels, value_of(str(pair[1])))


def _labels(metric: object) -> dict[str, str]:
    known = metric if isinstance(metric, dict) else {}
    return {key: text for key, text in known.items() if isinstance(text, str)}


def _moment(pair: Any) -> float | None:
    """Return the seconds since 1970 of a pair of moment and value, or None if it is no pair."""
    if not isinstance(pair, list) or len(pair) != 2 or isinstance(pair[0], bool):
        return None
    moment_s = pair[0]
    if not isinstance(moment_s, int | float) or not math.isfinite(moment_s):
        return None
    return float(moment_s) if 0 <= moment_s < LATEST_S else None
