"""Configuration of a simulated array: the array, its load, the length of the run."""

from dataclasses import dataclass
from typing import Literal

from models.errors import DomainError
from models.simulator.config import _between, _choice, _whole
from models.simulator.events.config import MOST_SUM_S, MOST_WAITING, Length

MOST_MEMBERS = 1024
MOST_PARTS = 1 << 26  # of a run; the completions of each are kept


@dataclass(frozen=True, kw_only=True)
class Config(Length):
    """An array of alike members, its load and the length of the run.

    Args:
        members: Members of the array.
        read_s: Time that a member serves a read of one chunk. [s]
        write_s: Time that a member serves a write of one chunk. [s]
        read_delay_s: Time that passes after `read_s` before the chunk is done, while the member
            serves others. [s]
        write_delay_s: The same after `write_s`. [s]
        groups: Equal groups of neighbouring members; a stripe lies in one of them, at random.
        copies: Copies of every chunk, on neighbouring members: 1 but for mirrors. The members of a
            group are a multiple of it.
        parity: Parity chunks of a stripe; 0 with mirrors.
        data: Data chunks of a stripe; by default as many as a group holds beside copies or parity.
        update: How a write of a part of a stripe finds the new parity: from the old chunks
            ("read-modify-write") or from the data chunks that it leaves ("reconstruct-write").
        read_chunks: Data chunks of one stripe that a host read touches.
        write_chunks: Data chunks of one stripe that a host write touches.
        read_fraction: Share of reads in the host operations, in [0, 1].
        queue_depth: Host operations kept outstanding on the whole array.
        arrival_iops: Rate of further host operations that arrive at random (Poisson) whatever is
            outstanding. [1/s]
        failed: Numbers of the members that are lost: at most `parity` in a group, or all copies of
            a chunk but one.
        stall_s: Length of a stall, in which a member serves nothing. [s]
        stall_rate: Stalls of a member that begin per second, on average. [1/s]
        stall_intervals: Times from the start of one stall of a member to the next: "poisson"
            (exponential) or "fixed", with a random beginning.
        stall_together: The stalls at a rate begin on all members at once, not independently.
        stall_probability: Probability that an operation of a member stalls the member before it is
            served.
        window_s: Length of the windows in which IOPS are counted. [s]
        parts: Parts of a window in which IOPS are counted as well.
        warmup_s: Length of the run before the measurement, rounded to whole windows. [s]
        measured_s: Length of the measurement, rounded to whole windows. [s]
        seed: Seed of the random streams, in [0, 2**64).
    """

    members: int
    read_s: float
    write_s: float
    read_delay_s: float = 0.0
    write_delay_s: float = 0.0
    groups: int = 1
    copies: int = 1
    parity: int = 0
    data: int | None = None
    update: Literal["read-modify-write", "reconstruct-write"] = "read-modify-write"
    read_chunks: int = 1
    write_chunks: int = 1
    read_fraction: float = 1.0
    queue_depth: int = 0
    arrival_iops: float = 0.0
    failed: tuple[int, ...] = ()
    stall_s: float = 0.0
    stall_rate: float = 0.0
    stall_intervals: Literal["poisson", "fixed"] = "poisson"
    stall_together: bool = False
    stall_probability: float = 0.0

    def __post_init__(self) -> None:
        _layout(self)
        _load(self)
        _stalls(self)
        _failures(self)
        _length(self)

    @property
    def data_chunks(self) -> int:
        """Data chunks of a stripe."""
        return self.most_data_chunks if self.data is None else self.data

    @property
    def most_data_chunks(self) -> int:
        """Data chunks of a stripe that takes a whole group."""
        return self.members // self.groups // self.copies - self.parity

    @property
    def width(self) -> int:
        """Members that a stripe takes."""
        return self.data_chunks * self.copies + self.parity


def _layout(config: Config) -> None:
    members = config.members
    _whole("members", members, 1, MOST_MEMBERS)
    _whole("groups", config.groups, 1, members)
    _whole("copies", config.copies, 1, members // config.groups)
    if members % (config.groups * config.copies):
        raise DomainError(
            f"members must be a multiple of groups times copies, "
            f"{config.groups * config.copies}, got {members}"
        )
    most = 0 if config.copies > 1 else members // config.groups - 1
    _whole("parity", config.parity, 0, most)
    if config.data is not None:
        _whole("data", config.data, 1, config.most_data_chunks)
    _choice("update", config.update, ("read-modify-write", "reconstruct-write"))
    for name in ("read_chunks", "write_chunks"):
        _whole(name, getattr(config, name), 1, config.data_chunks)


def _load(config: Config) -> None:
    for name in ("read_s", "write_s"):
        _between(name, getattr(config, name), 1e-9, 1e3)
    for name in ("read_delay_s", "write_delay_s"):
        _between(name, getattr(config, name), 0, 1e3)
    _between("read_fraction", config.read_fraction, 0, 1)
    _whole("queue_depth", config.queue_depth, 0, 2**20)
    _between("arrival_iops", config.arrival_iops, 0, 1e9)
    if config.queue_depth == 0 and config.arrival_iops == 0:
        raise DomainError("queue_depth must be > 0 if nothing arrives, got 0")


def _stalls(config: Config) -> None:
    _between("stall_s", config.stall_s, 0, 1e3)
    most = 1 / config.stall_s if config.stall_s > 0 else 0.0
    _between("stall_rate", config.stall_rate, 0, most, high_open=most > 0)
    _between("stall_probability", config.stall_probability, 0, 1 if most else 0)
    _choice("stall_intervals", config.stall_intervals, ("poisson", "fixed"))
    if not isinstance(config.stall_together, bool):
        raise DomainError(f"stall_together must be True or False, got {config.stall_together!r}")


def _failures(config: Config) -> None:
    if not isinstance(config.failed, tuple):
        raise DomainError(f"failed must be a tuple of members, got {config.failed!r}")
    for member in config.failed:
        _whole("failed", member, 0, config.members - 1)
    if len(set(config.failed)) < len(config.failed):
        raise DomainError(f"failed must name every member once, got {config.failed}")
    most = config.copies - 1 if config.copies > 1 else config.parity
    together = config.copies if config.copies > 1 else config.members // config.groups
    lost = [member // together for member in config.failed]
    if max(map(lost.count, lost), default=0) > most:
        where = "in a mirror" if config.copies > 1 else "in a group"
        raise DomainError(f"failed must be at most {most} members {where}, got {config.failed}")


def _length(config: Config) -> None:
    config.check_length()
    waiting = MOST_WAITING if config.arrival_iops else 0
    longest = min(
        MOST_SUM_S / (config.queue_depth + waiting), MOST_PARTS * config.window_s / config.parts
    )
    if config.warmup_s + config.measured_s > longest:
        raise DomainError(
            f"measured_s must be <= {longest:.4g} with the warm-up, at this load and with parts of "
            f"{config.window_s / config.parts:g} s, got {config.warmup_s + config.measured_s!r}"
        )
