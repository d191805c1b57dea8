"""Run targets on mutated inputs, seeded; say what broke, how fast it went and what it took.

Inputs whose outcome is new are mutated further. Each fault is kept once, cut down to what still
shows it. A hang is ten seconds of CPU time; memory is that of the process.
"""

import hashlib
import random
import resource
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.fuzz.promises import BrokenError, shape
from tests.fuzz.targets import TARGETS, Target

__all__ = ["CORPUS", "Fault", "Run", "fault_of", "minimised", "peak_bytes", "save", "target_of"]

CORPUS, FAULTS = Path(__file__).parent / "corpus", Path(__file__).parent / "faults"
LONGEST_S = 10.0
MOST_BYTES = 1 << 30  # of memory that one input may take
REPORTED_EVERY = 50_000  # inputs
FILLS_NOTHING_S = 0.01  # in which no input touches so many pages; memory is measured above
_KEPT = 400  # inputs that are mutated further, besides the seeds
_LARGEST_KEPT = 1 << 12
_TRIES = 400  # to cut an input down
_TRIES_S = 20.0
_CODE = tuple(f"{Path(__file__).parents[2].as_posix()}/{room}/" for room in ("models", "planner"))


class Hang(BaseException):
    """An input that takes too long; no reader may catch it."""


@dataclass(frozen=True)
class Fault:
    """What went wrong, and where: one for each place in the code."""

    key: str
    text: str


@dataclass(frozen=True)
class Met:
    """A fault, an input that shows it, and how often it was met."""

    fault: Fault
    path: Path
    times: int = 1


@dataclass
class Account:
    """What a target has tried."""

    target: Target
    pool: list[bytes]
    rng: random.Random
    shapes: set[int] = field(default_factory=set)  # hashes
    tried: int = 0
    cpu_s: float = 0.0
    slowest_s: float = 0.0
    slowest: bytes = b""
    faults: dict[str, Met] = field(default_factory=dict)


class Run:
    """A run over targets in turn, the same for the same seed and number of inputs."""

    def __init__(
        self, targets: list[Target], *, seed: int, say: Callable[[str], object] = print
    ) -> None:
        self.say = say
        self.accounts = {
            target.name: Account(
                target=target,
                pool=[*target.seeds, *_corpus(target)],
                rng=random.Random(f"{seed} {target.name}"),  # noqa: S311 - repeatable, not secret
            )
            for target in targets
        }
        self.largest = ("", b"", 0)
        self.held, self.peak = _resident_bytes(), peak_bytes()

    @property
    def tried(self) -> int:
        """Inputs so far."""
        return sum(account.tried for account in self.accounts.values())

    @property
    def faults(self) -> int:
        """Faults so far, each once."""
        return sum(len(account.faults) for account in self.accounts.values())

    def go_on(self, is_over: Callable[["Run"], bool]) -> None:
        """Try inputs until it is over, target by target."""
        reported = 0
        while not is_over(self):
            for account in self.accounts.values():
                for _ in range(account.target.weight):
                    self.try_one(account)
                if is_over(self):
                    return
            if self.tried // REPORTED_EVERY > reported:
                reported = self.tried // REPORTED_EVERY
                self.say(f"{self.tried:,} inputs, {self.faults} faults")

    def try_one(self, account: Account) -> None:
        """Try one input of a target."""
        target = account.target
        started = time.thread_time()
        data = target.mutate(account.rng.choice(account.pool), account.rng, account.pool)
        if time.thread_time() - started > FILLS_NOTHING_S:
            self._grown()  # which is none of the reader's
        self.hold(account, data)

    def hold(self, account: Account, data: bytes) -> None:
        """Read an input of a target, and keep what it breaks or teaches."""
        started = time.thread_time()
        outcome = _outcome(account.target, data)
        took = time.thread_time() - started
        grown = self._grown() if took > FILLS_NOTHING_S else 0
        account.tried += 1
        account.cpu_s += took
        if took > account.slowest_s:
            account.slowest_s, account.slowest = took, data
        if grown > self.largest[2]:
            self.largest = account.target.name, data, grown
        if grown > MOST_BYTES:
            outcome = Fault("memory", f"memory of one reading: {grown >> 20} MiB")
        if isinstance(outcome, Fault):
            self._meet(account, outcome, data)
        elif hash(outcome) not in account.shapes:
            account.shapes.add(hash(outcome))
            if len(data) < _LARGEST_KEPT and len(account.shapes) < _KEPT:
                account.pool.append(data)

    def _grown(self) -> int:
        """Return the memory that an input took, if it took more than any before it."""
        held, peak = self.held, self.peak
        self.held, self.peak = _resident_bytes(), peak_bytes()
        return self.peak - held if self.peak > peak else 0

    def _meet(self, account: Account, fault: Fault, data: bytes) -> None:
        """Cut a new fault down and keep it; count one that is known."""
        target, faults = account.target, account.faults
        if fault.key in faults:
            faults[fault.key] = replace(faults[fault.key], times=faults[fault.key].times + 1)
            return
        path = save(target, minimised(target, data, fault))
        faults[fault.key] = Met(fault, path)
        self.say(f"{target.name}: {fault.text}\n  {path.name}: {path.read_bytes()[:120]!r}\n")


def target_of(path: Path) -> Target:
    """Return the target that a kept file is for, by its name."""
    fitting = [one for one in TARGETS.values() if path.name.startswith(f"{one.slug}-")]
    return max(fitting, key=lambda one: len(one.slug))


def fault_of(target: Target, data: bytes) -> Fault | None:
    """Return what an input breaks."""
    outcome = _outcome(target, data)
    return outcome if isinstance(outcome, Fault) else None


def minimised(target: Target, data: bytes, fault: Fault) -> bytes:
    """Cut an input down, piece by piece, as long as it shows the same fault."""
    if fault.key in ("hang", "memory"):
        return data
    until, tries, piece = time.monotonic() + _TRIES_S, 0, max(1, len(data) // 2)
    while piece and tries < _TRIES and time.monotonic() < until:
        at = 0
        while at < len(data) and tries < _TRIES and time.monotonic() < until:
            shorter = data[:at] + data[at + piece :]
            again, tries = fault_of(target, shorter), tries + 1
            if again is not None and again.key == fault.key:
                data = shorter
            else:
                at += piece
        piece //= 2
    return data


def save(target: Target, data: bytes) -> Path:
    """Keep an input that broke a promise."""
    FAULTS.mkdir(exist_ok=True)
    path = FAULTS / f"{target.slug}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


def _corpus(target: Target) -> list[bytes]:
    kept = [path for path in sorted(CORPUS.iterdir()) if target_of(path) is target]
    return [path.read_bytes() for path in kept]


def _outcome(target: Target, data: bytes) -> str | Fault:
    """Return the shape of an outcome, or the fault."""
    try:
        with _limit(), warnings.catch_warnings():
            warnings.simplefilter("error")
            return shape(target.hold(data))
    except Hang:
        return Fault("hang", f"more than {LONGEST_S:g} s of CPU time")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return _fault(error)


@contextmanager
def _limit() -> Iterator[None]:
    signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _stop(*_: object) -> None:
    raise Hang


def _fault(error: BaseException) -> Fault:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(_CODE)]
    place = own[-1] if own else frames[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    statement = str(error)[:400]
    if isinstance(error, BrokenError):
        return Fault(f"{statement.partition(':')[0]}", f"broken promise: {statement}")
    return Fault(
        f"{type(error).__name__} {where}", f"{type(error).__name__} at {where}: {statement}"
    )


def peak_bytes() -> int:
    """Return the most memory that the process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


signal.signal(signal.SIGPROF, _stop)
