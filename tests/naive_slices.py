"""One die, one read or one slice of an operation at a time: what reads wait for, counted.

Independent of the shipped laws: plain Python. Reads arrive at random and go first, at the end of a
slice; operations arrive at random and wait their turn. After a suspension an operation takes time
to resume and then runs for a slice; after so many suspensions it is not suspended any more.
"""

from math import inf

import numpy as np


def read_latencies_s(
    count, *, reads_per_s, read_s, rate_per_s, duration_s, slice_s,
    varies=False, lead_s=0.0, resume_s=0.0, most=inf, seed=1,
):  # fmt: skip
    """Latency of each read beside one kind of operations."""
    random = np.random.default_rng(seed)
    reads = np.cumsum(random.exponential(1 / reads_per_s, count))
    begins = np.sort(random.uniform(0, reads[-1], random.poisson(rate_per_s * reads[-1])))
    reads, begins = [*reads.tolist(), inf], [*begins.tolist(), inf]
    now, served, begun, latencies = 0.0, 0, 0, []
    left, pauses, lead = 0.0, 0, 0.0
    while served < count:
        if reads[served] <= now:
            now += read_s
            latencies.append(now - reads[served])
            served += 1
            continue
        if left == 0:
            if begins[begun] > now:
                now = min(begins[begun], reads[served])
                continue
            left, pauses, lead, begun = duration_s, 0, lead_s, begun + 1
        # The operation runs, slice by slice, until a read has come or it is done.
        while left > 0:
            piece = left if pauses >= most else random.exponential(slice_s) if varies else slice_s
            piece = min(piece, left)
            now, left, lead = now + lead + piece, left - piece, 0.0
            left = left if left > 1e-12 * duration_s else 0.0
            if left > 0 and reads[served] <= now and pauses < most:
                pauses, lead = pauses + 1, resume_s
                break
    return np.array(latencies)
