"""Shards of a grid, worked off in any order by any executor of `concurrent.futures`."""

import os
import signal
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context

from planner.search.points.grid import PointGrid
from planner.search.points.row import Row, row_of

# Points of a shard: a second or two of work. A sweep goes on only from shards of the same size.
SIZES = {"plan": 64, "array": 32, "speed": 16, "simulate": 4}
AHEAD = 4  # shards waiting for each worker


def work(grid: PointGrid, shard: int) -> list[Row]:
    """Return the rows of one shard."""
    size = SIZES[grid.command]
    first = shard * size
    return [row_of(grid.point(place)) for place in range(first, min(first + size, len(grid)))]


def points_of(grid: PointGrid, shard: int) -> int:
    """Return the number of points of a shard."""
    size = SIZES[grid.command]
    return min(size, len(grid) - shard * size)


def shards(
    grid: PointGrid, *, done: Collection[int], executor: Executor | None, workers: int
) -> Iterator[tuple[int, list[Row]]]:
    """Yield each shard that is not done with its rows, as it is finished; in turn without executor.

    What a lost worker did not finish is done here. What is not finished when the caller stops is
    dropped.
    """
    last = -(-len(grid) // SIZES[grid.command])
    places = (shard for shard in range(last) if shard not in done)
    if executor is None:
        yield from ((shard, work(grid, shard)) for shard in places)
    else:
        yield from _side_by_side(grid, places, executor, AHEAD * workers)


def _side_by_side(
    grid: PointGrid, places: Iterator[int], executor: Executor, most: int
) -> Iterator[tuple[int, list[Row]]]:
    pending: dict[Future[list[Row]], int] = {}
    try:
        while True:
            for shard in islice(places, most - len(pending)):
                pending[_submitted(executor, grid, shard)] = shard
            if not pending:
                return
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                shard = pending.pop(future)
                lost = future.cancelled() or future.exception() is not None
                yield shard, work(grid, shard) if lost else future.result()
    finally:
        for future in pending:
            future.cancel()


def _submitted(executor: Executor, grid: PointGrid, shard: int) -> Future[list[Row]]:
    """Submit a shard; an executor without living workers refuses it, and it is lost."""
    try:
        return executor.submit(work, grid, shard)
    except RuntimeError:
        lost: Future[list[Row]] = Future()
        lost.cancel()
        lost.set_running_or_notify_cancel()
        return lost


@contextmanager
def in_processes(workers: int) -> Iterator[Executor | None]:
    """Return processes of this machine that leave the keyboard to their parent; none for one."""
    if workers == 1:
        yield None
        return
    pool = ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_ignore, initargs=(signal.SIGINT,)
    )
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _ignore(number: int) -> None:
    signal.signal(number, signal.SIG_IGN)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
