"""Slow twin of `models.parallelism`: a closed queue of reads, event by event.

A fixed number of commands is always outstanding. Each picks a die at random, waits for it first
come first served, is sensed, moves over the channel of its die (die d is on channel d modulo
channels) and over the one host link; then the next command takes its place.
"""

import heapq
import random
from collections import deque

SENSED, MOVED, DONE = range(3)


class Server:
    """Serves one command at a time, in order of arrival."""

    def __init__(self):
        self.waiting = deque()
        self.busy = False

    def next(self):
        """Start the command that has waited longest, if the server is free."""
        if self.busy or not self.waiting:
            return None
        self.busy = True
        return self.waiting.popleft()


class ClosedNetwork:
    """Reads at a constant queue depth."""

    def __init__(self, *, dies, channels, service, transfer_s, link_s, cache_read, seed):
        self.random = random.Random(seed)  # noqa: S311
        self.dies = [Server() for _ in range(dies)]
        self.channels = [Server() for _ in range(channels)]
        self.link = Server()
        self.service = service
        self.transfer_s, self.link_s, self.cache_read = transfer_s, link_s, cache_read
        self.events, self.events_made = [], 0
        self.now, self.done = 0.0, 0

    def after(self, delay, kind, die):
        self.events_made += 1
        heapq.heappush(self.events, (self.now + delay, self.events_made, kind, die))

    def submit(self):
        die = self.random.randrange(len(self.dies))
        self.dies[die].waiting.append(die)
        self.start_die(die)

    def start_die(self, die):
        if self.dies[die].next() is not None:
            self.after(self.service(self.random), SENSED, die)

    def start_channel(self, channel):
        if (die := channel.next()) is not None:
            self.after(self.transfer_s, MOVED, die)

    def start_link(self):
        if (die := self.link.next()) is not None:
            self.after(self.link_s, DONE, die)

    def free_die(self, die):
        self.dies[die].busy = False
        self.start_die(die)

    def step(self):
        self.now, _, kind, die = heapq.heappop(self.events)
        channel = self.channels[die % len(self.channels)]
        if kind == SENSED:
            channel.waiting.append(die)
            if self.cache_read:
                self.free_die(die)
        elif kind == MOVED:
            channel.busy = False
            if not self.cache_read:
                self.free_die(die)
            self.link.waiting.append(die)
        else:
            self.link.busy = False
            self.done += 1
            self.submit()
        self.start_channel(channel)
        self.start_link()

    def run_to(self, done):
        while self.done < done:
            self.step()


def iops(
    queue_depth,
    *,
    dies,
    service,
    channels=1,
    transfer_s=0.0,
    link_s=0.0,
    cache_read=False,
    commands=30_000,
    seed=1,
):
    """Completions per second after a warm-up; `service(random)` draws the time on the die."""
    network = ClosedNetwork(
        dies=dies,
        channels=channels,
        service=service,
        transfer_s=transfer_s,
        link_s=link_s,
        cache_read=cache_read,
        seed=seed,
    )
    for _ in range(queue_depth):
        network.submit()
    network.run_to(commands // 5 + 4 * queue_depth)
    begun, before = network.now, network.done
    network.run_to(before + commands)
    return (network.done - before) / (network.now - begun)


def dies_only_iops(queue_depth, *, dies, service, commands=150_000, seed=1):
    """Completions per second where nothing but the dies takes time: many more in the same time."""
    draw = random.Random(seed)  # noqa: S311
    waiting, running, now = [0] * dies, [], 0.0

    def submit():
        die = draw.randrange(dies)
        waiting[die] += 1
        if waiting[die] == 1:
            heapq.heappush(running, (now + service(draw), die))

    for _ in range(queue_depth):
        submit()
    warm_up = commands // 5 + 4 * queue_depth
    for done in range(warm_up + commands):
        if done == warm_up:
            begun = now
        now, die = heapq.heappop(running)
        waiting[die] -= 1
        if waiting[die]:
            heapq.heappush(running, (now + service(draw), die))
        submit()
    return commands / (now - begun)


def fixed(seconds):
    """Service that always takes the same time."""
    return lambda _: seconds


def exponential(seconds):
    """Service without memory."""
    return lambda random: random.expovariate(1 / seconds)


def two_times(short_s, long_s, *, long_share):
    """Service of two kinds of operations in random order."""
    return lambda random: long_s if random.random() < long_share else short_s
