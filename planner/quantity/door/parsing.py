"""Parsing of a file or of bytes: short texts in this process, all else in the reader process."""

import io
import os
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from math import isfinite
from typing import TypeVar

from planner.quantity.door.reader import (
    NAMED,
    SHORT_BYTES,
    UPLOADED,
    FileLimits,
    Progress,
    aside,
    is_short,
    opened,
)

Result = TypeVar("Result")
Path = str | os.PathLike[str]
_LIMITS = ContextVar("limits", default=UPLOADED)  # of what is parsed now


def parsed(
    function: Callable[..., Result], source: Path | bytes | bytearray, /, *arguments: object,
    limits: FileLimits = NAMED, progress: Progress | None = None,
) -> Result:  # fmt: skip
    """Call a function of a module with the stream of a file, or of bytes.

    A short text is parsed in this process, everything else in the reader process, within limits.
    `progress` is called with the number of bytes that were read.

    >>> import json
    >>> parsed(json.load, b"[1, 2]")
    [1, 2]
    >>> parsed(json.load, "/dev/null")
    Traceback (most recent call last):
    planner.quantity.door.reader.DoorError: is not a regular file
    """
    if isinstance(source, bytes | bytearray):
        if is_short(bytes(source[: SHORT_BYTES + 1])):
            return function(io.BytesIO(source), *arguments)
        found: Result = aside(
            _of_bytes, limits, function, source, *arguments,
            size_bytes=len(source), limits=limits, progress=progress,
        )  # fmt: skip
        return found
    with opened(source) as stream:
        head = stream.read(SHORT_BYTES + 1)
        if is_short(head):
            return function(io.BytesIO(head), *arguments)
        size_bytes = os.fstat(stream.fileno()).st_size
    path = os.path.abspath(source)  # noqa: PTH100 - also of texts; the reader may be elsewhere
    answer: Result = aside(
        _of_file, limits, function, path, *arguments,
        size_bytes=size_bytes, limits=limits, progress=progress,
    )  # fmt: skip
    return answer


def parsed_together(
    function: Callable[..., Result], contents: Sequence[bytes], /, *arguments: object,
    limits: FileLimits = NAMED,
) -> Result:  # fmt: skip
    """Call a function of a module with the contents of several files.

    >>> parsed_together(len, [b"a", b"b"])
    2
    """
    size_bytes = sum(map(len, contents))
    if size_bytes <= SHORT_BYTES and all(map(is_short, contents)):
        return function(contents, *arguments)
    return aside(function, contents, *arguments, size_bytes=size_bytes, limits=limits)


def is_bounded() -> bool:
    """Whether the bytes and rows of a file that is parsed are limited, as those of uploads are."""
    return isfinite(_LIMITS.get().most_bytes)


def _of_bytes(
    limits: FileLimits, function: Callable[..., Result], data: bytes | bytearray,
    *arguments: object,
) -> Result:  # fmt: skip
    return _under(limits, function, io.BytesIO(data), *arguments)


def _of_file(
    limits: FileLimits, function: Callable[..., Result], path: str, *arguments: object
) -> Result:
    with opened(path) as stream:
        return _under(limits, function, stream, *arguments)


def _under(limits: FileLimits, function: Callable[..., Result], *arguments: object) -> Result:
    """Call a function under its limits."""
    before = _LIMITS.set(limits)
    try:
        return function(*arguments)
    finally:
        _LIMITS.reset(before)
