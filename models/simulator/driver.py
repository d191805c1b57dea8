"""Public run of the simulator: allocate, fill, warm up, measure in windows."""

import math
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from models.errors import Cancelled, DomainError
from models.simulator.config import Config, Result, Trace, Zipf, class_shares

Progress = Callable[[float], object]

CHUNK = 1 << 20
LIFETIMES = 3
SAME = 0.005  # change of write amplification that is none
DOUBLINGS = 3


class Settled(NamedTuple):
    """A run that was continued until it had settled; `drift` is that of its second half."""

    result: Result
    drift: float
    is_settled: bool


def run(config: Config, progress: Progress | None = None) -> Result:
    """Simulate a drive: fill it, warm it up, measure its write amplification.

    Args:
        config: The drive, its policy, its workload and the length of the run.
        progress: Called with the share of the run that is done, in (0, 1], about every million host
            writes. Returning False stops the run; so does raising.

    Returns:
        The same for the same configuration, whatever the progress callback.

    Raises:
        Cancelled: If `progress` returned False.
        DomainError: If the drive needs more memory than is available, or if its policy finds no
            block from which it can gain space.

    Notes:
        One collection takes a victim, copies its valid pages in the order of their places, erases
        it. It runs when a frontier block is opened, until `reserve` blocks are free. Greedy
        collection takes, of the blocks with fewest valid pages, the one that has been at that count
        for longest.

    Examples:
        >>> drive = Config(pages_per_block=16, blocks=64, op_ratio=0.28, policy="fifo")
        >>> result = run(drive)
        >>> result.host_writes == 6 * drive.pages
        True
        >>> 2.3 < result.wa < 2.8
        True
    """
    started = time.perf_counter()
    start = f"blocks must be fewer: a drive of {config.pages} logical pages needs"
    refuse_too_large(start, bytes_needed(config))
    with np.errstate(over="ignore"):  # random words wrap around where kernels run as Python
        return _Run(config, progress, CHUNK).result(started)


def run_until_settled(config: Config) -> Settled:
    """Simulate a drive until its write amplification no longer changes.

    Measures twice as long as configured. While the second half differs from the first by more than
    0.5 % and by more than chance, what was measured is the first half of twice the time; at most
    three times.

    Args:
        config: The drive, its policy, its workload, and the length of warm-up and first half.

    Returns:
        The measurement of both halves, the second over the first less 1, and whether that settled.

    Raises:
        DomainError: As `run`.

    Examples:
        >>> drive = Config(pages_per_block=16, blocks=64, op_ratio=0.28)
        >>> settled = run_until_settled(drive)
        >>> settled.is_settled, settled.result.host_writes == 12 * drive.pages
        (True, True)
    """
    started = time.perf_counter()
    with np.errstate(over="ignore"):  # as in `run`
        return _Run(config, None, CHUNK).settled(started)


def bytes_needed(config: Config) -> int:
    """Memory that a run of a configuration allocates.

    Args:
        config: The drive.

    Returns:
        Bytes, 4 per logical page, 4 and a bit per physical page, 16 per block (cost-benefit
            cleaning: 24), and tables of some kilobytes. Up to an `op_ratio` of 0.9 that is at most
            12 per logical page and 16 per block.

    Examples:
        >>> drive = Config(pages_per_block=256, blocks=4096, op_ratio=0.28)
        >>> bytes_needed(drive) / drive.pages < 12
        True
    """
    from models.simulator import layout  # noqa: PLC0415 - loads numba, which a plan can do without

    return layout.array_bytes(config)


def refuse_too_large(start: str, needed: int) -> None:
    """Refuse a run that needs more memory than is available; `start` begins the sentence."""
    available = _available_bytes()
    if needed > available:
        raise DomainError(
            f"{start} {needed} bytes of memory ({needed / 2**30:.1f} GiB), "
            f"{available / 2**30:.1f} GiB are available"
        )


def tell(progress: Progress | None, done: float) -> None:
    """Report the share of a run that is done; stop the run if the callback returns False."""
    if progress and progress(done) is False:
        raise Cancelled(f"stopped after {done:.0%} of the run")


def _available_bytes() -> float:
    """Memory that can be had without swapping, where the system tells."""
    try:
        with open("/proc/meminfo") as lines:  # noqa: PTH123 - models keep off pathlib
            figures = dict(line.split(":") for line in lines)
        return 1024.0 * int(figures["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):
        return math.inf


class _Run:
    """One run in progress."""

    def __init__(self, config: Config, progress: Progress | None, chunk: int) -> None:
        from models.simulator import kernel, layout  # noqa: PLC0415 - they load numba

        self.config = config
        self.progress = progress
        self.chunk = chunk
        self.kernel = kernel
        self.layout = layout
        self.drive: kernel.Drive = layout.build(config)
        self.measured = max(config.windows, round(config.measured_overwrites * config.pages))
        self.warmup = round(config.warmup_overwrites * config.pages)
        self.total = config.pages + self.warmup + self.measured
        self.done = 0

    def result(self, started: float) -> Result:
        """Fill, warm up, measure."""
        warming = self._warmed()
        erases = self._erases()
        measured = list(self._windows(self.measured, self.config.windows))
        return self._record(warming, measured, self._erases() - erases, started)

    def settled(self, started: float) -> Settled:
        """Fill, warm up, measure until the second half is as the first."""
        warming = self._warmed()
        erases = self._erases()
        first = list(self._windows(self.measured, self.config.windows))
        for _ in range(1 + DOUBLINGS):
            second = list(self._windows(self.measured, len(first)))
            drift = float(np.mean(second) / np.mean(first)) - 1
            chance = math.hypot(_half_width(first), _half_width(second)) / float(np.mean(first))
            is_settled = abs(drift) <= max(SAME, chance)
            first += second
            self.measured *= 2
            if is_settled:
                break
        result = self._record(warming, first, self._erases() - erases, started)
        return Settled(result, drift, is_settled)

    def _warmed(self) -> list[float]:
        """Fill and warm up; return the windows of the warm-up."""
        self.layout.start_fill(self.config, self.drive)
        self._advance(self.config.pages)
        self.layout.start_workload(self.config, self.drive)
        count = min(1000, max(1, round(self.warmup * self.config.windows / self.measured)))
        warming = list(self._windows(self.warmup, count)) if self.warmup else []
        self.layout.start_count(self.drive)
        return warming

    def _windows(self, writes: int, count: int) -> Iterator[float]:
        """Programs per host write, window by window."""
        state = self.drive.word
        for i in range(count):
            length = writes * (i + 1) // count - writes * i // count
            if length == 0:
                continue
            copies = int(state[self.kernel.COPIES])
            self._advance(length)
            yield 1 + (int(state[self.kernel.COPIES]) - copies) / length

    def _advance(self, writes: int) -> None:
        while writes > 0:
            step = min(writes, self.chunk)
            self.kernel.advance(step, *self.drive)
            self._refuse_stuck()
            writes -= step
            self.done += step
            if self.progress and self.progress(self.done / self.total) is False:
                raise Cancelled(f"stopped after {self.done} of {self.total} host writes")

    def _refuse_stuck(self) -> None:
        if self.drive.word[self.kernel.STUCK]:
            given = "op_ratio" if self.config.logical_pages is None else "logical_pages"
            raise DomainError(
                f"{given} must leave {self.config.policy} cleaning blocks to gain from; "
                f"it was stuck after {self.done} host writes"
            )

    def _erases(self) -> np.ndarray:
        return self.drive.node[3 : 4 * self.config.blocks : 4].astype(np.int64)

    def _record(
        self, warming: list[float], measured: list[float], erases: np.ndarray, started: float
    ) -> Result:
        state, kernel = self.drive.word.tolist(), self.kernel
        writes, copies = state[kernel.WRITES], state[kernel.COPIES]
        half_width = _half_width(measured)
        wa = 1 + copies / writes
        return Result(
            wa=wa,
            wa_low=max(1.0, wa - half_width),
            wa_high=wa + half_width,
            host_writes=writes,
            copies=copies,
            erases=state[kernel.ERASES],
            wa_by_class=self._wa_by_class(writes),
            victim_valid=self.layout.table(self.drive, kernel.VICTIM_VALID).copy(),
            erase_min=int(erases.min()),
            erase_mean=float(erases.mean()),
            erase_max=int(erases.max()),
            erase_sd=float(erases.std()),
            wa_over_time=(*warming, *measured),
            in_use_fraction=state[kernel.IN_USE_SUM] / state[kernel.REQUESTS] / self.config.pages,
            frontier_free_pages=state[kernel.UNFILLED_SUM] / writes,
            warnings=tuple(_warnings(self.config, state[kernel.FULL_VICTIMS], measured)),
            seconds=time.perf_counter() - started,
        )

    def _wa_by_class(self, writes: int) -> tuple[float, ...]:
        table = self.layout.table(self.drive, self.kernel.BY_CLASS)
        written, copied = table.reshape(2, -1).tolist()
        if len(written) == 1:
            written, copied = [writes], [int(self.drive.word[self.kernel.COPIES])]
        return tuple(
            (w + c) / w if w else (math.inf if c else math.nan)
            for w, c in zip(written, copied, strict=True)
        )


def _half_width(means: list[float]) -> float:
    """Half of the 95 % interval of the mean of windows."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

    count = len(means)
    return float(stdtrit(count - 1, 0.975) * np.std(means, ddof=1) / math.sqrt(count))


def _warnings(config: Config, full_victims: int, measured: list[float]) -> Iterator[str]:
    needed = LIFETIMES * _coldest_lifetime(config)
    if config.warmup_overwrites < needed:
        yield (
            f"warm-up of {config.warmup_overwrites:g} overwrites is shorter than {LIFETIMES} "
            f"lifetimes of the coldest pages, {needed:.3g} overwrites"
        )
    if full_victims:
        yield f"{full_victims} victims had no invalid page"
    if max(measured) == 1:
        yield "no page was copied in the measurement"
    drift = _drift(measured)
    if drift:
        yield f"write amplification drifted by {drift:+.3g} in the measurement: warm up for longer"


def _coldest_lifetime(config: Config) -> float:
    """Mean time between overwrites of the pages written least, in drive overwrites."""
    workload, pages = config.workload, config.pages
    if isinstance(workload, Zipf):
        ranks = np.arange(1, min(pages, 1000) + 1) ** -workload.exponent
        tail = _tail(min(pages, 1000), pages, workload.exponent)
        return float((ranks.sum() + tail) / (pages * float(pages) ** -workload.exponent))
    if isinstance(workload, Trace):
        return workload.writes / pages
    writes, held = class_shares(workload)
    return max(f / r for r, f in zip(writes, held, strict=True) if r > 0)


def _tail(first: int, last: int, exponent: float) -> float:
    """Sum of k**-exponent over first < k <= last, by the midpoint rule."""
    edges = np.geomspace(first + 0.5, last + 0.5, 400)
    middle = np.sqrt(edges[1:] * edges[:-1])
    return float(np.sum(np.diff(edges) * middle**-exponent))


def _drift(measured: list[float]) -> float:
    """Trend over the windows, if it is beyond chance (1 %) and beyond the interval; else 0."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

    count = len(measured)
    at = np.arange(count) - (count - 1) / 2
    values = np.asarray(measured) - np.mean(measured)
    slope = float(at @ values / (at @ at))
    rest = values - slope * at
    error = math.sqrt(float(rest @ rest) / (count - 2) / float(at @ at))
    change = slope * (count - 1)
    significant = abs(slope) > stdtrit(count - 2, 0.995) * error
    return change if significant and abs(change) > _half_width(measured) else 0.0
