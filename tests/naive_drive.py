"""Dies and channels, event by event: read latency found slowly.

Independent of the shipped formulas: plain Python and a heap of events. Each die does one thing at
a time, reads first; each channel moves one transfer at a time in order of arrival. Reads come at
random or from readers that each wait for their last one; each goes to a die drawn at random.
Operations are (rate per die, time before the transfer, transfer, time after it, suspend, resume).
"""

from collections import deque
from heapq import heappop, heappush
from itertools import count
from math import inf

import numpy as np


class Drive:
    """Dies, channels and what waits for them."""

    def __init__(self, *, dies, channels, read, background, seed=1):
        self.random = np.random.default_rng(seed)
        self.read = (*read, 0.0, inf, 0.0)
        self.background = background
        self.events, self.order = [], count()
        self.reads = [deque() for _ in range(dies)]
        self.others = [deque() for _ in range(dies)]
        self.running = [None] * dies
        self.transfers = [deque() for _ in range(channels)]
        self.moving = [False] * channels
        self.draws, self.times = iter(()), iter(())
        for kind, (rate_per_s, *_) in enumerate(background):
            self.at(self.exponential() / (rate_per_s * dies), self.arrives, kind)

    def at(self, time, act, *what):
        heappush(self.events, (time, next(self.order), act, what))

    def exponential(self):
        time = next(self.times, None)
        if time is None:
            self.times = iter(self.random.exponential(size=10_000).tolist())
            time = next(self.times)
        return time

    def die(self):
        die = next(self.draws, None)
        if die is None:
            self.draws = iter(self.random.integers(len(self.reads), size=10_000).tolist())
            die = next(self.draws)
        return die

    def arrives(self, now, kind):
        rate_per_s, *operation = self.background[kind]
        die = self.die()
        self.others[die].append(operation)
        self.at(now + self.exponential() / (rate_per_s * len(self.reads)), self.arrives, kind)
        self.next(now, die)

    def submit(self, now, reader):
        die = self.die()
        self.reads[die].append((now, reader))
        running = self.running[die]
        if running is None:
            self.next(now, die)
        elif running["end"] - now > running["suspend"]:
            left = running["end"] - now - running["suspend"] + running["resume"]
            running["end"] = -inf
            operation = [left, 0.0, 0.0, running["suspend"], running["resume"]]
            self.at(now + running["suspend"], self.suspended, die, operation)

    def suspended(self, now, die, operation):
        self.others[die].appendleft(operation)
        self.running[die] = None
        self.next(now, die)

    def next(self, now, die):
        if self.running[die] is not None:
            return
        if self.reads[die]:
            submitted, operation = self.reads[die].popleft(), self.read
        elif self.others[die]:
            submitted, operation = None, self.others[die].popleft()
        else:
            return
        before, transfer, after, suspend, resume = operation
        job = {"read": submitted, "end": -inf, "suspend": suspend, "resume": resume}
        job |= {"transfer": transfer, "after": after}
        self.running[die] = job
        if transfer == 0 and suspend < inf:
            job["end"] = now + before
            self.at(job["end"], self.ends, die, job)
        else:
            self.at(now + before, self.sensed, die, job)

    def sensed(self, now, die, job):
        if job["transfer"] == 0:
            self.at(now + job["after"], self.ends, die, job)
            return
        channel = die % len(self.transfers)
        self.transfers[channel].append((die, job))
        if not self.moving[channel]:
            self.move(now, channel)

    def move(self, now, channel):
        self.moving[channel] = bool(self.transfers[channel])
        if self.moving[channel]:
            die, job = self.transfers[channel].popleft()
            self.at(now + job["transfer"], self.moved, channel, die, job)

    def moved(self, now, channel, die, job):
        self.at(now + job["after"], self.ends, die, job)
        self.move(now, channel)

    def ends(self, now, die, job):
        if self.running[die] is not job or (job["suspend"] < inf and job["end"] != now):
            return  # was suspended meanwhile
        self.running[die] = None
        if job["read"]:
            self.done(now, *job["read"])
        self.next(now, die)

    def run(self, reads):
        self.latencies = []
        while len(self.latencies) < reads:
            now, _, act, what = heappop(self.events)
            act(now, *what)
        return np.array(self.latencies), now


class Open(Drive):
    """Reads that arrive at random."""

    def __init__(self, *, read_rate_per_s, **drive):
        super().__init__(**drive)
        self.gap_s = 1 / (read_rate_per_s * len(self.reads))
        self.at(self.exponential() * self.gap_s, self.submit, None)

    def submit(self, now, reader):
        self.at(now + self.exponential() * self.gap_s, self.submit, None)
        super().submit(now, reader)

    def done(self, now, submitted, reader):
        self.latencies.append(now - submitted)


class Closed(Drive):
    """Readers that each send the next read when the last one is back with the host.

    The host takes between 0 and twice `host_s` for it, else readers that never wait would march
    in step; latency counts the mean.
    """

    def __init__(self, *, readers, host_s, **drive):
        super().__init__(**drive)
        self.host_s = host_s
        for reader in range(readers):
            self.at(self.random.uniform(0, 1e-4), self.submit, reader)

    def done(self, now, submitted, reader):
        self.latencies.append(now - submitted + self.host_s)
        self.at(now + 2 * self.host_s * self.random.random(), self.submit, reader)
