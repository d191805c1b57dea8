"""Who is told of runs that take some tenths of a second, so that a face can show them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_LISTENER: ContextVar[Callable[[], object] | None] = ContextVar("listener", default=None)


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
