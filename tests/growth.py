"""Growth of the time of a reader with its input: each text of a file is repeated in its place."""

import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import sqrt

Reader = Callable[[bytes], object]
SHORT, LONG = 64, 1 << 15  # characters that are put in; from the first, an exponent never ends
MOST_GROWTH = 2.5  # of the time with twice the input, as the mean over two doublings
SMALL_S = 0.03  # below, a growth is not measured; a square of LONG is ten times this
LONGEST_S = 2.0
MEASURED_S = 0.1  # of readings of one input
PLACES = 12  # of a file
REPEATED = (
    "a", "1", " ", "\t", "\n", '"', "\\", ".", ":", "_a", "a ", "1 ", " 1", "1,", "a:", '="', '\\"',
    "[", "{", "}", '{"a":', "} ", ", ", ",a", "- ", "a=", "a\n", "1,1\n", "\u00fc", "\u00a01",
)  # fmt: skip
_TOKEN = re.compile(r"\w+|[^\w\s]|\s+")


class TooSlowError(Exception):
    """A reading that takes longer than any linear one."""


def grown(seed: bytes, repeated: str, place: int, characters: int) -> bytes:
    """Return a file with a text put in, so often that it has so many characters."""
    text = seed.decode("latin-1")
    starts = [match.start() for match in _TOKEN.finditer(text)] or [0]
    at = starts[place * (len(starts) - 1) // max(1, PLACES - 1)]
    filling = (repeated.encode() * (characters // len(repeated))).decode("latin-1")
    return (text[:at] + filling + text[at:]).encode("latin-1")


def seconds(reader: Reader, data: bytes) -> float:
    """Return the processor time of a reading, the least of some means; refusals are readings too.

    The clock of the processor may tick in hundredths of a second.
    """
    return min(_mean_s(reader, data) for _ in range(3))


def faster_than_the_input(reader: Reader, seed: bytes, *, step: int = 1) -> Iterator[str]:
    """Yield the texts with which the time of a reader grows faster than its input."""
    for place in range(0, PLACES, step):
        for repeated in REPEATED:
            where = f"{repeated!r} at {place} of {PLACES - 1}"
            try:
                _once(reader, grown(seed, repeated, place, SHORT))
                whole = grown(seed, repeated, place, LONG)
                if _once(reader, whole) < SMALL_S:
                    continue
                growth = min(_growths(reader, whole, grown(seed, repeated, place, LONG // 4)))
            except TooSlowError:
                yield f"{where}: more than {LONGEST_S:g} s"
                continue
            if growth > MOST_GROWTH:
                yield f"{where}: {growth:.2f} times for twice the input"


def _growths(reader: Reader, whole: bytes, quarter: bytes) -> Iterator[float]:
    """Yield the growth for twice the input; again where it seems too much: machines are noisy."""
    for _ in range(3):
        growth = sqrt(seconds(reader, whole) / seconds(reader, quarter))
        yield growth
        if growth <= MOST_GROWTH:
            return


def _mean_s(reader: Reader, data: bytes) -> float:
    total_s, readings = 0.0, 0
    while total_s < MEASURED_S:
        total_s += _once(reader, data)
        readings += 1
    return total_s / readings


def _once(reader: Reader, data: bytes) -> float:
    with _ended_after(LONGEST_S):
        started = time.process_time()
        with suppress(ValueError):  # every refusal is one
            reader(data)
        return time.process_time() - started


@contextmanager
def _ended_after(limit_s: float) -> Iterator[None]:
    def end(*_: object) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
