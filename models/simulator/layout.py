"""From a configuration to the arrays of a drive, and the memory that they take."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.simulator import kernel as k
from models.simulator.config import (
    COPIES,
    FRONTIERS,
    POLICIES,
    Classes,
    Config,
    Mixed,
    Sequential,
    Static,
    Trace,
    Zipf,
    class_bounds,
    class_count,
    class_shares,
)

COARSE_CELLS = 10  # logarithm to base 2
WORD = 2**64


def shapes(config: Config) -> dict[str, tuple[int, type[np.generic]]]:
    """Length and type of every array of `kernel.Drive` but the trace."""
    size, blocks = config.pages_per_block, config.blocks
    groups, classes = _groups(config), class_count(config.workload)
    lists = {"greedy": size + 1, "fifo": 1, "windowed-greedy": 1}.get(config.policy, 0)
    routes = classes * (config.write_streams - 1) if config.frontiers == "streams" else 0
    return {
        "word": (sum(_segments(config).values()) + k.HEADER, np.int64),
        "bits": (k.CLASS_CUT + classes + routes, np.uint64),
        "real": (k.ZIPF_WORDS + groups, np.float64),
        "request": (k.SURVIVORS + size, np.uint32),
        "where": (config.pages, np.uint32),
        "holds": (blocks * size, np.uint32),
        "valid": (-(-blocks * _stride(config) // 64), np.uint64),
        "node": (4 * blocks + 2 * groups * lists + 1, np.uint32),
        "owner": (blocks if config.frontiers == "streams" else 1, np.uint8),
    }


def array_bytes(config: Config) -> int:
    """Memory of the arrays [bytes]."""
    own = sum(length * np.dtype(kind).itemsize for length, kind in shapes(config).values())
    return own + _trace(config).nbytes


def build(config: Config) -> k.Drive:
    """Arrays of an empty drive that is about to be filled."""
    arrays = _allocate(shapes(config))
    drive = k.Drive(**arrays, trace=_trace(config))
    _set_words(config, drive.word)
    _set_bits(config, drive.bits)
    _set_reals(config, drive.real)
    drive.where.fill(k.NOWHERE)
    for at in range(4 * config.blocks, drive.node.size - 1, 2):  # lists are empty
        drive.node[at + 1 : at + 3] = at
    drive.node[0 : 4 * config.blocks : 4] = np.arange(1, config.blocks + 1)  # all are free
    return drive


def _allocate(specs: dict[str, tuple[int, type[np.generic]]]) -> dict[str, Any]:
    """Zeroed arrays in one piece of memory, which the system can map by large pages."""
    starts, end = {}, 0
    for name, (length, kind) in specs.items():
        starts[name] = end
        end += -(-length * np.dtype(kind).itemsize // 64) * 64
    memory = np.zeros(end, np.uint8)
    return {
        name: memory[starts[name] :][: length * np.dtype(kind).itemsize].view(kind)
        for name, (length, kind) in specs.items()
    }


def start_fill(config: Config, drive: k.Drive) -> None:
    """Make the first fill the workload."""
    mixed = config.fill == "random"
    if isinstance(config.workload, Static):
        mixed = config.workload.interleaved
        drive.word[k.FILL_FROM] = table(drive, k.CLASS_START)[1]
    drive.word[k.WORKLOAD] = k.FILL_RANDOM if mixed else k.FILL_SEQUENTIAL
    drive.bits[k.TRIM_CUT] = 0


def start_workload(config: Config, drive: k.Drive) -> None:
    """Make the configured workload the workload, from its beginning."""
    drive.word[k.WORKLOAD] = _workload_code(config)
    drive.bits[k.TRIM_CUT] = _cut(config.trim_share)
    drive.word[k.POSITION] = k.BATCH
    drive.word[k.CURSOR] = 0
    drive.request.fill(0)


def start_count(drive: k.Drive) -> None:
    """Forget what was counted."""
    drive.word[k.WRITES : k.FULL_VICTIMS + 1] = 0
    table(drive, k.VICTIM_VALID).fill(0)
    table(drive, k.BY_CLASS).fill(0)


def table(drive: k.Drive, name: int) -> NDArray[np.int64]:
    """Part of the words that a header word points to."""
    starts = [*drive.word[k.FRONTIER : k.HEADER].tolist(), drive.word.size]
    return drive.word[starts[name - k.FRONTIER] : starts[name - k.FRONTIER + 1]]


def _segments(config: Config) -> dict[int, int]:
    """Lengths of the tables inside the words, in their order."""
    groups, classes = _groups(config), class_count(config.workload)
    return {
        k.FRONTIER: 2 * config.streams,
        k.LEAST: groups,
        k.OWNED: 2 * groups,
        k.CLASS_START: classes + 1,
        k.COARSE: (config.pages - 1 >> _coarse_shift(config)) + 1,
        k.CLASS_ALIAS: classes,
        k.BY_CLASS: 2 * classes,
        k.CLASS_IN_USE: classes,
        k.VICTIM_VALID: config.pages_per_block + 1,
        k.SEALED_AT: config.blocks if config.policy == "cost-benefit" else 0,
    }


def _set_words(config: Config, word: NDArray[np.int64]) -> None:
    size = config.pages_per_block
    sample = config.window if config.policy == "windowed-greedy" else config.choices
    header = {
        k.BLOCKS: config.blocks,
        k.SIZE: size,
        k.SHIFT: (size - 1).bit_length(),
        k.ROWS: -(-config.pages_per_block // 64),  # words of validity bits of a block
        k.RESERVE: config.reserve,
        k.POLICY: POLICIES.index(config.policy),
        k.SAMPLE: sample,
        k.FRONTIERS: FRONTIERS.index(config.frontiers),
        k.WRITE_STREAMS: config.write_streams,
        k.COPIES_TO: COPIES.index(config.copies),
        k.GROUPS: _groups(config),
        k.TRIMS: int(np.count_nonzero(_trace(config) >= k.TRIMMED)),
        k.TRIM_KIND: k.TRIM if config.trims == "as-written" else k.TRIM_ANY,
        k.CLASS_COUNT: class_count(config.workload),
        k.PAGES: config.pages,
        k.COARSE_SHIFT: _coarse_shift(config),
        k.SCRAMBLE_BITS: (config.pages - 1).bit_length(),
        k.POSITION: k.BATCH,
        k.FREE_TAIL: config.blocks - 1,
        k.FREE: config.blocks,
    }
    at = k.HEADER
    for name, length in _segments(config).items():
        header[name] = at
        at += length
    for name, value in header.items():
        word[name] = value
    starts, ends = class_bounds(config)
    shift = header[k.COARSE_SHIFT]
    tables: dict[int, Sequence[int] | NDArray[np.int64]] = {
        k.FRONTIER: [0, size] * config.streams,
        k.LEAST: [size] * header[k.GROUPS],
        k.CLASS_START: [*starts, ends[-1]],
        k.COARSE: np.searchsorted(
            ends, np.arange((config.pages - 1 >> shift) + 1) << shift, side="right"
        ),
        k.CLASS_ALIAS: alias_table(class_shares(config.workload)[0])[1],
    }
    for name, values in tables.items():
        word[header[name] : header[name] + len(values)] = values


def _set_bits(config: Config, bits: NDArray[np.uint64]) -> None:
    words = _splitmix(config.seed, k.SCRAMBLE + 2 * k.ROUNDS)
    bits[: len(words)] = words
    bits[k.SCRAMBLE : k.SCRAMBLE + 2 * k.ROUNDS : 2] |= np.uint64(1)  # odd factors are invertible
    cuts = [*alias_table(class_shares(config.workload)[0])[0], *_route_cuts(config)]
    bits[k.CLASS_CUT :] = cuts


def _set_reals(config: Config, real: NDArray[np.float64]) -> None:
    if isinstance(config.workload, Zipf):
        real[: k.ZIPF_WORDS] = _zipf(config.workload.exponent, config.pages)
    if _groups(config) > 1:
        real[k.ZIPF_WORDS :] = _quota(config)


def _stride(config: Config) -> int:
    """Codes from one block to the next: the next power of two."""
    return 1 << (config.pages_per_block - 1).bit_length()


def _groups(config: Config) -> int:
    return config.streams if (config.frontiers, config.cleaning) == ("streams", "quota") else 1


def _workload_code(config: Config) -> int:
    codes = {Classes: k.CLASSES, Zipf: k.ZIPF, Sequential: k.SEQUENTIAL, Mixed: k.MIXED}
    return codes.get(
        type(config.workload), k.TRACE if isinstance(config.workload, Trace) else k.UNIFORM
    )


def _cut(probability: float) -> int:
    """Threshold below which 64 random bits fall with a probability."""
    return min(int(probability * WORD), WORD - 1)


def _trace(config: Config) -> NDArray[np.uint32]:
    """Pages of a trace, those of trims with a mark; read-only, whatever the workload.

    To numba arrays that may be written have another type: the kernel would be compiled again.
    """
    pages = np.zeros(1, np.uint32)
    if isinstance(config.workload, Trace):
        pages, trims = config.workload.pages, config.workload.trims
        if trims is not None:
            pages = np.where(trims, pages | np.uint32(k.TRIMMED), pages)
    pages.flags.writeable = False
    return pages


def _coarse_shift(config: Config) -> int:
    return max(0, config.pages.bit_length() - COARSE_CELLS)


def _quota(config: Config) -> list[float]:
    """Blocks of each stream: its pages and its share of the spare area."""
    spare = config.spare_shares or (1 / config.streams,) * config.streams
    total = (config.blocks - config.reserve) * config.pages_per_block
    held = class_shares(config.workload)[1]
    columns = zip(*config.routing, strict=True)
    shares = [sum(f * c for f, c in zip(held, column, strict=True)) for column in columns]
    pages = [
        f * config.pages + s * (total - config.pages) for f, s in zip(shares, spare, strict=True)
    ]
    return [count / config.pages_per_block for count in pages]


def _route_cuts(config: Config) -> list[int]:
    """Cumulated probabilities of all streams but the last, class by class."""
    if config.frontiers != "streams":
        return []
    last = config.write_streams - 1
    return [_cut(sum(row[: s + 1])) for row in config.routing for s in range(last)]


def _zipf(exponent: float, pages: int) -> list[float]:
    """Exponent, areas at both ends and width that needs no test (rejection-inversion)."""
    rest = 1 - exponent

    def area(x: float) -> float:
        log = math.log(x)
        return math.expm1(rest * log) / rest if rest else log

    def inverse(a: float) -> float:
        return math.exp(math.log1p(max(-1.0, rest * a)) / rest) if rest else math.exp(a)

    squeeze = 2 - inverse(area(2.5) - 2**-exponent)
    return [exponent, area(1.5) - 1, area(pages + 0.5), squeeze]


def alias_table(shares: tuple[float, ...]) -> tuple[list[int], list[int]]:
    """Cuts and aliases: class k is kept if 64 random bits are below its cut (Vose)."""
    count = len(shares)
    scaled = [share * count / sum(shares) for share in shares]
    small = [i for i, share in enumerate(scaled) if share < 1]
    large = [i for i, share in enumerate(scaled) if share >= 1]
    cuts, aliases = [WORD - 1] * count, list(range(count))
    while small and large:
        low, high = small.pop(), large[-1]
        cuts[low], aliases[low] = _cut(scaled[low]), high
        scaled[high] -= 1 - scaled[low]
        if scaled[high] < 1:
            small.append(large.pop())
    return cuts, aliases


def _splitmix(seed: int, count: int) -> list[int]:
    """Words that differ in every bit from one seed to the next (splitmix64)."""
    words = []
    for i in range(1, count + 1):
        z = (seed + i * 0x9E3779B97F4A7C15) % WORD
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        words.append(z ^ (z >> 31))
    return words
