"""Public run of the event simulator: build, warm up, measure window by window."""

import time
from collections.abc import Iterator

import numpy as np

from models.errors import DomainError
from models.simulator.driver import CHUNK, Progress, refuse_too_large, tell
from models.simulator.events.config import MOST_WAITING, TICKS_PER_S, Config
from models.simulator.events.result import Result


def run(config: Config, progress: Progress | None = None) -> Result:
    """Simulate a drive under a load, and measure its speed, its latencies and its work.

    Args:
        config: The drive, its load and the length of the run.
        progress: Called with the share of the run that is done, in (0, 1], at least every million
            events. Returning False stops the run; so does raising.

    Returns:
        The same for the same configuration, whatever the progress callback.

    Raises:
        Cancelled: If `progress` returned False.
        DomainError: If the drive needs more memory than is available, or has no block to gain space
            from.

    Examples:
        >>> drive = Config(dies=16, channels=4, read_s=50e-6, transfer_s=10e-6, readers=4,
        ...                measured_s=1.0)
        >>> result = run(drive)
        >>> result.reads.min_s
        6e-05
    """
    started = time.perf_counter()
    with np.errstate(over="ignore"):  # random words wrap around where kernels run as Python
        return _Run(config, progress, CHUNK).result(started)


class _Run:
    """One run in progress."""

    def __init__(self, config: Config, progress: Progress | None, chunk: int) -> None:
        from models.simulator.events import kernel, layout, report  # noqa: PLC0415 - numba

        start = f"blocks_per_die must be fewer: {config.pages} logical pages need"
        refuse_too_large(start, layout.bytes_needed(config))
        self.config = config
        self.progress = progress
        self.chunk = chunk
        self.advance = kernel.advance
        self.report = report
        self.drive = layout.build(config)
        self.rows = report.Rows(self.drive)
        self.total = config.warmup_windows + config.measured_windows

    def result(self, started: float) -> Result:
        """Warm up, measure."""
        for i in range(self.total):
            if i == self.config.warmup_windows:
                self.rows.begin()
            if not self._window(i):
                if i < self.config.warmup_windows:
                    self.rows.begin()  # nothing was measured
                break
        warnings = tuple(self._warnings())
        return self.report.result(self.config, self.rows, warnings, started)

    def _window(self, number: int) -> bool:
        """Simulate a window; False if the run has to end there."""
        s, at = self.drive, self.report.at
        until = (number + 1) * self.config.window_ticks
        while s.sys[at.NOW] < until:
            self.advance(until, self.chunk, s)
            if s.sys[at.STUCK]:
                raise DomainError(
                    f"op_ratio must leave blocks to gain from; collection was stuck after "
                    f"{s.sys[at.NOW] / TICKS_PER_S:.4g} s"
                )
            if s.sys[at.OVERLOADED]:
                return False
            done = (number + min(1.0, s.sys[at.NOW] / until)) / self.total
            tell(self.progress, float(done))
        self.rows.add()
        return True

    def _warnings(self) -> Iterator[str]:
        s, at = self.drive, self.report.at
        if s.sys[at.OVERLOADED]:
            yield (
                f"overload: {MOST_WAITING} commands were waiting after "
                f"{s.sys[at.NOW] / TICKS_PER_S:.4g} s, where the run ended"
            )
        yield from self.report.warnings(self.config, self.rows)
