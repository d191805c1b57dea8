"""Parallel work, in processes that end when the parent is stopped."""

import signal
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from typing import TypeVar

__all__ = ["side_by_side"]

Given = TypeVar("Given")
Done = TypeVar("Done")


def side_by_side(
    work: Callable[[Given], Done], items: Sequence[Given], processes: int
) -> Iterator[Done]:
    """Yield the outcome of each item as it is finished, in any order."""
    if processes == 1 or len(items) == 1:
        yield from map(work, items)
        return
    # The parent alone answers the keyboard: leaving the block ends the workers at once.
    unheard = (signal.SIGINT, signal.SIG_IGN)
    with get_context("spawn").Pool(processes, signal.signal, unheard) as pool:
        yield from pool.imap_unordered(work, items)
