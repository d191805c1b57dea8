"""The lifetime simulator, written slowly: a heap of events, members as objects, sets of the down.

Independent of the kernel but for the order in which random words are used, so that the two agree
trial for trial. Here a spare is a thing in a store and an order is an event; the kernel knows from
the order of failures when there will be one.
"""

import heapq
import itertools
import math
from collections import deque

from models.simulator.lifetimes import Lognormal, Normal, Weibull
from tests.naive_simulator import Words, splitmix

FAILS, REPLACED, SPARE, REBUILT, MEETS = "fails", "replaced", "spare", "rebuilt", "meets"


class Draws:
    def __init__(self, config):
        words = splitmix(config.seed)
        self.words = Words([next(words) for _ in range(4)])
        self.config = config

    def unit(self):
        return (self.words.next() >> 11) / 2**53

    def exponential(self):
        return -math.log1p(-self.unit())

    def normal(self):
        radius = math.sqrt(-2 * math.log1p(-self.unit()))
        return radius * math.cos(2 * math.pi * self.unit())

    def wear_out(self):
        match self.config.wear:
            case Normal(mean_s=mean, sd_s=sd):
                return mean + sd * self.normal()
            case Weibull(scale_s=scale, shape=shape):
                return scale * self.exponential() ** (1 / shape)
            case Lognormal(median_s=median, log_sd=sd):
                return median * math.exp(sd * self.normal())
        return math.inf

    def life(self):
        config = self.config
        ages = [self.wear_out()]
        if config.failures_per_s:
            ages.append(self.exponential() / config.failures_per_s)
        if config.weak_fraction and self.unit() < config.weak_fraction:
            ages.append(config.weak.scale_s * self.exponential() ** (1 / config.weak.shape))
        return min(ages)

    def life_beyond(self, age):
        while (life := self.life()) <= age:
            pass
        return life


class Rebuild:
    def __init__(self, member):
        self.member, self.begun, self.ends = member, None, None

    def place(self, now):
        if self.begun is None:
            return 0.0
        return (now - self.begun) / (self.ends - self.begun)


class Trial:
    def __init__(self, config, draws):
        self.config, self.draws = config, draws
        self.events, self.order = [], itertools.count()
        self.down = {}  # member -> its rebuild
        self.waiting = deque()  # rebuilds that have no spare, then no turn
        self.ready = deque()
        self.spares = math.inf if config.spares is None else config.spares
        self.running = 0
        self.lost, self.cause = math.inf, None
        self.failures = self.planned = 0
        self.waits = []
        self.epoch = [0] * config.members
        for member, age in enumerate(config.ages_s or [0.0] * config.members):
            self.live(member, -age)
        while self.events and self.events[0][0] <= config.horizon_s:
            now, _, kind, member, epoch = heapq.heappop(self.events)
            if kind == SPARE or epoch == self.epoch[member]:
                getattr(self, kind)(member, now)
        for now, _, kind, _, _ in sorted(self.events):  # waits that outlast the horizon count whole
            if kind == SPARE and self.waiting:
                self.waits.append(now - self.waiting.popleft().failed)

    def at(self, time, kind, member):
        epoch = self.epoch[member]
        heapq.heappush(self.events, (time, next(self.order), kind, member, epoch))

    def live(self, member, born):
        self.epoch[member] += 1
        self.at(born + self.draws.life_beyond(max(0.0, -born)), FAILS, member)
        if self.config.replaced_s < math.inf:
            self.at(born + self.config.replaced_s, REPLACED, member)

    def replaced(self, member, now):
        self.planned += 1
        self.live(member, now)

    def fails(self, member, now):
        self.epoch[member] += 1
        self.failures += 1
        rebuild = self.down[member] = Rebuild(member)
        rebuild.failed = now
        rebuild.takes = self.config.rebuild_s
        if self.config.rebuild_times == "exponential":
            rebuild.takes = self.draws.exponential() * self.config.rebuild_s
        if len(self.down) > self.config.parities:
            self.lose("failures", now)
            rebuild.meets = None
        elif self.config.unreadable:
            rebuild.meets = self.draws.exponential() / self.config.unreadable
        else:
            rebuild.meets = None
        self.waiting.append(rebuild)
        if self.config.spares is not None:
            self.at(now + self.config.lead_s, SPARE, member)
        self.proceed(now)

    def spare(self, member, now):
        self.spares += 1
        self.proceed(now)

    def proceed(self, now):
        while self.waiting and self.spares:
            self.spares -= 1
            rebuild = self.waiting.popleft()
            if now > rebuild.failed:
                self.waits.append(now - rebuild.failed)
            self.ready.append(rebuild)
        while self.ready and self.running < self.config.side_by_side:
            rebuild = self.ready.popleft()
            self.running += 1
            rebuild.begun, rebuild.ends = now, now + rebuild.takes
            self.at(rebuild.ends, REBUILT, rebuild.member)
            if rebuild.meets is not None and rebuild.meets < 1:
                self.at(now + rebuild.meets * rebuild.takes, MEETS, rebuild.member)

    def rebuilt(self, member, now):
        del self.down[member]
        self.running -= 1
        self.live(member, now)
        self.proceed(now)

    def meets(self, member, now):
        rebuild = self.down[member]
        if len(self.down) == self.config.parities:
            places = {other: found.place(now) for other, found in self.down.items()}
            if places[member] == max(places.values()):
                self.lose("sector", now)
        further = self.draws.exponential() / self.config.unreadable
        rebuild.meets += further
        if rebuild.meets < 1:
            self.at(rebuild.begun + rebuild.meets * rebuild.takes, MEETS, member)

    def lose(self, cause, now):
        if self.cause is None:
            self.cause, self.lost = cause, now


def trials(config):
    draws = Draws(config)
    return [Trial(config, draws) for _ in range(config.trials)]
