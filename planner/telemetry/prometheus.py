"""Samples of Prometheus's text exposition format: name, labels and value, line by line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from planner.telemetry.limits import MOST_LINES, within

_SAMPLE = re.compile(
    r"(?P<name>[a-z_:][a-z0-9_:]*)(?:\{(?P<labels>[^\n]*)\})?[ \t]+(?P<value>[^ \t]+)"
    r"(?:[ \t]+-?\d+)?[ \t]*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r'(?<![a-z0-9_])(?P<key>[a-z_][a-z0-9_]*+)="(?P<text>(?:[^"\\]|\\.)*+)"', re.IGNORECASE
)
_ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


class Sample(NamedTuple):
    """One sample, and the line on which it stands; the value is NaN where it is not a number."""

    place: str
    name: str
    labels: dict[str, str]
    value: float


def samples(text: str, prefix: str) -> Iterator[Sample]:
    """Yield the samples whose names begin with a prefix.

    >>> next(samples('node_time_seconds 1.7e+09', "node_time"))
    Sample(place='line 1', name='node_time_seconds', labels={}, value=1700000000.0)
    """
    for number, line in enumerate(text.splitlines(), 1):
        within(number, MOST_LINES, f"line {number}", "lines")
        found = _SAMPLE.fullmatch(line.strip()) if line.startswith(prefix) else None
        if found is not None:
            labels = dict(_labels(found["labels"] or ""))
            yield Sample(f"line {number}", found["name"], labels, value_of(found["value"]))


def _labels(text: str) -> Iterator[tuple[str, str]]:
    for one in _LABEL.finditer(text):
        yield one["key"], re.sub(r"\\.", lambda e: _ESCAPES.get(e[0], e[0]), one["text"])


def value_of(text: str) -> float:
    """Return the value of a sample, NaN where it is not a number.

    >>> value_of("1e3"), value_of("?")
    (1000.0, nan)
    """
    try:
        return float(text)
    except ValueError:
        return float("nan")
