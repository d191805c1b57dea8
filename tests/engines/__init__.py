"""Engines that run here under a stated load, and what they count.

A load is a row of `tests/data/own_loads.csv` or `tests/data/quick_loads.csv`. Each module runs one
engine: `open_engine(load, folder)` starts it in a folder, creates the table, and gives an object
with the methods of `Engine`. `AbsentError` says which package to install, where it is not there.

    counts = engines.count(load, folder)              # a dict, see `count`
    counts = engines.count(load, folder, device=loop) # bytes and flushes of the block device too
"""

import atexit
import contextlib
import csv
import functools
import importlib
import os
import random
import shutil
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
DATA = HERE.parent / "data"
NUMBERS = (
    "rows", "row_bytes", "rows_per_tx", "rate_per_s", "clients", "indexes", "zipf_exponent",
    "flush_delay_s", "checkpoint_s", "log_limit_bytes", "cache_bytes", "count_s",
)  # fmt: skip
READINGS = 5
SCATTER = 7919  # a prime: multiplied by it, ranks that are near lie apart


class AbsentError(Exception):
    """An engine that is not installed; the message says what to install."""


class Load(NamedTuple):
    """A row of a file of loads; numbers that are empty there are None."""

    name: str
    engine: str
    operation: str
    rows: int
    row_bytes: int
    rows_per_tx: int
    rate_per_s: float | None
    clients: int
    indexes: int
    zipf_exponent: float | None
    hot_rows: str
    flush_delay_s: float
    checkpoint_s: float | None
    log_limit_bytes: int | None
    cache_bytes: int | None
    settings: dict
    count_s: float | None


def loads(path):
    """Return the loads of a file by their names."""
    with path.open(newline="") as file:
        return {row["name"]: _load(row) for row in csv.DictReader(file)}


def _load(row):
    numbers = {key: _number(row[key]) for key in NUMBERS}
    settings = dict(pair.split("=") for pair in row["settings"].split(";") if pair)
    return Load(**{**row, **numbers, "settings": settings})


def _number(text):
    value = float(text) if text else None
    return int(value) if value is not None and value.is_integer() else value


def count(load, folder, *, device=None, warm_s=6.0):
    """Run a load and return what was counted of it, per transaction.

    `rate_per_s`, `log_bytes`, `pages`, `log_flushes` (those that commits wait for) and `flush_s`,
    the mean time of one, come from the engine's own statistics. From /proc are `file_bytes`, all
    that its processes write: with answers to clients where these go by `write` (etcd), without what
    is written asynchronously (pages of MariaDB). `device_bytes` and `device_flushes` are from
    `device.read()`. Further keys are the engine's own, counts or
    states.
    """
    module = importlib.import_module(f"tests.engines.{load.engine}")
    cycles = round(load.count_s / load.checkpoint_s) if load.checkpoint_s else 1
    elapsed_s = 0.0
    with module.open_engine(load, folder) as engine:
        engine.drive(warm_s)
        engine.checkpoint()
        before, first = _read(engine, folder, device), engine.states()
        for _ in range(cycles):
            begun = time.monotonic()
            engine.drive(load.count_s and load.count_s / cycles)
            elapsed_s += time.monotonic() - begun
            engine.checkpoint()
        after, last = _read(engine, folder, device), engine.states()
        changes = {key: after[key] - before[key] for key in before}
        transactions = changes.pop("transactions")
        means = {key: (first[key] + last[key]) / 2 for key in first}
        means["rate_per_s"] = transactions / elapsed_s
        if flushes := changes.get("log_flushes"):
            means["flush_s"] = changes.pop("flush_s") / flushes
        per_tx = {key: value / transactions for key, value in changes.items()}
        return means | per_tx | {"version": engine.version()}


def _read(engine, folder, device):
    if device:
        subprocess.run(["sync", "-f", folder], check=True)
    read = engine.counters()
    if processes := engine.processes():
        read["file_bytes"] = _file_bytes(engine, processes)
    return read | (device.read() if device else {})


def _file_bytes(engine, processes):
    """Return the bytes of all processes; the accounts of one that ends pass to its parent."""
    for _ in range(READINGS):
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):
            return sum(map(written_bytes, processes))
        processes = engine.processes()
    raise RuntimeError("processes of the engine ended while they were read")


def accounts(process):
    """Return the file in which Linux keeps what a process has read and written."""
    return Path(f"/proc/{process}/io")


def written_bytes(process):
    """Return the bytes that a process has written, and those that it started and that ended."""
    return _bytes_of(accounts(process))


def thread_bytes(folder):
    """Return the bytes that a thread, a folder of /proc, has written itself."""
    return _bytes_of(folder / "io")


def _bytes_of(path):
    return int(dict(line.split(": ") for line in path.read_text().splitlines())["wchar"])


class Engine:
    """A running engine with its table; the methods that `count` calls."""

    def drive(self, seconds):
        """Send transactions of the load for some seconds."""
        raise NotImplementedError

    def checkpoint(self):
        """Write what is changed, where the load says from checkpoint to checkpoint."""

    def counters(self):
        """Return counts since the start: transactions, log_bytes, pages, log_flushes, flush_s."""
        raise NotImplementedError

    def states(self):
        """Return what holds at a time, of which `count` gives the mean of begin and end."""
        return {}

    def processes(self):
        """Return the processes that write; none where `counters` has their bytes."""
        return []

    def version(self):
        """Return the version of the engine."""
        raise NotImplementedError


def program(name, package):
    """Return the path of a program, or refuse with the package that has it."""
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if path is None:
        raise AbsentError(f"{name} is not installed: apt-get install {package}")
    return path


class FlushDelay:
    """Environment of a server whose flushes are delayed, and their count and time."""

    def __init__(self, seconds, folder):
        self._counts = Path(folder, "flush_counts")
        self._counts.write_bytes(bytes(16))
        self._counts.chmod(0o666)
        self.environment = {
            "LD_PRELOAD": str(_delay_library()),
            "FLUSH_DELAY_US": str(round(1e6 * seconds)),
            "FLUSH_COUNTS": str(self._counts),
        }

    def read(self):
        """Return the number of flushes, and the seconds that they took."""
        number, nanoseconds = struct.unpack("=QQ", self._counts.read_bytes())
        return {"log_flushes": number, "flush_s": nanoseconds / 1e9}


@functools.cache
def _delay_library():
    return compiled("flush_delay.c", "-shared", "-fPIC", "-ldl")


def compiled(source, *options):
    """Compile a file of this folder, and return the result."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    folder.chmod(0o755)  # a server may run as another user
    result = folder / Path(source).stem
    words = [program("gcc", "gcc libc6-dev"), "-O2", HERE / source, "-o", result, *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AbsentError(f"{source} does not compile here: {done.stderr[-300:]}")
    return result


class Clients:
    """Clients in threads, each with a connection, that send transactions at random times."""

    def __init__(self, load, connect):
        """Connect each client; `connect(number)` returns what sends one transaction."""
        self.rate = load.rate_per_s and load.rate_per_s / load.clients
        self.acts = [connect(number) for number in range(load.clients)]
        self.done = [0] * load.clients
        self._chances = [random.Random(number) for number in range(load.clients)]  # noqa: S311

    def drive(self, seconds):
        end = time.monotonic() + seconds
        threads = [
            threading.Thread(target=self._client, args=(number, end), daemon=True)
            for number in range(len(self.acts))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _client(self, number, end):
        due = time.monotonic()
        while True:
            if self.rate:
                due += self._chances[number].expovariate(self.rate)
                if due > end:
                    return
                time.sleep(max(due - time.monotonic(), 0))
            elif time.monotonic() > end:
                return
            self.acts[number]()
            self.done[number] += 1


def row_picker(load, chance):
    """Return a function that draws the number of a row, 0 to rows - 1, by the load's skew."""
    if not load.zipf_exponent:
        return lambda: chance.randrange(load.rows)
    step = SCATTER if load.hot_rows == "scattered" else 1
    ranks, weights = range(load.rows), _cumulated(load.rows, load.zipf_exponent)
    return lambda: chance.choices(ranks, cum_weights=weights)[0] * step % load.rows


@functools.cache
def _cumulated(rows, exponent):
    total, cumulated = 0.0, []
    for rank in range(1, rows + 1):
        total += rank**-exponent
        cumulated.append(total)
    return cumulated


class Child:
    """A program that runs a load, and prints its counts as JSON for each line that it reads."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            [str(word) for word in command], env=os.environ | environment, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def ask(self, line=""):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.process.args[0]} ended with {self.process.wait()}")
        return answer


@contextlib.contextmanager
def stopped_after(process, seconds=20):
    """Stop a process and close its pipes, whatever happens."""
    with process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_for(answer, what, seconds=30):
    """Return the first result of a call that does not raise an error of the connection."""
    end = time.monotonic() + seconds
    while True:
        try:
            return answer()
        except (OSError, RuntimeError):
            if time.monotonic() > end:
                raise RuntimeError(f"{what} did not answer within {seconds} s") from None
            time.sleep(0.1)


def free_port():
    """Return a port that nothing listens on."""
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
