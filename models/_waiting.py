"""Who is told of runs that take some tenths of a second, and who keeps their results.

A face shows that they go on, and keeps what they found between runs of the program.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

Numbers = list[float]


class Keeper(Protocol):
    """Keeper of the numbers that a run found, by a text that tells the run from all others."""

    def kept(self, run: str) -> Numbers | None:
        """Return the numbers of a run, if they are kept."""

    def keep(self, run: str, numbers: Numbers) -> None:
        """Keep the numbers of a run."""


_LISTENER: ContextVar[Callable[[], object] | None] = ContextVar("listener", default=None)
_KEEPER: ContextVar[Keeper | None] = ContextVar("keeper", default=None)


@contextmanager
def telling(listener: Callable[[], object]) -> Iterator[None]:
    """Call `listener` before each run of a small drive, as long as the context lasts.

    >>> with telling(lambda: print("Simulating")):
    ...     tell()
    Simulating
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def tell() -> None:
    """Tell whoever listens that a run begins."""
    if (listener := _LISTENER.get()) is not None:
        listener()


@contextmanager
def keeping(keeper: Keeper) -> Iterator[None]:
    """Ask `keeper` for the numbers of each run, as long as the context lasts."""
    token = _KEEPER.set(keeper)
    try:
        yield
    finally:
        _KEEPER.reset(token)


def found(run: str, simulate: Callable[[], Numbers]) -> Numbers:
    """Return the numbers of a run as they are kept, else those of the run itself, and keep them.

    >>> found("a run", lambda: [1.5])
    [1.5]
    """
    keeper = _KEEPER.get()
    if keeper is None:
        return simulate()
    numbers = keeper.kept(run)
    if numbers is None:
        numbers = simulate()
        keeper.keep(run, numbers)
    return numbers
