"""A write buffer in front of flash that stalls now and then, write by write.

Independent of the shipped formulas: plain Python. Writes arrive at given times (or from a queue
kept full) and are complete when the buffer has a page for them. The flash takes one page after the
other at a fixed rate, but none while it stalls.
"""

import numpy as np


def open_latencies_s(arrivals, *, write_iops, buffer_pages, stalls=()):
    """Wait of each write for the buffer; `stalls` are (begin, end), in order and apart."""
    left, waits = [], []
    for n, arrived in enumerate(arrivals):
        taken = max(arrived, left[n - buffer_pages]) if n >= buffer_pages else arrived
        waits.append(taken - arrived)
        left.append(_end(max(taken, left[-1] if left else 0.0), 1 / write_iops, stalls))
    return np.array(waits)


def closed_latencies_s(count, *, queue_depth, write_iops, buffer_pages):
    """Latency of each write of a queue that is always full."""
    sent, left, latencies = [0.0] * queue_depth, [], []
    for n in range(count):
        taken = max(sent[n], left[n - buffer_pages]) if n >= buffer_pages else sent[n]
        latencies.append(taken - sent[n])
        sent.append(taken)
        left.append(max(taken, left[-1] if left else 0.0) + 1 / write_iops)
    return np.array(latencies)


def _end(begin, work_s, stalls):
    """When work that needs the flash for so long is done."""
    for stall, over in stalls:
        if begin + work_s <= stall:
            break
        if begin < over:
            work_s -= max(stall - begin, 0.0)
            begin = over
    return begin + work_s
