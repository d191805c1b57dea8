"""Rates, sizes and sequential runs of the requests of a trace, in constant memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.telemetry.record import Refused
from planner.telemetry.traces.layouts import READ, TRIM, WRITE
from planner.telemetry.traces.requests import Requests

MOST_PERIODS = 1 << 21
FINE_PERIODS = 2000
LOOK_BACK = 8
MOST_SHOWN, LONGEST_NAME = 12, 60  # volumes, and characters of their names
_DENSE = 1 << 16


@dataclass(frozen=True, slots=True)
class Peak:
    """Bytes written per second: the mean, the 99th percentile and the busiest of all periods."""

    period_s: float
    periods: int
    mean_bytes_per_s: float
    p99_bytes_per_s: float
    max_bytes_per_s: float

    @property
    def p99_over_mean(self) -> float:
        """Ratio of the 99th percentile to the mean."""
        return self.p99_bytes_per_s / self.mean_bytes_per_s if self.mean_bytes_per_s else 1.0


class RateCounter:
    """Bytes by period; periods without requests take no memory.

    With `coarsens` the period is doubled as needed to keep their number small.
    """

    def __init__(self, period_s: float, *, coarsens: bool = False) -> None:
        self.period_s, self.coarsens = period_s, coarsens
        self.place: NDArray[np.int64] = np.empty(0, np.int64)
        self.total: NDArray[np.float64] = np.empty((0, 2))

    def add(self, requests: Requests) -> None:
        """Add the bytes read and written of a block of requests."""
        if requests.time_s is None or not requests.time_s.size:
            return
        place = np.floor_divide(requests.time_s, self.period_s).astype(np.int64)
        while self.coarsens and (
            max(place.max(), self.place[-1:].max(initial=place.max()))
            - min(place.min(), self.place[:1].min(initial=place.min()))
            > FINE_PERIODS
        ):
            self.period_s *= 2
            place, self.place = place >> 1, self.place >> 1
        place, moved = _by_period(place, requests)
        every, back = np.unique(np.concatenate([self.place, place]), return_inverse=True)
        values = np.concatenate([self.total, moved])
        total = np.stack(
            [np.bincount(back, values[:, i], minlength=every.size) for i in (0, 1)], axis=1
        ).astype(np.float64)
        if every.size > MOST_PERIODS:
            raise Refused("times", f"fall into more than {MOST_PERIODS} periods")
        self.place, self.total = every, total

    def peak(self) -> Peak | None:
        """Return mean, 99th percentile and maximum of the bytes written, idle periods included."""
        if not self.place.size:
            return None
        periods = int(self.place[-1] - self.place[0]) + 1
        rates = np.sort(self.total[:, 0]) / self.period_s
        rank = int(np.ceil(0.99 * periods)) - 1 - (periods - rates.size)  # of those with requests
        return Peak(
            self.period_s,
            periods,
            float(rates.sum() / periods),
            float(rates[rank]) if rank >= 0 else 0.0,
            float(rates[-1]),
        )

    def course(self, points: int = 400) -> tuple[tuple[float, float, float], ...]:
        """Return at most about `points` rows of seconds, bytes written and read per second."""
        if not self.place.size:
            return ()
        span = int(self.place[-1] - self.place[0]) + 1
        step = -(-span // points)
        bins = (self.place - self.place[0]) // step
        width = step * self.period_s
        start = float(self.place[0]) * self.period_s
        write, read = (np.bincount(bins, self.total[:, i]) / width for i in (0, 1))
        return tuple(
            (start + i * width, float(w), float(r))
            for i, (w, r) in enumerate(zip(write, read, strict=True))
        )


def _by_period(
    place: NDArray[np.int64], requests: Requests
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the periods of a block of requests, and the bytes written and read in each."""
    low = int(place.min())
    if int(place.max()) - low < _DENSE:
        rows, within = np.arange(low, int(place.max()) + 1), place - low
    else:
        rows, within = np.unique(place, return_inverse=True)
    moved = np.stack(
        [
            np.bincount(within, np.where(requests.kind == kind, requests.size_bytes, 0), rows.size)
            for kind in (WRITE, READ)
        ],
        axis=1,
    )
    met = np.bincount(within, minlength=rows.size) > 0
    return rows[met].astype(np.int64), moved[met].astype(np.float64)


class Sizes:
    """Counts of requests by kind and size, in classes between powers of two, and bytes by kind."""

    def __init__(self) -> None:
        self.requests: NDArray[np.int64] = np.zeros((3, 64), np.int64)
        self.moved: NDArray[np.float64] = np.zeros(3)

    def add(self, requests: Requests) -> None:
        """Add the sizes of a block of requests."""
        place = np.ceil(np.log2(np.maximum(requests.size_bytes, 1))).astype(np.int64)
        code = requests.kind.astype(np.int64) * 64 + place
        self.requests += np.bincount(code, minlength=192)[:192].reshape(3, 64)
        self.moved += np.bincount(requests.kind, requests.size_bytes, minlength=3)[:3]

    def count(self, kind: int) -> int:
        """Return the number of requests of a kind."""
        return int(self.requests[kind].sum())

    def mix(self, kind: int) -> tuple[tuple[float, float], ...]:
        """Return the upper bound of each class of sizes, and its share of a kind of requests."""
        row = self.requests[kind]
        total = max(1, int(row.sum()))
        return tuple((2.0**at, float(row[at] / total)) for at in np.flatnonzero(row).tolist())


class VolumeLoad(NamedTuple):
    """Requests and bytes of one volume of a trace."""

    name: str
    reads: int
    writes: int
    read_bytes: float
    write_bytes: float


class VolumeCounter:
    """Reads and writes by volume."""

    def __init__(self) -> None:
        self.requests: NDArray[np.int64] = np.zeros((2, 0), np.int64)
        self.moved: NDArray[np.float64] = np.zeros((2, 0))
        self.names: Mapping[object, int] = {}

    def add(self, requests: Requests) -> None:
        """Add a block of requests."""
        self.names = requests.names
        if (more := len(self.names) - self.moved.shape[1]) > 0:
            wider = (0, 0), (0, more)
            self.requests, self.moved = np.pad(self.requests, wider), np.pad(self.moved, wider)
        for kind in (READ, WRITE) if self.names else ():
            chosen = requests.kind == kind
            volume, size = requests.volume[chosen], requests.size_bytes[chosen]
            self.requests[kind] += np.bincount(volume, minlength=len(self.names))
            self.moved[kind] += np.bincount(volume, size, minlength=len(self.names))

    def busiest(self, most: int = MOST_SHOWN) -> tuple[VolumeLoad, ...]:
        """Return the volumes that move most bytes, the busiest first; none of a single one."""
        if len(self.names) < 2:
            return ()
        names = [*self.names]
        order = np.argsort(-self.moved.sum(axis=0), kind="stable")[:most].tolist()
        return tuple(
            VolumeLoad(
                f"{names[at]}".strip()[:LONGEST_NAME],
                *self.requests[:, at].tolist(),
                *self.moved[:, at].tolist(),
            )
            for at in order
        )


class Runs:
    """Sequential requests: those that start where one of the last few of their kind ended."""

    def __init__(self) -> None:
        self.sequential: NDArray[np.int64] = np.zeros(3, np.int64)
        self.bytes: NDArray[np.float64] = np.zeros(3)
        self._last: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = [
            (np.empty(0, np.int64), np.empty(0, np.int64)) for _ in range(3)
        ]

    def add(self, requests: Requests) -> None:
        """Add a block of requests."""
        for kind in (READ, WRITE, TRIM):
            chosen = requests.kind == kind
            start, size = requests.offset_bytes[chosen], requests.size_bytes[chosen]
            volume = requests.volume[chosen]
            ends, volumes = self._last[kind]
            ends = np.concatenate([ends, start + size])
            volumes = np.concatenate([volumes, volume])
            known = ends.size - start.size
            goes_on = np.zeros(start.size, bool)
            for back in range(1, min(LOOK_BACK, ends.size) + 1):
                low = max(0, back - known)
                before = slice(known + low - back, ends.size - back)
                goes_on[low:] |= (ends[before] == start[low:]) & (volumes[before] == volume[low:])
            self.sequential[kind] += int(goes_on.sum())
            self.bytes[kind] += float(size[goes_on].sum())
            self._last[kind] = ends[-LOOK_BACK:], volumes[-LOOK_BACK:]
