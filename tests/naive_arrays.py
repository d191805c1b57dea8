"""The array simulator, written slowly: members with queues, work that is left, sets of chunks.

Independent of the kernel but for the order of simultaneous events and of random words, so that the
two agree completion for completion. Here a stall is an event that freezes what a member does, and
every operation of a member ends by itself; the kernel knows each end beforehand. At one time, what
ends comes first, then the stalls that begin, then an arrival, then the host operations that go on
or complete, in the order of their places.
"""

import math
from collections import deque

from tests.naive_simulator import Words, cut, splitmix

TICKS = 10**10
NEVER = math.inf


def ticks(seconds):
    return round(seconds * TICKS)


def exponential(stream, mean):
    u = (stream.next() >> 11) * 2.0**-53
    return max(1, int(-math.log1p(-u) * mean + 0.5))


class Member:
    def __init__(self, stalls, requests):
        self.stalls, self.requests = stalls, requests
        self.queue = deque()  # [host operation, time left or None if it has not begun]
        self.stall_left = self.since = self.busy = self.stalled = self.given = 0
        self.next_stall = NEVER

    def end(self):
        """When the stall or the operation in progress is over."""
        if self.stall_left:
            return self.since + self.stall_left
        return self.since + self.queue[0][1] if self.queue else NEVER

    def advance(self, now):
        """Work until now; never past an end."""
        elapsed, self.since = now - self.since, now
        if self.stall_left:
            self.stall_left -= elapsed
            self.stalled += elapsed
        elif self.queue:
            self.queue[0][1] -= elapsed
            self.busy += elapsed


class Operation:
    def __init__(self, place, closed):
        self.place, self.closed = place, closed
        self.then = None
        self.waits = 0


class Twin:
    def __init__(self, config):
        self.config = c = config
        words = splitmix(c.seed)
        take = lambda: Words([next(words) for _ in range(4)])  # noqa: E731
        self.kinds, self.places, self.arrivals = take(), take(), take()
        next(words), next(words)
        self.members = []
        for _ in range(c.members):
            stalls, _clock, requests = take(), take(), take()
            if c.stall_together and self.members:
                stalls = Words(self.members[0].stalls.state)
            self.members.append(Member(stalls, requests))
        if c.stall_rate:
            self.gap = max(1, ticks(1 / c.stall_rate))
            states = [list(member.stalls.state) for member in self.members]
            for member, state in zip(self.members, states, strict=True):
                member.stalls.state = list(states[0] if c.stall_together else state)
                fixed = c.stall_intervals == "fixed"
                member.next_stall = (
                    member.stalls.below(self.gap) if fixed else exponential(member.stalls, self.gap)
                )
        self.read, self.write, self.stall = ticks(c.read_s), ticks(c.write_s), ticks(c.stall_s)
        self.log = []
        self.now = self.area = self.last_area = 0
        self.alive = [Operation(i, closed=True) for i in range(c.queue_depth)]
        self.spare = []
        self.next_place = c.queue_depth
        self.next_arrival = 0 if c.arrival_iops else NEVER
        self.ready = list(self.alive)
        self.delayed = []  # when, operation

    # Time

    def run(self, until):
        while True:
            for member in self.members:
                if member.queue and member.queue[0][1] is None:
                    member.queue[0][1] = self.service(member, member.queue[0][0])
            times = [member.end() for member in self.members]
            times += [member.next_stall for member in self.members]
            now = min([*times, self.next_arrival, *([0] if self.ready else [])])
            now = min([now, *(time for time, _ in self.delayed)])
            if now >= until:
                break
            self.step(now)
        self.step_clocks(until)

    def step_clocks(self, now):
        self.area += len(self.alive) * (now - self.last_area)
        self.now = self.last_area = now
        for member in self.members:
            member.advance(now)

    def step(self, now):
        self.step_clocks(now)
        for member in self.members:
            if member.queue and member.queue[0][1] == 0:
                operation = member.queue.popleft()[0]
                operation.waits -= 1
                if operation.waits == 0:
                    reads = operation.reads
                    delay = self.config.read_delay_s if reads else self.config.write_delay_s
                    self.delayed.append((now + ticks(delay), operation))
        self.ready += [operation for time, operation in self.delayed if time == now]
        self.delayed = [entry for entry in self.delayed if entry[0] > now]
        for member in self.members:
            if member.next_stall == now:
                member.stall_left += self.stall
                fixed = self.config.stall_intervals == "fixed"
                member.next_stall += self.gap if fixed else exponential(member.stalls, self.gap)
        going, self.ready = sorted(self.ready, key=lambda operation: operation.place), []
        if self.next_arrival == now:
            self.arrive()
        for operation in going:
            self.go_on(operation)

    def service(self, member, operation):
        time = self.read if operation.reads else self.write
        probability = self.config.stall_probability
        if probability and member.requests.next() < cut(probability):
            return time + self.stall
        return time

    # Host operations

    def arrive(self):
        self.next_arrival = self.now + exponential(
            self.arrivals, max(1, ticks(1 / self.config.arrival_iops))
        )
        if self.spare:
            place = self.spare.pop()
        else:
            place, self.next_place = self.next_place, self.next_place + 1
        operation = Operation(place, closed=False)
        self.alive.append(operation)
        self.begin(operation)

    def go_on(self, operation):
        if operation.then:
            members, operation.then = operation.then, None
            operation.reads = False
            self.give(operation, members)
            return
        if hasattr(operation, "time"):
            kind = 0 if operation.is_read else 1
            self.log.append((self.now, kind, self.now - operation.time))
            if not operation.closed:
                self.alive.remove(operation)
                self.spare.append(operation.place)
                return
        self.begin(operation)

    def begin(self, operation):
        c = self.config
        operation.time = self.now
        operation.is_read = c.read_fraction == 1 or (
            c.read_fraction > 0 and self.kinds.next() < cut(c.read_fraction)
        )
        rotation = self.places.below(c.members // c.copies) * c.copies
        touched = c.read_chunks if operation.is_read else c.write_chunks
        first = self.places.below(c.data_chunks - touched + 1)
        chunks = list(range(first, first + touched))
        size = c.members // c.groups
        base = rotation // size * size
        on = [base + (rotation - base + i) % size for i in range(c.width)]  # position -> member
        if operation.is_read:
            operation.reads = True
            self.give(operation, self.read_members(chunks, on))
            return
        before, written = self.write_members(chunks, on)
        operation.reads = bool(before)
        operation.then = written if before else None
        self.give(operation, before or written)

    def give(self, operation, members):
        operation.waits = len(members)
        assert members
        assert len(set(members)) == len(members)
        for number in members:
            assert number not in self.config.failed
            self.members[number].queue.append([operation, None])
            self.members[number].given += 1

    def left(self, members):
        return [member for member in members if member not in self.config.failed]

    def read_members(self, chunks, on):
        c = self.config
        if c.copies > 1:
            found = []
            for chunk in chunks:
                copies = self.left(on[chunk * c.copies : (chunk + 1) * c.copies])
                found.append(
                    copies[self.places.below(len(copies))] if len(copies) > 1 else copies[0]
                )
            return found
        wanted = [on[chunk] for chunk in chunks]
        return wanted if self.left(wanted) == wanted else self.left(on)[: c.data_chunks]

    def write_members(self, chunks, on):
        """Members read before, members written."""
        c = self.config
        if c.copies > 1:
            return [], self.left(
                [on[chunk * c.copies + i] for chunk in chunks for i in range(c.copies)]
            )
        parity = self.left(on[c.data_chunks :])
        wanted = [on[chunk] for chunk in chunks]
        others = [on[chunk] for chunk in range(c.data_chunks) if chunk not in chunks]
        written = self.left(wanted) + parity
        ways = {"read-modify-write": wanted, "reconstruct-write": others}
        if not parity or not others:
            return [], written
        names = sorted(ways, key=lambda name: name != c.update)
        for name in names:
            if self.left(ways[name]) == ways[name]:
                return ways[name] + (parity if name == "read-modify-write" else []), written
        return self.left(on)[: c.data_chunks], written
