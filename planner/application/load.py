"""Streams of writes, and the layers that turn streams into streams.

Bytes of streams add up; factors of streams do not multiply, so that an amplification is shown and
never used to compute. Their numbers are floats, or arrays with a value for each draw of what is not
stated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from models.application import appended_blocks, flushed_log_bytes, journalled_bytes
from planner.application.priors import DRAWS

MIDDLE = DRAWS // 20  # draws on either side of the median
BLOCK_BYTES = 4096.0
GRANULE_BYTES = 8.0
JOURNAL_REQUEST_BYTES = 2 * BLOCK_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """Writes of one kind: bytes per second, size of a request, order, flushes per second."""

    name: str
    bytes_per_s: Any
    request_bytes: Any = BLOCK_BYTES
    is_sequential: bool = False
    flushes_per_s: Any = 0.0


class CommitLoad(NamedTuple):
    """Commits that wait for the drive: their rate, flushes one after the other, latest p99."""

    per_s: Any
    flushes: Any = 1.0
    limit_s: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLoad:
    """The streams at a drive, and what application and file system were passed, per second.

    `span_bytes` is the space that all of them are written to again and again, logs included; None
    where they run through new places, as copy-on-write and compaction do. `commits` is None where
    nobody waits for a flush. `sizes` are further numbers of a pool or a device, by their names in
    the nomenclature: what it holds, or must. `followed` are inputs that follow from others because
    they are not stated. `counters` are what the application's own counters count, per second.
    `members` are the loads of several applications, by their names.
    """

    application_bytes_per_s: Any
    file_bytes_per_s: Any
    streams: tuple[Stream, ...]
    span_bytes: Any = None
    commits: CommitLoad | None = None
    sizes: Mapping[str, Any] = field(default_factory=dict)
    followed: Mapping[str, Any] = field(default_factory=dict)
    counters: Mapping[str, Any] = field(default_factory=dict)
    members: Mapping[str, "DeviceLoad"] = field(default_factory=dict)

    @property
    def device_bytes_per_s(self) -> Any:
        """Bytes per second of all streams."""
        return sum(stream.bytes_per_s for stream in self.streams)

    @property
    def flushes_per_s(self) -> Any:
        """Flushes per second of all streams."""
        return sum(stream.flushes_per_s for stream in self.streams)

    @property
    def transfer_bytes(self) -> Any:
        """Mean size of a request."""
        return self.device_bytes_per_s / self._requests_per_s(self.streams)

    @property
    def sequential_fraction(self) -> Any:
        """Share of the requests that are sequential."""
        ordered = [stream for stream in self.streams if stream.is_sequential]
        return self._requests_per_s(ordered) / self._requests_per_s(self.streams)

    @staticmethod
    def _requests_per_s(streams: Sequence[Stream]) -> Any:
        return sum(stream.bytes_per_s / stream.request_bytes for stream in streams)

    @property
    def typical(self) -> "DeviceLoad":
        """The mean of the draws in whose middle the bytes at the drive lie, of median bytes."""
        whole = np.broadcast_to(self.device_bytes_per_s, DRAWS)
        middle = np.argsort(whole, kind="stable")[DRAWS // 2 - MIDDLE : DRAWS // 2 + MIDDLE]
        scale = float(np.median(whole) / np.mean(whole[middle]))

        def mean(value: Any) -> float:
            return float(np.mean(np.broadcast_to(value, DRAWS)[middle]))

        commits = self.commits and CommitLoad._make(
            None if value is None else mean(value) for value in self.commits
        )
        return DeviceLoad(
            application_bytes_per_s=mean(self.application_bytes_per_s),
            file_bytes_per_s=mean(self.file_bytes_per_s),
            streams=tuple(
                replace(
                    stream,
                    bytes_per_s=scale * mean(stream.bytes_per_s),
                    request_bytes=_ratio(
                        mean(stream.bytes_per_s), mean(stream.bytes_per_s / stream.request_bytes)
                    ),
                    flushes_per_s=mean(stream.flushes_per_s),
                )
                for stream in self.streams
            ),
            span_bytes=None if self.span_bytes is None else mean(self.span_bytes),
            commits=commits,
            sizes={name: mean(value) for name, value in self.sizes.items()},
        )


def _ratio(bytes_per_s: float, requests_per_s: float) -> float:
    return bytes_per_s / requests_per_s if requests_per_s else BLOCK_BYTES


def flushed(streams: Sequence[Stream], *, block_bytes: float = BLOCK_BYTES) -> list[Stream]:
    """Write the last block of a log again with every flush."""
    return [
        replace(
            stream,
            request_bytes=_appended_bytes(stream, block_bytes),
            bytes_per_s=flushed_log_bytes(
                stream.bytes_per_s,
                flushes=stream.flushes_per_s,
                file_block_bytes=block_bytes,
                granule_bytes=GRANULE_BYTES,
            ),
        )
        for stream in streams
    ]


def _appended_bytes(stream: Stream, block_bytes: float) -> Any:
    """Return the whole blocks that a flush of a log writes; what is not flushed stays as it is."""
    if not np.all(stream.flushes_per_s):
        return stream.request_bytes
    appended = np.maximum(stream.bytes_per_s / stream.flushes_per_s, GRANULE_BYTES)
    blocks = appended_blocks(appended, file_block_bytes=block_bytes, granule_bytes=GRANULE_BYTES)
    return blocks * block_bytes


def journalled(
    streams: Sequence[Stream], *, commits_per_s: Any, metadata_blocks: Any
) -> list[Stream]:
    """Add the journal of the file system, if it writes for these commits."""
    written = journalled_bytes(0.0, flushes=commits_per_s, metadata_blocks=metadata_blocks)
    journal = Stream(
        name="file system",
        bytes_per_s=written,
        request_bytes=JOURNAL_REQUEST_BYTES,
        is_sequential=True,
    )
    return [*streams, journal] if np.any(written) else [*streams]


def corrected(streams: Sequence[Stream], *, ratio: Any) -> list[Stream]:
    """Multiply loads by the counted over the computed value."""
    return [replace(stream, bytes_per_s=ratio * stream.bytes_per_s) for stream in streams]


def one_stream(application_bytes_per_s: Any, stream: Stream) -> DeviceLoad:
    """Return the load of an application whose writes reach the drive as one stream."""
    return DeviceLoad(
        application_bytes_per_s=application_bytes_per_s,
        file_bytes_per_s=stream.bytes_per_s,
        streams=(stream,),
    )
