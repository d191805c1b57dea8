"""From a configuration to the arrays of a drive at the start of its run."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.simulator.events import state as at
from models.simulator.events.config import MOST_WAITING, TICKS_PER_S, Config
from models.simulator.events.result import BUCKETS
from models.simulator.layout import _cut, _splitmix

Shapes = dict[str, tuple[tuple[int, ...], type[Any]]]

_MANY = 1 << 62
SERVERS = 5  # beside dies and channels
LONGEST_LOG_OF_BURSTS = 1 << 20
PAGES_AT_ONCE = 1 << 16  # filled at a time, so that what is computed on the way stays small
BYTES_OF_A_PAGE = 64  # of what is computed on the way for each of them
BYTES_OF_A_NODE = 48  # of what is computed to chain the nodes of a domain
BYTES_OF_A_WINDOW = 600  # counts of a window, and its part of the result


def ticks(seconds: float) -> int:
    """Ticks of a time; a time without end never comes."""
    return round(seconds * TICKS_PER_S) if seconds * TICKS_PER_S < at.NEVER else at.NEVER


def memory_bytes(shapes: Shapes) -> int:
    """Memory of arrays [bytes]."""
    return sum(math.prod(shape) * np.dtype(kind).itemsize for shape, kind in shapes.values())


def bytes_needed(config: Config) -> int:
    """Memory that a run takes at most: its arrays, and what is computed to fill them [bytes]."""
    nodes, lists = _nodes(config)
    windows = config.warmup_windows + config.measured_windows
    return (
        array_bytes(config)
        + BYTES_OF_A_PAGE * PAGES_AT_ONCE
        + max(4 * nodes, 4 * lists, BYTES_OF_A_NODE * config.blocks_per_die)
        + 24 * _commands(config)
        + 8 * _most_bursts(config)
        + BYTES_OF_A_WINDOW * windows
    )


def array_bytes(config: Config) -> int:
    """Memory of the arrays of a drive [bytes]."""
    return memory_bytes(_shapes(config, 0))


def build(config: Config, log: int = 0) -> at.Drive:
    """Arrays of a drive at the start of its run; `log` completions are written down."""
    arrays = {name: np.zeros(shape, kind) for name, (shape, kind) in _shapes(config, log).items()}
    s = at.Drive(**arrays)
    for name, value in (_drive_words(config) | _load_words(config) | _first_words()).items():
        s.sys[name] = value
    s.sys[at.PART_END] = s.sys[at.PART_TICKS]
    start_window(s)
    s.bits[: at.READ_CUT] = _splitmix(config.seed, at.READ_CUT)
    s.bits[at.READ_CUT] = _cut(config.read_fraction)
    s.die[:, [at.HEAD, at.LAST, at.COMMAND]] = at.NONE
    s.die[:, at.CHANNEL] = np.arange(config.dies) % config.channels
    s.channel[:, at.CHANNEL_HEAD] = at.NONE
    s.kicked[:] = [min(2 ** (config.dies - i), 2**64) - 1 for i in range(0, config.dies, 64)]
    if config.mapped:
        _erase_all(config, s)
        if config.start == "filled":
            _fill(config, s)
    _set_commands(config, s)
    _set_timers(config, s)
    return s


def start_window(s: at.Drive) -> None:
    """Forget what was counted in the window before."""
    s.tally.fill(0)
    s.tally[at.FEWEST : at.FEWEST + 2] = at.NEVER
    s.tally[at.PART_LEAST] = at.NEVER


def _shapes(config: Config, log: int) -> Shapes:
    dies, servers = config.dies, config.dies + config.channels + SERVERS
    number = config.blocks_per_die * dies if config.mapped else 0
    nodes, lists = _nodes(config)
    stride = 1 << _shift(config)
    return {
        "sys": ((at.SYS,), np.int64),
        "bits": ((at.BITS,), np.uint64),
        "kicked": ((-(-dies // 64),), np.uint64),
        "at": ((_leaves(servers),), np.int64),
        "tree": ((2 * _leaves(servers),), np.int64),
        "die": ((dies, at.DIE), np.int64),
        "busy": ((dies, at.STATES), np.int64),
        "stamp": ((dies, config.die_queue), np.int64),
        "queue": ((dies, config.die_queue * config.pages_per_program), np.uint32),
        "domain": ((_domains(config), at.DOMAIN_WORDS), np.int64),
        "channel": ((config.channels, at.CHANNEL_WORDS), np.int64),
        "command": ((_commands(config), at.COMMAND_WORDS), np.int64),
        "ready": ((config.buffer_pages if config.has_writes else 1,), np.uint32),
        "where": ((config.pages if config.mapped else 1,), np.uint32),
        "holds": ((max(1, number * config.pages_per_block),), np.uint32),
        "valid": ((max(1, -(-number * stride // 64)),), np.uint64),
        "node": ((4 * nodes + 2 * lists + 1,), np.uint32),
        "tally": ((at.TALLIES,), np.int64),
        "squares": ((2,), np.float64),
        "histogram": ((2, BUCKETS), np.int64),
        "bursts": ((_most_bursts(config) + 1,), np.int64),
        "log": ((log, 3), np.int64),
    }


def _nodes(config: Config) -> tuple[int, int]:
    """Count the nodes, and the lists of nodes by their valid pages."""
    if not config.mapped:
        return 0, 0
    domains = _domains(config)
    return config.blocks_per_die * domains, domains * (_node_pages(config) + 1)


def _drive_words(config: Config) -> dict[int, int]:
    unit = config.pages_per_program
    return {
        at.DIES: config.dies,
        at.CHANNELS: config.channels,
        at.MAPPED: config.mapped,
        at.SUPERBLOCK: config.mapped and config.scope == "superblock",
        at.DOMAINS: _domains(config),
        at.SIZE: config.pages_per_block,
        at.SHIFT: _shift(config),
        at.UNIT: unit,
        at.ROWS: config.pages_per_block // unit,
        at.BLOCKS: config.blocks_per_die,
        at.RESERVE: config.reserve,
        at.GAIN: config.gain_blocks,
        at.BLOCKING: config.collection == "blocking",
        at.ROUND_ROBIN: config.allocation == "round-robin",
        at.DIE_QUEUE: config.die_queue,
        at.CACHE_READ: config.cache_read,
        at.EXPONENTIAL: config.service == "exponential",
        at.FIFO: config.priority == "fifo",
        at.SUSPEND: -1 if config.suspend_s is None else ticks(config.suspend_s),
        at.RESUME: ticks(config.resume_s),
        at.SLICE: 0 if config.slice_s is None else max(1, ticks(config.slice_s)),
        at.ERASE_SLICE: max(1, ticks(config.erase_slice_s or config.slice_s or 0.0)),
        at.SLICES_VARY: config.slices == "exponential",
        at.MOST_PAUSES: _MANY if config.max_suspensions is None else config.max_suspensions,
        at.READ_TIME: ticks(config.read_s),
        at.PROGRAM_TIME: ticks(config.program_s),
        at.ERASE_TIME: ticks(config.erase_s),
        at.TRANSFER_TIME: ticks(config.transfer_s),
        at.LINK_TIME: ticks(config.link_s),
        at.BUFFER: config.buffer_pages,
        at.PAGES: config.pages,
        at.SEQUENTIAL: config.writes == "sequential",
        at.PART_TICKS: config.part_ticks,
    } | _slc_words(config)


def _slc_words(config: Config) -> dict[int, int]:
    slc = config.slc
    if slc is None:
        return {}
    return {
        at.SLC: 1,
        at.SLC_PROGRAM_TIME: ticks(slc.program_s),
        at.SLC_READ_TIME: ticks(slc.read_s),
        at.SLC_STATIC: slc.static_pages,
        at.SLC_FREE: slc.free_pages,
        at.SLC_BITS: slc.bits_per_cell,
        at.SLC_WAITS: slc.when_full == "fold",
        at.FOLD_IDLE: slc.folding == "idle",
        at.FOLDING: slc.folding == "always",
        at.IDLE_TIME: ticks(slc.idle_s),
    }


def _load_words(config: Config) -> dict[int, int]:
    return {
        at.MIXED: 0 < config.read_fraction < 1,
        at.FIXED_READS: config.arrivals == "fixed",
        at.FIXED_WRITES: config.arrivals != "poisson",
        at.READ_GAP: _gap(config.read_iops, config.read_batch),
        at.WRITE_GAP: _gap(config.write_iops, config.write_batch),
        at.READ_BATCH: config.read_batch,
        at.WRITE_BATCH: config.write_batch,
        at.BURST_PAGES: config.burst_pages,
        at.BURST_PERIOD: ticks(config.burst_period_s),
        at.BURST_DEPTH: config.writers if config.burst_pages else 0,
    }


def _first_words() -> dict[int, int]:
    empty = (at.TODO, at.ARRIVED, at.LINK_HEAD, at.SPARE_COMMAND)
    return dict.fromkeys(empty, at.NONE) | {at.FIRST_COLLECTION: at.NEVER}


def _gap(rate: float, batch: int) -> int:
    return max(1, ticks(batch / rate)) if rate > 0 else at.NEVER


def _erase_all(config: Config, s: at.Drive) -> None:
    """Let every block be free, in the order of their places."""
    domains, blocks = _domains(config), config.blocks_per_die
    nodes = blocks * domains
    s.die[:, at.DOMAIN] = np.arange(config.dies) if domains > 1 else 0
    s.die[:, at.ROW] = config.pages_per_block // config.pages_per_program
    s.where.fill(at.NOWHERE)
    following = np.arange(domains, nodes + domains, dtype=np.uint32)  # of the same domain
    s.node[0 : 4 * nodes : 4] = following
    lists = np.arange(4 * nodes, s.node.size - 1, 2, dtype=np.uint32)
    s.node[4 * nodes + 1 :: 2] = s.node[4 * nodes + 2 :: 2] = lists  # they are empty
    own = s.domain
    own[:, at.FREE] = blocks
    own[:, at.FREE_HEAD] = np.arange(domains)
    own[:, at.FREE_LAST] = (blocks - 1) * domains + np.arange(domains)
    own[:, at.LEAST] = _node_pages(config)
    own[:, [at.FRONTIER, at.VICTIM]] = at.NONE


def _fill(config: Config, s: at.Drive) -> None:
    """Write every logical page once, in sequence, program by program around the dies."""
    unit, dies = config.pages_per_program, config.dies
    for first in range(0, config.pages, PAGES_AT_ONCE):
        _place(config, s, np.arange(first, min(first + PAGES_AT_ONCE, config.pages)))
    units = config.pages // unit
    s.sys[at.POINTER] = units % dies
    programs = (units - np.arange(dies) + dies - 1) // dies
    rows = config.pages_per_block // unit
    s.valid.fill(2**64 - 1)
    width = _width(config)
    for domain in range(_domains(config)):
        own = slice(domain, domain + width)
        _open_filled(config, s, domain, programs[own])
        full = (-(-programs[own].max() // rows) - 1) * rows
        s.die[own, at.ROW] = programs[own] - full  # in the node opened last


def _place(config: Config, s: at.Drive, page: NDArray[np.int64]) -> None:
    """Put logical pages where writing all of them in sequence puts them."""
    size, unit, dies = config.pages_per_block, config.pages_per_program, config.dies
    turn = page // unit // dies  # programs of the die before this one
    number = turn // (size // unit) * dies + page // unit % dies
    offset = turn % (size // unit) * unit + page % unit
    s.where[page] = (number << _shift(config)) + offset
    s.holds[number * size + offset] = page


def _open_filled(config: Config, s: at.Drive, domain: int, programs: NDArray[np.int64]) -> None:
    """Take the nodes that hold the programs of a domain's dies; seal all but an unfilled one."""
    domains, pages = _domains(config), _node_pages(config)
    filled = int(programs.sum()) * config.pages_per_program
    sealed, rest = divmod(filled, pages)
    opened = sealed + (rest > 0)
    own = s.domain[domain]
    own[at.FREE] -= opened
    own[at.FREE_HEAD] = opened * domains + domain
    words = 4 * (np.arange(opened) * domains + domain)
    s.node[words] = pages
    if rest:
        own[at.FRONTIER] = words[-1] // 4
        own[at.ROOM] = (pages - rest) // config.pages_per_program
        s.node[words[-1]] += at.OPEN
    sentinel = s.node.size - 1 - 2 * ((domains - domain) * (pages + 1) - pages)
    ring = np.concatenate(([sentinel], words[:sealed]))
    s.node[ring + 1] = np.roll(ring, -1)
    s.node[ring + 2] = np.roll(ring, 1)


def _set_commands(config: Config, s: at.Drive) -> None:
    """Issue the closed commands; chain the others."""
    writers = 0 if config.burst_pages else config.writers
    kinds = [2 * at.POOL_MIXED + (config.read_fraction == 0)] * config.queue_depth
    kinds += [2 * at.POOL_READERS] * config.readers + [2 * at.POOL_WRITERS + 1] * writers
    closed, total = len(kinds), len(s.command)
    s.command[:closed, at.KIND] = kinds
    s.command[:, at.NEXT] = np.arange(1, total + 1)
    if closed:
        s.command[closed - 1, at.NEXT] = at.NONE
        s.sys[at.TODO], s.sys[at.TODO_LAST] = 0, closed - 1
    if closed < total:
        s.command[total - 1, at.NEXT] = at.NONE
        s.sys[at.SPARE_COMMAND] = closed


def _set_timers(config: Config, s: at.Drive) -> None:
    s.at.fill(at.NEVER)
    first = config.dies + config.channels + 1
    s.at[first] = 0 if config.read_iops else at.NEVER
    s.at[first + 1] = 0 if config.write_iops else at.NEVER
    s.at[first + 2] = 0 if config.burst_pages else at.NEVER
    set_winners(s.at, s.tree)


def set_winners(times: NDArray[np.int64], tree: NDArray[np.int64]) -> None:
    """Fill a tree of which each node names the earlier timer below it, the left one of two."""
    winners = np.arange(len(times))
    tree[len(winners) :] = winners
    while len(winners) > 1:
        left, right = winners[::2], winners[1::2]
        winners = np.where(times[left] <= times[right], left, right)
        tree[len(winners) : 2 * len(winners)] = winners


def _leaves(servers: int) -> int:
    return 1 << (servers - 1).bit_length()


def _domains(config: Config) -> int:
    return 1 if config.scope == "superblock" else config.dies


def _width(config: Config) -> int:
    return config.dies // _domains(config)


def _node_pages(config: Config) -> int:
    return config.pages_per_block * _width(config)


def _shift(config: Config) -> int:
    return (config.pages_per_block - 1).bit_length()


def _commands(config: Config) -> int:
    waiting = MOST_WAITING if config.read_iops or config.write_iops else 0
    return config.outstanding + waiting


def _most_bursts(config: Config) -> int:
    if not config.burst_pages:
        return 0
    length = config.warmup_s + config.measured_s
    return min(LONGEST_LOG_OF_BURSTS, int(length / config.burst_period_s) + 1)
