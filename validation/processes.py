"""Parallel work, in processes that end when the parent is stopped."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from typing import TypeVar

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def side_by_side(
    work: Callable[[Item], Outcome], items: Sequence[Item], processes: int
) -> Iterator[Outcome]:
    """Yield the result of each item when it is finished, in any order.

    A worker that cannot start, or dies, raises `BrokenProcessPool` here.
    """
    if processes == 1 or len(items) == 1:
        yield from map(work, items)
        return
    others = set(active_children())
    with ProcessPoolExecutor(
        processes, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_DFL)
    ) as pool:  # the keyboard stops parent and workers alike, these without a word
        try:
            for future in as_completed([pool.submit(work, item) for item in items]):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in set(active_children()) - others:
                worker.terminate()
