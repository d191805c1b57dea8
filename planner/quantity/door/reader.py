"""Opening of files from outside, only regular ones, and the processes that parse large ones.

A text of at most `SHORT_BYTES` is parsed in this process, as its parsers take time that is linear
in its length. Other files, and packed ones, are parsed by reader processes, which are started once
and used for all of a batch. One is ended when a file takes more than its memory or time, and the
next file starts another. At most `MOST_READERS` run at once, whatever asks for them (commands,
scripts, all tabs of the app); other files wait for their turn, in order. Searches of the app have
such processes of their own.
"""

import io
import os
import pickle
import signal
import stat
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from pathlib import Path
from threading import Condition, Event, Thread
from typing import BinaryIO, ClassVar, NamedTuple, TypeVar

SHORT_BYTES = 64 << 10  # of a text that is parsed in this process
# Without waiting for a writer of a pipe; what a system lacks of these, it does not need.
_FOR_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MB = 1e6
# gzip, ZIP, Parquet, zstd, xz
_PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"PAR1", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ")
MOST_READERS = min(2, os.cpu_count() or 1)  # reader processes, so that one file holds up none
MOST_WAITING = 40  # files that wait for one
STEP_S = 0.2  # between looks whether a reading must end
_LEFT = "was left"
_COMMAND = (sys.executable, "-m", "planner.quantity.door.reader_process")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

INTERRUPT = getattr(signal, "SIGUSR1", None)  # to a reader process, in the middle of a call
NO_MEMORY = 99  # exit code of a reader
# That code, and how the system or a library in C ends a process.
OUT_OF_MEMORY = (NO_MEMORY, -signal.SIGABRT, -9)

Result = TypeVar("Result")
Progress = Callable[[int], object]  # called with the number of bytes that were read


class FileLimits(NamedTuple):
    """Limits of the files of one source: bytes, memory and time of a reading.

    Without a limit of memory, a reading has reader processes of its own. A reader of some niceness
    leaves the processors to those who wait for a page. What is of one kind of `work` waits for its
    like alone. A call that is to end has `grace_s` to end by itself, so that its process goes on;
    then the process is killed.
    """

    most_bytes: float
    memory_bytes: int  # 0: any
    seconds: float
    seconds_per_mb: float
    niceness: int = 0
    work: str = "reading"
    grace_s: float = 0.0

    def time_s(self, size_bytes: float) -> float:
        """Return the seconds that a file of a size may take.

        >>> NAMED.time_s(3e6), UPLOADED.time_s(3e6)
        (90.0, 120.0)
        """
        return self.seconds + self.seconds_per_mb * size_bytes / _MB


UPLOADED = FileLimits(200 << 20, 448 << 20, 120.0, 0.0, niceness=10)  # files given to the app
NAMED = FileLimits(inf, 2 << 30, 60.0, 10.0)  # files that the owner names on the command line
FOLDERS = FileLimits(
    inf, 0, inf, 0.0, niceness=10
)  # that the owner lets the app read; each file is as `NAMED`
SEARCHES = FileLimits(inf, 2 << 30, 600.0, 0.0, work="search", grace_s=5.0)  # which read no file


class DoorError(ValueError):
    """A file that is not let in, or whose reading was ended, and the reason."""


class _ToldFile(io.FileIO):
    """A file that tells, where a reader process reads it, how far it is."""

    def readinto(self, buffer: "bytearray | memoryview") -> int | None:  # type: ignore[override]
        """Read into a buffer."""
        count = super().readinto(buffer)
        if _ReaderProcess.tell is not None:
            _ReaderProcess.tell(os.fstat(self.fileno()).st_ino, self.tell())
        return count


def opened(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading; refuse pipes, devices and sockets, which may never end.

    >>> opened("/dev/null")
    Traceback (most recent call last):
    planner.quantity.door.reader.DoorError: is not a regular file
    """
    descriptor = os.open(path, _FOR_READING)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return io.BufferedReader(_ToldFile(descriptor))
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
    """Call a function of a module in a reader process, within limits, once it is its turn.

    >>> aside(len, b"abc", size_bytes=3)
    3
    """
    if _ReaderProcess.is_this_process:
        return function(*arguments)
    call = ReaderCall(function, *arguments, size_bytes=size_bytes, limits=limits, progress=progress)
    return pickle.loads(call.run())  # type: ignore[no-any-return]  # noqa: S301 - of this program


class ReaderCall:
    """A call of a function in a reader process: it waits for its turn, runs, and has an answer.

    Another thread may ask how far it is, or end it; it ends too once `is_wanted` is false.
    """

    def __init__(
        self, function: Callable[..., object], *arguments: object, size_bytes: float,
        limits: FileLimits, is_wanted: Callable[[], bool] = lambda: True,
        progress: Progress | None = None,
    ) -> None:  # fmt: skip
        self.request = function, arguments
        self.limits = limits
        self.read_bytes = 0
        self._size_bytes = size_bytes
        self._is_wanted, self._progress = is_wanted, progress
        self._until_s = inf
        self._ended = ""

    @property
    def read_fraction(self) -> float:
        """Share of its bytes that were read."""
        return min(1.0, self.read_bytes / max(1.0, self._size_bytes))

    @property
    def readings_before(self) -> int | None:
        """Number of readings whose turn is before this one; None once it is its turn."""
        return _QUEUES[self.limits.work].readings_before(self)

    @property
    def was_left(self) -> bool:
        """Whether it ended because nobody wanted it."""
        return self._ended == _LEFT

    def reached(self, read_bytes: int) -> None:
        """Note how many bytes were read."""
        self.read_bytes = read_bytes
        if self._progress is not None:
            self._progress(read_bytes)

    def end(self, why: str = "was cancelled") -> None:
        """End it, whether it waits or runs."""
        self._ended = self._ended or why

    def why_to_end(self) -> str:
        """Return the reason to end it now; an empty text where it may go on."""
        if not self._ended and not self._is_wanted():
            self.end(_LEFT)
        if not self._ended and time.monotonic() > self._until_s:
            time_s = self.limits.time_s(self._size_bytes)
            self.end(f"takes more than {time_s:.0f} s, the limit for its size")
        return self._ended

    def run(self) -> bytes:
        """Return the pickle of the result, or raise the error that the function raised."""
        with _QUEUES[self.limits.work].turn(self) as process:
            self._until_s = time.monotonic() + self.limits.time_s(self._size_bytes)
            is_raised, answer = process.answer(self)
        if is_raised:
            error = pickle.loads(answer)  # noqa: S301 - of this program
            raise DoorError(f"{self.limits.work} {self._ended}") if self._ended else error
        return answer


class _ReaderProcess:
    """A process that parses files, one after the other."""

    is_this_process = False
    tell: ClassVar[Callable[[int, int], None] | None] = None  # of a file, in that process

    def __init__(self, limits: FileLimits) -> None:
        paths = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
        self.limits = limits
        self.is_last = False  # whether it reads nothing more
        self._is_killed = False
        group = None if limits.memory_bytes or not hasattr(os, "killpg") else 0
        self._process = subprocess.Popen(  # noqa: S603 - this program
            [*_COMMAND, str(limits.memory_bytes), str(limits.niceness)], process_group=group,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, **_ONE_THREAD, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )  # fmt: skip
        self._kill = partial(_kill, self._process, group)
        self._finalizer = weakref.finalize(self, _end, self._process, group)  # and at exit

    def end(self) -> None:
        """End the process."""
        self._finalizer()

    def answer(self, reading: ReaderCall) -> tuple[bool, bytes]:
        """Return a pickle of the result or of an error, after whether it is an error."""
        is_answered = Event()
        watch = Thread(target=self._watch, args=(reading, is_answered), daemon=True)
        watch.start()
        try:
            self.is_last, is_raised, answer = self._answered(reading)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.is_last = True
            why = reading.why_to_end() or self._why()
            raise DoorError(f"{self.limits.work} {why}") from None
        except BaseException:
            self.is_last = True
            raise
        finally:
            is_answered.set()
            watch.join()
            self.is_last |= self._is_killed
        return is_raised, answer

    def _answered(self, reading: ReaderCall) -> tuple[bool, bool, bytes]:
        given, answers = self._process.stdin, self._process.stdout
        if given is None or answers is None:
            raise EOFError
        pickle.dump(reading.request, given)
        given.flush()
        while True:
            told = pickle.load(answers)  # noqa: S301 - of this program
            if not isinstance(told, int):
                return told  # type: ignore[no-any-return]
            reading.reached(told)

    def _watch(self, reading: ReaderCall, is_answered: Event) -> None:
        """End the reading where it must end, or else the process."""
        while not is_answered.wait(STEP_S):
            if reading.why_to_end():
                if self.limits.grace_s and INTERRUPT is not None:
                    self._process.send_signal(INTERRUPT)
                    is_answered.wait(self.limits.grace_s)
                if not is_answered.is_set():
                    self._is_killed = True
                    self._kill()
                return

    def _why(self) -> str:
        code = self._process.wait()
        if code in OUT_OF_MEMORY:
            memory = f"{self.limits.memory_bytes >> 20} MiB of memory"
            return f"takes more than {memory}, which is the limit"
        return f"failed: its process ended with code {code}"


def _end(process: "subprocess.Popen[bytes]", group: int | None) -> None:
    _kill(process, group)
    process.communicate()


def _kill(process: "subprocess.Popen[bytes]", group: int | None) -> None:
    """Kill a process, or its group, which holds the readers that it has started."""
    if group is None:
        process.kill()
    elif process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


class _Readers:
    """The reader processes of this process, and the readings that wait for one, in order."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._waiting: list[ReaderCall] = []
        self._idle: list[_ReaderProcess] = []
        self._busy = 0

    def readings_before(self, reading: ReaderCall) -> int | None:
        """Return the number of readings before one that waits; None if it does not wait."""
        with self._changed:
            return self._waiting.index(reading) if reading in self._waiting else None

    @contextmanager
    def turn(self, reading: ReaderCall) -> Iterator[_ReaderProcess]:
        """Wait for the turn of a reading, and lend it a process."""
        with self._changed:
            self._await(reading)
            self._busy += 1
        process = None
        try:
            process = self._process(reading.limits)
            yield process
        finally:
            with self._changed:
                self._busy -= 1
                if process is not None and not process.is_last:
                    self._idle.append(process)
                self._changed.notify_all()
            if process is not None and process.is_last:
                process.end()

    def _await(self, reading: ReaderCall) -> None:
        if len(self._waiting) >= MOST_WAITING:
            raise DoorError(
                f"is not begun: {MOST_WAITING} others wait; give it again in a few minutes"
            )
        self._waiting.append(reading)
        try:
            while self._busy >= MOST_READERS or self._waiting[0] is not reading:
                if why := reading.why_to_end():
                    raise DoorError(f"{reading.limits.work} {why}")
                self._changed.wait(STEP_S)
        finally:
            self._waiting.remove(reading)
            self._changed.notify_all()

    def _process(self, limits: FileLimits) -> _ReaderProcess:
        """Return an idle process with these limits, or a new one in place of another."""
        with self._changed:
            alike = [process for process in self._idle if process.limits == limits]
            is_full = self._busy + len(self._idle) > MOST_READERS
            gone = self._idle[:1] if is_full and not alike else []
            kept = alike[-1:]
            self._idle = [process for process in self._idle if process not in (*gone, *kept)]
        for process in gone:
            process.end()
        return kept[0] if kept else _ReaderProcess(limits)


_QUEUES = {work: _Readers() for work in (NAMED.work, SEARCHES.work)}


def enter_reader(tell: Callable[[int, int], None] | None = None) -> None:
    """Note that this process is a reader with limits: whatever it parses, it parses itself."""
    _ReaderProcess.is_this_process = True
    _ReaderProcess.tell = tell
