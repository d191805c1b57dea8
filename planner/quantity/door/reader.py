"""Opening of files from outside, only regular ones, and the process that parses large ones.

A text of at most `SHORT_BYTES` is parsed in this process, as its parsers take time that is linear
in its length. Other files, and packed ones, are parsed by a process that is started once and used
for all of a batch. It is ended when a file takes more than its memory or time, and the next file
starts another.
"""

import atexit
import os
import pickle
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from threading import Lock, Timer
from typing import Any, BinaryIO, NamedTuple, TypeVar

SHORT_BYTES = 64 << 10  # of a text that is parsed in this process
# Without waiting for a writer of a pipe; what a system lacks of these, it does not need.
_FOR_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MB = 1e6
_PACKED = (  # by gzip, ZIP, Parquet, zstd and xz
    b"\x1f\x8b", b"PK\x03\x04", b"PAR1", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00",
)  # fmt: skip
_COMMAND = (sys.executable, "-m", "planner.quantity.door.reader_process")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

NO_MEMORY = 99  # exit code of a reader
# That code, and how the system or a library in C ends a process.
OUT_OF_MEMORY = (NO_MEMORY, -signal.SIGABRT, -9)

Result = TypeVar("Result")
Progress = Callable[..., object]


class FileLimits(NamedTuple):
    """Limits of the files of one source: bytes, memory and time of a reading."""

    most_bytes: float
    memory_bytes: int
    seconds: float
    seconds_per_mb: float

    def time_s(self, size_bytes: float) -> float:
        """Return the seconds that a file of a size may take.

        >>> NAMED.time_s(3e6), UPLOADED.time_s(3e6)
        (90.0, 120.0)
        """
        return self.seconds + self.seconds_per_mb * size_bytes / _MB


UPLOADED = FileLimits(200 << 20, 1 << 30, 120.0, 0.0)  # files given to the app
NAMED = FileLimits(inf, 2 << 30, 60.0, 10.0)  # files that the owner names on the command line


class DoorError(ValueError):
    """A file that is not let in, or whose reading was ended, and the reason."""


def opened(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading; refuse pipes, devices and sockets, which may never end.

    >>> opened("/dev/null")
    Traceback (most recent call last):
    planner.quantity.door.reader.DoorError: is not a regular file
    """
    descriptor = os.open(path, _FOR_READING)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise DoorError("is a folder" if stat.S_ISDIR(mode) else "is not a regular file")


def content(path: str | os.PathLike[str], most_bytes: int) -> bytes:
    """Return the bytes of a regular file; refuse a longer one without reading it.

    >>> content("pyproject.toml", 99)
    Traceback (most recent call last):
    planner.quantity.door.reader.DoorError: must be at most 99 bytes
    """
    with opened(path) as stream:
        return within_bytes(stream, most_bytes)


def within_bytes(stream: BinaryIO, most_bytes: int) -> bytes:
    """Return the bytes of a stream; refuse more than so many.

    >>> import io
    >>> within_bytes(io.BytesIO(b"text"), 4)
    b'text'
    """
    data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        size = f"{most_bytes >> 20} MiB" if most_bytes >= 1 << 20 else f"{most_bytes} bytes"
        raise DoorError(f"must be at most {size}")
    return data


def is_short(head: bytes) -> bool:
    """Whether the first bytes, one more than `SHORT_BYTES` if there are, are a short plain text.

    >>> is_short(b"text"), is_short(b"PK" + bytes([3, 4])), is_short(b" " * 65_537)
    (True, False, False)
    """
    return len(head) <= SHORT_BYTES and not head.startswith(_PACKED)


def aside(
    function: Callable[..., Result], *arguments: object, size_bytes: float,
    limits: FileLimits = NAMED, progress: Progress | None = None,
) -> Result:  # fmt: skip
    """Call a function of a module in the reader process, within limits.

    `progress` is called with the numbers that the function gives to `report`.

    >>> aside(len, b"abc", size_bytes=3)
    3
    """
    if _ReaderProcess.is_this_process:
        return function(*arguments)
    with _ReaderProcess.lock:
        reader = _ReaderProcess.within(limits)
        return reader.result(function, arguments, limits.time_s(size_bytes), progress)


def report(*numbers: float) -> None:
    """Report progress: `progress` of `aside` is called in the process that asked for it."""
    if _ReaderProcess.tell is not None:
        _ReaderProcess.tell(numbers)


class _ReaderProcess:
    """The process that parses files; one for this process, started when it is first needed."""

    lock = Lock()
    is_this_process = False
    tell: Callable[[object], None] | None = None  # to the process that asked
    _running: "_ReaderProcess | None" = None

    def __init__(self, limits: FileLimits) -> None:
        paths = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
        self.limits, self._is_late = limits, False
        self._process = subprocess.Popen(  # noqa: S603 - this program
            [*_COMMAND, str(limits.memory_bytes)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, **_ONE_THREAD, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )  # fmt: skip

    @classmethod
    def within(cls, limits: FileLimits) -> "_ReaderProcess":
        """Return the process that runs, or a new one if there is none with these limits."""
        if cls._running is not None and cls._running.limits != limits:
            cls.end()
        if cls._running is None:
            cls._running = cls(limits)
        return cls._running

    @classmethod
    def end(cls) -> None:
        """End the process, if there is one."""
        reader, cls._running = cls._running, None
        if reader is not None:
            reader._process.kill()
            reader._process.communicate()

    def result(
        self, function: Callable[..., Result], arguments: tuple[object, ...], time_s: float,
        progress: Progress | None = None,
    ) -> Result:  # fmt: skip
        """Return the result, or raise what was raised; end the process beyond its limits."""
        timer = Timer(time_s, self._late)
        timer.start()
        is_last = True  # unless all goes well
        try:
            is_last, is_raised, answer = self._answered((function, arguments), progress)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise self._why(time_s) from None
        finally:
            timer.cancel()
            if is_last or self._is_late:
                self.end()
        if is_raised:
            raise answer
        return answer  # type: ignore[no-any-return]  # of the function

    def _answered(self, request: object, progress: Progress | None) -> tuple[bool, bool, Any]:
        given, answers = self._process.stdin, self._process.stdout
        if given is None or answers is None:
            raise EOFError
        pickle.dump(request, given)
        given.flush()
        while True:
            is_last, is_raised, answer = pickle.load(answers)  # noqa: S301 - of this program
            if is_raised is not None:
                return is_last, is_raised, answer
            if progress is not None:
                progress(*answer)

    def _late(self) -> None:
        self._is_late = True
        self._process.kill()

    def _why(self, time_s: float) -> DoorError:
        code = self._process.wait()
        if self._is_late:
            return DoorError(f"reading takes more than {time_s:.0f} s, the limit for its size")
        if code in OUT_OF_MEMORY:
            memory = f"{self.limits.memory_bytes >> 20} MiB of memory"
            return DoorError(f"reading takes more than {memory}, which is the limit")
        return DoorError(f"reading failed: its process ended with code {code}")


def enter_reader(tell: Callable[[object], None] | None = None) -> None:
    """Note that this process is a reader with limits: whatever it parses, it parses itself."""
    _ReaderProcess.is_this_process, _ReaderProcess.tell = True, tell


atexit.register(_ReaderProcess.end)
