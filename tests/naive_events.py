"""The event simulator, written slowly: objects and lists instead of words and links.

Independent of the kernel but for the order of simultaneous events and of random words, so that the
two agree event for event: the earliest event first, of equal ones that of the lowest server (dies,
channels, link, arrivals of reads, of writes, bursts, idle folding); after each event, over and
over until nothing more happens: new commands are sent, writes are accepted, buffered pages are
bound to dies, and dies look for work in the order of their numbers.
"""

import math
from collections import deque

from tests.naive_simulator import Words, cut, splitmix

TICKS = 10**10
NEVER = math.inf


def ticks(seconds):
    return round(seconds * TICKS) if seconds < math.inf else NEVER


class Command:
    def __init__(self, pool, write=None):
        self.pool = pool
        self.write = write


class Block:
    """One block of a die, or the blocks of all dies at one place: rows of programs by die."""

    def __init__(self, dies, rows, unit):
        self.dies, self.rows, self.unit = dies, rows, unit
        self.open()

    def open(self):
        self.used = dict.fromkeys(self.dies, 0)  # rows taken
        self.read = dict.fromkeys(self.dies, 0)  # rows read by collection
        self.pages = {}  # (die, row, place) -> logical page, of the valid ones
        self.placed = 0
        self.sealed = False

    def room(self):
        return sum(self.rows - used for used in self.used.values())

    def size(self):
        return len(self.dies) * self.rows * self.unit

    def take(self, die):
        self.used[die] += 1
        return die, self.used[die] - 1

    def to_copy(self):
        return sum(row >= self.read[die] for die, row, _ in self.pages)


class Domain:
    def __init__(self, dies, blocks, rows, unit):
        self.dies = dies
        self.free = [Block(dies, rows, unit) for _ in range(blocks)]
        self.levels = {}  # valid pages -> sealed blocks in order of arrival
        self.frontier = self.victim = self.copies = None
        self.in_flight = 0
        self.collecting = False

    def room(self):
        return self.frontier.room() if self.frontier else 0


class Die:
    def __init__(self, number):
        self.number = number
        self.state, self.since, self.end = "idle", 0, NEVER
        self.reads, self.bound = deque(), deque()
        self.units = self.erases = self.copies_due = self.foldable = 0
        self.suspended = self.taken = self.read = None
        self.whole_end, self.pauses = None, 0
        self.busy = {}


class Twin:
    def __init__(self, config):
        self.config = c = config
        words = splitmix(c.seed)
        streams = [Words([next(words) for _ in range(4)]) for _ in range(4)]
        self.addresses, self.kinds, self.arrivals, self.service = streams
        self.unit, self.rows = c.pages_per_program, c.pages_per_block // c.pages_per_program
        self.dies = [Die(i) for i in range(c.dies)]
        self.now = 0
        self.free_at = [0] * c.channels
        self.carried = [deque() for _ in range(c.channels)]  # reads with cache
        self.link, self.link_free = deque(), 0
        self.todo, self.arrived, self.ready = deque(), deque(), deque()
        self.used = self.cursor = self.pointer = self.outstanding = 0
        self.last_area = self.area = self.waited = 0
        self.counts = dict.fromkeys(
            ["host", "copies", "copy reads", "erases", "unmapped", "suspensions"], 0
        )
        self.first_collection = None
        self.log, self.bursts = [], []
        self.cached = self.stored = self.burst_left = self.burst_writers = self.burst_done = 0
        self.burst_start = 0
        self.forced = False
        self.folding = c.slc is not None and c.slc.folding == "always"
        self.next_read = 0 if c.read_iops else NEVER
        self.next_write = 0 if c.write_iops else NEVER
        self.next_burst = 0 if c.burst_pages else NEVER
        self.next_fold = NEVER
        if c.mapped:
            self.build()
        mixed = {0.0: True, 1.0: False}.get(c.read_fraction)
        self.todo.extend(Command("mixed", mixed) for _ in range(c.queue_depth))
        self.todo.extend(Command("readers", False) for _ in range(c.readers))
        if not c.burst_pages:
            self.todo.extend(Command("writers", True) for _ in range(c.writers))

    def build(self):
        c = self.config
        groups = [range(c.dies)] if c.scope == "superblock" else [[d] for d in range(c.dies)]
        self.domains = [Domain(list(g), c.blocks_per_die, self.rows, self.unit) for g in groups]
        self.of = [self.domains[0 if c.scope == "superblock" else d] for d in range(c.dies)]
        self.where = [None] * c.pages
        if c.start == "filled":
            for page in range(0, c.pages, self.unit):
                die = page // self.unit % c.dies
                domain = self.of[die]
                if domain.frontier is None or domain.frontier.used[die] == self.rows:
                    domain.frontier = domain.free.pop(0)
                    domain.frontier.open()
                place = domain.frontier.take(die)
                for i in range(self.unit):
                    self.place(domain, domain.frontier, (*place, i), page + i)
            self.pointer = c.pages // self.unit % c.dies

    # Events

    def run(self, until):
        self.settle()
        while True:
            times = [die.end for die in self.dies]
            times += [queue[0][0] if queue else NEVER for queue in self.carried]
            times += [self.link[0][0] if self.link else NEVER]
            times += [self.next_read, self.next_write, self.next_burst, self.next_fold]
            first = min(times)
            if first >= until:
                break
            self.now = first
            self.event(times.index(first))
            self.settle()
        self.now = until
        self.count_outstanding(0)
        for die in self.dies:
            self.spend(die)

    def event(self, server):  # noqa: C901 - one branch per server
        c, link = self.config, len(self.dies) + len(self.carried)
        if server < len(self.dies):
            self.die_event(self.dies[server])
        elif server < link:
            self.to_link(self.carried[server - len(self.dies)].popleft()[1])
        elif server == link:
            command = self.link.popleft()[1]
            if command.write:
                self.arrived.append(command)
            else:
                self.complete(command)
        elif server == link + 1:
            self.todo.extend(Command("open", False) for _ in range(c.read_batch))
            fixed = c.arrivals == "fixed"
            self.next_read = self.now + self.gap(c.read_iops, c.read_batch, fixed)
        elif server == link + 2:
            self.todo.extend(Command("open", True) for _ in range(c.write_batch))
            fixed = c.arrivals != "poisson"
            self.next_write = self.now + self.gap(c.write_iops, c.write_batch, fixed)
        elif server == link + 3:
            self.burst_left += c.burst_pages
            while self.burst_left and self.burst_writers < c.writers:
                self.burst_left -= 1
                self.burst_writers += 1
                self.todo.append(Command("burst", True))
            self.next_burst = self.now + ticks(c.burst_period_s)
        else:
            self.next_fold, self.folding = NEVER, True

    def gap(self, rate, batch, fixed):
        mean = max(1, ticks(batch / rate))
        return mean if fixed else self.draw(self.arrivals, mean)

    @staticmethod
    def draw(stream, mean):
        return max(1, int(-math.log1p(-(stream.next() >> 11) * 2.0**-53) * mean + 0.5))

    def settle(self):
        while True:
            while self.todo:
                self.submit(self.todo.popleft())
            while self.arrived and self.used < self.config.buffer_pages:
                self.ready.append(self.write_page())
                self.used += 1
                self.complete(self.arrived.popleft())
            if self.todo:
                continue
            changed = self.dispatch()
            for die in self.dies:
                changed |= self.style(die)
            if not changed:
                break
        slc = self.config.slc
        busy = self.outstanding or any(die.units for die in self.dies)
        waits = slc and slc.folding == "idle" and not self.folding and self.next_fold == NEVER
        if waits and not busy:
            self.next_fold = self.now + ticks(slc.idle_s)

    # Commands

    def count_outstanding(self, change):
        self.area += self.outstanding * (self.now - self.last_area)
        self.last_area = self.now
        self.outstanding += change

    def submit(self, command):
        c = self.config
        self.count_outstanding(1)
        if c.slc and c.slc.folding == "idle":
            self.folding, self.next_fold = False, NEVER
        command.time = self.now
        if command.pool == "mixed" and 0 < c.read_fraction < 1:
            command.write = self.kinds.next() >= cut(c.read_fraction)
        if command.write:
            self.to_link(command)
            return
        if not c.mapped:
            die = self.addresses.below(c.dies)
        else:
            place = self.where[self.addresses.below(c.pages)]
            if place is None:
                self.counts["unmapped"] += 1
                self.to_link(command)
                return
            die = place[1][0]
        self.dies[die].reads.append(command)

    def to_link(self, command):
        self.link_free = max(self.now, self.link_free) + ticks(self.config.link_s)
        self.link.append((self.link_free, command))

    def complete(self, command):
        self.log.append((self.now, int(command.write), self.now - command.time))
        self.count_outstanding(-1)
        if command.pool in ("mixed", "readers", "writers"):
            self.todo.append(command)
        if command.pool == "burst":
            self.burst_done += 1
            number, rest = divmod(self.burst_done, self.config.burst_pages)
            if rest == 0:
                if number > 1:
                    began = max((number - 1) * ticks(self.config.burst_period_s), self.burst_start)
                else:
                    began = 0
                self.bursts.append(self.now - began)
                self.burst_start = self.now
            if self.burst_left:
                self.burst_left -= 1
                self.todo.append(command)
            else:
                self.burst_writers -= 1

    def write_page(self):
        c = self.config
        if c.mapped and c.writes == "random":
            return self.addresses.below(c.pages)
        page, self.cursor = self.cursor, (self.cursor + 1) % c.pages
        return page

    # Buffered pages to dies

    def dispatch(self):
        changed = False
        while len(self.ready) >= self.unit and (die := self.next_die(False)):
            slc = self.config.slc is not None and self.slc_room()
            if self.config.slc and not slc and self.config.slc.when_full == "fold":
                changed |= not self.forced
                self.forced = True
                break
            pages = [self.ready.popleft() for _ in range(self.unit)]
            if not self.config.mapped:
                self.forced = False
                self.counts["host"] += self.unit
                self.cached += self.unit * slc
                self.stored += self.unit * (not slc)
            elif self.config.scope == "superblock":
                self.place_unit(die, pages)
            die.bound.append((self.now, slc, pages))
            die.units += 1
            self.pointer = (die.number + 1) % len(self.dies)
            changed = True
        return changed

    def slc_room(self):
        slc = self.config.slc
        room = slc.static_pages + max(0, slc.free_pages - self.stored) // slc.bits_per_cell
        return self.cached + self.unit <= room

    def next_die(self, copy):
        c = self.config
        turn = self.dies[self.pointer :] + self.dies[: self.pointer]
        if c.mapped and c.scope == "superblock":
            frontier = self.domains[0].frontier
            if frontier and frontier.room():
                turn = [die for die in turn if frontier.used[die.number] < self.rows]
        if c.allocation == "round-robin":
            return turn[0] if copy or self.takes(turn[0]) else None
        takers = [die for die in turn if copy or self.takes(die)]
        return min(takers, key=self.load, default=None)

    def takes(self, die):
        c = self.config
        if die.units >= c.die_queue:
            return False
        late = c.mapped and c.scope == "die" and c.allocation == "round-robin"
        return not c.mapped or late or self.is_open(self.of[die.number])

    @staticmethod
    def load(die):
        return len(die.bound) + die.copies_due + die.erases + (die.state != "idle")

    def is_open(self, domain):
        if not domain.room():
            return False
        blocking = self.config.collection == "blocking"
        return domain.victim is None or (not blocking and domain.host_left > 0)

    # Translation

    def place(self, domain, block, key, page):
        old = self.where[page]
        self.where[page] = (block, key)
        block.pages[key] = page
        block.placed += 1
        if old:
            self.invalidate(*old)
        if block.placed == block.size():
            block.sealed = True
            domain.levels.setdefault(len(block.pages), []).append(block)

    def invalidate(self, block, key):
        domain = self.of[key[0]]
        if block.sealed:
            domain.levels[len(block.pages)].remove(block)
        del block.pages[key]
        if block.sealed:
            domain.levels.setdefault(len(block.pages), []).append(block)

    def place_unit(self, die, pages):
        domain = self.of[die.number]
        block = domain.frontier
        place = block.take(die.number)
        for i, page in enumerate(pages):
            self.place(domain, block, (*place, i), page)
        self.counts["host"] += self.unit
        if domain.victim:
            domain.host_left -= self.unit

    def proceed(self, domain):
        c, changed = self.config, False
        while True:
            if domain.victim:
                if domain.victim.to_copy() or domain.in_flight:
                    return changed
                domain.free.append(domain.victim)
                domain.victim = None
                for die in domain.dies:
                    self.dies[die].erases += 1
                if domain.collecting and len(domain.free) < c.reserve + c.gain_blocks - 1:
                    self.next_victim(domain)
                else:
                    domain.collecting = False
            elif not domain.room():
                self.open(domain)
                if len(domain.free) < c.reserve:
                    domain.collecting = c.collection == "blocking"
                    self.next_victim(domain)
            else:
                return changed
            changed = True

    def open(self, domain):
        domain.frontier = domain.free.pop(0)
        domain.frontier.open()

    def next_victim(self, domain):
        if self.first_collection is None:
            self.first_collection = self.now
        least = min(count for count, blocks in domain.levels.items() if blocks)
        domain.victim = domain.levels[least].pop(0)
        assert least < domain.victim.size(), "stuck"
        domain.victim.sealed = False
        domain.left_first = least
        open_places = self.unit - len(domain.copies[2]) if domain.copies else 0
        needed = -(-max(0, least - open_places) // self.unit)
        domain.host_first = domain.host_left = max(0, domain.room() - needed) * self.unit

    def owes_copies(self, domain):
        victim = domain.victim
        if not victim or not victim.to_copy():
            return False
        if self.config.collection == "blocking" or domain.host_left == 0:
            return True
        return victim.to_copy() * domain.host_first > domain.left_first * domain.host_left

    def next_row(self, domain, die):
        victim = domain.victim
        rows = [row for d, row, _ in victim.pages if d == die and row >= victim.read[die]]
        return min(rows, default=None)

    def copy(self, die):
        domain = self.of[die.number]
        block, row = die.taken
        for i in range(self.unit):
            key = (die.number, row, i)
            if key in block.pages:
                page = block.pages.pop(key)
                self.where[page] = None
                self.copy_page(domain, page)
        domain.in_flight -= 1

    def copy_page(self, domain, page):
        if domain.copies is None:
            if not domain.room():
                self.open(domain)
            die = domain.dies[0]
            if self.config.scope == "superblock":
                die = self.next_die(True).number
                self.pointer = (die + 1) % len(self.dies)
            domain.copies = (domain.frontier, domain.frontier.take(die), [])
        block, place, pages = domain.copies
        pages.append(page)
        self.place(domain, block, (*place, len(pages) - 1), page)
        self.counts["copies"] += 1
        if len(pages) == self.unit:
            self.dies[place[0]].copies_due += 1
            domain.copies = None

    # Dies

    def style(self, die):
        if die.state != "idle":
            return bool(die.reads) and self.suspend(die)
        changed = self.config.mapped and self.proceed(self.of[die.number])
        operation = self.choose(die)
        if operation:
            self.begin(die, operation)
        return changed or bool(operation)

    def locked(self, die):
        if not self.config.mapped or self.config.collection != "blocking":
            return False
        return self.of[die.number].collecting or die.erases or die.copies_due

    def choose(self, die):
        fifo = self.config.priority == "fifo"
        reads = die.reads and not self.locked(die)
        if reads and not fifo:
            return "sense"
        if die.suspended:
            return "resuming"
        operation = self.background(die)
        if reads and operation in ("load", "slc load") and die.bound[0][0] > die.reads[0].time:
            return "sense"
        return operation or ("sense" if reads else None)

    def background(self, die):
        c = self.config
        if die.erases:
            return "erase"
        if die.copies_due:
            return "copy load"
        if c.mapped:
            domain = self.of[die.number]
            if self.owes_copies(domain) and self.next_row(domain, die.number) is not None:
                return "copy sense"
        if die.bound and (not c.mapped or c.scope == "superblock" or self.is_open(domain)):
            return "slc load" if die.bound[0][1] else "load"
        if die.foldable and (self.folding or self.forced):
            return "copy sense"
        return None

    def begin(self, die, operation):
        c = self.config
        pages = None
        if operation == "sense":
            die.read = die.reads.popleft()
        elif operation == "erase":
            die.erases -= 1
            self.counts["erases"] += 1
        elif operation == "copy load":
            die.copies_due -= 1
        elif operation == "copy sense":
            self.counts["copy reads"] += 1
            if c.slc:
                die.foldable -= 1
            else:
                domain = self.of[die.number]
                row = self.next_row(domain, die.number)
                die.taken = (domain.victim, row)
                domain.victim.read[die.number] = row + 1
                domain.in_flight += 1
                die.count = sum(k[:2] == (die.number, row) for k in domain.victim.pages)
        elif operation != "resuming":
            pages = die.bound.popleft()[2]
        self.enter(die, operation)
        if operation == "load" and c.mapped and c.scope == "die":
            self.place_unit(die, pages)

    def suspend(self, die):
        c = self.config
        may = [] if self.locked(die) else ["program", "slc program"]
        if c.collection != "blocking":
            may += ["copy program", "erase"]
        most = c.max_suspensions
        if die.state not in may or die.whole_end or (most is not None and die.pauses >= most):
            return False
        if c.slice_s is not None:
            return self.slice(die)
        if c.suspend_s is None or die.end - self.now <= ticks(c.suspend_s):
            return False
        self.set_aside(die, die.end)
        self.enter(die, "suspending")
        return True

    def slice(self, die):
        length = ticks(self.config.slice_s)
        if die.state == "erase":
            length = ticks(self.config.erase_slice_s or self.config.slice_s)
        if die.state == "erase" or self.config.slices == "fixed":
            until = die.begun
            while until <= self.now:
                until += length
        else:
            until = self.now + self.draw(self.service, length)
        die.whole_end, die.end = die.end, min(until, die.end)
        return False

    def set_aside(self, die, end):
        die.suspended, die.remaining, die.whole_end = die.state, end - self.now, None
        die.pauses += 1
        self.counts["suspensions"] += 1

    def spend(self, die):
        die.busy[die.state] = die.busy.get(die.state, 0) + self.now - die.since
        die.since = self.now

    def enter(self, die, state):
        c = self.config
        self.spend(die)
        die.begun = self.now
        times = {
            "sense": c.read_s, "program": c.program_s, "copy program": c.program_s,
            "erase": c.erase_s, "copy sense": c.slc.read_s if c.slc else c.read_s,
            "slc program": c.slc.program_s if c.slc else 0,
        }  # fmt: skip
        if state == "idle":
            die.end = NEVER
        elif state in ("transfer", "load", "slc load", "copy transfer", "copy load"):
            pages = 1 if state == "transfer" else self.unit
            if state == "copy transfer" and not c.slc:
                pages = die.count
            die.end = self.carry(die, pages)
        elif die.state == "resuming":
            die.end = self.now + die.remaining
        elif state in ("suspending", "resuming"):
            die.end = self.now + ticks(c.suspend_s if state == "suspending" else c.resume_s)
        else:
            mean = ticks(times[state])
            fixed = c.service == "fixed"
            die.end = self.now + (mean if fixed else self.draw(self.service, mean))
        die.state = state

    def carry(self, die, pages):
        channel = die.number % self.config.channels
        begin = max(self.now, self.free_at[channel])
        self.free_at[channel] = begin + pages * ticks(self.config.transfer_s)
        if not (self.config.cache_read and die.state == "sense"):
            self.waited += begin - self.now
        return self.free_at[channel]

    def die_event(self, die):  # noqa: C901 - one branch per state
        state, follows = die.state, "idle"
        if die.whole_end and die.whole_end != die.end:
            self.set_aside(die, die.whole_end)
            self.enter(die, "idle")
            return
        if state in ("program", "slc program", "copy program", "erase"):
            die.pauses, die.whole_end = 0, None
        if state == "sense" and self.config.cache_read:
            channel = self.carried[die.number % self.config.channels]
            channel.append((self.carry(die, 1), die.read))
        elif state == "sense":
            follows = "transfer"
        elif state == "copy sense":
            follows = "copy transfer"
        elif state.endswith("load"):
            follows = state.replace("load", "program")
        elif state == "resuming":
            follows, die.suspended = die.suspended, None
        self.enter(die, follows)
        if state in ("program", "slc program"):
            self.used -= self.unit
            die.units -= 1
            die.foldable += state == "slc program"
        elif state == "copy transfer" and self.config.slc:
            die.copies_due += 1
        elif state == "copy transfer":
            self.copy(die)
        elif state == "copy program" and self.config.slc:
            self.cached -= self.unit
            self.stored += self.unit
            self.counts["copies"] += self.unit
        elif state == "transfer":
            self.to_link(die.read)
