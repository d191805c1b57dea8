"""Phases of a protocol, as they are written: "write random 4KiB depth 32 for 2000 s".

The same words stand in `data/protocol_phases.csv`, on the command line and in a field of the app.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from models.errors import DomainError
from models.units import KIB
from planner.quantity.parse import (
    parse_block,
    parse_bytes,
    parse_count,
    parse_duration,
    parse_fraction,
    parse_skew_name,
    quoted,
)
from planner.scenario.skew import FIELD, classes_of

FILL_BYTES, FILL_DEPTH = 128.0 * KIB, 32.0
LONGEST_TEXT = 200  # characters of one phase
DEEPEST = 65_536.0
LARGEST_BYTES = 1e15  # of one operation's total; a petabyte takes a drive for weeks
SKEW_BYTES = 1e12  # of a drive on which a skew is tried before there is one
LONGEST_S = 400 * 86_400.0


class Action(StrEnum):
    """Work of a phase."""

    ERASE = "erase"
    TRIM = "trim"
    IDLE = "idle"
    FILL = "fill"
    WRITE = "write"
    READ = "read"
    MIX = "mix"
    REPLAY = "replay"


MOVES = (Action.FILL, Action.WRITE, Action.READ, Action.MIX)
WITHOUT_DATA = (Action.ERASE, Action.TRIM, Action.IDLE)


@dataclass(frozen=True, slots=True)
class DrivePart:
    """A part of a drive: a share of what the test may use, a number of bytes, or its rating."""

    fraction: float = 1.0
    size_bytes: float = math.nan
    is_rating: bool = False

    def of(self, usable_bytes: float) -> float:
        """Return the bytes of it on a drive, which cannot hold more than itself.

        >>> DrivePart(0.25).of(400e9), DrivePart(size_bytes=8e9).of(4e9)
        (100000000000.0, 4000000000.0)
        """
        if math.isnan(self.size_bytes):
            return self.fraction * usable_bytes
        return min(self.size_bytes, usable_bytes)


@dataclass(frozen=True, slots=True)
class Beside:
    """A second stream: random writes of 4 KiB in bursts, for as long as the phase lasts."""

    burst_bytes: float
    cycle_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One phase of a protocol, in base units.

    It ends with the bytes that it `moves`, or when it `lasts` no longer. In bursts of
    `burst_bytes` the drive is busy for the share `busy_fraction` of the time. `is_measured` says
    that its result is reported: others prepare the drive.
    """

    action: Action
    name: str = ""
    is_measured: bool = True
    is_sequential: bool = False
    read_fraction: float = 0.0
    transfer_bytes: float = 4.0 * KIB
    queue_depth: float = 1.0
    span: DrivePart = DrivePart()
    lasts_s: float = math.inf
    moves: DrivePart | None = None
    burst_bytes: float = math.inf
    busy_fraction: float = 1.0
    beside: Beside | None = None
    trace: str = ""
    skew: str = "uniform"

    def on_rating(self, rated_bytes: float) -> "Phase":
        """Return the phase on a drive of a rating, which some phases write.

        >>> phase = parse_phase("phase", "write random 4KiB up to its rating")
        >>> phase.on_rating(150e12).moved_bytes(250e9)
        150000000000000.0
        """
        if self.moves is None or not self.moves.is_rating:
            return self
        return replace(self, moves=DrivePart(size_bytes=rated_bytes, is_rating=True))

    def moved_bytes(self, usable_bytes: float) -> float:
        """Return the bytes after which the phase ends, without end where only time ends it.

        A share is one of the span, of which there may be several.
        """
        if self.moves is None:
            return math.inf
        size = self.moves.size_bytes
        return self.moves.fraction * self.span.of(usable_bytes) if math.isnan(size) else size


_NUMBER = r"\d[\d.,]*"
_SIZE = rf"{_NUMBER}\s*(?:(?:[kKMGTP]i?)?B\b|[kKM]\b)"
_AMOUNT = rf"(?:{_SIZE}|{_NUMBER}\s*%)"
_TIME = rf"{_NUMBER}\s*(?:s|sec|seconds?|min|minutes?|h|hours?|d|days?)\b"
# Phrases of a phase, in the order in which they are looked for.
_PHRASES = {
    "beside": rf"beside writes of (?P<bytes>{_SIZE}) every (?P<time>{_TIME})",
    "burst": rf"in bursts of (?P<bytes>{_SIZE})",
    "busy": rf"busy (?P<share>{_NUMBER}\s*%)",
    "reads": rf"(?P<share>{_NUMBER}\s*%) reads",
    "moves": rf"up to (?P<bytes>{_AMOUNT}|{_NUMBER} times|its rating)",
    "skew": r"skew (?P<name>[\w./:+]+)",
    "span": rf"over (?P<bytes>{_AMOUNT}|all)",
    "lasts": rf"for (?P<time>{_TIME})",
    "depth": rf"depth (?P<count>{_NUMBER})",
    "pattern": r"(?P<word>random|sequential)",
    "size": rf"(?P<bytes>{_SIZE})",
}
_COMPILED = {
    name: re.compile(rf"(?<![\w.,]){form}(?![\w])", re.IGNORECASE)
    for name, form in _PHRASES.items()
}
ACCEPTED = (
    '"erase", "fill", "trim 50%", "idle 30 s", "replay heavy". Or "write", "read", "mix 70% reads" '
    'with "sequential", "4KiB", "depth 32", "over 8GB", "for 60 s", "up to 32GB", "busy 20%"'
)


def parse_phase(field: str, written: str) -> Phase:
    """Read one phase.

    >>> phase = parse_phase("phase", "write random 4KiB depth 32 over 75% for 2000 s")
    >>> phase.action.value, phase.queue_depth, phase.span.fraction, phase.lasts_s
    ('write', 32.0, 0.75, 2000.0)
    >>> parse_phase("phase", "write backwards")
    Traceback (most recent call last):
    models.errors.DomainError: phase: 'backwards' is not understood; accepted: "erase", "fill", \
"trim 50%", "idle 30 s", "replay heavy". Or "write", "read", "mix 70% reads" with "sequential", \
"4KiB", "depth 32", "over 8GB", "for 60 s", "up to 32GB", "busy 20%"
    """
    if len(written) > LONGEST_TEXT:
        raise DomainError(f"{field} must be at most {LONGEST_TEXT} characters")
    text = " ".join(filter(None, (word.rstrip(",") for word in written.split())))
    verb, _, rest = text.partition(" ")
    if verb.lower() not in {action.value for action in Action}:
        raise DomainError(f"{field}: {quoted(verb)} is not understood; accepted: {ACCEPTED}")
    phase = _READERS[Action(verb.lower())](field, rest.strip())
    return replace(phase, name=text)


def _nothing(action: Action) -> Callable[[str, str], Phase]:
    def read(field: str, rest: str) -> Phase:
        if rest:
            raise _unread(field, rest)
        return Phase(action=action, is_measured=False)

    return read


def _trim(field: str, rest: str) -> Phase:
    span = DrivePart() if rest.lower() in {"", "all"} else _part(field, rest)
    return Phase(action=Action.TRIM, span=span, is_measured=False)


def _idle(field: str, rest: str) -> Phase:
    return Phase(
        action=Action.IDLE, lasts_s=_time(field, rest.removeprefix("for ")), is_measured=False
    )


def _fill(field: str, rest: str) -> Phase:
    found, left = _phrases(field, re.sub(r"^(?=\d)", "over ", rest))
    if left or not found.keys() <= {"span", "pattern", "size", "depth", "moves"}:
        raise _unread(field, left or rest)
    span = found.get("span", DrivePart())
    return Phase(
        action=Action.FILL, is_measured=False, span=span,
        is_sequential=found.get("pattern", "sequential") == "sequential",
        transfer_bytes=found.get("size", FILL_BYTES), queue_depth=found.get("depth", FILL_DEPTH),
        moves=found.get("moves", DrivePart()),
    )  # fmt: skip


def _replay(field: str, rest: str) -> Phase:
    if not rest:
        raise DomainError(f"{field}: say which trace to replay: heavy, light or destroyer")
    return Phase(action=Action.REPLAY, trace=rest.lower())


def _moving(action: Action) -> Callable[[str, str], Phase]:
    def read(field: str, rest: str) -> Phase:
        found, left = _phrases(field, rest)
        if left:
            raise _unread(field, left)
        if "lasts" not in found and "moves" not in found:
            raise DomainError(f'{field}: say when it ends: "for 60 s" or "up to 32GB"')
        if action is Action.MIX and "reads" not in found:
            raise DomainError(f'{field}: say the share of reads: "70% reads"')
        if action is Action.READ and found.get("moves", DrivePart()).is_rating:
            raise DomainError(f"{field}: reads use up no rating")
        if "skew" in found and found.get("pattern") == "sequential":
            raise DomainError(f"{field}: a skew belongs to random writes")
        if action is not Action.MIX and "reads" in found:
            raise DomainError(f'{field}: a share of reads belongs to "mix"')
        reads = {Action.READ: 1.0, Action.WRITE: 0.0}.get(action, found.get("reads", 0.0))
        return Phase(
            action=action, read_fraction=reads, span=found.get("span", DrivePart()),
            is_sequential=found.get("pattern", "random") == "sequential",
            transfer_bytes=found.get("size", 4.0 * KIB), queue_depth=found.get("depth", 1.0),
            lasts_s=found.get("lasts", math.inf), moves=found.get("moves"),
            burst_bytes=found.get("burst", math.inf), busy_fraction=found.get("busy", 1.0),
            beside=found.get("beside"), skew=found.get("skew", "uniform"),
        )  # fmt: skip

    return read


_READERS: dict[Action, Callable[[str, str], Phase]] = {
    Action.ERASE: _nothing(Action.ERASE), Action.TRIM: _trim, Action.IDLE: _idle,
    Action.FILL: _fill, Action.REPLAY: _replay,
    **{action: _moving(action) for action in (Action.WRITE, Action.READ, Action.MIX)},
}  # fmt: skip


def _phrases(field: str, text: str) -> tuple[dict[str, Any], str]:
    """Return the meanings of the phrases of a text, and the words that are left."""
    found: dict[str, Any] = {}
    for name, pattern in _COMPILED.items():
        matches = list(pattern.finditer(text))
        if not matches:
            continue
        if len(matches) > 1:
            raise DomainError(f"{field}: {quoted(matches[1].group())} is given twice")
        found[name] = _MEANINGS[name](field, matches[0].groupdict())
        text = f"{text[: matches[0].start()]} {text[matches[0].end() :]}"
    return found, " ".join(text.split())


def _part(field: str, written: str) -> DrivePart:
    if written.lower() == "all":
        return DrivePart()
    if written.lower() == "its rating":
        return DrivePart(is_rating=True)
    if written.endswith("times"):
        times = parse_count(field, written.removesuffix("times").strip(), unit="times")
        _within(field, "times", times, 1e6, "1,000,000")
        return DrivePart(times)
    if written.endswith("%"):
        share = parse_fraction(field, written)
        _within(field, "share", share, 1.0, "100 %")
        return DrivePart(share)
    size = parse_bytes(field, written)
    _within(field, "size", size, LARGEST_BYTES, "1 PB")
    return DrivePart(size_bytes=size)


def _size(field: str, written: str) -> float:
    size = parse_block(field, written)
    _within(field, "size of an operation", size, 64 * KIB * KIB, "64 MiB")
    return size


def _time(field: str, written: str) -> float:
    lasts = parse_duration(field, written)
    _within(field, "time", lasts, LONGEST_S, "400 days")
    return lasts


def _depth(field: str, written: str) -> float:
    depth = parse_count(field, written, unit="operations")
    _within(field, "depth", depth, DEEPEST, f"{DEEPEST:,.0f}")
    return depth


def _share(field: str, written: str) -> float:
    share = parse_fraction(field, written)
    _within(field, "share", share, 1.0, "100 %")
    return share


def _reads(field: str, written: str) -> float:
    """Return the share of reads, of which a mix may have none."""
    share = parse_fraction(field, written)
    return _share(field, written) if share else 0.0


def _skew(field: str, written: str) -> str:
    """Return a skew by name; "field" is no workload that a test can run."""
    name = parse_skew_name(field, written)
    if name == FIELD:
        raise DomainError(f"{field}: a test has a skew of its own, such as 80/20 or jesd219")
    classes_of(name, capacity_bytes=SKEW_BYTES, field=field)
    return name


def _burst(field: str, written: str) -> float:
    return _part(field, written).size_bytes


_MEANINGS: dict[str, Callable[[str, Mapping[str, str]], Any]] = {
    "beside": lambda field, of: Beside(_burst(field, of["bytes"]), _time(field, of["time"])),
    "burst": lambda field, of: _burst(field, of["bytes"]),
    "busy": lambda field, of: _share(field, of["share"]),
    "reads": lambda field, of: _reads(field, of["share"]),
    "moves": lambda field, of: _part(field, of["bytes"]),
    "span": lambda field, of: _part(field, of["bytes"]),
    "lasts": lambda field, of: _time(field, of["time"]),
    "depth": lambda field, of: _depth(field, of["count"]),
    "pattern": lambda _, of: of["word"].lower(),
    "size": lambda field, of: _size(field, of["bytes"]),
    "skew": lambda field, of: _skew(field, of["name"]),
}  # fmt: skip


def _within(field: str, what: str, value: float, most: float, shown: str) -> None:
    if not 0 < value <= most:
        raise DomainError(f"{field}: the {what} must be above 0 and at most {shown}")


def _unread(field: str, rest: str) -> DomainError:
    return DomainError(f"{field}: {quoted(rest)} is not understood; accepted: {ACCEPTED}")
