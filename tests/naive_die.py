"""One die, one read and one operation at a time: what reads wait for, found slowly.

Independent of the shipped transforms: plain Python, no queueing theory. Reads arrive at random
and go first; background operations arrive at random, alone or in batches, and wait their turn. An
operation that can be suspended lets go of the die `suspend_s` after a read arrives, unless it ends
before that, and takes `resume_s` longer for it. It goes on when no read is left.
"""

from math import inf

import numpy as np


def read_latencies_s(count, *, read_rate_per_s, read_s, background, batch=1, seed=1) -> np.ndarray:
    """Latency of each read; `background` holds (rate, duration, suspend, resume)."""
    random = np.random.default_rng(seed)
    reads = np.cumsum(random.exponential(1 / read_rate_per_s, count)).tolist()
    waiting = []
    for rate_per_s, *operation in background:
        batches = random.poisson(rate_per_s / batch * reads[-1])
        for begin in random.uniform(0, reads[-1], batches).tolist():
            waiting += [(begin, *operation)] * batch
    waiting.sort()
    waiting.append((inf, 0.0, inf, 0.0))
    reads.append(inf)
    return np.array(_serve(reads, waiting, read_s))


def _serve(reads, waiting, read_s):
    now, served, started = 0.0, 0, 0
    suspended, latencies = None, []
    while served < len(reads) - 1:
        if reads[served] <= now:
            now += read_s
            latencies.append(now - reads[served])
            served += 1
        elif suspended or waiting[started][0] <= now:
            if suspended:
                left, suspend_s, resume_s = suspended
            else:
                _, left, suspend_s, resume_s = waiting[started]
                started += 1
            end = now + left
            let_go = reads[served] + suspend_s
            suspended = (end - let_go + resume_s, suspend_s, resume_s) if let_go < end else None
            now = min(end, let_go)
        else:
            now = min(reads[served], waiting[started][0])
    return latencies
