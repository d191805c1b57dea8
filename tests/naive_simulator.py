"""The page simulator, written slowly: lists and sets instead of packed words and links.

Independent of the kernel but for the order in which random words are used, so that the two agree
write for write. One request after the other, nothing drawn ahead.
"""

import math

from models.simulator import Classes, Mixed, Sequential, Static, Trace, Zipf

WORD = 2**64


class Words:
    """xoshiro256++."""

    def __init__(self, state):
        self.state = list(state)

    def next(self):
        a, b, c, d = self.state
        word = (self._left((a + d) % WORD, 23) + a) % WORD
        c ^= a
        d ^= b
        self.state = [a ^ d, b ^ c, c ^ (b << 17) % WORD, self._left(d, 45)]
        return word

    def below(self, bound):
        return self.next() * bound >> 64

    @staticmethod
    def _left(word, count):
        return (word << count | word >> (64 - count)) % WORD


def splitmix(seed):
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) % WORD
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
        yield z ^ z >> 31


def cut(probability):
    return min(int(probability * WORD), WORD - 1)


class Block:
    def __init__(self):
        self.pages = []  # logical pages in the order of programming
        self.valid = set()  # places of the valid ones
        self.erases = 0
        self.stream = 0
        self.sealed_at = 0


class Twin:
    def __init__(self, config):
        self.config = config
        self.blocks = [Block() for _ in range(config.blocks)]
        self.free = list(range(config.blocks))
        self.frontier = [None] * config.streams
        self.where = [None] * config.pages
        self.sealed = []  # order of the sampled policies
        self.filled = []  # order of filling
        self.levels = {}  # (group, valid pages) -> blocks in order of arrival
        self.quotas = config.frontiers == "streams" and config.cleaning == "quota"
        words = splitmix(config.seed)
        self.host, self.victims, self.routes = (
            Words([next(words) for _ in range(4)]) for _ in range(3)
        )
        keys = [next(words) for _ in range(8)]
        self.keys = [(keys[i] | 1, keys[i + 1]) for i in range(0, 8, 2)]
        self.cursor = self.clock = self.barren = 0
        self._classes()
        self.filling = True
        self.reset()

    def reset(self):
        self.writes = self.copies = self.erases = self.requests = 0
        self.in_use_sum = self.unfilled_sum = 0
        self.histogram = [0] * (self.config.pages_per_block + 1)
        self.by_class = [[0] * len(self.held) for _ in range(2)]

    def _classes(self):
        workload, pages = self.config.workload, self.config.pages
        self.written, self.held = (1.0,), (1.0,)
        if isinstance(workload, Classes):
            self.written, self.held = workload.write_shares, workload.page_shares
        elif isinstance(workload, Mixed):
            classes = workload.classes or Classes(write_shares=(1.0,), page_shares=(1.0,))
            writes, pages_ = workload.random_writes, workload.random_pages
            self.written = (*(writes * r for r in classes.write_shares), 1 - writes)
            self.held = (*(pages_ * f for f in classes.page_shares), 1 - pages_)
        elif isinstance(workload, Static):
            self.written = (1.0, 0.0)
            self.held = (workload.dynamic_pages, 1 - workload.dynamic_pages)
        ends = [
            round(sum(self.held[: k + 1]) / sum(self.held) * pages) for k in range(len(self.held))
        ]
        self.starts = [0, *ends]
        self.class_in_use = [0] * len(self.held)

    # Requests

    def start(self):
        """End the fill."""
        self.filling = False
        self.cursor = 0

    def turn(self, length):
        at = self.cursor
        self.cursor = (at + 1) % length
        return at

    def scrambled(self, page):
        width = (self.config.pages - 1).bit_length()
        while True:
            for factor, term in self.keys:
                page = (page * factor + term) % 2**width
                page ^= page >> (width + 1) // 2
            if page < self.config.pages:
                return page

    def class_of(self, page):
        return next(k for k in range(len(self.held)) if page < self.starts[k + 1])

    def fill_page(self):
        workload = self.config.workload
        at = self.turn(self.config.pages)
        mixed = self.config.fill == "random"
        if isinstance(workload, Static):
            mixed = workload.interleaved
            at = at if mixed else (at + self.starts[1]) % self.config.pages
        page = self.scrambled(at) if mixed else at
        return page, self.class_of(page)

    def draw_class(self):
        workload = self.config.workload
        if not isinstance(workload, Classes | Mixed):
            return 0
        product = self.host.next() * len(self.written)
        k = product >> 64
        cuts, aliases = self.alias()
        return k if product % WORD < cuts[k] else aliases[k]

    def alias(self):
        count = len(self.written)
        scaled = [share * count / sum(self.written) for share in self.written]
        small = [k for k in range(count) if scaled[k] < 1]
        large = [k for k in range(count) if scaled[k] >= 1]
        cuts, aliases = [WORD - 1] * count, list(range(count))
        while small and large:
            low, high = small.pop(), large[-1]
            cuts[low], aliases[low] = cut(scaled[low]), high
            scaled[high] -= 1 - scaled[low]
            if scaled[high] < 1:
                small.append(large.pop())
        return cuts, aliases

    def class_page(self, k, words):
        return self.starts[k] + words.below(self.starts[k + 1] - self.starts[k])

    def zipf_page(self, words):
        s, pages = self.config.workload.exponent, self.config.pages

        def area(x):
            y = (1 - s) * math.log(x)
            return math.log(x) * (math.expm1(y) / y if abs(y) > 1e-8 else 1 + y * (0.5 + y / 6))

        def inverse(a):
            y = max(-1.0, a * (1 - s))
            return math.exp(a * (math.log1p(y) / y if abs(y) > 1e-8 else 1 - y * (0.5 - y / 3)))

        low, high = area(1.5) - 1, area(pages + 0.5)
        squeeze = 2 - inverse(area(2.5) - 2**-s)
        while True:
            a = high + (words.next() >> 11) * 2.0**-53 * (low - high)
            x = inverse(a)
            rank = min(max(int(x + 0.5), 1), pages)
            if rank - x <= squeeze or a >= area(rank + 0.5) - math.exp(-s * math.log(rank)):
                return self.scrambled(rank - 1)

    def write_page(self):
        workload = self.config.workload
        if isinstance(workload, Zipf):
            return self.zipf_page(self.host), 0
        if isinstance(workload, Sequential):
            return self.turn(self.config.pages), 0
        k = self.draw_class()
        if isinstance(workload, Mixed) and k == len(self.held) - 1:
            return self.starts[k] + self.turn(self.config.pages - self.starts[k]), k
        return self.class_page(k, self.host), k

    # The drive

    def group(self, block):
        return self.blocks[block].stream if self.quotas else 0

    def advance(self, writes):
        """Carry out requests until so many host writes are done."""
        goal = self.writes + writes
        while self.writes < goal:
            if self.filling:
                self.write(*self.fill_page())
            elif self.config.trim_share and self.host.next() < cut(self.config.trim_share):
                self.trim_any() if self.config.trims == "mapped" else self.trim(self.draw_class())
            elif isinstance(self.config.workload, Trace):
                at = self.turn(len(self.config.workload.pages))
                page, trims = int(self.config.workload.pages[at]), self.config.workload.trims
                if trims is not None and trims[at]:
                    self.trim(0, page)
                else:
                    self.write(page, 0)
            else:
                self.write(*self.write_page())

    def trim_any(self):
        page = None
        while any(self.class_in_use) and (page is None or self.where[page] is None):
            page = self.victims.below(self.config.pages)
        self.trim(0 if page is None else self.class_of(page), page)

    def trim(self, k, page=None):
        if page is None and self.class_in_use[k]:
            while True:
                if isinstance(self.config.workload, Zipf):
                    page = self.zipf_page(self.victims)
                else:
                    page = self.class_page(k, self.victims)
                if self.where[page] is not None:
                    break
        if page is not None and self.where[page] is not None:
            self.invalidate(page)
            self.where[page] = None
            self.class_in_use[k] -= 1
        self.requests += 1
        self.in_use_sum += sum(self.class_in_use)

    def write(self, page, k):
        stream = 0
        if self.config.frontiers == "streams":
            word, row = self.routes.next(), self.config.routing[k]
            while stream < len(row) - 1 and word >= cut(sum(row[: stream + 1])):
                stream += 1
        size = self.config.pages_per_block
        while self.frontier[stream] is None:
            self.open(stream)
            while len(self.free) < self.config.reserve:
                self.collect()
        if self.where[page] is None:
            self.class_in_use[k] += 1
        else:
            self.invalidate(page)
        self.unfilled_sum += sum(
            size - len(self.blocks[b].pages) for b in self.frontier if b is not None
        )
        self.writes += 1
        self.clock += 1
        self.requests += 1
        self.in_use_sum += sum(self.class_in_use)
        self.by_class[0][k] += 1
        self.program(stream, page)

    def open(self, stream):
        block = self.free.pop(0)
        self.blocks[block].stream = stream
        self.frontier[stream] = block

    def program(self, stream, page):
        index = self.frontier[stream]
        block = self.blocks[index]
        block.valid.add(len(block.pages))
        self.where[page] = (index, len(block.pages))
        block.pages.append(page)
        if len(block.pages) == self.config.pages_per_block:
            self.frontier[stream] = None
            block.sealed_at = self.clock
            self.sealed.append(index)
            self.filled.append(index)
            self.arrive(index)

    def arrive(self, index):
        level = (self.group(index), len(self.blocks[index].valid))
        self.levels.setdefault(level, []).append(index)

    def invalidate(self, page):
        index, place = self.where[page]
        if index in self.sealed:
            self.levels[self.group(index), len(self.blocks[index].valid)].remove(index)
        self.blocks[index].valid.remove(place)
        if index in self.sealed:
            self.arrive(index)

    # Collection

    def victim_group(self):
        if not self.quotas:
            return 0
        config = self.config
        size, streams = config.pages_per_block, config.streams
        spare = config.spare_shares or (1 / streams,) * streams
        total = (config.blocks - config.reserve) * size
        best, most = None, 0.0
        for s in range(streams):
            mine = [b for b in self.sealed if self.blocks[b].stream == s]
            if not mine:
                continue
            full = all(len(self.blocks[b].valid) == size for b in mine)
            if config.policy == "greedy" and full:
                continue
            owned = len(mine) + (self.frontier[s] is not None)
            share = sum(f * row[s] for f, row in zip(self.held, config.routing, strict=True))
            quota = (share * config.pages + spare[s] * (total - config.pages)) / size
            if best is None or owned - quota > most:
                best, most = s, owned - quota
        return best

    def victim(self, group):
        policy, config = self.config.policy, self.config
        if policy == "greedy":
            level = min(n for g, n in self.levels if g == group and self.levels[g, n])
            return self.levels[group, level][0]
        mine = [b for b in self.filled if self.group(b) == group]
        if policy == "fifo":
            return mine[0]
        if policy == "windowed-greedy":
            return min(mine[: config.window], key=lambda b: len(self.blocks[b].valid))
        if policy == "cost-benefit" and config.choices == 0:
            return max((b for b in self.sealed if self.group(b) == group), key=self.merit)
        drawn = []
        while len(drawn) < (1 if policy == "random" else config.choices):
            block = self.sealed[self.victims.below(len(self.sealed))]
            if self.group(block) == group:
                drawn.append(block)
        return max(drawn, key=self.merit)

    def merit(self, index):
        block = self.blocks[index]
        gain, count = self.config.pages_per_block - len(block.valid), len(block.valid)
        if self.config.policy != "cost-benefit":
            return gain
        return (self.clock - block.sealed_at + 1) * (gain / (len(block.pages) + count))

    def copies_to(self, block):
        if self.config.frontiers != "streams":
            return {"one": 0, "host-gc": 1}[self.config.frontiers]
        written = len(self.config.routing[0])
        if self.config.copies == "together":
            return written
        if self.config.copies == "apart":
            return written + block.stream % written
        return block.stream

    def collect(self):
        index = self.victim(self.victim_group())
        block = self.blocks[index]
        self.levels[self.group(index), len(block.valid)].remove(index)
        self.filled.remove(index)
        at = self.sealed.index(index)
        self.sealed[at] = self.sealed[-1]
        self.sealed.pop()
        stream = self.copies_to(block)
        for place in sorted(block.valid):
            if self.frontier[stream] is None:
                self.open(stream)
            page = block.pages[place]
            self.by_class[1][self.class_of(page)] += 1
            self.program(stream, page)
        self.histogram[len(block.valid)] += 1
        self.copies += len(block.valid)
        self.erases += 1
        block.erases += 1
        block.pages, block.valid = [], set()
        self.free.append(index)
