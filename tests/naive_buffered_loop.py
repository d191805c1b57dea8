"""Slow twin of `parallelism.operating_point`: a closed loop of reads and buffered writes.

A read waits for the die it picks at random, first come first served, and then takes the rest of
its time. A write takes a place in a buffer that is drained at a steady rate; without a free
place it waits for one.
"""

import heapq
import random
from collections import deque

PLACES = 64


def iops(depth, *, read_fraction, drive, commands=30_000, seed=1):
    """Operations per second, the first fifth of the commands not counted."""
    rng, now = random.Random(seed), 0.0  # noqa: S311
    free_at, drained_at, ends = [0.0] * drive["dies"], deque(), []
    drain_s = 1 / drive["write_cap_iops"]

    def read_end():
        die = rng.randrange(drive["dies"])
        free_at[die] = max(now, free_at[die]) + drive["die_read_s"]
        return free_at[die] + drive["read_rest_s"]

    def write_end():
        while drained_at and drained_at[0] <= now:
            drained_at.popleft()
        room = drained_at[-PLACES] if len(drained_at) >= PLACES else now
        drained_at.append(max(now, drained_at[-1] if drained_at else now) + drain_s)
        return room + drive["write_accept_s"]

    def submit():
        heapq.heappush(ends, read_end() if rng.random() < read_fraction else write_end())

    for _ in range(depth):
        submit()
    for done in range(commands):
        now = heapq.heappop(ends)
        if done == commands // 5:
            start = now
        submit()
    return (commands - 1 - commands // 5) / (now - start)
