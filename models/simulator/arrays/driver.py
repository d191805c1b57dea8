"""Public run of the array simulator: build, warm up, measure."""

import time
from collections.abc import Iterator

import numpy as np

from models.simulator.arrays.config import Config
from models.simulator.arrays.result import Result
from models.simulator.driver import CHUNK, Progress, refuse_too_large, tell
from models.simulator.events.config import MOST_WAITING, TICKS_PER_S


def run(config: Config, progress: Progress | None = None) -> Result:
    """Simulate an array under a load, and measure its speed, its latencies and its members.

    Args:
        config: The array, its load and the length of the run.
        progress: Called with the share of the run that is done, in (0, 1], at least every million
            events. Returning False stops the run; so does raising.

    Returns:
        The same for the same configuration, whatever the progress callback.

    Raises:
        Cancelled: If `progress` returned False.
        DomainError: If the run needs more memory than is available.

    Examples:
        >>> mirrors = Config(members=8, copies=2, read_s=100e-6, write_s=30e-6, queue_depth=1,
        ...                  read_fraction=0.0, measured_s=1.0)
        >>> run(mirrors).writes.mean_s
        3e-05
    """
    started = time.perf_counter()
    with np.errstate(over="ignore"):  # random words wrap around where kernels run as Python
        return _Run(config, progress, CHUNK).result(started)


class _Run:
    """One run in progress."""

    def __init__(self, config: Config, progress: Progress | None, chunk: int) -> None:
        from models.simulator.arrays import kernel, layout, report  # noqa: PLC0415 - numba

        refuse_too_large("parts must be fewer: the run needs", layout.bytes_needed(config))
        self.config = config
        self.progress = progress
        self.chunk = chunk
        self.advance = kernel.advance
        self.report = report
        self.array = layout.build(config)
        self.members = report.Members(self.array)
        self.warmed = config.warmup_windows * config.window_ticks
        self.end = self.warmed + config.measured_windows * config.window_ticks

    def result(self, started: float) -> Result:
        """Warm up, measure."""
        self._until(self.warmed)
        self.members.begin()
        self._until(self.end)
        return self.report.result(self.config, self.members, tuple(self._doubts()), started)

    def _until(self, until: int) -> None:
        """Simulate up to a time, or until too much waits."""
        s, at = self.array, self.report.at
        while s.sys[at.NOW] < until and not s.sys[at.OVERLOADED]:
            self.advance(until, self.chunk, s)
            tell(self.progress, min(1.0, int(s.sys[at.NOW]) / self.end))

    def _doubts(self) -> Iterator[str]:
        s, at = self.array, self.report.at
        if s.sys[at.OVERLOADED]:
            yield (
                f"overload: {MOST_WAITING} operations were waiting after "
                f"{s.sys[at.NOW] / TICKS_PER_S:.4g} s, where the run ended"
            )
