"""From a configuration to the arrays of a simulated array at the start of its run."""

import numpy as np

from models.simulator.arrays import state as at
from models.simulator.arrays.config import Config
from models.simulator.events.config import MOST_WAITING
from models.simulator.events.layout import Shapes, memory_bytes, set_winners, ticks
from models.simulator.events.result import BUCKETS
from models.simulator.layout import _cut, _splitmix


def bytes_needed(config: Config) -> int:
    """Memory that a run allocates [bytes]."""
    return memory_bytes(_shapes(config, 0))


def build(config: Config, log: int = 0) -> at.Array:
    """Arrays at the start of a run; `log` completions are written down."""
    arrays = {name: np.zeros(shape, kind) for name, (shape, kind) in _shapes(config, log).items()}
    s = at.Array(**arrays)
    for name, value in _words(config).items():
        s.sys[name] = value
    start_count(s)
    _set_bits(config, s)
    for member in config.failed:
        s.member[member, at.LOST] = 1
    _set_commands(s)
    _set_timers(config, s)
    return s


def start_count(s: at.Array) -> None:
    """Forget what was counted, but for the parts of the run and the members."""
    for counts in (s.tally, s.squares, s.histogram):
        counts.fill(0)
    s.tally[at.FEWEST : at.FEWEST + 2] = at.NEVER


def _shapes(config: Config, log: int) -> Shapes:
    leaves = 1 << _commands(config).bit_length()
    windows = config.warmup_windows + config.measured_windows
    return {
        "sys": ((at.SYS,), np.int64),
        "bits": ((at.OWN + config.members * at.OWN_BITS,), np.uint64),
        "at": ((leaves,), np.int64),
        "tree": ((2 * leaves,), np.int64),
        "member": ((config.members, at.MEMBER), np.int64),
        "command": ((_commands(config), at.COMMAND), np.int64),
        "tally": ((at.TALLIES,), np.int64),
        "squares": ((2,), np.float64),
        "histogram": ((2, BUCKETS), np.int64),
        "parts": ((windows * config.parts, 2), np.int32),
        "log": ((log, 3), np.int64),
    }


def _words(config: Config) -> dict[int, int]:
    return {
        at.MEMBERS: config.members,
        at.GROUP: config.members // config.groups,
        at.COPIES: config.copies,
        at.DATA: config.data_chunks,
        at.PARITY: config.parity,
        at.RECONSTRUCT: config.update == "reconstruct-write",
        at.READ_CHUNKS: config.read_chunks,
        at.WRITE_CHUNKS: config.write_chunks,
        at.READ_TIME: ticks(config.read_s),
        at.WRITE_TIME: ticks(config.write_s),
        at.READ_DELAY: ticks(config.read_delay_s),
        at.WRITE_DELAY: ticks(config.write_delay_s),
        at.STALL_TIME: ticks(config.stall_s),
        at.STALL_GAP: _gap(config.stall_rate),
        at.FIXED_GAPS: config.stall_intervals == "fixed",
        at.STALLS_REQUESTS: config.stall_probability > 0,
        at.DEPTH: config.queue_depth,
        at.ARRIVAL_GAP: _gap(config.arrival_iops),
        at.MIXED: 0 < config.read_fraction < 1,
        at.ONLY_WRITES: config.read_fraction == 0,
        at.ANY_LOST: len(config.failed) > 0,
        at.PART_TICKS: config.part_ticks,
        at.OUTSTANDING: config.queue_depth,
        at.SPARE_COMMAND: config.queue_depth if config.arrival_iops else at.NONE,
    }


def _gap(rate: float) -> int:
    return max(1, ticks(1 / rate)) if rate > 0 else at.NEVER


def _set_bits(config: Config, s: at.Array) -> None:
    """Seed the random streams; the stalls of all members are those of one if they are together."""
    s.bits[:] = _splitmix(config.seed, len(s.bits))
    s.bits[at.READ_CUT] = _cut(config.read_fraction)
    s.bits[at.STALL_CUT] = _cut(config.stall_probability)
    own = s.bits[at.OWN :].reshape(config.members, at.OWN_BITS)
    if config.stall_together:
        own[:, at.STALLS : at.STALLS + 4] = own[0, at.STALLS : at.STALLS + 4]
    own[:, at.CLOCK : at.CLOCK + 4] = own[:, at.STALLS : at.STALLS + 4]


def _set_commands(s: at.Array) -> None:
    """Let the closed operations begin; chain the places of the others."""
    total = len(s.command)
    s.command[:, at.STAGE] = at.START
    s.command[:, at.NEXT] = np.arange(1, total + 1)
    s.command[total - 1, at.NEXT] = at.NONE


def _set_timers(config: Config, s: at.Array) -> None:
    s.at.fill(at.NEVER)
    s.at[0] = 0 if config.arrival_iops else at.NEVER
    s.at[1 : 1 + config.queue_depth] = 0
    set_winners(s.at, s.tree)


def _commands(config: Config) -> int:
    return config.queue_depth + (MOST_WAITING if config.arrival_iops else 0)
